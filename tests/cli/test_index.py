"""neardup index and neardup query INDEX against brute force over the fingerprints that neardup sketch prints."""
import json
import random
import unittest

from corpora import make_documents
from harness import CliTest

RECIPE = "simhash-chars-4"
WIDE = {
    "normalizer": "lower_compact_v1",
    "tokenizer": "chars_v1",
    "shingle": {"size": 3, "short_text": "whole"},
    "weighting": {"kind": "tf_v1"},
    "min_features": 1,
    "feature_hash": "xxh3_64_v1",
    "sketch": {"kind": "simhash_v1", "bits": 128},
}


class IndexTest(CliTest):
    def corpus(self, name, seed, prefix="", **keywords):
        documents = make_documents(seed, **keywords)
        self.write(name, [{"id": prefix + document["id"], "text": document["text"]} for document in documents])
        return name

    def fingerprints(self, *inputs, recipe=RECIPE):
        """(name, code) of all documents that have one, in input order."""
        self.neardup("sketch", *inputs, "--recipe", recipe, "-o", "sketches.jsonl", "-q")
        sketches = self.records("sketches.jsonl")
        return [(s["id"] or f"{s['source']}:{s['row']}", int(s["fingerprint"], 16)) for s in sketches if s["fingerprint"]]

    def expected(self, queries, entries, distance, limit=None):
        """The whole answer: by query, then distance, then the order in which they were added."""
        rows = []
        for query, code in queries:
            near = sorted(((code ^ other).bit_count(), place) for place, (_, other) in enumerate(entries))
            near = [(d, place) for d, place in near if d <= distance][:limit]
            rows += [(query, entries[place][0], d) for d, place in near]
        return rows

    def query(self, *arguments, **keywords):
        output = self.neardup("query", *arguments, "-q", **keywords).stdout.decode("utf-8").split("\n")
        self.assertEqual(output[0], "query\tid\tdistance")
        self.assertEqual(output[-1], "")
        return [(query, name, int(distance)) for query, name, distance in (line.split("\t") for line in output[1:-1])]

    def stat(self, index):
        return json.loads(self.neardup("index", "stat", index, "--json").stdout)


class BruteForce(IndexTest):
    def check(self, recipe, distances, radius, **keywords):
        self.corpus("a.jsonl", 1, originals=80, **keywords)
        self.corpus("b.jsonl", 2, "b", originals=40, **keywords)
        entries = self.fingerprints("a.jsonl", recipe=recipe)
        queries = self.fingerprints("b.jsonl", "a.jsonl", recipe=recipe)
        self.neardup("index", "build", "index", "a.jsonl", "--recipe", recipe, "--max-distance", radius, "-q")
        for distance in distances:
            expected = self.expected(queries, entries, distance)
            self.assertGreaterEqual(len(expected), len(entries))
            self.assertEqual(self.query("index", "b.jsonl", "a.jsonl", "--max-distance", distance), expected)
            # The same questions as fingerprints, which take another way through the program.
            self.assertEqual(self.query("index", "--from-fingerprints", "sketches.jsonl", "--max-distance", distance), expected)
        limited = self.expected(queries, entries, radius, limit=2)
        self.assertEqual(self.query("index", "b.jsonl", "a.jsonl", "--limit", 2), limited)
        self.assertEqual(self.query("index", "--from-fingerprints", "sketches.jsonl", "--limit", 2), limited)

    def test_64_bits(self):
        self.check(RECIPE, (0, 1, 3, 8), 8)

    def test_chinese(self):
        self.check("simhash-chars-3", (0, 3, 5), 5, chinese=True)

    def test_128_bits(self):
        self.write("wide.json", json.dumps(WIDE))
        self.check("wide.json", (0, 7, 20), 20)

    def test_counts(self):
        self.corpus("a.jsonl", 3, originals=50)
        entries = self.fingerprints("a.jsonl")
        self.neardup("index", "build", "index", "a.jsonl", "--recipe", RECIPE, "--max-distance", 6, "-q")
        expected = {}
        for query, _, _ in self.expected(entries, entries, 6):
            expected[query] = expected.get(query, 0) + 1
        lines = self.neardup("query", "index", "a.jsonl", "--count", "-q").stdout.decode().split("\n")[1:-1]
        counts = dict(line.split("\t") for line in lines)
        self.assertEqual({name: int(count) for name, count in counts.items() if count}, expected)
        self.assertEqual(len(counts), len(self.records("a.jsonl")), "a line for every document")
        self.assertEqual(sum(count == "" for count in counts.values()), len(counts) - len(expected), "empty: too short")
        by_codes = self.neardup("query", "index", "--from-fingerprints", "sketches.jsonl", "--count", "--jsonl", "-q").stdout
        records = [json.loads(line) for line in by_codes.splitlines()]
        self.assertEqual({r["query"]: r["count"] for r in records if r["count"] is not None}, expected)

    def test_one_query(self):
        self.corpus("a.jsonl", 4, originals=30)
        entries = self.fingerprints("a.jsonl")
        self.neardup("index", "build", "index", "a.jsonl", "--recipe", RECIPE, "--max-distance", 5, "-q")
        texts = {record["id"]: record["text"] for record in self.records("a.jsonl")}
        for name, code in entries[:20]:
            digits = f"{code:016x}"
            expected = self.expected([(digits, code)], entries, 5)
            self.assertEqual(self.query("index", "--fingerprint", digits), expected)
            self.assertEqual(self.query("index", "--fingerprint", str(code), "--fingerprint-format", "integer"),
                             [(str(code), found, distance) for _, found, distance in expected])
            self.assertEqual(self.query("index", f"--text={texts[name]}"), expected)
            self.write("text.txt", texts[name])
            self.assertEqual(self.query("index", "--file", "text.txt"), expected)
            self.assertEqual(self.query("index", "--file", "-", stdin=texts[name].encode()), expected)

    def test_what_is_written_does_not_depend_on_threads_and_memory(self):
        self.corpus("a.jsonl", 5, originals=150)
        for name, options in {"one": ("-j", 1, "--memory", "64M"), "two": ("-j", 2), "five": ("-j", 5, "--memory", "1G")}.items():
            self.neardup("index", "build", name, "a.jsonl", "--recipe", RECIPE, "--max-distance", 4, *options, "-q")
        for name in ("two", "five"):
            self.assertEqual(self.read(f"{name}/segment-000001.ndh"), self.read("one/segment-000001.ndh"))
        answers = [self.neardup("query", "one", "a.jsonl", "-j", threads, "-q").stdout for threads in (1, 2, 5)]
        self.assertEqual(answers[1:], answers[:1] * 2)


