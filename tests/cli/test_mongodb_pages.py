"""The job that MongoDB users describe: 8,000 pages {_id, data} into another collection {ques, old_id, hash_value}, tags dropped, the text
cut from a marker on, fingerprints of jieba's keywords at a distance of at most 2."""
import json
import os
import random
import subprocess
import time
import unittest

import mongo_server
from harness import BINARY
from mongo_case import MongoCase

PAGES = 8_000
FIELDS = "ques=$text,old_id=_id,hash_value=$fingerprint_long"
PARTS = ("天气 预报 北京 上海 学生 老师 数学 问题 答案 历史 文化 经济 发展 公司 产品 市场 价格 服务 技术 电脑 网络 手机 汽车 火车 飞机 城市 农村 教育 "
         "医院 医生 健康 运动 足球 篮球 音乐 电影 小说 诗歌 语言 英语 中文 世界 国家 政府 法律 社会 科学 物理 化学 生物 地理 环境 能源 石油 煤炭 森林 海洋 "
         "河流 山脉 动物 植物 食品 水果 蔬菜 面包 牛奶 茶叶 咖啡 厨房 家庭 父母 孩子 朋友 婚姻 爱情 工作 工资 银行 贷款 股票 保险 税收 投资 房屋 建筑 "
         "设计 颜色 衣服 鞋子 旅游 酒店 机场 车站 地图 时间 日期 星期 春天 夏天 秋天 冬天 早晨 晚上").split()


def page(words, number, tail):
    """What is after the marker and in the tags differs from page to page and does not count."""
    return f'<div class="q{number}"><p>{"，".join(words[:15])}。</p><p>{"，".join(words[15:])}。</p></div>收录：{tail}'


def pages(count, seed):
    source = random.Random(seed)
    made = []
    words = []
    for i in range(count):
        if i % 3 != 2 or not words:
            words = source.choices(PARTS, k=30)
        else:
            words = source.sample(words, len(words))  # the same keywords in another order
        made.append({"_id": i, "data": page(words, i, source.choice(PARTS))})
    return made


