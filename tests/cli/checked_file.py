"""Checked files (docs/formats.md), read and written without the program: their payload, and one around a payload."""
import struct

from recipe_reference.xxh3 import xxh3_64

ALIGNMENT = 4096
BLOCK_BYTES = 1 << 14
HEADER = struct.Struct("<8sII8sIIQQQQQQQQQQQ")
SUM_BYTES = 8


def payload_of(data):
    """What the header says is the payload; nothing is checked."""
    offset, size = struct.unpack_from("<QQ", data, 56)
    return data[offset:offset + size]


def checked_file(kind, payload):
    """A file of this kind without a recipe and names."""
    names = -(-(ALIGNMENT + len(payload)) // ALIGNMENT) * ALIGNMENT
    blocks = [payload[at:at + BLOCK_BYTES] for at in range(0, len(payload), BLOCK_BYTES)]
    hashes = b"".join(struct.pack("<Q", xxh3_64(block)) for block in blocks)
    size = names + len(hashes) + 24
    header = HEADER.pack(b"NDHSEG\r\n", 0x01020304, 1, kind.encode().ljust(8, b"\0"), 0, 0, 0, 0, 0, ALIGNMENT, len(payload), names, 0, names,
                         len(blocks), size, 0)
    own = xxh3_64(header)
    header += struct.pack("<Q", own)
    whole = xxh3_64(struct.pack("<QQ", own, xxh3_64(hashes)))
    return header.ljust(ALIGNMENT, b"\0") + payload.ljust(names - ALIGNMENT, b"\0") + hashes + struct.pack("<QQ8s", size, whole, b"NDHSEND\n")
