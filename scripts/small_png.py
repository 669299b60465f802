"""Makes PNG files of screenshots small: 256 colours, which a page hardly exceeds, and the best compression. Standard library only.

Reads what Chromium writes: 8 bits a channel, not interlaced, opaque.
"""
import collections
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {2: 3, 6: 4}  # by the colour type of the header


def chunks(data):
    position = len(SIGNATURE)
    while position < len(data):
        size, kind = struct.unpack_from(">I4s", data, position)
        yield kind, data[position + 8:position + 8 + size]
        position += 12 + size


def paeth(left, above, corner):
    estimate = left + above - corner
    return min((left, above, corner), key=lambda value: abs(estimate - value))


def unfilter(kind, row, above, step):
    """Adds to each byte of a row what its filter subtracted: PNG specification, section 9.2."""
    for i in range(len(row)):
        left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
        row[i] = (row[i] + (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner) if kind == 4 else 0)[kind]) & 255
    return row


def read(data):
    """(width, height, rows of (red, green, blue))."""
    parts = collections.defaultdict(bytes)
    for kind, content in chunks(data):
        parts[kind] += content
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    if depth != 8 or colour not in CHANNELS or interlaced:
        raise ValueError(f"a PNG of depth {depth}, colour type {colour}, interlace {interlaced} is not one of a screenshot")
    step = CHANNELS[colour]
    packed, size = zlib.decompress(parts[b"IDAT"]), width * step
    above, rows = bytearray(size), []
    for begin in range(0, len(packed), size + 1):
        row = bytearray(packed[begin + 1:begin + 1 + size])
        above = unfilter(packed[begin], row, above, step) if packed[begin] else row
        rows.append(list(zip(above[0::step], above[1::step], above[2::step])))
    return width, height, rows


def with_palette(width, height, rows):
    """A PNG of the most frequent 256 colours; the others become the nearest of these."""
    counts = collections.Counter(pixel for row in rows for pixel in row)
    palette = sorted(counts, key=lambda colour: (-counts[colour], colour))[:256]
    place = {colour: index for index, colour in enumerate(palette)}
    for colour in counts.keys() - place.keys():
        place[colour] = min(range(len(palette)), key=lambda index: sum((a - b) ** 2 for a, b in zip(palette[index], colour)))
    packed = zlib.compress(b"".join(b"\0" + bytes(map(place.__getitem__, row)) for row in rows), 9)
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)), (b"PLTE", b"".join(map(bytes, palette))), (b"IDAT", packed), (b"IEND", b"")]
    return SIGNATURE + b"".join(struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content)) for kind, content in parts)


def shrink(path):
    path.write_bytes(with_palette(*read(path.read_bytes())))
