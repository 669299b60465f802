"""A run between two collections of MongoDB resumes after any interruption of the run or the server."""
import signal
import subprocess
import time
import unittest

import mongo_server
import needs
from harness import BINARY, CliTest
from pair_corpus import make_documents


class ResumedFromMongo(CliTest):
    """A run with a checkpoint directory between two collections of a private server, which is killed: it ends, and resumes when the server is back."""

    FAMILIES = 1000

    def setUp(self):
        super().setUp()
        needs.stop_if(mongo_server.unavailable())
        import pymongo
        self.server = mongo_server.MongoServer(self.path("server"))
        self.addCleanup(self.server.stop)
        self.client = pymongo.MongoClient(self.server.uri, serverSelectionTimeoutMS=20000)
        self.addCleanup(self.client.close)
        documents = [{"_id": d["id"], "text": d["text"], "n": d["n"]} for d in make_documents(6, self.FAMILIES)]
        self.client.corpus.docs.insert_many(documents)
        self.write("docs.jsonl", documents)
        self.neardup("dedup", "docs.jsonl", "--id-field", "_id", "-o", "kept.jsonl", "--max-rejects", "100%", "-q")
        self.expected = self.records("kept.jsonl")
        self.count = len(documents)
        self.rejected = sum(document["text"] is None for document in documents)
        self.restart()  # what is stored is on the disk
        self.run_words = ["dedup", self.uri("docs"), "-o", self.uri("kept"), "--rejects", "rejects.jsonl", "--work", "work", "--max-rejects", "100%"]
        self.partial = self.client.corpus["kept.neardup-partial"]

    def uri(self, name):
        return f"{self.server.uri}/corpus.{name}?serverSelectionTimeoutMS=1000"

    def restart(self):
        self.server.stop()
        self.server.start()

    def start(self, *words):
        return subprocess.Popen([BINARY, *words], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def until(self, process, happened):
        deadline = time.monotonic() + 60
        while not happened():
            self.assertIsNone(process.poll(), "it ended too early")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)

    def test_run_killed_then_server_killed(self):
        process = self.start(*self.run_words)
        self.until(process, lambda: any(self.path("work").glob("sketch-*.part")))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.server.kill()
        self.server.start()
        process = self.start("dedup", "--resume", "work")
        self.until(process, lambda: self.partial.estimated_document_count() >= 200)
        self.server.kill()
        said = process.communicate(timeout=100)[1].decode("utf-8")
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("neardup dedup --resume work", said)
        self.assertFalse(self.path("rejects.jsonl").exists())
        self.server.start()
        self.assertNotIn("kept", self.client.corpus.list_collection_names(), "nothing appears before it is complete")
        self.neardup("dedup", "--resume", "work", "-q")
        self.assertEqual(list(self.client.corpus.kept.find().sort("_id", 1)), self.expected)
        self.assertEqual(self.client.corpus.docs.count_documents({}), self.count)
        self.assertEqual(sorted(self.client.corpus.list_collection_names()), ["docs", "kept"])
        self.assertEqual(len(self.records("rejects.jsonl")), self.rejected)


if __name__ == "__main__":
    unittest.main()
