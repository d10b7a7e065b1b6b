"""MUS5xx: memory, barriers, atomics and the limits of the hardware."""
