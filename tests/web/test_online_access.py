"""The page of `neardup serve`: markup in data stays text; axe, keyboard, narrow windows, Chinese; what its files are and weigh."""
import gzip
import json
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.request

import online_case
import online_server
from online_case import BRIDGE_AGAIN, CLUE, MARKUP, Pages

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "web" / "online"
LARGEST_PAGE = 80_000


def setUpModule():
    online_case.start_browser()


class TestMarkup(Pages):
    """Ids, texts, keepers, clues and problems with markup in them stay text."""

    def test_markup(self):
        self.server.create("markup", recipe="chars-5", threshold=0.5)
        text = f"{MARKUP} A text with markup in it, which is long enough for a sketch: <script>window.hacked=1</script> &amp; more of it."
        self.server.check("markup", MARKUP, text)
        self.server.check("markup", f"removed {MARKUP}", text)
        self.open("check?store=markup")
        self.ask(text.replace("long enough", "<b>quite</b> long enough"))
        self.assertEqual(self.text(".facts a"), MARKUP)
        self.assertIn(MARKUP, self.text(".pane.right"))
        self.page.click(".undo")
        self.assertIn(MARKUP, self.text("dialog"))
        self.close_dialog()
        # A conflict, whose detail names the id.
        self.page.fill("#id", MARKUP)
        self.page.fill("#text", "Another text, " * 20)
        self.page.click(".keep")
        self.wait(".problem")
        self.expect_answer(409, 404)
        self.page.locator("h1").focus()
        for key, view, selector in (("3", "clusters", ".cluster h2"), ("4", "documents", "tbody th")):
            self.turn_to(key, view)
            self.assertEqual(self.text(selector), MARKUP)
        self.page.click("tbody th a")
        self.wait(".pane")
        self.assertEqual((self.text("h1"), self.page.locator(".pane").text_content()), (MARKUP, text))
        self.assertEqual(self.texts(".duplicates tbody th"), [f"removed {MARKUP}"])
        self.page.goto(f"{self.server.url}/#/document?store=markup&id=<img src=x onerror=window.hacked=1>")
        self.wait(".problem .detail")
        self.page.goto(f"{self.server.url}/#/live?store={MARKUP}")
        self.wait_text(".problem", MARKUP)
        self.page.goto(f"{self.server.url}/#/live?store=markup")
        self.wait_stream()
        self.server.check("markup", f"live {MARKUP}", text)
        self.wait_text(".decisions tbody", f"live {MARKUP}")
        self.page.goto(f"{self.server.url}/#/search?index=texts")
        self.page.fill("#clue", CLUE)
        self.page.keyboard.press("Control+Enter")
        self.page.get_by_role("link", name=MARKUP).click()
        self.wait(".pane mark")
        self.assertIn(MARKUP, self.text(".pane"))
        self.assertEqual(self.page.locator("img, script:not([src])").count(), 0)

    def test_odd_ids(self):
        """Ids that are steps of a path, or look like addresses."""
        self.server.create("odd", recipe="chars-5", threshold=0.5)
        names = ["..", "javascript:window.hacked=1", "//example.org/x", "a%2Fb", "a b?c#d&e=f", "x" * 3000]
        for number, name in enumerate(names):
            self.server.check("odd", name, f"{number * 7919} Text {number * 31} of document {number}, with {number * 17} words of its own.")
        self.open("documents?store=odd", width=400)
        self.wait("table")
        self.assertEqual(self.overflow(), [0])
        self.assertEqual(self.page.locator("tbody th a").count(), len(names) - 1)  # ".." has no address
        for name in names[1:5]:
            self.page.goto(f"{self.server.url}/#/documents?store=odd")
            self.page.get_by_role("link", name=name, exact=True).click()
            self.wait(".pane")
            self.assertEqual(self.text("h1"), name)


