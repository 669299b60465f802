"""The page of `neardup serve` in Chromium: checking texts, clues, clusters, documents, and undoing a decision."""
import unittest

import online_case
from online_case import BRIDGE, BRIDGE_AGAIN, CLUE, LIBRARY, LIBRARY_AGAIN, MARKUP, TEXTS, Pages


def setUpModule():
    online_case.start_browser()


class TestCheck(Pages):
    def test_new_text(self):
        before = self.server.documents("news")
        self.open("check?store=news")
        self.ask("Rain is expected in the north, and sunshine along the coast, for the rest of the week.")
        self.assertEqual(self.text(".verdict h2"), "Not seen before")
        self.assertEqual(self.server.documents("news"), before)
        self.assertEqual(self.text("#announcements"), "Not seen before")

    def test_near_duplicate(self):
        self.open("check?store=news")
        self.ask(BRIDGE_AGAIN)
        self.assertEqual(self.text(".verdict h2"), "Near-duplicate")
        self.assertEqual(self.text(".facts a"), "bridge-1")
        similarity = float(self.text(".facts .number"))
        self.assertTrue(0.5 <= similarity < 1, similarity)
        self.assertIn("the council approved the new bridge over the river on tuesday", self.text(".passages li"))
        self.assertEqual(self.texts(".pane.left mark"), ["four", "much more"])
        self.assertEqual(self.texts(".pane.right mark"), ["three", "twice as much"])
        self.assertEqual(self.page.locator(".pane.left").text_content(), BRIDGE_AGAIN)
        self.assertEqual(self.page.locator(".pane.right").text_content(), BRIDGE)

    def test_next_and_previous(self):
        self.open("check?store=news")
        self.ask(BRIDGE_AGAIN)
        self.page.locator("h1").focus()
        self.assertEqual(self.text(".place"), "2 differences")
        seen = []
        for key in "nnnp":
            self.page.keyboard.press(key)
            seen.append((self.text(".place"), self.text(".pane.left .current"), self.text(".pane.right .current")))
        first, second = ("Difference 1 of 2", "four", "three"), ("Difference 2 of 2", "much more", "twice as much")
        self.assertEqual(seen, [first, second, first, second])
        self.page.click(".next")
        self.assertEqual(self.text("#announcements"), first[0])
        self.page.click(".previous")
        self.assertEqual(self.text(".place"), second[0])
        # In a field they are letters.
        self.page.focus("#id")
        self.page.keyboard.type("np")
        self.assertEqual((self.page.input_value("#id"), self.text(".place")), ("np", second[0]))

    def test_equal_text(self):
        self.open("check?store=news")
        self.ask(BRIDGE)
        self.assertEqual(self.text(".verdict h2"), "Exact copy")
        self.assertEqual(self.text(".place"), "The texts are equal, character by character.")
        self.assertEqual(self.page.locator(".pane mark").count(), 0)

    def test_chinese_words(self):
        self.open("check?store=news")
        self.ask(LIBRARY_AGAIN)
        self.assertEqual(self.text(".facts a"), "新闻/书库")
        marks = list(zip(self.texts(".pane.left mark"), self.texts(".pane.right mark"), strict=True))
        self.assertEqual(len(marks), 2)
        self.assertTrue(all(len(left) <= 4 for left, _ in marks), marks)  # words, not sentences
        self.assertIn("三", marks[0][0])
        self.assertIn("四", marks[0][1])

    def test_only_one_side_has_it(self):
        self.open("check?store=news")
        self.ask(BRIDGE.replace(" evening", ""))
        self.assertEqual(self.page.locator(".pane.left mark.gap").count(), 1)
        self.assertEqual([text.strip() for text in self.texts(".pane.right mark")], ["evening"])

    def test_long_equal_parts(self):
        self.server.create("long", recipe="chars-5", threshold=0.5)
        sentences = [f"Sentence {number} says something of its own about the number {number * 7919}." for number in range(300)]
        self.server.check("long", "long-1", " ".join(sentences))
        self.open("check?store=long")
        changed = list(sentences)
        changed[150] = changed[150].replace("something", "nothing")
        self.ask(" ".join(changed))
        self.assertEqual(self.page.locator(".pane.left .left-out").count(), 2)
        self.assertLess(len(self.text(".pane.left")), 1000)
        self.page.click(".next")
        self.page.check("#whole-texts")
        self.assertEqual(self.page.locator(".left-out").count(), 0)
        self.assertEqual(self.page.locator(".pane.right").text_content(), " ".join(sentences))
        # The difference is still the current one, and in sight.
        place = self.page.evaluate("""() => { const [pane, mark] = [".pane.left", ".pane.left .current"].map(each => document.querySelector(each).getBoundingClientRect());
            return mark.top >= pane.top && mark.bottom <= pane.bottom; }""")
        self.assertTrue(place)

    def test_too_long_for_differences(self):
        self.server.create("longest", recipe="chars-5", threshold=0.3)
        words = [f"w{number * 7919 % 100003}" for number in range(5000)]
        self.server.check("longest", "long-1", " ".join(words))
        self.open("check?store=longest")
        self.ask(" ".join(word if number % 30 else f"x{number}" for number, word in enumerate(words)))
        self.assertIn("more than 4,000 words and signs", self.text(".comparison"))
        self.assertEqual(self.page.locator(".pane").count(), 0)
        self.assertGreater(self.page.locator(".passages li").count(), 0)

    def test_keep(self):
        self.fill("kept", copies=0)
        before = self.server.documents("kept")
        self.open("check?store=kept")
        text = "A local bakery won the national prize for the best rye bread of the year, the jury said on Monday."
        self.page.click(".keep")
        self.assertEqual(self.text(".problem"), "Enter a text first.")
        self.page.fill("#text", text)
        self.page.click(".keep")
        self.assertIn("Give the text an id", self.text(".problem"))
        self.page.keyboard.type("bakery")  # the focus is there
        self.page.click(".keep")
        self.wait_text(".verdict", "It is stored now, as number")
        self.assertEqual(self.server.documents("kept"), before + 1)
        self.page.click(".keep")
        self.wait_text(".verdict", "Stored already")
        # Another text under the same id is a conflict, which the server explains.
        self.page.fill("#text", "Quite another text about bakeries, with nothing in it that was there before, at least not in this order.")
        self.page.click(".keep")
        self.wait(".problem")
        self.assertIn("bakery", self.text(".problem .detail"))
        self.assertIn("409", self.text(".problem"))
        self.page.fill("#id", "bridge-2")
        self.page.fill("#text", BRIDGE_AGAIN)
        self.page.click(".keep")
        self.wait_text(".verdict", "It was not kept.")
        self.assertEqual(self.server.documents("kept"), before + 1)
        self.expect_answer(409)

    def test_result_survives_views_and_languages(self):
        self.open("check?store=news")
        self.ask(BRIDGE_AGAIN)
        self.page.click("nav a >> nth=3")
        self.wait(".documents table")
        self.page.click("nav a >> nth=0")
        self.assertEqual(self.page.input_value("#text"), BRIDGE_AGAIN)  # waits for the view
        self.page.click("[data-language=zh]")
        self.assertEqual(self.text(".verdict h2"), "近似重复")

    def test_rule(self):
        self.server.create("prints", recipe="simhash-words-3", max_distance=4)
        self.open("check?store=news")
        self.assertIn("Similarity of at least 0.5 (minhash, chars-5).", self.text(".lead"))
        self.page.select_option("#picked", "prints")
        self.wait_text(".lead", "At most 4 bits of the fingerprint differ (simhash, words-3).")
        self.server.check("prints", "bridge-1", BRIDGE)
        self.ask(BRIDGE.replace("Tuesday", "Monday"))
        self.wait(".verdict")
        self.assertEqual(self.page.locator(".scale .mark").count(), 0)  # its bound is one of distances

    def test_short_text(self):
        self.open("check?store=news")
        self.ask("ab")
        self.assertRegex(self.text(".verdict h2"), "Too short to compare|Not seen before")


