"""A file as the name tier sees it, and the text it becomes."""

from musify_ai.records import Edit, Finding, Options
from musify_ai.source.splicing import splice
from musify_ai.translate.names import translate_names
from musify_ai.translate.unit import Unit


class View(Unit):
    def __init__(self, src, options=None):
        super().__init__("a.cu", src, options)


def run(src, **options):
    """Edits in order and findings of some source."""
    src = src.encode() if isinstance(src, str) else src
    found = list(translate_names(View(src, Options(**options))))
    edits = sorted((each for each in found if isinstance(each, Edit)), key=lambda edit: edit.start)
    return edits, [each for each in found if isinstance(each, Finding)]


def after(src, *, unsafe=False):
    """The source with the safe edits made."""
    data = src.encode() if isinstance(src, str) else src
    edits, _ = run(data)
    out = splice(data, [edit for edit in edits if unsafe or edit.safety == "safe"])
    return out.decode() if isinstance(src, str) else out


def codes(src, **options):
    """Code and name of each finding."""
    return [(finding.code, finding.name) for finding in run(src, **options)[1]]
