//! A replayed trace: the board's console lines, tones and frames, and queries on them. This module
//! knows the console's lines and no rule except where stones fall.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use firmware_board::native;
use hal_mock::{
    board::Tone,
    replay::{Goldens, ReplaySettings, Verdict, replay},
};
use ili9341_model::Frame;
use nudge_tests::session;
use reading::{golden::GoldenError, text::Reader};
use trace::{Action, Button, FrameCheck, Trace, When};
use virtual_time::{Instant, Nanos};

/// The tone of a press without an effect, in Hz.
pub(super) const ERROR_TONE: u32 = 220;
/// The tone of a soft key, and of a cup that is counted, in Hz.
pub(super) const KEY_TONE: u32 = 1_568;

/// A trace with the board's console lines, tones and frames of its replay.
pub(super) struct Played {
    pub(super) trace: Trace,
    verdict: Verdict,
    pub(super) lines: Vec<String>,
    pub(super) said: Vec<(Instant, ConsoleLine)>,
    pub(super) tones: Vec<Tone>,
    /// The trace's own screenshots.
    pub(super) screenshots: Vec<Frame>,
}

/// A line of the console.
pub(super) enum ConsoleLine {
    Boot,
    Opening(Position),
    Move(Move),
    /// A position that was not reached by a move.
    Change(Change),
    Refused(String),
    Stuck(String),
    /// An option, a saved game, a line of a log, or an answer to typed input.
    Other,
}

/// The stones, and whose turn it is: 0 bottom, 1 top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) stones: [u32; 14],
    /// None once the game is over.
    pub(super) turn: Option<usize>,
}

/// A console line about a move.
pub(super) struct Move {
    /// The position before the move.
    pub(super) from: Position,
    /// The position after the move.
    pub(super) to: Position,
    pub(super) before: [u32; 14],
    pub(super) after: [u32; 14],
    pub(super) cup: usize,
    pub(super) events: Vec<String>,
}

/// A console line about an undo, an edit, or a game that was loaded, abandoned or resigned.
pub(super) struct Change {
    pub(super) how: String,
    pub(super) before: [u32; 14],
    pub(super) to: Position,
}

/// Every trace, by its name.
static ALL: LazyLock<BTreeMap<String, Played>> = LazyLock::new(|| {
    let played = super::stems().into_iter().map(|stem| {
        let played = Played::replay(&stem);
        (stem, played)
    });
    played.collect()
});

/// Stores the screenshots; `every_trace_passes` compares the goldens.
struct Album(Vec<Frame>);

impl Goldens for Album {
    fn check(&mut self, _expected: &FrameCheck, _actual: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn chain(&mut self, _name: &str) -> Result<(), GoldenError> {
        Ok(())
    }

    fn screenshot(&mut self, _name: &str, frame: &Frame) -> Result<(), GoldenError> {
        self.0.push(frame.clone());
        Ok(())
    }
}

/// Returns the text after `key` in a console line, up to the next space.
pub(super) fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split(' ').find_map(|word| word.strip_prefix(key))
}

