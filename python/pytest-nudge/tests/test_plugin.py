"""Runs pytest with the plugin on small suites, and checks its output and the files that it saves."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pytest_nudge import NudgeError, NudgeGone, Server, find_nudge

DOCS = Path(__file__).parents[3] / "docs" / "pytest.md"
OWN_BOARDS = Path(__file__).parents[3] / "examples" / "own-boards"


def blocks():
    """Returns the Python examples of the page."""
    return re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


def test_the_examples_of_the_page_run(pytester):
    found = blocks()
    assert len(found) >= 2
    for nth, block in enumerate(found):
        pytester.makepyfile(**{f"test_page_{nth}": block})
    blessed = pytester.runpytest_subprocess("--nudge-bless")
    count = sum(block.count("def test_") for block in found)
    blessed.assert_outcomes(passed=count)
    pytester.runpytest_subprocess().assert_outcomes(passed=count)
    # The written goldens are compared: a spoilt one fails its test.
    goldens = sorted(pytester.path.glob("goldens/**/*.png"))
    assert goldens
    goldens[0].write_bytes(b"no picture")
    assert pytester.runpytest_subprocess().parseoutcomes()["failed"] == 1


def test_a_failing_test_leaves_a_trace_that_fails_in_the_same_way(pytester):
    pytester.makepyfile(
        test_turn="""
        import pytest

        @pytest.mark.nudge(seed=7, game="wari")
        def test_over(board, lcd):
            lcd.settle()
            board.tap("B3")
            lcd.wait("GAME OVER", within=2)

        def test_fails_by_itself(board):
            assert board.tone == 880
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*waited*GAME OVER*", "*the LCD showed:*", "*- nudge -*", "trace: *session.trace"])
    folder = pytester.path / "nudge-failures" / "test-turn-py-test-over"
    trace = folder / "session.trace"
    text = trace.read_text(encoding="utf-8")
    assert "seed 7" in text and "tap B3" in text
    assert text.splitlines()[-1].split(maxsplit=1)[1] == 'wait text "GAME OVER" within 2s'
    assert (folder / "session.png").read_bytes().startswith(b"\x89PNG")
    replay = subprocess.run([find_nudge(), "replay", trace], capture_output=True, text=True, check=False)
    assert replay.returncode == 1 and "GAME OVER" in replay.stdout, replay.stdout
    # The trace of Python's own assertion fails too, and names it.
    other = pytester.path / "nudge-failures" / "test-turn-py-test-fails-by-itself" / "session.trace"
    replay = subprocess.run([find_nudge(), "replay", other], capture_output=True, text=True, check=False)
    assert replay.returncode == 1 and "test_fails_by_itself" in replay.stdout, replay.stdout


