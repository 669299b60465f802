"""scripts/picture_report.py: it finds what its pictures show."""
import contextlib
import io
import pathlib
import struct
import sys
import tempfile
import unittest
import unittest.mock

import browser
import reports

sys.path += [str(pathlib.Path(__file__).parent.parent / "cli"), str(pathlib.Path(__file__).resolve().parents[2] / "scripts")]
import needs  # noqa: E402
import picture_report  # noqa: E402


class PictureReport(unittest.TestCase):
    @unittest.mock.patch("picture_report.small_png.shrink")
    def test_pictures(self, shrink):
        needs.stop_if(browser.missing())
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        page = reports.write_page(reports.report(), folder / "report.html")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            picture_report.take(page, folder)
        self.assertEqual(len(printed.getvalue().splitlines()), 3)
        for name in picture_report.PICTURES:
            width, height = struct.unpack_from(">II", (folder / name).read_bytes(), 16)
            self.assertEqual(width, picture_report.WIDTH * picture_report.SCALE, name)
            self.assertGreater(height, 500, name)
            shrink.assert_any_call(folder / name)


if __name__ == "__main__":
    unittest.main()
