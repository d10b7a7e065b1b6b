"""From a work unit to a request, and from a refused answer to the next one.

The templates stand in ``templates/prompts``: one a kind, all on one base; a name that is not there is an error. What
comes from the project stands between marks that follow from its content, so that nobody who writes a comment can know
them, and equal units make equal requests.
"""

import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from musify_ai.records import ARCHS
from musify_ai.rewrite.gates.protocol import FailureClass, Refused
from musify_ai.rewrite.providers.protocol import Message, Request, Sampling
from musify_ai.rewrite.sending import prepared
from musify_ai.rewrite.showing import plain
from musify_ai.rewrite.units import WorkUnit

if TYPE_CHECKING:
    import jinja2

DEFAULT = "construct"
"""The template of kinds that have none of their own."""

MOST_REPORT = 3000
"""The most characters of diagnostics or of a numeric report in a repair."""

# Which inputs were drawn is nothing that a model is told.
_SEED = re.compile(r"\bseed \d+, ")

_ADVICE: Mapping[FailureClass, str] = {
    "extract": "Give exactly one code block.",
    "truncated": "The answer was too long. Leave explanations out.",
    "forbidden": "Write what the construct computes, without it.",
    "signature": "Do not change the head.",
    "compile": "Correct it so that it compiles.",
    "runtime": "Correct it so that it runs to its end.",
    "timeout": "Correct it so that it ends: every thread must come out of every loop and barrier.",
    "numeric": "Correct it so that every result is the same bit for bit.",
    "nondeterministic": "Correct it so that the result does not depend on the order of threads.",
    "cheating": "Compute the result from the inputs, in every case.",
}


def request_for(unit: WorkUnit, sampling: Sampling) -> Request:
    """The first request of a unit. Raises `jinja2.UndefinedError` for a template that asks for what there is not."""
    system = _environment().get_template("system.j2").render().strip()
    return Request((Message("system", system), Message("user", user_text(unit))), sampling)


def user_text(unit: WorkUnit) -> str:
    """What a model is told of a unit."""
    return _environment().get_template(f"{template_of(unit.kind)}.j2").render(**_values(unit)).strip() + "\n"


def repair_for(first: Request, unit: WorkUnit, answer: str, refused: Refused, sampling: Sampling) -> Request:
    """The request after a refused answer: what was asked first, the last answer, and what was wrong with it."""
    report = plain(_SEED.sub("", refused.report), MOST_REPORT)
    text = (
        _environment()
        .get_template("repair.j2")
        .render(
            failure=refused.failure,
            reason=plain(_SEED.sub("", refused.reason), 600),
            report=report,
            mark=_mark(report),
            advice=_ADVICE.get(refused.failure, "Try again."),
            name=unit.names,
        )
    )
    said = Message("assistant", plain(answer, 12_000) or "(nothing)")
    return Request((*first.messages[:2], said, Message("user", text.strip() + "\n")), sampling)


def template_of(kind: str) -> str:
    """The template that is used for a kind."""
    return kind if (prompts_dir() / f"{kind}.j2").is_file() else DEFAULT


@cache
def template_version(kind: str) -> str:
    """A digest of everything that a kind's requests are made with: an edit of a template changes it."""
    names = ("system", "base", "repair", template_of(kind))
    return sha256(b"\0".join((prompts_dir() / f"{name}.j2").read_bytes() for name in names)).hexdigest()[:16]


@cache
def prompts_dir() -> Path:
    """The folder of the templates: in an installation, or in a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "_data" / "templates" / "prompts", package.parent / "templates" / "prompts"):
        if (folder / "base.j2").is_file():
            return folder
    raise FileNotFoundError("the prompt templates of musify-ai are missing from this installation; install it again")


def _values(unit: WorkUnit) -> dict[str, Any]:
    region = "\n\n".join(prepared(piece.region).text.strip("\n") for piece in unit.pieces)
    context = "\n\n".join(prepared(each.encode("utf-8", "replace")).text for each in unit.context)
    launches = "\n".join(unit.launches)
    problems = list(
        dict.fromkeys(f"{each.code} ({_title(each.code)}): {plain(each.message, 500)}" for each in unit.everything)
    )
    return {
        "names": unit.names,
        "sdk": unit.sdk,
        "archs": [{"name": each, "lanes": ARCHS[each].lanes, "text": _arch(each)} for each in unit.archs],
        "facts": [fact for sheet in unit.sheets for fact in sheet.facts],
        "examples": unit.examples,
        "context": context,
        "launches": launches,
        "problems": problems,
        "region": region,
        "heads": [" ".join(prepared(piece.head).text.split()) for piece in unit.pieces],
        "optional": [piece.name for piece in unit.pieces if piece.optional],
        "mark": _mark("\0".join((context, launches, *problems, region))),
    }


def _arch(name: str) -> str:
    return f"{name} (__MUSA_ARCH__ {ARCHS[name].macro}, {ARCHS[name].lanes} lanes a warp)"


def _title(code: str) -> str:
    from musify_ai.translate import registry

    try:
        return str(registry.rule(code).TITLE)
    except registry.UnknownCode:
        return "a construct without a counterpart"


def _mark(data: str) -> str:
    """A mark that the data cannot hold: it is a digest of it."""
    return sha256(data.encode("utf-8", "replace")).hexdigest()[:16]


@cache
def _environment() -> "jinja2.Environment":
    import jinja2

    # The text goes to a model, not to a browser: nothing is escaped.
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(prompts_dir()),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
