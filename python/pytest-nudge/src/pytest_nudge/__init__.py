"""Boards of nudge in Python: a client of `nudge serve`, and fixtures for pytest (in `plugin`).

A `Server` is a running `nudge serve`, a `Board` one session of it, an `Lcd` the board's LCD. This module does not use pytest.
Times are texts as in traces ("250ms", "1.5s"), or seconds as numbers.
"""

import base64
import json
import os
import shutil
import socket as sockets
import subprocess
import sysconfig

__all__ = ["Board", "ExpectationFailed", "Lcd", "LcdText", "NotMet", "NudgeError", "NudgeGone", "Server", "find_nudge"]


class NudgeError(Exception):
    """A request was refused. `code` is one of `docs/serve.md`, `data` the further data of the answer."""

    def __init__(self, message, code=None, data=None):
        self.code = code
        self.data = data or {}
        shown = self.data.get("shown")
        if shown is not None:
            lines = "".join(f"\n  | {line}" for line in shown)
            message += f"\nthe LCD showed:{lines}" if shown else "\nthe LCD showed no text"
        super().__init__(message)


class ExpectationFailed(NudgeError, AssertionError):
    """An expectation failed."""


class NotMet(NudgeError, AssertionError):
    """A wait was not satisfied within its time."""


class NudgeGone(NudgeError):
    """The program `nudge` is missing, or does not answer any more."""


ERRORS = {-32000: ExpectationFailed, -32001: NotMet}


def find_nudge():
    """Returns the path of the command `nudge`: the variable NUDGE, the one that the wheel has installed beside this
    Python, or the first in PATH."""
    named = os.environ.get("NUDGE")
    found = None if named else shutil.which("nudge", path=sysconfig.get_path("scripts"))
    found = found or shutil.which(named or "nudge")
    if found is None:
        if named:
            raise NudgeGone(f"NUDGE={named}: there is no such program")
        raise NudgeGone("there is no `nudge` in PATH; install it, or name it with the variable NUDGE")
    return found


def span(time):
    """Converts a time for a request: a text is not changed, a number of seconds becomes nanoseconds."""
    if isinstance(time, (int, float)) and not isinstance(time, bool):
        return round(time * 1_000_000_000)
    return time


def connected(path):
    """Connects to the Unix socket `path`."""
    connection = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM)
    try:
        connection.connect(os.fspath(path))
    except OSError as error:
        connection.close()
        name = os.fspath(path)
        raise NudgeGone(f"{name}: nobody answers ({error.strerror or error}); start `nudge serve --socket {name}`") from None
    return connection


