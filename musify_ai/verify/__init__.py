"""Checking a translation against its original: both sides built, every kernel run, every buffer compared."""

from musify_ai.verify.building import Unsettled
from musify_ai.verify.checking import Checked, CompilerMissing, verify

__all__ = ["Checked", "CompilerMissing", "Unsettled", "verify"]
