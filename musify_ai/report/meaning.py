"""Which edits a reviewer has to think about, and which only rename."""

from musify_ai.records import Edit


def is_plain_name(edit: Edit) -> bool:
    """Whether an edit renames what a table names, as any reviewer would expect; all others are of meaning."""
    return edit.rule.startswith(("names.", "headers.")) and edit.safety == "safe" and edit.evidence in ("seen", "table")
