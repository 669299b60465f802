"""neardup plan --documents N: the plan of a Hamming index, and its refusals."""
import json
import math
import unittest

from harness import CliTest


def ball(bits, radius):
    return sum(math.comb(bits, i) for i in range(radius + 1))


class PlanIndex(CliTest):
    def plan(self, *arguments):
        return json.loads(self.neardup("plan", "--json", *arguments).stdout)

    def refused(self, *arguments):
        result = self.neardup("plan", *arguments, code=2)
        self.assertEqual(result.stdout, b"")
        return result.stderr

    def test_plans_find_everything_within_the_distance(self):
        for bits in (64, 128):
            for distance in (0, 1, 3, 6, 8):
                for documents in (1, 5000, 10**6, 10**9):
                    plan = self.plan("--bits", str(bits), "--distance", str(distance), "--documents", str(documents))
                    tables = plan["tables"]
                    self.assertEqual((plan["bits"], plan["distance"], plan["documents"]), (bits, distance, documents))
                    self.assertLessEqual(sum(table["bits"] for table in tables), bits)
                    if tables:
                        self.assertGreater(sum(table["flips"] + 1 for table in tables), distance)
                        self.assertLessEqual(plan["bytes_per_code"], 30 if bits == 64 else 100)
                    self.assertEqual(plan["buckets_per_query"], sum(ball(table["bits"], table["flips"]) for table in tables))
                    codes = sum(documents * ball(table["bits"], table["flips"]) / 2**table["bits"] for table in tables)
                    self.assertAlmostEqual(plan["candidates_per_query"] / (codes if tables else documents), 1, places=3)
                    chance = documents * ball(bits, distance) / 2**bits
                    self.assertAlmostEqual(plan["strangers_per_query"] / chance, 1, places=4)

    def test_exponents(self):
        self.assertEqual(self.plan("--documents", "1e9"), self.plan("--documents", "1000000000"))

    def test_text_says_the_same(self):
        text = self.neardup("plan", "--documents", "5e7").stdout.decode()
        plan = self.plan("--documents", "5e7")
        self.assertIn("50,000,000 fingerprints of 64 bits, all within distance 3", text)
        self.assertIn(f"{len(plan['tables'])} tables, {plan['buckets_per_query']} buckets a query", text)
        for part in ("size ", "build ", "a query ", "a flat scan ", "self-join ", "false candidates ", "170 ns"):
            self.assertIn(part, text)
        self.assertIn("this machine", self.neardup("plan", "--documents", "5e7", "--measure").stdout.decode())

    def test_what_is_to_be_fast(self):
        query = self.plan("--documents", "5e7")
        join = self.plan("--documents", "5e7", "--for", "self-join")
        self.assertLessEqual(query["query_us"], join["query_us"])
        self.assertLessEqual(join["build_seconds"] + join["self_join_seconds"], query["build_seconds"] + query["self_join_seconds"])
        small = self.plan("--documents", "5e7", "--bytes-per-code", "16")
        self.assertLessEqual(small["bytes"], 16 * 5e7)

    def test_refuses_too_much_work_and_names_a_better_plan(self):
        error = self.refused("--documents", "1e9", "--distance", "20")
        self.assertIn("more than --budget 10 ms", error)
        self.assertIn("MinHash", error)
        nearer = error.split("better: distance ")[1].split()[0]
        self.assertLess(int(nearer), 20)
        self.plan("--documents", "1e9", "--distance", nearer)
        self.refused("--documents", "1e9", "--distance", str(int(nearer) + 1))
        self.plan("--documents", "1e9", "--distance", "20", "--budget", "1000")
        error = self.refused("--documents", "1e9", "--distance", "12", "--for", "self-join")
        self.assertIn("for all pairs on one core, more than --join-budget 24 hours", error)

    def test_names_longer_fingerprints_where_they_are_faster(self):
        named = 0
        for distance in range(4, 14):  # the same texts are twice as far apart in 128 bits, and random fingerprints are not near
            large = ("--documents", "1e9", "--budget", "1e6")
            short = self.plan(*large, "--distance", str(distance))["query_us"]
            long = self.plan(*large, "--distance", str(2 * distance), "--bits", "128")["query_us"]
            if long > 0.9 * short:
                continue
            named += 1
            error = self.refused("--documents", "1e9", "--distance", str(distance), "--budget", str((short + long) / 2000))
            self.assertIn(f"fingerprints of 128 bits with distance {2 * distance} (", error)
        self.assertGreater(named, 0)

    def test_bounds(self):
        for message, *arguments in [("--documents: expected 1 to", "--documents", "0"), ("--documents: expected 1 to", "--documents", "2e12"),
                                    ("--documents: expected 1 to", "--documents", "nan"), ("--documents: expected 1 to", "--documents", "many"),
                                    ("--documents: expected a whole number", "--documents", "1.5"),
                                    ("--bits: expected 64 or 128, not '96'", "--documents", "9", "--bits", "96"),
                                    ("--distance: expected 0 to 64, not '65'", "--documents", "9", "--distance", "65"),
                                    ("--for: expected query or self-join, not 'all'", "--documents", "9", "--for", "all"),
                                    ("--budget: expected", "--documents", "9", "--budget", "-1"),
                                    ("--documents N is missing", "--distance", "3")]:
            self.assertIn(message, self.refused(*arguments))
        self.plan("--documents", "9", "--bits", "128", "--distance", "128")


if __name__ == "__main__":
    unittest.main()
