"""neardup serve: the verdicts are those of `neardup dedup` and `neardup store check`, for single checks, batches and many clients at once."""
import concurrent.futures
import json
import unittest

from server_case import ServerCase, documents, make_texts


class Verdicts(ServerCase):
    RULES = [({"recipe": "words-5"}, ("--recipe", "words-5"), {}),
             ({"recipe": "chars-5", "threshold": 0.6, "min_length": 40}, ("--recipe", "chars-5", "--threshold", "0.6", "--min-length", 40), {"chinese": True}),
             ({"recipe": "simhash-words-3", "max_distance": 6}, ("--recipe", "simhash-words-3", "--max-distance", 6), {})]

    def of_dedup(self, name, options):
        if "--max-distance" not in options:
            options = (*options, "--max-candidates", 0)
        self.neardup("dedup", name, *options, "--verdicts", "batch.jsonl", "-q")
        return [self.decision(line) for line in self.records("batch.jsonl")]

    def decision(self, line):
        """What a store and a batch run say in the same words: which kept documents are keepers is known only afterwards."""
        return line["id"], line["verdict"], line["verdict"] == "remove" and line["reason"], line["keeper_id"], line["similarity"]

    def of_store(self, name, options):
        """The lines of a fresh store."""
        folder = f"store-{len(list(self.dir.iterdir()))}"
        self.neardup("store", "build", folder, *options, "-q")
        self.neardup("store", "check", folder, name, "-o", f"{folder}.jsonl", "-q")
        return self.records(f"{folder}.jsonl")

    def test_singly_and_in_batches(self):
        server = self.serve("--data", "data")
        for number, (rule, options, shape) in enumerate(self.RULES):
            sent = documents(number, **shape)
            name = self.write(f"c{number}.jsonl", sent)
            of_store = self.of_store(name, options)
            of_dedup = self.of_dedup(name, options)
            self.assertGreater(sum(line[1] == "remove" for line in of_dedup), 5)
            for batch in (None, 1, 7, 256):
                with self.subTest(rule=rule, batch=batch), server.client() as client:
                    store = f"s{number}-{batch}"
                    self.assert_status(client.call("PUT", f"/v1/stores/{store}", rule), 201)
                    found = []
                    for begin in range(0, len(sent), batch or 1):
                        if batch is None:
                            found.append(client.call("POST", f"/v1/stores/{store}/check", sent[begin]).json())
                        else:
                            found += client.call("POST", f"/v1/stores/{store}/check-batch", sent[begin:begin + batch]).lines()
                    self.assertEqual(found, of_store)
                    self.assertEqual([self.decision(line) for line in found], of_dedup)
                    # Asking gives what a check would, and changes nothing.
                    asked = client.call("POST", f"/v1/stores/{store}/query-batch", sent).lines()
                    for line, before, document in zip(asked, found, sent, strict=True):
                        self.assertNotIn("sequence", line)
                        if before["verdict"] == "remove":
                            self.assertEqual(self.decision(line), self.decision(before))
                        one = client.call("POST", f"/v1/stores/{store}/query", document).json()
                        self.assertEqual(one, line)

    def test_eight_clients_at_once(self):
        """Their order is that of the sequences: one client that sends the kept documents in it, and asks about the others, gets the same answers."""
        server = self.serve("--data", "data")
        for store in ("many", "one"):
            self.assert_status(server.call("PUT", f"/v1/stores/{store}", {}), 201)
        texts = [text for seed in range(8) for text in make_texts(seed % 4 + 20)]  # each twice
        parts = [[{"id": f"c{number}-{at}", "text": text} for at, text in enumerate(texts[number::8] + texts[(number + 3) % 8::8])] for number in range(8)]

        def send(number):
            found = []
            with server.client() as client:
                mine = parts[number]
                while mine:
                    some, mine = (mine[:1], mine[1:]) if len(mine) % 3 else (mine[:7], mine[7:])
                    if len(some) == 1:
                        found.append(client.call("POST", "/v1/stores/many/check", some[0]).json())
                    else:
                        found += client.call("POST", "/v1/stores/many/check-batch", some).lines()
            return found

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = [line for lines in pool.map(send, range(8)) for line in lines]
        text_of = {document["id"]: document["text"] for part in parts for document in part}
        kept = sorted((line for line in answers if line["verdict"] == "keep"), key=lambda line: line["sequence"])
        removed = [line for line in answers if line["verdict"] == "remove"]
        self.assertEqual(len(kept) + len(removed), sum(map(len, parts)))
        self.assertGreater(len(removed), len(kept))
        again = server.call("POST", "/v1/stores/one/check-batch", [{"id": line["id"], "text": text_of[line["id"]]} for line in kept]).lines()
        self.assertEqual([line | {"sequence": None} for line in again], [line | {"sequence": None} for line in kept])
        asked = server.call("POST", "/v1/stores/one/query-batch", [{"id": line["id"], "text": text_of[line["id"]]} for line in removed]).lines()
        sequences = {line["id"]: line["sequence"] for line in kept}
        for line, before in zip(asked, removed, strict=True):
            self.assertEqual(before.pop("sequence"), sequences[before["keeper_id"]])
            self.assertEqual(line, before)
        # A batch run of the kept ones removes none.
        name = self.write("kept.jsonl", [{"id": line["id"], "text": text_of[line["id"]]} for line in kept])
        self.assertEqual({line[1] for line in self.of_dedup(name, ())}, {"keep"})

    def test_the_same_after_a_restart(self):
        sent = documents(5)
        of_store = self.of_store(self.write("c.jsonl", sent), ())
        found = []
        for begin in range(0, len(sent), 20):
            server = self.serve_new()
            found += server.call("POST", "/v1/stores/seen/check-batch", sent[begin:begin + 20]).lines()
            self.assertEqual(server.stop(), 0)
        self.assertEqual(found, of_store)
        exported = self.neardup("store", "export", "data/seen", "-o", "-", "-q").stdout.splitlines()
        self.assertEqual([json.loads(line)["id"] for line in exported], [line["id"] for line in found if line["verdict"] == "keep"])


if __name__ == "__main__":
    unittest.main()
