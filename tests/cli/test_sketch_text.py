"""`neardup sketch --text`: the sketch of one text is that of a document with this text."""
import json
import unittest

from harness import CliTest

TEXT = "one two three four five six seven"
SIMHASH = ("--recipe", "simhash-words-3")


class SketchText(CliTest):
    def sketch(self, *arguments, **keywords):
        result = self.neardup("sketch", *arguments, **keywords)
        self.assertEqual(result.stderr, "", "no words about one line")
        return result.stdout

    def test_same_as_of_a_document(self):
        self.write("in.jsonl", [{"text": TEXT}])
        for recipe in (SIMHASH, ("--recipe", "words-5")):
            document = json.loads(self.neardup("sketch", "in.jsonl", "-q", *recipe).stdout)
            text = json.loads(self.sketch("--text", TEXT, *recipe))
            self.assertEqual(text | {"source": "in.jsonl"}, document)

    def test_forms(self):
        number = int(json.loads(self.sketch("--text", TEXT, *SIMHASH))["fingerprint"], 16)
        line = json.loads(self.sketch("--text", TEXT, *SIMHASH, "--fingerprint", "integer"))
        self.assertEqual(int(line["fingerprint"]), number)
        self.assertEqual(len(self.sketch("--text", TEXT, *SIMHASH, "--blocks", "4x16").splitlines()), 4)
        self.sketch("--text", TEXT, *SIMHASH, "-o", "f.bin")
        self.assertEqual(self.read("f.bin"), number.to_bytes(8, "little"))

    def test_standard_input_as_one_text(self):
        piped = self.sketch("--format", "text", "-", *SIMHASH, stdin=TEXT.encode())
        self.assertEqual(piped, self.sketch("--text", TEXT, *SIMHASH))

    def test_an_empty_text_is_too_short(self):
        line = json.loads(self.sketch("--text", "", *SIMHASH))
        self.assertEqual((line["too_short"], line["fingerprint"]), (True, None))

    def test_wrong_usage(self):
        for words, message in ((("--text", "a", "in.jsonl"), "give --text or INPUT ('in.jsonl'), not both"),
                               (("--text", "a", "--rejects", "r"), "--rejects is for inputs of many documents"),
                               (("--text", "a", "--max-rejects", "1"), "--max-rejects is for inputs of many documents"),
                               (("--text", "a", "--strict"), "--strict is for inputs of many documents"),
                               (("--text", "a", "--charset", "gbk"), "--charset has no effect here: no input is a text file"),
                               (("--text", "a", "--format", "warc"), "--format is for INPUT; --text is a text"),
                               ((), "no input is named: neardup sketch INPUT... or neardup sketch --text TEXT"),
                               (("--text", "a", "--fingerprint", "hex"), "makes MinHash signatures, not fingerprints")):
            self.assertIn(message, self.neardup("sketch", *words, code=2).stderr)


if __name__ == "__main__":
    unittest.main()
