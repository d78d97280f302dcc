"""Tests of the benchmark's own parts; `scripts/test` runs them."""

import hashlib
import io
import itertools
import tarfile
import tempfile
import unittest
from pathlib import Path

import corpora
import generate
import queries
import rank
import speed


def figures() -> speed.Figures:
    run = speed.Run(cpu=4.0, wall=3.0, peak=100_000_000, output="")
    return speed.Figures("one", "Python", files=10, lines=1000, source_bytes=200, index_bytes=100, cold=[run], parsing=2.0)


class Generated(unittest.TestCase):
    def test_is_the_same_every_time(self):
        first = hashlib.sha256(repr(list(itertools.islice(generate.repository(300), 300))).encode()).hexdigest()
        again = hashlib.sha256(repr(list(itertools.islice(generate.repository(300), 300))).encode()).hexdigest()
        self.assertEqual(first, again)

    def test_has_about_a_hundred_lines_a_file_and_no_path_twice(self):
        files = list(generate.repository(4000))
        lines = sum(text.count("\n") for _, text in files) / len(files)
        self.assertAlmostEqual(lines, generate.LINES_PER_FILE, delta=5)
        self.assertEqual(len({path for path, _ in files}), len(files))

    def test_is_written_once(self):
        with tempfile.TemporaryDirectory() as folder:
            root = generate.generate(Path(folder), files=3)
            self.assertEqual(len([path for path in root.rglob("*") if path.is_file()]), 4)
            (root / "package.json").unlink()
            self.assertEqual(generate.generate(Path(folder), files=3), root)
            self.assertFalse((root / "package.json").exists())


class Corpora(unittest.TestCase):
    def test_are_pinned_and_several(self):
        rows = corpora.load()
        self.assertGreaterEqual(len({row.language for row in rows}), 6)
        self.assertTrue(all(len(row.sha256) == 64 and row.registry in corpora.FETCH for row in rows))

    def test_an_archive_with_another_hash_is_refused_and_deleted(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder, "archives", "x.tgz")
            archive.parent.mkdir()
            archive.write_bytes(b"not it")
            row = corpora.Corpus("x", "C", "npm", "x", "1", "x.tgz", "0" * 64, "package")
            with self.assertRaises(SystemExit):
                corpora.prepare(row, Path(folder))
            self.assertFalse(archive.exists())

    def test_an_archive_in_the_cache_is_unpacked_without_fetching(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder, "archives", "x.tgz")
            archive.parent.mkdir()
            with tarfile.open(archive, "w:gz") as tar:
                entry = tarfile.TarInfo("package/a.c")
                entry.size = 3
                tar.addfile(entry, io.BytesIO(b"int"))
            row = corpora.Corpus("x", "C", "npm", "x", "1", "x.tgz", corpora.sha256(archive), "package")
            self.assertEqual((corpora.prepare(row, Path(folder)) / "a.c").read_bytes(), b"int")


class Queries(unittest.TestCase):
    def test_are_well_formed_and_of_pinned_packages(self):
        self.assertEqual(queries.faults(None), [])
        pinned = {f"{corpus.name}-{corpus.version}" for corpus in corpora.load("suite")}
        self.assertEqual({row["name"] for _, row in queries.rows()}, pinned)

    def test_are_many_and_of_every_kind_in_six_languages(self):
        judged = [row for _, row in queries.rows() if row["category"] != "routing"]
        self.assertGreaterEqual(len(judged), 120)
        self.assertGreaterEqual(len({row.language for row in corpora.load("suite")}), 6)
        for name in {row["name"] for row in judged}:
            kinds = {row["category"] for row in judged if row["name"] == name}
            self.assertEqual(kinds, queries.CATEGORIES - {"routing"}, name)

    def test_a_target_that_is_not_in_the_code_is_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.c").write_text("int one(void) {\n  return 1;\n}\n")
            good = {"path": "a.c", "symbol": "one", "start_line": 1, "end_line": 3, "grade": 3}
            self.assertEqual(queries.place(Path(folder), good), [])
            self.assertEqual(len(queries.place(Path(folder), good | {"symbol": "on"})), 1)
            self.assertEqual(len(queries.place(Path(folder), good | {"end_line": 4})), 1)
            self.assertEqual(len(queries.place(Path(folder), good | {"path": "b.c"})), 1)


class Results(unittest.TestCase):
    def test_a_changed_line_is_shown_with_both_values(self):
        with tempfile.TemporaryDirectory() as folder:
            before = Path(folder, "x.csv")
            before.write_text("id,first\na,1\nb,2\n")
            self.assertEqual(rank.changes({before: before.read_text()}), [])
            changed = rank.changes({before: "id,first\na,1\nb,3\n"})
            self.assertEqual(changed[-2:], ["-b,2", "+b,3"])


class Bars(unittest.TestCase):
    def test_a_missed_must_is_said_and_counts(self):
        bar = speed.Bar("cpu", lambda f: f.cpu, must=3, aim=1)
        text, holds = speed.bars_table(figures(), [bar])
        self.assertIn("MISSED", text)
        self.assertFalse(holds)

    def test_between_aim_and_must_holds(self):
        bar = speed.Bar("cpu", lambda f: f.cpu, must=5, aim=1)
        text, holds = speed.bars_table(figures(), [bar])
        self.assertIn("ok, over aim", text)
        self.assertTrue(holds)

    def test_multiples_are_of_the_right_things(self):
        self.assertEqual(figures().times_parsing, 1.5)
        self.assertEqual(figures().disk, 0.5)
        self.assertEqual(figures().microseconds_a_line, 4000)

    def test_the_changed_file_is_the_middle_one_of_the_commonest_language(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, size in [("a.py", 1), ("b.py", 5), ("c.py", 9), ("d.rs", 5)]:
                Path(folder, name).write_text("x" * size)
            self.assertEqual(speed.middling_file(Path(folder)).name, "b.py")


if __name__ == "__main__":
    unittest.main()
