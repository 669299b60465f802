"""A corpus that is decided in slices gives what one run gives: over files, next to references, stopped, resumed and extended."""
import hashlib
import json
import subprocess
import unittest

from resume_case import FAULTS, OUTPUTS, RUN, ResumeTest


class Whole(ResumeTest):
    """Each file is a batch of its own."""

    def check(self, inputs, *options, batch=200, least=3):
        expected = self.expected(inputs, *options, "--summary", "whole.json")
        self.neardup("dedup", *inputs, *RUN, *options, "--batch", batch, "--summary", "sliced.json")
        self.assertEqual(self.digests(), expected, options)
        summary = json.loads(self.read("sliced.json"))
        self.assertGreaterEqual(summary["slices"], least)
        whole = json.loads(self.read("whole.json"))
        for name in set(whole) - {"slices", "passes", "kernels", "peak_memory_bytes", "spilled_bytes", "candidate_documents", "verifications",
                                  "largest_group", "capped_documents", "warnings"}:
            self.assertEqual(summary[name], whole[name], name)
        return summary

    def test_recipes(self):
        files = self.inputs(9, 150)
        for options in ([], ["--recipe", "chars-5"], ["--recipe", "simhash-chars-4", "--max-distance", "8"], ["--also", "simhash-chars-4"],
                        ["--recipe", "simhash-words", "--verify", "jaccard"], ["--verify", "false"], ["--memory", "64M", "--threads", "1"]):
            with self.subTest(options=options):
                summary = self.check(files, *options)
                self.assertEqual(summary["slices"], 5, "two files a slice")
                self.assertGreater(summary["near_duplicates"], 0)

    def test_with_a_corpus_and_an_index(self):
        files = self.inputs(9, 150)
        summary = self.check(files[2:], "--against", files[0], "--against", files[1])
        self.assertEqual(summary["reference_documents"], 300)
        fingerprints = ["--recipe", "simhash-chars-4", "--max-distance", "6"]
        self.neardup("index", "build", "seen", *files[:2], *fingerprints, "-q")
        summary = self.check(files[2:], *fingerprints, "--against", "seen")
        self.assertGreater(summary["reference_matches"], 30)
        self.check(files[3:], *fingerprints, "--against", "seen", "--against", files[2])

    def test_outputs_per_input_and_annotations(self):
        files = self.inputs(6, 120)
        for name, options in (("whole", []), ("sliced", ["--batch", "100"])):
            self.neardup("dedup", *files, "--output-dir", name, "--annotate", f"{name}.jsonl", "-q", *options)
        self.assertEqual(self.read("whole.jsonl"), self.read("sliced.jsonl"))
        for file in files:
            self.assertEqual(self.read(f"whole/{file}"), self.read(f"sliced/{file}"))

    def test_compressed_input(self):
        files = self.inputs(5, 200)
        for file in files:
            subprocess.run(["gzip", "-k", file], cwd=self.dir, check=True)
        self.check([f"{file}.gz" for file in files])

    def test_says_what_it_did(self):
        files = self.inputs(4, 100)
        text = self.neardup("dedup", *files, "-o", "kept.jsonl", "--batch", 150, "-v").stderr
        self.assertIn("decided in 2 slices", text)
        self.assertEqual(text.count("pass sketch "), 1)

    def test_refusals(self):
        files = self.inputs(1, 10)
        for options, said in ((["--keep", "longest"], "keep 'longest'"), (["--cluster", "components"], "cluster 'components'"),
                              (["--search", "exact"], "search 'exact'")):
            error = self.neardup("dedup", *files, *RUN, *options, "--batch", 5, code=2).stderr
            self.assertIn(f"batch: {said} decides about all documents at once, not 5 at a time", error)
            error = self.neardup("dedup", *files, *RUN, *options, "--batch", 5, "--work", "work", "--prepare", code=2).stderr
            self.assertIn(f"batch: {said} decides about all documents at once, not 5 at a time", error)
        self.assertIn("batch: expected", self.neardup("dedup", *files, *RUN, "--batch", "-1", code=2).stderr)


