"""neardup serve: checks, queries, explanations and stored documents. Each answer is judged by the description, too (contract.py)."""
import json
import time
import unittest

from server_case import NEAR, NEWER, OTHER, TEXT, ServerCase, quoted

YEAR_2100 = 4_102_444_800_000
ODD_IDS = ["a/b", "..", ".", "100%", "%2F", "a?b#c", "naïve café", "书库", "\U0001f600", '"quoted"', "back\\slash", "a b", " ", "a+b", "a&b=c", "x\ny",
           "\u0000", "a;b", "{id}"]


class Checks(ServerCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve_new()

    def check(self, name, text, status=200, **members):
        return self.assert_status(self.server.check("seen", name, text, **members), status)

    def verdict(self, *arguments, **members):
        line = self.check(*arguments, **members).json()
        return line["verdict"], line["reason"], line["keeper_id"]

    def test_what_is_sent_again(self):
        first = self.check("a", TEXT).json()
        again = self.check("a", f"  {TEXT.upper()} ").json()
        self.assertEqual(again, first | {"reason": "repeated"})
        self.assertEqual(self.verdict("b", NEAR), ("remove", "near_duplicate", "a"))
        self.assertEqual(self.verdict("b", NEAR), ("remove", "near_duplicate", "a"))
        self.assertEqual(self.verdict("b", TEXT.title()), ("remove", "exact_copy", "a"))
        answer = self.check("a", OTHER, status=409)
        self.assertIn("the id 'a' has another text", answer.json()["detail"])
        self.assertEqual(self.verdict("a", OTHER, replace=True), ("keep", "unique", None))
        self.assertEqual(self.verdict("b", NEAR), ("keep", "unique", None))  # what it repeats was replaced

    def test_lines_that_cannot_be_used(self):
        lines = [b'{"id":"a","text":"' + TEXT.encode() + b'","url":"https://example.org","n":[1,{}]}', b"no JSON", b"[1]", b'{"id":"c"}', b'{"text":"x"}', b"",
                 b" \r", b'{"id":"","text":"x"}', b'{"id":[],"text":"x"}', b'{"id":"d","text":"x","replace":1}', b'{"id":"a","text":"' + OTHER.encode() + b'"}',
                 b'{"id":"\xff","text":"x"}', b'{"id":"e","text":"\\ud800"}', b'{"id":"f","text":"' + NEAR.encode() + b'"}\r', b'{"id":"g","text":"' + OTHER.encode()
                 + b'"}']
        answer = self.server.call("POST", "/v1/stores/seen/check-batch", b"\n".join(lines))
        found = answer.lines()
        self.assertEqual([line["verdict"] for line in found], ["keep"] + [None] * 10 + ["remove", "keep"])
        self.assertEqual([line["id"] for line in found], ["a", None, None, "c", None, None, None, "d", "a", None, None, "f", "g"])
        problems = [line.get("problem") for line in found]
        for number, part in ((1, "line 2: "), (3, 'line 4: "text" is missing'), (4, 'line 5: "id" is missing'), (5, "line 8: "), (6, 'line 9: "id": expected a string or an integer'),
                             (7, '"replace": expected true or false, not 1'), (8, "the id 'a' has another text"), (9, "line 12: "), (10, "line 13: ")):
            self.assertIn(part, problems[number])
        asked = self.server.call("POST", "/v1/stores/seen/query-batch", [{"text": NEAR}, {"id": "x", "text": TEXT}, {"id": "y"}]).lines()
        self.assertEqual([(line["id"], line["verdict"]) for line in asked], [(None, "remove"), ("x", "remove"), ("y", None)])
        for call in ("check-batch", "query-batch"):
            self.assertEqual(self.server.call("POST", f"/v1/stores/seen/{call}", b"").body, b"")
            self.assertEqual(self.server.call("POST", f"/v1/stores/seen/{call}", b"\n\n").body, b"")

    def test_numbers_as_ids(self):
        self.assertEqual(self.check(7, TEXT).json()["id"], "7")
        self.assertEqual(self.verdict("7", TEXT), ("keep", "repeated", None))
        self.assertEqual(self.verdict(-(2**53 - 1), NEAR), ("remove", "near_duplicate", "7"))
        self.assertEqual(self.server.call("POST", "/v1/stores/seen/check-batch", [{"id": 8, "text": NEAR}]).lines()[0]["id"], "8")
        large = self.server.call("POST", "/v1/stores/seen/check-batch", [{"id": 2**64 - number, "text": NEAR} for number in range(1, 100)]).lines()
        self.assertEqual([line["id"] for line in large], [str(2**64 - number) for number in range(1, 100)])
        self.assertEqual(self.server.call("POST", "/v1/stores/seen/query", {"id": 9, "text": NEAR}).json()["id"], "9")
        self.assertEqual(self.verdict(7.0, TEXT), ("keep", "repeated", None))
        for number in (2**64 - 1, -2**63, 2**53 + 1):
            self.assertEqual(self.check(number, NEAR).json()["id"], str(number))
        for number in (1.5, 2**64, -2**63 - 1, 1e300):
            self.assert_status(self.server.check("seen", number, TEXT), 400, '"id": expected a string or an integer')

    def test_members_of_one_check(self):
        for body, parts in (({"id": "a"}, ('"text" is missing',)), ({"text": "x"}, ('"id" is missing',)),
                            ({"id": "a", "text": "x", "url": "y"}, ('"url" is not known here', '"replace"')),
                            ({"id": "", "text": "x"}, ('"id": expected an id of 1 to 65535 bytes',)),
                            ({"id": "x" * 65_536, "text": "x"}, ("1 to 65535 bytes, not of 65536",)),
                            ({"id": "书" * 21_846, "text": "x"}, ("not of 65538",)),
                            ({"id": "a", "text": "x", "expires": -1}, ('"expires": expected an integer from 0 to 4102444800000, not -1',)),
                            ({"id": "a", "text": "x", "expires": 1.5}, ('"expires"',)), ({"id": "a", "text": "x", "touch": None}, ('"touch"',)),
                            ({"id": "a", "text": ["x"]}, ('"text": expected a string',))):
            with self.subTest(body=str(body)[:80]):
                self.assert_status(self.server.call("POST", "/v1/stores/seen/check", body), 400, *parts)
        for body, part in ((b"", "not JSON"), (b"{", "not JSON"), (b"[]", "expected a JSON object"), (b'{"id":"a","text":"x"} x', "not JSON"),
                           (b'{"id":"a","text":"\xff"}', "not JSON"), (b"[" * 10_000, "not JSON"), (b'"' + b"x" * 1000 + b'"', "expected a JSON object")):
            with self.subTest(body=body[:40]):
                self.assert_status(self.server.call("POST", "/v1/stores/seen/check", body, {"Content-Type": "application/json"}), 400, part)
        self.assertEqual(self.server.call("GET", "/v1/stores/seen").json()["documents"], 0)
        self.assertEqual(self.check("a", "").json()["reason"], "short")
        self.assertEqual(self.check("b", TEXT, expires=5.0e12 / 5).json()["verdict"], "keep")

    def test_explain(self):
        self.check("a", TEXT)
        line = self.check("b", NEAR, explain=True).json()
        self.assertEqual([passage["text"] for passage in line["passages"]], [TEXT])
        self.assertEqual(line["passages"][0]["tokens"], len(TEXT.split()))
        asked = self.server.call("POST", "/v1/stores/seen/query", {"text": NEAR, "explain": True}).json()
        self.assertEqual(asked["passages"], line["passages"])
        self.assertIsNone(asked["id"])
        self.assertNotIn("passages", self.check("c", OTHER, explain=True).json())
        # Of two texts: what `neardup explain` finds.
        self.write("pair.jsonl", [{"id": "a", "text": TEXT}, {"id": "x", "text": NEAR}])
        judged = json.loads(self.neardup("explain", "pair.jsonl", "--ids", "a", "x", "--json", code=None).stdout or b"{}")
        found = self.server.call("POST", "/v1/stores/seen/explain", {"text": NEAR, "document": "a"}).json()
        self.assertTrue(found["match"])
        self.assertFalse(found["exact_copy"])
        self.assertEqual(found["tokens"], [len(NEAR.split()), len(TEXT.split())])
        self.assertEqual(found["common"], len(TEXT.split()) - 4)
        self.assertAlmostEqual(found["similarity"], found["common"] / (found["features"][0] + found["features"][1] - found["common"]), 6)
        self.assertEqual(found["similarity"], line["similarity"])
        if "jaccard" in judged:
            self.assertAlmostEqual(judged["jaccard"], found["similarity"], 6)
        found = self.server.call("POST", "/v1/stores/seen/explain", {"other": "c", "document": "a"}).json()
        self.assertEqual((found["match"], found["common"], found["passages"]), (False, 0, []))
        explain = "/v1/stores/seen/explain"
        self.assert_status(self.server.call("POST", explain, {"other": "x", "document": "a"}), 404, "no document of the store has the id 'x'")
        self.assert_status(self.server.call("POST", explain, {"text": "x", "document": "y"}), 404, "'y'")
        for body in ({"document": "a"}, {"text": "x", "other": "c", "document": "a"}, {"text": "x"}, {"text": "x", "document": ""}):
            self.assert_status(self.server.call("POST", explain, body), 400)

    def test_explain_without_texts_and_of_fingerprints(self):
        self.assert_status(self.server.call("PUT", "/v1/stores/bare", {"texts": False}), 201)
        self.server.check("bare", "a", TEXT)
        self.assertNotIn("passages", self.assert_status(self.server.check("bare", "b", NEAR, explain=True), 200).json())
        self.assertIsNone(self.server.call("GET", "/v1/stores/bare/documents/a").json()["text"])
        self.assert_status(self.server.call("POST", "/v1/stores/bare/explain", {"text": NEAR, "document": "a"}), 422, "the store keeps no texts")
        self.assert_status(self.server.call("PUT", "/v1/stores/bits", {"recipe": "simhash-words-3", "max_distance": 20}), 201)
        self.server.check("bits", "a", TEXT)
        line = self.server.check("bits", "b", NEAR).json()
        found = self.server.call("POST", "/v1/stores/bits/explain", {"text": NEAR, "document": "a"}).json()
        self.assertEqual((line["verdict"], found["match"]), ("remove", True))
        self.assertEqual(found["similarity"], line["similarity"])
        self.assertAlmostEqual(found["similarity"], 1 - found["distance"] / 64, 6)

    def test_expiry(self):
        now = int(time.time() * 1000)
        self.check("gone", TEXT, expires=now + 1)
        self.check("later", OTHER, expires=YEAR_2100)
        time.sleep(0.01)
        self.assertEqual(self.verdict("b", NEAR)[0], "keep")
        self.assertEqual(self.server.call("GET", "/v1/stores/seen/documents/later").json()["expires"], YEAR_2100)
        self.assertIsNone(self.server.call("GET", "/v1/stores/seen/documents/b").json()["expires"])
        self.assert_status(self.server.call("GET", "/v1/stores/seen/documents/gone"), 404)
        day = 86_400_000
        self.assert_status(self.server.call("PUT", "/v1/stores/window", {"ttl": day}), 201)

        def expires():
            return self.server.call("GET", "/v1/stores/window/documents/a").json()["expires"]

        self.server.check("window", "a", TEXT)
        before = expires()
        self.assertGreaterEqual(before, now + day)
        time.sleep(0.005)
        self.server.check("window", "b", NEAR)
        self.assertEqual(expires(), before)
        self.assertEqual(self.server.check("window", "b", NEAR, touch=True).json()["keeper_id"], "a")
        self.assertGreater(expires(), before)
        self.assert_status(self.server.call("PUT", "/v1/stores/short", {"ttl": 1}), 201)
        self.server.check("short", "a", TEXT)
        time.sleep(0.01)
        self.assertEqual(self.server.check("short", "b", TEXT).json()["verdict"], "keep")


class Documents(ServerCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve_new()

    def page(self, query=""):
        return self.assert_status(self.server.call("GET", f"/v1/stores/seen/documents{query}"), 200).json()

    def test_pages(self):
        self.assertEqual(self.page(), {"documents": [], "next": None})
        sent = [{"id": f"d{number}", "text": f"{number} {TEXT}".replace(" ", f" {number}")} for number in range(23)]
        answers = self.server.call("POST", "/v1/stores/seen/check-batch", sent).lines()
        self.assertEqual({line["verdict"] for line in answers}, {"keep"})
        self.server.call("DELETE", "/v1/stores/seen/documents/d10")
        whole = self.page("?limit=1000")
        self.assertIsNone(whole["next"])
        self.assertEqual([document["id"] for document in whole["documents"]], [f"d{number}" for number in range(23) if number != 10])
        for limit in (1, 2, 11, 21, 22, 23):
            found, query = [], f"?limit={limit}"
            while query:
                page = self.page(query)
                self.assertLessEqual(len(page["documents"]), limit)
                found += page["documents"]
                query = page["next"] is not None and f"?limit={limit}&after={page['next']}"
            self.assertEqual(found, whole["documents"], limit)
        self.assertEqual(self.page("?after=0")["documents"], whole["documents"][1:])
        self.assertEqual(self.page(f"?after={2**53 - 1}"), {"documents": [], "next": None})
        for query in ("?limit=0", "?limit=1001", "?limit=x", "?limit=", "?limit=1&limit=1", "?after=-1", f"?after={2**53}", "?before=1", "?%6cimit=1"):
            self.assert_status(self.server.call("GET", f"/v1/stores/seen/documents{query}"), 400)
        one = self.server.call("GET", "/v1/stores/seen/documents/d3").json()
        self.assertEqual(one, whole["documents"][3] | {"text": sent[3]["text"]})
        self.assertAlmostEqual(one["time"] / 1000, time.time(), delta=300)

    def test_any_id(self):
        for number, name in enumerate(ODD_IDS):
            text = f"{number} {TEXT}".replace(" ", f" {number}")
            with self.subTest(id=name):
                path = f"/v1/stores/seen/documents/{quoted(name)}"
                self.assertEqual(self.server.check("seen", name, text).json()["id"], name)
                self.assertEqual(self.server.call("GET", path).json()["text"], text)
                line = self.server.check("seen", f"again{number}", text).json()
                self.assertEqual((line["verdict"], line["keeper_id"]), ("remove", name))
                cluster = self.server.call("GET", f"/v1/stores/seen/clusters/{quoted(name)}").json()
                self.assertEqual((cluster["keeper_id"], [one["id"] for one in cluster["duplicates"]]), (name, [f"again{number}"]))
                self.assertEqual(self.server.call("POST", "/v1/stores/seen/explain", {"other": name, "document": name}).json()["match"], True)
                self.assert_status(self.server.call("DELETE", path), 204)
                self.assert_status(self.server.call("DELETE", path), 404)
                self.assert_status(self.server.call("GET", path), 404)
        for path in ("a%", "a%2", "a%zz", "%"):
            self.assert_status(self.server.call("GET", f"/v1/stores/seen/documents/{path}"), 404)
        self.assert_status(self.server.call("GET", "/v1/stores/seen/documents/%ff%fe"), 404)

    def test_the_longest_id(self):
        for name in ("x" * 65_535, "书" * 21_845):
            self.assertEqual(self.server.check("seen", name, TEXT).json()["id"], name)
            line = self.server.check("seen", "b", NEAR).json()
            self.assertEqual(line["keeper_id"], name)
            self.assertEqual(self.page()["documents"][0]["id"], name)
            self.assertEqual(self.server.call("GET", "/v1/stores/seen/clusters").json()["clusters"][0]["keeper_id"], name)
            self.assertEqual(self.server.call("GET", f"/v1/stores/seen/documents/{quoted(name)}").status, 431)  # more than a head may have
            self.assertEqual(self.server.call("POST", "/v1/stores/seen/delete-batch", {"ids": [name]}).json(), {"deleted": [True]})
            self.assertEqual(self.page()["documents"], [])

    def test_deleting(self):
        self.server.check("seen", "a", TEXT)
        self.server.check("seen", "c", OTHER)
        self.assert_status(self.server.call("DELETE", "/v1/stores/seen/documents/a"), 204)
        self.assertEqual(self.server.check("seen", "b", NEAR).json()["verdict"], "keep")
        deleted = self.server.call("POST", "/v1/stores/seen/delete-batch", {"ids": ["b", "unknown", "c", "b"]}).json()["deleted"]
        self.assertEqual(deleted, [True, False, True, False])
        self.assertEqual(self.server.call("GET", "/v1/stores/seen").json()["documents"], 0)
        for ids in ([], ["x"] * 10_001, "x", [1], [""], ["x" * 65_536], None):
            self.assert_status(self.server.call("POST", "/v1/stores/seen/delete-batch", {"ids": ids}), 400, '"ids"')
        self.server.call("POST", "/v1/stores/seen/delete-batch", {"ids": ["x"] * 10_000})

    def test_clusters(self):
        clusters = "/v1/stores/seen/clusters"
        self.assertEqual(self.server.call("GET", clusters).json(), {"clusters": [], "remembered": 0})
        sequence = self.server.check("seen", "a", TEXT).json()["sequence"]
        self.server.check("seen", "c", OTHER)
        similarity = self.server.check("seen", "b1", NEAR).json()["similarity"]
        self.server.check("seen", "c1", OTHER)
        self.server.check("seen", "b2", TEXT.upper())
        one = self.server.call("GET", f"{clusters}/a").json()
        self.assertEqual((one["keeper_id"], one["sequence"], one["removed"]), ("a", sequence, 2))
        self.assertEqual([(each["id"], each["reason"], each["similarity"]) for each in one["duplicates"]],
                         [("b2", "exact_copy", 1), ("b1", "near_duplicate", similarity)])
        found = self.server.call("GET", clusters).json()
        self.assertEqual([(each["keeper_id"], each["removed"]) for each in found["clusters"]], [("a", 2), ("c", 1)])
        self.assertEqual(found["remembered"], 3)
        self.assertEqual(self.server.call("GET", f"{clusters}?limit=1").json()["clusters"], [one])
        self.assert_status(self.server.call("GET", f"{clusters}?limit=0"), 400)
        self.server.check("seen", "d", NEWER)
        self.assertEqual(self.server.call("GET", f"{clusters}/d").json()["duplicates"], [])
        self.assert_status(self.server.call("GET", f"{clusters}/unknown"), 404)
        self.assertEqual(self.server.stop(), 0)
        server = self.serve_new("--remember", 2)
        for number in range(5):
            server.check("seen", f"e{number}", TEXT)
        found = server.call("GET", clusters).json()
        self.assertEqual(([each["id"] for each in found["clusters"][0]["duplicates"]], found["remembered"]), (["e4", "e3"], 2))


if __name__ == "__main__":
    unittest.main()