class Changes(IndexTest):
    def test_answers_do_not_depend_on_how_the_entries_came(self):
        parts = [self.corpus(f"{n}.jsonl", 10 + n, f"p{n}-", originals=30) for n in range(4)]
        entries = self.fingerprints(*parts)
        expected = self.expected(entries, entries, 6)
        build = ("--recipe", RECIPE, "--max-distance", 6, "-q")
        self.neardup("index", "build", "whole", *parts, *build)
        self.neardup("index", "build", "steps", parts[0], *build)
        for part in parts[1:]:
            self.neardup("index", "add", "steps", part, "-q")
        self.assertEqual([self.stat(index)["entries"] for index in ("whole", "steps")], [len(entries)] * 2)
        self.assertEqual([len(self.stat(index)["segments"]) for index in ("whole", "steps")], [1, 4])
        for index in ("whole", "steps"):
            self.assertEqual(self.query(index, *parts), expected)
        self.neardup("index", "merge", "steps", "--segments", 2, "-q")
        self.assertEqual(len(self.stat("steps")["segments"]), 2)
        self.assertEqual(self.query("steps", *parts), expected)
        self.neardup("index", "merge", "steps", "-q")
        self.assertEqual(len(self.stat("steps")["segments"]), 1)
        self.assertEqual(self.query("steps", *parts), expected)
        self.neardup("index", "verify", "steps")

    def test_random_changes_against_a_list(self):
        """What a list of names and codes says, after every step."""
        chance = random.Random(7)
        documents = [self.corpus(f"{n}.jsonl", 20 + n, f"p{n}-", originals=15) for n in range(5)]
        codes = {name: self.fingerprints(name) for name in documents}
        self.neardup("index", "build", "index", documents[0], "--recipe", RECIPE, "--max-distance", 5, "-q")
        held = list(codes[documents[0]])
        for step in range(12):
            kind = chance.choice(("add", "delete", "delete", "merge"))
            if kind == "add":
                name = chance.choice(documents)
                self.neardup("index", "add", "index", name, "-q")
                held += codes[name]
            elif kind == "delete":
                names = chance.sample(sorted({name for name, _ in held}), 6)
                self.write("ids.txt", "\n".join([*names, "nobody"]))
                result = self.neardup("index", "delete", "index", "--ids", "ids.txt")
                went = sum(name in names for name, _ in held)
                self.assertIn(f"deleted 6 of 7 ids (1 not found); {went} entries removed", result.stderr)
                held = [entry for entry in held if entry[0] not in names]
            else:
                self.neardup("index", "merge", "index", "-q")
                self.assertEqual(self.stat("index")["entries"], len(held))
            query = chance.choice(documents)
            self.assertEqual(self.query("index", query), self.expected(codes[query], held, 5), (step, kind))

    def test_delete_says_what_was_unknown(self):
        self.corpus("a.jsonl", 6)
        self.neardup("index", "build", "index", "a.jsonl", "--recipe", RECIPE, "-q")
        result = self.neardup("index", "delete", "index", "d0", "d0", "ghost")
        self.assertIn("deleted 1 of 2 ids (1 not found); 1 entry removed", result.stderr)
        self.assertIn("warning: id 'ghost' is not in 'index'", result.stderr)
        self.neardup("index", "delete", "index", "d0", "--strict", code=3)
        self.neardup("index", "delete", "index", code=2)


