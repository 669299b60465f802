"""The page of `neardup serve`: live statistics, restarts of the server, keys."""
import json
import re
import unittest

import online_case
import online_server
from online_case import BRIDGE, BRIDGE_AGAIN, Pages


def setUpModule():
    online_case.start_browser()


class TestLive(Pages):
    def test_live(self):
        self.fill("live", copies=2)
        self.open("live?store=live")
        self.wait_stream()
        for number in range(5):
            self.server.check("live", f"again-{number}", BRIDGE)
        self.server.check("live", "one-more", "Rain is expected in the north, and sunshine along the coast, for the rest of the week.")
        self.wait_text(".decisions tbody", "again-4")
        self.wait_text(".decisions tbody", "one-more")
        row = self.page.locator(".decisions tr", has_text="again-0")
        self.assertIn("exact copy", row.inner_text())
        self.assertEqual(row.locator("td a").inner_text(), "bridge-1")
        # Statistics come after the decisions that they are about.
        self.wait_match(".shares > div >> nth=1", r"exact copies \d+\.\d % 6\b")
        self.wait_match(".figure >> nth=3", r"^3$")
        titles = self.texts(".figure-card dt")
        self.assertEqual(titles, ["Checks per second", "Check", "Sync to disk", "Documents", "Memory", "Waiting", "Running for"])
        figures = dict(zip(titles, self.texts(".figure"), strict=True))
        self.assertEqual(figures["Documents"], "3")
        self.assertRegex(figures["Memory"], r"^[\d.]+ [MG]iB$")
        self.assertIn("99 % within", self.text(".figure-card >> nth=1"))
        exact = 6

        def chart_has_checks():
            """Of a time in which statistics were late, as on a busy machine, the chart shows nothing: then it takes more checks."""
            nonlocal exact
            if re.search("at most [1-9]", self.page.get_attribute(".chart", "aria-label")):
                return True
            for _ in range(5):
                exact += 1
                self.server.check("live", f"for-the-chart-{exact}", BRIDGE)
            self.page.wait_for_timeout(1000)
            return False
        self.wait_until(chart_has_checks, "checks in the chart")
        self.until("""(() => { const canvas = document.querySelector(".chart canvas");
            return canvas && new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size > 5; })()""")
        self.page.focus(".chart")

        def second_before_is_read():
            """Some have no numbers, for the same reason."""
            self.page.keyboard.press("ArrowLeft")
            return re.search(r"^\d\d:\d\d:\d\d: \d+ checks, \d+ duplicates$", self.text(".reading"))
        self.wait_until(second_before_is_read, "a reading of the chart")
        # A list that moves can be stopped.
        self.page.get_by_role("button", name="Pause").click()
        self.server.check("live", "while-paused", BRIDGE)
        self.wait_match(".shares > div >> nth=1", rf"exact copies \d+\.\d % {exact + 1}\b")
        self.drawn()
        self.assertNotIn("while-paused", self.text(".decisions tbody"))
        self.page.get_by_role("button", name="Resume").click()
        self.wait_text(".decisions tbody", "while-paused")

    def test_one_stream(self):
        """A view that is left ends its stream: browsers allow six connections to a server."""
        self.open("live?store=news")
        self.wait_text(".stream-state", "Connected")
        for _ in range(8):
            self.turn_to("4", "documents")
            self.wait("table.documents")
            self.turn_to("5", "live")
            self.wait_text(".stream-state", "Connected")

    def test_long_numbers_of_the_axis(self):
        """uPlot's own axis cuts numbers of five digits: a made-up stream, because no test checks so fast."""
        stats = json.loads(self.server.get("/v1/stores/news/stats")[2])
        self.show(self.server.url)
        self.page.add_init_script(f"""
            const real = fetch;
            window.fetch = (path, options) => !String(path).endsWith("/events") ? real(path, options) : Promise.resolve(new Response(new ReadableStream({{
                async start(stream) {{
                    for (let second = 0; ; ++second) {{
                        const stats = Object.assign({json.dumps(stats)}, {{checked: 100000000 + 1234567 * second, uptime: 100 + second}});
                        stream.enqueue(new TextEncoder().encode(`event: stats\\ndata: ${{JSON.stringify(stats)}}\\n\\n`));
                        await new Promise(done => setTimeout(done, 300));
                    }} }} }})));
            const drawn = window.drawn = [];
            const fill = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {{
                drawn.push([text, this.getTransform().e + x - (this.textAlign === "right" ? this.measureText(text).width : 0)]); return fill.call(this, text, x, y); }};""")
        self.page.goto(f"{self.server.url}/#/live?store=news")
        self.page.reload()
        self.until("window.drawn.some(([text]) => /^[\\d,]{9,}$/.test(text))")
        for text, left in self.page.evaluate("window.drawn"):
            self.assertGreaterEqual(left, 0, text)