class PagesCase(MongoCase):
    def setUp(self):
        super().setUp()
        if subprocess.run([BINARY, "dict", "info"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.fail("this build has no dictionary of Chinese words: scripts/setup.sh build, then configure and build again")
        recipe = json.loads(self.neardup("recipe", "simhash-jieba-30", "--json").stdout)
        named = {"clean": ["tags_v1", {"cut_after": "收录："}]}
        for member in ("normalizer", "tokenizer", "shingle", "weighting", "min_features", "feature_hash", "sketch"):
            named[member] = recipe[member]
        self.write("pages.json", json.dumps(named, ensure_ascii=False))

    def arguments(self, source, target, *more):
        return ("dedup", source, "--text-field", "data", "--recipe", "pages.json", "--max-distance", "2", "-o", target, "--fields", FIELDS, *more)

    def from_files(self, documents):
        """The same run from a file to a file."""
        self.write("pages.jsonl", documents)
        summary = self.summary(*self.arguments("pages.jsonl", "kept.jsonl", "--id-field", "_id"))
        self.assertGreater(summary["removed"], len(documents) // 4)
        return self.records("kept.jsonl")

    def check(self, expected, stored):
        self.assertEqual(len(stored), len(expected))
        for document, line in zip(stored, expected, strict=True):
            self.assertEqual(document, {"_id": line["old_id"]} | line)


class PagesTest(PagesCase):
    def test_the_job(self):
        documents = pages(PAGES, 1)
        expected = self.from_files(documents)
        self.db.pages.insert_many(documents)
        run = self.arguments(self.uri("pages"), self.uri("questions"))
        self.neardup(*run)
        first = self.all("questions")
        self.check(expected, first)
        self.assertEqual(self.db.questions.count_documents({}), len(expected))
        for again in ("--replace", "--append"):
            self.neardup(*run, again)
            self.assertEqual(self.all("questions"), first)
        self.assertEqual(self.collections(), ["pages", "questions"])


@unittest.skipIf(os.environ.get("NEARDUP_MONGODB_URI"), "the server of NEARDUP_MONGODB_URI is not ours to kill")
class KilledServerTest(PagesCase):
    """The same with a server that keeps its data in a file, is killed in the middle and comes back."""

    def setUp(self):
        super().setUp()
        import pymongo
        self.killed = mongo_server.MongoServer(self.path("server"))
        self.addCleanup(self.killed.stop)
        self.theirs = pymongo.MongoClient(self.killed.uri, serverSelectionTimeoutMS=10000)
        self.addCleanup(self.theirs.close)

    def test_killed_and_restarted_while_it_is_written(self):
        documents = pages(PAGES, 2)
        expected = self.from_files(documents)
        corpus = self.theirs.corpus
        corpus.pages.insert_many(documents)
        self.killed.stop()  # what is stored is on the disk
        self.killed.start()
        run = self.arguments(f"{self.killed.uri}/corpus.pages", f"{self.killed.uri}/corpus.questions")
        process = subprocess.Popen([BINARY, *run], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        partial = corpus["questions.neardup-partial"]
        deadline = time.monotonic() + 60
        while partial.estimated_document_count() < 2000:
            self.assertIsNone(process.poll(), "it ended too early")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        self.killed.kill()
        time.sleep(0.5)
        self.killed.start()
        said = process.communicate(timeout=100)[1].decode("utf-8")
        if process.returncode != 0:  # the server lost what it had confirmed, and the run found out
            self.assertIn("repeat", said)
            self.assertNotIn("questions", corpus.list_collection_names(), "nothing appears before it is complete")
            self.neardup(*run)
        self.check(expected, list(corpus.questions.find().sort("_id", 1)))
        self.assertEqual(corpus.questions.count_documents({}), len(expected))
        self.assertEqual(corpus.pages.count_documents({}), PAGES)

    def test_killed_and_restarted_while_it_is_read(self):
        documents = pages(5000, 4)
        expected = self.from_files(documents)
        self.theirs.corpus.pages.insert_many(documents)
        self.killed.stop()
        self.killed.start()
        for delay_s in (0, 0.3):
            process = subprocess.Popen([BINARY, *self.arguments(f"{self.killed.uri}/corpus.pages", "again.jsonl")], cwd=self.dir,
                                       stderr=subprocess.PIPE)
            deadline = time.monotonic() + 60
            while not list(self.path(".").glob(".again.jsonl*.partial")):  # the collection was found, and is read now
                self.assertIsNone(process.poll(), "it ended too early")
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.005)
            time.sleep(delay_s)
            self.killed.kill()
            time.sleep(0.5)
            self.killed.start()
            said = process.communicate(timeout=100)[1].decode("utf-8")
            self.assertEqual(process.returncode, 0, said)
            self.assertEqual(self.records("again.jsonl"), expected)

    def test_away_for_good(self):
        self.theirs.corpus.pages.insert_many(pages(500, 3))
        self.killed.stop()
        self.killed.start()
        target = f"{self.killed.uri}/corpus.questions?serverSelectionTimeoutMS=1000"
        process = subprocess.Popen([BINARY, *self.arguments("-", target)], cwd=self.dir, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while "questions.neardup-partial" not in self.theirs.corpus.list_collection_names():  # then the input has not come yet
            self.assertIsNone(process.poll(), "it ended too early")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        time.sleep(0.5)  # for the server's answer to the program
        self.killed.kill()
        lines = "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in pages(500, 3))
        said = process.communicate(lines.encode("utf-8"), timeout=60)[1].decode("utf-8")
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("the run can be repeated", said)
        self.assertIn("/corpus.questions'", said)
        self.killed.start()


if __name__ == "__main__":
    unittest.main()
