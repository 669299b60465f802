"""neardup explain: verdicts of finished runs and of verdict files, with both texts read again; neardup compare of documents by id."""
import gzip
import json
import os
import random
import shutil
import sqlite3
import subprocess
import unittest

from harness import BINARY, CliTest
from mongo_case import MongoCase
from table_case import ARROW, TableTest

WORDS = [f"word{i}" for i in range(400)]


def texts(seed, count):
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=60)) for _ in range(count)]


def edited(text):
    """The last word is another one: about 0.93 by words-5."""
    return text.rsplit(" ", 1)[0] + " changed"


def corpus():
    """a and b are alike, c is alone, d is a copy of a, s is short; two documents have one id; one id has a tab and a quote."""
    first, second, third = texts(1, 3)
    return [{"id": "a", "text": first}, {"id": "b", "text": edited(first)}, {"id": "c", "text": second}, {"id": "d", "text": first},
            {"id": "s", "text": "too short"}, {"id": "twice", "text": third}, {"id": "twice", "text": edited(third)},
            {"id": 'tab\t"quote"', "text": edited(edited(second)[:-8] + " again")}]


class ExplainCase(CliTest):
    def explain(self, *arguments, **keywords):
        return json.loads(self.neardup("explain", *arguments, "--json", **keywords).stdout)

    def page(self, *arguments, **keywords):
        return self.neardup("explain", *arguments, **keywords).stdout.decode("utf-8")

    def refusal(self, *arguments, code=2):
        result = self.neardup("explain", *arguments, code=code)
        return result.stderr

    def run_on(self, *inputs, options=(), work="work"):
        self.neardup("dedup", *inputs, "-o", f"{work}.kept.jsonl", "--verdicts", f"{work}.jsonl", "--work", work, "-q", *options)

    def check_all(self, verdicts, *sources):
        """Every line of the verdicts is explained alike by all sources: (arguments before the name, after it)."""
        for line in self.records(verdicts):
            for before, after in sources:
                with self.subTest(row=line["row"], source=before):
                    found = self.explain(*before, f"{line['source']}:{line['row']}", *after)
                    document = {key: line[key] for key in ("id", "source", "row")}
                    self.assertEqual({key: found["document"][key] for key in document}, document)
                    self.assertEqual((found["verdict"], found["reason"]), (line["verdict"], line["reason"]))
                    self.assertEqual(found["cluster"]["id"], line["cluster_id"])
                    self.assertEqual(found["cluster"]["size"], line["cluster_size"])
                    if line["verdict"] == "keep":
                        self.assertIsNone(found["keeper"])
                        self.assertIsNone(found["comparison"])
                        continue
                    self.assertEqual(found["keeper"]["id"], line["keeper_id"])
                    self.assertEqual((found["keeper"]["source"], found["keeper"]["row"]), (line["keeper_source"], line["keeper_row"]))
                    self.assertEqual(found["similarity"], line["similarity"])
                    self.assertIsNone(found["problem"])
                    if line["reason"] == "near_duplicate":
                        self.assertAlmostEqual(found["comparison"]["jaccard"], line["similarity"], places=6)


