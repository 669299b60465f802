"""The blocks `sh server` of docs/mongodb.md and docs/zh/mongodb.md, run in order with the blocks `sh test` between them, against the server."""
import importlib.util
import json
import os
import pathlib
import re
import shlex

from harness import BINARY
from mongo_case import MongoCase

ROOT = pathlib.Path(os.environ["NEARDUP_SOURCE_DIR"])
URI = re.compile(r"mongodb://localhost/(?:bank|shop)\.(\w+)")


def load_check_docs():
    spec = importlib.util.spec_from_file_location("check_docs", ROOT / "scripts" / "check_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_docs = load_check_docs()


class MongodbDocs(MongoCase):
    def run_page(self, name, before_server):
        """Runs the page; calls before_server() before the first block that needs the server. Returns the number of such blocks."""
        path = os.pathsep.join([str(pathlib.Path(BINARY).resolve().parent), os.environ["PATH"]])
        environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        shell = check_docs.Shell(self.dir, self.path("shell-state"), environment)
        previous, servers = None, 0
        for number, info, block in check_docs.split((ROOT / name).read_text(encoding="utf-8")):
            problem = None
            if info in ("sh test", "sh server"):
                if info == "sh server" and not servers:
                    before_server()
                servers += info == "sh server"
                problem = shell.run(URI.sub(lambda found: shlex.quote(self.uri(found[1])), block))
            elif info == "text" and previous in ("sh test", "sh server"):
                problem = check_docs.sample_problem(block, shell.printed)
            self.assertIsNone(problem, f"{name}:{number}")
            previous = info if info is not None or block.strip() else previous
        return servers

    def test_english(self):
        def insert():
            for number, text in enumerate(("one text about cats and their kittens", "one text about cats and their kittens", "another about dogs")):
                self.db.pages.insert_one({"_id": number, "data": text, "text": text, "title": text, "page": {"body": text}, "lang": "zh", "year": 2024})
        self.assertEqual(self.run_page("docs/mongodb.md", insert), 3)
        self.assertEqual(self.ids("pages"), [0, 2])
        self.assertEqual(self.ids("removed"), [1])
        self.assertEqual(sorted(self.all("questions")[0]), ["_id", "hash_value", "old_id", "ques"])

    def test_chinese(self):
        def insert():
            lines = pathlib.Path(self.path("pages.jsonl")).read_text(encoding="utf-8").splitlines()
            self.db.pages.insert_many(map(json.loads, lines))
        self.assertEqual(self.run_page("docs/zh/mongodb.md", insert), 4)
        self.assertEqual(self.ids("questions"), [1, 3, 4, 6])
        self.assertTrue(all(isinstance(document["hash_value"], int) for document in self.all("questions")))
        self.assertEqual([document["neardup_verdict"] for document in self.all("pages")], ["keep", "remove", "keep", "keep"])


if __name__ == "__main__":
    import unittest
    unittest.main()
