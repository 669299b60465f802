"""The report page in Chromium: charts, tables, differences, languages, themes; nothing fetched, nothing logged."""
import re
import time
import unittest

import page_case
import reports

CHARTS = ["#similarity-chart", "#search-chart", "#sizes-chart"]
SECTIONS = ["overview", "findings", "similarity", "search", "sizes", "sources", "losses", "least", "changes", "groups", "passages", "limits", "resources", "run"]


class ReportPage(page_case.PageCase):
    def test_sections(self):
        self.show(reports.report())
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('main > section')].map(each => each.id)"), SECTIONS)
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('nav a')].map(each => each.hash)"), [f"#{name}" for name in SECTIONS])
        self.assertEqual(self.text("#overview h2").replace("\u202f", " "), "Removed 832 of 3,000 documents (27.7 %)")
        self.assertEqual(self.browser.run("return document.title"), "Deduplication report: work")
        self.assertIn("12 (95 % interval: 4.5 to 31)", self.text("#search .result").replace("\u202f", " "))
        self.assertEqual(self.text("#run pre"), "neardup dedup corpus --verdicts 'it'\\''s here.tsv' --work work ")

    def show_weighted(self, measure, name):
        """The bands find pairs by another similarity than the one that decides, so the curve has no threshold."""
        data = reports.report()
        data["run"]["measure"] = measure
        data["search"]["missed"] = None
        self.show(data)
        self.assertIn(name, self.text("#overview"))
        search = self.text("#search")
        self.assertIn("finds a pair, by its Jaccard similarity without weights.", search)
        self.assertIn("A pair with a Jaccard similarity of 0.8 without weights is found with a probability of", search)
        self.assertNotIn("threshold", search)
        self.assertNotIn("Shaded", search)
        self.assertGreater(self.colours("#search-chart"), 1)

    def test_weighted_jaccard(self):
        self.show_weighted("weighted-jaccard", "weighted Jaccard similarity")

    def test_cosine(self):
        self.show_weighted("cosine", "cosine similarity")

    def test_charts(self):
        self.show(reports.report())
        for chart in CHARTS:
            self.assertGreater(self.colours(chart), 5, chart)
            self.assertRegex(self.attribute(f"{chart} .chart", "aria-label"), r"\d.*arrow keys")
            self.assertGreater(len(self.texts(f"{chart} details tbody tr")), 5, chart)

    def test_chart_readings(self):
        self.show(reports.report())
        self.browser.press("#similarity-chart .chart", "\ue014")  # the right arrow key
        self.assertEqual(self.text("#similarity-chart .reading"), "0.80–0.81: 19 removals")
        self.browser.press("#similarity-chart .chart", "\ue014")
        self.assertEqual(self.text("#announcements"), "0.81–0.82: 18 removals")
        self.browser.press("#similarity-chart .chart", "\ue012\ue012\ue012")  # the left one: stops at the first bar
        self.assertEqual(self.text("#announcements"), "0.80–0.81: 19 removals")
        self.browser.press("#sizes-chart .chart", "\ue012")
        self.assertEqual(self.text("#announcements"), "1 cluster of 88 documents")

    def test_sorting(self):
        self.show(reports.report(sources=30))
        names = lambda: self.texts("#sources-table tbody tr th")
        self.assertEqual(names()[:2], ["part-30.jsonl", "part-29.jsonl"])
        self.assertEqual(self.attribute("#sources-table th[data-key=share]", "aria-sort"), "descending")
        self.browser.click("#sources-table th[data-key=share] button")
        self.assertEqual(names()[:2], ["part-1.jsonl", "part-2.jsonl"])
        self.assertEqual(self.attribute("#sources-table th[data-key=share]", "aria-sort"), "ascending")
        self.browser.click("#sources-table th[data-key=name] button")
        self.assertEqual(names()[:11], [f"part-{number}.jsonl" for number in range(1, 12)])  # numbers in names count as numbers
        self.assertEqual(self.text("#announcements"), "Sorted by Source, ascending")
        self.browser.press("#sources-table th[data-key=near] button", "\ue007")  # the enter key
        numbers = [int(text.replace(",", "")) for text in self.texts("#sources-table tbody td:nth-child(5)")]
        self.assertEqual(numbers, sorted(numbers, reverse=True))

    def test_long_tables(self):
        self.show(reports.report(sources=30))
        self.assertEqual(len(self.texts("#sources-table tbody tr")), 20)
        self.browser.click("#sources .more")
        self.assertEqual(len(self.texts("#sources-table tbody tr")), 30)
        self.browser.press("#sources input", "part-2")
        self.assertEqual(len(self.texts("#sources-table tbody tr")), 11)
        self.assertEqual(self.text("#sources .state"), "11 of 11 rows")

    def test_bound(self):
        self.show(reports.report(sources=6))
        marked = self.browser.run("return [...document.querySelectorAll('#sources-table tr:has(.mark) th')].map(each => each.textContent)")
        self.assertEqual(marked, ["part-6.jsonl"])
        self.assertEqual(self.texts("#findings li a")[0].replace("\u202f", " "), "One source loses more than 60 % of its documents: part-6.jsonl (69 %).")

    def test_bound_of_the_run(self):
        self.show(reports.report(sources=6) | {"max_removed": 0.625, "max_removed_given": True})
        self.assertEqual(self.texts("#findings li a")[0].replace("\u202f", " "), "One source loses more than 62.5 % of its documents: part-6.jsonl (69 %).")
        self.assertIn("the bound that the run was given (--max-removed)", self.text("#sources"))

    def test_changes(self):
        self.show(reports.report())
        rows = [row.replace("\u202f", " ") for row in self.texts("#changes-table tbody tr")]
        self.assertEqual(len(rows), 5)
        self.assertIn("letters inside words", rows[0])
        self.assertIn("45.0 %", rows[0])

    def test_matrix(self):
        self.show(reports.report(sources=30, documents=100))
        cells = self.browser.run("return [...document.querySelectorAll('.matrix tbody tr')].map(row => [...row.querySelectorAll('td')].map(each => each.textContent))")
        self.assertEqual((len(cells), len(cells[0])), (13, 13))
        total = sum(int(text.replace(",", "") or 0) for row in cells for text in row)
        self.assertEqual(total, sum(loss[2] for loss in reports.report(sources=30, documents=100)["losses"]))

    def test_differences(self):
        self.show(reports.report())
        sides = self.texts("#removal-1 .side .text")
        self.assertEqual(sides, ["The library opens at nine o'clock on weekdays.⋯ 1,234 characters left out ⋯ Entry is free.",
                                 "The library opens at eight o'clock on weekdays.⋯ 1,234 characters left out ⋯ Entry is free."])
        self.assertEqual((self.text("#removal-1 del"), self.text("#removal-1 ins")), ("nine", "eight"))
        decoration = self.browser.run("return ['del', 'ins'].map(tag => getComputedStyle(document.querySelector('#removal-1 ' + tag)).textDecorationLine)")
        self.assertEqual(decoration, ["line-through", "underline"])  # not by colour alone
        self.assertEqual(self.texts("#removal-20 .text"), [])  # laid out when opened
        self.browser.click("#removal-20 summary")
        self.assertEqual(len(self.texts("#removal-20 .side .text")), 2)
        visible = "return getComputedStyle(document.querySelector(arguments[0])).display"
        self.assertEqual([self.browser.run(visible, "#removal-1 .sides"), self.browser.run(visible, "#removal-1 > .merged")], ["grid", "none"])
        self.browser.click("[data-choice=merged]")
        self.assertEqual([self.browser.run(visible, "#removal-1 .sides"), self.browser.run(visible, "#removal-1 > .merged")], ["none", "block"])
        self.assertIn("nineeight", self.text("#removal-1 > .merged"))
        # Members of a cluster with the same differences stand together.
        self.assertEqual(self.texts("#group-1 .member p"), ["0.900 member-1-0, member-1-1, member-1-2", "0.900 member-1-3, member-1-4"])

    def test_language(self):
        self.show(reports.report())
        self.assertEqual(self.browser.run("return document.documentElement.lang"), "en")
        self.browser.click("#sources-table th[data-key=name] button")
        self.browser.click("[data-choice=zh]")
        self.assertEqual(self.browser.run("return document.documentElement.lang"), "zh-CN")
        self.assertEqual(self.text("#overview h2"), "共 3,000 篇文档，删除 832 篇（27.7%）")
        self.assertEqual(self.attribute("#sources-table th[data-key=name]", "aria-sort"), "ascending")  # the order stays
        for chart in CHARTS:
            self.assertGreater(self.colours(chart), 5, chart)
        left = self.browser.run("const copy = document.querySelector('main').cloneNode(true);"
                                "copy.querySelectorAll('bdi, .text, pre, code, .clamped, .excerpt, .note, .facts, details.numbers table').forEach(each => each.remove());"
                                "return copy.textContent")
        names = {"LSH", "Jaccard", "JSON", "MiB", "GiB", "words", "part", "jsonl", "max", "candidates", "batch", "min", "length"}
        self.assertEqual(set(re.findall(r"[A-Za-z]{3,}", left)) - names, set())
        self.browser.click("[data-choice=en]")
        self.assertEqual(self.text("h1"), "Deduplication report")

    def test_theme(self):
        self.show(reports.report())
        background = lambda: self.browser.run("return getComputedStyle(document.body).backgroundColor")
        canvas = lambda: self.browser.run("return document.querySelector('#search-chart canvas').toDataURL()")
        light, drawn = background(), canvas()
        self.browser.click("[data-choice=dark]")
        self.assertNotEqual(background(), light)
        self.assertNotEqual(canvas(), drawn)
        self.assertGreater(self.colours("#search-chart"), 5)
        self.browser.click("[data-choice=light]")
        self.assertEqual((background(), canvas()), (light, drawn))

    def test_names_of_controls(self):
        """Everything that takes the focus has a name; every image and chart has a text."""
        self.show(reports.report(sources=30))
        nameless = self.browser.run("""
            return [...document.querySelectorAll("button, a, input, summary, [role=img], [role=group], table, nav")]
                .filter(each => !(each.textContent.trim() && each.tagName !== "TABLE") && !each.getAttribute("aria-label")).map(each => each.outerHTML.slice(0, 80))""")
        self.assertEqual(nameless, [])
        levels = self.browser.run("return [...document.querySelectorAll('h1, h2, h3, h4')].map(each => Number(each.tagName[1]))")
        self.assertEqual(levels[0], 1)
        self.assertEqual(levels.count(1), 1)

    def test_contrast(self):
        """Texts in both themes: 4.5 to 1, as WCAG 2 AA asks."""
        self.show(reports.report(sources=30))
        for theme in ("light", "dark"):
            self.browser.click(f"[data-choice={theme}]")
            self.assertEqual(self.browser.run(CONTRAST), [], theme)

    def test_printing(self):
        page = self.show(reports.report())
        self.browser.click("[data-choice=dark]")
        self.browser.print_to(page.with_suffix(".pdf"))
        self.assertGreater(page.with_suffix(".pdf").stat().st_size, 50_000)
        self.browser.settle()
        self.assertEqual(self.browser.run("return document.documentElement.dataset.theme"), "dark")
        self.assertEqual(self.browser.run("return document.querySelectorAll('details.removal[open]').length"), 3)


