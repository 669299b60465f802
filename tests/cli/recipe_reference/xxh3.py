"""XXH3, seed 0, from the xxHash specification ("XXH3 algorithm description")."""

M32, M64 = (1 << 32) - 1, (1 << 64) - 1

P32 = [0, 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D]
P64 = [0, 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5]
MX1, MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")


def u32(data, at=0):
    return int.from_bytes(data[at:at + 4], "little")


def u64(data, at=0):
    return int.from_bytes(data[at:at + 8], "little")


def swap(value, size):
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def rotate(value, count, bits=64):
    return (value << count | value >> (bits - count)) & ((1 << bits) - 1)


def folded(product):
    return (product & M64) ^ product >> 64


def avalanche(x):
    x = (x ^ x >> 37) * MX1 & M64
    return x ^ x >> 32


def avalanche_xxh64(x):
    x = (x ^ x >> 33) * P64[2] & M64
    x = (x ^ x >> 29) * P64[3] & M64
    return x ^ x >> 32


def mix(data, at, secret):
    return folded((u64(data, at) ^ u64(SECRET, secret)) * (u64(data, at + 8) ^ u64(SECRET, secret + 8)))


def sum_of(data, at):
    return u64(data, at) + u64(data, at + 8)


def long_accumulators(data):
    acc = [P32[3], P64[1], P64[2], P64[3], P64[4], P32[2], P64[5], P32[1]]

    def stripe(at, secret):
        for i in range(8):
            lane = u64(data, at + 8 * i)
            key = lane ^ u64(SECRET, secret + 8 * i)
            acc[i ^ 1] = (acc[i ^ 1] + lane) & M64
            acc[i] = (acc[i] + (key & M32) * (key >> 32)) & M64

    for number in range((len(data) - 1) // 64):
        stripe(64 * number, 8 * (number % 16))
        if number % 16 == 15:
            acc[:] = [((x ^ x >> 47) ^ u64(SECRET, 128 + 8 * i)) * P32[1] & M64 for i, x in enumerate(acc)]
    stripe(len(data) - 64, 121)
    return acc


def merged(acc, start, secret):
    keyed = [x ^ u64(SECRET, secret + 8 * i) for i, x in enumerate(acc)]
    return avalanche(start + sum(folded(keyed[i] * keyed[i + 1]) for i in (0, 2, 4, 6)) & M64)


def xxh3_64(data):
    size = len(data)
    if size == 0:
        return avalanche_xxh64(u64(SECRET, 56) ^ u64(SECRET, 64))
    if size <= 3:
        return avalanche_xxh64(u32(SECRET) ^ u32(SECRET, 4) ^ (data[-1] | size << 8 | data[0] << 16 | data[size >> 1] << 24))
    if size <= 8:
        x = u64(SECRET, 8) ^ u64(SECRET, 16) ^ (u32(data, size - 4) | u32(data) << 32)
        x = (x ^ rotate(x, 49) ^ rotate(x, 24)) * MX2 & M64
        x = (x ^ (x >> 35) + size) * MX2 & M64
        return x ^ x >> 28
    if size <= 16:
        low = u64(SECRET, 24) ^ u64(SECRET, 32) ^ u64(data)
        high = u64(SECRET, 40) ^ u64(SECRET, 48) ^ u64(data, size - 8)
        return avalanche((size + swap(low, 8) + high + folded(low * high)) & M64)
    if size <= 128:
        x = size * P64[1]
        for i in range((size - 1 >> 5) + 1):
            x += mix(data, 16 * i, 32 * i) + mix(data, size - 16 * (i + 1), 32 * i + 16)
        return avalanche(x & M64)
    if size <= 240:
        x = avalanche((size * P64[1] + sum(mix(data, 16 * i, 16 * i) for i in range(8))) & M64)
        return avalanche((x + sum(mix(data, 16 * i, 16 * i - 125) for i in range(8, size >> 4)) + mix(data, size - 16, 119)) & M64)
    return merged(long_accumulators(data), size * P64[1] & M64, 11)


def xxh3_128(data):
    """(high, low)"""
    size = len(data)
    if size == 0:
        return avalanche_xxh64(u64(SECRET, 80) ^ u64(SECRET, 88)), avalanche_xxh64(u64(SECRET, 64) ^ u64(SECRET, 72))
    if size <= 3:
        x = data[-1] | size << 8 | data[0] << 16 | data[size >> 1] << 24
        high = u32(SECRET, 8) ^ u32(SECRET, 12) ^ rotate(swap(x, 4), 13, 32)
        return avalanche_xxh64(high), avalanche_xxh64(u32(SECRET) ^ u32(SECRET, 4) ^ x)
    if size <= 8:
        product = (u64(SECRET, 16) ^ u64(SECRET, 24) ^ (u32(data) | u32(data, size - 4) << 32)) * (P64[1] + (size << 2))
        low = product & M64
        high = ((product >> 64) + (low << 1)) & M64
        low ^= high >> 3
        low = (low ^ low >> 35) * MX2 & M64
        return avalanche(high), low ^ low >> 28
    if size <= 16:
        first, last = u64(data), u64(data, size - 8)
        product = (u64(SECRET, 32) ^ u64(SECRET, 40) ^ first ^ last) * P64[1]
        other = u64(SECRET, 48) ^ u64(SECRET, 56) ^ last
        low = ((product & M64) + (size - 1 << 54)) & M64
        high = ((product >> 64) + (other & M32 << 32) + (other & M32) * P32[2]) & M64
        product = (low ^ swap(high, 8)) * P64[2]
        return avalanche((product >> 64) + high * P64[2] & M64), avalanche(product & M64)
    if size > 240:
        acc = long_accumulators(data)
        return merged(acc, ~(size * P64[2]) & M64, 117), merged(acc, size * P64[1] & M64, 11)
    a, b = size * P64[1] & M64, 0

    def two(first, second, secret):
        nonlocal a, b
        a = (a + mix(data, first, secret) & M64) ^ (sum_of(data, second) & M64)
        b = (b + mix(data, second, secret + 16) & M64) ^ (sum_of(data, first) & M64)

    if size <= 128:
        for i in reversed(range((size - 1 >> 5) + 1)):
            two(16 * i, size - 16 * (i + 1), 32 * i)
    else:
        for i in range(4):
            two(32 * i, 32 * i + 16, 32 * i)
        a, b = avalanche(a), avalanche(b)
        for i in range(4, size >> 5):
            two(32 * i, 32 * i + 16, 32 * i - 125)
        two(size - 16, size - 32, 103)
    return -avalanche(a * P64[1] + b * P64[4] + size * P64[2] & M64) & M64, avalanche(a + b & M64)
