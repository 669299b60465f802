"""Pages of HTML as documents of their own: their charset, and the warning for recipes that do not clean them."""
import gzip
import json
import unittest

from harness import CliTest

TEXT = "第一条 为了规范文书的编码，保证各部门之间交换的材料能够正确显示，制定本办法。"

CLEAN = json.dumps({"clean": ["html_v1"], "feature_hash": "xxh3_64_v1", "min_features": 1, "normalizer": "nfkc_casefold_v1",
                    "shingle": {"size": 5, "short_text": "none"}, "sketch": {"kind": "minhash_v1", "lanes": 128, "seed": 1},
                    "tokenizer": "words_v1"})


class HtmlFiles(CliTest):
    def texts(self, *arguments):
        self.neardup("dedup", *arguments, "--annotate", "all.jsonl", "--recipe", "chars-5", "-q")
        return {each["id"]: each["text"] for each in self.records("all.jsonl")}

    def test_a_folder_of_pages_notes_and_text(self):
        for name in ("a.html", "b.htm", "c.xhtml", "d.md", "e.txt", "f.css", "sub/g.html"):
            self.write(f"site/{name}", f"<p>{name} {TEXT}</p>")
        self.assertEqual(sorted(self.texts("site")), [f"site/{name}" for name in ("a.html", "b.htm", "c.xhtml", "d.md", "e.txt", "sub/g.html")])
        self.assertEqual(self.texts("site")["site/a.html"], f"<p>a.html {TEXT}</p>", "the text is the page as it is")

    def test_charsets(self):
        def page(head):
            return f"<!-- <meta charset=big5> --><html><head>{head}</head><body>{TEXT}</body></html>"
        meta = page('<META Charset = "GBK">')
        pragma = page('<meta http-equiv="Content-Type" content="text/html; charset=gb2312">')
        content_alone = page('<meta name="x" content="text/html; charset=big5">')
        self.write("meta.html", meta.encode("gb18030"))
        self.write("pragma.html", pragma.encode("gb18030"))
        self.write("alone.html", content_alone.encode("utf-8"))
        self.write("mark.html", b"\xff\xfe" + meta.encode("utf-16-le"))
        self.write("says16.html", page("<meta charset=utf-16>").encode("utf-8"))
        self.write("late.html", (" " * 1020 + page("<meta charset=gbk>")).encode("utf-8"))
        names = ["meta.html", "pragma.html", "alone.html", "mark.html", "says16.html", "late.html"]
        for name, text in self.texts(*names).items():
            self.assertIn(TEXT, text, name)
        self.write("silent.html", page("").encode("gb18030"))
        self.assertNotIn(TEXT, self.texts("silent.html")["silent.html"])
        self.assertIn(TEXT, self.texts("silent.html", "--charset", "gb18030")["silent.html"])
        self.assertIn(TEXT, self.texts("silent.html", "--charset", "auto")["silent.html"])
        self.assertIn(TEXT, self.texts("meta.html", "--charset", "big5")["meta.html"], "what the page says goes before the option")

    def test_a_recipe_without_a_cleaner_is_warned_of_once(self):
        self.write("site/a.html", f"<p>{TEXT}</p>")
        self.write("site/b.html", f"<p>{TEXT}</p>")
        errors = self.neardup("dedup", "site", "-o", "kept.jsonl", "--recipe", "words-5").stderr
        self.assertEqual(errors.count("does not strip markup"), 1)
        self.assertIn("site/a.html: input is HTML but recipe 'words-5' does not strip markup; use --clean html\n", errors)
        self.write("clean.json", CLEAN)
        for options in (["--recipe", "clean.json"], ["--clean", "html"], ["--clean", "tags"], ["--clean", "none"], ["--recipe", "html-chars-5"]):
            self.assertNotIn("strip", self.neardup("dedup", "site", "-o", "kept.jsonl", *options).stderr, options)
        self.write("plain.txt", TEXT)
        self.assertNotIn("strip", self.neardup("dedup", "plain.txt", "-o", "kept.jsonl").stderr)
        mixed = self.neardup("dedup", "site", "plain.txt", "-o", "kept.jsonl").stderr
        self.assertIn("recipe words-5 (", mixed)
        self.assertIn("site/a.html: input is HTML but recipe 'words-5' does not strip markup; use --clean html\n", mixed)

    def test_markup_does_not_matter_when_it_is_cleaned(self):
        words = "one two three four five six seven eight nine ten eleven twelve"
        self.write("site/a.html", f"<html><body><div class=x><p>{words}</p></div></body></html>")
        self.write("site/b.html", f"<p>{words}</p>")
        self.write("clean.json", CLEAN)
        summary = self.summary("dedup", "site", "-o", "kept.jsonl", "--recipe", "clean.json", "-q")
        self.assertEqual(summary["removed"], 1)
        self.assertEqual(self.summary("dedup", "site", "-o", "kept.jsonl", "-q", "--clean", "none")["removed"], 0)


