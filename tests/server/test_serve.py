"""neardup serve: stores, clue indexes, and the service itself. Each answer is judged by the description, too (contract.py)."""
import concurrent.futures
import json
import re
import socket
import time
import unittest

from contract import DESCRIPTION
from server_case import CONTRACT, NEAR, NEWER, OTHER, TEXT, ServerCase, documents, quoted, received


class Stores(ServerCase):
    def test_creating(self):
        self.neardup("store", "build", "mine", "--recipe", "chars-5", "-q")
        self.write("recipe.json", "{}")
        server = self.serve("named=mine", "--data", "data")
        rule = {"recipe": "words-5", "threshold": 0.7, "min_length": 3, "ttl": 5000, "texts": False}
        made = self.assert_status(server.call("PUT", "/v1/stores/news", rule), 201).json()
        self.assertEqual(made["rule"] | {"recipe": None}, rule | {"recipe": None, "max_distance": 3})
        self.assertEqual(json.loads(made["rule"]["recipe"])["tokenizer"], "words_v1")
        self.assertEqual(self.assert_status(server.call("PUT", "/v1/stores/news", rule), 200).json(), made)
        # A recipe says what it is; how it is written does not matter.
        self.assert_status(server.call("PUT", "/v1/stores/news", rule | {"recipe": made["rule"]["recipe"]}), 200)
        for member, value in (("recipe", "chars-5"), ("threshold", 0.71), ("max_distance", 4), ("min_length", 4), ("ttl", 5001), ("texts", True)):
            self.assert_status(server.call("PUT", "/v1/stores/news", rule | {member: value}), 409, "another rule")
        self.assert_status(server.call("PUT", "/v1/stores/named", {}), 409)
        self.assert_status(server.call("PUT", "/v1/stores/named", {"recipe": "chars-5"}), 200)
        for recipe in ("recipe.json", "../recipe.json", str(self.path("recipe.json")), "", "no-such", "{", "{}x", '{"tokenizer":"x"}', "simhash-words"):
            self.assert_status(server.call("PUT", "/v1/stores/other", {"recipe": recipe}), 422)
        for member, values in (("threshold", (0, 1.1, "0.5", None)), ("max_distance", (-1, 129, 1.5)), ("min_length", (-1, 10**10)), ("ttl", (0, 2**63)),
                               ("texts", (0, "no")), ("folder", ("x",)), ("bands", (1,))):
            for value in values:
                self.assert_status(server.call("PUT", "/v1/stores/other", {member: value}), 400, f'"{member}"')
        for name in ("-x", "_x", "x.y", "a%2Fb", "..", "%2e%2e", "x" * 65, "书", "a%20b"):
            self.assert_status(server.call("PUT", f"/v1/stores/{quoted(name) if name == '书' else name}", {}), 400, "expected a name")
        self.assertEqual([store["name"] for store in server.call("GET", "/v1/stores").json()["stores"]], ["named", "news"])
        self.assertEqual(server.call("GET", "/v1/stores/news").json(), made)
        self.assert_status(server.call("GET", "/v1/stores/other"), 404, "there is no store 'other'")
        self.assertEqual(sorted(path.name for path in self.path("data").iterdir()), ["news"])
        self.assertEqual(server.stop(), 0)
        # Those of the folder are served again.
        server = self.serve("--data", "data")
        self.assertEqual(server.call("GET", "/v1/stores/news").json(), made)
        self.assert_status(server.call("PUT", "/v1/stores/" + "x" * 64, {}), 201)

    def test_without_a_folder_for_new_ones(self):
        self.neardup("store", "build", "seen", "-q")
        server = self.serve("seen")
        self.assert_status(server.call("PUT", "/v1/stores/news", {}), 422, "--data")
        self.assert_status(server.call("PUT", "/v1/stores/seen", {}), 200)
        self.assert_status(server.call("POST", "/v1/stores/seen/snapshot"), 422, "--snapshots")

    def test_created_by_many_at_once(self):
        server = self.serve("--data", "data")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = sorted(pool.map(lambda _: server.call("PUT", "/v1/stores/news", {}).status, range(8)))
        self.assertEqual(found, [200] * 7 + [201])

    def test_snapshots(self):
        server = self.serve_new("--snapshots", "copies")
        server.call("POST", "/v1/stores/seen/check-batch", documents(3))
        names = set()
        for _ in range(3):
            made = self.assert_status(server.call("POST", "/v1/stores/seen/snapshot"), 201).json()
            self.assertEqual(made["documents"], server.call("GET", "/v1/stores/seen").json()["documents"])
            names.add(made["snapshot"])
        self.assertEqual(names, {path.name for path in self.path("copies").iterdir()})
        self.assertEqual(len(names), 3)
        server.check("seen", "late", NEWER)
        self.assertEqual(server.stop(), 0)
        whole = self.neardup("store", "export", "data/seen", "-o", "-", "-q").stdout
        for name in names:
            self.neardup("store", "verify", f"copies/{name}")
            copy = self.neardup("store", "export", f"copies/{name}", "-o", "-", "-q").stdout
            self.assertTrue(whole.startswith(copy))
            self.assertLess(len(copy), len(whole))

    def test_compacting(self):
        server = self.serve_new()
        server.call("POST", "/v1/stores/seen/check-batch", documents(3))
        kept = server.call("GET", "/v1/stores/seen/documents?limit=1000").json()["documents"]
        server.call("POST", "/v1/stores/seen/delete-batch", {"ids": [document["id"] for document in kept[::2]]})
        self.assertEqual(server.call("GET", "/v1/stores/seen/stats").json()["deleted"], len(kept[::2]))
        self.assert_status(server.call("POST", "/v1/stores/seen/compact"), 204)
        stats = server.call("GET", "/v1/stores/seen/stats").json()
        self.assertEqual((stats["deleted"], stats["documents"], stats["rows_in_memory"]), (0, len(kept[1::2]), 0))
        self.assertEqual(server.call("GET", "/v1/stores/seen/documents?limit=1000").json()["documents"], kept[1::2])
        self.assertEqual(server.stop(), 0)
        self.neardup("store", "verify", "data/seen")

    def test_syncing_at_an_interval(self):
        server = self.serve_new("--sync-interval", "10s")
        begin = time.monotonic()
        for number in range(50):
            server.check("seen", f"d{number}", f"{number} {TEXT}".replace(" ", f" {number}"))
        self.assertLess(time.monotonic() - begin, 8)
        before = server.call("GET", "/v1/stores/seen/stats").json()["syncs"]
        self.assert_status(server.call("POST", "/v1/stores/seen/sync"), 204)
        self.assertGreater(server.call("GET", "/v1/stores/seen/stats").json()["syncs"], before)

    def test_statistics(self):
        server = self.serve_new()
        server.check("seen", "a", TEXT)
        server.check("seen", "a", TEXT)
        server.check("seen", "b", NEAR)
        server.check("seen", "c", TEXT)
        server.check("seen", "a", OTHER)
        server.call("POST", "/v1/stores/seen/check-batch", [{"id": "x"}, {"id": "d", "text": OTHER}])
        stats = server.call("GET", "/v1/stores/seen/stats").json()
        self.assertEqual({key: stats[key] for key in ("checked", "kept", "removed", "repeated", "conflicts", "refused", "documents", "next_sequence")},
                         {"checked": 7, "kept": 2, "removed": {"exact_copy": 1, "near_duplicate": 1}, "repeated": 1, "conflicts": 1, "refused": 1, "documents": 2,
                          "next_sequence": stats["next_sequence"]})
        self.assertGreater(stats["resident_bytes"], 1 << 20)
        self.assertGreater(stats["check_ms"]["p99"], 0)
        self.assertGreater(stats["syncs"], 0)
        self.assertEqual(stats["queue"]["requests"], 0)


