"""The numbers of passes, and --progress where standard error is a file."""
import json
import random
import unittest

from harness import CliTest

QUICK = ("-o", "kept.jsonl", "--threads", "2")
SIMHASH = ("--recipe", "simhash-words-3")


def corpus(documents, seed=1):
    """Copies, near-duplicates and unrelated texts."""
    chance = random.Random(seed)
    records = []
    for i in range(documents):
        words = [f"w{chance.randrange(5000)}" for _ in range(40)]
        if i % 3 and records:
            words = chance.choice(records)["text"].split()
            if i % 3 == 2:
                words[chance.randrange(40)] = "changed"
        records.append({"id": i, "text": " ".join(words)})
    return records


class PassNumbers(CliTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus(600))
        self.write("copies.jsonl", corpus(10)[:1] * 50)
        self.write("old.jsonl", corpus(100, seed=2))

    def passes(self, *arguments):
        """(number, name) of each pass, whose numbers rise, and the number of passes, which is one for all reports."""
        errors = self.neardup(*arguments, "--log-format", "json").stderr
        progress = [event for event in map(json.loads, errors.splitlines()) if event["event"] == "progress"]
        counts = {event["passes"] for event in progress}
        self.assertEqual(len(counts), 1, progress)
        passes = list(dict.fromkeys((event["pass_number"], event["pass"]) for event in progress))
        numbers = [number for number, _ in passes]
        self.assertEqual(numbers, sorted(set(numbers)), "each pass has its number")
        self.assertGreater(numbers[0], 0)
        count = counts.pop()
        if count:
            self.assertEqual(numbers[-1], count, "the last pass has the number of passes")
        return passes, count

    def check(self, expected, count, *arguments):
        self.assertEqual(self.passes(*arguments), (expected, count), arguments)

    MINHASH = [(1, "sketch"), (2, "group"), (3, "features"), (4, "decide"), (5, "output")]
    FINGERPRINTS = [(1, "sketch"), (2, "group"), (3, "decide"), (4, "output")]

    def test_plain_runs(self):
        self.check(self.MINHASH, 5, "dedup", "in.jsonl", *QUICK)
        self.check(self.MINHASH, 5, "dedup", "in.jsonl", *QUICK, "--search", "exact")
        self.check(self.MINHASH, 5, "dedup", "in.jsonl", *QUICK, "--cluster", "components")
        self.check(self.MINHASH, 5, "dedup", "in.jsonl", *QUICK, "--against", "old.jsonl")
        self.check(self.MINHASH, 5, "dedup", "in.jsonl", *QUICK, "--also", "simhash-words-3")
        self.check(self.MINHASH[:4], 4, "dedup", "in.jsonl", "--dry-run")
        without_features = [(number, name) for number, name in self.MINHASH if name != "features"]
        self.check(without_features, 5, "dedup", "copies.jsonl", *QUICK)
        self.check(self.FINGERPRINTS, 4, "dedup", "in.jsonl", *QUICK, "--verify", "false")

    def test_fingerprints(self):
        self.check(self.FINGERPRINTS, 4, "dedup", "in.jsonl", *QUICK, *SIMHASH)
        self.check(self.MINHASH, 5, "dedup", "in.jsonl", *QUICK, *SIMHASH, "--verify", "jaccard")
        self.neardup("index", "build", "seen", "old.jsonl", *SIMHASH, "-q")
        self.check(self.FINGERPRINTS, 4, "dedup", "in.jsonl", *QUICK, *SIMHASH, "--against", "seen")

    def test_pairs(self):
        joined = [(number, "join" if name == "decide" else name) for number, name in self.MINHASH]
        self.check(joined, 5, "pairs", "in.jsonl", "-o", "p.tsv")

    def test_slices(self):
        passes, count = self.passes("dedup", "in.jsonl", *QUICK, "--batch", "1")
        self.assertEqual(count, 0, "how many slices there will be is unknown")
        self.assertEqual([number for number, _ in passes], list(range(1, len(passes) + 1)))

    def test_a_recipe_fitted_to_the_corpus(self):
        fitted = [(1, "count")] + [(number + 1, name) for number, name in self.FINGERPRINTS]
        self.check(fitted, 5, "dedup", "in.jsonl", *QUICK, "--recipe", "simhash-words")
        self.check(fitted, 5, "dedup", "in.jsonl", *QUICK, "--recipe", "simhash-words", "--work", "work")
        self.check([(2, "sketch"), (5, "output")], 5, "dedup", "--resume", "work")

    def test_resumed_runs(self):
        self.neardup("dedup", "in.jsonl", *QUICK, "--work", "work", "-q")
        self.check([self.MINHASH[0], self.MINHASH[-1]], 5, "dedup", "--resume", "work")
        self.check(self.MINHASH, 5, "dedup", "--resume", "work", "--add", "old.jsonl")


class Logs(CliTest):
    def test_progress_in_a_log(self):
        self.write("in.jsonl", corpus(60))
        shown = self.neardup("dedup", "in.jsonl", *QUICK, "--progress", "always").stderr
        self.assertRegex(shown, r"(?m)^dedup: sketch \(1/5\): 100 %, ([0-9.]+ [KM]iB/s, )?60 documents, [0-9.]+ KiB in total$")
        self.assertEqual(shown.count("sketch (1/5)"), 1, "a line every few seconds")
        self.assertNotIn("\033", shown)
        for quiet in ((), ("--progress", "auto"), ("--progress", "never"), ("--progress", "always", "-q")):
            self.assertNotIn("(1/5)", self.neardup("dedup", "in.jsonl", *QUICK, *quiet).stderr)
        self.assertIn("dedup: recipe ", self.neardup("dedup", "in.jsonl", *QUICK, "--progress", "never").stderr)

    def test_progress_as_json(self):
        self.write("in.jsonl", corpus(60))
        for choice, expected in (("auto", True), ("always", True), ("never", False)):
            lines = self.neardup("dedup", "in.jsonl", *QUICK, "--log-format", "json", "--progress", choice).stderr.splitlines()
            events = [json.loads(line)["event"] for line in lines]
            self.assertEqual("progress" in events, expected, choice)
            self.assertEqual((events[0], events[-1]), ("start", "summary"))

    def test_a_resumed_run_may_show_it_in_another_way(self):
        self.write("in.jsonl", corpus(60))
        self.neardup("dedup", "in.jsonl", *QUICK, "--work", "work", "--progress", "never")
        self.assertIn("sketch (1/5)", self.neardup("dedup", "--resume", "work", "--progress", "always").stderr)

    def test_wrong_values(self):
        shown = self.neardup("dedup", "in.jsonl", *QUICK, "--progress", "sometimes", code=2).stderr
        self.assertIn("--progress: expected one of auto, always, never, not 'sometimes'", shown)

    def test_the_start_is_one_line_in_a_log(self):
        self.write("in.jsonl", corpus(60))
        first = self.neardup("dedup", "in.jsonl", *QUICK).stderr.splitlines()[0]
        self.assertRegex(first, "^dedup: recipe words-5 .* 1 input \\(JSON Lines\\), [0-9.]+ KiB$")


if __name__ == "__main__":
    unittest.main()