impl Played {
    /// Returns the trace called `stem`, replayed once for all tests.
    #[track_caller]
    pub(super) fn of(stem: &str) -> &'static Self {
        let played = ALL.get(stem).unwrap_or_else(|| panic!("there is no {stem}.trace"));
        assert_eq!(played.verdict, Verdict::Passed, "{stem}.trace");
        played
    }

    fn replay(stem: &str) -> Self {
        let trace = super::load(stem);
        let mut machine = session::machine(&trace);
        let reader = Reader::new(native::fonts());
        let mut album = Album(Vec::new());
        let outcome =
            replay(&trace, machine.as_mut(), &reader, &mut album, &ReplaySettings::default());
        let mut before = Position { stones: [0; 14], turn: None };
        let mut lines = Vec::new();
        let mut said = Vec::new();
        for line in machine.board().console_lines() {
            let mut what = ConsoleLine::of(&line.text, &mut before);
            // The game that a restart or the demo had suspended.
            let restored = lines.last().is_some_and(|line: &String| line.starts_with("restored "));
            if let (true, ConsoleLine::Change(change)) = (restored, &mut what) {
                change.how = "restored".to_owned();
            }
            said.push((line.at, what));
            lines.push(line.text);
        }
        let screenshots = album.0;
        let tones = machine.board().tones();
        Self { trace, verdict: outcome.verdict, lines, said, tones, screenshots }
    }

    /// Returns whether three moves sow ten, eleven and twelve stones.
    pub(super) fn sows_ten_to_twelve(&self) -> bool {
        self.moves().map(Move::sown).eq([10, 11, 12])
    }

    /// Returns whether the header names this system.
    pub(super) fn plays(&self, system: &str) -> bool {
        self.trace.get("game").map_or("board", |entry| entry.value.as_str()) == system
    }

    /// Returns whether a game opens with the turn of `player`.
    pub(super) fn opens_with(&self, player: usize) -> bool {
        let opening = format!("turn={player} move=- ");
        self.lines.iter().any(|line| line.contains(&opening))
    }

    /// Returns whether lines with these parts were written in this order, possibly with others
    /// between them.
    pub(super) fn wrote(&self, parts: &[&str]) -> bool {
        let mut lines = self.lines.iter();
        parts.iter().all(|part| lines.any(|line| line.contains(part)))
    }

    /// Returns whether the trace expects each of these texts. Since it has passed, they were shown.
    pub(super) fn reads(&self, texts: &[&str]) -> bool {
        texts.iter().all(|wanted| {
            self.count(|action| match action {
                Action::ExpectText(check) => check.wanted.text.contains(wanted),
                Action::WaitText { text, .. } => text.contains(wanted),
                _ => false,
            }) > 0
        })
    }

    /// Returns how often the trace expects this text.
    pub(super) fn readings(&self, wanted: &str) -> usize {
        self.count(|action| match action {
            Action::ExpectText(check) => check.wanted.text.contains(wanted),
            Action::WaitText { text, .. } => text.contains(wanted),
            _ => false,
        })
    }

    /// Returns the positions with which games open.
    pub(super) fn openings(&self) -> Vec<Position> {
        let opened = |said: &(_, ConsoleLine)| match said.1 {
            ConsoleLine::Opening(position) => Some(position),
            _ => None,
        };
        self.said.iter().filter_map(opened).collect()
    }

    /// Returns the positions with the origin `how`: undo, edit, load, abandon, resign, resume,
    /// restored.
    pub(super) fn changes(&self, how: &str) -> Vec<&Change> {
        self.said
            .iter()
            .filter_map(|(_, said)| match said {
                ConsoleLine::Change(change) if change.how == how => Some(change),
                _ => None,
            })
            .collect()
    }

    /// Returns whether each undo leads back to the position of a move: the latest one by one of
    /// `players` that has not been undone.
    pub(super) fn undoes_to_turns_of(&self, players: &[usize]) -> bool {
        let mut past = Vec::new();
        self.said.iter().all(|(_, said)| match said {
            ConsoleLine::Move(said) => {
                past.push(said.from);
                true
            }
            ConsoleLine::Change(change) if change.how == "undo" => loop {
                match past.pop() {
                    Some(from) if from.turn.is_some_and(|turn| players.contains(&turn)) => {
                        break from == change.to;
                    }
                    Some(_) => {}
                    None => break false,
                }
            },
            _ => true,
        })
    }

    /// Returns whether the first undo undoes the whole edit before it.
    pub(super) fn undoes_the_edit(&self) -> bool {
        let (edits, undoes) = (self.changes("edit"), self.changes("undo"));
        matches!((edits.as_slice(), undoes.as_slice()), ([edit], [undo, ..])
            if undo.to.stones == edit.before)
    }

    /// Returns whether a NUDGE of the top row is pressed.
    pub(super) fn touches_the_top_row(&self) -> bool {
        self.count(|action| match action {
            Action::Tap { button, .. } | Action::Press(button) => {
                button.to_string().starts_with('T')
            }
            _ => false,
        }) > 0
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = &Move> {
        self.said.iter().filter_map(|(_, said)| match said {
            ConsoleLine::Move(said) => Some(said),
            _ => None,
        })
    }

    /// Returns the position lines, game by game.
    pub(super) fn games(&self) -> Vec<Vec<&str>> {
        let mut games = Vec::new();
        for line in self.lines.iter().filter(|line| line.starts_with("position ")) {
            match field(line, "move=") {
                Some("-") => games.push(Vec::new()),
                // The game continues: the line repeats the position before it.
                Some("resume") => continue,
                _ => {}
            }
            games.last_mut().expect("a game begins with its opening line").push(line.as_str());
        }
        games
    }

    pub(super) fn ends_by(&self, how: impl Fn(&Move) -> bool) -> bool {
        self.moves().any(|said| said.is("game-over") && how(said))
    }

    pub(super) fn refuses(&self, reason: &str) -> bool {
        self.said.iter().any(|(_, said)| matches!(said, ConsoleLine::Refused(why) if why == reason))
    }

    pub(super) fn refusals(&self) -> usize {
        self.said.iter().filter(|(_, said)| matches!(said, ConsoleLine::Refused(_))).count()
    }

    pub(super) fn sounds(&self, hz: u32) -> bool {
        self.tones.iter().any(|tone| tone.hz == Some(hz))
    }

    pub(super) fn boots(&self) -> usize {
        self.said.iter().filter(|(_, said)| matches!(said, ConsoleLine::Boot)).count()
    }

    pub(super) fn count(&self, what: impl Fn(&Action) -> bool) -> usize {
        self.trace.lines.iter().filter(|line| what(&line.action)).count()
    }

    /// Returns the number of presses of a NUDGE.
    pub(super) fn presses(&self) -> usize {
        self.count(|action| match action {
            Action::Tap { button, .. } | Action::Press(button) => *button != Button::Reset,
            _ => false,
        })
    }

    /// Returns whether the trace is one game from start to end.
    pub(super) fn is_a_whole_game(&self) -> bool {
        let last_ends_it = self.moves().last().is_some_and(|said| said.is("game-over"));
        last_ends_it && self.games().len() == 1
    }

    /// Returns whether the trace is one game from start to end in which the top row moves without
    /// presses of its buttons.
    pub(super) fn is_against_the_computer(&self) -> bool {
        let played = [0, 1].map(|player| self.moves().any(|said| said.player() == player));
        self.is_a_whole_game() && played == [true; 2] && !self.touches_the_top_row()
    }

    /// Returns whether the trace is one game from start to end of 25 moves or more, three seconds
    /// apart.
    pub(super) fn is_a_calm_whole_game(&self) -> bool {
        let mut since = Nanos::from_secs(3);
        let mut calm = true;
        for line in &self.trace.lines {
            if let When::After(after) = line.when {
                since = since.saturating_add(after);
            }
            if matches!(line.action, Action::Tap { .. }) {
                calm &= since >= Nanos::from_secs(3);
                since = Nanos::ZERO;
            }
        }
        calm && self.is_a_whole_game() && self.moves().count() >= 25
    }
}

