"""A test that reads a page in Chromium."""
import pathlib
import sys
import tempfile
import unittest

import browser
import reports

sys.path.append(str(pathlib.Path(__file__).parent.parent / "cli"))
import needs  # noqa: E402


class PageCase(unittest.TestCase):
    """One browser for the tests of a class. After each test, its page has logged nothing and asked for no other address."""
    size = (1280, 900)
    language = "en-US"
    dark = False

    @classmethod
    def setUpClass(cls):
        needs.stop_if(browser.missing())
        cls.browser = cls.enterClassContext(browser.Browser(*cls.size, language=cls.language, dark=cls.dark))
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="neardup-page-")))

    def show(self, data, options=""):
        page = reports.write_page(data, self.folder / f"{self.id().rpartition('.')[2]}.html")
        self.opened = page.as_uri() + options
        self.browser.open(self.opened)
        self.browser.settle()
        return page

    def tearDown(self):
        if not hasattr(self, "opened"):
            return
        self.assertEqual(self.browser.console(), [])
        self.browser.run("localStorage.clear()")
        self.assertEqual([address for address in self.browser.requests() if not address.startswith("data:")], [self.opened])

    def texts(self, selector):
        return self.browser.run("return [...document.querySelectorAll(arguments[0])].map(each => each.textContent)", selector)

    def text(self, selector):
        return self.browser.run("return document.querySelector(arguments[0]).textContent", selector)

    def attribute(self, selector, name):
        return self.browser.run("return document.querySelector(arguments[0]).getAttribute(arguments[1])", selector, name)

    def colours(self, chart):
        """Number of colours in a chart: 0 if it was not drawn."""
        return self.browser.run("""
            const canvas = document.querySelector(arguments[0] + " canvas");
            if (!canvas) return 0;
            const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
            return new Set(pixels).size;""", chart)

    def overflow(self):
        """How much wider than the window the page is, and the elements that stick out."""
        return self.browser.run("""
            const width = document.documentElement.clientWidth;
            const wide = [...document.querySelectorAll("body *")].filter(each => each.getBoundingClientRect().right > width + 1 && !each.closest(".text, pre, .clamped, .excerpt, .matrix th, .unseen, .skip"));
            return [document.documentElement.scrollWidth - width, ...wide.map(each => each.tagName + "." + each.className + " " + each.textContent.slice(0, 30))];""")
