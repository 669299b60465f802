"""The fingerprints of python_presets_test.cc and docs/recipe.md that come of jieba's keywords, by the Python packages themselves: needs
jieba==0.42.1, simhash==2.1.2 and numpy==1.24.3. Prints a line for each text and kind of weights."""
import math

import jieba
import jieba.analyse
from simhash import Simhash

TEXTS = ["本市图书馆新馆昨日正式开放，新馆共有六层，藏书一百二十万册，设有阅览座位三千个，并为视障读者准备了盲文和有声读物。",
         "本市图书馆的新馆于昨日正式开放，共有六层，藏书一百二十万册，阅览座位三千个，还为视障读者准备了有声读物和盲文。"]


def weights_of(keywords, scale):
    if scale == "raw":
        return keywords
    return [(word, math.floor(weight * (len(keywords) if scale == "keywords" else scale))) for word, weight in keywords]


def main():
    jieba.setLogLevel(60)
    for scale in ("keywords", 200, 7.5, "raw"):
        made = []
        for text in TEXTS:
            keywords = jieba.analyse.extract_tags(text, topK=200, withWeight=True)
            made.append([Simhash(weights_of(keywords, scale), f=f) for f in (64, 128)])
        for (low, high), text in zip(made, TEXTS):
            print(scale, f"{low.value:016x}", f"{high.value:032x}", text[:8])
        print(scale, "distance", made[0][0].distance(made[1][0]))


main()
