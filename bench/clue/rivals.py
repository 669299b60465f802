#!/usr/bin/env python3
"""Builds an index of one rival over texts and asks it clues; prints a JSON line for the build and one for each clue.

  rivals.py sqlite|tantivy|tantivy-positions|postgres --forms FORMS.txt [--clues CLUES.jsonl] --work FOLDER [--limit 100] [--reuse]
  rivals.py sqlite|tantivy|tantivy-positions --corpus CORPUS.jsonl --work FOLDER [--reuse]

sqlite    FTS5, tokenizer trigram, contentless; an exact clue is a phrase, an edited one its trigrams joined by OR, the best by bm25
tantivy   package tantivy (requirements.txt), tokenizer ngram(3,3) without frequencies; an exact clue is all its trigrams joined by AND and
          verified on the text (a phrase query finds nothing: all n-grams have position 0), an edited one its trigrams joined by OR, the best
tantivy-positions  the same with frequencies and positions, which is its default, and of no use for questions
postgres  pg_trgm, GIN; an exact clue is LIKE, an edited one <% in the order of word_similarity; processor time is that of the backend

Texts are the lines of FORMS.txt (clue_questions.cc), or the original texts of a corpus, which are parsed before time is taken. Each clue, or
each of the first --per-class of its class, is asked twice, the second time counts. "right": hits that are answers. --reuse asks the index that an earlier run left in the folder, and
repeats its figures (not of PostgreSQL).
"""
import argparse
import collections
import importlib.metadata
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Texts:
    """The lines of a file, read when asked for."""

    def __init__(self, path):
        self.path, self.places, self.bytes = path, [0], 0
        with open(path, "rb") as file:
            for line in file:
                self.places.append(self.places[-1] + len(line))
                self.bytes += len(line) - 1
        self.file = open(path, "rb", buffering=0)  # pylint: disable=consider-using-with

    def __len__(self):
        return len(self.places) - 1

    def __getitem__(self, number):
        return os.pread(self.file.fileno(), self.places[number + 1] - self.places[number] - 1, self.places[number]).decode()

    def __iter__(self):
        with open(self.path, encoding="utf-8", newline="\n") as file:
            for _, line in zip(range(len(self)), file):
                yield line.rstrip("\n")


class Originals(list):
    """The texts of a corpus, in memory."""

    def __init__(self, path):
        with open(path, encoding="utf-8", newline="\n") as file:
            super().__init__(json.loads(line)["text"] for line in file)
        self.bytes = sum(len(text.encode()) for text in self)


def trigrams(text):
    return list(dict.fromkeys(text[at:at + 3] for at in range(len(text) - 2)))


def folder_bytes(path):
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


class Sqlite:
    def __init__(self, work):
        self.path = work / "fts5.db"
        self.version = f"SQLite {sqlite3.sqlite_version} FTS5 trigram"

    def open(self, texts):
        del texts
        self.base = sqlite3.connect(self.path)

    def build(self, texts):
        self.path.unlink(missing_ok=True)
        self.open(texts)
        self.base.execute("PRAGMA journal_mode = off")
        self.base.execute("PRAGMA synchronous = off")
        case = 0 if isinstance(texts, Originals) else 1  # forms are folded
        self.base.execute(f"CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='trigram case_sensitive {case}')")
        self.base.executemany("INSERT INTO t(rowid, text) VALUES (?, ?)", enumerate(texts, 1))
        self.base.execute("INSERT INTO t(t) VALUES ('optimize')")
        self.base.commit()
        pages, free, page_bytes = (self.base.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size"))
        return (pages - free) * page_bytes  # "optimize" leaves free pages behind

    @staticmethod
    def quoted(text):
        return '"' + text.replace('"', '""') + '"'

    def exact(self, clue, limit):
        return [row - 1 for row, in self.base.execute("SELECT rowid FROM t WHERE t MATCH ? LIMIT ?", (self.quoted(clue), limit))]

    def edited(self, clue, limit):
        question = " OR ".join(map(self.quoted, trigrams(clue)))
        return [row - 1 for row, in self.base.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (question, limit))]

    def processor_ns(self):
        return time.process_time_ns()

    def close(self):
        self.base.close()


