"""Whole repositories: what files there are, where results go, and the order of work. It schedules the pipeline."""

from musify_ai.project.refusals import Refused
from musify_ai.project.running import Outcome, check, fix, migrate, verify_port

__all__ = ["Outcome", "Refused", "check", "fix", "migrate", "verify_port"]