class ClueIndexes(ServerCase):
    def setUp(self):
        super().setUp()
        self.texts = [{"id": f"p{number}", "text": text} for number, text in
                      enumerate([TEXT, f"a note before {TEXT.upper()}, and one after it", OTHER, NEWER, "研究人员说，这批书保存完好，其中几册从未见于任何目录。", TEXT.replace("fox", "box")])]
        self.neardup("index", "build", "poems", self.write("texts.jsonl", self.texts), "--kind", "clue", "-q")

    def test_what_neardup_search_finds(self):
        server = self.serve("--clue-index", "poems", "--clue-index", "others=poems")
        self.assertEqual(server.call("GET", "/v1/clue-indexes").json()["clue_indexes"], [{"name": "others", "texts": 6}, {"name": "poems", "texts": 6}])
        for body, options in (({"clue": "fox jumps over the lazy"}, ()), ({"clue": "这批书保存完好"}, ()), ({"clue": "the quick brown fax jumps over", "edits": 0.1}, ("--edits", "10%")),
                              ({"clue": TEXT, "mode": "resembles", "threshold": 0.5}, ("--resembles", "--threshold", "0.5")),
                              ({"clue": "the", "limit": 1}, ("--limit", 1)), ({"clue": "nobody has said this sentence yet"}, ())):
            with self.subTest(body=body):
                found = self.assert_status(server.call("POST", "/v1/clue-indexes/poems/search", body), 200).json()
                limit = () if "--limit" in options else ("--limit", 20)
                answer = json.loads(self.neardup("search", "poems", "--text", body["clue"], "--json", *options, *limit).stdout)
                self.assertEqual({key: found[key] for key in ("certainty", "more", "count")}, {key: answer[key] for key in ("certainty", "more", "count")})
                self.assertAlmostEqual(found["predicted_recall"], answer["predicted_recall"], 5)
                self.assertEqual([hit["name"] for hit in found["hits"]], [hit["id"] for hit in answer["hits"]])
                for hit, line in zip(found["hits"], answer["hits"], strict=True):
                    both = (hit.keys() & line.keys()) - {"id", "similarity"}
                    self.assertGreaterEqual(both, {"begin", "end", "passage", "text_bytes"})
                    self.assertEqual({key: hit[key] for key in both}, {key: line[key] for key in both})
                    if "similarity" in line:
                        self.assertAlmostEqual(hit["similarity"], line["similarity"], 5)
                for hit in found["hits"]:
                    text = server.call("GET", f"/v1/clue-indexes/poems/texts/{hit['id']}").json()
                    self.assertEqual(text["name"], hit["name"])
                    self.assertEqual(text["text"].encode()[hit["begin"]:hit["end"]].decode(), hit["passage"])
                    self.assertEqual(len(text["text"].encode()), hit["text_bytes"])

    def test_what_cannot_be_asked(self):
        server = self.serve("--clue-index", "poems")
        search = "/v1/clue-indexes/poems/search"
        for body in ({}, {"clue": 1}, {"clue": "x", "mode": "y"}, {"clue": "x", "edits": 0.6}, {"clue": "x", "threshold": 0.5}, {"clue": "x", "limit": 0},
                     {"clue": "x", "limit": 1001}, {"clue": "x", "mode": "resembles", "edits": 0.1}, {"clue": "x", "more": 1}):
            self.assert_status(server.call("POST", search, body), 400)
        self.assertIn(server.call("POST", search, {"clue": ""}).status, (400, 422))
        self.assert_status(server.call("POST", "/v1/clue-indexes/other/search", {"clue": "x"}), 404, "there is no clue index 'other'")
        for text, status in (("0", 200), ("6", 404), ("x", 400), ("-1", 400), ("99999999999999999999", 400)):
            self.assertEqual(server.call("GET", f"/v1/clue-indexes/poems/texts/{text}").status, status)


