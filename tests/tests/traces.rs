//! The traces of `tests/traces`: each passes, each follows the rules of the source document,
//! each shows what `tests/README.md` says it shows, and all are fit for every board.
//!
//! What a trace shows is looked up in what the board said and sounded while it was replayed, not
//! in the trace's own comments. This file knows no pixel: goldens compare those.

use std::fs;
use std::path::{Path, PathBuf};

use hal_mock::board::Tone;
use hal_mock::replay::{Options, Unjudged, Verdict, replay};
use hal_mock::text::Reader;
use hal_mock::trace::{self, Action, Trace, When};
use hal_mock::{Button, Nanos};
use nudge_tests::{reference, session};
use simulator::runner::{self, Exit};
use simulator::{native, setup::SetupError};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces");
const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// Stones on the board, in every position.
const STONES: u32 = 48;
/// The tone of a press that does nothing, in Hz.
const ERROR_TONE: u32 = 220;

/// A scene that must be there, the trace that shows it, and how to tell.
type Scene = (&'static str, &'static str, fn(&Played) -> bool);

const SCENES: &[Scene] = &[
    (
        "the source's example of twelve stones, which ends in the own #4",
        "twelve-stones",
        |played| {
            played.moves().any(|said| {
                said.cup == 3
                    && said.sown() == 12
                    && said.gains() == [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]
            })
        },
    ),
    ("FREE TURN, of both players", "free-turn", |played| {
        [0, 1].map(|player| {
            played.moves().any(|said| said.is("free-turn") && said.player() == player)
        }) == [true, true]
    }),
    ("BONUS with stones opposite", "bonus", |played| played.moves().any(Move::captures)),
    ("BONUS of Player 2", "bonus-player-2", |played| {
        played.moves().any(|said| said.captures() && said.player() == 1)
    }),
    ("no BONUS without stones opposite", "no-bonus", |played| {
        played.moves().any(|said| {
            said.ends_in_own_empty_cup() && said.before[12 - said.last()] == 0 && !said.captures()
        })
    }),
    ("no BONUS in an empty cup of the opponent", "no-bonus-across", |played| {
        played.moves().any(|said| {
            let last = said.last();
            last % 7 != 6 && last / 7 != said.player() && said.before[last] == 0 && said.is("none")
        })
    }),
    ("a lap of 13 that captures in its own source cup", "lap-13", |played| {
        played.moves().any(|said| said.sown() == 13 && said.last() == said.cup && said.captures())
    }),
    ("a lap of more than 13", "lap-14", |played| {
        played.moves().any(|said| said.sown() > 13 && said.after[said.cup] == 1)
    }),
    ("an end by FREE TURN", "end-free-turn", |played| played.ends_by(|said| said.is("free-turn"))),
    ("an end by BONUS", "end-bonus", |played| played.ends_by(Move::captures)),
    ("an end by a plain move", "end-sow", |played| {
        played.ends_by(|said| !said.captures() && !said.is("free-turn"))
    }),
    ("a DRAW", "draw", |played| {
        played.ends_by(|said| said.is("draw") && said.stores() == [24, 24])
    }),
    ("RESET in the middle of the animation", "reset-while-sowing", |played| {
        played.said.windows(2).any(|pair| match pair {
            // Four stones take 720 ms and the FREE TURN another 320.
            [(sown_at, Said::Move(said)), (reset_at, Said::Opening)] => {
                said.sown() == 4 && *reset_at - *sown_at < Nanos::from_millis(600)
            }
            _ => false,
        })
    }),
    ("RESET after the game is over, and another game", "reset-after-the-end", |played| {
        played.said.windows(3).any(|three| match three {
            [(_, Said::Move(last)), (_, Said::Opening), (_, Said::Move(_))] => last.is("game-over"),
            _ => false,
        })
    }),
    ("RESET while a press is explained", "reset-in-mid-game", |played| {
        played.said.windows(2).any(|pair| {
            matches!(pair, [(at, Said::Refused(_)), (then, Said::Opening)]
                if *then - *at < Nanos::from_secs(2))
        })
    }),
    ("illegal presses explained: an empty cup, the opponent's", "illegal-press", |played| {
        played.refuses("empty") && played.refuses("not-yours") && played.sounds(ERROR_TONE)
    }),
    ("an illegal press after the end", "illegal-after-the-end", |played| {
        played.refuses("game-over") && played.sounds(ERROR_TONE)
    }),
    ("a press while stones move only finishes the movement", "finish-the-movement", |played| {
        played.presses() == 3 && played.moves().count() == 2 && played.refusals() == 0
    }),
    ("a player who taps twice for each move", "quick-player", |played| {
        played.presses() == 2 * played.moves().count() && played.ends_by(|_| true)
    }),
    ("two buttons in the same nanosecond", "together", |played| {
        // The other way round T1 would be refused.
        played.presses() == 2
            && played.moves().map(|said| said.cup).eq([0])
            && played.refusals() == 0
    }),
    ("contacts that bounce: a press counts once", "bounce", |played| {
        played.trace.get("bounce").is_some_and(|entry| entry.value == "4ms")
            && played.moves().map(|said| said.cup).eq([2, 5, 10, 0])
            && played.refusals() == 0
    }),
    ("a button stuck at power-on", "stuck-button", |played| {
        played.said.iter().any(|(_, said)| matches!(said, Said::Stuck(button) if button == "B2"))
            && played.moves().map(|said| said.cup).eq([2, 1])
    }),
    ("a button that goes down while the LCD starts", "pressed-while-starting", |played| {
        played.moves().map(|said| said.cup).eq([2])
    }),
    ("power off and on in mid-game", "power-cycle", |played| played.boots() == 2),
    ("a board without sound", "sound-off", |played| {
        played.refuses("empty")
            && played.moves().count() > 0
            && played.tones.iter().all(|tone| tone.hz.is_none())
    }),
    ("a whole game at a calm pace", "game-1", Played::is_a_calm_whole_game),
    ("another whole game at a calm pace", "game-2", Played::is_a_calm_whole_game),
    ("a short game for looking at", "demo", |played| {
        let screenshots = played.count(|action| matches!(action, Action::Screenshot(_)));
        (6..=9).contains(&screenshots)
            && played.moves().any(|said| said.is("free-turn"))
            && played.moves().any(Move::captures)
            && played.refuses("not-yours")
            && played.ends_by(|_| true)
    }),
    ("a whole game of family, swept at the end", "family/game-1", |played| {
        played.is_a_calm_whole_game() && played.ends_by(|said| said.is("game-over"))
    }),
    ("another one, begun by Player B", "family/game-2", |played| {
        played.is_a_calm_whole_game() && played.opens_with(1)
    }),
    ("a capture in family with nothing opposite", "family/nothing-opposite", |played| {
        played.moves().any(Move::captures_with_nothing_opposite)
    }),
    ("the coin in family", "family/coin", |played| played.opens_with(0) && played.opens_with(1)),
    ("first pins the first game of family only", "family/first", |played| {
        played.opens_with(0) && !played.opens_with(1)
    }),
    ("a whole game of top-bottom without a sweep", "top-bottom/game-1", |played| {
        played.is_a_calm_whole_game() && played.ends_by(Move::leaves_seeds)
    }),
    ("another one, begun by Top", "top-bottom/game-2", |played| {
        played.is_a_calm_whole_game() && played.opens_with(1) && played.ends_by(Move::leaves_seeds)
    }),
    ("a lap of 13 that captures nothing in top-bottom", "top-bottom/lap-13", |played| {
        played.moves().any(|said| said.sown() == 13 && said.last() == said.cup && !said.captures())
    }),
    ("a lap of 14 that captures in top-bottom", "top-bottom/lap-14", |played| {
        played.moves().any(|said| said.sown() == 14 && said.captures())
    }),
    ("a capture in top-bottom with nothing opposite", "top-bottom/nothing-opposite", |played| {
        played.moves().any(Move::captures_with_nothing_opposite)
    }),
    ("the coin in top-bottom", "top-bottom/coin", |played| {
        played.opens_with(0) && played.opens_with(1)
    }),
    ("first pins the first game of top-bottom only", "top-bottom/first", |played| {
        played.opens_with(1) && !played.opens_with(0)
    }),
];

