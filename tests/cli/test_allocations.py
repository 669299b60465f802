"""A run whose memory is refused somewhere ends cleanly, or does without. campaigns/allocations.py tries many more places."""
import unittest

import allocation_trials
from allocation_trials import Trials, make_inputs
from harness import BINARY, CliTest


class Allocations(CliTest):
    PLACES = 12  # of each job, spread over the run

    def setUp(self):
        super().setUp()
        if not allocation_trials.LIBRARY:
            self.skipTest("no preloaded library in this build")
        make_inputs(self.dir, BINARY, documents=120)

    def try_job(self, job):
        trials = Trials(BINARY, self.dir, job)
        self.assertGreater(trials.allocations, self.PLACES)
        places = {1 + i * (trials.allocations - 1) // (self.PLACES - 1) for i in range(self.PLACES)}
        for fault in [str(place) for place in sorted(places)] + [f"{place}+" for place in sorted(places)[::3]]:
            problem = trials.problem(fault)
            self.assertIsNone(problem, f"{job}: allocation {fault} of {trials.allocations}: {problem}")

    def test_dedup(self):
        self.try_job("dedup")

    def test_the_tables_of_the_normalizer(self):
        trials = Trials(BINARY, self.dir, "work")
        for place in range(10, 40):  # around where ICU and the tables made with it ask for memory
            problem = trials.problem(place)
            self.assertIsNone(problem, f"allocation {place} of {trials.allocations}: {problem}")

    def test_words(self):
        self.try_job("jieba")

    def test_sketch(self):
        self.try_job("sketch")

    def test_index(self):
        self.try_job("index")


if __name__ == "__main__":
    unittest.main()