class Resumed(ResumeTest):
    def size(self, folder):
        return {path.name: path.stat().st_size for path in self.path(folder).glob("*.part")}

    def test_killed(self):
        self.kill_loop(self.inputs(24, 1200), 30, "--batch", "5000")

    def test_killed_with_fingerprints(self):
        self.kill_loop(self.inputs(24, 800), 15, "--batch", "5000", "--recipe", "simhash-chars-4")

    @unittest.skipUnless(FAULTS, "NEARDUP_IO_FAULTS does not name the library that makes calls fail")
    def test_ended_at_every_call(self):
        failures, calls = self.every_call("KILL", "--batch", "100")
        self.assertEqual(failures, calls)

    @unittest.skipUnless(FAULTS, "NEARDUP_IO_FAULTS does not name the library that makes calls fail")
    def test_full_disk(self):
        failures, calls = self.every_call("ENOSPC", "--batch", "100")
        self.assertGreater(failures, calls // 3)

    def test_the_directory_has_kept_documents(self):
        """The sketches of removed documents leave the folder, too."""
        line = '{{"id": {}, "text": "one of the same few sentences, the {}th, which come again and again and again, sooner or later"}}\n'
        files = [self.write(f"{i:02}.jsonl", "".join(line.format(i * 500 + j, j % 7) for j in range(500))) for i in range(16)]
        self.neardup("dedup", *files, "-o", "whole.jsonl", "--recipe", "chars-5", "--work", "whole", "-q")
        self.neardup("dedup", *files, "-o", "kept.jsonl", "--recipe", "chars-5", "--work", "work", "--batch", "2000", "-q")
        self.assertEqual(self.read("kept.jsonl"), self.read("whole.jsonl"))
        whole, sliced = self.size("whole"), self.size("work")
        self.assertEqual(sorted(name for name in sliced if name.startswith("decided")),
                         [f"decided-{batch:010}.part" for batch in (0, 4, 8, 12)])
        for name in ("sketch-0000000000.part", "sketch-0000000004.part", "sketch-0000000008.part"):
            self.assertLess(sliced[name], whole[name] / 2)
        self.assertEqual(sliced["sketch-0000000012.part"], whole["sketch-0000000012.part"], "the last slice may be extended")

    def test_what_is_lost_is_made_again(self):
        inputs = self.inputs(10, 200)
        expected = self.expected(inputs)
        self.neardup("dedup", *inputs, *RUN, "--work", "work", "--batch", "500")
        for name in sorted(self.size("work")):
            path = self.path("work") / name
            for damage in (None, b"", path.read_bytes()[:-7]):
                path.unlink() if damage is None else path.write_bytes(damage)
                self.forget_outputs()
                self.resume("-q")
                self.assertEqual(self.digests(), expected, f"{name} {damage}")

    def test_extended(self):
        files = self.inputs(14, 150)
        expected = self.expected(files)
        self.neardup("dedup", *files[:7], *RUN, "--work", "work", "--batch", "400")
        before = {path.name: path.read_bytes() for path in self.path("work").glob("decided-*.part")}
        self.assertEqual(len(before), 3)
        del before[max(before)]
        for more in (files[7:8], files[8:13], files[13:]):
            self.resume("--add", *more, "-q")
            for name, content in before.items():
                self.assertEqual(self.read(f"work/{name}"), content, "what was decided stays decided")
        self.assertEqual(self.digests(), expected)
        self.forget_outputs()
        self.resume("-q")
        self.assertEqual(self.digests(), expected)

    def test_extended_before_it_was_over(self):
        files = self.inputs(12, 150)
        expected = self.expected(files)
        self.neardup("dedup", *files[:8], *RUN, "--work", "work", "--batch", "300")
        names = sorted(path for path in self.path("work").glob("decided-*.part"))
        names[-1].unlink()  # as if it had ended in the last slice
        self.resume("--add", *files[8:], "-q")
        self.assertEqual(self.digests(), expected)

    def test_tasks(self):
        files = self.inputs(10, 150)
        expected = self.expected(files)
        self.neardup("dedup", *files, *RUN, "--work", "work", "--batch", "400", "--prepare")
        self.neardup("task", "work", "2", "0", "-q")
        self.resume("-q")
        self.assertEqual(self.digests(), expected)

    def test_another_size_is_refused(self):
        files = self.inputs(4, 100)
        self.neardup("dedup", *files, *RUN, "--work", "work", "--batch", "150")
        self.assertIn("--batch: the run in 'work' began with '150'", self.resume("--batch", "100", code=2).stderr)
        digest = hashlib.sha256(self.read(OUTPUTS[0])).hexdigest()
        self.resume("--batch", "150", "-q")
        self.assertEqual(hashlib.sha256(self.read(OUTPUTS[0])).hexdigest(), digest)


if __name__ == "__main__":
    unittest.main()
