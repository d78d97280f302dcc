"""Puts the pinned corpora of corpora.toml in place: fetched by their registry's ordinary client, checked, unpacked once.

Knows nothing of what is measured on them. Read `Corpus` and `prepare` first.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("corpora.toml")
# How the clients are told not to wait for a network that is not there.
ONE_ATTEMPT = {
    "PIP_RETRIES": "0",
    "PIP_TIMEOUT": "15",
    "npm_config_fetch_retries": "0",
    "npm_config_fetch_timeout": "15000",
    "CARGO_NET_RETRY": "0",
    "CARGO_HTTP_TIMEOUT": "15",
}


@dataclass(frozen=True)
class Corpus:
    name: str
    language: str
    registry: str
    package: str
    version: str
    file: str
    sha256: str
    root: str


def load(what: str = "corpus", path: Path = LIST) -> list[Corpus]:
    """The packages of one list: `corpus` or `suite`."""
    with path.open("rb") as file:
        return [Corpus(**row) for row in tomllib.load(file)[what]]


def ready(corpus: Corpus, cache: Path) -> bool:
    """Its archive is in the cache: `prepare` needs no network."""
    return (cache / "archives" / corpus.file).exists()


def try_fetch(corpus: Corpus, cache: Path) -> bool:
    """The same, after one attempt to fetch it."""
    os.environ.update(ONE_ATTEMPT)
    try:
        return fetch(corpus, cache).exists()
    except SystemExit as reason:
        print(reason, file=sys.stderr)
        return False


def fetch(corpus: Corpus, cache: Path) -> Path:
    """Its archive in the cache; exits with a message when its registry does not give it."""
    archive = cache / "archives" / corpus.file
    archive.parent.mkdir(parents=True, exist_ok=True)
    if not archive.exists():
        print(f"fetching {corpus.package} {corpus.version}", file=sys.stderr)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            FETCH[corpus.registry](corpus, Path(folder))
            os.replace(Path(folder) / corpus.file, archive)
    return archive


def prepare(corpus: Corpus, cache: Path) -> Path:
    """Folder of the corpus to be indexed; exits with a message when the archive is not what corpora.toml says."""
    archive = fetch(corpus, cache)
    found = sha256(archive)
    if found != corpus.sha256:
        archive.unlink()
        sys.exit(f"error: {corpus.file} has sha256 {found}, not {corpus.sha256}; it was deleted")
    return unpack(archive, cache / "corpora" / f"{corpus.name}-{corpus.version}") / corpus.root


def unpack(archive: Path, folder: Path) -> Path:
    """Unpacks next to `folder` and moves it there whole, so that an interrupted run leaves nothing half."""
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as half, tarfile.open(archive) as tar:
            # Some Python 3.11 have no filters yet; the archive is pinned by its hash all the same.
            tar.extractall(half, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
            os.replace(half, folder)
            os.mkdir(half)
    return folder


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch_pypi(corpus: Corpus, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    run([*command, "--dest", str(folder), f"{corpus.package}=={corpus.version}"])


def fetch_npm(corpus: Corpus, folder: Path) -> None:
    run(["npm", "pack", "--silent", f"{corpus.package}@{corpus.version}"], cwd=folder)


def fetch_cargo(corpus: Corpus, folder: Path) -> None:
    """A package that depends on the crate makes `cargo fetch` download it; the archive is in cargo's own cache then."""
    version, _, _ = corpus.version.partition("+")
    dependency = f'"{corpus.package}" = {{ version = "={version}", default-features = false }}'
    package = folder / "wanted"
    (package / "src").mkdir(parents=True)
    (package / "src" / "lib.rs").touch()
    manifest = f'[package]\nname = "wanted"\nedition = "2021"\n[workspace]\n[dependencies]\n{dependency}\n'
    (package / "Cargo.toml").write_text(manifest)
    run(["cargo", "fetch", "--quiet"], cwd=package)
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    found = sorted(home.glob(f"registry/cache/*/{corpus.file}"))
    if not found:
        sys.exit(f"error: cargo fetched {corpus.package}, but {corpus.file} is not in its cache")
    shutil.copyfile(found[0], folder / corpus.file)


def run(command: list[str], cwd: Path | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, stdout=sys.stderr, check=False)
    if done.returncode != 0:
        sys.exit(f"error: `{' '.join(command)}` ended with exit code {done.returncode}")


FETCH = {"pypi": fetch_pypi, "npm": fetch_npm, "cargo": fetch_cargo}