class TestAccess(Pages):
    def axe(self):
        script = (online_server.packages() / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
        # By the debugger, which no policy of the page stops.
        self.page.evaluate(script + "; undefined")
        found = self.page.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}).then(all => all.violations.map(each => [each.id, each.nodes.map(node => node.html.slice(0, 160) + ' ' + node.failureSummary)]))")
        self.assertEqual(found, [])

    def visit(self, step):
        """Every view, with something in it."""
        self.wait("#text")
        step("check, empty")
        self.ask(BRIDGE_AGAIN)
        self.page.click(".next")
        step("check")
        self.page.click(".undo")
        step("question")
        self.close_dialog()
        self.page.fill("#text", "")
        self.page.keyboard.press("Control+Enter")
        step("problem")
        self.page.click(".show-keys")
        step("keys")
        self.close_dialog()
        self.turn_to("2", "search")
        self.page.fill("#clue", CLUE)
        self.page.select_option("#edits", "0.1")
        self.page.keyboard.press("Control+Enter")
        self.wait(".hit")
        step("search")
        self.page.click(".hit a >> nth=0")
        self.wait(".pane")
        step("text")
        self.turn_to("3", "clusters")
        self.page.click(".cluster button >> nth=0")
        self.wait(".pane")
        step("clusters")
        self.turn_to("4", "documents")
        self.wait("table.documents")
        step("documents")
        self.page.click("tbody th a >> nth=0")
        self.wait(".pane")
        step("document")
        self.turn_to("5", "live")
        self.wait(".share-bar")
        step("live")

    def test_axe(self):
        for dark in (False, True):
            self.open("check?store=news", dark=dark)
            self.visit(lambda view: self.step(view, dark))

    def step(self, view, dark):
        with self.subTest(view=view, dark=dark):
            self.axe()

    def test_narrow(self):
        for language in ("en-US", "zh-CN"):
            self.open("check?store=news", width=400, language=language)
            self.visit(lambda view: self.assertEqual(self.overflow(), [0], view))

    def test_chinese(self):
        """No English is left but names, keys and what the data says."""
        self.open("check?store=news", language="zh-CN")
        self.assertEqual(self.page.evaluate("document.documentElement.lang"), "zh-CN")
        allowed = r"neardup|English|OpenAPI|MiB|KiB|\bB\b|Ctrl|Enter|Esc|\bid\b|\bms\b|\bs\b|minhash|chars-5|news|texts|\bn\b|\bp\b"
        data = ".pane, .passage, bdi, blockquote, textarea, .changes, select"

        def step(view):
            shown = self.page.evaluate("""data => { const copy = document.querySelector("dialog") ?? document.body; return [...copy.querySelectorAll("*")]
                .filter(each => !each.closest(data) && each.checkVisibility()).flatMap(each => [...each.childNodes]).filter(each => each.nodeType === 3).map(each => each.data); }""", data)
            left = [text for text in shown if re.search("[A-Za-z]{2,}", re.sub(allowed, "", text))]
            self.assertEqual(left, [], view)
        self.visit(step)

    def test_language_is_remembered(self):
        self.open("check?store=news")
        self.wait("#text")
        self.page.click("[data-language=zh]")
        self.assertEqual(self.text("h1"), "查重")
        self.assertEqual(self.page.evaluate("document.activeElement.dataset.language"), "zh")
        self.page.reload()
        self.wait_text("h1", "查重")
        self.page.click("[data-language=en]")
        self.page.reload()
        self.wait_text("h1", "Check")

    def test_before_the_first_answers(self):
        """What is pressed before the server has said what there is holds when it has."""
        self.open("check?store=news")
        self.wait("#text")
        stores = "**/v1/stores"
        held = self.hold(stores)
        self.page.reload()
        self.page.click("[data-language=zh]")
        self.release(stores, held)
        self.wait("#text")
        self.assertEqual(self.text("h1"), "查重")
        self.assertEqual(self.page.evaluate("document.activeElement.dataset.language"), "zh")
        held = self.hold(stores)
        self.page.reload()
        self.page.click(".show-keys")
        self.release(stores, held)
        self.wait("#text")
        self.assertEqual(self.page.locator("dialog").count(), 1)
        self.close_dialog()
        self.assertTrue(self.page.evaluate("document.activeElement.matches('.show-keys')"))

    def tab_to(self, selector, most=60):
        for _ in range(most):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                # Who uses only keys sees where he is.
                outline = self.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                self.assertNotEqual(outline, "none", selector)
                return
        self.fail(f"the Tab key does not reach {selector}")

    def test_keyboard_only(self):
        self.fill("keyboard")
        self.open("check?store=keyboard")
        self.wait("#text")
        self.page.keyboard.press("Tab")
        self.assertEqual(self.page.evaluate("document.activeElement.textContent"), "Skip to the content")
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("/")
        self.page.keyboard.type(BRIDGE_AGAIN)
        self.assertEqual(self.page.input_value("#text"), BRIDGE_AGAIN)
        self.tab_to(".ask")
        self.page.keyboard.press("Enter")
        self.wait(".verdict")
        self.tab_to(".next")
        self.page.keyboard.press("Space")
        self.assertEqual(self.text(".place"), "Difference 1 of 2")
        self.page.keyboard.press("n")
        self.assertEqual(self.text(".place"), "Difference 2 of 2")
        self.tab_to(".pane.left")
        self.page.keyboard.press("?")
        self.wait("dialog")
        self.page.keyboard.press("n")  # not of the page below
        self.close_dialog()
        self.assertEqual(self.text(".place"), "Difference 2 of 2")
        self.assertTrue(self.page.evaluate("document.activeElement.matches('.pane.left')"))
        self.turn_to("3", "clusters")
        self.wait(".cluster")
        self.assertEqual(self.page.evaluate("document.activeElement.tagName"), "H1")
        self.tab_to(".cluster .delete")
        self.page.keyboard.press("Enter")
        self.tab_to("dialog .danger")
        self.page.keyboard.press("Enter")
        self.wait(".cluster.gone")
        self.tab_to(".cluster .delete, footer a")
        self.page.keyboard.press("/")  # from any view
        self.assertEqual(self.page.evaluate("document.activeElement.id"), "text")

    def test_single_keys_can_be_turned_off(self):
        self.open("check?store=news")
        self.page.click(".show-keys")
        self.page.uncheck("#single-keys")
        self.close_dialog()
        self.page.locator("h1").focus()
        self.page.keyboard.press("4")
        self.assertEqual(self.page.evaluate("location.hash"), "#/check?store=news")  # it would have changed by now
        self.page.reload()
        self.wait("#text")
        self.page.keyboard.press("?")
        self.assertEqual(self.page.locator("dialog").count(), 0)