class Fingerprints(IndexTest):
    def test_every_form_that_sketch_writes(self):
        self.corpus("a.jsonl", 8, originals=40)
        entries = self.fingerprints("a.jsonl")
        expected = self.expected(entries, entries, 4)
        for name in ("f.jsonl", "f.tsv", "f.jsonl.gz", "f.npy", "f.bin", "f.bin.zst"):
            self.neardup("sketch", "a.jsonl", "--recipe", RECIPE, "-o", name, "-q")
            index = name.replace(".", "-")
            summary = self.path("s.json")
            self.neardup("index", "build", index, name, "--from-fingerprints", "--max-distance", 4, "--summary", summary, "-q")
            counts = json.loads(summary.read_text())
            self.assertEqual(counts["added"], len(entries))
            self.assertEqual(counts["read"], counts["added"] + counts["too_short"] + counts["rejected"])
            self.assertGreater(counts["too_short"], 0)
            rows = [index for index, record in enumerate(self.records("sketches.jsonl")) if record["fingerprint"]]
            numbers = dict(zip((str(row) for row in rows), (entry[0] for entry in entries)))
            answer = self.query(index, "--from-fingerprints", "sketches.jsonl")
            if ".npy" in name or ".bin" in name:
                self.assertFalse(self.stat(index)["names"])
                answer = [(query, numbers[found], distance) for query, found, distance in answer]
            self.assertEqual(answer, expected, name)
        self.assertEqual(self.stat("f-jsonl")["recipe_id"], self.records("sketches.jsonl")[0]["recipe_id"])
        self.assertIsNone(self.stat("f-tsv")["recipe_id"])

    def test_numbers_are_rows_and_can_be_removed(self):
        codes = [2**63 + n * 0x0101010101 for n in range(1, 30)]
        self.write("a.bin", b"".join(code.to_bytes(8, "little") for code in codes))
        self.neardup("index", "build", "index", "a.bin", "--from-fingerprints", "--max-distance", 2, "-q")
        self.assertEqual(self.query("index", "--fingerprint", f"{codes[7]:016x}", "--max-distance", 0), [(f"{codes[7]:016x}", "7", 0)])
        self.neardup("index", "add", "index", "a.bin", "--from-fingerprints", "-q")
        found = self.query("index", "--fingerprint", f"{codes[7]:016x}", "--max-distance", 0)
        self.assertEqual([name for _, name, _ in found], ["7", str(7 + len(codes))])
        self.neardup("index", "delete", "index", "7", "-q")
        found = self.query("index", "--fingerprint", f"{codes[7]:016x}", "--max-distance", 0)
        self.assertEqual([name for _, name, _ in found], [str(7 + len(codes))])
        self.write("a.jsonl", [{"id": "x", "text": "some text that is long enough"}])
        self.assertIn("has no names", self.neardup("index", "add", "index", "a.jsonl", "--recipe", RECIPE, code=2).stderr)

    def test_128_bits_of_numpy(self):
        self.write("wide.json", json.dumps(WIDE))
        self.corpus("a.jsonl", 9)
        entries = self.fingerprints("a.jsonl", recipe="wide.json")
        self.neardup("sketch", "a.jsonl", "--recipe", "wide.json", "-o", "f.npy", "-q")
        self.neardup("index", "build", "index", "f.npy", "--from-fingerprints", "--bits", 128, "--max-distance", 9, "-q")
        digits = f"{entries[3][1]:032x}"
        expected = self.expected([(digits, entries[3][1])], entries, 9)
        answer = self.query("index", "--fingerprint", digits)
        self.assertEqual([distance for _, _, distance in answer], [distance for _, _, distance in expected])

    def test_broken_lines_are_counted_and_kept(self):
        good = '{"id": "x", "fingerprint": "00000000000000ff"}\n'
        bad = ['{"id": "y", "fingerprint": "00ff"}\n', "{nonsense\n", '{"id": "z"}\n', '{"id": "w", "fingerprint": ["a"]}\n']
        self.write("f.jsonl", good + "".join(bad) + "\n" + '{"id": "short", "fingerprint": null}\n' + good)
        result = self.neardup("index", "build", "index", "f.jsonl", "--from-fingerprints", "--rejects", "bad.jsonl", "--strict", code=3)
        self.assertIn("read 7 = added 2 + too short 1 + rejected 4", result.stderr)
        self.assertIn("f.jsonl:2: rejected: fingerprint: expected 16 hexadecimal digits, not '00ff'", result.stderr)
        self.assertIn("\nrejected: 4 records: 1 broken JSON, 1 missing the fingerprint, 1 with the fingerprint of the wrong type, 1 invalid value\n", result.stderr)
        self.assertEqual(self.read("bad.jsonl").decode(), "".join(bad))
        result = self.neardup("query", "index", "f.jsonl", "--from-fingerprints", "--summary", "s.json")
        self.assertIn("\nrejected: 4 records: 1 broken JSON, 1 missing the fingerprint, 1 with the fingerprint of the wrong type, 1 invalid value\n", result.stderr)
        self.assertEqual(sum(json.loads(self.read("s.json"))["rejected_by_kind"].values()), 4)
        self.assertEqual(self.query("index", "--fingerprint", "00000000000000ff"), [("00000000000000ff", "x", 0)] * 2)


