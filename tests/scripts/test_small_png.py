import struct
import unittest
import zlib

from loading import load

small_png = load("small_png")


def png(width, height, filtered, colour=2, depth=8):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    packed = zlib.compress(filtered)
    return small_png.SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", packed[:5]) + chunk(b"IDAT", packed[5:]) + chunk(b"IEND", b"")


class SmallPng(unittest.TestCase):
    def test_filters(self):
        """The same four rows of three pixels, each row by another filter than the one before."""
        row = [(10, 20, 30), (40, 50, 60), (10, 20, 30)]
        none = bytes([0, 10, 20, 30, 40, 50, 60, 10, 20, 30])
        sub = bytes([1, 10, 20, 30, 30, 30, 30, 226, 226, 226])
        up = bytes([2] + [0] * 9)
        average = bytes([3, 5, 10, 15, 15, 15, 15, 241, 241, 241])
        paeth = bytes([4] + [0] * 9)
        self.assertEqual(small_png.read(png(3, 5, none + sub + up + average + paeth)), (3, 5, [row] * 5))

    def test_alpha_is_dropped(self):
        self.assertEqual(small_png.read(png(2, 1, bytes([0, 1, 2, 3, 255, 4, 5, 6, 255]), colour=6)), (2, 1, [[(1, 2, 3), (4, 5, 6)]]))

    def test_colours(self):
        """256 colours stay as they are; a rarer one becomes the nearest."""
        rows = [[(i, i, i) for i in range(256)]] * 2 + [[(7, 7, 8)] + [(0, 0, 0)] * 255]
        written = small_png.with_palette(256, 3, rows)
        parts = dict(small_png.chunks(written))
        palette = [tuple(parts[b"PLTE"][i:i + 3]) for i in range(0, 768, 3)]
        pixels = zlib.decompress(parts[b"IDAT"])
        self.assertEqual([palette[index] for index in pixels[1:257]], rows[0])
        self.assertEqual(palette[pixels[515]], (7, 7, 7))
        self.assertEqual(palette[0], (0, 0, 0), "the most frequent one comes first")

    def test_other_kinds(self):
        with self.assertRaisesRegex(ValueError, "depth 16"):
            small_png.read(png(1, 1, bytes(7), depth=16))


if __name__ == "__main__":
    unittest.main()