class TestFiles(Pages):
    def test_size(self):
        total = 0
        page = self.server.get("/")[2].decode()
        for path in ["/", *re.findall(r'(?:src|href)="([^"]+)"', page)]:
            request = urllib.request.Request(self.server.url + path, headers={"Accept-Encoding": "gzip"})
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=online_server.WAIT_S) as answer:
                packed = answer.read()
                self.assertEqual(answer.headers["Content-Encoding"], "gzip", path)
                self.assertIn("default-src 'none'", answer.headers["Content-Security-Policy"])
                self.assertNotIn("unsafe", answer.headers["Content-Security-Policy"])
            plain = self.server.get(path)[2]
            self.assertEqual(gzip.decompress(packed), plain, path)
            if path in ("/app.js", "/app.css"):
                self.assertIn(b"Permission is hereby granted", plain)
                self.assertIn(b"Leon Sorokin", plain)
            total += len(packed)
        self.assertLessEqual(total, LARGEST_PAGE)

    def test_types(self):
        packages = online_server.packages()
        with tempfile.TemporaryDirectory(prefix="neardup-types-") as folder:
            options = {"extends": str(SOURCES / "tsconfig.json"), "include": [str(SOURCES / "src")],
                       "compilerOptions": {"paths": {"uplot": [str(packages / "uplot" / "dist" / "uPlot.d.ts")]}}}
            project = pathlib.Path(folder) / "tsconfig.json"
            project.write_text(json.dumps(options))
            done = subprocess.run(["node", packages / "typescript" / "bin" / "tsc", "--noEmit", "-p", project], capture_output=True, text=True, timeout=online_server.WAIT_S)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            # It does look at the sources.
            listed = subprocess.run(["node", packages / "typescript" / "bin" / "tsc", "--noEmit", "--listFilesOnly", "-p", project], capture_output=True, text=True, timeout=online_server.WAIT_S)
            self.assertIn("online/src/app.ts", listed.stdout)

    def bundle(self, source):
        """A module of the page as an object in a blank page."""
        packages = online_server.packages()
        done = subprocess.run([packages / "esbuild" / "bin" / "esbuild", SOURCES / "src" / source, "--bundle", "--format=iife", "--global-name=tested"],
                              capture_output=True, text=True, timeout=online_server.WAIT_S, check=True)
        self.show("about:blank")
        self.page.evaluate(done.stdout + "; window.tested = tested; undefined")

    def test_differences_make_the_texts(self):
        """Of texts that are changed at random: the parts are the texts, and what is called equal is."""
        self.bundle("text/difference.ts")
        wrong = self.page.evaluate("""() => {
            let seed = 1;
            const random = below => (seed = seed * 48271 % 2147483647) % below;
            const words = ["the ", "river", ", ", "书库", "。", "四百", "\\n", "  ", "e\\u0301", "👩‍👩‍👧", "👨", " a", "カタカナ", "-", "don't "];
            const make = length => Array.from({length}, () => words[random(words.length)]);
            const wrong = [];
            for (let round = 0; round < 400; ++round) {
                const left = make(random(40));
                const right = left.flatMap(word => [[word], [], make(random(3)), [word], [word]][random(5)]);
                const [a, b] = [left.join(""), right.join("")];
                const parts = tested.differences(a, b);
                const side = name => parts.map(part => part[name]).join("");
                const alternate = parts.every((part, index) => index === 0 || part.equal !== parts[index - 1].equal);
                if (side("left") !== a || side("right") !== b || !alternate || parts.some(part => part.equal ? part.left !== part.right : part.left === part.right)) wrong.push([a, b, parts]);
            }
            return wrong;
        }""")
        self.assertEqual(wrong, [])

    def test_bound_of_differences(self):
        """4,000 segments a side, in a time that a reader does not notice; not one more."""
        self.bundle("text/difference.ts")
        self.assertEqual(self.page.evaluate("tested.kMostSegments"), 4000)
        debugger = self.context.new_cdp_session(self.page)
        debugger.send("Performance.enable")

        def seconds():
            """Of the processor, that the thread of the page had: on a busy machine a clock measures the others."""
            return next(each["value"] for each in debugger.send("Performance.getMetrics")["metrics"] if each["name"] == "ThreadTime")
        began = seconds()
        found = self.page.evaluate("""() => {
            const text = (count, sign) => "x " + Array.from({length: count / 2}, (_, index) => sign + index).join(" ") + " " + sign;
            const parts = tested.differences(text(3998, "a"), text(3998, "b"));
            const more = tested.differences(text(4002, "a"), text(4002, "b"));
            return [parts.length > 0, more === null];
        }""")
        self.assertEqual(found, [True, True])
        self.assertLess(seconds() - began, 2)

    def test_events(self):
        """However a stream is cut into pieces."""
        self.bundle("api/stream.ts")
        found = self.page.evaluate("""() => [1, 2, 3, 7, 1000].flatMap(size => ["\\n", "\\r\\n"].map(end => {
            const events = [];
            const parser = new tested.EventParser((name, data) => events.push([name, data]));
            const text = [": comment", "", "event: stats", "data: {\\"a\\":1}", "", "data: x", "data:y", "", "event: unfinished"].join(end);
            for (let at = 0; at < text.length; at += size) parser.feed(text.slice(at, at + size));
            return JSON.stringify(events);
        }))""")
        self.assertEqual(set(found), {json.dumps([["stats", '{"a":1}'], ["message", "x\ny"]], separators=(",", ":"))})


if __name__ == "__main__":
    unittest.main()
