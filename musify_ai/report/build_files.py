"""Whether a run met build files that it left as they are."""

from musify_ai.records import Run

LEFT = "build files are not migrated"


def has_build_files(run: Run) -> bool:
    """Whether there is a build file that speaks of CUDA among the files of a run."""
    return any(file.reason == LEFT for file in run.files)
