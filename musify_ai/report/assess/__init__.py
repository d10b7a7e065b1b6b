"""What a migration would take, before anybody decides: the same findings and edits as `check`, added up for planning.

`assessed` makes the figures, one module each writes them as text, Markdown, HTML and JSON.
"""

from musify_ai.report.assess.figures import Assessment, assessed

__all__ = ["Assessment", "assessed"]