class Tantivy:
    OPTION, NAME = "basic", "tantivy {} ngram(3,3)"

    def __init__(self, work):
        import tantivy  # pylint: disable=import-outside-toplevel,import-error
        self.tantivy = tantivy
        self.path = work / "tantivy"
        self.version = self.NAME.format(importlib.metadata.version("tantivy"))

    def use(self, index, texts):
        self.index, self.schema, self.texts = index, index.schema, texts
        analyzer = self.tantivy.TextAnalyzerBuilder(self.tantivy.Tokenizer.ngram(3, 3, False))
        if isinstance(texts, Originals):
            analyzer = analyzer.filter(self.tantivy.Filter.lowercase())
        index.register_tokenizer("ngram3", analyzer.build())

    def open(self, texts):
        self.use(self.tantivy.Index.open(str(self.path)), texts)
        self.searcher = self.index.searcher()

    def build(self, texts):
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir()
        schema = self.tantivy.SchemaBuilder()
        schema.add_text_field("text", stored=False, tokenizer_name="ngram3", index_option=self.OPTION)
        schema.add_unsigned_field("number", stored=True)
        self.use(self.tantivy.Index(schema.build(), path=str(self.path)), texts)
        writer = self.index.writer(heap_size=1_000_000_000, num_threads=1)
        for number, text in enumerate(texts):
            document = self.tantivy.Document()
            document.add_text("text", text)
            document.add_unsigned("number", number)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()
        return folder_bytes(self.path)

    def ask(self, clue, occur, most):
        terms = [(occur, self.tantivy.Query.term_query(self.schema, "text", gram, index_option=self.OPTION)) for gram in trigrams(clue)]
        found = self.searcher.search(self.tantivy.Query.boolean_query(terms), most, count=False)
        return [self.searcher.doc(place)["number"][0] for _, place in found.hits]

    def exact(self, clue, limit):
        most = 2 * limit
        while True:
            candidates = self.ask(clue, self.tantivy.Occur.Must, most)
            hits = []
            for number in candidates:
                if clue in self.texts[number]:
                    hits.append(number)
                    if len(hits) == limit:
                        return hits
            if len(candidates) < most:
                return hits
            most *= 8

    def edited(self, clue, limit):
        return self.ask(clue, self.tantivy.Occur.Should, limit)

    def processor_ns(self):
        return time.process_time_ns()

    def close(self):
        pass


class TantivyWithPositions(Tantivy):
    OPTION, NAME = "position", "tantivy {} ngram(3,3), with positions"