class TestRestart(online_case.OnlineCase):
    def test_reconnects(self):
        (self.folder / "data").mkdir()
        server = self.serve("--data", "data")
        server.create("news")
        self.show(f"{server.url}/#/live?store=news")
        self.wait_text(".stream-state", "Connected")
        self.expect_gone()
        self.expect_answer(503)
        server.stop()
        self.wait_text(".stream-state", "Connection lost. Connecting again in")
        # Other calls say it in their place.
        self.turn_to("1", "check")
        self.page.fill("#text", BRIDGE)
        self.page.keyboard.press("Control+Enter")
        self.wait_text(".problem", "The server cannot be reached.")
        self.page.locator("h1").focus()
        self.turn_to("5", "live")
        self.wait_text(".stream-state", "Connection lost.")
        again = self.serve("--data", "data", port=server.port)
        self.wait_stream()
        again.check("news", "after-restart", BRIDGE)
        self.wait_text(".decisions tbody", "after-restart")
        self.turn_to("1", "check")
        self.page.keyboard.press("Control+Enter")
        self.wait_text(".verdict", "Exact copy")

    def test_empty_server(self):
        (self.folder / "empty").mkdir()
        server = self.serve("--data", "empty")
        self.show(server.url)
        self.wait_text("main", "This server has no stores.")
        self.assertIn("neardup serve", self.text("pre"))
        self.page.keyboard.press("2")
        self.wait_text("main", "This server has no clue indexes.")


class TestKeys(online_case.OnlineCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.keys = {}
        for role in ("read", "write", "admin"):
            made = online_server.neardup("serve", "--new-key", f"{role}:{role}-of-tests", "--keys", "keys", folder=cls.folder)
            cls.keys[role] = made.stdout.strip().split()[-1]
        (cls.folder / "data").mkdir()
        cls.server = cls.serve("--data", "data", "--keys", "keys", key=cls.keys["admin"])
        cls.server.create("news", recipe="chars-5", threshold=0.5)
        cls.server.check("news", "bridge-1", BRIDGE)

    def enter(self, key):
        self.page.fill("#key", key)
        self.page.keyboard.press("Enter")

    def test_keys(self):
        self.expect_answer(401)
        self.show(f"{self.server.url}/#/documents?store=news")
        self.wait("#key")
        self.assertEqual(self.page.title(), "Key · neardup")
        self.enter("wrong")
        self.wait_text(".problem", "The server does not know this key.")
        self.enter("schlüssel")
        self.wait_text(".problem", "only ASCII characters")
        self.enter(self.keys["read"])
        self.wait(".documents table")  # the view of the address
        self.assertEqual(self.text(".role"), "role read")
        stored = self.page.evaluate("[JSON.stringify(sessionStorage), JSON.stringify(localStorage), document.cookie]")
        self.assertIn(self.keys["read"], stored[0])
        self.assertNotIn(self.keys["read"], stored[1] + stored[2])
        self.page.reload()
        self.wait(".documents table")
        # A key that only reads may ask, and not change anything.
        self.turn_to("1", "check")
        self.assertTrue(self.page.is_disabled(".keep"))
        self.assertIn("Needs a key with the role write.", self.text("#keep-hint"))
        self.page.fill("#text", BRIDGE_AGAIN)
        self.page.keyboard.press("Control+Enter")
        self.wait(".verdict")
        self.assertTrue(self.page.is_disabled(".undo"))
        # Statistics come with the key too.
        self.page.locator("h1").focus()
        self.turn_to("5", "live")
        self.wait_text(".stream-state", "Connected")
        self.page.click(".sign-out")
        self.wait("#key")
        self.assertEqual(self.page.evaluate("sessionStorage.length"), 0)
        self.enter(self.keys["write"])
        self.wait_text(".role", "role write")
        self.turn_to("1", "check")
        self.assertEqual(self.page.input_value("#text"), "")  # nothing is left of the one before
        self.assertTrue(self.page.is_enabled(".keep"))
        # Another tab asks again.
        tab = self.context.new_page()
        tab.goto(self.server.url)
        tab.wait_for_selector("#key")

    def test_sign_out_before_the_first_answers(self):
        """Answers that come afterwards show nothing."""
        self.expect_answer(401)
        self.show(f"{self.server.url}/#/check?store=news")
        self.enter(self.keys["read"])
        self.wait("#text")
        stores = "**/v1/stores"
        held = self.hold(stores)
        self.page.reload()
        self.wait_until(lambda: held, "the question for the stores")
        self.page.click("[data-language=zh]")  # the frame is drawn anew, with the key
        self.page.click(".sign-out")
        self.wait("#key")
        self.release(stores, held)
        self.assertTrue(self.page.is_visible("#key"))
        self.assertEqual(self.page.locator("#text, .role").count(), 0)

    def test_key_that_is_taken_away(self):
        self.expect_answer(401)
        self.show(self.server.url)
        self.enter(self.keys["write"])
        self.wait("#text")
        self.page.evaluate("sessionStorage.setItem('neardup-key', 'gone')")
        self.page.reload()
        self.wait_text(".problem", "The server does not know this key.")


if __name__ == "__main__":
    unittest.main()
