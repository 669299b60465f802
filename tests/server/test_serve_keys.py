"""neardup serve: who may call. Keys and their roles, addresses that others can reach, and pages of other origins in a browser."""
import hashlib
import re
import signal
import time
import unittest

from server_case import CONTRACT, TEXT, ServerCase, status_of

ROLES = ("read", "write", "admin")
LINE = "expected a role (read, write or admin), a name, and the SHA-256 of a key as 64 hexadecimal digits"


class KeysCase(ServerCase):
    def new_key(self, role, name="someone"):
        return self.neardup("serve", "--new-key", f"{role}:{name}", "--keys", "keys").stdout.decode().strip()


class Keys(KeysCase):
    def test_making_one(self):
        keys = [self.new_key(role, f"the-{role}.1") for role in ROLES]
        lines = self.read("keys").decode().splitlines()
        self.assertEqual(lines, [f"{role} the-{role}.1 {hashlib.sha256(key.encode()).hexdigest()}" for role, key in zip(ROLES, keys, strict=True)])
        self.assertEqual(self.path("keys").stat().st_mode & 0o777, 0o600)
        self.assertEqual(len(set(keys)), 3)
        for key in keys:
            self.assertRegex(key, r"^nd_[0-9a-f]{64}$")
        for what, part in (("read", "a role and a name"), ("owner:x", "read, write or admin, not 'owner'"), ("none:x", "not 'none'"), ("read:", "the name of a key"),
                           ("read:a b", "the name of a key"), ("read:" + "x" * 65, "the name of a key"), ("read:a\nadmin b", "the name of a key")):
            self.assertIn(part, self.refused("--new-key", what, "--keys", "keys", code=2))
        self.assertIn("--keys FILE", self.refused("--new-key", "read:x", code=2))
        self.assertIn("takes no store", self.refused("seen", "--new-key", "read:x", "--keys", "keys", code=2))
        self.assertIn("cannot write the keys 'no/keys'", self.refused("--new-key", "read:x", "--keys", "no/keys", code=1))
        self.assertEqual(self.read("keys").decode().splitlines(), lines)

    def test_roles(self):
        keys = {role: self.new_key(role) for role in ROLES}
        server = self.serve("--data", "data", "--keys", "keys", "--snapshots", "copies")
        self.assertEqual(server.call("PUT", "/v1/stores/seen", {}, key=keys["admin"]).status, 201)
        calls = 0
        for path, operations in CONTRACT.document["paths"].items():
            target = re.sub(r"\{[a-z]+\}", "seen", path)
            for method, operation in operations.items():
                if operation["operationId"] in ("events", "key"):
                    continue
                needed = "read" if path == "/metrics" else operation["tags"][0]
                body = None
                if "requestBody" in operation:
                    kind = next(iter(operation["requestBody"]["content"]))
                    body = {} if kind == "application/json" else []
                with self.subTest(method=method, path=path):
                    for key in (None, "nd_" + "0" * 64, *keys.values()):
                        answer = server.call(method.upper(), target, body, key=key)
                        role = next((role for role in ROLES if keys[role] == key), None)
                        if needed == "open" or role and ROLES.index(role) >= ROLES.index(needed):
                            self.assertNotIn(answer.status, (401, 403), answer)
                        elif role:
                            self.assert_status(answer, 403, f"the key has the role {role}; this call needs {needed}")
                        else:
                            self.assert_status(answer, 401, "the key is not known" if key else "a key is needed")
                        calls += 1
        self.assertGreater(calls, 100)
        for role in ROLES:
            found = server.call("GET", "/v1/key", key=keys[role]).json()
            self.assertEqual((found["role"], found["keys"]), (role, True))

    def test_how_a_key_is_sent(self):
        key = self.new_key("read")
        server = self.serve("--data", "data", "--keys", "keys", "--open-metrics", "--access-log")
        for value, status in ((f"Bearer {key}", 200), (f"bearer {key}", 200), (f"BEARER  {key}", 200), (f"Bearer {key}x", 401), (f"Bearer {key[:-1]}", 401),
                              (f"Bearer {key.upper()}", 401), ("Bearer", 401), ("Bearer ", 401), (f"Basic {key}", 401), (key, 401), (f"Bearer{key}", 401),
                              (f"Bearer {hashlib.sha256(key.encode()).hexdigest()}", 401), ("Bearer " + "x" * 7000, 401)):
            with self.subTest(value=value[:80]):
                self.assertEqual(server.call("GET", "/v1/stores", headers={"Authorization": value}).status, status)
        self.assertEqual(server.call("GET", f"/v1/stores?key={key[:10]}").status, 401)
        twice = f"GET /v1/stores HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n"
        self.assertEqual(status_of(server.raw(twice.encode())), 400)
        self.assertEqual(server.call("GET", "/metrics").status, 200)
        self.assertEqual(server.call("GET", "/").status, 200)  # the page asks for the key
        self.assertEqual(server.stop(), 0)
        self.assertNotIn(key[3:], server.said().decode())

    def test_reading_them_again(self):
        first = self.new_key("read")
        server = self.serve("--data", "data", "--keys", "keys", "--access-log")
        second = self.new_key("admin", "second")

        def reload(wanted):
            before = len(server.said())
            server.process.send_signal(signal.SIGHUP)
            end = time.monotonic() + 30
            while wanted not in server.said(before).decode():
                self.assertLess(time.monotonic(), end, server.said(before))
                time.sleep(0.02)

        def statuses():
            return [server.call("GET", "/v1/stores", key=key).status for key in (first, second)]

        self.assertEqual(statuses(), [200, 401])
        reload("2 keys")
        self.assertEqual(statuses(), [200, 200])
        good = self.read("keys")
        self.write("keys", good + f"read third {second}\n".encode())
        reload("the keys stay as they were: 'keys', line 3: " + LINE)
        self.assertEqual(statuses(), [200, 200])
        self.path("keys").unlink()
        reload("the keys stay as they were: cannot read the keys 'keys'")
        self.assertEqual(statuses(), [200, 200])
        self.write("keys", good.splitlines(keepends=True)[1])
        reload("1 key read")
        self.assertEqual(statuses(), [401, 200])
        self.assertEqual(server.stop(), 0)
        for key in (first, second):
            self.assertNotIn(key, server.said().decode())

    def test_files_that_are_not_of_keys(self):
        digest = hashlib.sha256(b"x").hexdigest()
        secret = "nd_" + "7" * 64
        good = f"# role name SHA-256\n\n   \t\nread a {digest}\n"
        for line in (f"read b {secret}", "read b", f"owner b {digest}", f"none b {digest}", f"read b {digest} more", f"read b {digest[1:]}", f"read b {digest[:-1]}g",
                     f"b {digest}", f"read b/c {digest}", secret, "\u4e66"):
            with self.subTest(line=line):
                self.write("keys", good + line + "\n")
                said = self.refused("--data", "data", "--keys", "keys", code=1)
                self.assertIn(f"'keys', line 5: {LINE}", said)
                self.assertNotIn(secret[3:], said)
                self.assertNotIn(digest[:20], said)
        self.write("keys", "# none\n")
        self.assertIn("'keys' has no key; neardup serve --new-key", self.refused("--data", "data", "--keys", "keys", code=1))
        self.assertIn("cannot read the keys 'missing'", self.refused("--data", "data", "--keys", "missing", code=1))
        self.write("keys", good.replace("\n", "\r\n"))
        self.serve("--data", "data", "--keys", "keys")