class Postgres:
    def __init__(self, work):
        del work  # the server has a folder of its own under TMPDIR
        sys.path.insert(0, str(ROOT / "tests/cli"))
        import sql_servers  # pylint: disable=import-outside-toplevel,import-error
        missing = sql_servers.postgres_unavailable()
        if missing:
            sys.exit(f"rivals.py: {missing}")
        self.server = sql_servers.start_postgres()
        self.version = f"PostgreSQL {self.server.sql('SHOW server_version')[0][0].split()[0]} pg_trgm, GIN"
        self.server.sql("CREATE EXTENSION pg_trgm")
        superuser = "postgres" if os.geteuid() == 0 else os.environ.get("USER", "")
        self.session = subprocess.Popen(  # pylint: disable=consider-using-with
            ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", str(self.server.dir), "-p", str(self.server.port), "-U", superuser, "-d", "corpus"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", cwd="/")
        self.pid = int(self.sql("SELECT pg_backend_pid()")[0])
        for setting in ("max_parallel_maintenance_workers = 0", "max_parallel_workers_per_gather = 0", "maintenance_work_mem = '1GB'",
                        "gin_fuzzy_search_limit = 0", "pg_trgm.word_similarity_threshold = 0.5"):
            self.sql(f"SET {setting}")

    def send(self, text):
        self.session.stdin.write(text)

    def sql(self, text):
        self.send(text + ";\n\\echo =end=\n")
        self.session.stdin.flush()
        rows = []
        for line in self.session.stdout:
            if line == "=end=\n":
                return rows
            rows.append(line.rstrip("\n"))
        raise RuntimeError("the session of PostgreSQL ended")

    def build(self, texts):
        self.sql("CREATE TABLE t (number int, body text)")
        self.send("COPY t FROM STDIN;\n")
        for number, text in enumerate(texts):
            self.send(f"{number}\t{text}\n")  # forms have no backslash, tab or line feed
        self.send("\\.\n")
        self.sql("CREATE INDEX grams ON t USING gin (body gin_trgm_ops)")
        self.sql("ANALYZE t")
        return int(self.sql("SELECT pg_relation_size('grams')")[0])

    @staticmethod
    def quoted(text):
        return "'" + text.replace("'", "''") + "'"

    def exact(self, clue, limit):
        pattern = "%" + clue.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        return list(map(int, self.sql(f"SELECT number FROM t WHERE body LIKE {self.quoted(pattern)} LIMIT {limit}")))

    def edited(self, clue, limit):
        text = self.quoted(clue)
        return list(map(int, self.sql(f"SELECT number FROM t WHERE {text} <% body ORDER BY word_similarity({text}, body) DESC LIMIT {limit}")))

    def processor_ns(self):
        with open(f"/proc/{self.pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0])

    def close(self):
        self.session.stdin.close()
        self.session.wait()
        self.server.stop()


RIVALS = {"sqlite": Sqlite, "tantivy": Tantivy, "tantivy-positions": TantivyWithPositions, "postgres": Postgres}


def build(rival, texts):
    """The figures of building an index."""
    cpu, wall = rival.processor_ns(), time.perf_counter_ns()
    index_bytes = rival.build(texts)
    what = "originals" if isinstance(texts, Originals) else "forms"
    return {"program": f"{rival.version}, {what}", "texts": len(texts), "text_bytes": texts.bytes, "index_bytes": index_bytes,
            "build_cpu_s": (rival.processor_ns() - cpu) / 1e9, "build_s": (time.perf_counter_ns() - wall) / 1e9}


def ask(rival, path, per_class, limit):
    """Prints what it answers to each clue."""
    with open(path, encoding="utf-8") as file:
        clues = [json.loads(line) for line in file]
    asked = collections.Counter()
    for clue in clues:
        asked[clue["class"]] += 1
        if asked[clue["class"]] > per_class:
            continue
        question = rival.edited if clue["edits"] else rival.exact
        for _ in range(2):
            cpu, wall = rival.processor_ns(), time.perf_counter_ns()
            hits = question(clue["text"], limit)
            figures = {"cpu_us": (rival.processor_ns() - cpu) / 1e3, "wall_us": (time.perf_counter_ns() - wall) / 1e3}
        answers = set(clue.get("answers", ()))
        print(json.dumps({"id": clue["id"], **figures, "hits": len(hits), "right": sum(hit in answers for hit in hits),
                          "source_found": clue["source"] in hits}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rival", choices=RIVALS)
    parser.add_argument("--forms", type=pathlib.Path)
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--clues", type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--per-class", type=int, default=1 << 62)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--reuse", action="store_true")
    options = parser.parse_args()
    if (options.forms is None) == (options.corpus is None):
        parser.error("either --forms or --corpus")
    options.work.mkdir(parents=True, exist_ok=True)
    figures = options.work / "build.json"
    known = options.reuse and options.rival != "postgres" and figures.exists()
    texts = Texts(options.forms) if options.forms else [] if known else Originals(options.corpus)
    rival = RIVALS[options.rival](options.work)
    try:
        if known:
            rival.open(texts)
        else:
            figures.unlink(missing_ok=True)
            figures.write_text(json.dumps(build(rival, texts)), encoding="utf-8")
        print(figures.read_text(encoding="utf-8"), flush=True)
        if options.clues is not None:
            ask(rival, options.clues, options.per_class, options.limit)
    finally:
        rival.close()


if __name__ == "__main__":
    main()
