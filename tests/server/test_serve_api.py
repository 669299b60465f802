"""neardup serve does what its description says, by schemathesis: valid and invalid requests of its own making, all of its checks.

NEARDUP_API_SECONDS: how long it looks for more (45). NEARDUP_API_SEED: other requests.
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import unittest

from server_case import NEAR, TEXT, ServerCase, needs

HERE = pathlib.Path(__file__).parent
SECONDS = int(os.environ.get("NEARDUP_API_SECONDS", "45"))
SEED = os.environ.get("NEARDUP_API_SEED", "1")


class Described(ServerCase):
    def test_by_schemathesis(self):
        needs.stop_if(None if importlib.util.find_spec("schemathesis") else
                      "no Python package schemathesis (scripts/test_python.sh FOLDER tests/server/requirements.txt)")
        self.neardup("index", "build", "poems", self.write("texts.jsonl", [{"id": f"p{number}", "text": f"{TEXT} {number}"} for number in range(3)]), "--kind", "clue", "-q")
        key = self.neardup("serve", "--new-key", "admin:tester", "--keys", "keys").stdout.decode().strip()
        server = self.serve("--data", "data", "--clue-index", "poems", "--snapshots", "copies", "--keys", "keys")
        for store, rule in (("seen", {}), ("bits", {"recipe": "simhash-words-3"}), ("bare", {"texts": False})):
            self.assertEqual(server.call("PUT", f"/v1/stores/{store}", rule, key=key).status, 201)
            for name, text in (("a", TEXT), ("b", "a text of other words, which is near to none of the others"), ("a/b", TEXT[::-1]), ("c", NEAR)):
                self.assertEqual(server.call("POST", f"/v1/stores/{store}/check", {"id": name, "text": text}, key=key).status, 200)
        command = [sys.executable, "-B", "-m", "schemathesis.cli", "--config-file", HERE / "schemathesis.toml", "--no-color", "run", f"{server.url}/openapi.json",
                   "--header", f"Authorization: Bearer {key}", "--seed", SEED, "--max-time", str(SECONDS),
                   "--exclude-operation-id", "events", "--phases", "examples,coverage,fuzzing,stateful"]
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        result = subprocess.run(command, cwd=self.dir, env=environment | {"PYTHONPATH": str(HERE)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                timeout=60 + 4 * SECONDS)
        said = result.stdout.decode(errors="replace")
        self.assertEqual(result.returncode, 0, said[-200_000:])
        print(said[said.rfind("= SUMMARY ="):])
        self.assertEqual(server.call("GET", "/readyz").status, 200)


if __name__ == "__main__":
    unittest.main()
