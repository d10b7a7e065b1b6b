"""MUS82x and MUS83x: Python that drives a GPU, mostly through PyTorch. Read as Python, by names in their scopes."""
