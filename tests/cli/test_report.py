"""`neardup report` and `dedup --report`: their numbers add up with verdicts and summary, counted here a second time."""
import collections
import gzip
import json
import re
import unittest

from corpora import make_documents
from harness import CliTest

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)


class ReportTest(CliTest):
    def report(self, run="run", *arguments, **keywords):
        return json.loads(self.neardup("report", run, "--json", *arguments, **keywords).stdout)

    def data_of(self, page):
        """The data of a page."""
        found = DATA.search(self.read(page).decode("utf-8"))
        self.assertIsNotNone(found, page)
        return json.loads(found[1])

    def run_with_report(self, *arguments):
        """dedup with a record; the report, the verdicts and the summary."""
        summary = self.summary("dedup", *arguments, "--work", "run", "--verdicts", "verdicts.jsonl", "-q")
        report, verdicts = self.report(), self.records("verdicts.jsonl")
        self.check(report, verdicts, summary)
        return report, verdicts, summary

    def check(self, report, verdicts, summary):
        """Every number of the report that verdicts and summary have, too."""
        self.assertEqual(report["summary"], summary)
        removed = [v for v in verdicts if v["verdict"] == "remove"]
        sources = report["sources"]
        names = [source["name"] for source in sources]
        self.assertEqual(len(names), len(set(names)))
        for source in sources:
            own = [v for v in verdicts if v["source"] == source["name"]]
            self.assertEqual(source["documents"], len(own) if own else None, source)
            self.assertEqual(source["kept"], sum(v["verdict"] == "keep" for v in own))
            self.assertEqual(source["exact"], sum(v["reason"] == "exact_copy" for v in own))
            self.assertEqual(source["near"], sum(v["verdict"] == "remove" and v["reason"] != "exact_copy" for v in own))
            self.assertEqual(source["wins"], sum(v["keeper_source"] == source["name"] for v in removed))
        self.assertEqual(set(names), {v["source"] for v in verdicts} | {v["keeper_source"] for v in removed})
        losses = collections.Counter((v["source"], v["keeper_source"]) for v in removed)
        self.assertEqual({(names[loser], names[winner]): count for loser, winner, count in report["losses"]}, dict(losses))
        self.assertIsNone(report["sources_left_out"])

        clusters = collections.Counter((v["keeper_source"], v["keeper_row"]) for v in removed)
        sizes = collections.Counter(count + 1 for count in clusters.values())
        self.assertEqual(report["cluster_sizes"], [list(pair) for pair in sorted(sizes.items())])
        self.assertEqual([cluster["size"] for cluster in report["clusters"]], sorted((n + 1 for n in clusters.values()), reverse=True)[:10])
        for cluster in report["clusters"]:
            keeper = (cluster["keeper"]["source"], cluster["keeper"]["row"])
            self.assertEqual(clusters[keeper] + 1, cluster["size"])
            self.assertTrue(1 <= len(cluster["members"]) <= 5)
            for member in cluster["members"]:
                self.assertIn((member["source"], member["row"], *keeper),
                              {(v["source"], v["row"], v["keeper_source"], v["keeper_row"]) for v in removed})

        near = [v for v in removed if v["reason"] != "exact_copy"]
        bins = report["histogram"]["bins"]
        self.assertEqual(sum(count for _, count in bins), len(near))
        if report["histogram"]["unit"] == "similarity":
            for at, (begin, count) in enumerate(bins):
                end = bins[at + 1][0] if at + 1 < len(bins) else 1.1
                # The verdicts round to six decimals, the record cuts them off: none of these is that close to the end of a bin.
                self.assertEqual(count, sum(begin <= v["similarity"] < end for v in near), begin)
        else:
            bits = report["run"]["bits"]
            distances = collections.Counter(round(bits * (1 - v["similarity"])) for v in near)
            self.assertEqual({at: count for at, count in bins if count}, dict(distances))

        least, shown = [], set()
        for v in sorted(near, key=lambda v: int(v["similarity"] * 1e6 + 0.5)):
            pair = (v["keeper_source"], v["keeper_row"], v["similarity"])
            if pair not in shown:
                least.append(v["similarity"])
            shown.add(pair)
        found = [pair["similarity"] for pair in report["least_similar"]]
        self.assertEqual(len(found), min(20, len(least)))
        for similarity, expected in zip(found, least):
            self.assertAlmostEqual(similarity, expected, delta=2e-6)

    def assert_parts(self, parts, removed, keeper):
        """Without gaps the parts are both texts, up to white space, width and case of what is the same."""
        if any(sign == "~" for sign, _ in parts):
            return
        self.assertEqual("".join(text for sign, text in parts if sign in "=-"), removed)
        plain = lambda text: re.sub(r"\s", "", text).casefold()
        self.assertEqual(plain("".join(text for sign, text in parts if sign in "=+")), plain(keeper))