class Service(ServerCase):
    def test_health_and_description(self):
        server = self.serve_new()
        for path in ("/healthz", "/readyz"):
            self.assertEqual(self.assert_status(server.call("GET", path), 200).body, b"ok\n")
        self.assertEqual(server.call("GET", "/openapi.json").body.rstrip(), DESCRIPTION.read_bytes().rstrip())
        key = server.call("GET", "/v1/key").json()
        self.assertEqual((key["role"], key["keys"]), ("admin", False))
        self.assertIn(key["version"], self.neardup("--version").stdout.decode())

    def test_methods(self):
        server = self.serve_new()
        for path, operations in CONTRACT.document["paths"].items():
            target = re.sub(r"\{[a-z]+\}", "seen", path)
            allowed = {method.upper() for method in operations}
            allowed |= {"HEAD"} & ({"HEAD"} if "GET" in allowed else set())
            for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"):
                if method in allowed:
                    continue
                with self.subTest(method=method, path=path):
                    answer = server.call(method, target)
                    self.assertEqual(answer.status, 405, answer)
                    self.assertEqual(set(answer.headers["Allow"].split(", ")), allowed)
        for path in ("/v1", "/v1/", "/v2/stores", "/v1/stores/", "/v1/stores/seen/", "/v1/stores/seen/unknown", "/v1/stores//check", "/v1/stores/seen/documents/",
                     "/V1/stores", "/index.php", "/../etc/passwd", "/%2e%2e/etc/passwd", "//v1/stores"):
            self.assert_status(server.call("GET", path), 404)

    def test_heads(self):
        server = self.serve_new()
        server.check("seen", "a", TEXT)
        for path in ("/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/stores", "/v1/stores/seen", "/v1/stores/seen/documents", "/v1/stores/seen/documents/a",
                     "/v1/stores/seen/documents/x", "/v1/stores/seen/stats", "/v1/stores/seen/clusters", "/nothing"):
            with self.subTest(path=path), server.client() as client:
                whole, head = client.call("GET", path), client.call("HEAD", path)
                self.assertEqual((head.status, head.body), (whole.status, b""))
                self.assertEqual(head.headers["Content-Type"], whole.headers["Content-Type"])
                if path not in ("/metrics", "/v1/stores/seen/stats"):
                    self.assertEqual(head.headers["Content-Length"], whole.headers["Content-Length"])

    def test_the_page(self):
        server = self.serve_new()
        page = self.assert_status(server.call("GET", "/"), 200)
        self.assertIn("text/html", page.headers["Content-Type"])
        self.assertIn("default-src 'none'", page.headers["Content-Security-Policy"])
        tag = page.headers["ETag"]
        self.assertEqual(server.call("GET", "/", headers={"If-None-Match": tag}).status, 304)
        for source in re.findall(r'(?:src|href)="([^"#]+)"', page.body.decode()):
            if not source.startswith("data:"):
                self.assert_status(server.call("GET", source if source.startswith("/") else f"/{source}"), 200)

    def test_metrics(self):
        server = self.serve_new()
        server.call("PUT", "/v1/stores/second", {})
        server.check("seen", "a", TEXT)
        server.check("seen", "b", NEAR)
        server.call("POST", "/v1/stores/second/query", {"text": TEXT})
        server.call("GET", "/nothing")
        answer = self.assert_status(server.call("GET", "/metrics"), 200)
        self.assertEqual(answer.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
        kinds, helped, samples = {}, set(), {}
        ended, current = set(), None
        for line in answer.body.decode().splitlines():
            if line.startswith("# "):
                _, what, name, rest = line.split(" ", 3)
                self.assertTrue(rest)
                if what == "HELP":
                    self.assertNotIn(name, helped)
                    helped.add(name)
                else:
                    self.assertEqual(what, "TYPE")
                    self.assertIn(name, helped)
                    kinds[name] = rest
                continue
            found = re.fullmatch(r'([a-z_]+)(\{[a-z_]+="[^"\\]*"(?:,[a-z_]+="[^"\\]*")*\})? (\S+)', line)
            self.assertTrue(found, line)
            name, labels, value = found[1], found[2] or "", float(found[3])
            self.assertNotIn((name, labels), samples)
            samples[name, labels] = value
            family = name if name in kinds else re.sub(r"_(bucket|sum|count)$", "", name)
            self.assertIn(family, kinds, line)
            if family != current:
                self.assertNotIn(family, ended, "the samples of a metric are one group")
                ended.add(current)
                current = family
            self.assertEqual(kinds[family] == "counter", family.endswith("_total"))
        self.assertEqual(set(kinds), helped)
        self.assertEqual(samples["neardup_store_documents", '{store="seen"}'], 1)
        self.assertEqual(samples["neardup_checks_total", '{store="seen",answer="kept"}'], 1)
        self.assertEqual(samples["neardup_checks_total", '{store="seen",answer="near_duplicate"}'], 1)
        self.assertEqual(samples["neardup_http_answers_total", '{class="4xx"}'], 1)
        for name, kind in kinds.items():
            if kind != "histogram":
                continue
            for store in ("seen", "second"):
                buckets = [(labels, value) for (sample, labels), value in samples.items() if sample == f"{name}_bucket" and f'store="{store}"' in labels]
                bounds = [float(re.search(r'le="([^"]+)"', labels)[1]) for labels, _ in buckets]
                self.assertEqual(bounds, sorted(set(bounds)))
                self.assertEqual(bounds[-1], float("inf"))
                values = [value for _, value in buckets]
                self.assertEqual(values, sorted(values))
                self.assertEqual(values[-1], samples[f"{name}_count", f'{{store="{store}"}}'])
                self.assertIn((f"{name}_sum", f'{{store="{store}"}}'), samples)
        self.assertEqual(samples["neardup_check_seconds_count", '{store="seen"}'], 2)
        self.assertEqual(samples["neardup_query_seconds_count", '{store="second"}'], 1)

    def test_events(self):
        server = self.serve_new()
        with server.connect(timeout=10) as connection:
            connection.sendall(b"GET /v1/stores/seen/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            said = b""
            sent = 0
            while said.count(b"event: stats") < 3 or said.count(b"event: decision") < 2:
                said += connection.recv(65536)
                if sent < 2 and b"event: stats" in said:
                    server.check("seen", f"d{sent}", TEXT)
                    sent += 1
        head, body = said.split(b"\r\n\r\n", 1)
        self.assertIn(b"Content-Type: text/event-stream", head)
        self.assertIn(b"Transfer-Encoding: chunked", head)
        events = re.findall(rb"event: (stats|decision)\ndata: (.*)\n\n", body)
        stats = [json.loads(data) for kind, data in events if kind == b"stats"]
        decisions = [json.loads(data) for kind, data in events if kind == b"decision"]
        CONTRACT.validate({"$ref": "#/components/schemas/Stats"}, stats[0])
        self.assertEqual([(each["id"], each["verdict"], each["keeper_id"]) for each in decisions], [("d0", "keep", None), ("d1", "remove", "d0")])
        # Streams end with the server, which does not wait for their clients.
        with server.connect() as connection:
            connection.sendall(b"GET /v1/stores/seen/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            connection.recv(100)
            begin = time.monotonic()
            self.assertEqual(server.stop(), 0)
            self.assertLess(time.monotonic() - begin, 8)
            self.assertTrue(received(connection).endswith(b"0\r\n\r\n"))

    def test_compressed_answers(self):
        server = self.serve_new()
        page = server.call("GET", "/", headers={"Accept-Encoding": "gzip"})
        self.assertIn(page.headers.get("Content-Encoding"), (None, "gzip"))

    def test_connections(self):
        """Requests on one connection, one after the other and at once; HTTP/1.0."""
        server = self.serve_new()
        with server.client() as client:
            for number in range(20):
                self.assertEqual(client.call("POST", "/v1/stores/seen/check", {"id": f"d{number}", "text": TEXT}).status, 200)
        body = json.dumps({"id": "p", "text": TEXT}).encode()
        post = b"POST /v1/stores/seen/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        said = server.raw(post * 5 + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        self.assertEqual(said.count(b"HTTP/1.1 200 OK"), 6)
        self.assertEqual(said.count(b'"id":"p"'), 5)
        said = server.raw(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
        self.assertTrue(said.startswith(b"HTTP/1.1 200 OK") and said.endswith(b"ok\n"), said)
        chunked = b"POST /v1/stores/seen/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        said = server.raw(chunked + b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n")
        self.assertIn(b'"id":"p"', said)
        said = server.raw(post.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n", 1))
        self.assertRegex(said, rb"(?s)^(HTTP/1.1 100 Continue\r\n\r\n)?HTTP/1.1 200 OK")

    def test_listening_on_an_ipv6_address(self):
        if not socket.has_ipv6:
            self.skipTest("[ipv6] the machine has no IPv6")
        try:
            with socket.socket(socket.AF_INET6) as probe:
                probe.bind(("::1", 0))
        except OSError:
            return  # nor has its loopback interface
        server = self.serve("--data", "data", listen="[::1]:0")
        self.assertTrue(server.url.startswith("http://[::1]:"))
        with socket.create_connection(("::1", server.port)) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: [::1]:%d\r\nConnection: close\r\n\r\n" % server.port)
            self.assertTrue(received(connection).endswith(b"ok\n"))

    def test_the_log(self):
        server = self.serve_new("--access-log", "--log-format", "json")
        server.check("seen", "a", TEXT)
        server.call("GET", "/nothing?secret=1")
        self.assertEqual(server.stop(), 0)
        events = [json.loads(line) for line in server.said().splitlines()]
        self.assertEqual([event["event"] for event in events], ["listening", "request", "request", "request", "stopping", "stopped"])
        self.assertEqual([(event["method"], event["target"], event["status"]) for event in events[1:4]],
                         [("PUT", "/v1/stores/seen", 201), ("POST", "/v1/stores/seen/check", 200), ("GET", "/nothing?secret=1", 404)])

    def test_the_program_itself(self):
        """What systemd starts, and hears from it."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(self.path("notify")))
            manager.settimeout(30)
            server = self.serve("--data", "data", env={"NOTIFY_SOCKET": str(self.path("notify"))})
            self.assertIn(b"READY=1", manager.recv(1000))
            self.assertEqual(server.stop(), 0)
            self.assertIn(b"STOPPING=1", manager.recv(1000))


if __name__ == "__main__":
    unittest.main()