class Addresses(KeysCase):
    def test_others_can_reach(self):
        for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:80"):
            self.assertIn(f"--listen {address}: others can reach this address; ask for keys (--keys FILE), or say --without-keys",
                          self.refused("--data", "data", "--listen", address, code=2))
        key = self.new_key("read")
        self.assertIn("cannot be combined", self.refused("--data", "data", "--keys", "keys", "--without-keys", code=2))
        server = self.serve("--data", "data", "--keys", "keys", listen="0.0.0.0:0")
        # A proxy has other names.
        self.assertEqual(server.call("GET", "/v1/stores", key=key, headers={"Host": "dedup.example.org"}).status, 200)
        self.assertEqual(server.stop(), 0)
        server = self.serve("--data", "data", "--without-keys", listen="0.0.0.0:0")
        self.assertEqual(server.call("GET", "/v1/stores").status, 200)

    def test_what_is_not_one(self):
        for address in ("example.org:80", "127.0.0.1", "127.0.0.1:65536", "127.0.0.1:x", "127.0.0.1:", ":80", "", "256.1.1.1:80", "127.0.0.1:-1", "[::1:80"):
            self.assertIn(f"expected an address and a port from 0 to 65535, such as 127.0.0.1:8080 or [::]:8080, not '{address}'",
                          self.refused("--data", "data", "--listen", address, code=2))

    def test_taken(self):
        server = self.serve("--data", "data")
        said = self.refused("--data", "other", "--listen", f"127.0.0.1:{server.port}", code=1)
        self.assertIn(f"cannot listen on 127.0.0.1:{server.port}", said)
        self.assertIn("in use", said)


