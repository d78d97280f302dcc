"""Asks the judged queries in queries/ about the pinned packages and keeps the outcome in results/, one line a query.

The program does the asking and the scoring (`reporecall benchmark --suite registry`); here its corpora are put in place and its
tables compared. Read `tables` first.
"""

import argparse
import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import corpora
import queries

SUITE = "registry"
SURFACES = ["search", "context"]
RESULTS = Path(__file__).with_name("results")


def place(cache: Path) -> Path:
    """Folder with a link for each package, called as the queries call it."""
    folder = cache / "suites"
    folder.mkdir(parents=True, exist_ok=True)
    for corpus in corpora.load("suite"):
        link = folder / f"{corpus.name}-{corpus.version}"
        root = os.path.relpath(corpora.prepare(corpus, cache), folder)
        if not link.is_symlink() or os.readlink(link) != root:
            link.unlink(missing_ok=True)
            link.symlink_to(root)
    return folder


def tables(program: Path, folder: Path) -> dict[Path, str]:
    """What the program answers now: file of the results -> its text."""
    with tempfile.TemporaryDirectory() as scratch:
        return {RESULTS / f"{SUITE}-{surface}.csv": table(program, folder, surface, Path(scratch)) for surface in SURFACES}


def table(program: Path, folder: Path, surface: str, scratch: Path) -> str:
    out = scratch / f"{surface}.csv"
    command = [str(program), "benchmark", "--project", str(RESULTS.parents[1])]
    command += ["--suite", SUITE, "--surface", surface, "--corpora", str(folder), "--csv", str(out)]
    done = subprocess.run(command, check=False)
    if done.returncode != 0:
        sys.exit(f"error: `{' '.join(command)}` ended with exit code {done.returncode}")
    return out.read_text(encoding="utf-8")


def changes(now: dict[Path, str]) -> list[str]:
    lines: list[str] = []
    for path, text in now.items():
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        name = f"benchmark/results/{path.name}"
        diff = difflib.unified_diff(before.splitlines(), text.splitlines(), name, f"{name} (now)", lineterm="", n=0)
        lines += diff
    return lines


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/benchmark", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["rank", "fetch"], help=argparse.SUPPRESS)
    parser.add_argument("--program", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--cache", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if a line differs")
    network = parser.add_mutually_exclusive_group()
    network.add_argument("--offline", action="store_true", help="do nothing where a package is not in the cache")
    network.add_argument("--try-fetch", action="store_true", help="do nothing where a package cannot be fetched at once")
    return parser.parse_args()


def unavailable(options: argparse.Namespace) -> str | None:
    """The first package that is missing and is not to be waited for."""
    if not (options.offline or options.try_fetch):
        return None
    there = corpora.try_fetch if options.try_fetch else corpora.ready
    return next((corpus.name for corpus in corpora.load("suite") if not there(corpus, options.cache)), None)


def main() -> int:
    options = arguments()
    if missing := unavailable(options):
        print(f"skipped: {missing} is not in the cache; `scripts/benchmark fetch` gets it and the others")
        return 0
    folder = place(options.cache)
    faults = queries.faults(folder)
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    if faults or options.what == "fetch":
        print(folder)
        return 1 if faults else 0
    now = tables(options.program.resolve(), folder)
    moved = changes(now)
    print("\n".join(moved) if moved else "no line of the results changed")
    if options.check:
        if moved:
            print("the ranking changed: look at these lines, then run `scripts/benchmark rank` and commit the results")
        return 1 if moved else 0
    RESULTS.mkdir(exist_ok=True)
    for path, text in now.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