#[test]
fn every_trace_passes() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let options = runner::Options { quiet: true, ..runner::Options::default() };
    let build = |trace: &Trace| -> Result<_, SetupError> { native::build(trace, None) };
    let reader = Reader::new(native::fonts());
    let exit = runner::run(&[PathBuf::from(FOLDER)], &options, &build, &reader, &mut out, &mut err)
        .unwrap();
    let said = [out, err].map(|text| String::from_utf8(text).unwrap()).concat();
    assert_eq!(exit, Exit::Passed, "{said}");
    assert_eq!(said, format!("{} passed, 0 failed\n", stems().len()));
}

#[test]
fn every_scene_has_a_trace_that_shows_it() {
    for (row, stem, shows) in SCENES {
        let played = Played::of(stem);
        assert!(shows(&played), "{stem}.trace does not show: {row}");
    }
}

#[test]
fn every_trace_shows_a_scene_and_has_its_row_in_the_readme() {
    let readme = fs::read_to_string(README).unwrap();
    for stem in stems() {
        assert!(SCENES.iter().any(|(_, named, _)| *named == stem), "{stem}.trace shows no scene");
        let link = format!("](traces/{stem}.trace)");
        assert!(readme.contains(&link), "tests/README.md has no row for {stem}{link}");
    }
}

