"""MUS6xx: types and numerics that not every MUSA arch has."""
