//! Proposes expectations besides the pixels of a settled screen: the console line of a move or of a
//! refused press, a tone that is a single note, a backlight that has switched off.
//!
//! The expectations are few, so that the trace remains readable: the last line before each screen,
//! and each note once. Only events since the last input are proposed, because only they count in a
//! replay.

use std::collections::HashSet;

use hal_mock::board::{ConsoleLine, Tone};
use trace::Action;
use virtual_time::{Instant, Nanos};

/// Shortest note that is expected. Drawing delays the end of a note by more than the tolerance of a
/// short one: a note of 10 ms was measured to last 10.4 ms on `native` and 11.5 ms on `pico`.
const SHORTEST_NOTE: Nanos = Nanos::from_millis(50);
/// Minimum time between the end of a note and its line, because times are rounded.
const OVER_BEFORE: Nanos = Nanos::from_millis(20);

/// Proposes expectations in the order of the recording.
#[derive(Default)]
pub(super) struct Proposals {
    /// Frequency and length of the notes that are expected already.
    notes: HashSet<(u32, Nanos)>,
    /// Whether the backlight was on at the previous screen.
    backlit: bool,
}

impl Proposals {
    /// Returns the expectations of the screen that settled at `at`, from the console lines since
    /// the previous screen. The last input was at `input_at`.
    pub(super) fn for_screen(
        &mut self,
        at: Instant,
        input_at: Instant,
        lines: &[&ConsoleLine],
        tones: &[Tone],
        backlit: bool,
    ) -> Vec<Action> {
        let since = lines.iter().rev().filter(|line| line.at > input_at);
        let said = since.filter_map(|line| expected_part(&line.text)).next();
        let mut expected: Vec<Action> = said.map(Action::ExpectConsole).into_iter().collect();
        if let Some((hertz, lasted)) = only_note(tones, input_at, at)
            && self.notes.insert((hertz, lasted))
        {
            expected.push(Action::ExpectTone { hertz, lasted: Some(lasted) });
        }
        if std::mem::replace(&mut self.backlit, backlit) && !backlit {
            expected.push(Action::ExpectBacklight { on: false, display: None });
        }
        expected
    }
}

/// Returns the expected part of a console line: the position and the events of a move, or the whole
/// line of a refused press (docs/console.md).
fn expected_part(line: &str) -> Option<String> {
    if line.starts_with("refused ") {
        return Some(line.to_owned());
    }
    let position = line.strip_prefix("position ")?;
    let (position, _) = position.split_once(" message=")?;
    let mut words = position.split(' ');
    let place = words.find_map(|word| word.strip_prefix("move="))?;
    place.parse::<u8>().is_ok().then(|| position.to_owned())
}

/// Returns the frequency and the length in whole milliseconds of the only note since `from`.
/// Returns `None` if there was not exactly one, if it had not ended by `at`, or if it was too
/// short.
fn only_note(tones: &[Tone], from: Instant, at: Instant) -> Option<(u32, Nanos)> {
    let tones = &tones[tones.partition_point(|tone| tone.at < from)..];
    let by_then = tones.partition_point(|tone| tone.at <= at);
    let [Tone { at: began, hz: Some(hertz) }, Tone { at: over, hz: None }] = tones[..by_then]
    else {
        return None;
    };
    if over.saturating_add(OVER_BEFORE) > at {
        return None;
    }
    let lasted = over.saturating_since(began);
    let millis = Nanos::from_millis((lasted.0 + 500_000) / 1_000_000);
    (millis >= SHORTEST_NOTE).then_some((hertz, millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVE: &str = "position board=4,4,0,5,5,5,1,4,4,4,4,4,4,0 turn=0 move=2 event=free-turn \
                        message=\"Player 1 FREE TURN\"";

    fn line(millis: u64, text: &str) -> ConsoleLine {
        ConsoleLine { at: Instant::from_millis(millis), text: text.to_owned() }
    }

    fn tones(changes: &[(u64, Option<u32>)]) -> Vec<Tone> {
        let tone = |(micros, hz): &(u64, _)| Tone { at: Instant::from_micros(*micros), hz: *hz };
        changes.iter().map(tone).collect()
    }

    /// Checks the proposals for a screen that settled at 2 s, after an input at 1 s.
    #[track_caller]
    fn check(lines: &[ConsoleLine], changes: &[(u64, Option<u32>)], expected: &[&str]) {
        let lines: Vec<&ConsoleLine> = lines.iter().collect();
        let (at, input_at) = (Instant::from_secs(2), Instant::from_secs(1));
        let mut proposals = Proposals { backlit: true, ..Proposals::default() };
        let actions = proposals.for_screen(at, input_at, &lines, &tones(changes), true);
        let actions: Vec<String> = actions.iter().map(ToString::to_string).collect();
        assert_eq!(actions, expected);
    }

    #[test]
    fn the_last_move_or_refusal_since_the_input_is_expected() {
        let told =
            "expect console \"board=4,4,0,5,5,5,1,4,4,4,4,4,4,0 turn=0 move=2 event=free-turn\"";
        let refused = "refused button=T1 reason=not-yours";
        let opening = "position board=4,4 turn=0 move=- event=none message=\"x\"";
        check(&[line(1_020, MOVE), line(1_030, "log text=\"x\"")], &[], &[told]);
        check(&[line(1_010, refused), line(1_020, MOVE)], &[], &[told]);
        let console = format!("expect console \"{refused}\"");
        check(&[line(1_020, MOVE), line(1_030, refused)], &[], &[&console]);
        check(&[line(999, MOVE), line(1_000, MOVE), line(1_100, opening)], &[], &[]);
    }

    #[test]
    fn a_single_note_is_expected_with_its_length() {
        let note = |begin, end| [(begin, Some(220)), (end, None)];
        check(&[], &note(1_010_000, 1_160_003), &["expect tone 220Hz for 150ms"]);
        check(&[], &note(1_010_000, 1_059_400), &[]);
        check(&[], &note(990_000, 1_160_000), &[]);
        check(&[], &note(1_900_000, 1_990_000), &[]);
        let two = [(1_010_000, Some(880)), (1_080_000, Some(1_175)), (1_200_000, None)];
        check(&[], &two, &[]);
    }

    #[test]
    fn notes_are_expected_once_and_the_backlight_when_it_goes_off() {
        let mut proposals = Proposals::default();
        let tones = tones(&[
            (1_010_000, Some(220)),
            (1_160_000, None),
            (3_010_000, Some(220)),
            (3_160_000, None),
        ]);
        let mut of = |at: u64, backlit| {
            let (at, input_at) = (Instant::from_secs(at), Instant::from_secs(at - 1));
            proposals.for_screen(at, input_at, &[], &tones, backlit)
        };
        let note = Action::ExpectTone { hertz: 220, lasted: Some(Nanos::from_millis(150)) };
        assert_eq!(of(2, true), [note]);
        assert_eq!(of(4, true), []);
        assert_eq!(of(6, false), [Action::ExpectBacklight { on: false, display: None }]);
        assert_eq!(of(8, false), []);
    }
}
