"""MUS3xx: code that counts on warps of 32 lanes. A warp has 128 lanes on mp_21 and mp_22, and 32 from mp_31 on."""
