"""MUS7xx and PyTorch's part of MUS8xx: libraries whose MUSA counterpart is no plain rename."""
