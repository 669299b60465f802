"""The checksum of minhash_test.cc, from the definition in docs/recipe.md alone: Python integers, no code of the library.

The random sets come from the 64-bit Mersenne Twister of the C++ standard (std::mt19937_64), written out here.
"""
M64 = (1 << 64) - 1


class Mt19937_64:
    def __init__(self, seed):
        self.state = [seed]
        for i in range(1, 312):
            last = self.state[-1]
            self.state.append((6364136223846793005 * (last ^ (last >> 62)) + i) & M64)
        self.at = 312

    def __call__(self):
        s = self.state
        if self.at == 312:
            for i in range(312):
                x = (s[i] & 0xFFFFFFFF80000000) | (s[(i + 1) % 312] & 0x7FFFFFFF)
                s[i] = s[(i + 156) % 312] ^ (x >> 1) ^ (0xB5026F5AA96619E9 if x & 1 else 0)
            self.at = 0
        x = s[self.at]
        self.at += 1
        x ^= (x >> 29) & 0x5555555555555555
        x ^= (x << 17) & 0x71D67FFFEDA60000 & M64
        x ^= (x << 37) & 0xFFF7EEE000000000 & M64
        return x ^ (x >> 43)


def splitmix64(seed, n):
    x = (seed + (n + 1) * 0x9E3779B97F4A7C15) & M64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & M64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & M64
    return x ^ (x >> 31)


offsets = [splitmix64(1, lane) >> 32 for lane in range(16)]
random = Mt19937_64(42)
checksum = 0
for _ in range(30000):
    features = [0] * (1 + random() % 20)
    for i in range(len(features)):
        features[i] = random()
    for b in offsets:
        lane = min((((x & 0xFFFFFFFF) ^ b) * ((x >> 32) | 1)) & 0xFFFFFFFF for x in features)
        checksum = ((checksum ^ lane) * 0x100000001B3) & M64
print(hex(checksum))
