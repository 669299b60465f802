"""MongoDB as a source and as a target. Written documents are counted by a query, never by a reply."""
import datetime
import json
import random
import subprocess
import time
import unittest
import uuid

from harness import BINARY
from mongo_case import MongoCase

try:
    import bson
    from bson import binary, decimal128, int64, max_key, min_key, objectid, regex, timestamp
except ImportError:
    bson = None

WORDS = ["w%d" % i for i in range(4000)]


def texts(count, seed, words=40):
    """Random texts; every fourth one is the text before it with one word more, so that words-5 removes it."""
    source = random.Random(seed)
    made = []
    for i in range(count):
        made.append(made[-1] + " end" if i % 4 == 3 else " ".join(source.choice(WORDS) for _ in range(words)))
    return made


class SourceTest(MongoCase):
    def fill(self, documents, name="texts"):
        self.db[name].insert_many(documents)

    def test_the_same_as_from_a_file(self):
        documents = [{"_id": i, "text": text} for i, text in enumerate(texts(3000, 1))]
        self.fill(random.Random(2).sample(documents, len(documents)))
        self.write("texts.jsonl", documents)
        summary = self.summary("dedup", "texts.jsonl", "--id-field", "_id", "-o", "files.jsonl", "--verdicts", "files.tsv")
        self.assertEqual((summary["kept"], summary["removed"]), (2250, 750))
        self.summary("dedup", self.uri("texts"), "-o", "mongo.jsonl", "--verdicts", "mongo.tsv")
        self.assertEqual(self.records("files.jsonl"), self.records("mongo.jsonl"))
        columns = ("id", "row", "verdict", "reason", "keeper_id", "keeper_row", "similarity")
        self.assertEqual([[row[c] for c in columns] for row in self.table("files.tsv")],
                         [[row[c] for c in columns] for row in self.table("mongo.tsv")])

    def test_protected_documents(self):
        self.fill([{"_id": i, "text": "one two three four five six seven", "of": {"kind": "gold" if i == 3 else None}, "n": int64.Int64(i), "b": i == 4}
                   for i in range(6)])
        for rule, kept in {"of.kind=gold": [3], "n=2": [2], "b=true": [4], "n=5,b=true": [4, 5], "n=7": [0]}.items():
            self.neardup("dedup", self.uri("texts"), "--protect", rule, "-o", "kept.jsonl", "-q")
            self.assertEqual([record["_id"] for record in self.records("kept.jsonl")], kept, rule)

    def test_every_type_of_id(self):
        when = datetime.datetime(2020, 1, 2, 3, 4, 5, 678000)
        name = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
        by_text = {
            "5": 5, "3.5": 3.5, "1099511627776": int64.Int64(1 << 40), "-7": -7, "NaN": float("nan"), "1.50": decimal128.Decimal128("1.50"),
            "a": "a", "天气": "天气", "6b02517f30f3bf5fe9ad0c3d": objectid.ObjectId("6b02517f30f3bf5fe9ad0c3d"),
            "2020-01-02T03:04:05.678Z": when, "1969-12-31T23:59:59Z": datetime.datetime(1969, 12, 31, 23, 59, 59), "true": True, "null": None,
            str(name): binary.Binary(name.bytes, 4), '{ "$minKey" : 1 }': min_key.MinKey(), '{ "$maxKey" : 1 }': max_key.MaxKey(),
            '{ "a" : { "$numberInt" : "1" }, "b" : "x" }': {"a": 1, "b": "x"}, '{ "a" : { "$numberInt" : "2" } }': {"a": 2},
            '{ "$binary" : { "base64" : "eHg=", "subType" : "00" } }': binary.Binary(b"xx", 0),
            '{ "$timestamp" : { "t" : 5, "i" : 6 } }': timestamp.Timestamp(5, 6),
        }
        for text, value in by_text.items():
            self.db.texts.insert_one({"_id": value, "text": f"only here stands {text} and nothing else at all"})
        for i in range(30):  # more of every kind, in between
            self.db.texts.insert_many([{"_id": 100 + i, "text": f"number {i} of many others that are alike"},
                                       {"_id": f"s{i}", "text": f"string {i} of many others that are alike"},
                                       {"_id": {"n": i}, "text": f"object {i} of many others that are alike"}])
        self.summary("dedup", self.uri("texts"), "-o", self.uri("kept"), "--verdicts", "verdicts.jsonl")
        found = {row["id"] for row in self.records("verdicts.jsonl")}
        self.assertEqual(found, set(by_text) | {str(100 + i) for i in range(30)} | {f"s{i}" for i in range(30)} |
                         {'{ "n" : { "$numberInt" : "%d" } }' % i for i in range(30)})
        self.assertEqual([bson.encode(d) for d in self.all("texts")], [bson.encode(d) for d in self.all("kept")], "types survive")

    def test_documents_of_all_types_survive(self):
        odd = {"_id": 1, "text": "one two three four five six", "i": 5, "l": int64.Int64(5), "d": 5.0, "z": -0.0, "n": None, "b": True,
               "dec": decimal128.Decimal128("1E+3"), "bin": binary.Binary(b"\0\1", 128), "when": datetime.datetime(1900, 1, 1),
               "re": regex.Regex("a+", "i"), "ts": timestamp.Timestamp(1, 2), "o": {"x": [1, {"y": []}], "": "empty name"},
               "oid": objectid.ObjectId(), "nul": "a\0b", "inf": float("inf"), "code": bson.code.Code("f()"), "line": "a\nb\u2028"}
        self.db.texts.insert_one(odd)
        self.summary("dedup", self.uri("texts"), "-o", self.uri("kept"), "--removed", self.uri("removed"))
        self.assertEqual(bson.encode(self.db.texts.find_one()), bson.encode(self.db.kept.find_one()))
        self.assertEqual(self.all("removed"), [])
        self.assertIn("removed", self.collections(), "nothing to write is an empty collection")

    def test_blocks(self):
        one, other = objectid.ObjectId(), objectid.ObjectId()
        brands = ["a", "b", "A", 7, int64.Int64(7), "7", one, other, one, None, True, ["a"]]
        self.fill([{"_id": i, "text": "steel kettle", "of": {"brand": brand}} for i, brand in enumerate(brands)] + [{"_id": 12, "text": "steel kettle"}])
        summary = self.summary("dedup", self.uri("texts"), "--block-on", "of.brand", "--verdicts", "v.jsonl")
        self.assertEqual([row["keeper_id"] for row in self.records("v.jsonl")], [None, None, "0", None, "3", "3", None, None, "6", None, "9", "9", "9"])
        self.assertIn("--block-on of.brand: 4 of 13 documents have no usable value in this field (a string or number); they form one block", summary["warnings"])
        self.assertIn("none of the 13 records has the field 'bramd'", self.neardup("dedup", self.uri("texts"), "--block-on", "bramd", "-o", "kept.jsonl", code=1).stderr)

    def test_nested_fields_arrays_and_rejects(self):
        self.fill([
            {"_id": 1, "page": {"body": "one two three four five six", "list": ["seven", "eight"]}, "rank": int64.Int64(1)},
            {"_id": 2, "page": {"body": "one two three four five six", "list": ["seven", "eight"]}, "rank": int64.Int64(2)},
            {"_id": 3, "page": {"list": ["only", "a list"]}},
            {"_id": 4, "page": {"body": objectid.ObjectId()}},
            {"_id": 5, "page": {"body": "x", "list": ["a", 1]}},
            {"_id": 6, "other": 1},
            {"_id": 7, "page": {"body": binary.Binary(b"x", 0)}},
        ])
        summary = self.summary("dedup", self.uri("texts"), "--text-field", "page.body,page.list", "--keep", "max:rank", "-o", "kept.jsonl",
                               "--rejects", "rejects.jsonl", "--fields", "n=_id,text=$text,raw=$raw_text,id=$id,row=$row,sub=page.list,no=x.y", "--max-rejects", "100%")
        self.assertEqual((summary["read"], summary["kept"], summary["removed"], summary["rejected"]), (7, 2, 1, 4))
        self.assertEqual({kind: count for kind, count in summary["rejected_by_kind"].items() if count}, {"missing_field": 1, "field_type": 3})
        text = "one two three four five six\nseven\neight"
        self.assertEqual(self.records("kept.jsonl"), [
            {"n": 2, "text": text, "raw": text, "id": "2", "row": 2, "sub": ["seven", "eight"], "no": None},
            {"n": 3, "text": "only\na list", "raw": "only\na list", "id": "3", "row": 3, "sub": ["only", "a list"], "no": None}])
        warnings = "\n".join(summary["warnings"])
        for problem in ("field 'page.body' is an ObjectId, not a string", "field 'page.list' is an array with an int in it, not of strings",
                        "none of the fields 'page.body', 'page.list'", "field 'page.body' is binary data, not a string"):
            self.assertIn(problem, warnings)
        self.assertEqual([record["_id"] for record in self.records("rejects.jsonl")], [4, 5, 6, 7])

    def test_rejects_by_kind(self):
        """The field is absent, null, or of any other type that a document can hold; and a run ends with the same counts."""
        absent = [{}, {"text": None}, {"body": "x"}]
        typed = [{"text": value} for value in (5, int64.Int64(5), 5.5, True, {"a": 1}, ["a", None], [["a"]], objectid.ObjectId(), b"bytes",
                                               datetime.datetime(2020, 1, 1), decimal128.Decimal128("1"), regex.Regex("a"))]
        good = [{"text": text} for text in texts(200, 4)]
        self.fill([{"_id": i, **each} for i, each in enumerate(good[:100] + absent + typed + good[100:])])
        run = ("dedup", self.uri("texts"), "-o", "kept.jsonl", "--rejects", "rejects.jsonl")
        summary = self.summary(*run)
        self.assertEqual({kind: count for kind, count in summary["rejected_by_kind"].items() if count},
                         {"missing_field": len(absent), "field_type": len(typed)})
        said = self.neardup(*run, "--work", "work").stderr
        self.assertIn("rejected: 15 records: 12 with the text field of the wrong type, 3 missing the text field\n", said)
        self.assertIn("rejected: 15 records: 12 with the text field of the wrong type, 3 missing the text field\n", self.neardup("dedup", "--resume", "work").stderr)
        both = self.summary("dedup", self.uri("texts"), "--text-field", "text,body", "-o", "kept.jsonl")
        self.assertEqual((both["rejected_by_kind"]["missing_field"], both["rejected_by_kind"]["field_type"]), (2, 12), "body is another field")

    def test_where(self):
        self.fill([{"_id": i, "text": text, "year": 2000 + i % 5} for i, text in enumerate(texts(100, 3))])
        summary = self.summary("dedup", self.uri("texts"), "--where", '{"year": {"$gte": 2003}, "_id": {"$lt": 50}}', "-o", "kept.jsonl")
        self.assertEqual(summary["read"], 20)
        for wrong in ("year > 3", "[1]", '{"year": ', ""):
            if wrong:
                self.assertIn("where", self.neardup("dedup", self.uri("texts"), "--where", wrong, "-o", "x.jsonl", code=2).stderr)
        error = self.neardup("dedup", self.uri("texts"), "--where", '{"$nothing": 1}', "-o", "x.jsonl", code=1).stderr
        self.assertIn("$nothing", error)

    def run_with_change(self, change, wait):
        """Reads the collection, waits for standard input, and meanwhile the collection changes."""
        process = subprocess.Popen([BINARY, "dedup", self.uri("texts"), "-", "-o", "kept.jsonl", "-q"], cwd=self.dir, stdin=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        time.sleep(wait)
        change()
        said = process.communicate(b'{"text":"the last one"}\n', timeout=60)[1].decode("utf-8")
        return process.returncode, said

    def test_a_collection_that_changes_while_it_is_read(self):
        documents = [{"_id": 2 * i, "text": text} for i, text in enumerate(texts(50, 9))]
        changes = {"come": lambda: self.db.texts.insert_one({"_id": 7, "text": "new"}),
                   "gone": lambda: self.db.texts.delete_one({"_id": 20})}
        for change in changes.values():
            for wait in (1, 5, 15):  # until the first reading was done
                self.db.texts.drop()
                self.fill(documents)
                code, said = self.run_with_change(change, wait)
                if code != 0:
                    break
            self.assertEqual(code, 1)
            self.assertIn("the collection changed while it was read: between the ids '0' and '98'", said)
            self.assertEqual(self.names(), [], "nothing is written")
        self.db.texts.drop()
        self.fill(documents)
        code, said = self.run_with_change(lambda: self.db.texts.insert_one({"_id": 1000, "text": "after everything"}), 1)
        self.assertEqual(code, 0, said)

    def test_other_commands_read_it(self):
        self.fill([{"_id": i, "text": text} for i, text in enumerate(texts(50, 4))])
        self.neardup("sketch", self.uri("texts"), "-o", "sketches.jsonl", "-q")
        self.assertEqual([row["id"] for row in self.records("sketches.jsonl")], [str(i) for i in range(50)])

    def test_wrong_names_are_reported_at_once(self):
        self.fill([{"_id": 1, "text": "x"}])
        self.addCleanup(self.client.drop_database, "neardup_no_such")  # some servers make what one only asks for
        begin = time.monotonic()
        for source, message, code in (
                (self.uri("text"), "there is no collection 'text'", 1),
                (self.uri("x").replace(self.database, "neardup_no_such"), "there is no database 'neardup_no_such'", 1),
                (self.base.partition("?")[0] + "/db", "it names no collection", 2),
                (self.base.partition("?")[0], "it names no database", 2),
                ("mongodb:///db.c", "it names no host", 2),
                ("mongodb://127.0.0.1:99999/db.c", "not a MongoDB URI", 2),
                (self.uri("texts", "nonsense=1"), 'Unsupported URI option "***"', 2)):
            self.assertIn(message, self.neardup("dedup", source, "-o", "kept.jsonl", code=code).stderr)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(self.names(), [])

    def test_other_batches_than_when_the_run_began(self):
        self.fill([{"_id": i, "text": text} for i, text in enumerate(texts(3000, 8))])
        self.neardup("dedup", self.uri("texts"), "-o", "kept.jsonl", "--work", "work", "--prepare", "-q")
        self.neardup("task", "work", "0", "-q")
        self.db.texts.update_many({}, {"$set": {"more": "x" * 3000}})
        error = self.neardup("dedup", "--resume", "work", code=2).stderr
        self.assertRegex(error, r"changed: it had 3000 documents.* [0-9]+ to a batch and now has 3000 documents")
        self.assertNotIn("kept.jsonl", self.names())

    def test_few_connections(self):
        self.fill([{"_id": i, "text": text} for i, text in enumerate(texts(3000, 6))])
        for options in ("maxPoolSize=1", "maxPoolSize=2", "maxPoolSize=1&waitQueueTimeoutMS=2000"):
            self.neardup("dedup", self.uri("texts", options), "-o", self.uri("kept", options), "--replace", "-q")
            self.assertEqual(self.db.kept.count_documents({}), 2250)

    def test_no_server_and_no_credentials_in_messages(self):
        self.write("a.jsonl", [{"text": "a"}])
        nobody = "mongodb://anna:s3cret@127.0.0.1:1/db"
        begin = time.monotonic()
        self.neardup("dedup", nobody + ".c", "-o", "kept.jsonl", code=1)
        self.assertLess(time.monotonic() - begin, 10, "no long wait without an option")
        for secret, code in ((nobody + ".c?serverSelectionTimeoutMS=200", 1), ("mongodb://anna:s3/cret@127.0.0.1:1/db.c", 2), (nobody, 2),
                             ("mongodb://anna:s3?cret@127.0.0.1:1/db.c", 2), ("mongodb://anna:s3/x.y?cret@127.0.0.1:1/db.c", 2)):
            for arguments in ((secret, "-o", "kept.jsonl"), ("a.jsonl", "-o", secret), ("a.jsonl", "-o", "kept.jsonl", "--verdicts", secret)):
                said = self.neardup("dedup", *arguments, code=code).stderr
                self.assertIn("mongodb://***" if "?cret" in secret else "127.0.0.1:1", said)
                for part in ("anna", "s3", "cret"):
                    self.assertNotIn(part, said)
        self.assertEqual(self.names(), ["a.jsonl"])


class TargetTest(MongoCase):
    def setUp(self):
        super().setUp()
        self.db.texts.insert_many([{"_id": i, "text": text} for i, text in enumerate(texts(400, 5))])
        self.kept = [i for i in range(400) if i % 4 != 3]

    def test_refuse_append_replace(self):
        run = ("dedup", self.uri("texts"), "-o", self.uri("kept"), "-q")
        self.neardup(*run)
        self.assertEqual(self.ids("kept"), self.kept)
        self.assertIn("already holds 300 documents", self.neardup(*run, code=1).stderr)
        self.neardup(*run, "--append")  # the same documents are found, not doubled
        self.assertEqual(self.ids("kept"), self.kept)
        self.db.kept.insert_one({"_id": "mine", "text": "stays under --append"})
        self.db.kept.delete_many({"_id": {"$lt": 100}})
        self.neardup(*run, "--append")
        self.assertEqual(self.ids("kept"), self.kept + ["mine"])
        self.neardup(*run, "--replace")
        self.assertEqual(self.ids("kept"), self.kept)
        self.assertEqual(self.collections(), ["kept", "texts"], "no staging collection stays")

    def test_leftovers_of_a_killed_run_do_not_count(self):
        self.db["kept.neardup-partial"].insert_one({"_id": 1, "text": "of a run that was killed"})
        self.neardup("dedup", self.uri("texts"), "-o", self.uri("kept"), "-q")
        self.assertEqual(self.all("kept"), [d for d in self.all("texts") if d["_id"] % 4 != 3])
        self.assertEqual(self.collections(), ["kept", "texts"])

    def test_duplicate_key(self):
        self.db.kept.insert_one({"_id": 5, "text": "somebody else's"})
        error = self.neardup("dedup", self.uri("texts"), "-o", self.uri("kept"), "--append", "-q", code=1).stderr
        self.assertIn("another document with the _id '5'", error)
        self.assertEqual(self.db.kept.find_one({"_id": 5}), {"_id": 5, "text": "somebody else's"})
        records = [{"id": "a", "text": f"text number {i} of the file with its own words {i * i}"} for i in range(3)]
        self.write("in.jsonl", records)
        error = self.neardup("dedup", "in.jsonl", "-o", self.uri("new"), "-q", code=1).stderr
        self.assertIn("the _id 'a'", error)
        self.assertEqual(self.collections(), ["kept", "texts"], "nothing is left of what could not be written")

    def test_unique_index_of_the_target(self):
        self.db.kept.create_index("text", unique=True)
        self.db.kept.insert_one({"_id": "mine", "text": self.db.texts.find_one({"_id": 0})["text"]})
        error = self.neardup("dedup", self.uri("texts"), "-o", self.uri("kept"), "--append", "-q", code=1).stderr
        self.assertIn("the _id '0'", error)

    def test_documents_of_files(self):
        lines = ['{"id":"a","text":"the first of the lines with words"}', '{"text":"no id here, but a half pair \\ud800 in it"}',
                 '{"id":7,"text":"numbers beyond all bounds stand here","big":18446744073709551616,"huge":1e400,"tiny":1e-400}']
        self.write("in.jsonl", "\n".join(lines))
        self.write("page.txt", "a text file becomes a document of its own")
        run = ("dedup", "in.jsonl", "page.txt", "-o", self.uri("kept"), "--verdicts", self.uri("verdicts"), "--annotate",
               self.uri("annotated"), "-q")
        self.neardup(*run)
        found = {d["_id"]: d for d in self.all("kept")}
        self.assertEqual(sorted(found), ["7", "a", "in.jsonl:2", "page.txt"])
        self.assertEqual(found["in.jsonl:2"]["text"], "no id here, but a half pair \ufffd in it")
        self.assertEqual((found["7"]["big"], found["7"]["huge"], found["7"]["tiny"]), (18446744073709551616.0, float("inf"), 0.0))
        self.assertEqual(self.ids("verdicts"), ["in.jsonl:1", "in.jsonl:2", "in.jsonl:3", "page.txt:1"])
        self.assertEqual({d["neardup_verdict"] for d in self.all("annotated")}, {"keep"})
        self.neardup(*run, "--append")
        self.assertEqual(len(self.all("kept")), 4)

    def test_the_size_of_a_document(self):
        self.write("in.jsonl", [{"id": "fits", "text": "x" * (16 * 1024 * 1024 - 200)}])
        self.neardup("dedup", "in.jsonl", "-o", self.uri("kept"), "-q")
        self.assertEqual(len(self.db.kept.find_one({"_id": "fits"})["text"]), 16 * 1024 * 1024 - 200)
        self.write("in.jsonl", [{"id": "fine", "text": "small"}, {"id": "big", "text": "x" * (16 * 1024 * 1024)}])
        error = self.neardup("dedup", "in.jsonl", "-o", self.uri("big"), "-q", code=1).stderr
        self.assertRegex(error, r"the document with the _id 'big' has 167772\d\d bytes; MongoDB stores at most 16777216 \(16 MB\)")
        self.assertNotIn("big", self.collections())

    def test_an_output_is_no_input(self):
        error = self.neardup("dedup", self.uri("texts"), "-o", self.uri("texts"), "--replace", code=2).stderr
        self.assertIn("is also an input", error)
        error = self.neardup("dedup", self.uri("texts"), "-o", self.uri("x"), "--removed", self.uri("x"), code=2).stderr
        self.assertIn("two outputs are the same", error)
        error = self.neardup("dedup", self.uri("texts"), "--against", self.uri("texts"), "-o", self.uri("x"), code=2).stderr
        self.assertIn("both as an input and by --against", error)

    def test_verdicts_are_written_back(self):
        for _ in range(2):  # doing it again changes nothing
            self.neardup("dedup", self.uri("texts"), "--annotate", self.uri("texts"), "-q")
            documents = self.all("texts")
            self.assertEqual([d["_id"] for d in documents if d["neardup_verdict"] == "keep"], self.kept)
            self.assertEqual(documents[7]["neardup_keeper_id"], "6")
            self.assertEqual(sorted(documents[0]), sorted(["_id", "text", "neardup_verdict", "neardup_reason", "neardup_keeper_id",
                                                           "neardup_keeper_source", "neardup_keeper_row", "neardup_similarity",
                                                           "neardup_cluster_id", "neardup_cluster_size"]))
            self.assertEqual(documents[7]["neardup_cluster_id"], documents[6]["neardup_cluster_id"])
            self.assertEqual(documents[7]["neardup_cluster_size"], 2)
        self.write("more.jsonl", [{"text": "more"}])
        error = self.neardup("dedup", self.uri("texts"), "more.jsonl", "--annotate", self.uri("texts"), code=2).stderr
        self.assertIn("the one input", error)

    def test_removed_documents_are_deleted_when_asked(self):
        said = self.neardup("dedup", self.uri("texts"), "--delete-removed", "--dry-run").stderr
        self.assertIn("would delete 100 documents", said)
        self.assertEqual(len(self.all("texts")), 400)
        for refused in (("texts.jsonl",), (self.uri("texts"), self.uri("more")), (self.uri("texts"), "--against", self.uri("more"))):
            self.neardup("dedup", *refused, "--delete-removed", code=2)
        before = {d["_id"]: d for d in self.all("texts")}
        said = self.neardup("dedup", self.uri("texts"), "--delete-removed", "--removed", self.uri("removed")).stderr
        self.assertIn("deleted 100 documents", said)
        self.assertEqual(self.all("texts"), [before[i] for i in self.kept])
        self.assertEqual(self.all("removed"), [before[i] for i in range(3, 400, 4)])

    def test_nothing_is_deleted_by_a_run_that_fails(self):
        self.db.removed.insert_one({"_id": 3, "text": "in the way"})
        self.neardup("dedup", self.uri("texts"), "--delete-removed", "--removed", self.uri("removed"), "--append", code=1)
        self.assertEqual(len(self.all("texts")), 400)

    def test_chosen_and_computed_fields(self):
        recipe = json.dumps({"normalizer": "nfkc_casefold_v1", "tokenizer": "chars_v1", "min_features": 1,
                             "feature_hash": "xxh3_64_v1", "shingle": {"size": 4, "short_text": "none"}, "clean": [{"cut_after": "w1"}],
                             "sketch": {"kind": "simhash_v1", "bits": 64}})
        self.write("recipe.json", recipe)
        fields = "_id=$row,ques=$text,old_id=_id,hash=$fingerprint,hash_value=$fingerprint_long,from=$source,gone=a.b"
        self.db.texts.update_one({"_id": 0}, {"$set": {"a": {"b": 1}}})  # one document has it: no mistake of who typed the name
        self.neardup("dedup", self.uri("texts"), "--recipe", "recipe.json", "--max-distance", "0", "-o", self.uri("new"), "--fields", fields, "-q")
        self.neardup("sketch", self.uri("texts"), "--recipe", "recipe.json", "-o", "sketches.jsonl", "-q")
        prints = {row["id"]: row["fingerprint"] for row in self.records("sketches.jsonl")}
        old = {d["_id"]: d["text"] for d in self.all("texts")}
        new = self.all("new")
        self.assertGreater(len(new), 100)
        for document in new:
            self.assertEqual(list(document), [part.split("=")[0] for part in fields.split(",")])
            self.assertEqual(document["ques"], old[document["old_id"]].partition("w1")[0])
            self.assertEqual(document["hash"], prints[str(document["old_id"])])
            if document["hash"] is not None:
                self.assertEqual(document["hash_value"] % 2**64, int(document["hash"], 16))
                self.assertIsInstance(document["hash_value"], int64.Int64)
            self.assertEqual(document["_id"], document["old_id"] + 1)
        for wrong, message in (("a", "NAME=VALUE"), ("a=$b", "not a computed value"), ("a=b,a=c", "named twice"),
                               ("f=$fingerprint", "makes MinHash signatures")):
            error = self.neardup("dedup", self.uri("texts"), "-o", self.uri("bad"), "--fields", wrong, code=2).stderr
            self.assertIn(message, error)


if __name__ == "__main__":
    unittest.main()