class CleanHtml(CliTest):
    """--clean, and its automatic choice for inputs that are HTML."""

    NOTE = "input is HTML: using html-words-5, which strips markup; --clean none keeps it\n"

    def setUp(self):
        super().setUp()
        words = "one two three four five six seven eight nine ten eleven twelve"
        self.write("site/a.html", f"<html><body><div class=x><p>{words}</p></div></body></html>")
        self.write("site/b.html.gz", gzip.compress(f"<p>{words}</p>".encode()))
        page = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<ul><li>{words}</ul>".encode()
        self.write("crawl.warc", b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:w>\r\nContent-Type: application/http\r\n"
                   b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (len(page), page))
        self.write("text.jsonl", [{"id": "t", "text": words}])

    def id_of(self, *arguments):
        self.neardup("sketch", *arguments, "-o", "sketch.jsonl", "-q")
        return self.records("sketch.jsonl")[0]["recipe_id"]

    def test_chosen_for_pages_and_archives(self):
        for inputs in (["site"], ["crawl.warc"], ["site", "crawl.warc"]):
            result = self.neardup("dedup", *inputs, "--verdicts", "verdicts.tsv")
            self.assertEqual(result.stderr.count(self.NOTE), 1, inputs)
            self.assertIn("recipe html-words-5 (afc8601da0f1025e)", result.stderr)
            self.assertEqual([row["verdict"] for row in self.table("verdicts.tsv")].count("keep"), 1, inputs)
        self.assertNotIn("using", self.neardup("dedup", "text.jsonl", "--dry-run").stderr)
        self.assertEqual(self.neardup("dedup", "site", "--dry-run", "-q").stderr, "")

    def test_chosen_by_every_command_that_has_a_default_recipe(self):
        for words in (("pairs", "site"), ("sketch", "site"), ("clean", "site"), ("lines", "fit", "site", "-o", "site.lines"),
                      ("idf", "fit", "site", "-o", "site.idf")):
            self.assertIn(self.NOTE, self.neardup(*words).stderr, words)
            self.assertNotIn("using", self.neardup(*words, "--clean", "none").stderr, words)
            self.assertNotIn("using", self.neardup(*words, "--recipe", "chars-5").stderr, words)
        self.assertNotIn("<p>", self.neardup("clean", "site").stdout.decode())
        self.assertNotIn("using", self.neardup("tokenize", "site", "--tokenizer", "words_v1").stderr)
        self.assertEqual(len(self.neardup("pairs", "site", "-q").stdout.splitlines()), 2)

    def test_the_recipe_has_its_own_id(self):
        self.assertEqual(self.id_of("text.jsonl", "--clean", "html"), "afc8601da0f1025e")
        self.assertEqual(self.id_of("text.jsonl", "--recipe", "chars-5", "--clean", "html"), "85ff36489ba4c6db")
        self.assertEqual(self.id_of("text.jsonl", "--recipe", "html-words-5", "--clean", "none"), "45c72da0977da1d1")
        result = self.neardup("dedup", "text.jsonl", "--dry-run", "--recipe", "simhash-words-3", "--clean", "html")
        self.assertIn("recipe simhash-words-3 --clean html (", result.stderr)
        self.assertIn("--clean: expected", self.neardup("dedup", "text.jsonl", "--dry-run", "--clean", "xml", code=2).stderr)

    def test_other_cleaners_of_a_recipe_stay(self):
        own = json.loads(CLEAN) | {"clean": ["tags_v1", {"cut_after": "END"}]}
        self.write("own.json", json.dumps(own))
        self.write("pages.jsonl", [{"id": 1, "text": "<p>one &amp; two<script>x</script>END three"}])
        for clean, text in (("html", "one & two"), ("tags", "one &amp; twox"), ("none", "<p>one &amp; two<script>x</script>END three")):
            made = self.neardup("clean", "pages.jsonl", "--recipe", "own.json", "--clean", clean, "-q").stdout
            self.assertEqual(json.loads(made)["text"], text)

    def test_against(self):
        self.assertIn(self.NOTE, self.neardup("dedup", "crawl.warc", "--against", "site", "--dry-run").stderr)
        result = self.neardup("dedup", "crawl.warc", "--against", "text.jsonl", "--dry-run").stderr
        self.assertNotIn("using", result)
        self.assertIn("use --clean html", result)
        self.assertEqual(self.summary("dedup", "crawl.warc", "--against", "text.jsonl", "--clean", "html", "-o", "k.jsonl", "-q")["removed"], 1)

    def test_a_resumed_run_keeps_its_recipe(self):
        self.neardup("dedup", "site", "-o", "kept.jsonl", "--work", "run", "--prepare")
        result = self.neardup("dedup", "--resume", "run")
        self.assertNotIn("using", result.stderr)
        self.assertIn("recipe html-words-5", result.stderr)
        kept = self.read("kept.jsonl")
        result = self.neardup("dedup", "--resume", "run", "--add", "text.jsonl")
        self.assertIn("recipe html-words-5", result.stderr)
        self.assertEqual(self.read("kept.jsonl"), kept)
        self.neardup("dedup", "text.jsonl", "-o", "kept.jsonl", "--work", "plain")
        result = self.neardup("dedup", "--resume", "plain", "--add", "site")
        self.assertIn("recipe words-5", result.stderr)
        self.assertIn("use --clean html", result.stderr)

    def test_an_index(self):
        self.neardup("index", "build", "seen", "site", "--recipe", "simhash-words-3", "--clean", "html", "-q")
        words = "one two three four five six seven eight nine ten eleven twelve"
        self.assertIn("site/a.html\t0", self.neardup("query", "seen", "--text", f"<b>{words}</b>").stdout.decode())
        self.neardup("index", "add", "seen", "crawl.warc", "-q")
        self.neardup("index", "add", "seen", "crawl.warc", "-q", "--recipe", "simhash-words-3", "--clean", "html")
        error = self.neardup("index", "add", "seen", "text.jsonl", "--clean", "none", code=2).stderr
        self.assertIn("the index 'seen' was built with recipe ", error)
        error = self.neardup("index", "add", "seen", "text.jsonl", "--recipe", "simhash-words-3", code=2).stderr
        self.assertIn("the index 'seen' was built with recipe ", error)
        summary = self.summary("dedup", "crawl.warc", "--against", "seen", "--recipe", "simhash-words-3", "--clean", "html", "-o", "k.jsonl", "-q")
        self.assertEqual(summary["removed"], 1)

    def test_compare(self):
        self.assertIn("They match", self.neardup("compare", "--text-a", "<p>a b c d e f", "--text-b", "<i>a b c d e f", "--clean", "html").stdout.decode())


if __name__ == "__main__":
    unittest.main()