# Texts whose colour is too close to the background that they stand on.
CONTRAST = """
    const parse = color => { const c = document.createElement("canvas").getContext("2d", {willReadFrequently: true}); c.fillStyle = color; c.fillRect(0, 0, 1, 1);
                             const [r, g, b, a] = c.getImageData(0, 0, 1, 1).data; return [r, g, b, a]; };
    const light = ([r, g, b]) => { const f = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
    const ground = element => { for (; element; element = element.parentElement) { const color = getComputedStyle(element).backgroundColor;
                                if (parse(color)[3] > 250) return parse(color); } return [255, 255, 255, 255]; };
    const weak = new Set();
    for (const element of document.querySelectorAll("body *")) {
      if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()) || !element.checkVisibility() || element.closest(".unseen, noscript, script")) continue;
      const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) weak.add(`${element.tagName}.${element.className} ${contrast.toFixed(2)} ${element.textContent.slice(0, 20)}`);
    }
    return [...weak];"""


class OddReports(page_case.PageCase):
    def test_fingerprints(self):
        self.show(reports.of_fingerprints())
        self.assertIn("Recipe simhash-words-3, at most 3 of 64 bits differ", self.text("#overview .lead"))
        self.assertIn("at a distance of at most 3", self.text("#search"))
        self.assertEqual(self.text("#removal-1 .score"), "3 of 64 bits")
        self.assertEqual(self.texts("#similarity-chart details tbody tr"), ["050", "120", "3330"])
        self.assertGreater(self.colours("#similarity-chart"), 5)
        self.assertIn("at the maximum distance (3)", self.text("#findings"))

    def test_nothing_removed(self):
        self.show(reports.nothing_removed())
        self.assertEqual(self.text("#overview h2"), "Removed none of 1,000 documents")
        self.assertIn("Nothing stands out", self.text("#findings"))
        for name in ("similarity", "sizes", "losses", "least", "changes", "groups", "passages"):
            self.assertTrue(self.text(f"#{name} .nothing"), name)

    def test_lost_texts(self):
        self.show(reports.lost_texts())
        self.assertIn("The texts could not be read again", self.text("#removal-1"))
        self.assertIn("No such file", self.text("#findings .warnings"))
        self.assertEqual(self.text("#overview h2").replace("\u202f", " "), "Removed 832 of 3,000 documents (27.7 %)")

    def test_hostile_texts(self):
        """Whatever stands in the data is shown as it is, and is neither markup nor script."""
        data = reports.hostile()
        self.show(data)
        for width in (1280, 390):
            self.browser.resize(width, 900)
            self.addCleanup(self.browser.resize, *self.size)
            self.browser.settle()
            self.assertEqual(self.overflow(), [0], width)
        self.assertIsNone(self.browser.run("return window.broken ?? null"))
        self.assertEqual(self.browser.run("return document.querySelectorAll('img, script:not(#data):not(:last-of-type), iframe, object').length"), 0)
        self.browser.run("document.querySelectorAll('details').forEach(each => each.open = true)")
        self.browser.settle()
        shown = self.texts("#least .merged")
        self.assertEqual(len(shown), len(reports.HOSTILE))
        for text, whole in zip(reports.HOSTILE, shown, strict=True):
            expected = text.replace("\ud83d", "\ufffd") if len(text) < 4000 else text[:3000]
            self.assertTrue(whole.startswith(expected), repr((text[:40], whole[:40])))

    def test_huge_texts(self):
        began = time.monotonic()
        self.show(reports.huge_texts())
        self.assertLess(time.monotonic() - began, 20)
        self.assertIn("496,000 characters left out", self.text("#removal-1 .side .text"))
        self.assertNotIn("\ufffd", self.text("#removal-1 ins"))

    def test_without_chart_library(self):
        """A build without uPlot shows the numbers instead."""
        page = self.show(reports.report())
        whole = page.read_text(encoding="utf-8")
        begin, end = whole.index("var uPlot = "), whole.index("\n}());\n")
        page.write_text(whole[:begin] + whole[end + len("\n}());\n"):], encoding="utf-8")
        self.browser.requests()
        self.browser.open(self.opened)
        self.browser.settle()
        for chart in CHARTS:
            self.assertEqual(self.browser.run("return document.querySelectorAll(arguments[0] + ' canvas').length", chart), 0)
            self.assertTrue(self.browser.run("return document.querySelector(arguments[0] + ' details').open", chart))

    def test_broken_data(self):
        for data, message in (("{", "cannot be read"), ("", "cannot be read"), ('{"format": 2}', "format 2"), ("</script><b>x", "cannot be read"), ("[]", "format undefined")):
            with self.subTest(data):
                self.show(data)
                self.assertIn(message, self.text(".failure[role=alert]"))
                self.browser.requests()
        del self.opened


