"""The recorded answers of a real model (corpus/recordings): looked over, dropped where they are stale, recorded anew.

Usage: python -m benchmarks.llm_record                                   (says what is stale, and changes nothing)
       python -m benchmarks.llm_record --drop                            (takes what is stale away)
       python -m benchmarks.llm_record --from FILE                       (takes what fits out of a store of answers)
       python -m benchmarks.llm_record --ask openai:URL#MODEL [--units N] (asks for what is missing, then the same)

A recording is an answer to one request, and what is asked follows from templates, facts and constructs: an edit of
those makes it stale. Recorded are the constructs of the gallery and of corpus/llm; asking needs a server with the model
that ``about.toml`` beside the recordings names, and goes on where it was ended (its store is in build/).
``recorded.toml`` says which constructs are there and with which templates; it is written by this program,
``about.toml`` by hand.
"""

import argparse
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from musify_ai.project.benching import Wanted, bench, without_own_answers
from musify_ai.project.rewriting import surveyed
from musify_ai.project.running import migrate, translated
from musify_ai.records import Options
from musify_ai.rewrite.corpus import laid_out, read
from musify_ai.rewrite.gates.sequence import GATES
from musify_ai.rewrite.loop import Policy
from musify_ai.rewrite.opening import Asked
from musify_ai.rewrite.prompting import request_for, template_version
from musify_ai.rewrite.providers.protocol import Message, Sampling
from musify_ai.rewrite.providers.recordings import Recording, read_all, write
from musify_ai.rewrite.store import Store

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "corpus" / "recordings" / "qwen2.5-coder-1.5b-instruct"
GALLERY, CORPUS = ROOT / "corpus" / "gallery", ROOT / "corpus" / "llm"
POLICY = Policy(repairs=1, samples=0, max_tokens=512)
"""What is recorded, and what `make migrate` replays."""

HOW = (
    "`python -m benchmarks.llm_record --ask openai:URL#MODEL` records anew with the model of about.toml;"
    " `--drop` takes away what is stale"
)


class Question(NamedTuple):
    """A construct's first request: its messages, and the kind that its templates are chosen by."""

    messages: tuple[Message, ...]
    kind: str


def questions() -> dict[str, Question]:
    """The first request of every construct of the gallery and of corpus/llm, by ``gallery/PATH:NAMES`` or
    ``KIND/NAME``, as they would be asked today."""
    sampling = Sampling(max_tokens=POLICY.max_tokens)
    found: dict[str, Question] = {}
    units = surveyed(GALLERY, translated(GALLERY, Options()), Options()).survey.units
    for unit in units:
        found[f"gallery/{unit.path}:{unit.names}"] = Question(request_for(unit, sampling).messages, unit.kind)
    with TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        options = Options(inputs=str(laid_out(read(CORPUS), place)))
        for unit in without_own_answers(surveyed(place, translated(place, options), options)).survey.units:
            name = unit.path.removesuffix(".cu")
            found[name] = Question(request_for(unit, sampling).messages, unit.kind)
    return found


def stale(folder: Path, asked: Mapping[str, Question]) -> dict[str, list[str]]:
    """What of a folder's recordings fits no more: the names of its files, by why. ``asked`` are `questions`."""
    names = {question.messages: name for name, question in asked.items()}
    index = _index(folder)
    out: dict[str, list[str]] = {}
    there = set()
    for recording in read_all(folder):
        file = f"{recording.key[:24]}.json"
        name = names.get(recording.request.messages[:2])
        if name is None:
            out.setdefault(
                "nobody asks this any more: a template, a fact sheet or the construct has changed", []
            ).append(file)
            continue
        kind = asked[name].kind
        if len(recording.request.messages) > 2 and index["templates"].get(kind) != template_version(kind):
            out.setdefault(f"a repair made with other templates ({kind})", []).append(file)
            continue
        if len(recording.request.messages) == 2:
            there.add(name)
    lost = [name for name in index["constructs"] if name not in there]
    if lost:
        out["constructs that recorded.toml names and nothing answers"] = lost
    return out


def update(folder: Path, more: Iterable[Recording], identity: str, asked: Mapping[str, Question]) -> list[str]:
    """Keep what fits, of the folder's recordings and of others, and write the index. Returns the constructs' names."""
    names = {question.messages: name for name, question in asked.items()}
    gone = {file for why, files in stale(folder, asked).items() if "constructs" not in why for file in files}
    kept = {each.key: each for each in read_all(folder) if f"{each.key[:24]}.json" not in gone}
    for each in more:
        sampling = each.request.sampling
        if each.identity == identity and sampling.temperature == 0 and sampling.max_tokens == POLICY.max_tokens:
            kept.setdefault(each.key, each)
    kept = {key: each for key, each in kept.items() if each.request.messages[:2] in names}
    for file in folder.glob("*.json"):
        file.unlink()
    for each in kept.values():
        write(folder, each)
    found = {names[each.request.messages[:2]] for each in kept.values() if len(each.request.messages) == 2}
    kinds = sorted({asked[name].kind for name in found})
    lines = ["# Written by benchmarks/llm_record.py.", f'identity = "{identity}"']
    lines += [f"repairs = {POLICY.repairs}", f"samples = {POLICY.samples}", f"answer = {POLICY.max_tokens}"]
    lines += ["constructs = [", *(f'    "{name}",' for name in sorted(found)), "]", "", "[templates]"]
    lines += [f'{kind} = "{template_version(kind)}"' for kind in kinds]
    folder.joinpath("recorded.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return sorted(found)


def ask(spec: str, units: int, store: Path) -> None:
    """Ask for everything that the store has no answer to: the gallery's constructs, then the corpus's."""
    asked = Asked(spec, store, policy=POLICY, seconds=3600.0)
    with TemporaryDirectory() as folder:
        migrate(GALLERY, Path(folder) / "out", Options(verify=False), asked=asked)
    bench(Wanted(CORPUS, asked, store.parent / "bench", units=units, at_once=1), Options(), GATES)


def _index(folder: Path) -> dict[str, dict[str, str]]:
    file = folder / "recorded.toml"
    value = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    return {"constructs": value.get("constructs", []), "templates": value.get("templates", {})}


def main() -> int:
    """Look over, drop, take or ask. Status 1 where something is stale in the end."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--drop", action="store_true")
    parser.add_argument("--from", dest="stores", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--ask", metavar="SPEC", default="")
    parser.add_argument("--units", type=int, default=20)
    given = parser.parse_args()
    asked = questions()
    identity = tomllib.loads((given.folder / "about.toml").read_text("utf-8"))["identity"]
    if given.ask:
        store = ROOT / "build" / "llm-record" / "store.sqlite"
        with Store(store) as kept:
            for each in read_all(given.folder):
                if kept.answer(each.key) is None:
                    kept.keep_answer(each.identity, each.request, each.answer)
        ask(given.ask, given.units, store)
        given.stores.append(store)
    if given.drop or given.stores:
        found: list[Recording] = []
        for file in given.stores:
            with Store(file) as kept:
                found += kept.recordings(identity)
        names = update(given.folder, found, identity, asked)
        print(f"{len(names)} constructs recorded")
    left = stale(given.folder, asked)
    for why, files in left.items():
        print(f"{why}: {', '.join(files)}")
    print(HOW if left else "nothing is stale")
    return 1 if left else 0


if __name__ == "__main__":
    raise SystemExit(main())
