"""The fixtures `board` and `lcd`, the option `--nudge-bless`, and the files that are saved for a failing test."""

import os
import re
from pathlib import Path

import pytest

from . import NudgeError, Server

BOARDS = pytest.StashKey[list]()


def pytest_addoption(parser):
    group = parser.getgroup("nudge", "boards of nudge")
    group.addoption("--nudge-bless", action="store_true", help="write golden pictures that are missing or differ")
    group.addoption("--nudge-board", metavar="BOARD", help="native, pico, pico=FILE or NAME.board.toml, for tests that name none")
    group.addoption(
        "--nudge-socket",
        metavar="PATH",
        help="ask the `nudge serve --socket PATH` that runs already, with the tests' root as its folder",
    )
    parser.addini("nudge_failures", "folder for what failing tests leave behind", default="nudge-failures")


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "nudge(board=None, **header): which board a test gets, and the settings of its header"
    )
    if config.getoption("--nudge-bless") and os.environ.get("CI", "false") not in ("", "false"):
        raise pytest.UsageError("--nudge-bless: CI is set, where no person would review the pictures")


def plain(name):
    """Converts a name to a file name of letters, digits and `-`."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") or "test"


@pytest.fixture(scope="session")
def nudge_server(pytestconfig):
    """The server with the boards of all tests; its files are below the root folder of the tests."""
    socket = pytestconfig.getoption("--nudge-socket")
    try:
        server = Server(socket=socket) if socket else Server(pytestconfig.rootpath)
    except NudgeError as error:
        pytest.fail(str(error), pytrace=False)
    with server:
        yield server


@pytest.fixture
def nudge_boot(request, nudge_server):
    """A function that boots boards: `nudge_boot(seed=7)`. Golden pictures are in `goldens/MODULE/TEST` beside the test's file."""
    root, path = request.config.rootpath, request.node.path
    boards = request.node.stash.setdefault(BOARDS, [])
    goldens = path.parent.relative_to(root) / "goldens" / path.stem / plain(request.node.name)

    def boot(board=None, **header):
        board = board or request.config.getoption("--nudge-board")
        booted = nudge_server.boot(board=board, goldens=goldens.as_posix(), **header)
        booted.blesses = request.config.getoption("--nudge-bless")
        boards.append(booted)
        return booted

    yield boot
    for board in boards:
        try:
            board.close()
        except NudgeError:
            pass  # The test has closed the board, or the server has ended.


@pytest.fixture
def board(request, nudge_boot):
    """A board that has just been powered on. The mark `nudge` selects it, and its settings."""
    mark = request.node.get_closest_marker("nudge")
    return nudge_boot(**(mark.kwargs if mark else {}))


@pytest.fixture
def lcd(board):
    """The LCD of `board`."""
    return board.lcd


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    boards = item.stash.get(BOARDS, [])
    if report.when != "call" or not report.failed or not boards:
        return
    failures = Path(item.config.getini("nudge_failures")) / plain(item.nodeid)
    root = item.config.rootpath
    lines = []
    fails_in_python = call.excinfo is not None and not call.excinfo.errisinstance(NudgeError)
    # The board that was asked last.
    asked = next((board for board in reversed(boards) if board.observed), boards[0])
    for nth, board in enumerate(boards):
        name = "session" if nth == 0 else f"session-{nth + 1}"
        trace, picture = failures / f"{name}.trace", failures / f"{name}.png"
        try:
            if fails_in_python and board is asked:
                board.assertion_failed(f"assertion of {item.nodeid}")
            board.save(trace.as_posix(), force=True)
            board.call("screenshot", file=picture.as_posix(), force=True)
            lines += [f"trace:   {root / trace}", f"picture: {root / picture}"]
            lines += [f"replay:  nudge replay {root / trace}", f"look:    nudge open {root / trace}"]
            lines += [f"  | {line}" for line in board.lcd.text]
        except NudgeError as error:
            lines.append(f"nothing of the board could be saved: {error}")
    report.sections.append(("nudge", "\n".join(lines)))
