"""Tests `nudge serve --socket` with real clients and with suites of pytest that use it."""

import json
import socket
import subprocess
import time
from contextlib import contextmanager

import pytest

from pytest_nudge import NudgeError, NudgeGone, Server, find_nudge

PATIENCE = 60


@contextmanager
def serving(folder, *arguments):
    """Starts a server at `folder/s`; yields the path of its socket, and its process."""
    command = [find_nudge(), "serve", "--socket", "s", *arguments]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE)
    try:
        assert process.stdout.readline() == b"nudge answers at s\n"
        yield folder / "s", process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_two_clients_have_separate_boards(tmp_path):
    with serving(tmp_path) as (path, process), Server(socket=path) as one, Server(socket=path) as other:
        boards = [server.boot(seed=7) for server in (one, other)]
        for board in boards:
            board.lcd.wait("Player 1's turn")
        # Alternating, so that each answers between two requests of the other.
        moves = [["B1", "B2", "B3"], ["B6", "B5", "B4"]]
        for taps in zip(*moves):
            for board, button in zip(boards, taps):
                board.tap(button)
                board.lcd.settle("20s")
        for board, taps in zip(boards, moves):
            tapped = [line.split()[-1] for line in board.trace().splitlines() if " tap " in line]
            assert tapped == taps
        assert boards[0].lcd.png() != boards[1].lcd.png()
        # The end of one client does not affect the other.
        one.close()
        assert boards[1].now > 0
        assert process.poll() is None
    with pytest.raises(NudgeGone, match="nobody answers .*nudge serve --socket"):
        Server(socket=path)


def test_malformed_requests_and_lost_clients_affect_no_others(tmp_path):
    with serving(tmp_path, "--record") as (path, process), Server(socket=path) as server:
        board = server.boot(seed=7)
        board.lcd.wait("Player 1's turn")
        rubbish = [
            b"\x00\xff\xfe rubbish\n",
            b"[]\n",
            b'{"jsonrpc": "2.0", "id": 1, "method": "boot", "params": {"header": {"seed": "x"}}}\n',
            b'{"jsonrpc": "2.0", "id": 1}\n',
            b"[" * 100_000 + b"\n",
        ]
        for line in rubbish:
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(path))
                client.sendall(line)
                answer = json.loads(client.makefile("rb").readline())
                assert answer["error"]["code"] < 0, line
        # One client disconnects within a request, one while its request is executed.
        for line in [b'{"jsonrpc": "2.0", "me', boot_and(b"advance", b'"by": "600s"')]:
            client = socket.socket(socket.AF_UNIX)
            client.connect(str(path))
            client.sendall(line)
            client.close()
        board.tap("B3")
        board.lcd.settle("20s")
        assert " tap B3" in board.trace()
        assert process.poll() is None


def boot_and(method, params):
    boot = b'{"jsonrpc": "2.0", "id": 1, "method": "boot"}\n'
    return boot + b'{"jsonrpc": "2.0", "id": 2, "method": "%s", "params": {%s}}\n' % (method, params)


def test_the_ninth_client_is_refused_until_one_goes(tmp_path):
    with serving(tmp_path) as (path, _):
        clients = [Server(socket=path) for _ in range(8)]
        for client in clients:
            client.boot()
        with pytest.raises(NudgeError, match="there are 8 clients; try again when one is gone") as refused:
            Server(socket=path).call("version")
        assert refused.value.code == -32003
        clients[3].close()
        began = time.monotonic()
        while True:
            ninth = Server(socket=path)
            try:
                ninth.call("version")
                break
            except NudgeError:
                # The server may detect the end of the other client later.
                assert time.monotonic() - began < PATIENCE
        for client in [*clients[:3], *clients[4:], ninth]:
            client.close()


def test_a_suite_uses_a_running_server(pytester):
    pytester.makepyfile(
        """
        def test_it_plays(board, lcd):
            lcd.wait("Player 1's turn")
            board.tap("B3")
            lcd.settle("20s")
            lcd.golden("after")

        def test_it_fails(board, lcd):
            lcd.wait("GAME OVER", within=1)
        """
    )
    with serving(pytester.path) as (path, process):
        blessed = pytester.runpytest_subprocess("--nudge-socket", str(path), "--nudge-bless")
        blessed.assert_outcomes(passed=1, failed=1)
        assert (pytester.path / "nudge-failures").is_dir()
        pytester.runpytest_subprocess("--nudge-socket", str(path)).assert_outcomes(passed=1, failed=1)
        assert process.poll() is None
    gone = pytester.runpytest_subprocess("--nudge-socket", str(path))
    gone.assert_outcomes(errors=2)
    gone.stdout.fnmatch_lines(["*nobody answers*"])


def test_a_killed_server_is_reported(tmp_path):
    with serving(tmp_path) as (path, process), Server(socket=path) as server:
        server.boot()
        process.kill()
        process.wait()
        with pytest.raises(NudgeGone, match="the server at .* has ended"):
            server.call("version")


def test_a_server_takes_a_folder_or_a_socket(tmp_path):
    for arguments in [{}, {"folder": tmp_path, "socket": tmp_path / "s"}]:
        with pytest.raises(ValueError, match="either a folder or a socket"):
            Server(**arguments)
