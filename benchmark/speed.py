"""Times the program as a user runs it, on the pinned corpora, and compares the first of them with the bars.

Measures whole processes from outside: CPU and memory by `wait4`, so that nothing the program says of itself is taken on
trust but the cost of parsing alone and the latency inside one process. Read `BARS` and `measure` first.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import corpora
import generate

QUERIES = [
    "parse the configuration file",
    "where is the connection opened",
    "handle an error response",
    "user session",
    "render a template",
]
# A function for the end of a file, so that a change is one that matters to the index.
ADDED = {
    ".py": "\n\ndef added_{n}():\n    return {n}\n",
    ".ts": "\nexport function added{n}() {{\n  return {n};\n}}\n",
    ".js": "\nfunction added{n}() {{\n  return {n};\n}}\n",
    ".rs": "\nfn added_{n}() -> u32 {{\n    {n}\n}}\n",
    ".c": "\nint added_{n}(void)\n{{\n    return {n};\n}}\n",
}


@dataclass(frozen=True)
class Bar:
    what: str
    value: Callable[["Figures"], float]
    must: float
    aim: float | None


@dataclass
class Run:
    cpu: float
    wall: float
    peak: int
    output: str


@dataclass
class Figures:
    """Seconds and bytes; medians of several runs."""

    name: str
    language: str
    files: int = 0
    lines: int = 0
    source_bytes: int = 0
    index_bytes: int = 0
    cold: list[Run] = field(default_factory=list)
    parsing: float = 0.0
    unchanged: float = 0.0
    changed: float = 0.0
    search: float = 0.0
    p50_ms: float = 0.0
    p95_ms: float = 0.0

    @property
    def cpu(self) -> float:
        return statistics.median(run.cpu for run in self.cold)

    @property
    def wall(self) -> float:
        return statistics.median(run.wall for run in self.cold)

    @property
    def peak_mb(self) -> float:
        return max(run.peak for run in self.cold) / 1e6

    @property
    def times_parsing(self) -> float:
        return self.wall / self.parsing

    @property
    def disk(self) -> float:
        return self.index_bytes / self.source_bytes

    @property
    def microseconds_a_line(self) -> float:
        return self.cpu / self.lines * 1e6


BARS = [
    Bar("cold index, CPU seconds", lambda f: f.cpu, 10, 5),
    Bar("cold index, wall time as a multiple of parsing alone", lambda f: f.times_parsing, 3.0, 2.0),
    Bar("peak memory, MB", lambda f: f.peak_mb, 300, 150),
    Bar("index on disk as a multiple of the bytes indexed", lambda f: f.disk, 2.0, 1.2),
    Bar("nothing changed: `index` again, whole process, ms", lambda f: f.unchanged * 1e3, 250, 100),
    Bar("one file changed: `index` again, whole process, ms", lambda f: f.changed * 1e3, 300, 120),
    Bar("`search`, whole process, ms", lambda f: f.search * 1e3, 60, 25),
    Bar("query inside one process, p50, ms", lambda f: f.p50_ms, 2, 0.7),
    Bar("query inside one process, p95, ms", lambda f: f.p95_ms, 8, 3),
]


def large_bars(first: Figures) -> list[Bar]:
    return [
        Bar(
            f"CPU time a line as a multiple of {first.name}'s",
            lambda f: f.microseconds_a_line / first.microseconds_a_line,
            1.5,
            None,
        ),
        Bar("peak memory, MB", lambda f: f.peak_mb, 600, None),
    ]


class Program:
    def __init__(self, path: Path):
        self.path = path.resolve()

    def run(self, *arguments: str) -> Run:
        """Runs to the end; exits with the program's own message when it fails."""
        command = [str(self.path), *arguments]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.perf_counter()
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            _, status, usage = os.wait4(child.pid, 0)
            wall = time.perf_counter() - start
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                err.seek(0)
                message = err.read().decode(errors="replace")
                sys.exit(f"error: `{' '.join(command)}` ended with {child.returncode}\n{message}")
            out.seek(0)
            output = out.read().decode(errors="replace")
        # macOS counts bytes, everyone else KiB.
        peak = usage.ru_maxrss if sys.platform == "darwin" else usage.ru_maxrss * 1024
        return Run(usage.ru_utime + usage.ru_stime, wall, peak, output)

    def ask(self, *arguments: str) -> dict:
        return json.loads(self.run(*arguments).output)

    def wall(self, runs: int, *arguments: str) -> float:
        return statistics.median(self.run(*arguments).wall for _ in range(runs))


