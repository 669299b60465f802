"""neardup dedup --against INDEX against the scan rule in a few lines of Python, over the fingerprints that neardup sketch prints."""
import unittest

from test_index import RECIPE, IndexTest


class AgainstIndex(IndexTest):
    def scan(self, documents, indexes, distance):
        """documents: (id, code or None, text); indexes: lists of (name, code). What each verdict says of keeper and distance."""
        verdicts = {}
        kept = []
        exact = {}
        for name, code, text in documents:
            if text in exact:
                # A copy shares the fate of the first: its keeper, or the first itself.
                verdicts[name] = verdicts[exact[text]] or ("input", exact[text], "exact_copy", 0)
                continue
            exact[text] = name
            verdicts[name] = None
            if code is None:
                continue
            for place, entries in enumerate(indexes):
                near = [((code ^ other).bit_count(), at, found) for at, (found, other) in enumerate(entries)]
                near = [match for match in near if match[0] <= distance]
                if near:  # the first that was added
                    verdicts[name] = (place, near[0][2], "near_duplicate", near[0][0])
                    break
            if verdicts[name]:
                continue
            for other, other_code in kept:
                if (code ^ other_code).bit_count() <= distance:
                    verdicts[name] = ("input", other, "near_duplicate", (code ^ other_code).bit_count())
                    break
            else:
                kept.append((name, code))
        return verdicts

    def documents(self, name):
        codes = dict(self.fingerprints(name))
        normal = lambda text: "".join(text.lower().split())  # what lower_compact_v1 is for ASCII
        return [(record["id"], codes.get(record["id"]), normal(record["text"])) for record in self.records(name)]

    def check(self, documents, indexes, names, distance, *inputs, threads=2):
        against = [option for name in names for option in ("--against", name)]
        summary = self.summary("dedup", *inputs, "--recipe", RECIPE, "--max-distance", distance, *against, "-o", "kept.jsonl", "--verdicts",
                               "v.tsv", "--annotate", "all.jsonl", "-j", threads, "-q")
        expected = self.scan(documents, indexes, distance)
        found = self.table("v.tsv")
        self.assertEqual([row["id"] for row in found], [name for name, _, _ in documents])
        matches = 0
        for row in found:
            verdict = expected[row["id"]]
            self.assertEqual(row["verdict"], "remove" if verdict else "keep", row)
            if not verdict:
                continue
            where, keeper, reason, apart = verdict
            matches += where != "input"
            self.assertEqual((row["keeper_id"], row["reason"]), (keeper, reason), row)
            self.assertEqual(round(64 * (1 - float(row["similarity"]))), apart, row)
            self.assertEqual(row["keeper_source"], inputs[0] if where == "input" else names[where], row)
        self.assertEqual(summary["reference_matches"], matches)
        self.assertEqual(summary["reference_entries"], sum(len(entries) for entries in indexes))
        kept = {record["id"] for record in self.records("kept.jsonl")}
        self.assertEqual(kept, {name for name, verdict in expected.items() if verdict is None})
        return matches

    def test_as_the_scan_rule_says(self):
        for seed in range(4):
            self.corpus(f"old{seed}.jsonl", seed, "o", originals=50)
            self.corpus(f"more{seed}.jsonl", seed + 10, "m", originals=20)
            # The new corpus shares half of its texts with the old ones.
            lines = self.read(f"old{seed}.jsonl").splitlines()[::2] + self.read(f"more{seed}.jsonl").splitlines()[::3]
            self.corpus("fresh.jsonl", seed + 20, "n", originals=30)
            lines = [line.replace(b'{"id": "', b'{"id": "x') for line in lines] + self.read("fresh.jsonl").splitlines()
            self.write("new.jsonl", b"".join(line + b"\n" for line in lines))
            old, more = self.fingerprints(f"old{seed}.jsonl"), self.fingerprints(f"more{seed}.jsonl")
            documents = self.documents("new.jsonl")
            for name in ("old", "more"):
                self.neardup("index", "build", f"{name}{seed}", f"{name}{seed}.jsonl", "--recipe", RECIPE, "--max-distance", 6, "-q")
            for distance in (0, 3, 6):
                for threads in (1, 3):
                    matches = self.check(documents, [old], [f"old{seed}"], distance, "new.jsonl", threads=threads)
                self.assertGreater(matches, 10)
                self.check(documents, [old, more], [f"old{seed}", f"more{seed}"], distance, "new.jsonl")
                self.check(documents, [more, old], [f"more{seed}", f"old{seed}"], distance, "new.jsonl")

    def test_removed_entries_remove_nothing(self):
        self.corpus("old.jsonl", 1, originals=30)
        self.neardup("index", "build", "index", "old.jsonl", "--recipe", RECIPE, "-q")
        run = ("dedup", "old.jsonl", "--recipe", RECIPE, "--against", "index", "--verdicts", "v.tsv", "-q")
        self.assertEqual(self.summary(*run)["kept"], 1, "the empty text, which has no fingerprint")
        self.neardup("index", "delete", "index", *[record["id"] for record in self.records("old.jsonl")], "-q")
        again = self.summary(*run)
        alone = self.summary("dedup", "old.jsonl", "--recipe", RECIPE, "--verdicts", "alone.tsv", "-q")
        self.assertEqual(self.read("v.tsv"), self.read("alone.tsv"))
        for key in ("kept", "removed", "exact_copies"):
            self.assertEqual(again[key], alone[key])
        self.assertEqual(again["reference_matches"], 0)

    def test_the_index_is_not_written(self):
        self.corpus("old.jsonl", 1)
        self.neardup("index", "build", "index", "old.jsonl", "--recipe", RECIPE, "-q")
        before = {name: self.read(name) for name in self.names() if name.startswith("index/")}
        self.neardup("dedup", "old.jsonl", "--recipe", RECIPE, "--against", "index", "-o", "kept.jsonl", "--output-dir", "out", "-q")
        self.assertEqual({name: self.read(name) for name in self.names() if name.startswith("index/")}, before)

    def test_with_a_corpus(self):
        """Both kinds of --against; the numbers of an index without names."""
        self.corpus("old.jsonl", 1, originals=20)
        self.corpus("seen.jsonl", 2, "s", originals=20)
        self.neardup("sketch", "old.jsonl", "--recipe", RECIPE, "-o", "old.npy", "-q")
        self.neardup("index", "build", "index", "old.npy", "--from-fingerprints", "-q")
        lines = self.read("old.jsonl") + self.read("seen.jsonl")
        self.write("new.jsonl", lines.replace(b'{"id": "', b'{"id": "new-'))
        self.neardup("dedup", "new.jsonl", "--recipe", RECIPE, "--against", "seen.jsonl", "--against", "index", "--verdicts", "v.jsonl", "-q")
        for row in self.records("v.jsonl"):
            if row["verdict"] == "keep":
                self.assertEqual(row["reason"], "short")
                continue
            self.assertIn(row["keeper_source"], ("index", "seen.jsonl", "new.jsonl"))
            if row["keeper_source"] == "index":
                self.assertIsNone(row["keeper_id"])
                place = row["keeper_row"]
                self.assertLess(place, len(self.records("old.jsonl")))
        sources = {row["keeper_source"] for row in self.records("v.jsonl")}
        self.assertLessEqual({"index", "seen.jsonl"}, sources)


if __name__ == "__main__":
    unittest.main()
