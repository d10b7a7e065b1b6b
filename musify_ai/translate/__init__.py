"""From bytes to edits and findings: the name tier, and one package a family of constructs."""

from musify_ai.translate.surroundings import Surroundings
from musify_ai.translate.translation import Translation, translate
from musify_ai.translate.unit import Unit

__all__ = ["Surroundings", "Translation", "Unit", "translate"]
