"""The files that the commands of wrong_inputs.py name, in one folder. No command may change any of them.

good.jsonl holds 20 records with the fields id, text, score and meta; old.jsonl is an output of an earlier run, and the output of most commands.
"""
import bz2
import gzip
import json
import lzma
import os
import random
import shutil
import sqlite3
import subprocess

RECORDS = [{"id": i, "text": f"one two three four five six seven eight nine ten, number {i % 7}", "score": i, "meta": {"lang": "en"}} for i in range(20)]
FINGERPRINTS = "simhash-chars-4"


def lines(records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def random_lines():
    """More than the compressors buffer, so that a half of a file is not empty."""
    letters = random.Random(14)
    return lines({"id": i, "text": "".join(letters.choices("abcdefgh ", k=2000))} for i in range(300)).encode()


def warc():
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>some words</p>"
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http\r\nContent-Length: {len(page)}\r\n\r\n"
    return head.encode() + page + b"\r\n\r\n"


def write_compressed(write):
    whole = random_lines()
    packed = gzip.compress(whole)
    write("cut.jsonl.gz", packed[:len(packed) // 2])
    write("damaged.jsonl.gz", packed[:1000] + bytes(100) + packed[1100:])
    packed = bz2.compress(whole)
    write("cut.jsonl.bz2", packed[:len(packed) // 2])
    packed = subprocess.run(["zstd", "-q", "-c"], input=whole, stdout=subprocess.PIPE, check=True).stdout
    write("cut.jsonl.zst", packed[:len(packed) // 2])
    write("good.jsonl.xz", lzma.compress(lines(RECORDS).encode()))
    write("good.txt.7z", b"7z\xbc\xaf\x27\x1c" + bytes(100))


def write_other_formats(write):
    text = lines(RECORDS)
    write("utf16.jsonl", text.encode("utf-16"))
    write("gbk.jsonl", lines({"id": i, "text": f"第{i}条新闻的正文,编码不是通用的那一种"} for i in range(30)).encode("gb18030"))
    write("latin1.jsonl", "{\"id\": 1, \"text\": \"caf\u00e9\"}\n".encode("latin-1"))
    write("report.pdf", b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n%%EOF\n")
    write("report.jsonl", b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n%%EOF\n")
    write("crawl.jsonl", warc())
    write("notes.rst", "Notes\n=====\n")
    write("numbers.json", "[1, 2, 3]")


def write_records(write):
    write("one_bad.jsonl", lines(RECORDS) + '{"id": 20, "text": "no end\n')
    write("all_bad.jsonl", "nonsense\n" * 5)
    write("other_field.jsonl", lines({"id": i, "body": "some words", "title": "a title"} for i in range(5)))
    write("number.jsonl", lines({"id": i, "text": 5} for i in range(5)))
    write("empty.jsonl", "")


def write_recipes(write, words_5):
    write("broken.json", '{"tokenizer": "words_v1"')
    write("array.json", "[]")
    write("unknown_member.json", json.dumps(words_5 | {"tokeniser": "words_v1"}))
    write("missing_member.json", json.dumps({"tokenizer": "words_v1"}))
    write("wrong_type.json", json.dumps(words_5 | {"min_features": "many"}))
    write("wrong_version.json", json.dumps(words_5 | {"tokenizer": "words_v9"}))
    write("no_stop_words.json", json.dumps(words_5 | {"stop_words": "nowhere.txt"}))
    write("other_idf.json", json.dumps(words_5 | {"tokenizer": "chars_v1", "idf": "words.idf"}))


def write_databases(folder):
    database = sqlite3.connect(folder / "base.db")
    database.execute("CREATE TABLE docs (id INTEGER PRIMARY KEY, text TEXT)")
    database.execute("INSERT INTO docs VALUES (1, 'one two three four five six')")
    database.execute("CREATE TABLE loose (name TEXT, text TEXT)")
    database.commit()
    database.close()


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 0xFF
    path.write_bytes(data)


def write_built_files(folder, neardup):
    """What the program itself makes: indexes, tables, a dictionary, and runs with a checkpoint directory; and damaged copies."""
    neardup("index", "build", "seen", "good.jsonl", "--recipe", FINGERPRINTS, "-q")
    neardup("index", "build", "texts", "good.jsonl", "--kind", "clue", "-q")
    shutil.copytree(folder / "seen", folder / "damaged_index")
    flip(folder / "damaged_index" / "segment-000001.ndh", -100)
    shutil.copytree(folder / "texts", folder / "damaged_texts")
    flip(folder / "damaged_texts" / "segment-000001.ndh", 4096)
    shutil.copytree(folder / "seen", folder / "no_manifest")
    (folder / "no_manifest" / "MANIFEST").write_text("not a manifest\n")
    neardup("idf", "fit", "good.jsonl", "-o", "words.idf", "-q")
    (folder / "cut.idf").write_bytes((folder / "words.idf").read_bytes()[:-50])
    neardup("lines", "fit", "good.jsonl", "-o", "menu.lines", "-q")
    (folder / "cut.lines").write_bytes((folder / "menu.lines").read_bytes()[:-3])
    (folder / "words.txt").write_text("中文 100 n\n文本 50 n\n")
    neardup("dict", "build", "--words", "words.txt", "-o", "words.dict", "-q")
    (folder / "cut.dict").write_bytes((folder / "words.dict").read_bytes()[:-20])
    (folder / "no_frequency.txt").write_text("中文 100 n\n文本\n")
    neardup("dedup", "good.jsonl", "-o", "kept.jsonl", "--work", "run", "-q")
    (folder / "changing.jsonl").write_text(lines(RECORDS))
    neardup("dedup", "changing.jsonl", "-o", "kept2.jsonl", "--work", "changed_run", "-q")
    (folder / "changing.jsonl").write_text(lines(RECORDS[:19]))


def make(folder, neardup):
    """`neardup(*words)` runs the program in `folder` and returns what it prints, as bytes."""
    def write(name, content):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    write("good.jsonl", lines(RECORDS))
    write("more.jsonl", lines(RECORDS))
    write("old.jsonl", lines(RECORDS[:3]))
    write("folder/notes.rst", "Notes\n")
    os.mkdir(folder / "tmp")
    write_compressed(write)
    write_other_formats(write)
    write_records(write)
    write_recipes(write, json.loads(neardup("recipe", "words-5", "--json")))
    write_databases(folder)
    write_built_files(folder, neardup)