def test_in_means_what_the_lcd_shows_and_its_trace_fails_too(pytester):
    pytester.makepyfile(
        test_in="""
        import pytest

        @pytest.mark.nudge(seed=3, game="wari")
        def test_shown(lcd):
            lcd.settle()
            assert "turn" in lcd.text and "Bottom's  turn" in lcd.text
            assert "GAME OVER" not in lcd.text and 7 not in lcd.text
            assert lcd.text[2] == "Bottom's turn" and len(lcd.text) == 6

        @pytest.mark.nudge(seed=3, game="wari")
        def test_not_shown(lcd):
            lcd.settle()
            assert "turn" not in lcd.text

        @pytest.mark.nudge(seed=3, game="wari")
        def test_missing(lcd):
            lcd.settle()
            assert 'GAME "OVER"' in lcd.text
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1, failed=2)
    for test, said in [("not-shown", 'expect no text "turn"'), ("missing", "GAME")]:
        trace = pytester.path / "nudge-failures" / f"test-in-py-test-{test}" / "session.trace"
        replay = subprocess.run([find_nudge(), "replay", trace], capture_output=True, text=True, check=False)
        assert replay.returncode == 1 and said in replay.stdout, replay.stdout


def test_goldens_are_written_only_on_request_and_never_in_ci(pytester, monkeypatch):
    pytester.makepyfile("def test_it(lcd):\n    lcd.settle()\n    lcd.golden('start')\n")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*there is no golden*start.png*"])
    assert not list(pytester.path.glob("goldens/**/*.png"))
    monkeypatch.setenv("CI", "true")
    refused = pytester.runpytest_subprocess("--nudge-bless")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR


def test_a_missing_nudge_is_reported(pytester, monkeypatch):
    monkeypatch.setenv("NUDGE", "/nowhere/nudge")
    pytester.makepyfile("def test_it(lcd):\n    pass\n")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*NUDGE=/nowhere/nudge: there is no such program*"])


def test_a_dead_server_is_reported_and_its_recording_remains(tmp_path):
    server = Server(tmp_path)
    board = server.boot(seed=3, record="one.trace")
    board.lcd.settle()
    board.tap("B2")
    server.process.kill()
    server.process.wait()
    with pytest.raises(NudgeGone):
        board.tap("B3")
    assert os.path.exists(tmp_path / "one.trace")
    assert (tmp_path / "one.trace").read_text(encoding="utf-8").endswith("tap B2\n")


def test_forks_are_independent_and_a_rewound_board_is_restored(tmp_path):
    with Server(tmp_path) as server:
        board = server.boot(seed=3)
        board.lcd.settle()
        before, text = board.now, board.lcd.text
        board.tap("B3")
        board.advance(3)
        fork = board.fork(at=before)
        assert fork.lcd.text == text and board.lcd.text != text
        fork.tap("B5")
        board.rewind(before)
        assert board.lcd.text == text
        with pytest.raises(NudgeError, match="unknown display `TOP`; the board has LCD"):
            board.display("TOP").png()
        assert board.why(160, 120)["report"].startswith("pixel 160,120")
        assert board.lcd.png().startswith(b"\x89PNG")
        assert board.console


def test_each_display_of_a_board_is_read_by_its_name(tmp_path):
    boards = Path(__file__).parents[3] / "examples" / "own-boards"
    for name in ["gauge.board.toml", "gauge.elf"]:
        (tmp_path / name).write_bytes((boards / name).read_bytes())
    with Server(tmp_path) as server:
        board = server.boot(board=str(tmp_path / "gauge.board.toml"))
        assert board.displays == {"DIAL": (240, 240), "READOUT": (128, 64)}
        readout = board.display("READOUT")
        readout.wait("LEVEL  20%")
        readout.settle()
        board.lcd.expect("20%", region=[90, 170, 60, 30])
        readout.expect("20%", region=[0, 0, 128, 16])
        assert readout.text[0].split() == ["LEVEL", "20%"] and "LEVEL" not in str(board.lcd.text)
        assert readout.png() != board.lcd.png()
        assert "on READOUT" in board.trace()


def own_board(folder):
    """Copies the panel with one part of each kind into `folder`."""
    for name in ["dial.board.toml", "dial.elf"]:
        shutil.copy(OWN_BOARDS / name, folder / name)


def test_a_described_board_has_its_buttons_controls_and_goldens(pytester):
    own_board(pytester.path)
    pytester.makepyfile(
        test_dial="""
        import pytest

        from pytest_nudge import NudgeError

        def test_parts(board, lcd):
            lcd.settle()
            board.do("turn DIAL by 3")
            board.do("switch MODE on")
            lcd.settle()
            lcd.golden("turned")
            with pytest.raises(NudgeError, match="there is no button `B1`; there are PUSH"):
                board.tap("B1")

        @pytest.mark.nudge(board="native", seed=7)
        def test_another_board_by_its_mark(board, lcd):
            lcd.wait("Player 1's turn")
        """
    )
    board = ["--nudge-board", "dial.board.toml"]
    pytester.runpytest_subprocess(*board, "--nudge-bless").assert_outcomes(passed=2)
    pytester.runpytest_subprocess(*board).assert_outcomes(passed=2)
    golden = pytester.path / "goldens" / "test_dial" / "test-parts" / "turned.png"
    golden.write_bytes(golden.read_bytes()[:-30])
    assert pytester.runpytest_subprocess(*board).parseoutcomes() == {"failed": 1, "passed": 1}


def test_a_failing_test_on_a_described_board_leaves_a_trace_that_names_it(pytester):
    own_board(pytester.path)
    pytester.makepyfile(
        test_dial="""
        import pytest

        @pytest.mark.nudge(board="dial.board.toml")
        def test_turn(board):
            board.advance("500ms")
            board.do("turn DIAL by 2")
            board.wait_console("never", within="200ms")
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    trace = pytester.path / "nudge-failures" / "test-dial-py-test-turn" / "session.trace"
    text = trace.read_text(encoding="utf-8")
    assert "board ../../dial.board.toml" in text and "turn DIAL by 2" in text
    replay = subprocess.run([find_nudge(), "replay", trace], capture_output=True, text=True, check=False)
    assert replay.returncode == 1 and "never" in replay.stdout
