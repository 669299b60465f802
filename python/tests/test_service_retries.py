"""neardup.service against a tiny server that refuses, breaks off and lies: what is sent again, what never, and what an error says."""

import contextlib
import email.utils
import http.server
import itertools
import json
import logging
import pickle
import shutil
import socket
import ssl
import subprocess
import threading
import time
import traceback

import pytest

import neardup
from neardup import service as client

KEEP = {"id": "a", "verdict": "keep", "reason": "unique", "keeper_id": None, "similarity": None, "sequence": 1}
SNAPSHOT = {"snapshot": "seen-1", "documents": 5}
#: what a reply may be instead of (status, body, headers)
DROP = "end the connection without an answer"
TEAR = "end the connection within the answer"
HANG_UP = "answer, and end the connection after it without saying so"


class Fake:
    """Answers requests by replies in turn, the last one again and again. A reply that is callable gets the request."""

    def __init__(self, *replies, context=None):
        self.replies, self.requests, self.connections = list(replies), [], 0
        fake = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                fake.connections += 1

            def log_message(self, *arguments):
                pass

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                fake.requests.append((self.command, self.path, dict(self.headers), body))
                reply = fake.replies.pop(0) if len(fake.replies) > 1 else fake.replies[0]
                if callable(reply):
                    reply = reply(body)
                ends = reply in (DROP, TEAR, HANG_UP)
                if ends:
                    self.close_connection = True
                    if reply == DROP:
                        return
                status, text, headers = (200, KEEP, {}) if ends else (*reply, {})[:3]
                text = text if isinstance(text, bytes) else json.dumps(text).encode()
                self.send_response(status)
                kind = "application/json" if status < 400 else "application/problem+json"
                for name, value in {"Content-Type": kind, "Content-Length": str(len(text) + (reply == TEAR)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_DELETE = answer

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, address):
                pass

        self.server = Quiet(("127.0.0.1", 0), Handler)
        if context is not None:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"http{'s' if context else ''}://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """The waits between attempts, which are not waited for."""
    waited = []
    monkeypatch.setattr("neardup.service._transport.time.sleep", waited.append)
    return waited


def problem(status, detail="a reason", **more):
    return status, {"type": "about:blank", "title": f"Title {status}", "status": status, "detail": detail, **more}


def seen(fake, **arguments):
    return neardup.connect(fake.url, **arguments).store("seen")


#: calls that may be carried out twice, with their good answers
SAFE = {
    "check": (lambda store: store.check("a text", "a"), KEEP),
    "check_batch": (lambda store: list(store.check_batch([("a", "a text")])), KEEP),
    "query": (lambda store: store.query("a text"), KEEP),
    "query_batch": (lambda store: list(store.query_batch(["a text"])), KEEP),
    "document": (lambda store: store.document("a"), {"id": "a", "sequence": 1, "time": 5, "expires": None, "text": "a text"}),
    "documents": (lambda store: list(store.documents()), {"documents": [], "next": None}),
    "clusters": (lambda store: store.clusters(), {"clusters": [], "remembered": 0}),
    "sync": (lambda store: store.sync(), b""),
    "create": (
        lambda store: client.Service(store._transport).create("seen"),
        {
            "name": "seen",
            "rule": dict.fromkeys(("recipe", "threshold", "max_distance", "min_length", "ttl", "texts")),
            "documents": 0,
            "next_sequence": 1,
        },
    ),
}
#: calls that may not
UNSAFE = {
    "delete": (lambda store: store.delete("a"), {"deleted": [True]}),
    "delete_batch": (lambda store: store.delete_batch(["a"]), {"deleted": [True]}),
    "snapshot": (lambda store: store.snapshot(), SNAPSHOT),
    "compact": (lambda store: store.compact(), b""),
}


@pytest.mark.parametrize("failure", [DROP, TEAR, problem(429), problem(503), (502, b"Bad Gateway"), (504, b"")], ids=str)
@pytest.mark.parametrize("name", SAFE)
def test_calls_that_may_be_repeated_are(name, failure, waits):
    call, good = SAFE[name]
    with Fake(failure, failure, (200, good)) as fake:
        call(seen(fake))
        assert len(fake.requests) == 3 and len({request[:2] + request[3:] for request in fake.requests}) == 1
    assert len(waits) == 2 and 0.05 <= waits[0] <= 0.1 <= waits[1] <= 0.2


@pytest.mark.parametrize("failure, status", [(DROP, None), (TEAR, None), (problem(503), 503), ((502, b""), 502)], ids=str)
@pytest.mark.parametrize("name", UNSAFE)
def test_calls_that_may_not_be_repeated_are_sent_once(name, failure, status, waits):
    call, good = UNSAFE[name]
    with Fake(failure, (200, good)) as fake:
        with pytest.raises(client.UnavailableError) as raised:
            call(seen(fake))
        assert len(fake.requests) == 1 and raised.value.status == status and waits == []


@pytest.mark.parametrize("name", UNSAFE)
def test_a_busy_service_is_asked_again_by_every_call(name, waits):
    """It refused the call before anything was done."""
    call, good = UNSAFE[name]
    with Fake((*problem(429), {"Retry-After": "3"}), (200, good)) as fake:
        call(seen(fake))
        assert len(fake.requests) == 2 and waits == [3]


@pytest.mark.parametrize("name", [*SAFE, *UNSAFE])
def test_a_service_that_is_not_reached_is_tried_again_by_every_call(name, waits):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        store = neardup.connect(f"http://127.0.0.1:{closed.getsockname()[1]}", retries=3).store("seen")
        with pytest.raises(client.UnavailableError, match="no answer after 4 attempts: .*refused") as raised:
            (SAFE | UNSAFE)[name][0](store)
    assert raised.value.status is None and len(waits) == 3 and isinstance(raised.value.__cause__, ConnectionRefusedError)


def test_retries_have_a_bound(waits):
    with Fake(problem(503, "the store takes no more changes")) as fake:
        with pytest.raises(client.UnavailableError, match="503 Title 503: the store takes no more changes"):
            seen(fake, retries=12).check("a text", "a")
        assert len(fake.requests) == 13
    assert max(waits) <= 5 and sum(waits) > 20
    with Fake(DROP) as fake, pytest.raises(client.UnavailableError, match="no answer after 1 attempt: "):
        seen(fake, retries=0).check("a text", "a")
    for retries in (-1, 101, 1.5, True):
        with pytest.raises((neardup.UsageError, TypeError), match="retries"):
            neardup.connect(retries=retries)


def test_retry_after_is_obeyed(waits):
    with Fake((*problem(429), {"Retry-After": "7"}), (*problem(503), {"Retry-After": "2"}), (200, KEEP)) as fake:
        assert seen(fake).check("a text", "a").kept
        assert waits == [7, 2]
    waits.clear()
    date = email.utils.formatdate(time.time() + 20, usegmt=True)
    with Fake((*problem(429), {"Retry-After": date}), (*problem(429), {"Retry-After": "soon"}), (200, KEEP)) as fake:
        assert seen(fake).check("a text", "a").kept
        assert 18 <= waits[0] <= 20 and waits[1] <= 0.2
    waits.clear()
    with Fake((*problem(429), {"Retry-After": "3600"})) as fake:
        with pytest.raises(client.UnavailableError) as raised:
            seen(fake).check("a text", "a")
        assert raised.value.status == 429 and waits == [] and len(fake.requests) == 1


@pytest.mark.parametrize(
    "status, kind", [(400, client.ServiceError), (401, client.AccessError), (403, client.AccessError), (404, client.NotFoundError),
                     (409, client.ConflictError), (413, client.ServiceError), (422, client.ServiceError), (500, client.ServiceError)]
)  # fmt: skip
def test_what_is_refused_is_not_asked_again(status, kind, waits):
    with Fake(problem(status, "the reason", line=3)) as fake:
        with pytest.raises(client.ServiceError) as raised:
            seen(fake).check("a text", "a")
        error = raised.value
        assert type(error) is kind and waits == [] and len(fake.requests) == 1
        assert (error.status, error.title, error.detail, error.line) == (status, f"Title {status}", "the reason", 3)
        assert str(error) == f"POST {fake.url}/v1/stores/seen/check: {status} Title {status}: line 3: the reason"
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kind and str(again) == str(error) and isinstance(again, neardup.Error)


def test_connections_are_kept_and_replaced(waits):
    with Fake((200, KEEP)) as fake:
        store = seen(fake)
        for _ in range(5):
            store.check("a text", "a")
        assert fake.connections == 1
    # A server that ends idle connections: noticed before the next call, also by those that are never sent again.
    with Fake(HANG_UP, HANG_UP, (200, {"deleted": [True]})) as fake:
        store = seen(fake)
        assert store.check("a text", "a").kept and store.check("a text", "a").kept
        wait_until_closed(store)
        assert store.delete("a") is True
        assert fake.connections == 3 and len(fake.requests) == 3 and waits == []


def wait_until_closed(store):
    [connection] = store._transport._connections._idle
    connection.sock.settimeout(10)
    assert connection.sock.recv(1, socket.MSG_PEEK) == b""


def test_a_kept_connection_that_breaks_is_no_attempt(waits):
    with Fake((200, KEEP), DROP, (200, KEEP)) as fake:
        store = seen(fake, retries=0)
        assert store.check("a text", "a").kept and store.check("a text", "a").kept
        assert len(fake.requests) == 3 and fake.connections == 2 and waits == []


def test_threads_have_connections_of_their_own():
    barrier = threading.Barrier(8)

    def together(body):
        barrier.wait(30)
        return 200, {**KEEP, "id": json.loads(body)["id"]}

    answers = {}
    with Fake(together) as fake:
        store = seen(fake)

        def work(thread):
            answers[thread] = [store.check("a text", f"{thread}-{number}").id for number in range(10)]

        threads = [threading.Thread(target=work, args=(thread,)) for thread in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert fake.connections == 8
    assert answers == {thread: [f"{thread}-{number}" for number in range(10)] for thread in range(8)}


def test_a_timeout_is_a_lost_connection():
    release = threading.Event()

    def hang(body):
        release.wait(30)
        return DROP

    with Fake(hang, (200, KEEP)) as fake:
        store = seen(fake, timeout=0.2)
        assert store.check("a text", "a").kept and len(fake.requests) == 2
        release.set()
    for timeout in (0, -1, float("nan"), "5", True):
        with pytest.raises((neardup.UsageError, TypeError), match="timeout"):
            neardup.connect(timeout=timeout)


def test_redirects_are_not_followed():
    with Fake((200, KEEP)) as other, Fake((307, b"", {"Location": f"{other.url}/v1/stores/seen/check"})) as fake:
        with pytest.raises(client.ServiceError, match="redirects are not followed") as raised:
            seen(fake, key="secret-key").check("a text", "a")
        assert raised.value.status == 307 and other.requests == []


@pytest.mark.parametrize(
    "reply, words",
    [
        ((200, b"<html>"), "not JSON"),
        ((200, b""), "expected an object, got NoneType"),
        ((200, [KEEP]), "expected an object, got list"),
        ((200, {"verdict": "keep"}), "the answer lacks id"),
    ],
)
def test_answers_that_are_none(reply, words):
    with Fake(reply) as fake, pytest.raises(client.ServiceError, match=words) as raised:
        seen(fake).check("a text", "a")
    assert raised.value.status == 200 and type(raised.value) is client.ServiceError


def test_members_of_later_versions_are_left_out():
    with Fake((200, {**KEEP, "new": 5, "_parts": 5, "passages": [{"text": "a", "tokens": 1, "new": 5}]})) as fake:
        answer = seen(fake).check("a text", "a")
        assert answer.passages == (client.Passage("a", 1),) and answer == client.Answer(**{**KEEP, "passages": answer.passages})


def test_an_answer_to_a_batch_has_as_many_lines():
    line = json.dumps(KEEP).encode() + b"\n"
    for body, words in ((line, "2 lines were sent, and 1 answered"), (line + b"{\n", "not JSON"), (line + b"5\n", "expected an object")):
        with Fake((200, body)) as fake, pytest.raises(client.ServiceError, match=words):
            list(seen(fake).check_batch([("a", "a"), ("b", "b")]))


def lines_of(body):
    return [json.loads(line) for line in body.splitlines()]


def decided(body):
    return 200, b"".join(json.dumps({**KEEP, "id": line["id"]}).encode() + b"\n" for line in lines_of(body))


def test_pieces_shrink_to_what_the_server_takes():
    def bounded(body):
        return problem(413, f"{len(body)} bytes") if len(body) > 2000 else decided(body)

    documents = [(f"d{number}", "x" * (5000 if number == 50 else 100)) for number in range(100)]
    with Fake(bounded) as fake:
        answers = list(seen(fake).check_batch(documents))
        assert [one.id for one in answers] == [id for id, _ in documents]
        assert [one.id for one in answers if one.refused] == ["d50"] and answers[50].problem.endswith("bytes")
        assert len(fake.requests) < 40


def test_a_line_that_is_named_as_too_large_is_refused_alone():
    def bounded(body):
        long = next((at for at, line in enumerate(body.splitlines(), 1) if len(line) > 1000), None)
        return decided(body) if long is None else problem(413, "a line is too large", line=long)

    documents = [(f"d{number}", "x" * (2000 if number in (0, 7, 9) else 10)) for number in range(10)]
    with Fake(bounded) as fake:
        answers = list(seen(fake).check_batch(documents))
        assert [one.id for one in answers] == [id for id, _ in documents]
        assert [one.id for one in answers if one.refused] == ["d0", "d7", "d9"]


def test_a_piece_replaces_no_document_of_its_own():
    """It may be carried out twice, and must be answered the same way then."""
    with Fake(decided) as fake:
        documents = [("a", "1"), ("b", "2"), {"id": "a", "text": "3", "replace": True}, ("c", "4"), ("a", "5")]
        assert [one.id for one in seen(fake).check_batch(documents)] == ["a", "b", "a", "c", "a"]
        assert [[line["text"] for line in lines_of(body)] for *_, body in fake.requests] == [["1", "2"], ["3", "4", "5"]]


def test_problems_of_lines_do_not_count_lines_of_a_piece():
    def refuse(body):
        return 200, b"".join(json.dumps({"id": None, "verdict": None, "problem": f"line {at}: why"}).encode() + b"\n" for at in (1, 2))

    with Fake(refuse) as fake:
        assert [one.problem for one in seen(fake).check_batch([("a", "1"), ("b", "2")])] == ["why", "why"]


def test_what_a_request_says():
    with Fake((200, KEEP)) as fake:
        store = seen(fake, key="secret-key")
        store.check("é\ud800", "a/b", replace=True, touch=True, expires=5, explain=True)
        store.check("a text", "a")
        method, path, headers, body = fake.requests[0]
        assert (method, path) == ("POST", "/v1/stores/seen/check")
        assert headers["Authorization"] == "Bearer secret-key" and headers["Content-Type"] == "application/json"
        assert headers["User-Agent"] == f"neardup-python/{neardup.__version__}"
        options = {"replace": True, "touch": True, "expires": 5, "explain": True}
        assert json.loads(body) == {"id": "a/b", "text": "é\ufffd", **options}
        assert json.loads(fake.requests[1][3]) == {"id": "a", "text": "a text"}
    with Fake((200, {"documents": [], "next": None})) as fake:
        list(neardup.connect(f"{fake.url}/below/").store("seen").documents(after=7, page=10))
        assert fake.requests[0][1] == "/below/v1/stores/seen/documents?limit=10&after=7"
    with Fake(problem(404)) as fake:
        for id in ("..", "a/b", "é"):
            with pytest.raises(client.NotFoundError):
                seen(fake).document(id)
        assert [path.rpartition("/")[2] for _, path, *_ in fake.requests] == ["%2E%2E", "a%2Fb", "%C3%A9"]


@pytest.mark.parametrize(
    "reply", [problem(403, "the key secret-key lacks a role"), (500, b"secret-key"), DROP, (200, b"secret-key")], ids=str
)
def test_a_key_is_nowhere_to_be_seen(reply, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    with Fake(reply) as fake:
        service = neardup.connect(fake.url, "secret-key", retries=1)
        with pytest.raises(client.ServiceError) as raised:
            service.store("seen").check("a text", "a")
        assert fake.requests[0][2]["Authorization"] == "Bearer secret-key"
        shown = [repr(raised.value), str(raised.value), *map(str, raised.value.args), repr(service), repr(vars(service._transport))]
        shown += traceback.format_exception(raised.value)
    assert not any("secret-key" in text for text in [*shown, caplog.text, *capfd.readouterr()])
    with pytest.raises(TypeError):
        pickle.dumps(service)


@pytest.mark.parametrize("reply", [problem(403), DROP, TEAR, (200, b"<html>")], ids=str)
def test_a_key_is_not_among_the_values_of_a_traceback(reply):
    with Fake(reply) as fake:
        store = neardup.connect(fake.url, "-".join(["secret", "key"]), retries=1).store("seen")
        with pytest.raises(client.ServiceError) as raised:
            store.check("a text", "a")
    shown = "".join(traceback.TracebackException.from_exception(raised.value, capture_locals=True).format())
    assert "safe = " in shown and "secret-key" not in shown


def test_wrong_keys_are_not_shown():
    for key in ("", "secret key", "secret\nkey", "sécret"):
        with pytest.raises(neardup.UsageError, match=r"^key: ") as raised:
            neardup.connect(key=key)
        assert "cret" not in str(raised.value)
    with pytest.raises(TypeError, match="key: expected a str, not bytes"):
        neardup.connect(key=b"secret")


@pytest.mark.parametrize(
    "url, words",
    [("127.0.0.1:8080", "http://127"), ("ftp://host", "http://127"), ("http://", "http://127"), ("http://host:99999", "port"),
     ("http://host/?a=b", "no query"), ("http://host/#a", "no fragment"), ("http://user:secret@host", "no user"), ("http://h ost", "http://127"),
     ("http://host/é", "http://127")],
)  # fmt: skip
def test_wrong_urls(url, words):
    with pytest.raises(neardup.UsageError, match=words) as raised:
        neardup.connect(url)
    assert "secret" not in str(raised.value)


def test_https(tmp_path):
    if shutil.which("openssl") is None:
        pytest.skip("[machine] openssl is missing")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command = ["openssl", "req", "-x509", *options, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate, key)
    trusted = ssl.create_default_context(cafile=certificate)
    with Fake((200, KEEP), context=served) as fake:
        store = seen(fake, context=trusted)
        assert store.check("a text", "a").kept and store.check("a text", "a").kept and fake.connections == 1
        with pytest.raises(client.UnavailableError, match="no answer after 1 attempt: .*certificate"):
            seen(fake).check("a text", "a")
    with pytest.raises(neardup.UsageError, match="context"):
        neardup.connect("http://127.0.0.1:1", context=trusted)
    with pytest.raises(TypeError, match="context"):
        neardup.connect("https://127.0.0.1:1", context=True)


def test_a_refusal_before_the_body_was_read_is_understood():
    """The server answers after the head, and ends the connection while the body is on its way."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def refuse():
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                body = json.dumps(problem(413, "the body is too large")[1]).encode()
                head = f"HTTP/1.1 413 Content Too Large\r\nContent-Type: application/problem+json\r\nContent-Length: {len(body)}\r\n\r\n"
                connection.sendall(head.encode() + body)
                connection.shutdown(socket.SHUT_WR)
                # Reads a while, as servers do, so that the answer is not lost.
                with contextlib.suppress(OSError):
                    while connection.recv(1 << 20):
                        pass

        threading.Thread(target=refuse, daemon=True).start()
        store = neardup.connect(f"http://127.0.0.1:{listening.getsockname()[1]}", retries=0).store("seen")
        with pytest.raises(client.ServiceError) as raised:
            store.check("x" * (8 << 20), "a")
        assert raised.value.status == 413 and raised.value.detail == "the body is too large"


def test_events_of_a_stream():
    stats = {
        **dict.fromkeys([field for field in client.Stats.__annotations__ if not field.startswith("_")], 0),
        "removed": {"exact_copy": 0, "near_duplicate": 1},
        "check_ms": {"p50": 1, "p99": 2},
        "sync_ms": {"p50": 1, "p99": 2},
        "queue": {"requests": 0, "bytes": 0},
        "name": "seen",
    }
    decision = {"id": "b", "verdict": "remove", "reason": "exact_copy", "keeper_id": "a", "similarity": 1, "time": 5}
    body = (
        f"retry: 2000\n\n: a comment\n\nevent: stats\ndata: {json.dumps(stats)}\n\nevent: unknown\ndata: 5\n\ndata: 5\n\n"
        f"event:decision\r\ndata:{json.dumps(decision)}\r\n\r\nevent: decision\ndata: {{}}"
    ).encode()
    kind = {"Content-Type": "text/event-stream"}
    with Fake(problem(503), (200, body, kind)) as fake:
        assert fake.requests == []
        first, second = seen(fake).events()
        assert first.removed.near_duplicate == 1 and second == client.RecentDecision(**decision)
    with Fake((200, b"event: stats\ndata: {}\n\n", kind)) as fake, pytest.raises(client.ServiceError, match="the answer lacks name"):
        list(seen(fake).events())
    with Fake((200, b"event: stats\ndata: {\n\n", kind)) as fake, pytest.raises(client.ServiceError, match="Unexpected answer"):
        list(seen(fake).events())


def test_pages_of_documents_are_asked_for_one_by_one():
    def page(number):
        return {"documents": [{"id": f"d{number}", "sequence": number, "time": 5, "expires": None}], "next": number if number < 3 else None}

    with Fake(*[(200, page(number)) for number in (1, 2, 3)]) as fake:
        documents = seen(fake).documents(page=1)
        assert fake.requests == [] and next(documents).id == "d1" and len(fake.requests) == 1
        assert [one.id for one in itertools.islice(documents, 9)] == ["d2", "d3"]
        assert [path.rpartition("?")[2] for _, path, *_ in fake.requests] == ["limit=1", "limit=1&after=1", "limit=1&after=2"]


def test_values_print_what_they_say():
    assert repr(client.Answer("a", "keep", "unique", sequence=1)) == "Answer(id='a', verdict='keep', reason='unique', sequence=1)"
    assert (
        repr(client.Document("a", 1, 5, text="x" * 5000))
        == f"Document(id='a', sequence=1, time=5, text='{'x' * 60}'... (5,000 characters))"
    )
    with pytest.raises(AttributeError):
        client.Answer("a", "keep").verdict = "remove"