#[test]
fn every_game_of_every_trace_of_board_follows_the_source_document() {
    for stem in stems().into_iter().filter(|stem| !stem.contains('/')) {
        for (number, game) in Played::of(&stem).games().into_iter().enumerate() {
            let cups: Vec<usize> =
                game.iter().filter_map(|line| field(line, "move=")?.parse().ok()).collect();
            let expected = reference::lines(&cups).unwrap_or_else(|(number, refusal)| {
                panic!("{stem}.trace: move {number} should be refused: {refusal:?}")
            });
            assert_eq!(game, expected, "{stem}.trace, game {number}");
        }
    }
}

#[test]
fn there_are_always_48_stones() {
    for stem in stems() {
        for said in Played::of(&stem).moves() {
            assert_eq!(said.after.iter().sum::<u32>(), STONES, "{stem}.trace, cup {}", said.cup);
        }
    }
}

/// A slower board needs longer for a screen, and a real one is on another clock.
#[test]
fn every_trace_is_fit_for_slower_boards() {
    for stem in stems() {
        let trace = load(&stem);
        let mut settled = false;
        for (number, line) in trace.lines.iter().enumerate() {
            let relative = matches!(line.when, When::After(_));
            assert!(number == 0 || relative, "{stem}.trace:{}: an absolute time", line.place);
            match &line.action {
                Action::Settle { .. } => settled = true,
                Action::ExpectFrame(_) => {
                    assert!(settled, "{stem}.trace:{}: no `settle` before it", line.place);
                }
                action if is_touch(action) => settled = false,
                _ => {}
            }
        }
        assert_eq!(trace.lines.last().map(|line| &line.action), Some(&Action::End), "{stem}.trace");
    }
}

#[test]
fn every_trace_survives_its_own_writer() {
    for stem in stems() {
        let trace = load(&stem);
        let written = trace.to_string();
        let again = trace::parse("again.trace", &written).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.to_string(), written, "{stem}.trace");
        assert_eq!(again.lines.len(), trace.lines.len(), "{stem}.trace");
    }
}

/// The traces' names below the folder without `.trace`, sorted; those of the systems other
/// than `board` stand in folders of their own.
fn stems() -> Vec<String> {
    let found = runner::find(&[PathBuf::from(FOLDER)], None).unwrap();
    found
        .into_iter()
        .map(|found| {
            let below = found.path.strip_prefix(FOLDER).unwrap().with_extension("");
            below.to_str().unwrap().replace('\\', "/")
        })
        .collect()
}