class ManySources(page_case.PageCase):
    def test_size_and_time(self):
        data = reports.report(sources=500)
        page = self.show(data, "?lang=en")
        self.assertLess(page.stat().st_size, 3_000_000)
        # Processor time, so that a busy machine does not count.
        self.browser.command("Performance.enable", timeDomain="threadTicks")
        self.browser.command("Page.reload")
        self.browser.settle()
        spent = {metric["name"]: metric["value"] for metric in self.browser.command("Performance.getMetrics")["metrics"]}
        self.assertLess(spent["TaskDuration"], 2)
        self.browser.requests()
        self.browser.open(self.opened)
        self.browser.settle()
        self.assertEqual(self.overflow(), [0])
        self.assertEqual(self.text("#sources .state"), "20 of 500 rows")

    def test_many_losses(self):
        """As many as a report has at most: laid out in steps."""
        data = reports.report(sources=1000)
        data["losses"] = [[index % 1000, index * 7 % 1000, 1 + index % 97] for index in range(20_000)]
        self.assertLess(self.show(data).stat().st_size, 3_000_000)
        self.assertEqual(self.text("#losses .more"), "Show 500 more")
        self.browser.click("#losses .more")
        self.assertEqual(self.text("#losses .state"), "510 of 20,000 rows")
        self.browser.press("#losses input", "part-1000.")
        self.assertEqual(self.text("#losses .state"), "40 of 40 rows")
        self.browser.click("#losses .more")
        self.assertEqual(self.text("#losses .state"), "10 of 40 rows")