class Summaries(IndexTest):
    def test_counts_add_up(self):
        self.write("a.jsonl", [{"id": "a", "text": "long enough for a fingerprint"}, {"id": "b", "text": ""}, {"text": "one without an id"},
                               {"id": "c"}])
        result = self.neardup("index", "build", "index", "a.jsonl", "--recipe", RECIPE, "--summary", "s.json", "--rejects", "r.jsonl")
        self.assertIn("read 4 = added 2 + too short 1 + rejected 1", result.stderr)
        summary = json.loads(self.read("s.json"))
        self.assertEqual([summary[key] for key in ("read", "added", "too_short", "rejected", "entries", "segments")], [4, 2, 1, 1, 2, 1])
        self.assertEqual({kind: count for kind, count in summary["rejected_by_kind"].items() if count}, {"missing_field": 1})
        self.assertEqual(self.records("r.jsonl"), [{"id": "c"}])
        self.assertEqual(self.query("index", "--text", "one without an id")[0][1], "a.jsonl:3")
        result = self.neardup("query", "index", "a.jsonl", "--summary", "s.json")
        self.assertIn("4 queries = with neighbours 2 + without 0 + too short 1 + rejected 1; 2 neighbours", result.stderr)
        self.assertEqual(json.loads(self.read("s.json"))["with_neighbours"], 2)

    def test_stat_in_words(self):
        self.corpus("a.jsonl", 9)
        self.neardup("index", "build", "index", "a.jsonl", "--recipe", RECIPE, "-q")
        text = self.neardup("index", "stat", "index").stdout.decode()
        stat = self.stat("index")
        for line in (f"recipe        {stat['recipe_id']} ({RECIPE})", "fingerprints  64 bits, distance at most 3", "segment-000001.ndh"):
            self.assertIn(line, text)
        self.assertEqual(stat["bytes"], self.path("index/segment-000001.ndh").stat().st_size)
        self.assertEqual(stat["recipe"]["tokenizer"], "chars_v1")

    def test_json_lines(self):
        self.write("a.jsonl", [{"id": "ä \"x\"", "text": "long enough for a fingerprint"}])
        self.neardup("index", "build", "index", "a.jsonl", "--recipe", RECIPE, "-q")
        expected = [{"query": "ä \"x\"", "id": "ä \"x\"", "distance": 0}]
        output = self.neardup("query", "index", "a.jsonl", "--jsonl", "-q").stdout
        self.assertEqual([json.loads(line) for line in output.splitlines()], expected)
        self.neardup("query", "index", "a.jsonl", "-o", "near.jsonl", "-q")
        self.assertEqual(self.records("near.jsonl"), expected)


if __name__ == "__main__":
    unittest.main()
