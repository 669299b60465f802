"""Small generated corpora with near-duplicates, exact copies and short texts; a seed decides all of it."""
import random

HANZI = [chr(code) for code in range(0x4E00, 0x4E00 + 60)]


def text_of(tokens, chinese):
    return ("" if chinese else " ").join(tokens)


def make_texts(seed, originals=25, chinese=False, length=40):
    """Shuffled. Families share an original; members differ by a few words, by case and white space, or not at all."""
    chance = random.Random(seed)
    vocabulary = HANZI if chinese else [f"w{n}" for n in range(200)]
    texts = []
    for _ in range(originals):
        tokens = [chance.choice(vocabulary) for _ in range(chance.randrange(length // 2, length))]
        texts.append(text_of(tokens, chinese))
        for _ in range(chance.randrange(4)):
            edited = list(tokens)
            for _ in range(chance.randrange(4)):
                edited[chance.randrange(len(edited))] = chance.choice(vocabulary)
            if chance.random() < 0.3:
                del edited[chance.randrange(len(edited))]
            texts.append(text_of(edited, chinese))
        if chance.random() < 0.4:
            texts.append(f"  {texts[-1].upper()}\t\n")  # the same after normalizing
    for _ in range(4):
        texts.append(text_of([chance.choice(vocabulary[:3]) for _ in range(chance.randrange(1, 4))], chinese))
    texts += ["", " \n"]
    chance.shuffle(texts)
    return texts


def make_passages(seed, originals=12, chinese=False, length=150):
    """Shuffled. Originals, of which some share a template; passages of them, whole or edited, beginnings, texts made of passages of two,
    exact copies, and texts that are too short."""
    chance = random.Random(seed)
    vocabulary = HANZI * 3 if chinese else [f"w{n}" for n in range(400)]

    def words(count):
        return [chance.choice(vocabulary) for _ in range(count)]

    def edited(tokens, rate):
        return [chance.choice(vocabulary) if chance.random() < rate else token for token in tokens]

    def passage(tokens):
        size = chance.randrange(3, len(tokens))
        begin = chance.randrange(len(tokens) - size + 1)
        return tokens[begin:begin + size]

    template = words(length // 2)
    whole = []
    for _ in range(originals):
        tokens = words(chance.randrange(length // 3, length))
        if chance.random() < 0.4:
            tokens = edited(template, 0.03) + tokens[:length // 6]
        whole.append(tokens)
    made = list(whole)
    for tokens in whole:
        made += [edited(passage(tokens), chance.choice([0, 0, 0.01, 0.03, 0.1])) for _ in range(chance.randrange(4))]
        made.append(tokens[:chance.randrange(len(tokens))])
        made.append(edited(tokens, chance.choice([0, 0.01, 0.05])))
        made.append(passage(tokens) + passage(chance.choice(whole)))
        if chance.random() < 0.3:
            made.append(list(made[-2]))
    made += [template, words(3), words(4), words(5), []]
    texts = [text_of(tokens, chinese) for tokens in made]
    texts += ["", f"  {texts[0].upper()}\t\n"]
    chance.shuffle(texts)
    return texts


def make_documents(seed, sources=2, **keywords):
    """Dictionaries with source (an ordinal), id, text and sometimes score, in input order."""
    chance = random.Random(seed + 1000)
    texts = make_texts(seed, **keywords)
    documents = []
    for index, text in enumerate(texts):
        document = {"source": index * sources // len(texts), "id": f"d{index}", "text": text}
        scores = [{}, {"score": chance.randrange(4)}, {"score": chance.randrange(8) / 2 - 1}, {"score": "high"}, {"score": None}]
        document |= chance.choice(scores)
        documents.append(document)
    return documents
