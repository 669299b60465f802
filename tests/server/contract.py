"""Judges answers of the server by its description, apps/server/api/openapi.json: the status, the content type, and every member of the body.

Members that the description does not have are wrong, too.
"""
import copy
import json
import os
import pathlib
import re

try:
    import jsonschema_rs
except ImportError:
    jsonschema_rs = None

SOURCE = pathlib.Path(os.environ.get("NEARDUP_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
DESCRIPTION = SOURCE / "apps/server/api/openapi.json"
# What the transport answers to any request that it cannot read, and the API to a method that a path does not have.
OF_ANY_CALL = (400, 405, 408, 411, 413, 415, 417, 429, 431, 501, 503, 505)


def _closed(schema):
    """The schema, with no other members in objects than the described ones."""
    if isinstance(schema, list):
        return [_closed(member) for member in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: _closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" and schema.get("properties"):
        schema.setdefault("additionalProperties", False)
    return schema


class Contract:
    def __init__(self):
        self.document = json.loads(DESCRIPTION.read_text())
        components = copy.deepcopy(self.document["components"])
        components["schemas"] = {name: _closed(schema) for name, schema in components["schemas"].items()}
        self.components = components
        self.validators = {}
        self.operations = []  # method, pattern of the path, operation
        for path, methods in self.document["paths"].items():
            pattern = re.compile(re.sub(r"\\{[a-z]+\\}", "[^/]+", re.escape(path)))
            self.operations += [(method.upper(), pattern, operation) for method, operation in methods.items()]

    def operation(self, method, path):
        method = "GET" if method == "HEAD" else method
        for name, pattern, operation in self.operations:
            if name == method and pattern.fullmatch(path):
                return operation
        return None

    def validate(self, schema, value):
        if jsonschema_rs is None:
            return
        key = json.dumps(schema)
        if key not in self.validators:
            self.validators[key] = jsonschema_rs.Draft202012Validator({**schema, "components": self.components})
        self.validators[key].validate(value)

    def judge(self, method, target, answer):
        """Raises AssertionError."""
        what = f"{method} {target[:200]}: {answer.status} {answer.body[:500]}"
        kind = (answer.headers.get("Content-Type") or "").split(";")[0]
        if answer.status >= 400:
            self.judge_problem(what, answer, kind, method)
        operation = self.operation(method, target.split("?")[0])
        if operation is None:
            return
        described = operation["responses"].get(str(answer.status))
        if described is None:
            assert answer.status in OF_ANY_CALL, f"{what}: a status that the description does not have"
            return
        if "$ref" in described:
            described = self.document["components"]["responses"][described["$ref"].rsplit("/", 1)[1]]
        content = described.get("content", {})
        assert bool(content) == bool(kind), f"{what}: {kind!r}"
        if not content or method == "HEAD":
            assert answer.body == b"", what
            return
        assert kind in content, f"{what}: {kind!r}"
        schema = content[kind]["schema"]
        if kind == "application/x-ndjson":
            for line in answer.lines():
                self.judge_json(what, {"$ref": "#/components/schemas/Answer"}, line)
        elif kind.endswith("json"):
            self.judge_json(what, schema, answer.json())

    def judge_problem(self, what, answer, kind, method):
        if method == "HEAD" or kind == "text/plain":  # /readyz speaks to machines that read the status
            return
        assert kind == "application/problem+json", f"{what}: {kind!r}"
        problem = answer.json()
        self.judge_json(what, {"$ref": "#/components/schemas/Problem"}, problem)
        assert problem["status"] == answer.status, what
        assert problem["title"] and problem["detail"], what
        assert (answer.status in (429, 503)) == ("Retry-After" in answer.headers), what
        assert (answer.status == 401) == ("WWW-Authenticate" in answer.headers), what
        assert (answer.status == 405) == ("Allow" in answer.headers), what

    def judge_json(self, what, schema, value):
        try:
            self.validate(schema, value)
        except Exception as error:  # its class depends on the package
            raise AssertionError(f"{what}\n{error}") from error
