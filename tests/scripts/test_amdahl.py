"""Which part of a run a sample belongs to, and what parts take on many cores, against the formulas written out."""
import collections
import random
import unittest

from loading import load_bench

thread_parts = load_bench("thread_parts")
amdahl = load_bench("amdahl")

MAIN = ["_start", "main", "neardup::cli::run_program", "neardup::dedup"]
LINE = ["neardup::for_each_batch", "neardup::OrderedLine::run", "neardup::(anonymous namespace)::Line::work_until_end"]
TAKE = "std::_Function_handler<bool (unsigned long, unsigned long), neardup::for_each_batch(...)::{lambda#2}>::_M_invoke"
WORK = "std::_Function_handler<void (unsigned int, unsigned long, unsigned long), neardup::for_each_batch(...)::{lambda#3}>::_M_invoke"
COMMIT = "std::_Function_handler<void (unsigned long, unsigned long), neardup::for_each_batch(...)::{lambda#4}>::_M_invoke"
LOOP = "std::_Function_handler<void (unsigned int, unsigned long), neardup::solve_groups(...)::{lambda#1}>::_M_invoke"
BANDS = 21


def printed(samples):
    """As `perf script -F comm,ip,sym` prints them: innermost function first."""
    return "\n\n".join("neardup \n" + "\n".join(f"\t{i:16x} {name}" for i, name in enumerate(names[::-1])) for names in samples)


def sort(samples):
    return thread_parts.sort_samples(thread_parts.stacks(printed(samples)), BANDS)


class Sorting(unittest.TestCase):
    def check(self, functions, name, kind, tasks=0):
        self.assertEqual(sort([functions]), thread_parts.Samples(collections.Counter({(name, kind, tasks): 1}), 0))

    def test_the_line(self):
        for step, kind in ((TAKE, "take"), (WORK, "work"), (COMMIT, "commit")):
            self.check([*MAIN, "neardup::run_sketch_pass", *LINE, step, "read"], "sketch", kind)
        self.check([*MAIN, "neardup::run_feature_pass", *LINE, "pthread_mutex_lock"], "features", "serial")

    def test_what_a_step_calls_does_not_change_its_kind(self):
        self.check([*MAIN, "neardup::run_output_pass", *LINE, COMMIT, WORK, TAKE], "output", "commit")
        self.check([*MAIN, "neardup::run_output_pass", *LINE, WORK, "neardup::parallel_for", LOOP], "output", "work")

    def test_loops(self):
        self.check([*MAIN, "neardup::run_decide_pass", "neardup::solve_groups", "neardup::parallel_for", LOOP], "decide", "parallel")
        self.check([*MAIN, "neardup::run_group_pass", "neardup::(anonymous namespace)::load_rows", "neardup::parallel_for", "f"], "group",
                   "parallel", 2)
        self.check([*MAIN, "neardup::run_decide_pass", "neardup::BandBuckets::BandBuckets", "neardup::parallel_for", LOOP], "decide",
                   "parallel", BANDS)

    def test_the_rest_is_serial(self):
        self.check([*MAIN, "neardup::run_group_pass", "neardup::find_exact_copies"], "group", "serial")
        self.check([*MAIN, "fsync"], "rest", "serial")
        self.check(["_dl_start", "dl_main"], "rest", "serial")

    def test_stacks_without_callers(self):
        commit = [*MAIN, "neardup::run_sketch_pass", *LINE, COMMIT]
        other = ["[unknown]", "neardup::g"]
        sketch, sync = ["[unknown]", "neardup::MinHasher::sketch", "update"], ["[unknown]", "neardup::cli::run", "fsync"]
        found = sort([other, commit, sketch, other, sync, ["[unknown]"]])
        self.assertEqual(found.counts, {("rest", "serial", 0): 3, ("sketch", "commit", 0): 2, ("sketch", "work", 0): 1})
        self.assertEqual(found.guessed, 3)
        self.assertEqual(found.total(), 6)


class Calculation(unittest.TestCase):
    def test_by_hand(self):
        parts = amdahl.Parts({"sketch": {("take", 0): 1.0, ("commit", 0): 2.0, ("work", 0): 13.0, ("serial", 0): 0.5, ("wait", 0): 0.5},
                              "group": {("parallel", 0): 8.0, ("parallel", 2): 4.0, ("wait", 0): 0.0}})
        self.assertAlmostEqual(parts.total(), 29)
        self.assertAlmostEqual(parts.serial_share(), 4 / 29)
        self.assertAlmostEqual(parts.seconds_on(1, pipelined=False), 29)
        self.assertAlmostEqual(parts.seconds_on(1, pipelined=True), 29)
        self.assertAlmostEqual(parts.seconds_on(4, pipelined=False), 1 + 3 + 13 / 4 + 8 / 4 + 4 / 2)
        self.assertAlmostEqual(parts.seconds_on(4, pipelined=True), 1 + 16 / 4 + 8 / 4 + 4 / 2)
        self.assertAlmostEqual(parts.seconds_on(16, pipelined=True), 1 + 2 + 8 / 16 + 4 / 2)  # the commits are the bound

    def test_laws(self):
        chance = random.Random(1)
        for _ in range(200):
            parts = amdahl.Parts({name: {(kind, tasks): chance.random() for kind in (*thread_parts.KINDS, "wait")
                                         for tasks in ((0, 2) if kind == "parallel" else (0,))} for name in "abc"})
            times = [(parts.seconds_on(cores, False), parts.seconds_on(cores, True)) for cores in (1, 2, 16, 64)]
            for (low, high), (next_low, next_high) in zip(times, times[1:]):
                self.assertLessEqual(next_low, low)
                self.assertLessEqual(next_high, high)
            for low, high in times:
                self.assertLessEqual(high, low + 1e-12)
                self.assertGreaterEqual(high, parts.seconds_on(10 ** 9, True))
            self.assertAlmostEqual(times[0][0], parts.total())
            self.assertAlmostEqual(times[0][1], parts.total())

    def test_parts_sum_up_to_the_clock(self):
        counts = {("sketch", "work", 0): 6, ("sketch", "commit", 0): 2, ("rest", "serial", 0): 2}
        samples = thread_parts.Samples(collections.Counter(counts), 0)
        clock = dict.fromkeys(amdahl.PASSES.values(), 0.0)
        parts = amdahl.parts_of(samples, 10.0, {**clock, "sketch": 9.0, "rest": 1.0})
        self.assertAlmostEqual(parts.of("sketch", "work"), 6)
        self.assertAlmostEqual(parts.of("sketch", "wait"), 1)
        self.assertAlmostEqual(parts.of("rest", "serial"), 1)  # the clock shows less than the share of the samples
        self.assertAlmostEqual(parts.total(), 10)
        self.assertAlmostEqual(amdahl.parts_of(samples, 10.0, None).of("sketch", "wait"), 0)

    def test_clock(self):
        run = collections.namedtuple("Run", "seconds")
        counts = {"passes": [{"name": "sketch", "seconds": 1.0}, {"name": "sketch", "seconds": 2.0}, {"name": "output", "seconds": 0.5}]}
        self.assertEqual(amdahl.clock_of([(run(4.0), counts)]),
                         {"sketch": 3.0, "group": 0.0, "features": 0.0, "decide": 0.0, "output": 0.5, "rest": 0.5})


if __name__ == "__main__":
    unittest.main()