impl ConsoleLine {
    /// Parses a line; `board` is the position before it, and is updated to the one after it.
    fn of(line: &str, board: &mut Position) -> Self {
        let words =
            |key| field(line, key).unwrap_or_else(|| panic!("no {key} in: {line}")).to_owned();
        match line.split(' ').next() {
            Some("boot") => Self::Boot,
            Some("stuck") => Self::Stuck(words("button=")),
            Some("refused") => Self::Refused(words("reason=")),
            Some("position") => {
                let stones: Vec<u32> =
                    words("board=").split(',').map(|stones| stones.parse().unwrap()).collect();
                let stones = stones.try_into().expect("fourteen places");
                let to = Position { stones, turn: words("turn=").parse().ok() };
                let from = std::mem::replace(board, to);
                let (before, after, how) = (from.stones, to.stones, words("move="));
                match (how.as_str(), how.parse()) {
                    (_, Ok(cup)) => {
                        let events = words("event=").split(',').map(str::to_owned).collect();
                        Self::Move(Move { from, to, before, after, cup, events })
                    }
                    ("-", _) => Self::Opening(to),
                    _ => Self::Change(Change { how, before, to }),
                }
            }
            Some(
                "option" | "saved" | "loaded" | "restored" | "log" | "logged" | "deleted" | "off"
                | "storage" | "dropped" | "setting" | "totals" | "seed" | "factory" | "help"
                | "stored" | "import" | "importing" | "imported" | "error",
            ) => Self::Other,
            _ => panic!("a line that this test does not know: {line}"),
        }
    }
}

impl Move {
    pub(super) fn captures_with_nothing_opposite(&self) -> bool {
        self.captures() && self.before[12 - self.last()] == 0 && self.sown() < 7
    }

    /// Returns whether stones remain in the cups.
    pub(super) fn leaves_seeds(&self) -> bool {
        self.after.iter().sum::<u32>() > self.stores().iter().sum()
    }

    pub(super) fn is(&self, event: &str) -> bool {
        self.events.iter().any(|named| named == event)
    }

    pub(super) fn captures(&self) -> bool {
        self.events.iter().any(|named| named.starts_with("capture:"))
    }

    /// Returns 0 for Player 1 at the bottom, 1 for Player 2.
    pub(super) fn player(&self) -> usize {
        self.cup / 7
    }

    pub(super) fn sown(&self) -> u32 {
        self.before[self.cup]
    }

    /// Returns the place of the last stone.
    pub(super) fn last(&self) -> usize {
        let others_store = if self.player() == 0 { 13 } else { 6 };
        let mut place = self.cup;
        for _ in 0..self.sown() {
            place = (place + 1) % 14;
            if place == others_store {
                place = (place + 1) % 14;
            }
        }
        place
    }

    /// Returns whether the last stone of a move of less than a lap fell into an empty cup of the
    /// player's own.
    pub(super) fn ends_in_own_empty_cup(&self) -> bool {
        let last = self.last();
        last % 7 != 6 && last / 7 == self.player() && self.before[last] == 0 && self.sown() < 13
    }

    /// Returns the increase of stones in each place except the source.
    pub(super) fn gains(&self) -> [u32; 14] {
        std::array::from_fn(|place| {
            if place == self.cup { 0 } else { self.after[place] - self.before[place] }
        })
    }

    pub(super) fn stores(&self) -> [u32; 2] {
        [self.after[6], self.after[13]]
    }
}
