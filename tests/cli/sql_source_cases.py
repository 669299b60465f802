"""Tables and queries as inputs: the cases of every kind of database."""
import uuid

from sql_databases import corpus


class SourceCases:
    def test_keeps_what_the_same_run_over_files_keeps(self):
        rows = self.fill()
        kept = self.kept_of(rows)
        self.assertLess(len(kept), len(rows))
        self.dedup(self.db.uri("docs"), "-o", "kept.jsonl", "--removed", self.db.uri("gone"))
        self.assertEqual([record["id"] for record in self.records("kept.jsonl")], kept)
        self.assertEqual([record["text"] for record in self.records("kept.jsonl")], [text for key, text in rows if key in set(kept)])
        self.assertEqual(self.ids("gone"), [key for key, _ in rows if key not in set(kept)])
        self.dedup("kept.jsonl", "-o", self.db.uri("kept"))
        self.assertEqual(self.ids("kept"), kept)

    def test_whole_table_and_small_batches_are_the_same(self):
        rows = [(i, f"text {i} " + "x" * 9000) for i in range(-700, 700)]  # several batches of 4 MiB
        self.fill(rows=rows)
        for threads in ("1", "4"):
            self.dedup(self.db.uri("docs"), "-o", f"kept{threads}.jsonl", "--recipe", "words-5", "--threads", threads)
        self.assertEqual(self.read("kept1.jsonl"), self.read("kept4.jsonl"))
        self.assertEqual([record["id"] for record in self.records("kept1.jsonl")], self.kept_of(rows))

    def test_other_batches_than_when_the_run_began(self):
        """Rows that grow are cut elsewhere: earlier results do not fit any more, and the error says so."""
        self.fill(rows=[(i, f"text {i} " + "x" * 9000) for i in range(1000)])
        self.dedup(self.db.uri("docs"), "-o", "kept.jsonl", "--work", "work", "--prepare")
        self.neardup("task", "work", "0")
        self.db.run(f"UPDATE docs SET text = '{'y' * 20000}' WHERE id < 300")
        self.assertRegex(self.dedup("--resume", "work", code=2).stderr, r"changed: it had 1000 rows.* [0-9]+ to a batch and now has 1000 rows")
        self.assertFalse(self.path("kept.jsonl").exists())

    def test_where_and_query(self):
        rows = self.fill()
        self.dedup(self.db.uri("docs"), "--where", "id >= 100 AND id < 400 OR id = 10", "-o", "kept.jsonl")
        self.assertEqual([record["id"] for record in self.records("kept.jsonl")],
                         self.kept_of([row for row in rows if 100 <= row[0] < 400 or row[0] == 10]))
        query = "SELECT id AS k, text AS body FROM docs WHERE id < 300 -- a comment; \n;"
        self.dedup(self.db.uri(query=query), "--key", "k", "--text-field", "body", "-o", "kept.jsonl", "--where", "k > 50")
        self.assertEqual([record["k"] for record in self.records("kept.jsonl")], self.kept_of([row for row in rows if 50 < row[0] < 300]))
        self.assertIn("--key", self.dedup(self.db.uri(query=query), "-o", "x.jsonl", code=1).stderr)
        self.assertIn("'nope'", self.dedup(self.db.uri(query=query), "--key", "nope", "-o", "x.jsonl", code=1).stderr)

    def test_blocks(self):
        rows = [(1, "steel kettle", "a", 7), (2, "steel kettle", "b", 8), (3, "steel kettle", "A", 7), (4, "steel kettle", None, 8), (5, "steel kettle", None, 7)]
        self.db.create("offers", {"id": self.db.integer + " PRIMARY KEY", "text": self.db.text, "brand": self.db.key_text, "n": self.db.integer}, rows)
        self.dedup(self.db.uri("offers"), "--block-on", "brand", "-o", "kept.jsonl")
        self.assertEqual([record["id"] for record in self.records("kept.jsonl")], [1, 2, 4])
        self.dedup(self.db.uri("offers"), "--block-on", "n", "-o", "kept.jsonl")
        self.assertEqual([record["id"] for record in self.records("kept.jsonl")], [1, 2])
        self.assertIn("there is no column 'bramd' (--block-on); the columns are id, text, brand, n",
                      self.dedup(self.db.uri("offers"), "--block-on", "bramd", "-o", "kept.jsonl", code=1).stderr)

    def test_protected_rows(self):
        rows = [(i, "one two three four five six seven", "gold" if i == 3 else None, i * 2) for i in range(1, 6)]
        self.db.create("kinds", {"id": self.db.integer + " PRIMARY KEY", "text": self.db.text, "kind": self.db.key_text, "n": self.db.integer}, rows)
        for rule, kept in {"kind=gold": [3], "n=8,kind=gold": [3, 4], "n=7": [1]}.items():
            self.dedup(self.db.uri("kinds"), "--protect", rule, "-o", "kept.jsonl")
            self.assertEqual([record["id"] for record in self.records("kept.jsonl")], kept)
        self.assertIn("there is no column 'kinds' (--protect); the columns are id, text, kind, n",
                      self.dedup(self.db.uri("kinds"), "--protect", "kinds=gold", "-o", "kept.jsonl", code=1).stderr)

    def test_keys_of_text_and_uuid(self):
        names = ["a", "A", "ä", "Z", "z", "", " ", "a ", "10", "9", "中", "文", "\U0001F600", "'", "\\", "%", "_"]
        rows = [(str(uuid.UUID(int=i * 7919 << 64 | i)), f"document number {i} of {i * i} is not like any other at all {i * 31}") for i in range(300)]
        self.db.create("by_uuid", {"id": self.uuid_type + " PRIMARY KEY", "text": self.db.text}, rows)
        self.dedup(self.db.uri("by_uuid"), "-o", self.db.uri("result"), "--verdicts", "v.jsonl")
        self.assertEqual(self.db.run("SELECT id, text FROM result ORDER BY id"), self.db.run("SELECT id, text FROM by_uuid ORDER BY id"))
        kind = self.db.key_text + (" COLLATE utf8mb4_nopad_bin" if self.db.name == "MariaDB" else "")
        texts = [(name, f"document {i} tells of {i * 17} things that no other one tells of, and of {i} more") for i, name in enumerate(names)]
        self.db.create("by_name", {"id": kind + " PRIMARY KEY", "text": self.db.text}, texts)
        self.dedup(self.db.uri("by_name"), "-o", "names.jsonl")
        self.assertEqual({(record["id"], record["text"]) for record in self.records("names.jsonl")}, set(texts))

    def test_keys_that_are_none(self):
        self.db.create("loose", {"id": self.db.integer, "name": self.db.key_text, "text": self.db.text},
                       [(1, "a", "one text"), (2, "b", "two texts"), (None, "b", "three texts")])
        self.assertIn("no primary key; name a column with unique values by --key", self.dedup(self.db.uri("loose"), "-o", "x", code=1).stderr)
        self.assertIn("'id' is NULL in some rows", self.dedup(self.db.uri("loose"), "--key", "id", "-o", "x", code=1).stderr)
        self.assertIn("several rows have the key 'name' = \"b\"", self.dedup(self.db.uri("loose"), "--key", "name", "-o", "x", code=1).stderr)
        self.dedup(self.db.uri("loose"), "--key", "text", "-o", "kept.jsonl")
        self.assertEqual([record["text"] for record in self.records("kept.jsonl")], ["one text", "three texts", "two texts"])

    def test_names_that_are_hostile(self):
        evil = "x'; DROP TABLE docs; -- \"` é.1"
        columns = {"k\"`']": self.db.integer + " PRIMARY KEY", "te;xt\" OR 1=1": self.db.text}
        rows = self.fill(rows=corpus()[:60])
        self.db.create(evil, columns, rows)
        table = '"' + evil.replace('"', '""') + '"'
        out = '"' + evil.replace('"', '""') + ' out"'
        self.dedup(self.db.uri(table), "--text-field", "te;xt\" OR 1=1", "-o", self.db.uri(out), "--annotate", self.db.uri(table))
        self.assertEqual(self.db.count("docs"), 60)
        self.assertEqual(self.db.count(evil), 60)
        self.assertEqual(self.db.count(evil + " out"), len(self.kept_of(rows)))
        for bad in ("docs; DROP TABLE docs", "docs WHERE 1=1", "docs\" --"):
            self.dedup(self.db.uri(bad), "-o", "x.jsonl", code=1)
        self.dedup(self.db.uri(query="SELECT 1; DROP TABLE docs"), "--key", "id", "-o", "x.jsonl", code=1)
        self.dedup(self.db.uri("docs"), "--where", "1=1); DROP TABLE docs; --", "-o", "x.jsonl", code=2)
        self.assertEqual(self.db.count("docs"), 60)

    def test_missing_things_are_named(self):
        self.fill(rows=corpus()[:5])
        self.assertIn("no table", self.dedup(self.db.uri("nothing"), "-o", "x", code=1).stderr)
        missing = self.dedup(self.db.uri("docs"), "--text-field", "body", "-o", "x", code=1).stderr
        self.assertIn("'body'", missing)
        self.assertIn("id, text", missing)
        self.assertIn("'who'", self.dedup(self.db.uri("docs"), "--id-field", "who", "-o", "x", code=1).stderr)
        self.assertIn("no column 'nokey'", self.dedup(self.db.uri("docs"), "--key", "nokey", "-o", "x", code=1).stderr)
        self.assertIn("table=", self.dedup(self.db.uri(), "-o", "x", code=2).stderr)
        self.assertFalse(self.path("x").exists())
