"""MUS62x: what mcc's front end, clang 14, takes otherwise than nvcc, and what a host compiler does not take."""