class Browsers(KeysCase):
    """A page that someone has open in a browser next to the service."""

    def statuses(self, server, headers):
        body = {"id": "a", "text": TEXT}
        found = {server.call("POST", "/v1/stores/seen/check", body, headers=headers, key=self.key).status,
                 server.call("GET", "/v1/stores", headers=headers, key=self.key).status,
                 server.call("DELETE", "/v1/stores/seen/documents/x", headers=headers, key=self.key).status}
        return found - {404}

    key = None

    def test_names_that_lead_to_this_machine(self):
        """A name of a foreign site may be made to lead to 127.0.0.1, and the browser then takes the service for that site."""
        server = self.serve_new()
        for host in ("localhost", f"localhost:{server.port}", f"127.0.0.1:{server.port}", "127.0.0.1", "[::1]", f"[::1]:{server.port}", "localhost:1"):
            self.assertEqual(self.statuses(server, {"Host": host}), {200}, host)
        for host in ("example.org", f"example.org:{server.port}", "localhost.example.org", "127.0.0.1.example.org", "localhost.", "x@localhost", "2130706433", "0x7f.1"):
            found = self.statuses(server, {"Host": host})
            self.assertIn(found, ({403}, {400}), host)
            self.assertIn(server.call("GET", "/", headers={"Host": host}).status, (400, 403), host)

    def test_origins(self):
        for keys in (False, True):
            if keys:
                self.key = self.new_key("admin")
            server = self.serve("--data", f"data-{keys}", *(["--keys", "keys"] if keys else []))
            server.call("PUT", "/v1/stores/seen", {}, key=self.key)
            host = f"127.0.0.1:{server.port}"
            for origin in (f"http://{host}", f"https://{host}"):  # a proxy may speak TLS
                self.assertEqual(self.statuses(server, {"Origin": origin, "Host": host}), {200}, origin)
            for origin in ("null", "http://example.org", f"http://{host}.example.org", "http://127.0.0.1", f"http://localhost:{server.port}", host, "file://", "://" + host + "x"):
                self.assertEqual(self.statuses(server, {"Origin": origin, "Host": host}), {403}, origin)
            for site, expected in (("same-origin", {200}), ("none", {200}), ("same-site", {403}), ("cross-site", {403})):
                self.assertEqual(self.statuses(server, {"Sec-Fetch-Site": site}), expected, site)
            # A link to the page works; what it asks for then is its own.
            self.assertEqual(server.call("GET", "/", headers={"Sec-Fetch-Site": "cross-site"}).status, 200)
            self.assertEqual(server.call("GET", "/metrics", headers={"Sec-Fetch-Site": "cross-site"}, key=self.key).status, 403)
            for method in ("OPTIONS", "GET"):
                answer = server.call(method, "/v1/stores", headers={"Origin": "http://example.org", "Access-Control-Request-Method": "POST"})
                self.assertEqual([name for name in answer.headers if name.lower().startswith("access-control")], [])
            self.assertEqual(server.stop(), 0)

    def test_types_that_a_form_can_send(self):
        server = self.serve_new()
        body = b'{"id":"a","text":"' + TEXT.encode() + b'"}'
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "application/jsonx", "application", "text/json",
                     "application/x-ndjson", "*/*"):
            for path in ("/v1/stores/seen/check", "/v1/stores/seen/query", "/v1/stores/seen/explain", "/v1/stores/seen/delete-batch"):
                self.assert_status(server.call("POST", path, body, {"Content-Type": kind}), 415, "application/json", f"'{kind}'")
        for kind in ("text/plain", "application/json", ""):
            for path in ("/v1/stores/seen/check-batch", "/v1/stores/seen/query-batch"):
                self.assert_status(server.call("POST", path, body, {"Content-Type": kind}), 415, "application/x-ndjson", f"'{kind}'")
        for kind in ("application/json", "application/json; charset=utf-8", "Application/JSON", "application/json ;charset=utf-8"):
            self.assertEqual(server.call("POST", "/v1/stores/seen/check", body, {"Content-Type": kind}).status, 200, kind)
        # Calls without a body take none, so that a form cannot make them either with its own types.
        for path in ("/v1/stores/seen/sync", "/v1/stores/seen/compact"):
            self.assert_status(server.call("POST", path, b"x=1", {"Content-Type": "application/x-www-form-urlencoded"}), 400, "takes no body")
        self.assertEqual(server.call("GET", "/v1/stores/seen").json()["documents"], 1)


if __name__ == "__main__":
    unittest.main()
