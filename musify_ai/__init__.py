"""musify-ai migrates CUDA source repositories to MUSA, and checks what it did."""

__version__ = "0.1.0"
