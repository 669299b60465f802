"""A test that uses the page of `neardup serve` in Chromium by Playwright. One browser for a module; a context, and so a storage, for each test.

After each test the page has logged nothing, asked no other address, and run no script that came in with data.
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile
import time
import unittest

import online_server

try:
    from playwright import sync_api
except ImportError:
    sync_api = None

sys.path.append(str(pathlib.Path(__file__).parent.parent / "cli"))
import needs  # noqa: E402

# No background traffic. The sandbox does not work for root, nor in most containers; the pages are ours.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--force-color-profile=srgb", "--font-render-hinting=none"]
# A test that passes waits for none of it; a machine with many other things to do may stop a browser for half a minute.
WAIT_MS = 90_000
LAUNCH_MS = 180_000

BRIDGE = ("The council approved the new bridge over the river on Tuesday evening after a long debate. Construction will start next spring and take "
          "about three years, the mayor said. Several residents had asked for a tunnel instead, which would have cost twice as much. The old bridge "
          "stays open to pedestrians and cyclists until the new one is finished.")
BRIDGE_AGAIN = BRIDGE.replace("three years", "four years").replace("twice as much", "much more")
LIBRARY = ("修道院的夹墙里发现了一座失传已久的书库，共有四百册书，大多讲植物及其用途。研究人员说，这批书保存完好，其中几册从未见于任何目录。"
           "书库将于明年春天向公众开放，门票免费，每天限一百人入内参观。")
LIBRARY_AGAIN = LIBRARY.replace("四百册", "三百册").replace("春天", "秋天")
MARKUP = '<img src=x onerror="window.hacked=1">'
TIMES = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness."
CLUE = "it was the worst of times, it was the age of wisdom"
TEXTS = [{"id": "dickens", "text": "Before. " * 400 + TIMES + " After." * 400},
         {"id": "letter", "text": "She wrote: it was the worst of times -- it was the age of wisdom!"},
         {"id": "typo", "text": "It was the worst of tames, it was the age of wisdom."},
         {"id": "宪法", "text": "一切权力属于人民。人民行使国家权力的机关，是全国人民代表大会和地方各级人民代表大会。"},
         {"id": MARKUP, "text": f"It was the worst of times, it was the age of wisdom {MARKUP} and so on."}]


def missing():
    if sync_api is None:
        return "no Python package playwright (scripts/test_python.sh)"
    if not shutil.which("chromium"):
        return "no chromium (Debian: apt-get install chromium)"
    return online_server.missing()


class _Shared:
    playwright = None
    browser = None


def start_browser():
    needs.stop_if(missing())
    _Shared.playwright = sync_api.sync_playwright().start()
    unittest.addModuleCleanup(_Shared.playwright.stop)
    _Shared.browser = _Shared.playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS, timeout=LAUNCH_MS)
    unittest.addModuleCleanup(_Shared.browser.close)


class OnlineCase(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        # What Chromium itself logs about answers that are problems, and about servers that are gone.
        self.expected = []

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="neardup-online-")))

    @classmethod
    def serve(cls, *arguments, **options):
        server = online_server.Server(cls.folder, *arguments, **options)
        cls.addClassCleanup(server.stop)
        return server

    def show(self, address, width=1280, language="en-US", dark=False):
        """A new context with this page; `address` is that of a server, with a fragment or without."""
        self.origin = "/".join(address.split("/")[:3])
        self.context = _Shared.browser.new_context(viewport={"width": width, "height": 800}, locale=language,
                                                   color_scheme="dark" if dark else "light", reduced_motion="reduce")
        self.addCleanup(self.context.close)
        self.context.set_default_timeout(WAIT_MS)
        self.page = self.context.new_page()
        self.logged = []
        self.asked = []
        self.page.on("console", lambda message: self.logged.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.logged.append(f"exception: {error}"))
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address)
        return self.page

    def expect_answer(self, *statuses):
        self.expected += [rf"Failed to load resource: the server responded with a status of {status} " for status in statuses]

    def expect_gone(self):
        self.expected += [r"net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)"]

    def tearDown(self):
        if not hasattr(self, "page"):
            return
        self.assertEqual([text for text in self.logged if not any(re.search(each, text) for each in self.expected)], [])
        self.assertEqual([url for url in self.asked if not url.startswith((self.origin + "/", "data:"))], [])
        self.assertIsNone(self.page.evaluate("window.hacked ?? null"))

    def text(self, selector):
        """What a reader sees, with plain blanks."""
        return self.page.locator(selector).first.inner_text().replace("\u202f", " ")

    def texts(self, selector):
        return [text.replace("\u202f", " ") for text in self.page.locator(selector).all_inner_texts()]

    def wait(self, selector, **options):
        self.page.wait_for_selector(selector, **options)

    def wait_text(self, selector, wanted):
        sync_api.expect(self.page.locator(selector).first).to_contain_text(wanted, timeout=WAIT_MS)

    def wait_until(self, condition, what):
        """Waits until `condition()` is true; `what` says in a failure what was waited for."""
        deadline = time.monotonic() + WAIT_MS / 1000
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            self.page.wait_for_timeout(50)

    def until(self, script):
        """The same of a script. Playwright's own way evaluates texts in the page, which its policy forbids."""
        self.wait_until(lambda: self.page.evaluate(script), script)

    def wait_match(self, selector, pattern):
        self.wait_until(lambda: re.search(pattern, self.text(selector)), f"{selector} matches {pattern}")

    def drawn(self):
        """Waits until what the page has been told by now is on the screen."""
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))")

    def turn_to(self, key, view):
        """Presses the key of a view. The address changes at once, the view soon after: until then everything is that of the view before."""
        self.page.keyboard.press(key)
        self.wait(f".view.{view}")

    def close_dialog(self):
        self.page.keyboard.press("Escape")
        self.wait("dialog", state="detached")

    def wait_stream(self):
        """Waits until decisions are sent to the live view. The first statistics come with the answer to the request, maybe before the server has
        entered the stream among those that it writes to, and those on the screen may be from before: so until the second change."""
        self.wait_text(".stream-state", "Connected")
        for _ in range(2):
            known = self.text(".figure >> nth=-1")
            self.wait_until(lambda: self.text(".figure >> nth=-1") != known, "new statistics")

    def hold(self, address):
        """Holds back the requests to addresses like this, in the list that is returned, until they are passed to `release`."""
        held = []
        self.page.route(address, lambda route: held.append(route))
        return held

    def release(self, address, held):
        self.wait_until(lambda: held, f"a request to {address}")
        for route in held:
            with self.page.expect_response(route.request.url) as answer:
                route.continue_()
            answer.value.finished()
        self.page.unroute(address)
        self.drawn()

    def overflow(self):
        """How much wider than the window the page is, and what sticks out of the window."""
        return self.page.evaluate("""() => {
            const width = document.documentElement.clientWidth;
            const wide = [...document.querySelectorAll("body *")].filter(each => each.getBoundingClientRect().right > width + 1 && !each.closest(".pane, .unseen, .skip, thead"));
            return [document.documentElement.scrollWidth - width, ...wide.map(each => each.tagName + "." + each.className + " " + each.textContent.slice(0, 30))];
        }""")


class Pages(OnlineCase):
    """Tests that share a server without keys: each with a store of its own if it changes one."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.folder / "texts.jsonl").write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in TEXTS), encoding="utf-8")
        online_server.neardup("index", "build", "texts", "texts.jsonl", "--kind", "clue", "-q", folder=cls.folder)
        (cls.folder / "data").mkdir()
        cls.server = cls.serve("--data", "data", "--clue-index", "texts")
        cls.fill("news")

    @classmethod
    def fill(cls, store, copies=8):
        cls.server.create(store, recipe="chars-5", threshold=0.5)
        cls.server.check(store, "bridge-1", BRIDGE)
        cls.server.check(store, "新闻/书库", LIBRARY)
        for number in range(copies):
            cls.server.check(store, f"copy-{number}", BRIDGE.replace("mayor", f"mayor {number}"))
        cls.server.check(store, "bridge-equal", BRIDGE)
        cls.server.check(store, "转载-88", LIBRARY_AGAIN)

    def open(self, fragment, **options):
        return self.show(f"{self.server.url}/#/{fragment}", **options)

    def ask(self, text):
        self.page.fill("#text", text)
        self.page.keyboard.press("Control+Enter")
        self.wait(".verdict, .problem")
