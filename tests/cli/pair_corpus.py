"""The corpus of the tests of every pair: families of near copies in English and Chinese, texts with odd characters, some without text."""
import random

ENGLISH = [f"{a}{b}" for a in ("bra", "co", "du", "fen", "gli", "ho", "ja", "ki") for b in ("nd", "lop", "ri", "sta", "mmer", "ck", "ven", "tu")]
CHINESE = [chr(code) for code in range(0x4E10, 0x4E90)]
ODD = ("tab\there, \"quotes\" and 'quotes', a back\\slash, a comma, `ticks`, NULL, and an end of \N{GRINNING FACE}\nline, ",
       "\\N \\. $text %s {} ; -- ")


def make_documents(seed=5, families=40):
    """{id, text, n, deep}: sorted by id; families of one text, of copies with other case and blanks, of copies with one word changed."""
    chance = random.Random(seed)
    found = []
    for family in range(families):
        words, gap = (CHINESE, "") if family % 3 == 2 else (ENGLISH, " ")
        tokens = chance.choices(words, k=chance.randint(40, 70))
        odd = ODD[family % 2] if family % 5 == 0 else ""
        found.append(odd + gap.join(tokens))
        for kind in range(chance.randrange(4)):
            edited = list(tokens)
            if kind % 2:
                edited[chance.randrange(len(edited))] = chance.choice(words)
            found.append(odd + gap.join(edited) if kind else (odd + gap.join(edited)).upper())
    chance.shuffle(found)
    found[7:7] = [None]
    found[31:31] = [None, None]
    return [{"id": f"d{at:04}", "text": text, "n": at * 37 % 11 - 4, "deep": {"a": ["1", None, "中\"'"], "b": {"c": f"x{at}"}}}
            for at, text in enumerate(found)]


DOCUMENTS = make_documents()
TEXTS = [document for document in DOCUMENTS if document["text"] is not None]
REJECTED = [document["id"] for document in DOCUMENTS if document["text"] is None]
