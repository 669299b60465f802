"""What the benchmark of speed reads and counts."""
import unittest

from loading import load_bench

speed = load_bench("speed")
speed_rivals = load_bench("speed_rivals")
memory = load_bench("memory")

PRINTED = """parse: 131 MB/s
wordShingleMinHash 5 words, 6 hashes: 23 MB/s
wordShingleSimHash 3 words: 55 MB/s
ngramSimHashUTF8 4: 38 MB/s
"""


class Speed(unittest.TestCase):
    def test_speeds_of_clickhouse(self):
        found = speed_rivals.clickhouse_speeds(PRINTED + "a warning: none\n")
        self.assertEqual(found, {"parse": 131, "wordShingleMinHash 5 words, 6 hashes": 23, "wordShingleSimHash 3 words": 55,
                                 "ngramSimHashUTF8 4": 38})
        self.assertLessEqual({call for _, _, call in speed.SKETCHES}, found.keys())

    def test_seconds_of_a_pass_are_those_of_all_its_slices(self):
        counts = {"passes": [{"name": "sketch", "seconds": 1.0}, {"name": "output", "seconds": 3.0}, {"name": "sketch", "seconds": 0.5}]}
        self.assertEqual(speed.pass_seconds(counts, "sketch"), 1.5)
        self.assertEqual(speed.pass_seconds(counts, "group"), 0)

    def test_bytes_a_document_are_those_beyond_the_fixed_part(self):
        self.assertEqual(memory.bytes_per_document(memory.FIXED_MB + 200, 1_000_000), 200)
        self.assertEqual(memory.bytes_per_document(memory.FIXED_MB - 1, 1_000_000), 0)

    def test_every_corpus_has_rivals(self):
        self.assertEqual(set(speed_rivals.RIVALS), set(speed.corpora.CORPORA))


if __name__ == "__main__":
    unittest.main()
