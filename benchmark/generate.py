"""Writes a large repository of invented code, the same one every time, for measuring whether cost grows with size.

The code is plausible in what an index sees: identifiers of several words, calls between files, comments, imports, and
words that are as unevenly common as in real code. It does nothing. Read `generate` first.
"""

import itertools
import random
import shutil
import sys
from pathlib import Path

FILES = 50_000
LINES_PER_FILE = 100
SEED = 20_240_229
# Raised when the output changes, so that an old copy is not taken for the new one.
VERSION = 1

ONSETS = ["b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pl", "qu", "r", "s"]
ONSETS += ["sh", "sl", "sp", "st", "t", "th", "tr", "v", "w", "z"]
VOWELS = ["a", "ai", "e", "ea", "i", "o", "oo", "u"]
CODAS = ["", "b", "ck", "d", "g", "l", "m", "n", "nd", "p", "r", "rt", "s", "st", "t", "x"]
WORDS = 6_000

PYTHON = '''def {a}_{b}({c}, {d}=None):
    """{B} the {c} of a {e} before the {d} is {f}."""
    {e} = {x}({c})
    if {d} is None:
        {d} = {y}({e}, limit={n})
    for {f} in {e}.{b}_{c}():
        {d}.append({f} * {n})
    return {d}

'''
TYPESCRIPT = '''/** {B} every {c} that the {e} has {f}. */
export function {a}{B}({c}: {E}{F}, {d} = {n}): {E}{C} {{
  const {e} = {x}({c}.{f});
  if (!{e}) {{
    throw new Error("no {e} for {c}");
  }}
  {c}.{d}s.forEach(({f}) => {y}({e}, {f}));
  return {e} as {E}{C};
}}

'''
GO = '''// {A}{B} keeps the {c} of a {e} while it is {f}.
func ({a} *{E}{F}) {A}{B}({c} string, {d} int) (*{E}{C}, error) {{
	{e}, err := {x}({c}, {d}+{n})
	if err != nil {{
		return nil, fmt.Errorf("{b} {c}: %w", err)
	}}
	return {y}({e}), nil
}}

'''
JAVA = '''    /** {B} the {c} unless the {e} was {f}. */
    public {E}{C} {a}{B}(String {c}, int {d}) {{
        {E}{C} {e} = {x}({c}, {d} + {n});
        if ({e} == null) {{
            return this.{y}({c});
        }}
        {e}.{b}{F}({d});
        return {e};
    }}

'''
RUST = '''/// {B}s the {c} of one {e}, {f} first.
pub fn {a}_{b}({c}: &{E}{F}, {d}: usize) -> Option<{E}{C}> {{
    let {e} = {x}({c}, {d} + {n})?;
    match {e}.{f} {{
        0 => None,
        {b} => Some({y}({b})),
    }}
}}

'''
C = '''/* {B} the {c}; the {e} stays {f}. */
static int {a}_{b}(struct {e}_{f} *{c}, size_t {d})
{{
    struct {e}_{c} *{e} = {x}({c}, {d} + {n});
    if ({e} == NULL)
        return -1;
    return {y}({e});
}}

'''
# Ending, share of the files, head, function, tail, how a called name is joined.
LANGUAGES = [
    ("py", 36, 'import {a}\nfrom {b}.{c} import {x}, {y}\n\n', PYTHON, "", "_"),
    ("ts", 22, 'import {{ {x}, {y} }} from "../{b}/{c}";\n\n', TYPESCRIPT, "", ""),
    ("go", 13, 'package {b}\n\nimport "fmt"\n\ntype {E}{F} struct {{ {c} string }}\n\n', GO, "", ""),
    ("java", 13, "package {a}.{b};\n\npublic class {E}{F} {{\n", JAVA, "}}\n", ""),
    ("rs", 8, "use crate::{b}::{c}::{{{x}, {y}}};\n\n", RUST, "", "_"),
    ("c", 8, '#include "{b}/{c}.h"\n\n', C, "", "_"),
]


def generate(folder: Path, files: int = FILES) -> Path:
    """Root of the generated repository below `folder`; written only when it is not there yet."""
    root = folder / f"large-{VERSION}-{files}"
    if root.exists():
        return root
    print(f"generating {files} files", file=sys.stderr)
    half = root.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    (half / "package.json").write_text('{ "name": "large" }\n')
    for path, text in repository(files):
        target = half / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    half.rename(root)
    return root


def repository(files: int):
    """Pairs of relative path and text, the same in every run of every version of Python."""
    random_ = random.Random(SEED)
    words = vocabulary(random_)
    pick = Picker(random_, words)
    kinds = [row for row in LANGUAGES for _ in range(row[1])]
    for number in range(files):
        kind = kinds[int(random_.random() * len(kinds))]
        area = words[number // 500 % len(words)]
        part = words[(number // 25) * 7 % len(words)]
        name = f"{pick.word()}_{pick.word()}_{number % 25}"
        yield f"{area}/{part}/{name}.{kind[0]}", "".join(file_text(kind, pick, random_))


def vocabulary(random_: random.Random) -> list[str]:
    syllables = ["".join(parts) for parts in itertools.product(ONSETS, VOWELS, CODAS)]
    words: dict[str, None] = {}
    while len(words) < WORDS:
        word = "".join(syllables[int(random_.random() * len(syllables))] for _ in range(1 + len(words) % 3))
        if len(word) > 2:
            words[word] = None
    return list(words)


def file_text(kind, pick: "Picker", random_: random.Random):
    _, _, head, function, tail, joint = kind
    yield head.format(**pick.names(joint))
    # Most files are short and a few are long: the mean of the square of a uniform number is a third.
    spread = random_.random() ** 2 * 3
    lines_of_one = function.count("\n")
    for _ in range(max(1, round(spread * (LINES_PER_FILE - 3) / lines_of_one))):
        yield function.format(**pick.names(joint))
    yield tail.format()


class Picker:
    """Words, the first of the vocabulary far more often than the last."""

    def __init__(self, random_: random.Random, words: list[str]):
        self.random = random_
        self.words = words
        self.title = [word.capitalize() for word in words]

    def word(self) -> str:
        return self.words[self.rank()]

    def rank(self) -> int:
        return int(len(self.words) * self.random.random() ** 3)

    def names(self, joint: str) -> dict[str, str]:
        names = {}
        for low, high in zip("abcdef", "ABCDEF"):
            rank = self.rank()
            names[low], names[high] = self.words[rank], self.title[rank]
        names["x"], names["y"] = self.called(joint), self.called(joint)
        names["n"] = str(int(self.random.random() * 1000))
        return names

    def called(self, joint: str) -> str:
        second = self.rank()
        return self.word() + (joint + self.words[second] if joint else self.title[second])


if __name__ == "__main__":
    print(generate(Path(sys.argv[1])))