class Numbers(ReportTest):
    def setUp(self):
        super().setUp()
        documents = make_documents(7, originals=120)
        self.texts = {}
        for name, part in (("a.jsonl", documents[:150]), ("b.jsonl", documents[150:250]), ("c.jsonl", documents[250:])):
            self.write(name, part)
            self.texts |= {(name, row): document["text"] for row, document in enumerate(part, 1)}

    def test_similarity(self):
        report, _, summary = self.run_with_report("a.jsonl", "b.jsonl", "c.jsonl", "-o", "kept.jsonl", "-t", "0.6")
        self.assertGreater(summary["near_duplicates"], 20)
        self.assertEqual(report["run"]["threshold"], 0.6)
        self.assertEqual(report["run"]["recipe_id"], summary["recipe_id"])
        self.assertEqual(report["run"]["options"]["threshold"], "0.6")
        self.assertEqual(report["run"]["command"][:4], ["neardup", "dedup", "a.jsonl", "b.jsonl"])
        self.assertEqual(report["search"]["bands"], summary["bands"])
        self.assertEqual(report["search"]["missed"]["of"], summary["near_duplicates"])
        at_threshold = dict(map(tuple, report["search"]["curve"]))[0.6]
        self.assertAlmostEqual(1 - at_threshold, summary["predicted_miss"], places=5)
        for pair in report["least_similar"]:
            place = lambda document: (document["source"], document["row"])
            self.assert_parts(pair["parts"], self.texts[place(pair["removed"])], self.texts[place(pair["keeper"])])
        self.assertEqual([pair["removed"]["id"] for pair in report["least_similar"]][:1], [summary["least_similar"][0]["id"]])

    def test_other_measures(self):
        for number, options in enumerate((["--recipe", "simhash-words-3", "--max-distance", "8"], ["--measure", "containment"],
                                          ["--verify", "false"], ["--cluster", "components", "-t", "0.5"], ["--search", "exact"],
                                          ["--recipe", "simhash-words-3", "--verify", "cosine", "--max-distance", "12"],
                                          ["--recipe", "simhash-words"], ["--also", "simhash-words-3"])):
            with self.subTest(options):
                run = f"run{number}"
                summary = self.summary("dedup", "a.jsonl", "b.jsonl", "c.jsonl", "--work", run, "--verdicts", "v.jsonl", "-q", *options)
                report = self.report(run)
                self.check(report, self.records("v.jsonl"), summary)
                self.assertFalse(report["warnings"][len(summary["warnings"]):])

    def test_bound_of_the_run(self):
        distinct = [{"id": str(i), "text": f"text {i} has words of its own, such as {i * i} and {i ** 3}"} for i in range(5)]
        self.write("distinct.jsonl", distinct)
        for number, (options, bound) in enumerate((([], (0.6, False)), (["--max-removed", "42.5%"], (0.425, True)),
                                                   (["--max-removed", "92.5%"], (0.6, False)), (["--max-removed", "100%"], (0.6, False)))):
            self.neardup("dedup", "distinct.jsonl", "-o", f"{number}.jsonl", "--work", f"bound{number}", "-q", *options)
            report = self.report(f"bound{number}")
            self.assertEqual((report["max_removed"], report["max_removed_given"]), bound)

    def test_changes(self):
        words = [f"word{number} " for number in range(60)]
        texts = []
        for start in range(0, 12, 3):
            base = [f"{start}{word}" for word in words]
            texts.append("".join(base))
            texts.append(", ".join("".join(base).split()))
            texts.append("".join(base) + " ".join(f"more{start}x{i}" for i in range(14)))
        self.write("changed.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts)])
        report, _, _ = self.run_with_report("changed.jsonl", "-o", "kept.jsonl", "-t", "0.5", "--recipe", "words-5")
        changes = report["changes"]
        self.assertEqual(changes["removals"], sum(count for _, count in changes["kinds"]))
        self.assertEqual([kind for kind, _ in changes["kinds"]], ["facts", "numbers", "letters", "words", "punctuation", "passages"])
        found = dict(changes["kinds"])
        self.assertEqual((found["passages"], found["letters"], found["facts"]), (4, 0, 0))

    def test_reference_corpora_and_indexes(self):
        report, _, _ = self.run_with_report("b.jsonl", "c.jsonl", "--against", "a.jsonl", "-o", "kept.jsonl")
        self.assertIsNone(report["sources"][0]["documents"])
        self.assertGreater(report["sources"][0]["wins"], 0)
        self.neardup("index", "build", "seen", "a.jsonl", "--recipe", "simhash-words-3")
        summary = self.summary("dedup", "b.jsonl", "--against", "seen", "--recipe", "simhash-words-3", "--work", "indexed", "--verdicts",
                               "v.jsonl", "-q")
        report = self.report("indexed")
        self.check(report, self.records("v.jsonl"), summary)
        of_index = [pair for pair in report["least_similar"] if pair["keeper"]["source"] == "seen"]
        self.assertTrue(all(pair["parts"] is None for pair in of_index))  # an index has no texts

    def test_the_same_for_any_threads_and_memory(self):
        made = []
        for run, options in (("one", ["--threads", "1"]), ("two", ["--threads", "3", "--memory", "64M", "--batch", "50"])):
            self.neardup("dedup", "a.jsonl", "b.jsonl", "-o", f"{run}.jsonl", "--work", run, *options)
            report = self.report(run)
            for key in ("run", "summary", "resources"):
                del report[key]
            made.append(report)
        self.assertEqual(made[0], made[1])
        self.assertEqual(self.neardup("report", "one", "--json").stdout, self.neardup("report", "one", "--json").stdout)

    def test_extended_runs(self):
        self.neardup("dedup", "a.jsonl", "--work", "run", "--verdicts", "v.jsonl", "--summary", "s.json")
        self.assertEqual([source["name"] for source in self.report()["sources"]], ["a.jsonl"])
        self.neardup("dedup", "--resume", "run", "--add", "b.jsonl")
        self.check(self.report(), self.records("v.jsonl"), json.loads(self.read("s.json")))


class Pages(ReportTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", make_documents(3, originals=30) + [{"id": "</script><b>", "text": "</script><!-- " * 30}] * 2)

    def test_a_page_has_the_data(self):
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--work", "run")
        self.neardup("report", "run", "-o", "report.html")
        self.assertEqual(self.data_of("report.html"), self.report())
        self.assertTrue(self.read("report.html").lower().startswith(b"<!doctype html>"))
        self.neardup("report", "run", "--json", "-o", "report.json")
        self.assertEqual(json.loads(self.read("report.json")), self.report())
        self.assertEqual(self.neardup("report", "run", "-o", "-").stdout, self.read("report.html"))

    def test_dedup_makes_the_same_page(self):
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--work", "run", "--report", "with.html")
        with_record = self.data_of("with.html")
        self.assertEqual(with_record, self.report())
        said = self.neardup("dedup", "in.jsonl", "-o", "kept2.jsonl", "--report", "without.html").stderr
        self.assertIn("wrote kept2.jsonl, without.html", said)
        without = self.data_of("without.html")
        self.assertEqual(without["run"]["directory"], "")
        for key in ("run", "summary", "resources"):
            del with_record[key], without[key]
        self.assertEqual(without, with_record)
        self.assertFalse([name for name in self.names() if name.startswith(".")])

    def test_nothing_is_left_in_the_temporary_folder(self):
        self.path("tmp").mkdir()
        self.neardup("dedup", "in.jsonl", "--report", "report.html", env={"TMPDIR": str(self.path("tmp"))})
        self.assertEqual(list(self.path("tmp").iterdir()), [])
        self.assertEqual(self.names(), ["in.jsonl", "report.html"])

    def test_standard_input_and_compressed_files(self):
        lines = self.read("in.jsonl")
        self.neardup("dedup", "in.jsonl", "--report", "file.html")
        expected = self.data_of("file.html")
        self.neardup("dedup", "-", "--report", "piped.html", stdin=lines)
        self.write("in.jsonl.gz", gzip.compress(lines))
        self.neardup("dedup", "in.jsonl.gz", "--report", "zipped.html")
        for page in ("piped.html", "zipped.html"):
            made = self.data_of(page)
            self.assertEqual([pair["parts"] for pair in made["least_similar"]], [pair["parts"] for pair in expected["least_similar"]])
            self.assertEqual(made["passages"], expected["passages"])
            self.assertEqual(len(made["warnings"]), len(expected["warnings"]))

    def test_a_run_of_nothing(self):
        self.write("empty.jsonl", "")
        self.write("different.jsonl", [{"text": "a text of its own"}, {"text": "and quite another one of them"}])
        for name in ("empty.jsonl", "different.jsonl"):
            self.neardup("dedup", name, "--report", "report.html")
            report = self.data_of("report.html")
            self.assertEqual((report["least_similar"], report["clusters"], report["losses"]), ([], [], []))

    def test_a_dry_run_makes_no_page(self):
        self.neardup("dedup", "in.jsonl", "--dry-run", "--report", "report.html")
        self.assertEqual(self.names(), ["in.jsonl"])

    def test_any_working_folder(self):
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--work", "run")
        expected = self.report()
        self.path("elsewhere").mkdir()
        self.dir = self.dir / "elsewhere"
        self.neardup("report", "../run", "-o", "report.html")
        made = self.data_of("report.html")
        self.assertEqual(made["run"].pop("directory"), "../run")
        self.assertEqual(expected["run"].pop("directory"), "run")
        self.assertEqual(made, expected)


class Boilerplate(ReportTest):
    def test_what_it_is_responsible_for(self):
        menu = " ".join(f"menu{number}" for number in range(60))
        documents = []
        for number in range(40):
            own = " ".join(f"own{number}x{word}" for word in range(4))
            documents.append({"id": f"page{number}", "text": f"{own} {menu}"})
        for number in range(40):
            article = " ".join(f"article{number // 2}y{word}" for word in range(60))
            documents.append({"id": f"article{number}", "text": f"{article} end{number}"})
        self.write("in.jsonl", documents)
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--report", "report.html", "-t", "0.7")
        report = self.data_of("report.html")
        self.assertEqual(report["passage_sample"], {"documents": 80, "removals": 59})
        passage = report["passages"][0]
        self.assertEqual(passage, {"text": menu[:len(passage["text"]) - 1] + "…" if passage["text"].endswith("…") else menu,
                                   "documents": 40, "sampled": 80, "removals": 39, "without": 39})


class Problems(ReportTest):
    def setUp(self):
        super().setUp()
        self.write("a.jsonl", make_documents(3))
        self.write("b.jsonl", make_documents(4))

    def test_a_source_that_changed(self):
        summary = self.summary("dedup", "a.jsonl", "b.jsonl", "--work", "run", "--verdicts", "v.jsonl")
        self.path("b.jsonl").unlink()
        report = self.report()
        self.check(report, self.records("v.jsonl"), summary)
        self.assertEqual(len(report["warnings"]), len(summary["warnings"]) + 1)
        self.assertIn("texts of 'b.jsonl' cannot be shown: ", report["warnings"][-1])
        for pair in report["least_similar"]:
            sources = {pair["removed"]["source"], pair["keeper"]["source"]}
            self.assertEqual(pair["parts"] is None, "b.jsonl" in sources)

    def test_usage(self):
        self.neardup("dedup", "a.jsonl", "-o", "kept.jsonl", "--work", "run")
        for message, arguments in (("no output is named", ["run"]), ("there is no folder 'nowhere'", ["nowhere", "--json"]),
                                   ("a.jsonl", ["run", "-o", "a.jsonl"])):
            result = self.neardup("report", *arguments, code=None)
            self.assertIn(result.returncode, (1, 2))
            self.assertIn(message, result.stderr)
        self.neardup("dedup", "a.jsonl", "--report", "a.jsonl", code=2)
        self.neardup("dedup", "a.jsonl", "--report", "missing/folder/report.html", code=1)

    def test_passwords_are_hidden(self):
        address = "postgres://me:hunter22@host/db"
        self.path(address).mkdir(parents=True)  # a folder that looks like one
        self.neardup("dedup", "a.jsonl", "-o", "kept.jsonl", "--work", "run", f"--temp-dir={address}")
        self.neardup("dedup", "a.jsonl", "-o", "kept2.jsonl", "--temp-dir", address, "--report", "report.html")
        for report in (self.report(), self.data_of("report.html")):
            self.assertNotIn("hunter22", json.dumps(report))
            self.assertIn("host/db", json.dumps(report["run"]))


if __name__ == "__main__":
    unittest.main()