class TestSearch(Pages):
    def search(self, clue, **options):
        self.open("search?index=texts")
        self.page.fill("#clue", clue)
        for name, value in options.items():
            self.page.select_option(f"#{name}", value)
        self.page.click(".ask")
        self.wait(".certainty, .problem")

    def test_contains(self):
        self.search(CLUE)
        self.assertEqual(self.text("#answer h2"), "3 texts found")
        self.assertEqual(self.text(".certainty"), "Complete: no matching text is missing.")
        self.assertEqual(self.texts(".hit a"), ["dickens", "letter", MARKUP])
        self.assertIn("it was the worst of times -- it was the age of wisdom", self.texts(".hit mark.found"))

    def test_edits(self):
        self.search(CLUE, edits="0.1")
        self.assertEqual(self.text("#answer h2"), "4 texts found")
        row = self.page.locator(".hit", has_text="typo")
        self.assertIn("1 edit", row.inner_text())
        self.assertEqual((row.locator("del").inner_text(), row.locator("ins").inner_text()), ("i", "a"))

    def test_resembles(self):
        self.search(TEXTS[1]["text"], mode="resembles", threshold="0.5")
        self.assertFalse(self.page.is_visible("#edits"))
        self.assertIn("letter", self.texts(".hit a"))
        self.assertIn("Similarity 1.000", self.text(".hit"))

    def test_uncertain(self):
        self.search("wisdom")
        self.assertRegex(self.text(".certainty"), "^Texts may be missing: about .* % of those that match are found.|^Complete")

    def test_none(self):
        self.search("nothing of this kind is said in any of the texts")
        self.assertEqual(self.text("#answer h2"), "No text found.")

    def test_no_clue(self):
        self.open("search?index=texts")
        self.page.click(".ask")
        self.assertEqual(self.text(".problem"), "Enter a clue first.")

    def test_whole_text(self):
        self.search(CLUE)
        self.page.click(".hit a >> nth=0")
        self.wait(".pane mark.found")
        self.assertEqual(self.text("h1"), "dickens")
        self.assertEqual(self.page.locator(".pane").text_content(), TEXTS[0]["text"])
        self.assertEqual(self.page.locator(".pane mark").text_content().lower(), CLUE)
        top = self.page.evaluate("document.querySelector('.pane').scrollTop")
        self.assertGreater(top, 0)  # the passage is in sight
        self.page.go_back()
        self.wait(".hit")
        self.assertEqual(self.page.input_value("#clue"), CLUE)

    def test_passage_of_chinese_text(self):
        self.search("人民行使国家权力的机关是")
        self.page.click(".hit a")
        self.wait(".pane mark.found")
        self.assertEqual(self.page.locator(".pane mark").text_content(), "人民行使国家权力的机关，是")

    def test_unknown_text(self):
        self.open("text?index=texts&text=99")
        self.wait(".problem .detail")
        self.assertIn("404", self.text(".problem"))
        self.expect_answer(404)


