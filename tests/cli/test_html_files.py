"""Pages of HTML as documents of their own: their charset, and the warning for recipes that do not clean them."""
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
        errors = self.neardup("dedup", "site", "-o", "kept.jsonl").stderr
        self.assertEqual(errors.count("does not strip markup"), 1)
        self.assertIn("site/a.html: input is HTML but recipe 'words-5' does not strip markup", errors)
        self.write("clean.json", CLEAN)
        self.assertNotIn("takes tags", self.neardup("dedup", "site", "-o", "kept.jsonl", "--recipe", "clean.json").stderr)
        self.write("plain.txt", TEXT)
        self.assertNotIn("takes tags", self.neardup("dedup", "plain.txt", "-o", "kept.jsonl").stderr)

    def test_markup_does_not_matter_when_it_is_cleaned(self):
        words = "one two three four five six seven eight nine ten eleven twelve"
        self.write("site/a.html", f"<html><body><div class=x><p>{words}</p></div></body></html>")
        self.write("site/b.html", f"<p>{words}</p>")
        self.write("clean.json", CLEAN)
        summary = self.summary("dedup", "site", "-o", "kept.jsonl", "--recipe", "clean.json", "-q")
        self.assertEqual(summary["removed"], 1)
        self.assertEqual(self.summary("dedup", "site", "-o", "kept.jsonl", "-q")["removed"], 0)


if __name__ == "__main__":
    unittest.main()
