"""neardup.service against the program: every call, and a server that is killed and started again."""

import contextlib
import dataclasses
import datetime
import importlib.util
import io
import itertools
import json
import os
import re
import signal
import subprocess
import threading
import time

import pytest
from needs import ROOT
from program import BIN, needs_program, run, write_jsonl

import neardup
from neardup import service as client

pytestmark = needs_program

BRIDGE = "The council approved the new bridge over the river on Tuesday evening after a long debate."
BRIDGE_TOO = "The council approved the new bridge over the river on Tuesday evening after a long debate today."
BAKERY = "A local bakery won the national prize for the best rye bread of the year."
RAIN = "Rain is expected in the north, and sunshine along the coast, for the rest of the week."
UNKNOWN = "no document has this id"


class Server:
    """`neardup serve` on a free port; start() after kill() takes the same port."""

    def __init__(self, *arguments):
        self.arguments, self.port, self.process = arguments, 0, None
        self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        command = [BIN, "serve", *map(str, self.arguments), "--listen", f"127.0.0.1:{self.port}"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        said = []
        for line in self.process.stderr:
            said.append(line)
            if found := re.search(r"listening on http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                # What it says later is read, too: a full pipe would stop it.
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return
        raise AssertionError(f"{command} ended: {''.join(said)}")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=30)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.kill()
                raise


@contextlib.contextmanager
def serving(*arguments):
    server = Server(*arguments)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    (folder / "data").mkdir()
    texts = write_jsonl(folder / "texts.jsonl", ["It was late in the evening when the last ferry left the harbour.", BRIDGE])
    run("index", "build", folder / "quotes", texts, "--kind", "clue")
    with serving("--data", folder / "data", "--clue-index", folder / "quotes", "--snapshots", folder / "copies") as started:
        started.folder = folder
        yield started


@pytest.fixture
def service(server):
    with neardup.connect(server.url) as connected:
        yield connected


NUMBERS = itertools.count()


@pytest.fixture
def store(service):
    return service.create(f"store-{next(NUMBERS)}", recipe="words-5", threshold=0.7)


def text_of(number):
    """Texts that have nothing in common."""
    return " ".join(f"{word}{number}" for word in ("one", "two", "three", "four", "five", "six", "seven", "eight"))


def test_check_keeps_the_first_of_similar_texts(store):
    kept = store.check(BRIDGE, "a1")
    assert (kept.id, kept.verdict, kept.reason, kept.keeper_id) == ("a1", "keep", "unique", None)
    assert kept.kept and not kept.removed and not kept.refused and kept.problem is None
    removed = store.check(BRIDGE_TOO, "b1")
    assert (removed.verdict, removed.reason, removed.keeper_id, removed.sequence) == ("remove", "near_duplicate", "a1", kept.sequence)
    assert removed.removed and 0.7 <= removed.similarity < 1
    assert store.check(BRIDGE, "b2").reason == "exact_copy"
    again = store.check(BRIDGE, "a1")
    assert (again.reason, again.sequence) == ("repeated", kept.sequence)
    assert repr(removed).startswith("Answer(id='b1', verdict='remove', reason='near_duplicate', keeper_id='a1', similarity=0.")


def test_explain_shows_what_texts_share(store):
    store.check(BRIDGE, "a1")
    store.check(BAKERY, "a2")
    removed = store.check(BRIDGE_TOO, "b1", explain=True)
    assert removed.passages and removed.passages[0].tokens >= 1
    assert store.check(RAIN, "b2", explain=True).passages == ()
    assert store.query(BRIDGE_TOO, explain=True).passages
    found = store.explain("a1", text=BRIDGE_TOO)
    assert found.match and not found.exact_copy and found.similarity == removed.similarity and found.tokens == [17, 16]
    assert store.explain("a1", text=BRIDGE).exact_copy
    assert not store.explain("a1", other="a2").match
    for arguments in ({}, {"text": BRIDGE, "other": "a2"}):
        with pytest.raises(neardup.UsageError, match="text or other"):
            store.explain("a1", **arguments)


def test_query_keeps_nothing(store):
    assert store.query(BRIDGE).verdict == "keep" and store.info().documents == 0
    store.check(BRIDGE, "a1")
    answer = store.query(BRIDGE_TOO)
    assert (answer.id, answer.verdict, answer.keeper_id, answer.sequence) == (None, "remove", "a1", None)
    answers = list(store.query_batch([BRIDGE_TOO, ("q", RAIN), {"id": "r", "text": BRIDGE, "url": "not sent"}]))
    assert [(one.id, one.verdict) for one in answers] == [(None, "remove"), ("q", "keep"), ("r", "remove")]
    assert store.info().documents == 1


def test_another_text_under_a_stored_id_is_a_conflict(store):
    store.check(BRIDGE, "a")
    with pytest.raises(client.ConflictError) as raised:
        store.check(BAKERY, "a")
    assert raised.value.status == 409 and raised.value.detail and "409" in str(raised.value)
    refused, kept = store.check_batch([("a", BAKERY), ("b", RAIN)])
    assert refused.refused and refused.id == "a" and refused.problem and kept.kept
    assert store.check(BAKERY, "a", replace=True).reason == "unique"
    assert store.document("a").text == BAKERY
    answers = list(store.check_batch([{"id": "a", "text": BRIDGE, "replace": True}, {"id": "a", "text": BAKERY}]))
    assert answers[0].kept and answers[1].refused


@pytest.mark.parametrize("id", ["a/b", "/", "..", ".", "a?b#c&d=e%2F", "文档/一", "é\U0001f600", " space ", "line\nend", 'quote"\\', "+"])
def test_ids_are_any_text(store, id):
    assert store.check(BRIDGE, id).id == id
    assert store.document(id).id == id and store.document(id).text == BRIDGE
    assert store.check(BRIDGE_TOO, "other").keeper_id == id
    assert [one.id for one in store.documents()] == [id]
    assert store.cluster(id).duplicates[0].id == "other"
    assert store.delete(id) is True and store.delete(id) is False


def test_texts_are_any_text(store):
    text = '渡船在雨中离开港口\n\t"quoted" \\ \x00\x1f \U0001f600 é ' + BRIDGE
    store.check(text, "a")
    assert store.document("a").text == text
    assert next(store.check_batch([("b", text)])).keeper_id == "a"
    store.check(RAIN + "\ud800", "surrogate")  # UTF-8 has none
    assert store.document("surrogate").text == RAIN + "\ufffd"
    with pytest.raises(neardup.UsageError, match="lone surrogate"):
        store.check(RAIN, "\udfff")
    for id in ("", "é" * 32768):
        with pytest.raises(neardup.UsageError, match="65535 bytes"):
            store.check(RAIN, id)
    assert store.check(BAKERY, "é" * 32767).kept


def test_a_batch_is_answered_in_order_as_it_is_read(store):
    taken = []

    def documents():
        for number in range(100):
            taken.append(number)
            yield (f"d{number}", text_of(number // 2))

    answers = store.check_batch(documents(), size=10)
    assert not taken, "nothing is read before the first answer is asked for"
    first = next(answers)
    assert first.id == "d0" and len(taken) == 11, "one piece, and the document that did not belong to it"
    everything = [first, *answers]
    assert [one.id for one in everything] == [f"d{number}" for number in range(100)]
    assert [one.verdict for one in everything] == ["keep", "remove"] * 50
    assert [one.keeper_id for one in everything[1::2]] == [f"d{number}" for number in range(0, 100, 2)]
    assert store.stats().documents == 50


def test_pieces_have_a_bound_in_bytes(store):
    read = itertools.count()
    documents = ((f"d{number}", text_of(next(read))) for number in range(50))
    assert next(store.check_batch(documents, bytes=300)).id == "d0" and next(read) < 10


def test_a_document_that_cannot_be_used_comes_after_the_answers_before_it(store):
    for wrong, error, words in (
        (("b",), TypeError, "documents\\[1\\]: expected a dict"),
        ({"id": "b"}, neardup.UsageError, "documents\\[1\\] lacks text"),
        (("b", 5), TypeError, "documents\\[1\\]: text: expected a str, not int"),
        ((5, RAIN), TypeError, "documents\\[1\\]: id: expected a str"),
        ({"id": "b", "text": RAIN, "replace": 1}, TypeError, "documents\\[1\\]: replace"),
    ):
        answers = store.check_batch([("a", BRIDGE), wrong, ("c", BAKERY)])
        assert next(answers).id == "a"
        with pytest.raises(error, match=words):
            next(answers)
    assert store.info().documents == 1
    for documents in ("text", {"id": "a", "text": "b"}, 5, None):
        with pytest.raises(TypeError, match="iterable of documents"):
            store.check_batch(documents)
    with pytest.raises(neardup.UsageError, match="size"):
        store.check_batch([], size=0)
    assert list(store.check_batch([])) == []


def test_documents_are_listed_and_deleted(store):
    before = int(time.time() * 1000)
    assert all(answer.kept for answer in store.check_batch((f"d{number}", text_of(number)) for number in range(25)))
    listed = list(store.documents(page=10))
    assert [one.id for one in listed] == [f"d{number}" for number in range(25)]
    assert all(one.text is None and one.expires is None and before - 1000 <= one.time <= time.time() * 1000 + 1000 for one in listed)
    assert [one.id for one in store.documents(after=listed[20].sequence)] == ["d21", "d22", "d23", "d24"]
    assert store.delete_batch(["d0", UNKNOWN, "d1"]) == [True, False, True] and store.delete_batch([]) == []
    with pytest.raises(client.NotFoundError, match=r"GET http://127\.0\.0\.1:\d+/v1/stores/store-\d+/documents/d0: 404"):
        store.document("d0")
    assert next(store.documents()).id == "d2"
    assert store.delete_batch(f"d{number}" for number in range(10_001)) == [False, False, *[True] * 23, *[False] * 9976]
    assert list(store.documents()) == []
    for wrong in ("d0", ["d0", 1]):
        with pytest.raises(TypeError):
            store.delete_batch(wrong)


def test_clusters_are_what_was_removed_lately(store):
    list(store.check_batch([("a", BRIDGE), ("b", BAKERY), ("a1", BRIDGE), ("b1", BAKERY), ("a2", BRIDGE_TOO)]))
    clusters = store.clusters()
    assert clusters.remembered == 3 and [one.keeper_id for one in clusters] == ["a", "b"] and len(clusters) == 2
    assert [(one.id, one.reason) for one in clusters.clusters[0].duplicates] == [("a2", "near_duplicate"), ("a1", "exact_copy")]
    assert store.cluster("a") == clusters.clusters[0] and len(store.clusters(limit=1)) == 1
    with pytest.raises(client.NotFoundError):
        store.cluster(UNKNOWN)


def test_documents_expire(service):
    store = service.create("short-lived", ttl="7d")
    assert store.info().rule.ttl == 7 * 86_400_000
    store.check(BRIDGE, "a")
    document = store.document("a")
    assert document.expires == document.time + 7 * 86_400_000
    until = datetime.datetime(2050, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
    store.check(BAKERY, "b", expires=until)
    assert store.document("b").expires == int(until.timestamp() * 1000)
    store.check(RAIN, "c", expires=int(time.time() * 1000) + 200)
    assert store.query(RAIN).removed
    time.sleep(0.3)
    assert store.query(RAIN).kept
    list(store.check_batch([("d", text_of(1))], expires=until))
    assert store.document("d").expires == int(until.timestamp() * 1000)
    # A duplicate renews the expiry of its keeper only if it is asked to.
    soon = int(time.time() * 1000) + 3_600_000
    store.check(text_of(2), "e", expires=soon)
    store.check(text_of(2), "e1")
    assert store.document("e").expires == soon
    store.check(text_of(2), "e2", touch=True)
    assert store.document("e").expires > soon
    with pytest.raises(neardup.UsageError, match="time zone"):
        store.check(RAIN, "f", expires=datetime.datetime(2050, 1, 1))


def test_stores_are_created_with_a_rule(service, tmp_path):
    recipe = tmp_path / "recipe.json"
    recipe.write_text(neardup.recipe("chars-5").canonical_json)
    store = service.create(
        "ruled", recipe=recipe, threshold=0.6, max_distance=5, min_length=3, ttl=datetime.timedelta(hours=1), texts=False
    )
    info = store.info()
    assert (info.name, info.documents) == ("ruled", 0)
    rule = info.rule
    assert (rule.threshold, rule.max_distance, rule.min_length, rule.ttl, rule.texts) == (0.6, 5, 3, 3_600_000, False)
    same = {"threshold": 0.6, "max_distance": 5, "min_length": 3, "ttl": "1h", "texts": False}
    assert service.create("ruled", recipe="chars-5", **same).info() == info, "the same rule, said in another way"
    assert service.create("ruled", recipe=neardup.recipe("chars-5"), **same).info() == info
    with pytest.raises(client.ConflictError):
        service.create("ruled")
    with pytest.raises(client.ServiceError) as raised:
        service.create("refused", recipe="/etc/passwd")
    assert raised.value.status == 422
    assert {"ruled"} <= {one.name for one in service.stores()}
    store.check(BRIDGE, "a")
    assert store.document("a").text is None
    for name in ("", "a/b", "-a", "a" * 65, "é"):
        with pytest.raises(neardup.UsageError, match=r"^name: "):
            service.store(name)


def test_an_unknown_store_is_not_found(service):
    store = service.store("unknown")
    assert repr(store) == f"<neardup.service.RemoteStore 'unknown' of {service.url}>"
    for call in (
        store.info,
        store.stats,
        store.clusters,
        store.sync,
        store.compact,
        store.snapshot,
        lambda: store.check(RAIN, "a"),
        lambda: store.query(RAIN),
        lambda: store.delete("a"),
        lambda: list(store.check_batch([("a", RAIN)])),
        lambda: list(store.documents()),
        lambda: next(store.events()),
        lambda: service.clue_index("unknown").search("ferry"),
    ):
        with pytest.raises(client.NotFoundError):
            call()


def test_upkeep(store, server):
    store.check(BRIDGE, "a")
    store.check(BAKERY, "b")
    store.delete("b")
    store.sync()
    store.compact()
    stats = store.stats()
    assert (stats.name, stats.documents, stats.checked, stats.kept, stats.deleted) == (store.name, 1, 2, 2, 0)
    assert stats.removed.near_duplicate == 0 and stats.queue.requests == 0 and stats.check_ms.p99 >= stats.check_ms.p50 >= 0
    copy = store.snapshot()
    assert copy.documents == 1 and (server.folder / "copies" / copy.snapshot).is_dir()


def test_events_have_statistics_and_decisions(store):
    with contextlib.closing(store.events()) as events:
        assert next(events).name == store.name, "statistics come first"
        store.check(BRIDGE, "a")
        store.check(BRIDGE_TOO, "b")
        decision = next(event for event in events if isinstance(event, client.RecentDecision) and event.id == "b")
        assert (decision.verdict, decision.reason, decision.keeper_id) == ("remove", "near_duplicate", "a")
    store.check(RAIN, "c")  # the service goes on without the watcher


def test_clue_indexes_are_searched(service):
    assert [(one.name, one.texts) for one in service.clue_indexes()] == [("quotes", 2)]
    index = service.clue_index("quotes")
    hits = index.search("THE LAST FERRY LEFT THE HARBOUR")
    assert [hit.passage for hit in hits] == ["the last ferry left the harbour"] and len(hits) == hits.count == 1
    assert hits.certainty == "exact" and hits.predicted_recall == 1 and not hits.more
    hit = hits.hits[0]
    text = index.text(hit.id)
    assert text.name == hit.name and text.text.encode()[hit.begin : hit.end].decode() == hit.passage
    assert index.search("when the lost ferry left a harbour", edits="20%", limit=5).hits[0].passage
    assert index.search("the last ferry left the harbour", resembles=True, threshold=0.5).count >= 1
    with pytest.raises(client.NotFoundError):
        index.text(99)
    for arguments, words in (({"threshold": 0.5}, "requires resembles"), ({"edits": 0.1, "resembles": True}, "cannot be combined")):
        with pytest.raises(neardup.UsageError, match=words):
            index.search("ferry", **arguments)


def test_a_batch_is_finished_after_a_restart(tmp_path):
    """The server is killed between pieces and started again on its port; then between two runs of the same batch."""
    (tmp_path / "data").mkdir()
    documents = [(f"d{number}", text_of(number % 150)) for number in range(200)]
    with serving("--data", tmp_path / "data") as server, neardup.connect(server.url, retries=20) as service:
        store = service.create("seen")
        answers = store.check_batch(documents, size=50)
        first = list(itertools.islice(answers, 50))
        server.kill()
        starter = threading.Timer(0.5, server.start)
        starter.start()
        everything = first + list(answers)
        starter.join()
        assert [one.id for one in everything] == [id for id, _ in documents]
        assert [one.verdict for one in everything] == ["keep"] * 150 + ["remove"] * 50
        server.kill()
        server.start()
        again = list(store.check_batch(documents))
        assert [one.reason for one in again] == ["repeated"] * 150 + ["exact_copy"] * 50
        assert [one.sequence for one in again] == [one.sequence for one in everything]
        assert store.info().documents == 150


def test_a_server_that_is_killed_during_a_batch_loses_nothing(tmp_path):
    (tmp_path / "data").mkdir()
    with serving("--data", tmp_path / "data") as server, neardup.connect(server.url, retries=30) as service:
        store = service.create("seen")
        stop, kills = threading.Event(), []

        def keep_killing():
            while not stop.wait(0.1):
                server.kill()
                server.start()
                kills.append(time.monotonic())

        def documents():
            for number in itertools.count():
                if number >= 300 and len(kills) >= 5:
                    return
                yield (f"d{number}", text_of(number))

        killer = threading.Thread(target=keep_killing)
        killer.start()
        try:
            answers = list(store.check_batch(documents(), size=20))
        finally:
            stop.set()
            killer.join()
        assert [one.id for one in answers] == [f"d{number}" for number in range(len(answers))] and all(one.kept for one in answers)
        assert [one.id for one in store.documents()] == [one.id for one in answers]


def test_lines_and_bodies_that_are_too_large(tmp_path):
    (tmp_path / "data").mkdir()
    with serving("--data", tmp_path / "data", "--max-body", "256K", "--max-line", "64K") as server, neardup.connect(server.url) as service:
        store = service.create("seen")
        long = "word " * 20_000
        documents = [("a", text_of(1)), ("long", long), ("b", text_of(1)), ("longer", long * 10)]
        documents += [(f"d{number}", f"{text_of(1000 + number)} {'x' * 3000}") for number in range(200)]
        answers = list(store.check_batch(documents, size=1000))
        assert [one.id for one in answers] == [id for id, _ in documents]
        assert [one.verdict for one in answers[:4]] == ["keep", None, "remove", None]
        assert answers[1].problem and answers[3].problem and all(one.kept for one in answers[4:])
        with pytest.raises(client.ServiceError) as raised:
            store.check(long * 10, "longer")
        assert raised.value.status == 413


def test_keys(tmp_path):
    (tmp_path / "data").mkdir()
    keys = {
        role: run("serve", "--keys", tmp_path / "keys", "--new-key", f"{role}:{role}-name").strip() for role in ("read", "write", "admin")
    }
    with serving("--data", tmp_path / "data", "--keys", tmp_path / "keys") as server:
        services = {role: neardup.connect(server.url, key) for role, key in keys.items()}
        services["admin"].create("seen").check(BRIDGE, "a")
        for role, service in services.items():
            assert (service.access().role, service.access().keys, service.access().version) == (role, True, neardup.__version__)
            assert service.store("seen").query(BRIDGE).removed
            assert keys[role] not in f"{service!r}{service.store('seen')!r}{vars_of(service)}"
        assert services["write"].store("seen").check(BRIDGE_TOO, "b").removed
        for call, status in (
            (lambda: services["read"].store("seen").check(RAIN, "c"), 403),
            (lambda: services["write"].create("other"), 403),
            (lambda: services["write"].store("seen").compact(), 403),
            (neardup.connect(server.url).stores, 401),
            (neardup.connect(server.url, "unknown-key").stores, 401),
        ):
            with pytest.raises(client.AccessError) as raised:
                call()
            assert raised.value.status == status
            assert not any(key in f"{raised.value!r} {raised.value}" for key in [*keys.values(), "unknown-key"])


def vars_of(service):
    """What a tool that shows the members of objects would show."""
    return repr(vars(service._transport))


def test_threads_share_a_service(service, store):
    answers = {}

    def work(thread):
        mine = [store.check(text_of(number), f"t{thread}-{number}") for number in range(20)]
        mine += store.check_batch([(f"b{thread}-{number}", text_of(100 + number)) for number in range(20)], size=7)
        answers[thread] = mine

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    everything = [answer for thread in range(8) for answer in answers[thread]]
    assert len(everything) == 320 and sum(one.kept for one in everything) == 40
    assert store.info().documents == 40
    kept = {one.id for one in everything if one.kept}
    assert {one.keeper_id for one in everything if one.removed} == kept


def test_a_child_process_has_connections_of_its_own(store):
    store.check(BRIDGE, "a")
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, (store.query(BRIDGE).keeper_id or "none").encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 100) == b"a" and store.query(BRIDGE).keeper_id == "a"
    os.close(reader)
    os.close(writer)


def test_a_closed_service_says_so(server):
    with neardup.connect(server.url) as service:
        store = service.store("unknown")
    with pytest.raises(neardup.UsageError, match="closed"):
        store.stats()


def test_the_blocks_of_pages(server):
    """Those that are marked `python service` run against a service, in order, as in one program for each page."""
    spec = importlib.util.spec_from_file_location("check_docs", ROOT / "scripts" / "check_docs.py")
    check_docs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check_docs)
    samples = 0
    for page in check_docs.pages(ROOT):
        names, printed, previous = {"__name__": "__main__"}, "", None
        for number, info, text in check_docs.split(page.read_text(encoding="utf-8")):
            if info is None:
                previous = None if text.strip() else previous
                continue
            if info == "python service":
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(text.replace("http://127.0.0.1:8080", server.url), f"{page}:{number}", "exec"), names)
                printed = out.getvalue()
            elif info == "text" and previous == "python service":
                problem = check_docs.sample_problem(text, printed)
                assert problem is None, f"{page}:{number}: {problem}"
                samples += 1
            previous = info
    assert samples > 0


def test_the_client_knows_every_call_of_the_description():
    """A call that is new in the description must come here, too."""
    description = json.loads((ROOT / "apps/server/api/openapi.json").read_text(encoding="utf-8"))
    found = {call["operationId"] for path in description["paths"].values() for call in path.values()}
    calls = {
        "key": client.Service.access,
        "listStores": client.Service.stores,
        "createStore": client.Service.create,
        "listClueIndexes": client.Service.clue_indexes,
        "search": client.RemoteClueIndex.search,
        "getText": client.RemoteClueIndex.text,
        "getStore": client.RemoteStore.info,
        "check": client.RemoteStore.check,
        "checkBatch": client.RemoteStore.check_batch,
        "query": client.RemoteStore.query,
        "queryBatch": client.RemoteStore.query_batch,
        "explain": client.RemoteStore.explain,
        "listDocuments": client.RemoteStore.documents,
        "getDocument": client.RemoteStore.document,
        "deleteDocument": client.RemoteStore.delete,
        "deleteDocuments": client.RemoteStore.delete_batch,
        "listClusters": client.RemoteStore.clusters,
        "getCluster": client.RemoteStore.cluster,
        "stats": client.RemoteStore.stats,
        "events": client.RemoteStore.events,
        "sync": client.RemoteStore.sync,
        "snapshot": client.RemoteStore.snapshot,
        "compact": client.RemoteStore.compact,
    }
    assert found - set(calls) == {"health", "ready", "metrics", "openapi"}, "for other programs"
    schemas = description["components"]["schemas"]
    kinds = {
        "Answer": client.Answer,
        "Explanation": client.Explanation,
        "Document": client.Document,
        "Duplicate": client.Duplicate,
        "Cluster": client.Cluster,
        "Clusters": client.Clusters,
        "Rule": client.Rule,
        "Store": client.StoreInfo,
        "Stats": client.Stats,
        "Quantiles": client.Quantiles,
        "Snapshot": client.Snapshot,
        "Hit": client.Hit,
        "Hits": client.Hits,
        "Text": client.IndexedText,
        "Key": client.Access,
        "Passage": client.Passage,
    }
    for name, kind in kinds.items():
        assert set(schemas[name]["properties"]) == {field.name for field in dataclasses.fields(kind)}, name
