"""Checks the judged queries in queries/: their form, and that every target is in the code it is said to be in.

It judges no relevance. Read `faults` first.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).with_name("queries")
ROUTES = {"R0", "R1", "R2", "skip"}
FIELDS = {"id", "repo", "name", "commit", "query", "category", "expected_route", "relevant"}
CATEGORIES = {"exact_lookup", "natural_language", "flow", "debugging", "architecture", "skip", "routing"}
# Lines that a name may be below the beginning of its definition: attributes, decorators and the type stand above it.
HEAD = 4


def rows() -> Iterator[tuple[Path, dict]]:
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path, json.loads(line)


def faults(corpora: Path | None) -> list[str]:
    """What is wrong, one line each. Without the folder of the packages only the form is looked at."""
    found: list[str] = []
    ids: set[str] = set()
    for path, row in rows():
        of_row = form(row)
        if row.get("id") in ids:
            of_row.append("id twice")
        ids.add(row.get("id", ""))
        if corpora is not None and not of_row:
            of_row += [fault for target in row["relevant"] for fault in place(corpora / row["name"], target)]
        found += [f"{path.name}, {row.get('id')}: {fault}" for fault in of_row]
    return found


def form(row: dict) -> list[str]:
    if set(row) != FIELDS:
        return [f"fields {sorted(set(row) ^ FIELDS)}"]
    checks = {
        "route": row["expected_route"] in ROUTES,
        "category": row["category"] in CATEGORIES,
        "name is not package-version": row["name"].endswith("-" + row["commit"]),
        "targets": bool(row["relevant"]) == (row["category"] not in {"skip", "routing"}),
        "no answer of grade 3": not row["relevant"] or any(target["grade"] == 3 for target in row["relevant"]),
        "grade": all(target["grade"] in {1, 2, 3} for target in row["relevant"]),
        "symbol without lines": all(("symbol" in target) == ("start_line" in target) for target in row["relevant"]),
    }
    return [what for what, holds in checks.items() if not holds]


def place(root: Path, target: dict) -> list[str]:
    """The file is there, and the name stands at the head of the lines."""
    file = root / target["path"]
    if not file.is_file():
        return [f"no file {target['path']}"]
    if "symbol" not in target:
        return []
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    start, end = target["start_line"], target["end_line"]
    if not 1 <= start <= end <= len(lines):
        return [f"{target['path']} has no lines {start} to {end}"]
    name = re.split(r"[.:#]+", target["symbol"])[-1]
    head = "\n".join(lines[start - 1 : min(end, start + HEAD)])
    if not re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", head):
        return [f"{name} does not stand at {target['path']}:{start}"]
    return []