fn load(stem: &str) -> Trace {
    let path = Path::new(FOLDER).join(format!("{stem}.trace"));
    trace::load(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// What comes behind `key` in a console line, up to the next blank.
fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split(' ').find_map(|word| word.strip_prefix(key))
}

/// Whether a finger or the plug moves.
fn is_touch(action: &Action) -> bool {
    matches!(
        action,
        Action::Tap { .. }
            | Action::Press(_)
            | Action::Release(_)
            | Action::PowerOn
            | Action::PowerOff
    )
}

/// A trace and what the board said and sounded while it was replayed.
struct Played {
    trace: Trace,
    lines: Vec<String>,
    said: Vec<(Nanos, Said)>,
    tones: Vec<Tone>,
}

/// A line of the console.
enum Said {
    Boot,
    Opening,
    Move(Move),
    Refused(String),
    Stuck(String),
}

/// A line of the console about a move.
struct Move {
    before: [u32; 14],
    after: [u32; 14],
    cup: usize,
    events: Vec<String>,
}

impl Played {
    #[track_caller]
    fn of(stem: &str) -> Self {
        let trace = load(stem);
        let mut machine = session::machine(&trace);
        let reader = Reader::new(native::fonts());
        let outcome =
            // `every_trace_passes` compares the goldens.
            replay(&trace, machine.as_mut(), &reader, &mut Unjudged, &Options::default());
        assert_eq!(outcome.verdict, Verdict::Passed, "{stem}.trace");
        let mut before = [0; 14];
        let mut lines = Vec::new();
        let mut said = Vec::new();
        for line in machine.board().console_lines() {
            said.push((line.at, Said::of(&line.text, &mut before)));
            lines.push(line.text);
        }
        Self { trace, lines, said, tones: machine.board().tones() }
    }

    /// Whether a game opens with the turn of `player`.
    fn opens_with(&self, player: usize) -> bool {
        let opening = format!("turn={player} move=- ");
        self.lines.iter().any(|line| line.contains(&opening))
    }

    fn moves(&self) -> impl Iterator<Item = &Move> {
        self.said.iter().filter_map(|(_, said)| match said {
            Said::Move(said) => Some(said),
            _ => None,
        })
    }

    /// The position lines, game by game.
    fn games(&self) -> Vec<Vec<&str>> {
        let mut games = Vec::new();
        for line in self.lines.iter().filter(|line| line.starts_with("position ")) {
            if field(line, "move=") == Some("-") {
                games.push(Vec::new());
            }
            games.last_mut().expect("a game begins with its opening line").push(line.as_str());
        }
        games
    }

    fn ends_by(&self, how: impl Fn(&Move) -> bool) -> bool {
        self.moves().any(|said| said.is("game-over") && how(said))
    }

    fn refuses(&self, reason: &str) -> bool {
        self.said.iter().any(|(_, said)| matches!(said, Said::Refused(why) if why == reason))
    }

    fn refusals(&self) -> usize {
        self.said.iter().filter(|(_, said)| matches!(said, Said::Refused(_))).count()
    }

    fn sounds(&self, hz: u32) -> bool {
        self.tones.iter().any(|tone| tone.hz == Some(hz))
    }

    fn boots(&self) -> usize {
        self.said.iter().filter(|(_, said)| matches!(said, Said::Boot)).count()
    }

    fn count(&self, what: impl Fn(&Action) -> bool) -> usize {
        self.trace.lines.iter().filter(|line| what(&line.action)).count()
    }

    /// How often a NUDGE goes down.
    fn presses(&self) -> usize {
        self.count(|action| match action {
            Action::Tap { button, .. } | Action::Press(button) => *button != Button::Reset,
            _ => false,
        })
    }

    /// One game from start to end, of 25 moves or more, three seconds apart.
    fn is_a_calm_whole_game(&self) -> bool {
        let mut since = Nanos::from_secs(3);
        let mut calm = true;
        for line in &self.trace.lines {
            if let When::After(after) = line.when {
                since += after;
            }
            if matches!(line.action, Action::Tap { .. }) {
                calm &= since >= Nanos::from_secs(3);
                since = Nanos::ZERO;
            }
        }
        let last_ends_it = self.moves().last().is_some_and(|said| said.is("game-over"));
        calm && last_ends_it && self.games().len() == 1 && self.moves().count() >= 25
    }
}

impl Said {
    /// Reads a line; `board` is the position before it, and then the one after it.
    fn of(line: &str, board: &mut [u32; 14]) -> Self {
        let words =
            |key| field(line, key).unwrap_or_else(|| panic!("no {key} in: {line}")).to_owned();
        match line.split(' ').next() {
            Some("boot") => Self::Boot,
            Some("stuck") => Self::Stuck(words("button=")),
            Some("refused") => Self::Refused(words("reason=")),
            Some("position") => {
                let stones: Vec<u32> =
                    words("board=").split(',').map(|stones| stones.parse().unwrap()).collect();
                let after = stones.try_into().expect("fourteen places");
                let before = std::mem::replace(board, after);
                match words("move=").parse() {
                    Ok(cup) => {
                        let events = words("event=").split(',').map(str::to_owned).collect();
                        Self::Move(Move { before, after, cup, events })
                    }
                    Err(_) => Self::Opening,
                }
            }
            _ => panic!("a line that this test does not know: {line}"),
        }
    }
}

impl Move {
    fn captures_with_nothing_opposite(&self) -> bool {
        self.captures() && self.before[12 - self.last()] == 0 && self.sown() < 7
    }

    /// Whether stones stay in the cups.
    fn leaves_seeds(&self) -> bool {
        self.after.iter().sum::<u32>() > self.stores().iter().sum()
    }

    fn is(&self, event: &str) -> bool {
        self.events.iter().any(|named| named == event)
    }

    fn captures(&self) -> bool {
        self.events.iter().any(|named| named.starts_with("capture:"))
    }

    /// 0 for Player 1 at the bottom, 1 for Player 2.
    fn player(&self) -> usize {
        self.cup / 7
    }

    fn sown(&self) -> u32 {
        self.before[self.cup]
    }

    /// The place of the last stone.
    fn last(&self) -> usize {
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

    /// Whether the last stone found an own cup empty; of less than a lap.
    fn ends_in_own_empty_cup(&self) -> bool {
        let last = self.last();
        last % 7 != 6 && last / 7 == self.player() && self.before[last] == 0 && self.sown() < 13
    }

    /// Stones that each place but the source has more.
    fn gains(&self) -> [u32; 14] {
        std::array::from_fn(|place| {
            if place == self.cup { 0 } else { self.after[place] - self.before[place] }
        })
    }

    fn stores(&self) -> [u32; 2] {
        [self.after[6], self.after[13]]
    }
}
