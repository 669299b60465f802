"""neardup serve loses nothing that it answered, and contradicts nothing: it is killed under clients, started again, and asked.

Texts are of families: two of one family match, two of different families do not, so at most one document of a family is stored at a time.
NEARDUP_KILLS: how often it is killed.
"""
import collections
import http.client
import os
import random
import threading
import time
import unittest

from server_case import ServerCase, quoted

KILLS = int(os.environ.get("NEARDUP_KILLS", "12"))
CLIENTS = 4
FAMILIES = 400
NEVER = float("inf")


def text_of(family, variant):
    return " ".join(f"f{family}w{number}" for number in range(40)) + f" v{variant}"


class Event:
    """A request about one document. `acked` is NEVER while there is no answer."""

    def __init__(self, kind, name, family, variant=0):
        self.kind = kind  # check or delete
        self.name = name
        self.family = family
        self.variant = variant
        self.sent = time.monotonic()
        self.acked = NEVER
        self.answer = None

    def body(self):
        return {"id": self.name, "text": text_of(self.family, self.variant)}

    def ack(self, answer):
        self.answer = answer
        self.acked = time.monotonic()

    def __repr__(self):
        return f"{self.kind} {self.name} of family {self.family}: {self.answer}"


class Model:
    """What the store holds, of what was answered: the document of each family."""

    def __init__(self):
        self.live = {}  # family: check Event that kept it
        self.removed = collections.deque(maxlen=2000)
        self.answers = 0
        self.seen = collections.Counter()

    def judge(self, events):
        """Takes the events of one round, all with an answer. Raises AssertionError for those that no order of them explains."""
        families = collections.defaultdict(list)
        for event in events:
            families[event.family].append(event)
        for family, its in families.items():
            self.judge_family(family, its)
        self.answers += len(events)
        self.removed.extend(event for event in events if event.kind == "check" and event.answer["verdict"] == "remove")

    def judge_family(self, family, events):
        checks = [event for event in events if event.kind == "check"]
        deletes = {}
        for event in events:
            if event.kind == "delete":
                assert event.name not in deletes
                deletes[event.name] = event
        before = self.live.get(family)
        keepers = {before.name: before} if before else {}
        for event in checks:
            self.seen[event.answer["verdict"], event.answer.get("reason")] += 1
            if event.answer["verdict"] == "keep" and event.name not in keepers:
                keepers[event.name] = event
        chain = sorted(keepers.values(), key=lambda event: event.answer["sequence"])
        assert before is None or chain[0] is before, f"{chain[0]} before {before}"
        for earlier, later in zip(chain, chain[1:]):
            deleted = deletes.get(earlier.name)
            assert deleted and deleted.sent < later.acked, f"{later} was kept while {earlier} was stored"
        for event in checks:
            if event.answer["verdict"] == "keep":
                assert event.answer["sequence"] == keepers[event.name].answer["sequence"], f"{event}, before {keepers[event.name]}"
                continue
            keeper = keepers.get(event.answer["keeper_id"])
            assert event.answer["verdict"] == "remove" and keeper, f"{event}: of {list(keepers)}"
            assert event.answer["sequence"] == keeper.answer["sequence"] and keeper.sent < event.acked, f"{event}, before {keeper}"
            deleted = deletes.get(keeper.name)
            assert not deleted or not deleted.answer["sure"] or event.sent < deleted.acked, f"{event}, but {deleted}"
        for name, event in deletes.items():
            assert name in keepers, event
            assert event.answer["found"] or not event.answer["sure"], f"{event}: it was stored"
        self.live.pop(family, None)
        if chain and chain[-1].name not in deletes:
            self.live[family] = chain[-1]


class Caller(threading.Thread):
    """A client that checks, repeats and deletes until the server is gone."""

    def __init__(self, number, round_number, server, chance, own):
        super().__init__()
        self.prefix = f"r{round_number}c{number}"
        self.upkeep = number == 0
        self.server = server
        self.chance = random.Random(chance.random())
        self.own = own  # check events that kept a document, which only this client deletes
        self.events = []
        self.error = None

    def run(self):
        try:
            with self.server.client(timeout=30) as client:
                while True:
                    self.step(client)
        except (OSError, http.client.HTTPException):
            pass  # the server is gone
        except Exception as error:
            self.error = error

    def step(self, client):
        dice = self.chance.random()
        if dice < 0.02 and self.upkeep:
            answer = client.call("POST", "/v1/stores/seen/compact")
            assert answer.status == 204, answer
        elif dice < 0.2 and self.own:
            self.delete(client, self.own.pop(self.chance.randrange(len(self.own))))
        elif dice < 0.4:
            self.check(client, [self.make() for _ in range(self.chance.randrange(1, 20))])
        else:
            self.check(client, [self.make()])

    def make(self):
        if self.own and self.chance.random() < 0.1:
            known = self.chance.choice(self.own)
            return Event("check", known.name, known.family, known.variant)
        return Event("check", f"{self.prefix}/{len(self.events)}-{self.chance.randrange(10**9)}", self.chance.randrange(FAMILIES), self.chance.randrange(10**6))

    def check(self, client, events):
        self.events += events
        if len(events) == 1:
            answer = client.call("POST", "/v1/stores/seen/check", events[0].body())
            lines = [answer.json()]
        else:
            answer = client.call("POST", "/v1/stores/seen/check-batch", [event.body() for event in events])
            lines = answer.lines()
        assert answer.status == 200, answer
        for event, line in zip(events, lines, strict=True):
            event.ack(line)
            if line["verdict"] == "keep" and line["reason"] == "unique":
                self.own.append(event)

    def delete(self, client, kept):
        event = Event("delete", kept.name, kept.family)
        self.events.append(event)
        if self.chance.random() < 0.5:
            answer = client.call("DELETE", f"/v1/stores/seen/documents/{quoted(kept.name)}")
            assert answer.status in (204, 404), answer
            event.ack({"found": answer.status == 204, "sure": True})
        else:
            answer = client.call("POST", "/v1/stores/seen/delete-batch", {"ids": [kept.name]})
            assert answer.status == 200, answer
            event.ack({"found": answer.json()["deleted"][0], "sure": True})