class TestDocuments(Pages):
    def test_clusters(self):
        self.open("clusters?store=news")
        self.wait(".cluster")
        self.assertEqual(self.texts(".cluster h2"), ["新闻/书库", "bridge-1"])  # the latest removal first
        self.assertIn("remembers 10 removed documents", self.text(".bar .note"))
        second = self.page.locator(".cluster >> nth=1")
        self.assertIn("9 removed", second.inner_text())
        self.assertEqual(second.locator("tbody tr").count(), 6)
        self.assertEqual(second.locator("tbody tr >> nth=0").locator("th").inner_text(), "bridge-equal")
        self.assertIn("exact copy", second.inner_text())
        widths = second.locator(".filled").evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width)")
        numbers = [float(text) for text in second.locator("td .number").all_inner_texts()]
        for width, number in zip(widths, numbers, strict=True):
            self.assertAlmostEqual(width, number, delta=0.02)
        second.get_by_role("button", name="Show 3 more").click()
        self.assertEqual(second.locator("tbody tr").count(), 9)
        second.get_by_role("button", name="Text of the keeper").click()
        second.locator(".pane").wait_for()
        self.assertEqual(second.locator(".pane").text_content(), BRIDGE)
        second.get_by_role("button", name="Hide the text").click()
        self.assertEqual(second.locator(".pane").count(), 0)

    def test_text_that_is_hidden_before_it_comes(self):
        self.open("clusters?store=news")
        self.wait(".cluster")
        address = "**/v1/stores/news/documents/bridge-1"
        held = self.hold(address)
        second = self.page.locator(".cluster >> nth=1")
        second.get_by_role("button", name="Text of the keeper").click()
        second.get_by_role("button", name="Hide the text").click()
        self.release(address, held)
        self.assertEqual(second.locator(".pane").count(), 0)
        second.get_by_role("button", name="Text of the keeper").click()
        second.locator(".pane").wait_for()

    def test_list(self):
        self.server.create("many")
        for number in range(60):
            self.server.check("many", f"doc-{number}", f"Document number {number} is about {number * 7919} and about nothing else but {number * 31} things.")
        self.open("documents?store=many")
        self.wait("table")
        self.assertEqual(self.texts("tbody th")[:2], ["doc-0", "doc-1"])
        self.assertEqual(self.page.locator("tbody tr").count(), 50)
        self.page.click(".next-page")
        self.wait_text("tbody th", "doc-50")
        self.assertEqual(self.page.locator("tbody tr").count(), 10)
        self.assertEqual(self.page.locator(".next-page").count(), 0)
        self.page.get_by_text("First page").click()
        self.wait_text("tbody th", "doc-0")
        self.page.go_back()
        self.wait_text("tbody th", "doc-50")

    def test_document(self):
        self.open("documents?store=news")
        self.page.get_by_role("link", name="新闻/书库").click()
        self.wait(".pane")
        self.assertEqual(self.text("h1"), "新闻/书库")
        self.assertEqual(self.page.locator(".pane").text_content(), LIBRARY)
        self.assertEqual(self.texts(".duplicates tbody th"), ["转载-88"])

    def test_undo(self):
        self.fill("undo")
        self.open("check?store=undo")
        self.ask(BRIDGE_AGAIN)
        self.page.click(".undo")
        self.assertIn("What it once removed stays removed.", self.text("dialog"))
        self.assertIn("bridge-1", self.text("dialog"))
        self.page.keyboard.press("Enter")  # the focus is on "Cancel"
        self.wait("dialog", state="detached")
        self.assertEqual(self.server.documents("undo"), 2)
        self.page.click(".undo")
        self.page.click("dialog .danger")
        self.wait_text(".verdict h2", "Deleted")
        self.assertEqual(self.server.documents("undo"), 1)
        self.page.keyboard.press("Control+Enter")
        self.wait_text(".verdict h2", "Not seen before")

    def test_undo_in_a_cluster(self):
        self.fill("undo-cluster")
        self.open("clusters?store=undo-cluster")
        self.page.locator(".cluster", has_text="bridge-1").locator(".delete").click()
        self.assertIn("stays removed (9 documents that the server remembers)", self.text("dialog"))
        self.page.click("dialog .danger")
        self.wait_text(".cluster.gone", "It matches nothing from now on.")
        self.assertEqual(self.server.documents("undo-cluster"), 1)

    def test_undo_of_a_document(self):
        self.fill("undo-document", copies=0)
        self.open("document?store=undo-document&id=bridge-1")
        self.page.click(".delete")
        self.page.keyboard.press("Escape")
        self.wait("dialog", state="detached")
        self.page.click(".delete")
        self.page.click("dialog .danger")
        self.wait_text(".verdict", "Deleted")
        self.assertEqual(self.server.documents("undo-document"), 1)

    def test_no_text(self):
        self.server.create("no-texts", texts=False, recipe="chars-5", threshold=0.5)
        self.server.check("no-texts", "bridge-1", BRIDGE)
        self.open("document?store=no-texts&id=bridge-1")
        self.wait_text(".document", "This store keeps no texts.")
        self.turn_to("1", "check")
        self.ask(BRIDGE)
        self.assertIn("nothing to compare", self.text(".result"))

    def test_unknown_document(self):
        self.open("document?store=news&id=none")
        self.wait(".problem .detail")
        self.assertIn("404", self.text(".problem"))
        self.expect_answer(404)

    def test_unknown_names(self):
        self.open("clusters?store=nothing")
        self.wait_text(".problem", "This server has no store “nothing”.")
        self.page.goto(f"{self.server.url}/#/search?index=nothing")
        self.wait_text(".problem", "This server has no clue index “nothing”.")


if __name__ == "__main__":
    unittest.main()
