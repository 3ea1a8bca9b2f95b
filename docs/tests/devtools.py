# SPDX-License-Identifier: MIT
"""A headless Chromium, driven over its DevTools pipe: no port, no packages.

Messages are JSON objects that end with a zero byte.  A page's errors arrive as
events; they are kept until they are asked for.
"""
import fcntl
import json
import os
import select
import subprocess
import tempfile
import time

LIMIT = 30  # seconds a page may take
# A page hears of a new size before its next frame.
DRAWN = """new Promise(function (done) {
    requestAnimationFrame(function () { requestAnimationFrame(done); });
})"""


class Browser:
    """One Chromium with one open page."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self.out = high_pipe()
        self.input, from_child = high_pipe()

        def connect():
            os.dup2(to_child, 3)
            os.dup2(from_child, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--allow-file-access-from-files", "--hide-scrollbars",
             "--user-data-dir=" + self.folder.name, "about:blank"],
            preexec_fn=connect, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.events, self.number = b"", [], 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        """End the browser and remove its folder."""
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    def receive(self, until):
        """The next message, or None when the time is over."""
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                return None
            part = os.read(self.input, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, **params):
        """Call a DevTools method and return its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + LIMIT
        while True:
            answer = self.receive(until)
            if answer is None:
                raise RuntimeError(method + ": no answer")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + str(answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def open(self, address):
        """Open a page and wait until it is loaded."""
        self.events = []
        self.call("Page.navigate", url=address)
        until = time.monotonic() + LIMIT
        while not any(e.get("method") == "Page.loadEventFired"
                      for e in self.events):
            event = self.receive(until)
            if event is None:
                raise RuntimeError(address + ": not loaded")
            self.events.append(event)

    def run(self, script):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def size(self, width, height=900):
        """Make the window so many CSS pixels large, and have the page know."""
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)
        self.run(DRAWN)

    def errors(self):
        """What the console of the open page has, and what did not load."""
        found = []
        for event in self.events:
            kind, data = event.get("method"), event.get("params", {})
            if kind == "Log.entryAdded" and data["entry"]["level"] == "error":
                found.append(data["entry"]["text"] + " "
                             + data["entry"].get("url", ""))
            elif kind == "Runtime.exceptionThrown":
                details = data["exceptionDetails"]
                found.append(details.get("exception", {}).get(
                    "description", details["text"]))
            elif (kind == "Runtime.consoleAPICalled"
                  and data["type"] in ("error", "warning")):
                found.append(str(data["args"][:1]))
            elif (kind == "Network.loadingFailed"
                  and not data.get("canceled")):
                found.append("not loaded: " + data["errorText"])
        return found


def high_pipe():
    """A pipe whose ends are out of the way of descriptors 3 and 4."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high
