"""Times the daemon and the hook as an assistant uses them, on the first of the pinned corpora, and compares with the bars.

Everything is measured from outside: HTTP over loopback, whole processes, CPU and memory from /proc. Read `measure` first.
"""

import argparse
import http.client
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import corpora

TOPICS = [
    "session cookie", "url resolver", "template filter", "database connection", "form validation", "queryset filter",
    "cache backend", "password hasher", "migration autodetector", "static files storage",
]
TEMPLATES = ["where is the {} implemented", "how does the {} work", "fix the bug in the {}", "add a test for the {}", "what calls the {}"]
PROMPTS = [template.format(topic) for topic in TOPICS for template in TEMPLATES]
TICK = os.sysconf("SC_CLK_TCK")


class Daemon:
    def __init__(self, program: Path, root: Path) -> None:
        self.root = root
        started = time.perf_counter()
        self.process = subprocess.Popen([program, "--project", root, "serve"], stdout=subprocess.DEVNULL)
        self.record = wait_for(self.read_record)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.record["port"], timeout=60)
        self.get("/health")
        self.start_seconds = time.perf_counter() - started

    def read_record(self) -> dict | None:
        try:
            record = json.loads((self.root / ".memory/daemon.json").read_text())
        except (OSError, ValueError):
            return None
        return record if record["pid"] == self.process.pid else None

    def get(self, path: str) -> dict:
        return self.ask("GET", path, None)

    def prompt(self, text: str) -> str:
        body = json.dumps({"prompt": text, "hook_event_name": "UserPromptSubmit"})
        answer = self.ask("POST", "/hooks/prompt-context", body)
        return answer.get("hookSpecificOutput", {}).get("additionalContext", "")

    def ask(self, method: str, path: str, body: str | None) -> dict:
        self.connection.request(method, path, body, {"Authorization": f"Bearer {self.record['token']}"})
        response = self.connection.getresponse()
        text = response.read()
        if response.status != 200:
            sys.exit(f"error: {path} answered {response.status}: {text[:200]!r}")
        return json.loads(text)

    def settle(self) -> None:
        def quiet() -> bool:
            status = self.get("/status")
            return not status["indexing"] and not status["pending"] and status["freshness"] == "fresh"

        wait_for(quiet)

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def rss_mb(self) -> float:
        return self.get("/metrics")["rss"] / 1e6

    def kill(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.wait()


def wait_for(ask, seconds: float = 120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = ask()
        if found:
            return found
        time.sleep(0.003)
    sys.exit("error: waited too long")


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def times(count: int, work) -> list[float]:
    taken = []
    for n in range(count):
        started = time.perf_counter()
        work(n)
        taken.append((time.perf_counter() - started) * 1e3)
    return taken


def hook_times(program: Path, root: Path, count: int) -> list[float]:
    def run(n: int) -> None:
        event = json.dumps({"prompt": PROMPTS[n % len(PROMPTS)], "cwd": str(root), "session_id": "s"})
        command = [program, "--project", root, "hook", "prompt"]
        done = subprocess.run(command, input=event, text=True, capture_output=True, check=True)
        if not json.loads(done.stdout):
            sys.exit("error: a hook had nothing to say")

    return times(count, run)


def save_times(daemon: Daemon, count: int) -> list[float]:
    """From the end of a save until a prompt that names the new function gets its file."""

    def save(n: int) -> None:
        name = f"freshly_saved_{n}_{time.time_ns()}"
        (daemon.root / f"saved_{n}.py").write_text(f"def {name}():\n    return {n}\n")
        wait_for(lambda: f"def {name}" in daemon.prompt(f"where is {name} defined"))

    return times(count, save)


def kills(program: Path, root: Path, count: int) -> tuple[float, bool]:
    """Slowest start after a kill in the middle of prompts and saves, and whether the stores are sound at the end."""
    slowest = 0.0
    for n in range(count):
        daemon = Daemon(program, root)
        slowest = max(slowest, daemon.start_seconds)
        (root / "killed.py").write_text("\n".join(f"def killed_{n}_{k}(): return {k}" for k in range(200)))
        end = time.monotonic() + 0.05 + (n % 10) * 0.04
        while time.monotonic() < end:
            daemon.prompt(PROMPTS[n % len(PROMPTS)])
        daemon.kill()
    daemon = Daemon(program, root)
    daemon.settle()
    daemon.kill()
    doctor = subprocess.run([program, "--project", root, "doctor", "--json"], capture_output=True, text=True)
    return slowest, json.loads(doctor.stdout)["ok"]


def measure(program: Path, root: Path, options: argparse.Namespace) -> list[tuple[str, float, float, float]]:
    """Rows of what was measured, its bar and its aim."""
    daemon = Daemon(program, root)
    daemon.settle()
    for prompt in PROMPTS:
        daemon.prompt(prompt)
    before = daemon.cpu()
    taken = times(3 * len(PROMPTS), lambda n: daemon.prompt(PROMPTS[n % len(PROMPTS)]))
    cpu = (daemon.cpu() - before) / len(taken) * 1e3
    rows = [
        ("POST /hooks/prompt-context, 50 prompts x 3, p50, ms", statistics.median(taken), 5, 2),
        ("the same, p95, ms", percentile(taken, 0.95), 12, 5),
        ("the same, CPU a request, ms", cpu, 6, 2),
        ("`hook prompt`, whole process, daemon up, median, ms", statistics.median(hook_times(program, root, 30)), 25, 10),
    ]
    rows.append(("save -> searchable at debounce 200 ms, median, ms", statistics.median(save_times(daemon, 10)), 450, 300))
    for n in range(1000):
        daemon.prompt(PROMPTS[n % len(PROMPTS)])
    rows.append(("memory of the daemon after 1,000 prompts, MB", daemon.rss_mb(), 120, 70))
    if options.soak:
        warm = daemon.rss_mb()
        for n in range(options.soak):
            daemon.prompt(PROMPTS[n % len(PROMPTS)])
        rows.append((f"growth over {options.soak:,} further prompts, MB", daemon.rss_mb() - warm, 5, 1))
    daemon.kill()
    alone = hook_times(program, root, 30)
    rows.insert(4, ("`hook prompt`, whole process, no daemon, median, ms", statistics.median(alone), 120, 50))
    slowest, sound = kills(program, root, options.kills)
    rows.append((f"killed {options.kills} times under load: slowest next start, ms", slowest * 1e3, 1000, 300))
    rows.append(("damaged stores afterwards", 0 if sound else 1, 0, 0))
    return rows


def prepare(source: Path, root: Path, program: Path) -> None:
    shutil.copytree(source, root, symlinks=True, ignore=shutil.ignore_patterns(".memory"))
    (root / ".memory").mkdir(mode=0o700)
    settings = {"debounceMs": 200, "rateLimit": 1_000_000, "port": 0, "hookAutostart": False}
    (root / ".memory/config.json").write_text(json.dumps(settings))
    subprocess.run([program, "--project", root, "index", "--quiet"], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/benchmark daemon", description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--cache", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--kills", type=int, default=100, help="how often the daemon is killed (100)")
    parser.add_argument("--soak", type=int, default=0, help="further prompts, for the growth of memory (0)")
    options = parser.parse_args()
    corpus = corpora.load()[0]
    program = options.program.resolve()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / corpus.name
        prepare(corpora.prepare(corpus, options.cache), root, program)
        rows = measure(program, root, options)
    print(f"| {corpus.name} | measured | must | aim |\n|---|---:|---:|---:|")
    for what, value, must, aim in rows:
        print(f"| {what} | {value:.1f} | {must} | {aim} |{'' if value <= must else ' missed'}")
    holds = all(value <= must for _, value, must, _ in rows)
    print("\nall bars hold" if holds else "\na bar is missed")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
