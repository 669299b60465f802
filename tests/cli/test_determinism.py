"""Law 1: the same bytes for any number of threads, instruction set, memory budget, compression of the input, and cut into batches."""
import bz2
import gzip
import hashlib
import json
import random
import shutil
import subprocess
import unittest

from corpora import make_texts
from harness import CliTest

OUTPUTS = {"-o": "kept.jsonl", "--removed": "removed.jsonl", "--verdicts": "verdicts.tsv", "--annotate": "annotated.jsonl",
           "--rejects": "rejects.jsonl"}


class Determinism(CliTest):
    def setUp(self):
        super().setUp()
        chance = random.Random(1)
        lines = []
        for seed in range(12):
            for index, text in enumerate(make_texts(seed, originals=60, length=150, chinese=seed % 3 == 0)):
                lines.append(json.dumps({"id": f"{seed}-{index}", "text": text, "score": chance.random()},
                                        ensure_ascii=chance.random() < 0.5))
            lines += ["{broken", "", '{"id": "no text"}', lines[-1]]
        # Several batches of texts without partners, so that families lie in different ones.
        while len(lines) < 24000:
            lines.append(json.dumps({"id": len(lines), "text": " ".join(f"w{chance.randrange(3000)}" for _ in range(60))}))
        chance.shuffle(lines)
        self.write("in.jsonl", "\n".join(lines) + "\n")

    def digests(self, name, *arguments, env=None):
        self.neardup("dedup", name, "--keep", "longest,max:score", "-t", "0.6", "-q", *(part for each in OUTPUTS.items() for part in each),
                     *arguments, env=env)
        # The verdicts contain the name of the input, which is not compared.
        outputs = [self.read(output).replace(name.encode(), b"INPUT") for output in OUTPUTS.values()]
        self.neardup("pairs", name, "-t", "0.6", "-q", "-o", "pairs.tsv", *arguments, env=env)
        outputs.append(self.read("pairs.tsv"))
        self.assertTrue(all(outputs))
        return [hashlib.sha256(output).hexdigest() for output in outputs]

    def test_same_bytes(self):
        content = self.read("in.jsonl")
        expected = self.digests("in.jsonl", "-j", 1)
        for threads in (2, 4, 7):
            self.assertEqual(self.digests("in.jsonl", "-j", threads), expected, f"{threads} threads")
        self.assertEqual(self.digests("in.jsonl", "--memory", "64M"), expected, "64 MB")
        doctor = self.neardup("doctor").stdout.decode()
        kernels = next(line for line in doctor.split("\n") if line.startswith("kernels")).split(" runs ")[1].split(", ")
        self.assertIn("baseline", kernels)
        for kernel in kernels:
            self.assertEqual(self.digests("in.jsonl", env={"NEARDUP_KERNELS": kernel}), expected, kernel)
        self.write("in.jsonl.gz", gzip.compress(content, 1))
        self.assertEqual(self.digests("in.jsonl.gz"), expected, "gzip")
        self.write("two.jsonl.gz", gzip.compress(content[:1_000_000], 1) + gzip.compress(content[1_000_000:], 1))
        self.assertEqual(self.digests("two.jsonl.gz"), expected, "two gzip members")
        self.write("in.jsonl.bz2", bz2.compress(content, 1))
        self.assertEqual(self.digests("in.jsonl.bz2"), expected, "bzip2")
        if shutil.which("zstd"):
            subprocess.run(["zstd", "-q", "in.jsonl"], cwd=self.dir, check=True)
            self.assertEqual(self.digests("in.jsonl.zst"), expected, "zstd")

    def test_exact_search_finds_what_lsh_finds_and_more(self):
        self.neardup("pairs", "in.jsonl", "-t", "0.6", "-q", "-o", "lsh.tsv")
        self.neardup("pairs", "in.jsonl", "-t", "0.6", "-q", "-o", "exact.tsv", "--search", "exact", "-j", 2)
        lsh = self.read("lsh.tsv").split(b"\n")
        exact = self.read("exact.tsv").split(b"\n")
        self.assertLessEqual(set(lsh), set(exact))
        self.assertGreater(len(lsh), 0.99 * len(exact))
        self.neardup("pairs", "in.jsonl", "-t", "0.6", "-q", "-o", "again.tsv", "--search", "exact", "-j", 1, "--memory", "64M")
        self.assertEqual(self.read("again.tsv").split(b"\n"), exact)


if __name__ == "__main__":
    unittest.main()
