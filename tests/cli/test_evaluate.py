"""neardup evaluate: scores against labels, pairs, a field and an exact sample, compared with the definitions in Python."""
import collections
import itertools
import json
import math
import os
import random
import subprocess
import unittest

import harness

WORDS = [f"w{i}" for i in range(400)]


def make_corpus(seed, clusters=40):
    """Records with a field `group`: templates with a few changed words each. Some templates resemble each other, so that labels and
    similarity disagree."""
    rng = random.Random(seed)
    records = []
    previous = None
    for group in range(clusters):
        words = [rng.choice(WORDS) for _ in range(120)]
        if previous and group % 7 == 0:
            words = previous[:100] + words[100:]
        previous = words
        for _ in range(rng.choice([1, 1, 2, 3, 5, 8])):
            text = list(words)
            for _ in range(rng.randrange(0, 12)):
                text[rng.randrange(len(text))] = rng.choice(WORDS)
            records.append({"text": " ".join(text), "group": f"g{group}"})
    rng.shuffle(records)
    for number, record in enumerate(records):
        record["id"] = f"d{number}"
    return records


def all_pairs(items):
    return {tuple(sorted(pair)) for pair in itertools.combinations(items, 2)}


def pairs_of(labels):
    groups = collections.defaultdict(list)
    for name, label in labels.items():
        groups[label].append(name)
    return set().union(*[all_pairs(group) for group in groups.values()]) if groups else set()


def entropy(counts):
    total = sum(counts)
    return -sum(c / total * math.log(c / total) for c in counts if c)


def scores_of(found, truth):
    """The definitions: found and truth are {name: label} over the same names."""
    names = sorted(truth)
    f, t = pairs_of(found), pairs_of(truth)
    n_pairs = math.comb(len(names), 2)
    expected = len(f) * len(t) / n_pairs
    most = (len(f) + len(t)) / 2
    precision = recall = 0
    for a in names:
        same_found = {b for b in names if found[b] == found[a]}
        same_true = {b for b in names if truth[b] == truth[a]}
        precision += len(same_found & same_true) / len(same_found) / len(names)
        recall += len(same_found & same_true) / len(same_true) / len(names)
    cells = collections.Counter((found[a], truth[a]) for a in names).values()
    of_found, of_truth = (entropy(collections.Counter(labels.values()).values()) for labels in (found, truth))
    both = entropy(cells)
    return {"pairs": (len(f & t), len(f), len(t)), "ari": (len(f & t) - expected) / (most - expected), "precision": precision,
            "recall": recall, "homogeneity": 1 - (both - of_found) / of_truth, "completeness": 1 - (both - of_truth) / of_found}


