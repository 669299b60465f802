"""Chromium without a window, driven over the WebDriver protocol by chromedriver (Debian: chromium, chromium-driver).

    with Browser(width=1280, height=900) as browser:
        browser.open(page.as_uri())
        title = browser.run("return document.title")

A browser has a profile of its own and no network; it remembers console messages and requests.
"""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

WAIT_S = 60
# No background traffic, and the same picture on every machine. The sandbox does not work for root, nor in most containers; the pages are ours.
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-default-apps", "--hide-scrollbars",
         "--force-color-profile=srgb", "--font-render-hinting=none"]


def missing():
    """What has to be installed before a Browser can be made; None: nothing."""
    absent = [package for package, command in (("chromium", "chromium"), ("chromium-driver", "chromedriver")) if not shutil.which(command)]
    return f"no {', '.join(absent)} (Debian: apt-get install {' '.join(absent)})" if absent else None


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self, width=1280, height=900, scale=1, language="en-US", dark=False):
        self.size = width, height, scale
        self.language = language
        self.dark = dark

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="neardup-browser-")
        # Own home and temporary folder: whatever the browser writes is removed with the profile.
        environment = os.environ | {"HOME": self.profile, "TMPDIR": self.profile, "XDG_CONFIG_HOME": self.profile, "XDG_CACHE_HOME": self.profile,
                                    "LANGUAGE": self.language}
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        try:
            self.address = f"http://127.0.0.1:{self._port()}"
            flags = [*FLAGS, f"--user-data-dir={self.profile}/profile", f"--lang={self.language}", f"--accept-lang={self.language}", "about:blank"]
            wanted = {"browserName": "chrome", "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": flags},
                      "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
            session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            self.session = f"/session/{session['sessionId']}"
            self.resize(*self.size)
            features = {"prefers-color-scheme": "dark" if self.dark else "light", "prefers-reduced-motion": "reduce"}
            self.command("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in features.items()])
            self.requests()  # of the browser's first page
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", self.session)
        finally:
            self._stop()

    def _stop(self):
        self.driver.terminate()
        self.driver.wait(WAIT_S)
        self.driver.stdout.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _port(self):
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                return int(found[1])
        raise BrowserError("chromedriver did not start")

    def _call(self, method, path, body=None):
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=WAIT_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise BrowserError(f"{value['error']}: {value['message']}") from None

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self._call("POST", f"{self.session}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def resize(self, width, height, scale=1):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def open(self, address):
        self._call("POST", f"{self.session}/url", {"url": address})

    def run(self, script, *arguments):
        """What the body of a function returns in the page; of a promise, its value."""
        return self._call("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def settle(self):
        """Waits until what was asked for is drawn: charts are drawn a moment after they are made."""
        self.run("return new Promise(done => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => done(true)), 50)))")

    def _element(self, selector):
        found = self._call("POST", f"{self.session}/element", {"using": "css selector", "value": selector})
        return f"{self.session}/element/{next(iter(found.values()))}"

    def click(self, selector):
        """As a reader does: fails if the element is hidden or covered."""
        self._call("POST", f"{self._element(selector)}/click")
        self.settle()

    def press(self, selector, keys):
        self._call("POST", f"{self._element(selector)}/value", {"text": keys})
        self.settle()

    def console(self):
        """Messages since the last call, as (level, text)."""
        return [(entry["level"], entry["message"]) for entry in self._call("POST", f"{self.session}/se/log", {"type": "browser"})]

    def requests(self):
        """Addresses that were requested since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self._call("POST", f"{self.session}/se/log", {"type": "performance"})]
        return [message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"]

    def picture(self, path, whole=False, clip=None):
        """A PNG of the window, of the whole page, or of a part: (x, y, width, height)."""
        parameters = {}
        if whole:
            height = self.run("return document.documentElement.scrollHeight")
            clip = (0, 0, self.run("return document.documentElement.clientWidth"), height)
        if clip:
            x, y, width, height = clip
            parameters = {"clip": {"x": x, "y": y, "width": width, "height": height, "scale": 1}, "captureBeyondViewport": True}
        pathlib.Path(path).write_bytes(base64.b64decode(self.command("Page.captureScreenshot", format="png", **parameters)["data"]))

    def print_to(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.command("Page.printToPDF", printBackground=True)["data"]))
