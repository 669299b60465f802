"""The pictures of the READMEs show what the program decides about the documents of their first run."""
import unittest
import xml.etree.ElementTree

from loading import SCRIPTS, load

draw_pictures = load("draw_pictures")


class DrawPictures(unittest.TestCase):
    def test_the_pictures_are_those_of_the_pages(self):
        self.assertEqual(draw_pictures.main(["--check"]), 0)
        for page, name in draw_pictures.PICTURES.items():
            self.assertIn(f"]({name})", (SCRIPTS.parent / page).read_text(encoding="utf-8"))
            xml.etree.ElementTree.parse(SCRIPTS.parent / name)

    def test_words_that_differ_are_marked(self):
        for keeper, text, expected in [("fog on the hills", "fog on the isles", ["isles"]), ("a b", "a  b", ["␣␣"]), ("今天天气好", "今天的天气好", ["的"]),
                                       ("same <b>", "same <b>", [])]:
            with self.subTest(text=text):
                self.assertEqual([token for token, differs in draw_pictures.marked(keeper, text) if differs], expected)

    def test_lines_are_within_the_width(self):
        pieces = [(token, False) for token in draw_pictures.TOKEN.findall("one two 三四五六七 eight")]
        lines = draw_pictures.wrapped(pieces, 60)
        self.assertGreater(len(lines), 2)
        self.assertTrue(all(draw_pictures.width_of("".join(token for token, _ in line).rstrip()) <= 60 for line in lines))
        self.assertEqual("".join(token for line in lines for token, _ in line).replace(" ", ""), "onetwo三四五六七eight")

    def test_removed_documents_follow_the_kept_one(self):
        def decided(name, keeper=None, similarity=None):
            reason = "near_duplicate" if keeper else "keeper"
            return {"id": name, "text": f"<{name}>"}, {"verdict": "remove" if keeper else "keep", "reason": reason, "keeper_id": keeper,
                                                       "similarity": similarity}
        run = [decided("a"), decided("b"), decided("c", "a", 0.9)]
        self.assertEqual([document["id"] for document, _ in draw_pictures.in_groups(run)], ["a", "c", "b"])
        picture = draw_pictures.draw(run, draw_pictures.WORDS["README.md"])
        self.assertIn("similarity 0.90", picture)
        self.assertEqual(len(xml.etree.ElementTree.fromstring(picture)), 2)


if __name__ == "__main__":
    unittest.main()