class Explain(ExplainCase):
    def test_the_page(self):
        self.write("in.jsonl", corpus())
        self.run_on("in.jsonl")
        page = self.page("work", "b")
        for part in ("document   b   in.jsonl:2, byte ", "verdict    removed, near_duplicate", "keeper     a   in.jsonl:1, byte 0",
                     "rule       Jaccard similarity of the features at least 0.8", "similarity 0.9", "cluster    3 documents",
                     "met in     ", "bands of 6 lanes", "Jaccard  ", "{+", "changes at bytes (characters)"):
            self.assertIn(part, page)
        self.assertNotIn("\x1b", page)
        kept = self.page("work", "a")
        self.assertIn("kept, keeper", kept)
        self.assertIn("2 documents were removed because of it", kept)
        self.assertIn("kept, short", self.page("work", "s"))
        self.assertIn("fewer features than the recipe requires", self.page("work", "s"))
        self.assertIn("removed, exact_copy", self.page("work", "d"))

    def test_members(self):
        base = texts(2, 1)[0]
        self.write("in.jsonl", [{"id": f"m{i:02}", "text": base if i == 0 else edited(base)[:-i] + "x"} for i in range(12)])
        self.run_on("in.jsonl")
        size = self.explain("work", "m00")["cluster"]["size"]
        self.assertGreater(size, 6)
        self.assertEqual(len(self.explain("work", "m00")["cluster"]["members"]), 5)
        self.assertIn("--members N shows N", self.page("work", "m00"))
        members = self.explain("work", "m05", "--members", "100")["cluster"]["members"]
        self.assertEqual([member["id"] for member in members], [f"m{i:02}" for i in range(1, 12)][:len(members)])
        self.assertEqual(len(members), size - 1)
        self.assertEqual(self.explain("work", "m00", "--members", "0")["cluster"]["members"], [])

    def test_rules_of_protected_and_short_documents(self):
        text = texts(2, 1)[0]
        self.write("in.jsonl", [{"id": "a", "text": text, "by": "us"}, {"id": "b", "text": edited(text), "by": "us"},
                                {"id": "s", "text": text[:60]}])
        self.run_on("in.jsonl", options=["--protect", "by=us", "--min-length", "100"])
        spared = self.explain("work", "b")
        self.assertEqual((spared["verdict"], spared["reason"]), ("keep", "protected"))
        self.assertEqual(spared["rule"], "it matches a kept document, but --protect spares it")
        short = self.explain("work", "s")
        self.assertEqual(short["reason"], "short")
        self.assertIn("or fewer characters than --min-length (100)", short["rule"])

    def test_agrees_with_the_verdicts(self):
        self.write("plain.jsonl", corpus()[:5] + [{"text": "a document without an id that is not so short after all"}])
        content = "".join(json.dumps(record) + "\n\n" for record in corpus()[5:])
        self.write("packed.jsonl.gz", gzip.compress(content.encode()))
        self.write("texts/x.txt", corpus()[0]["text"] + " and more")
        self.write("texts/y.txt", "another text file that resembles nothing at all in this corpus of words")
        inputs = ("plain.jsonl", "packed.jsonl.gz", "texts")
        self.run_on(*inputs)
        self.neardup("dedup", *inputs, "--verdicts", "v.tsv", "-q")
        self.neardup("dedup", *inputs, "--verdicts", "v.jsonl.zst", "-q")
        self.check_all("work.jsonl", (("work",), ()), (("work.jsonl",), ()), (("v.jsonl.zst",), ()))
        found = self.explain("v.tsv", "b")
        self.assertEqual(found["keeper"]["id"], "a")
        self.assertIsNone(found["problem"])

    def test_recipes_and_measures(self):
        first, second = texts(3, 2)
        self.write("in.jsonl", [{"id": "a", "text": first}, {"id": "b", "text": edited(first)}, {"id": "c", "text": second},
                                {"id": "part", "text": " ".join(first.split()[:40])}])
        for options, reason, met in ((["--recipe", "chars-5"], "near_duplicate", "bands"),
                                     (["--search", "exact"], "near_duplicate", "bands"),
                                     (["--recipe", "simhash-words-3", "--max-distance", "20"], "near_duplicate", "blocks"),
                                     (["--recipe", "simhash-words-3", "--max-distance", "20", "--verify", "cosine"], "near_duplicate", "blocks"),
                                     (["--also", "simhash-words-3", "--max-distance", "20"], "near_duplicate", "bands"),
                                     (["--verify", "false"], "unverified", "bands")):
            with self.subTest(options=options):
                self.run_on("in.jsonl", options=options)
                found = self.explain("work", "b")
                self.assertEqual((found["reason"], found["met"][0]["kind"]), (reason, met))
                if options[0] != "--search":
                    self.assertTrue(found["met"][0]["equal"], "they met somewhere")
                self.assertEqual(len(found["met"]), 2 if "--also" in options else 1)
                shutil.rmtree(self.path("work"))
        self.run_on("in.jsonl", options=["--measure", "containment"])
        found = self.explain("work", "part")
        self.assertEqual((found["reason"], found["comparison"]["a_in_b"]), ("contained", True))
        self.assertIn("share of its features", found["rule"])

    def test_a_recipe_fitted_to_the_corpus(self):
        self.write("in.jsonl", [{"id": f"n{i}", "text": text} for i, text in enumerate(texts(4, 30))] +
                   [{"id": "b", "text": edited(texts(4, 1)[0])}])
        recipe = ("--recipe", "simhash-words", "--max-distance", "20")
        self.neardup("dedup", "in.jsonl", *recipe, "-o", "k.jsonl", "--verdicts", "v.jsonl", "--work", "work", "-q")
        found = self.explain("work", "b")
        self.assertEqual(found["reason"], "near_duplicate")
        self.assertLessEqual(found["comparison"]["distance"], 20)
        self.assertIn("only the checkpoint directory of the run has",
                      self.refusal("v.jsonl", "b", *recipe))

    def test_from_another_folder(self):
        self.write("in.jsonl", corpus())
        self.run_on("in.jsonl")
        self.write("elsewhere/x", "")
        expected = self.explain("work", "b")
        found = subprocess.run([BINARY, "explain", "../work", "b", "--json"], cwd=self.path("elsewhere"), capture_output=True, check=True,
                               env=os.environ)
        self.assertEqual(json.loads(found.stdout), expected)

    def test_added_inputs(self):
        self.write("in.jsonl", corpus()[:3])
        self.write("more.jsonl", corpus()[3:])
        self.run_on("in.jsonl")
        self.assertEqual(self.explain("work", "a")["cluster"]["size"], 2)
        self.neardup("dedup", "--resume", "work", "--add", "more.jsonl", "-q")
        self.assertEqual(self.explain("work", "a")["cluster"]["size"], 3)
        self.assertEqual(self.explain("work", "d")["keeper"]["id"], "a")

    def test_against_a_corpus_and_an_index(self):
        old, new = texts(5, 2)
        self.write("old.jsonl", [{"id": "old", "text": old}])
        self.write("in.jsonl", [{"id": "n1", "text": edited(old)}, {"id": "n2", "text": new}])
        self.run_on("in.jsonl", options=["--against", "old.jsonl"])
        for found in (self.explain("work", "n1"), self.explain("work.jsonl", "n1")):
            self.assertEqual((found["keeper"]["id"], found["keeper"]["kind"]), ("old", "reference"))
            self.assertGreater(found["comparison"]["jaccard"], 0.8)
        self.assertIn("no document in 'work'", self.refusal("work", "old"))

        self.neardup("index", "build", "seen", "old.jsonl", "--recipe", "simhash-words-3", "-q")
        self.write("copy.jsonl", [{"id": "n3", "text": old}])
        self.run_on("copy.jsonl", options=["--against", "seen", "--recipe", "simhash-words-3"], work="indexed")
        for found in (self.explain("indexed", "n3"), self.explain("indexed.jsonl", "n3", "--recipe", "simhash-words-3")):
            self.assertEqual((found["verdict"], found["keeper"]["kind"], found["keeper"]["id"]), ("remove", "index", "old"))
            self.assertIsNone(found["comparison"])
            self.assertIn("index", found["problem"])

    def test_a_dry_run_has_a_record_too(self):
        self.write("in.jsonl", corpus())
        self.neardup("dedup", "in.jsonl", "--dry-run", "--work", "work", "-q")
        self.assertEqual(self.explain("work", "b")["keeper"]["id"], "a")

    def test_threads_do_not_matter(self):
        self.write("in.jsonl", [{"id": f"n{i}", "text": text} for i, text in enumerate(texts(6, 300) + texts(6, 100))])
        records = set()
        for threads in ("1", "2", "5"):
            self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--work", f"work{threads}", "--threads", threads, "-q")
            records.add(self.read(f"work{threads}/verdicts.seg"))
        self.assertEqual(len(records), 1)


