"""A headless Chromium that opens a page from its file and is driven over a pipe (Chrome DevTools Protocol)."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE_SECONDS = 60


def chromium() -> str | None:
    """Return the path of a Chromium or Chrome, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """One page of a browser; `console` and `requests` collect what it said and what it asked any server for."""

    def __init__(self, read: int, write: int) -> None:
        self.console: list[str] = []
        self.requests: list[str] = []
        self._read, self._write = read, write
        self._left = b""
        self._number = 0
        self._session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """Send a command and return its result; events that come before it are kept."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._receive()
            if reply.get("id") == self._number:
                assert "error" not in reply, reply
                return reply["result"]
            self._note(reply)

    def open(self, page: Path, fragment: str = "", *, dark: bool = False, size: tuple[int, int] = (1400, 900)) -> None:
        """Open a page anew and wait until it says that it is ready."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        width, height = size
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=page.resolve().as_uri() + (f"#{fragment}" if fragment else ""))
        self.until("document.documentElement?.dataset.ready === 'yes'")

    def until(self, script: str) -> None:
        """Wait until a script is true."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not self.value(script):
            assert time.monotonic() < end, f"never true: {script}; console: {self.console}"
            time.sleep(0.05)

    def value(self, script: str) -> Any:
        """Return the value of a script in the page."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def text(self, id_: str) -> str:
        """Return the words that an element shows."""
        return str(self.value(f"document.getElementById({json.dumps(id_)}).innerText"))

    def set(self, id_: str, value: str, event: str) -> None:
        """Give an input a value as a user would."""
        element = f"document.getElementById({json.dumps(id_)})"
        self.value(f"{element}.value = {json.dumps(value)}; {element}.dispatchEvent(new Event('{event}'))")

    def press(self, selector: str) -> None:
        """Click the first element that a CSS selector finds."""
        self.value(f"document.querySelector({json.dumps(selector)}).click()")

    def point(self, script: str, *, click: bool = False) -> None:
        """Move the mouse to the place, an object with x and y, that a script returns, and click there if asked."""
        place = self.value(script)
        events = ["mouseMoved", *(["mousePressed", "mouseReleased"] if click else [])]
        for event in events:
            self.call("Input.dispatchMouseEvent", type=event, **place, button="left", clickCount=1)

    def screenshot(self) -> bytes:
        """Return the page as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def end(self) -> None:
        """Close the browser."""
        self._session = None
        self.call("Browser.close")

    def _receive(self) -> Any:
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], PATIENCE_SECONDS)
            chunk = os.read(self._read, 1 << 20) if ready else b""
            assert chunk, "the browser ended or said nothing"
            self._left += chunk
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)

    def _note(self, event: Any) -> None:
        found = event.get("params", {})
        match event.get("method"):
            case "Runtime.consoleAPICalled":
                self.console.append(f"{found['type']}: {[one.get('value') for one in found['args']]}")
            case "Runtime.exceptionThrown":
                self.console.append(f"exception: {found['exceptionDetails']}")
            case "Log.entryAdded":
                self.console.append(f"{found['entry']['level']}: {found['entry']['text']}")
            case "Network.requestWillBeSent":
                self.requests.append(found["request"]["url"])


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start a browser with a profile folder of its own, and end it."""
    path = chromium()
    assert path is not None
    to_read, their_write = os.pipe()
    their_read, to_write = os.pipe()
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
    flags += ["--disable-background-networking", f"--user-data-dir={profile}", "--remote-debugging-pipe"]
    # The protocol's pipes are descriptors 3 and 4 of the browser, whatever they are here.
    shell = f'exec "$0" "$@" 3<&{their_read} 4>&{their_write}'
    with subprocess.Popen(
        ["bash", "-c", shell, path, *flags], pass_fds=(their_read, their_write), stderr=subprocess.DEVNULL
    ) as process:
        os.close(their_read)
        os.close(their_write)
        try:
            page = Browser(to_read, to_write)
            yield page
            page.end()
            process.wait(PATIENCE_SECONDS)
        finally:
            process.kill()
            process.wait()
            os.close(to_read)
            os.close(to_write)