class Phone(page_case.PageCase):
    size = (360, 740)

    def test_width(self):
        for language in ("en", "zh"):
            self.show(reports.report(sources=30), f"?lang={language}")
            self.browser.run("document.querySelectorAll('details').forEach(each => each.open = true)")
            self.browser.settle()
            self.assertEqual(self.overflow(), [0], language)
            for chart in CHARTS:
                self.assertGreater(self.colours(chart), 5, chart)
                self.assertLessEqual(self.browser.run("return document.querySelector(arguments[0] + ' .uplot').offsetWidth", chart), 340)
            self.browser.requests()
        del self.opened

    def test_widths(self):
        self.show(reports.report(sources=30))
        self.addCleanup(self.browser.resize, *self.size)
        for width in (320, 480, 640, 641, 720, 860, 1000, 1001, 1100, 1600):
            self.browser.resize(width, 900)
            self.browser.settle()
            self.assertEqual(self.overflow(), [0], width)

    def test_turned(self):
        """The charts follow the width of the window."""
        self.show(reports.report())
        self.browser.resize(740, 360)
        self.addCleanup(self.browser.resize, *self.size)
        self.browser.settle()
        self.assertGreater(self.browser.run("return document.querySelector('#search-chart .uplot').offsetWidth"), 600)


class ChineseReader(page_case.PageCase):
    language = "zh-CN"
    dark = True

    def test_defaults(self):
        """The language and the theme of the browser."""
        self.show(reports.report())
        self.assertEqual(self.browser.run("return document.documentElement.lang"), "zh-CN")
        self.assertEqual(self.browser.run("return document.documentElement.dataset.theme"), "dark")
        self.assertEqual(self.text("h1"), "去重报告")


if __name__ == "__main__":
    unittest.main()
