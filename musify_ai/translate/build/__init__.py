"""MUS8xx: build files. In this version each that holds CUDA is one finding; none is edited."""

from musify_ai.translate.build.files import build_file_finding

__all__ = ["build_file_finding"]