class Evaluate(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.corpus = make_corpus(1)
        self.write("corpus.jsonl", self.corpus)
        self.groups = {record["id"]: record["group"] for record in self.corpus}

    def evaluate(self, *arguments, **keywords):
        return json.loads(self.neardup("evaluate", *arguments, "--json", "-q", **keywords).stdout)["results"]

    def verdicts(self, *options):
        self.neardup("dedup", "corpus.jsonl", "--verdicts", "v.jsonl", "-q", *options)
        return self.records("v.jsonl")

    def check_scores(self, result, found, truth):
        expected = scores_of(found, truth)
        pairs = result["pairs"]
        self.assertEqual((pairs["right"], pairs["found"], pairs["true"]), expected["pairs"])
        self.assertAlmostEqual(pairs["precision"], expected["pairs"][0] / expected["pairs"][1], 5)
        self.assertAlmostEqual(result["adjusted_rand"], expected["ari"], 5)
        self.assertAlmostEqual(result["bcubed"]["precision"], expected["precision"], 5)
        self.assertAlmostEqual(result["bcubed"]["recall"], expected["recall"], 5)
        self.assertAlmostEqual(result["v_measure"]["homogeneity"], expected["homogeneity"], 5)
        self.assertAlmostEqual(result["v_measure"]["completeness"], expected["completeness"], 5)

    def check_kept(self, kept, verdicts, truth):
        left = collections.Counter(truth[v["id"]] for v in verdicts if v["verdict"] == "keep" and v["id"] in truth)
        clusters = set(truth.values())
        self.assertEqual(kept, {"true_clusters": len(clusters), "one": sum(left[c] == 1 for c in clusters),
                                "several": sum(left[c] > 1 for c in clusters), "none": sum(left[c] == 0 for c in clusters),
                                "duplicates_left": sum(max(0, left[c] - 1) for c in clusters)})

    def test_field_of_corpus_run_and_file_of_labels(self):
        verdicts = self.verdicts()
        found = {v["id"]: v["cluster_id"] for v in verdicts}
        result, = self.evaluate("corpus.jsonl", "--label-field", "group")
        self.check_scores(result, found, self.groups)
        self.check_kept(result["kept"], verdicts, self.groups)
        self.assertEqual(result["judged"], len(self.corpus))
        removed = [v for v in verdicts if v["verdict"] == "remove"]
        self.assertEqual(sum(band["found"] for band in result["bands"]), len(removed))
        self.assertEqual(sum(band["right"] for band in result["bands"]),
                         sum(self.groups[v["id"]] == self.groups[v["keeper_id"]] for v in removed))

        self.neardup("dedup", "corpus.jsonl", "-o", "kept.jsonl", "--work", "run", "-q")
        self.assertEqual(self.evaluate("run", "--label-field", "group"), [result])
        labels = "".join(f"{name}\t{label}\n" for name, label in self.groups.items())
        self.write("labels.tsv", "id\tlabel\n" + labels)
        self.assertEqual(self.evaluate("run", "--truth-clusters", "labels.tsv"), [result])
        self.write("plain.tsv", labels)
        self.write("labels.jsonl", [{"label": label, "id": name} for name, label in self.groups.items()])
        del result["missed_keepers"]  # a verdict file does not say how pairs were searched
        self.neardup("dedup", "corpus.jsonl", "--verdicts", "v.tsv", "-q")
        for decisions, file in itertools.product(("v.jsonl", "v.tsv"), ("labels.tsv", "plain.tsv", "labels.jsonl")):
            self.assertEqual(self.evaluate(decisions, "--truth-clusters", file), [result])

    def test_documents_without_a_label_are_not_judged(self):
        known = {name: label for name, label in self.groups.items() if int(name[1:]) % 3}
        self.write("labels.tsv", "".join(f"{name}\t{label}\n" for name, label in known.items()) + "unknown\tg1\n")
        verdicts = self.verdicts()
        made = self.neardup("evaluate", "v.jsonl", "--truth-clusters", "labels.tsv", "--json")
        self.assertIn("1 row of the truth names no document", made.stderr)
        result, = json.loads(made.stdout)["results"]
        self.assertEqual((result["judged"], result["unknown_rows"]), (len(known), 1))
        self.check_scores(result, {v["id"]: v["cluster_id"] for v in verdicts if v["id"] in known}, known)
        self.check_kept(result["kept"], verdicts, known)

    def exact_pairs(self, threshold):
        self.neardup("pairs", "corpus.jsonl", "--search", "exact", "-t", threshold, "-o", "pairs.tsv", "-q")
        return {tuple(sorted((row["id_a"], row["id_b"]))): float(row["similarity"]) for row in self.table("pairs.tsv")}

    def test_pairs(self):
        truth = self.exact_pairs("0.3")
        verdicts = self.verdicts("-t", "0.6")
        found = {v["id"]: v["cluster_id"] for v in verdicts}
        result, = self.evaluate("corpus.jsonl", "-t", "0.6", "--truth-pairs", "pairs.tsv", "--pairs")
        together = pairs_of(found)
        self.assertEqual([result["pairs"][name] for name in ("right", "found", "true")],
                         [len(together & truth.keys()), len(together), len(truth)])
        for band in result["bands"]:
            inside = {pair for pair, s in truth.items() if band["from"] <= s < band["to"] or s == band["from"] == band["to"]}
            self.assertEqual((band["true"], band["true_found"]), (len(inside), len(inside & together)))

        # Clusters of the truth are its connected components.
        label = {name: name for name in self.groups}
        for a, b in truth:
            old, new = label[a], label[b]
            label = {name: new if other == old else other for name, other in label.items()}
        expected = scores_of(found, label)
        self.assertAlmostEqual(result["adjusted_rand"], expected["ari"], 5)
        self.assertAlmostEqual(result["bcubed"]["recall"], expected["recall"], 5)
        self.check_kept(result["kept"], verdicts, label)

        listed = result["listed"]
        self.neardup("pairs", "corpus.jsonl", "-t", "0.6", "-o", "found.tsv", "-q")
        found_pairs = {tuple(sorted((row["id_a"], row["id_b"]))) for row in self.table("found.tsv")}
        self.assertEqual([listed["pairs"][name] for name in ("right", "found", "true")], [len(found_pairs), len(found_pairs), len(truth)])
        self.assertEqual(sum(band["true_found"] for band in listed["bands"]), len(found_pairs))

    def test_missed_pairs_follow_the_formula(self):
        options = ["-t", "0.5", "--bands", "6", "--rows-per-band", "6"]
        truth = self.exact_pairs("0.5")
        self.neardup("pairs", "corpus.jsonl", *options, "-o", "found.tsv", "-q")
        expected = 0
        for row in self.table("found.tsv"):
            miss = (1 - float(row["similarity"]) ** 6) ** 6
            expected += miss / (1 - miss)
        result, = self.evaluate("corpus.jsonl", *options, "--label-field", "group", "--pairs")
        missed = result["listed"]["missed"]
        self.assertAlmostEqual(missed["missed"], expected, 2)
        self.assertEqual(missed["found"], len(self.table("found.tsv")))
        self.assertLessEqual(missed["low"], len(truth) - missed["found"])
        self.assertGreaterEqual(missed["high"], len(truth) - missed["found"])
        self.assertAlmostEqual(missed["recall"], missed["found"] / (missed["found"] + missed["missed"]), 5)
        exact, = self.evaluate("corpus.jsonl", "-t", "0.5", "--search", "exact", "--label-field", "group", "--pairs")
        self.assertEqual((exact["listed"]["missed"]["missed"], exact["listed"]["missed"]["high"]), (0, 0))
        self.assertNotIn("missed_keepers", exact)

    def test_sample_of_all_documents_is_the_truth(self):
        options = ["-t", "0.5", "--bands", "4", "--rows-per-band", "8"]
        truth = self.exact_pairs("0.5")
        self.write("short.jsonl", [{"id": "x", "text": "a"}, {"id": "y", "text": "a"}, {"id": "z", "text": ""}])
        verdicts = self.verdicts(*options)
        kept = {v["id"] for v in verdicts if v["verdict"] == "keep"}
        together = pairs_of({v["id"]: v["cluster_id"] for v in verdicts})
        missed = {pair for pair in truth if kept.issuperset(pair)}
        self.assertTrue(missed)
        result, = self.evaluate("corpus.jsonl", *options, "--sample", 100000)
        self.assertEqual(result["sampled"], len(self.corpus))
        self.assertEqual([result["pairs"][name] for name in ("right", "found", "true")],
                         [2 * len(together & truth.keys()), 2 * len(together), 2 * len(truth)])
        self.assertEqual(result["missed_pairs"], {"value": len(missed), "low": len(missed), "high": len(missed)})
        self.assertEqual(result["kept_with_match"], len(set(itertools.chain(*missed))))
        for band in result["bands"]:
            inside = {pair for pair, s in truth.items() if band["from"] <= s < band["to"] or s == band["from"] == band["to"]}
            self.assertEqual((band["true"], band["true_found"]), (2 * len(inside), 2 * len(inside & together)))
        copies, = self.evaluate("short.jsonl", "--sample", 3)
        self.assertEqual([copies["pairs"][name] for name in ("right", "found", "true")], [2, 2, 2])

    def test_sample_does_not_depend_on_threads_and_is_within_its_interval(self):
        options = ["corpus.jsonl", "-t", "0.5", "--bands", "4", "--rows-per-band", "8", "--sample", "60"]
        whole, = self.evaluate(*options[:-1], 100000)
        covered = 0
        for seed in range(10):
            result, = self.evaluate(*options, "--seed", seed)
            self.assertEqual(self.evaluate(*options, "--seed", seed, "--threads", 1), [result])
            self.assertEqual(result["sampled"], 60)
            estimate = result["missed_pairs"]
            covered += estimate["low"] <= whole["missed_pairs"]["value"] <= estimate["high"]
        self.assertGreaterEqual(covered, 8)

    def test_sample_of_a_run_and_within_blocks(self):
        options = ["-t", "0.5", "--bands", "4", "--rows-per-band", "8", "--block-on", "group"]
        self.neardup("dedup", "corpus.jsonl", *options, "-o", "kept.jsonl", "--work", "run", "-q")
        of_run, = self.evaluate("run", "--sample", 50)
        of_corpus, = self.evaluate("corpus.jsonl", *options, "--sample", 50)
        self.assertEqual(of_run, of_corpus)
        whole, = self.evaluate("corpus.jsonl", *options, "--sample", 100000)
        self.exact_pairs("0.5")
        inside = [row for row in self.table("pairs.tsv") if self.groups[row["id_a"]] == self.groups[row["id_b"]]]
        self.assertEqual(whole["pairs"]["true"], 2 * len(inside))

    def elsewhere(self, *arguments, code=0):
        """neardup evaluate in another folder than that of the run."""
        made = subprocess.run([harness.BINARY, "evaluate", *arguments], cwd=self.path("elsewhere"), capture_output=True, env=os.environ)
        self.assertEqual(made.returncode, code, made.stderr)
        return made

    def test_a_run_from_another_folder(self):
        self.neardup("dedup", "corpus.jsonl", "-t", "0.5", "-o", "kept.jsonl", "--work", "run", "-q")
        self.write("elsewhere/labels.tsv", "".join(f"{name}\t{group}\n" for name, group in self.groups.items()))
        of_labels = self.evaluate("run", "--label-field", "group")
        of_sample = self.evaluate("run", "--sample", "50")
        for truth, expected in ((["--truth-clusters", "labels.tsv"], of_labels), (["--label-field", "group"], of_labels),
                                (["--sample", "50"], of_sample)):
            found = self.elsewhere("../run", *truth, "--json", "-o", "scores.tsv")
            self.assertEqual(json.loads(found.stdout)["results"], expected)
            self.assertTrue(self.path("elsewhere/scores.tsv").exists())
            self.path("elsewhere/scores.tsv").unlink()

    def test_a_run_whose_sources_changed(self):
        half = len(self.corpus) // 2
        self.write("in/a.jsonl", self.corpus[:half])
        self.write("in/b.jsonl", self.corpus[half:])
        self.write("elsewhere/x", "")
        self.neardup("dedup", "in", "-o", "kept.jsonl", "--work", "run", "-q")
        truths = (["--label-field", "group"], ["--sample", "5"])
        self.path("in/a.jsonl").rename(self.path("a.jsonl"))
        for truth in truths:
            said = self.elsewhere("../run", *truth, code=1).stderr.decode()
            self.assertIn(f"the run in '../run' read 'in/a.jsonl', which is missing now (in '{os.path.realpath(self.dir)}')", said)
        self.path("a.jsonl").rename(self.path("in/a.jsonl"))
        self.write("in/aa.jsonl", [{"id": "new", "text": "new"}])
        for truth in truths:
            said = self.neardup("evaluate", "run", *truth, code=1).stderr
            self.assertIn("the run in 'run' did not read 'in/aa.jsonl', which is among its inputs now", said)
        self.path("in/aa.jsonl").unlink()
        self.write("in/b.jsonl", self.corpus[half:] + [{"id": "new", "text": "new"}])
        for truth in truths:
            self.assertIn("'in/b.jsonl' changed since the run: it had", self.neardup("evaluate", "run", *truth, code=1).stderr)
        self.neardup("evaluate", "run", "--truth-clusters", self.write("l.tsv", "d0\tx\nd1\tx\n"), "-q")  # needs no documents

    def test_sample_of_a_run_with_a_least_length(self):
        options = ["-t", "0.5", "--min-length", "1000000"]
        self.neardup("dedup", "corpus.jsonl", *options, "-o", "kept.jsonl", "--work", "run", "-q")
        of_run, = self.evaluate("run", "--sample", 100000)
        self.assertEqual(of_run["kept_with_match"], 0)
        self.assertEqual(of_run["pairs"]["true"], of_run["pairs"]["found"])

    def test_components_have_no_estimate_of_missed_keepers(self):
        # Ends of a chain have nothing in common: their similarity says nothing of the search.
        words = [f"w{i}" for i in range(200)]
        self.write("chain.jsonl", [{"id": f"c{i}", "text": " ".join(words[5 * i:5 * i + 40]), "group": "g"} for i in range(20)])
        result, = self.evaluate("chain.jsonl", "--cluster", "components", "-t", "0.5", "--label-field", "group")
        self.assertGreater(result["removed"], 10)
        self.assertNotIn("missed_keepers", result)
        result, = self.evaluate("chain.jsonl", "-t", "0.5", "--label-field", "group")
        self.assertIn("missed_keepers", result)

    def test_sweep(self):
        sweep = "recipe=chars-5,words-5; threshold=0.5:0.8:0.15"
        made = self.neardup("evaluate", "corpus.jsonl", "--label-field", "group", "--sweep", sweep, "-o", "s.tsv", "-q")
        self.assertEqual(made.stdout.count(b"<- highest F1"), 1)
        results = self.evaluate("corpus.jsonl", "--label-field", "group", "--sweep", sweep)
        rows = self.table("s.tsv")
        self.assertEqual([(row["recipe"], row["threshold"]) for row in rows],
                         [(recipe, t) for recipe in ("chars-5", "words-5") for t in ("0.5", "0.65", "0.8")])
        for row, result in zip(rows, results, strict=True):
            alone, = self.evaluate("corpus.jsonl", "--label-field", "group", "--recipe", row["recipe"], "-t", row["threshold"])
            self.assertEqual(result | {"setting": {}}, alone)
            self.assertEqual(float(row["f1"]), alone["pairs"]["f1"])
            self.assertEqual(int(row["duplicates_left"]), alone["kept"]["duplicates_left"])

    def test_wrong_command_lines(self):
        self.verdicts()
        self.neardup("dedup", "corpus.jsonl", "-o", "kept.jsonl", "--work", "run", "-q")
        self.write("empty.tsv", "")
        self.write("other.tsv", "a\tb\nc\td\n")
        self.write("broken.tsv", "id_a\tid_b\tsimilarity\nd0\td1\t1.5\n")
        self.write("wide.tsv", "a\tb\tc\td\te\n")
        field = ["--label-field", "group"]
        for code, words, message in [
            (2, ["corpus.jsonl"], "no truth is given"),
            (2, ["corpus.jsonl", *field, "--sample", 3], "cannot be combined"),
            (2, ["corpus.jsonl", "--sample", 0], "--sample: expected 1 to 1000000, not '0'"),
            (2, ["corpus.jsonl", *field, "--seed", 3], "--seed requires --sample"),
            (2, ["corpus.jsonl", *field, "--sweep", "thresold=0.5"], "did you mean threshold?"),
            (2, ["corpus.jsonl", *field, "--sweep", "threads=1,2"], "'threads' is not an option that decides"),
            (2, ["corpus.jsonl", *field, "--sweep", "threshold"], "expected NAME=FROM:TO:STEP"),
            (2, ["corpus.jsonl", *field, "--sweep", "threshold=0.9:0.5:0.1"], "expected FROM:TO:STEP"),
            (2, ["corpus.jsonl", *field, "--sweep", "threshold=0.1:0.9:0.000001"], "more than 1000 values"),
            (2, ["corpus.jsonl", *field, "--sweep", "threshold=0.5,2"], "threshold"),
            (2, ["corpus.jsonl", *field, "--sweep", "threshold=0.5;threshold=0.6"], "is given twice"),
            (2, ["corpus.jsonl", *field, "--sweep", " ; "], "no option is given"),
            (2, ["corpus.jsonl", "--sample", 3, "--recipe", "simhash-words-3"], "Jaccard similarity of a MinHash recipe"),
            (2, ["corpus.jsonl", *field, "-o", "corpus.jsonl"], "corpus.jsonl"),
            (2, ["v.jsonl", *field], "which a verdict file does not have"),
            (2, ["v.jsonl", "--truth-pairs", "other.tsv", "-t", "0.5"], "--threshold has no effect here"),
            (2, ["run", *field, "--sweep", "threshold=0.5"], "--sweep needs the corpus"),
            (2, ["run", *field, "--pairs"], "--pairs needs the corpus"),
            (1, ["corpus.jsonl", "--label-field", "nothing"], "none of the 138 records has the field 'nothing'"),
            (1, ["v.jsonl", "--truth-pairs", "empty.tsv"], "there are no rows"),
            (1, ["v.jsonl", "--truth-pairs", "other.tsv"], "no row names documents of the corpus; the first names 'a'"),
            (1, ["v.jsonl", "--truth-clusters", "other.tsv"], "no row names documents of the corpus"),
            (1, ["v.jsonl", "--truth-pairs", "broken.tsv"], "broken.tsv:2: similarity: expected a number from 0 to 1, not '1.5'"),
            (1, ["v.jsonl", "--truth-pairs", "wide.tsv"], "wide.tsv:1: expected a table with the columns id_a, id_b, similarity"),
            (1, ["missing.jsonl", *field], "missing.jsonl"),
        ]:
            with self.subTest(words=words):
                made = self.neardup("evaluate", *words, "-q", code=code)
                self.assertIn(message, made.stderr)
                self.assertEqual(made.stdout, b"")


if __name__ == "__main__":
    unittest.main()