class Server:
    """A client of `nudge serve`. With `folder` it starts a server, which reads and writes files there; with `socket` it
    connects to the running server at that Unix socket, which has its own folder. Each `Server` has its own boards."""

    def __init__(self, folder=None, nudge=None, socket=None):
        self.last = 0
        self.process = None
        self.socket = None
        if (folder is None) == (socket is None):
            raise ValueError("Server takes either a folder or a socket")
        if socket is None:
            command = [nudge or find_nudge(), "serve", "--folder", os.fspath(folder)]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.requests, self.answers = self.process.stdin, self.process.stdout
            self.name = "`nudge serve`"
        else:
            self.name = f"the server at {os.fspath(socket)}"
            self.socket = connected(socket)
            self.requests, self.answers = self.socket.makefile("wb"), self.socket.makefile("rb")

    def call(self, method, **params):
        """Sends a request and returns the answer. Parameters that are None are left out."""
        __tracebackhide__ = True
        self.last += 1
        params = {name: value for name, value in params.items() if value is not None}
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        try:
            self.requests.write(json.dumps(request).encode() + b"\n")
            self.requests.flush()
            line = self.answers.readline()
        except (ConnectionError, ValueError):
            # A server that refuses a client sends the reason before it closes the connection.
            line = self.last_words()
        if not line:
            raise NudgeGone(f"{self.name} has ended")
        answer = json.loads(line)
        error = answer.get("error")
        if error is not None:
            kind = ERRORS.get(error["code"], NudgeError)
            raise kind(error["message"], error["code"], error.get("data"))
        return answer["result"]

    def last_words(self):
        """Returns the last answer of a server that has ended, if it can still be read."""
        try:
            return self.answers.readline()
        except (ConnectionError, ValueError):
            return b""

    def boot(self, board=None, goldens=None, record=None, **header):
        """Powers a board on and returns it: native, pico, pico=FILE or a board file. `header` are the settings of a trace's header: game, seed, players…"""
        booted = self.call("boot", board=board, goldens=goldens, record=record, header=header)
        return Board(self, booted)

    def close(self):
        """Ends all sessions, and the server if this client has started it."""
        try:
            self.requests.close()
        except ConnectionError:
            pass  # The server has ended already; unsent requests are lost.
        if self.process is not None:
            self.process.wait()
        self.answers.close()
        if self.socket is not None:
            self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Board:
    """A session with a board. Virtual time does not advance between two calls."""

    def __init__(self, server, booted):
        self.server = server
        self.session = booted["session"]
        #: Names of the buttons.
        self.buttons = booted["buttons"]
        #: Columns and rows of the panel.
        self.panel = tuple(booted["panel"])
        #: Columns and rows of each display, by its name.
        self.displays = {display["name"]: tuple(display["panel"]) for display in booted["displays"]}
        #: The first display.
        self.lcd = Lcd(self)
        #: Whether `Lcd.golden` writes pictures that are missing or differ.
        self.blesses = False
        #: The last question whether a text is shown, if nothing was read since: its display, the text, the answer.
        self.observed = None
        self._console = []

    def call(self, method, **params):
        """Sends a request about this board; see `docs/serve.md`."""
        __tracebackhide__ = True
        return self.server.call(method, session=self.session, **params)

    def tap(self, button, hold=None):
        """Presses one of `buttons` for 80 ms or `hold`."""
        __tracebackhide__ = True
        self.call("tap", button=button, hold=span(hold))

    def press(self, button):
        """Presses a button and holds it down."""
        __tracebackhide__ = True
        self.call("press", button=button)

    def release(self, button):
        """Releases a button."""
        __tracebackhide__ = True
        self.call("release", button=button)

    def chord(self, *buttons):
        """Presses buttons together."""
        __tracebackhide__ = True
        self.call("chord", buttons=list(buttons))

    def reset(self, hold=None):
        """Taps RESET."""
        __tracebackhide__ = True
        self.call("reset", hold=span(hold))

    def power(self, on):
        """Switches the board on or off."""
        __tracebackhide__ = True
        self.call("power", on=on)

    def advance(self, by):
        """Lets virtual time pass."""
        __tracebackhide__ = True
        self.call("advance", by=span(by))

    def do(self, line):
        """Executes any other line of a trace, without its time: `expect tone 880Hz`."""
        __tracebackhide__ = True
        self.call("do", line=line)

    def wait_console(self, text, within="5s"):
        """Lets time pass until a line of the console contains a text."""
        __tracebackhide__ = True
        self.call("wait_console", text=text, within=span(within))

    def display(self, name):
        """Returns the display of that name, one of `displays`, with the methods of `lcd`."""
        return Lcd(self, name)

    def read(self, display=None, searched=None):
        """Returns the visible and audible state of the board, the answer of the method `read`."""
        self.observed = None
        read = self.call("read", display=display, searched=searched)
        self._console += [line["text"] for line in read["console"]]
        return read

    @property
    def now(self):
        """Virtual time since the first power-on, in seconds."""
        return self.read()["t"] / 1_000_000_000

    @property
    def console(self):
        """The lines of the console since power-on."""
        self.read()
        return list(self._console)

    @property
    def tone(self):
        """The current tone in hertz, or None."""
        return self.read()["tone"]

    def fork(self, at=None):
        """Returns another board with the inputs of this one, up to `at`."""
        fork = Board(self.server, self.call("fork", at=span(at)))
        fork.blesses = self.blesses
        return fork

    def rewind(self, to):
        """Goes back to the time `to`."""
        self.call("rewind", to=span(to))
        self._console = []

    def why(self, x, y, display=None):
        """Returns the origin of a pixel."""
        return self.call("why", x=x, y=y, display=display)

    def assertion_failed(self, words):
        """Adds a line to the trace that fails like an assertion of Python, which traces do not have: of the last `in`, or
        the expectation of the words `words`, which no LCD shows."""
        display, text, found = self.observed or (None, words, False)
        text = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
        on = f" on {display}" if display else ""
        try:
            self.do(f'expect {"no " if found else ""}text "{text}"{on}')
        except ExpectationFailed:
            pass  # The board shows it otherwise, as the assertion found.

    def trace(self):
        """Returns the session as the text of a trace."""
        return self.call("trace")["trace"]

    def save(self, file, force=False):
        """Saves the session as a trace, with its goldens beside it."""
        self.call("save", file=os.fspath(file), force=force)

    def close(self):
        """Ends the session."""
        self.call("close")


class LcdText(list):
    """The lines of text on an LCD. `"FREE" in text` holds if the LCD shows it, as `Lcd.expect` decides: within a line, or
    continued in the next one. It compares words and spaces, not positions."""

    def __init__(self, lcd, lines, searched):
        super().__init__(lines)
        self._lcd = lcd
        self._searched = [" ".join(text.split()) for text in searched]

    def __contains__(self, text):
        if not isinstance(text, str):
            return False
        text = " ".join(text.split())
        found = any(text in shown for shown in self._searched)
        # A test that fails next fails for this, in all likelihood.
        self._lcd.board.observed = (self._lcd.display, text, found)
        return found


class Lcd:
    """A display of a board."""

    def __init__(self, board, display=None):
        self.board = board
        #: Its name; None for the first display.
        self.display = display

    def call(self, method, **params):
        __tracebackhide__ = True
        return self.board.call(method, display=self.display, **params)

    @property
    def text(self):
        """The text on the LCD, line by line; `in` searches it as `expect` does."""
        read = self.board.read(self.display, searched=True)
        return LcdText(self, read["text"], read["searched"])

    @property
    def lines(self):
        """The text with its positions: dicts of text, x, y, w, h in pixels."""
        return self.board.read(self.display)["lines"]

    @property
    def backlight(self):
        """Whether the backlight is on."""
        return self.board.read(self.display)["backlight"]

    def wait(self, text, within="5s"):
        """Lets time pass until the LCD shows a text."""
        __tracebackhide__ = True
        self.call("wait_text", text=text, within=span(within))

    def settle(self, within="5s"):
        """Lets time pass until nothing has changed for 100 ms; of `board.lcd` on any display."""
        __tracebackhide__ = True
        self.call("settle", within=span(within))

    def expect(self, text, region=None):
        """Expects a text now, anywhere or in [x, y, width, height]."""
        __tracebackhide__ = True
        self.call("expect_text", text=text, region=region)

    def expect_no(self, text, region=None):
        """Expects that a text is not shown."""
        __tracebackhide__ = True
        self.call("expect_no_text", text=text, region=region)

    def golden(self, name, region=None):
        """Compares the LCD, or a region of it, with a golden picture. `--nudge-bless` writes pictures that are missing or differ."""
        __tracebackhide__ = True
        self.call("expect_frame", name=name, region=region, bless=self.board.blesses)

    def png(self):
        """Returns a picture of the LCD, the bytes of a PNG file."""
        return base64.b64decode(self.call("screenshot")["png"])