class Hostile(ExplainCase):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus())
        self.run_on("in.jsonl")

    def test_names(self):
        self.assertEqual(self.explain("work", 'tab\t"quote"')["document"]["id"], 'tab\t"quote"')
        self.assertEqual(self.explain("work.jsonl", 'tab\t"quote"')["document"]["id"], 'tab\t"quote"')
        self.assertNotIn("\t", self.page("work", 'tab\t"quote"').split("\n")[0])
        for source in ("work", "work.jsonl"):
            message = self.refusal(source, "twice")
            self.assertIn("2 documents have the id 'twice': in.jsonl:6, in.jsonl:7; name one of them by its place", message)
            message = self.refusal(source, "twicf")
            self.assertIn("did you mean 'twice'? Rejected records", message)
            self.assertIn("no document in", self.refusal(source, "in.jsonl:99"))
            self.assertIn("no document in", self.refusal(source, "nothing like any"))
            self.assertIn("no document in", self.refusal(source, ""))
        self.neardup("dedup", "in.jsonl", "--verdicts", "work.tsv", "-q")
        self.assertIn("2 documents have the id 'twice'", self.refusal("work.tsv", "twice"), "adjacent lines")
        self.assertEqual(self.explain("work", "in.jsonl:7")["document"]["row"], 7)

    def test_blank_and_quoted_names(self):
        text = "the committee approved the plan for the new bridge over the river on Monday"
        shown = {"": "''", " ": "' '", "a ": "'a '", "a b": "a b", "tab\t": "tab\\t", "it's": "it's", "文档": "文档", "-x": "-x", "in.jsonl:1": "in.jsonl:1"}
        self.write("in.jsonl", [{"id": name, "text": text} for name in shown])
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--work", "run", "-q")
        for row, (name, expected) in enumerate(shown.items(), 1):
            page = self.neardup("explain", "run", "--", name).stdout.decode()
            self.assertEqual(page.split("\n")[0].split(", byte")[0], f"document   {expected}   in.jsonl:{row}")

    def test_unfinished_and_missing_runs(self):
        self.assertIn("there is no run in 'empty'", self.refusal((self.path("empty").mkdir() or "empty"), "a", code=1))
        self.path("work/verdicts.seg").unlink()
        message = self.refusal("work", "a", code=1)
        self.assertIn("is not finished", message)
        self.assertIn("neardup dedup --resume work", message)
        self.neardup("dedup", "--resume", "work", "-q")
        self.assertEqual(self.explain("work", "b")["keeper"]["id"], "a")
        self.assertIn("nowhere", self.refusal("nowhere", "a", code=1))

    def test_damage(self):
        whole = self.read("work/verdicts.seg")
        for at in range(0, len(whole), max(1, len(whole) // 40)):
            self.path("work/verdicts.seg").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
            result = self.neardup("explain", "work", "b", code=None)
            self.assertIn(result.returncode, (0, 1), result.stderr)
            if result.returncode == 1:
                self.assertIn("verdicts.seg", result.stderr)
            self.path("work/verdicts.seg").write_bytes(whole[:at])
            self.assertIn("verdicts.seg", self.neardup("explain", "work", "b", code=1).stderr)
        self.path("work/verdicts.seg").write_bytes(whole)
        self.path("work/COMMAND").write_bytes(b"not a command")
        self.assertIn("COMMAND", self.neardup("explain", "work", "b", code=1).stderr)

    def test_changed_inputs(self):
        content = self.read("in.jsonl")
        self.path("in.jsonl").write_bytes(content.replace(b"word", b"verb"))
        result = self.neardup("explain", "work", "b", code=1)
        self.assertIn("'in.jsonl' changed since the run", result.stderr)
        self.assertIn(b"keeper     a", result.stdout, "the verdict itself is known")
        self.path("in.jsonl").unlink()
        self.assertIn("in.jsonl", self.neardup("explain", "work", "b", code=1).stderr)
        self.assertIn(b"kept, keeper", self.neardup("explain", "work", "a").stdout)
        # A verdict file has no states of files: the ids are compared.
        self.path("in.jsonl").write_bytes(b"\n".join(reversed(content.split(b"\n"))))
        self.assertIn("changed since the run", self.neardup("explain", "work.jsonl", "b", code=1).stderr)

    def test_other_options_than_those_of_the_run(self):
        self.assertIn("give the options of the run", self.neardup("explain", "work.jsonl", "b", "--recipe", "chars-5").stderr)
        self.assertIn("recipe", self.refusal("work", "b", "--recipe", "chars-5"))
        self.assertIn("one argument too many", self.refusal("work", "b", "in.jsonl"))

    def test_files_that_are_no_verdicts(self):
        self.write("other.jsonl", corpus())
        for name in ("other.jsonl", "work.kept.jsonl", "work/COMMAND"):
            self.assertIn("is not a verdict file", self.refusal(name, "a", code=1))
        self.write("broken.jsonl", self.read("work.jsonl").replace(b'"row":2,', b'"row":"x",'))
        self.assertIn("a line that is not a verdict", self.refusal("broken.jsonl", "b", code=1))


class Databases(ExplainCase):
    def test_sqlite(self):
        for kind, ids in (("INTEGER", range(100, 108)), ("TEXT", ["a", "b'", 'c"', "d\\", "e;", "f f", "g%", "h"])):
            database = sqlite3.connect(self.path("docs.db"))
            database.execute(f"CREATE TABLE docs (id {kind} PRIMARY KEY, text TEXT, url TEXT)")
            rows = [(key, record["text"], f"u{i}") for i, (key, record) in enumerate(zip(ids, corpus(), strict=True))]
            database.executemany("INSERT INTO docs VALUES (?, ?, ?)", rows)
            database.commit()
            database.close()
            uri = "sqlite://docs.db?table=docs"
            self.run_on(uri)
            self.check_all("work.jsonl", (("work",), ()), (("work.jsonl",), ()))
            self.assertEqual(self.explain("work", str(ids[1]))["keeper"]["id"], str(ids[0]))
            self.run_on(uri, options=["--id-field", "url", "--where", "url <> 'u9'"], work="by-url")
            self.assertEqual(self.explain("by-url", "u1")["keeper"]["id"], "u0")
            self.neardup("compare", f"{uri}#{ids[0]}", f"{uri}:2")
            for name in ("work", "by-url"):
                shutil.rmtree(self.path(name))
            self.path("docs.db").unlink()


class Mongo(MongoCase, ExplainCase):
    def test_collections(self):
        for ids in (range(1, 9), [f"k{i}" for i in range(8)]):
            self.db.docs.drop()
            self.db.docs.insert_many([{"_id": key, "text": record["text"]} for key, record in zip(ids, corpus(), strict=True)])
            self.run_on(self.uri("docs"))
            self.check_all("work.jsonl", (("work",), ()), (("work.jsonl",), (self.uri("docs"),)))
            compared = json.loads(self.neardup("compare", f"{self.uri('docs')}#{ids[0]}", f"{self.uri('docs')}#{ids[1]}", "--json").stdout)
            self.assertGreater(compared["jaccard"], 0.8)
            shutil.rmtree(self.path("work"))

    def test_object_ids(self):
        from bson import ObjectId
        ids = sorted(ObjectId() for _ in range(8))
        self.db.docs.insert_many([{"_id": key, "text": record["text"]} for key, record in zip(ids, corpus(), strict=True)])
        self.run_on(self.uri("docs"))
        self.assertEqual(self.explain("work", str(ids[1]))["keeper"]["id"], str(ids[0]))


class Tables(TableTest, ExplainCase):
    def test_csv_and_parquet(self):
        rows = [{"id": f"r{i}", "text": record["text"]} for i, record in enumerate(corpus())]
        self.write_csv("in.csv", rows)
        names = ["in.csv"]
        if ARROW:
            import pyarrow
            import pyarrow.parquet
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), self.path("in.parquet"))
            names.append("in.parquet")
        for name in names:
            self.run_on(name)
            self.check_all("work.jsonl", (("work",), ()), (("work.jsonl",), ()))
            self.assertEqual(json.loads(self.neardup("compare", f"{name}#r0", f"{name}#r3", "--json").stdout)["exact_copy"], True)
            shutil.rmtree(self.path("work"))