def measure(program: Program, root: Path, figures: Figures, runs: int) -> Figures:
    project = ["--project", str(root)]
    parsing = []
    for _ in range(runs):
        parsing.append(program.ask("benchmark", "parse", *project)["seconds"])
        shutil.rmtree(root / ".memory", ignore_errors=True)
        program.run("init", *project)
        figures.cold.append(program.run("index", "--quiet", *project))
    figures.parsing = statistics.median(parsing)
    stats = program.ask("stats", "--json", *project)
    figures.files, figures.lines, figures.source_bytes = stats["totalFiles"], stats["totalLines"], stats["sourceBytes"]
    figures.index_bytes = disk_use(root / ".memory")
    figures.unchanged = program.wall(3 * runs, "index", "--quiet", *project)
    figures.changed = measure_change(program, root, 3 * runs)
    figures.search = statistics.median(program.wall(runs, "search", query, *project) for query in QUERIES)
    latency = program.ask("benchmark", "latency", *project)
    figures.p50_ms, figures.p95_ms = latency["p50_ms"], latency["p95_ms"]
    return figures


def measure_change(program: Program, root: Path, runs: int) -> float:
    file = middling_file(root)
    before = file.read_bytes()
    walls = []
    try:
        for number in range(runs):
            file.write_bytes(before + ADDED[file.suffix].format(n=number).encode())
            walls.append(program.run("index", "--quiet", "--project", str(root)).wall)
    finally:
        file.write_bytes(before)
    return statistics.median(walls)


def middling_file(root: Path) -> Path:
    """Source file of median size of the commonest language that ADDED knows."""
    by_suffix: dict[str, list[Path]] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in {".memory", "dist", "node_modules", "build"})
        for path in (Path(folder, name) for name in names):
            if path.suffix in ADDED:
                by_suffix.setdefault(path.suffix, []).append(path)
    commonest = max(by_suffix.values(), key=len)
    return sorted(commonest, key=lambda path: (path.stat().st_size, path))[len(commonest) // 2]


def disk_use(folder: Path) -> int:
    files = (path for path in folder.rglob("*") if path.is_file() and "logs" not in path.parts)
    return sum(path.stat().st_size for path in files)


def verdict(value: float, bar: Bar) -> str:
    if value > bar.must:
        return "MISSED"
    return "ok" if bar.aim is None or value <= bar.aim else "ok, over aim"


def bars_table(figures: Figures, bars: list[Bar]) -> tuple[str, bool]:
    """Markdown, and whether every must holds."""
    lines = [f"### {figures.name}: {figures.files:,} files, {figures.lines:,} lines", ""]
    lines += ["| what | measured | must | aim | |", "|---|---:|---:|---:|---|"]
    missed = False
    for bar in bars:
        value = bar.value(figures)
        missed |= value > bar.must
        aim = "–" if bar.aim is None else f"≤ {bar.aim:g}"
        lines.append(f"| {bar.what} | {show(value)} | ≤ {bar.must:g} | {aim} | {verdict(value, bar)} |")
    return "\n".join(lines) + "\n", not missed


def all_table(rows: list[Figures]) -> str:
    heads = ["corpus", "language", "files", "lines", "CPU s", "wall s", "× parsing", "peak MB", "disk ×"]
    heads += ["unchanged ms", "one file ms", "search ms", "p50 ms", "p95 ms"]
    lines = ["| " + " | ".join(heads) + " |", "|---|---|" + "---:|" * (len(heads) - 2)]
    for f in rows:
        numbers = [f.cpu, f.wall, f.times_parsing, f.peak_mb, f.disk, f.unchanged * 1e3, f.changed * 1e3]
        numbers += [f.search * 1e3, f.p50_ms, f.p95_ms]
        cells = [f.name, f.language, f"{f.files:,}", f"{f.lines:,}", *map(show, numbers)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def show(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/benchmark speed", description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--cache", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=int, default=3, help="runs of each measurement (3)")
    parser.add_argument("--only", action="append", metavar="NAME", help="only these corpora")
    parser.add_argument("--generated", action="store_true", help="also 50,000 generated files of 5 M lines")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    program = Program(options.program)
    wanted = corpora.load()
    first = wanted[0]
    if options.only:
        wanted = [corpus for corpus in wanted if corpus.name in options.only]
        if len(wanted) != len(set(options.only)):
            sys.exit(f"error: corpora.toml does not name all of {', '.join(options.only)}")
    rows, parts, holds = [], [], True
    for corpus in wanted:
        root = corpora.prepare(corpus, options.cache)
        print(f"measuring {corpus.name}", file=sys.stderr)
        rows.append(measure(program, root, Figures(corpus.name, corpus.language), options.runs))
    if rows and rows[0].name == first.name:
        parts.append(bars_table(rows[0], BARS))
        if options.generated:
            root = generate.generate(options.cache)
            print("measuring the generated repository", file=sys.stderr)
            rows.append(measure(program, root, Figures("generated", "six languages"), 1))
            parts.append(bars_table(rows[-1], large_bars(rows[0])))
    for text, good in parts:
        holds &= good
        print(text)
    print(all_table(rows))
    print("all bars hold" if holds else "a bar is missed")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
