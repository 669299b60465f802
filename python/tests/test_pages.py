"""What results show in a notebook."""

import html.parser
import json

import neardup

WORDS = " ".join(f"w{i}" for i in range(60))


class _Check(html.parser.HTMLParser):
    """Tags are closed in order; collects what is read."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def page_of(result):
    check = _Check()
    check.feed(result._repr_html_())
    check.close()
    assert check.open == []
    return check


def test_texts_of_a_page_are_escaped():
    texts = [WORDS + " <b>fox</b> & <script>alert(1)</script>", WORDS + " <b>dog</b> & <script>alert(1)</script>"]
    result = neardup.dedup([{"id": "<i>", "text": text} for text in texts], id=None, name="<u>", threshold=0.5)
    for page in (page_of(result), page_of(result.explain(1)), page_of(result.explain(0)), page_of(neardup.compare(*texts, threshold=0.5))):
        assert not {"script", "b", "u"} & set(page.tags)
        assert "<b>" in page.text and "fox" in page.text


def test_a_result_shows_where_the_least_similar_removals_differ():
    texts = [WORDS, WORDS + " tail", WORDS.replace("w30", "other"), WORDS]
    page = page_of(neardup.dedup(texts, threshold=0.5))
    assert "near duplicates2" in page.text and "exact copies1" in page.text
    assert page.text.index("otherw30") < page.text.index("tail")
    assert page.tags.count("del") == 2 and page.tags.count("ins") == 1


def test_the_page_of_a_result_is_small_whatever_the_texts_are():
    long = " ".join(f"w{i}" for i in range(100_000))
    other = " ".join(f"w{i}" if i % 100 else "x" for i in range(100_000))
    result = neardup.dedup([long, other, long + " end"], threshold=0.5)
    assert len(result.least_similar()) == 2 and len(result._repr_html_()) < 20_000
    assert len(repr(result)) < 100 and len(repr(neardup.dedup([long, long]).explain(1))) < 2000


def test_the_page_of_a_result_of_files_reads_no_file(tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in (WORDS, WORDS + " tail")))
    result = neardup.dedup(path, threshold=0.5)
    against = neardup.dedup([WORDS + " tail"], against=path, threshold=0.5)
    path.unlink()
    assert "near_duplicate" in page_of(result).text and "reference" in page_of(against).text


def test_a_page_without_removals():
    assert page_of(neardup.dedup([])).tags.count("table") == 1


def test_an_explanation_prints_as_a_page():
    explained = neardup.dedup([WORDS, WORDS + " tail"], threshold=0.5).explain(1)
    assert repr(explained) == str(explained)
    assert repr(explained).splitlines()[:2] == ["document   memory:2", "verdict    removed, near_duplicate"]
    assert "[- tail-]" in repr(explained) or "[-tail-]" in repr(explained)
