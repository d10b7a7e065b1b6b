"""House styles: what a port looks like. Each takes what `translate` says of a file and gives it another shape.

``tokens`` (the default) is `translate`'s own answer; ``rebrand`` goes on to the project's own names and files;
``alias``, ``dual`` and ``semantic`` leave names as they are and keep only the edits that meaning needs.
"""

from musify_ai.styles.offers import LEAVING_NAMES, STYLES, refusal
from musify_ai.styles.plan import Plan
from musify_ai.styles.styled import Styled, Use, translate_in_style

__all__ = ["LEAVING_NAMES", "STYLES", "Plan", "Styled", "Use", "refusal", "translate_in_style"]