class CompareById(CliTest):
    def test_documents(self):
        self.write("in.jsonl", corpus())
        self.write("packed.jsonl.gz", gzip.compress(self.read("in.jsonl")))
        for a, b in (("in.jsonl#a", "in.jsonl#b"), ("in.jsonl:1", "packed.jsonl.gz#b"), ("packed.jsonl.gz:1", "in.jsonl:2")):
            found = json.loads(self.neardup("compare", a, b, "--json").stdout)
            self.assertGreater(found["jaccard"], 0.8, (a, b))
        self.write("b.txt", corpus()[1]["text"])
        self.assertEqual(json.loads(self.neardup("compare", "in.jsonl#b", "b.txt", "--json").stdout)["exact_copy"], True)
        self.assertEqual(json.loads(self.neardup("compare", "in.jsonl#a", "in.jsonl#d", "--json").stdout)["a"]["name"], "a")
        result = self.neardup("compare", "in.jsonl#a", "in.jsonl#twicf", code=1)
        self.assertIn("'in.jsonl' has no document with the id 'twicf'; did you mean 'twice'?", result.stderr)
        self.assertIn("row 77", self.neardup("compare", "in.jsonl#a", "in.jsonl:77", code=1).stderr)

    def test_other_fields(self):
        self.write("in.jsonl", [{"key": 1, "body": texts(1, 1)[0]}, {"key": 2, "body": texts(1, 1)[0]}])
        found = self.neardup("compare", "in.jsonl#1", "in.jsonl#2", "--id-field", "key", "--text-field", "body", "--json")
        self.assertEqual(json.loads(found.stdout)["exact_copy"], True)

    def test_a_file_with_such_a_name_is_a_file(self):
        self.write("a#b", "the same text")
        self.write("a:1", "the same text")
        self.write("a", "another one")
        self.assertEqual(json.loads(self.neardup("compare", "a#b", "a:1", "--json").stdout)["exact_copy"], True)


if __name__ == "__main__":
    unittest.main()