class Killed(ServerCase):
    def setUp(self):
        super().setUp()
        self.model = Model()
        self.chance = random.Random(11)
        self.own = [[] for _ in range(CLIENTS)]

    def run_clients(self, server, number):
        """Kills the server under clients. Returns their events."""
        callers = [Caller(each, number, server, self.chance, self.own[each]) for each in range(CLIENTS)]
        for caller in callers:
            caller.start()
        time.sleep(self.chance.uniform(0.05, 0.7))
        server.kill()
        for caller in callers:
            caller.join()
            if caller.error:
                raise caller.error
        return [event for caller in callers for event in caller.events]

    def resolve(self, server, events):
        """Sends again what got no answer, as a client would."""
        for event in events:
            if event.answer is not None:
                continue
            if event.kind == "check":
                event.ack(server.call("POST", "/v1/stores/seen/check", event.body()).json())
            else:
                answer = server.call("DELETE", f"/v1/stores/seen/documents/{quoted(event.name)}")
                event.ack({"found": answer.status == 204, "sure": False})

    def forget(self):
        """What is not stored any more is no longer its client's."""
        names = {event.name for event in self.model.live.values()}
        for own in self.own:
            own[:] = [event for event in own if event.name in names]

    def ask(self, server):
        """Everything that is stored, and what was removed lately."""
        live = sorted(self.model.live.values(), key=lambda event: event.answer["sequence"])
        listed, after = [], ""
        while after is not None:
            page = server.call("GET", f"/v1/stores/seen/documents?limit=1000{after}").json()
            listed += [(document["id"], document["sequence"]) for document in page["documents"]]
            after = None if page["next"] is None else f"&after={page['next']}"
        self.assertEqual(listed, [(event.name, event.answer["sequence"]) for event in live])
        lines = server.call("POST", "/v1/stores/seen/check-batch", [event.body() for event in live]).lines()
        self.assertEqual([(line["reason"], line["sequence"]) for line in lines], [("repeated", event.answer["sequence"]) for event in live])
        removed = [event for event in self.model.removed if event.family in self.model.live]
        lines = server.call("POST", "/v1/stores/seen/query-batch", [event.body() for event in removed]).lines()
        self.assertEqual([line["keeper_id"] for line in lines], [self.model.live[event.family].name for event in removed])

    def test_nothing_is_lost_or_contradicted(self):
        server = self.serve_new()
        for number in range(KILLS):
            events = self.run_clients(server, number)
            server = self.serve("--data", "data")
            self.resolve(server, [event for event in events if event.kind == "check"])
            self.resolve(server, events)
            self.model.judge(events)
            self.forget()
            self.ask(server)
            if number % 25 == 24:
                print(f"killed {number + 1} times: {self.model.answers} answers, {dict(self.model.seen)}", flush=True)
        self.assertEqual(server.stop(), 0)
        self.assertGreater(self.model.answers, 20 * KILLS)
        self.neardup("store", "verify", "data/seen")
        self.neardup("store", "export", "data/seen", "-o", "kept.jsonl", "-q")
        self.assertEqual([line["id"] for line in self.records("kept.jsonl")],
                         [event.name for event in sorted(self.model.live.values(), key=lambda event: event.answer["sequence"])])
        self.neardup("dedup", "kept.jsonl", "--max-candidates", 0, "--verdicts", "verdicts.jsonl", "-q")
        self.assertEqual({line["verdict"] for line in self.records("verdicts.jsonl")}, {"keep"})
        for what in (("keep", "unique"), ("keep", "repeated"), ("remove", "near_duplicate")):
            self.assertGreater(self.model.seen[what], 0)


if __name__ == "__main__":
    unittest.main()
