"""``musify-ai rules``: a project's own rules, tested with their own cases."""

from pathlib import Path

import click

from musify_ai.cli.output import put
from musify_ai.report.merging import counted

_SCAFFOLD = """\
# Rules of this project's own, used with --rules or as `rules = ["{name}"]` in musify-ai.toml.
# Test them with: musify-ai rules test {name}

library = "project"

# Renamed everywhere, where they are defined too.
[names]
exampleCudaAlloc = "exampleMusaAlloc"

# Include tokens as written between the delimiters.
[headers]
"example_cuda.h" = "example_musa.h"

# Left, with a finding that says this.
[report]
exampleCudaOnly = "has no counterpart yet: see the porting notes"

# Names of the tool's own table that it is to leave alone in this project.
[keep]

# Every name wants a case: source, what becomes of it, and the names that findings speak of.
[[case]]
source = "#include \\"example_cuda.h\\"\\nvoid* p = exampleCudaAlloc(4);\\n"
output = "#include \\"example_musa.h\\"\\nvoid* p = exampleMusaAlloc(4);\\n"

[[case]]
source = "exampleCudaOnly();\\n"
findings = ["exampleCudaOnly"]
"""


@click.group()
def rules() -> None:
    """Names and headers that only this project has, in a TOML file with its own cases.

    \b
    Example: musify-ai rules new our-rules.toml
    """


@rules.command(short_help="Write a file of rules to begin with.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def new(file: Path) -> int:
    """Write a file of rules to begin with: every section, with an example and its cases.

    \b
    Example: musify-ai rules new our-rules.toml
    """
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(_SCAFFOLD.format(name=file.name))
    except FileExistsError:
        raise click.UsageError(f"{file} exists already; nothing was written") from None
    except OSError as problem:
        raise click.UsageError(f"{file}: {problem.strerror}") from None
    put(f"wrote {file}; change it and run: musify-ai rules test {file}\n".encode())
    return 0


@rules.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def test(files: tuple[Path, ...]) -> int:
    """Run the cases in FILES of rules.

    \b
    Exit status: 1 when a case fails or a name has no case.

    \b
    Example: musify-ai rules test our-rules.toml
    """
    from musify_ai.records import Options
    from musify_ai.rules.own import OwnCase, OwnRulesInvalid, read_own, uncovered
    from musify_ai.source import splice
    from musify_ai.translate import translate

    def fault(case: OwnCase, options: Options) -> str:
        src = case.source.encode()
        translation = translate(src, "case.cu", options)
        output = splice(src, [edit for edit in translation.edits if edit.safety == "safe"]).decode()
        if output != case.output:
            return f"became {output!r}, not {case.output!r}"
        found = sorted({finding.name for finding in translation.findings if finding.severity != "note"})
        if found != sorted(set(case.findings)):
            return f"findings about {', '.join(found) or 'nothing'}, not {', '.join(case.findings) or 'nothing'}"
        again = translate(output.encode(), "case.cu", options)
        if any(edit.safety == "safe" for edit in again.edits):
            return "a second run would change it again"
        return ""

    lines = []
    failed = cases = 0
    for file in files:
        try:
            own = read_own(file)
        except OwnRulesInvalid as problem:
            raise click.UsageError(str(problem)) from None
        options = Options(rules=(str(file),))
        for number, case in enumerate(own.cases, 1):
            cases += 1
            said = fault(case, options)
            if said:
                failed += 1
                lines.append(f"{file}: case {number}: {said}")
        for name in uncovered(own):
            failed += 1
            lines.append(f"{file}: {name} has no case")
    lines.append(
        f"{counted(cases, 'case')}, {failed} failed" if failed else f"{counted(cases, 'case')}, all as written"
    )
    put("".join(line + "\n" for line in lines).encode("utf-8", "replace"))
    return 1 if failed else 0


@rules.command(short_help="Count the known names of each library.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write a page a library.")
def coverage(out: Path | None) -> int:
    """Print how many names of each library are known, by evidence.

    \b
    Example: musify-ai rules coverage --out coverage
    """
    from musify_ai.rules.coverage import page, table
    from musify_ai.rules.locating import data_dir
    from musify_ai.rules.reading import FOLDERS, read

    rows = read(data_dir(), (*FOLDERS, "bulk"))
    put(table(rows).encode())
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
            for library in sorted({row.library for row in rows}):
                (out / f"{library}.md").write_text(page(library, rows), encoding="utf-8")
        except OSError as problem:
            raise click.UsageError(f"{out}: {problem.strerror}") from None
    return 0


@rules.command(short_help="Write the pages of docs/.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", required=True)
def docs(out: Path) -> int:
    """Write a page a code, the API coverage by library and the guides into DIR, and take away pages that are no more.

    \b
    Example: musify-ai rules docs --out docs
    """
    from musify_ai.cli.pages import pages

    made = pages()
    old = {
        place.relative_to(out).as_posix()
        for folder in ("codes", "api", "guide")
        for place in (out / folder).glob("*.md")
    }
    try:
        for name, text in made.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_text(text, encoding="utf-8")
        for name in old - made.keys():
            (out / name).unlink()
    except OSError as problem:
        raise click.UsageError(f"{out}: {problem.strerror}") from None
    put(f"wrote {counted(len(made), 'page')} to {out}\n".encode("utf-8", "surrogateescape"))
    return 0
