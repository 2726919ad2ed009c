//! Tests of comments in small recordings, without a board: each tap ends 80 ms after its press.

use trace::{
    Button, parse,
    tidy::{recorded_lines, write},
};

use super::*;

fn ms(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

/// Checks the comments of `text` in the tidied trace. `movements` has the line of each movement,
/// `settled` the settled screens of the stretches, with their comments from the console.
#[track_caller]
fn check(
    text: &str,
    movements: &[(u64, Movement, Option<usize>)],
    met: &[(usize, u64)],
    settled: &[(usize, u64, &str)],
    expected: &str,
) {
    let recording = parse("recording.trace", text).unwrap();
    let recorded = Recorded {
        movements: movements.iter().map(|(at, what, _)| (ms(*at), *what)).collect(),
        lines: movements.iter().map(|(_, _, line)| *line).collect(),
        met: met.iter().map(|(line, at)| (*line, ms(*at))).collect(),
        end: ms(9_000),
    };
    let mut stretches = recorded_lines(&recorded.movements);
    for (stretch, at, comment) in settled {
        let first = stretches[*stretch].screens.is_empty();
        let comments = if comment.is_empty() { vec![] } else { vec![(*comment).to_owned()] };
        let above = if first { vec![] } else { comments.clone() };
        stretches[*stretch].above.extend(comments.into_iter().filter(|_| first));
        let moment = NewScreen {
            at: ms(*at),
            above,
            comment: None,
            text: None,
            also: Vec::new(),
            frame: None,
        };
        stretches[*stretch].screens.push(moment);
    }
    let end = keep(&recording, &recorded, &mut stretches);
    let (mut trace, _) = write(&recording.header, &stretches, recorded.end, false);
    let last = trace.lines.last_mut().unwrap();
    (last.above, last.comment, trace.closing) = (end.above, end.behind, end.closing);
    let blanks = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let written: Vec<String> = trace.to_string().lines().map(blanks).collect();
    assert_eq!(written.join("\n"), expected);
}

const B3: Button = Button::LCD_BOARD[2];
const T1: Button = Button::LCD_BOARD[6];

#[test]
fn comments_stay_with_the_lines_that_stay() {
    check(
        "trace 1
# of the key
seed 7   # behind the key
0ms power on   # boots
# above the press
1s press B3    # down
# above the release
+80ms release B3   # up
2s tap T1      # of the tap
# above the end
9s end         # that is all
# below
",
        &[
            (0, Movement::PowerOn, Some(0)),
            (1_000, Movement::Press(B3), Some(1)),
            (1_080, Movement::Release(B3), Some(2)),
            (2_000, Movement::Press(T1), Some(3)),
            (2_080, Movement::Release(T1), None),
        ],
        &[],
        &[],
        "trace 1
# of the key
seed 7 # behind the key

0ms power on # boots
# above the press
# above the release
+1s tap B3 # down; up
+1s tap T1 # of the tap
# above the end
+7s end # that is all
# below",
    );
}

#[test]
fn comment_lines_of_a_removed_line_move_to_the_next_one() {
    check(
        "trace 1
0ms power on
# the board is new
1s expect text \"READY\"   # gone with its line
# first move
2s tap B3
# never taken
+1s screenshot end
# closing
",
        &[
            (0, Movement::PowerOn, Some(0)),
            (2_000, Movement::Press(B3), Some(2)),
            (2_080, Movement::Release(B3), None),
        ],
        &[],
        &[],
        "trace 1

0ms power on
# the board is new
# first move
+2s tap B3
+7s end
# never taken
# closing",
    );
}

#[test]
fn a_settle_has_its_comments_and_those_of_the_console_once() {
    check(
        "trace 1
0ms power on
# Player 1 sows
1s tap B3
# it is drawn
+0ms settle within 5s   # quiet
# Player 2 thinks
+0ms settle within 5s
",
        &[
            (0, Movement::PowerOn, Some(0)),
            (1_000, Movement::Press(B3), Some(1)),
            (1_080, Movement::Release(B3), None),
        ],
        &[(2, 1_900), (3, 4_000)],
        &[(1, 1_800, "Player 1 sows"), (1, 4_000, "Player 2 thinks")],
        "trace 1

0ms power on
# Player 1 sows
+1s tap B3
# it is drawn
+0ms settle within 5s # quiet
# Player 2 thinks
+2.2s settle within 5s
+5s end",
    );
}
