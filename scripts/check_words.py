#!/usr/bin/env python3
"""Checks the wording of sources, documents, scripts and tests: prints file:line for each phrase that has a better one; exit code 1 then.

Only phrases with one plain replacement are listed, so that a finding is never a matter of taste. The sense of a word decides nothing here:
what is right in some places has its contexts in ALLOWED, or is not in the list.

usage: check_words.py [ROOT]
"""
import pathlib
import re
import sys

# What to look for, and what to write instead.
PHRASES = [
    (r"behind", "after"),
    (r"in front of", "before"),
    (r"beside(?!\()", "next to, with"),
    (r"the begin", "the beginning, the start"),
    (r"mend(ed|ing|s)?", "repair, correct"),
    (r"(is|are) told(?! (apart|by))", "reported to, named"),
    (r"(go|goes|gone) on with", "resume, continue"),
    (r"gone through", "scanned, read"),
    (r"(does not|cannot|do not) go with", "cannot be combined with"),
    (r"goes with", "requires"),
    (r"(?<!there )(is|are) no (?!(more|longer|other|less|such|error|use|matter)\b)\w+", "is not a"),
    (r"(does|do|did) not hold together", "corrupt"),
    (r"has to stand|have to stand", "must have"),
    (r"about so many", "about n"),
]

# Contexts in which a phrase is right.
ALLOWED = [
    r"\b(leaves?|left|leaving)( \S+){0,4} behind\b",
    r"\bhides? behind\b",
    r"\bbehind (the|our|its) back\b",
    r"\b(dictionary|entries|library|readers|sinks|words) behind\b",
    r"\b(found behind a wall|the roof is mended)\b",  # of a corpus that examples use
    r"\bbefore behind being\b",  # of a list of stop words
]

# The same for Chinese pages, README.zh.md, docs/zh and the words of the report: one word for one thing, no typing errors of input methods, no officialese.
CHINESE = [
    (r"海明距离", "汉明距离"),
    (r"阀值", "阈值"),
    (r"聚类", "聚簇"),
    (r"(?<![附最])近重复|近似副本", "近似重复"),
    (r"去重复", "去重"),
    (r"词性标记", "词性标注"),
    (r"缺省", "默认"),
    (r"文件夹", "目录"),
    (r"登陆", "登录"),
    (r"帐号|帐户", "账号，账户"),
    (r"您", "你"),
    (r"进行(?:了|一次)?(?:去重|分词|比较|查询|清洗|计算|删除|处理|过滤)", "去重、分词……本身就是动词"),
    (r"(?<=[一-鿿])[,;:?!](?=[一-鿿])", "全角标点"),
]

FOLDERS = ("apps", "bench", "cmake", "docs", "fuzz", "include", "scripts", "src", "tests", "web")
SUFFIXES = (".cc", ".cmake", ".css", ".h", ".html", ".inc", ".java", ".js", ".md", ".py", ".sh", ".ts", ".txt")
QUOTING = ("scripts/check_words.py", "tests/scripts/test_check_words.py")  # name the phrases

_PHRASES = [(re.compile(rf"\b(?:{pattern})(?![\w])", re.IGNORECASE), use) for pattern, use in PHRASES]
_CHINESE = [(re.compile(pattern), use) for pattern, use in CHINESE]
_ALLOWED = re.compile("|".join(ALLOWED), re.IGNORECASE)


def files(root):
    yield from sorted(root.glob("*.md"))
    for folder in FOLDERS:
        yield from sorted(path for path in (root / folder).rglob("*") if path.suffix in SUFFIXES)


def is_chinese(name):
    return name.startswith("docs/zh/") or name.endswith((".zh.md", "_zh.js"))


def problems_of(text, chinese=False, code=r"`[^`]*`"):
    """(line number, phrase, what to write instead) of each finding. Between the quotes of `code`, Chinese is not checked."""
    for number, line in enumerate(text.splitlines(), 1):
        rest = _ALLOWED.sub("-", line)
        found = [(pattern, use, rest) for pattern, use in _PHRASES]
        if chinese:
            prose = re.sub(code, "-", rest) if code else rest
            found += [(pattern, use, prose) for pattern, use in _CHINESE]
        yield from ((number, match[0], use) for pattern, use, where in found for match in pattern.finditer(where))


def check(root):
    """All findings below `root`, as lines "path:line: text"."""
    for path in files(root):
        name = path.relative_to(root).as_posix()
        if name in QUOTING:
            continue
        code = {"code": None} if path.suffix == ".js" else {}  # a text of a script stands in the same quotes
        for number, phrase, use in problems_of(path.read_text(encoding="utf-8", errors="replace"), is_chinese(name), **code):
            yield f"{name}:{number}: '{phrase}': write: {use}"


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    problems = list(check(root))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
