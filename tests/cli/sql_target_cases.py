"""Tables as outputs: the cases of every kind of database."""
import json

from sql_databases import EMOJI, corpus


class TargetCases:
    def test_repeating_refusing_appending_replacing(self):
        rows = self.fill()
        kept = self.kept_of(rows)
        out = self.db.uri("kept")
        self.dedup(self.db.uri("docs"), "-o", out)
        self.assertEqual(self.ids("kept"), kept)
        refused = self.dedup(self.db.uri("docs"), "-o", out, code=1)
        self.assertIn("already has rows", refused.stderr)
        self.dedup(self.db.uri("docs"), "-o", out, "--append")
        self.assertEqual(self.ids("kept"), kept)
        self.dedup(self.db.uri("docs"), "-o", out, "--replace", "--where", "id < 100")
        self.assertEqual(self.ids("kept"), [key for key in kept if key < 100])
        self.dedup(self.db.uri("docs"), "-o", out, "--append")
        self.assertEqual(self.ids("kept"), kept)
        self.db.run(f"UPDATE kept SET text = 'another' WHERE id = {kept[3]}")
        refused = self.dedup(self.db.uri("docs"), "-o", out, "--append", code=1)
        self.assertIn(f"id = {kept[3]}", refused.stderr)
        self.assertEqual(self.db.tables(), {"docs", "kept"}, "nothing is left behind")

    def test_verdicts_and_annotations(self):
        rows = self.fill()
        kept = set(self.kept_of(rows))
        self.dedup(self.db.uri("docs"), "--verdicts", self.db.uri("verdicts"), "--annotate", self.db.uri("annotated"))
        found = self.db.run("SELECT id, row, verdict, keeper_id, similarity FROM verdicts ORDER BY row".replace("row", self.db.quote("row")))
        self.assertEqual([(int(row[0]), int(row[1]), row[2]) for row in found],
                         [(key, i, "keep" if key in kept else "remove") for i, (key, _) in enumerate(rows, 1)])
        self.assertTrue(all(int(row[3]) in kept and float(row[4]) >= 0.8 for row in found if row[2] == "remove"))
        for _ in range(2):  # the second time the columns exist
            self.dedup(self.db.uri("docs"), "--annotate", self.db.uri("docs"))
            for table in ("docs", "annotated"):
                found = self.db.run(f"SELECT id, neardup_verdict, text FROM {table} ORDER BY id")
                self.assertEqual([(int(row[0]), row[1]) for row in found], [(key, "keep" if key in kept else "remove") for key, _ in rows])
            self.db.run("UPDATE docs SET neardup_verdict = 'old'")
        self.assertEqual(self.db.tables(), {"docs", "verdicts", "annotated"})

    def test_chosen_and_computed_fields(self):
        rows = self.fill()
        kept = self.kept_of(rows)
        texts = dict(rows)
        places = {key: place for place, (key, _) in enumerate(rows, 1)}
        columns = "ques, old_id, place"
        self.dedup(self.db.uri("docs"), "--fields", "ques=$text,old_id=id,place=$row", "-o", self.db.uri("chosen"))
        found = self.db.run(f"SELECT {columns} FROM chosen ORDER BY old_id")
        self.assertEqual([(row[0], int(row[1]), int(row[2])) for row in found], [(texts[key], key, places[key]) for key in kept])
        self.dedup(self.db.uri("chosen"), "--text-field", "ques", "-o", "chosen.jsonl")
        self.assertEqual({name for record in self.records("chosen.jsonl") for name in record}, {"ques", "old_id", "place"})
        self.dedup(self.db.uri("docs"), "--fields", "id=$row,text=text,again=text", "-o", self.db.uri("numbered"))
        self.assertEqual([(int(row[0]), row[1]) for row in self.db.run("SELECT id, again FROM numbered ORDER BY id")],
                         [(places[key], texts[key]) for key in kept])
        self.dedup(self.db.uri("docs"), "--fields", "ques=$text", "-o", self.db.uri("bare"))
        self.assertEqual(self.db.count("bare"), len(kept))

    def test_the_input_is_not_an_output(self):
        rows = self.fill()
        for option in ("--append", "--replace"):
            refused = self.dedup(self.db.uri("docs"), "-o", self.db.uri("docs"), option, code=2)
            self.assertIn("the output is also an input", refused.stderr)
        self.assertEqual(self.db.count("docs"), len(rows))
        same = self.dedup(self.db.uri("docs"), "-o", self.db.uri("result"), "--removed", self.db.uri("result"), code=2)
        self.assertIn("two outputs are the same", same.stderr)

    def test_long_names_do_not_meet(self):
        name = "n" * 63
        self.db.create(name, {"id": self.db.integer + " PRIMARY KEY", "text": self.db.text}, [(1, "stays here")])
        rows = self.fill(rows=corpus()[:20])
        self.assertIn("already has rows", self.dedup(self.db.uri("docs"), "-o", self.db.uri(name), code=1).stderr)
        self.assertEqual(self.db.count(name), 1)
        self.dedup(self.db.uri("docs"), "-o", self.db.uri(name), "--replace")
        self.assertEqual(self.ids(name), self.kept_of(rows))
        self.assertEqual(self.db.tables(), {"docs", name})

    def test_lines_of_any_shape_become_rows(self):
        records = [{"id": 1, "text": "first text " + EMOJI, "n": 1, "flag": True, "late": None, "mix": 5, "deep": {"a": [1, None, "中"]}},
                   {"id": 2, "text": "second words, quite other ones", "n": 2.5, "flag": False, "late": None, "mix": "five", "deep": [1]},
                   {"id": 9007199254740993, "text": "third text of many things", "n": None, "more": "added", "late": 3, "big": 12345678901234567890123}]
        self.write("in.jsonl", records)
        self.dedup("in.jsonl", "-o", self.db.uri("result"))
        self.dedup(self.db.uri("result"), "-o", "back.jsonl")
        back = {record["id"]: record for record in self.records("back.jsonl")}
        self.assertEqual(set(back), {1, 2, 9007199254740993})
        for record in records:
            for name in ("text", "n", "late", "more"):
                self.assertEqual(back[record["id"]][name], record.get(name), name)
        self.assertIn(back[1]["mix"], (5, "5"))
        self.assertEqual(back[2]["mix"], "five")
        self.assertEqual(str(back[9007199254740993]["big"]), "12345678901234567890123")
        self.assertEqual([bool(back[1]["flag"]), bool(back[2]["flag"])], [True, False])
        deep = back[1]["deep"]
        self.assertEqual(json.loads(deep) if isinstance(deep, str) else deep, {"a": [1, None, "中"]})
        self.write("twice.jsonl", [{"id": 5, "text": "one text"}, {"id": 6, "text": "two others"}, {"id": 5, "text": "something else here"}])
        self.assertIn("two rows have the key id = 5", self.dedup("twice.jsonl", "-o", self.db.uri("twice"), code=1).stderr)
        self.write("none.jsonl", [{"id": 5, "text": "one text"}, {"text": "two others"}])
        self.assertIn("a row has no 'id'", self.dedup("none.jsonl", "-o", self.db.uri("twice"), code=1).stderr)
        self.assertEqual(self.db.tables(), {"result"})

    def test_empty_tables(self):
        self.fill(rows=[])
        self.dedup(self.db.uri("docs"), "-o", self.db.uri("result"), "--verdicts", self.db.uri("v"))
        self.assertEqual((self.db.count("result"), self.db.count("v")), (0, 0))
        self.fill("full", corpus()[:12])
        self.dedup(self.db.uri("full"), "-o", self.db.uri("result"))  # a table without rows is filled
        self.assertEqual(self.ids("result"), self.kept_of(corpus()[:12]))

    def test_a_table_of_ones_own_keeps_its_types_and_defaults(self):
        number = {"SQLite": "INTEGER PRIMARY KEY", "MariaDB": "BIGINT AUTO_INCREMENT PRIMARY KEY", "PostgreSQL": "serial PRIMARY KEY"}[self.db.name]
        word = self.db.key_text
        self.db.create("own", {"nr": number, "id": word, "state": word + " NOT NULL DEFAULT 'new'", "text": self.db.text}, [])
        self.write("in.jsonl", [{"text": "first of the texts", "id": 5}, {"text": "second, which is other"}, {"id": "x", "text": "a third without rival"}])
        self.dedup("in.jsonl", "-o", self.db.uri("own"))
        null = None if self.db.name == "SQLite" else {"MariaDB": "NULL", "PostgreSQL": ""}[self.db.name]
        self.assertEqual(self.db.run("SELECT state, text, id FROM own ORDER BY nr"),
                         [("new", "first of the texts", "5"), ("new", "second, which is other", null), ("new", "a third without rival", "x")])
        self.assertIn("'nr'", self.dedup("in.jsonl", "-o", self.db.uri("own"), "--append", code=1).stderr)
        self.write("more.jsonl", [{"id": 7, "text": "one more", "color": "red"}])
        self.db.run("DELETE FROM own")
        self.assertIn("no column 'color'", self.dedup("more.jsonl", "-o", self.db.uri("own"), code=1).stderr)

    def test_text_with_zero_bytes(self):
        self.write("in.jsonl", [{"id": 1, "text": "zero \0 byte"}, {"id": 2, "text": "nothing of the kind at all"}])
        if self.db.name == "PostgreSQL":
            self.assertIn("zero byte", self.dedup("in.jsonl", "-o", self.db.uri("result"), code=1).stderr)
            return
        self.dedup("in.jsonl", "-o", self.db.uri("result"))
        self.dedup(self.db.uri("result"), "-o", "back.jsonl")
        self.assertEqual(self.records("back.jsonl")[0], {"id": 1, "text": "zero \0 byte"})
