"""Texts of our own for the tests: English and Chinese, near-duplicates among them, empty and short ones."""

import random

ENGLISH = (
    "river stone window morning letter garden winter market bridge silver quiet corner paper travel harbour music forest lamp "
    "village engine summer mirror captain basket thunder orange needle castle pepper wagon"
).split()
CHINESE = "春天的河水流过安静的小城人们在桥上看远处的山和云孩子跑过石板路老人坐在树下讲很久以前的故事"


def texts(count=200, seed=7):
    """`count` texts; every fifth is an edited copy of an earlier one, every eleventh an exact copy."""
    draw = random.Random(seed)
    made = ["", "short", "  ", "\ud800 lone", "ÀÉ ﬁ Ⅳ １２３"]
    while len(made) < count:
        number = len(made)
        if number % 11 == 0:
            made.append(made[draw.randrange(number)])
        elif number % 5 == 0:
            words = made[draw.randrange(5, number)].split(" ") if number > 6 else ["one"]
            words[draw.randrange(len(words))] = draw.choice(ENGLISH)
            made.append(" ".join(words))
        elif number % 3 == 0:
            made.append("".join(draw.choice(CHINESE) for _ in range(draw.randrange(20, 120))))
        else:
            made.append(" ".join(draw.choice(ENGLISH) for _ in range(draw.randrange(4, 80))))
    return made
