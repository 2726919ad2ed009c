//! Whole random games through the wire, against the reference: buttons in, console lines out.
//!
//! Every move's console line must be the reference's, letter by letter; every press that the
//! rules do not allow must change nothing and say why. `NUDGE_GAMES` is how many games are
//! played, `NUDGE_SEED` plays just one.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use hal_mock::replay::{Goldens, Options, Verdict, replay};
use hal_mock::text::Reader;
use hal_mock::trace::parse;
use hal_mock::{Button, Frame, Nanos};
use nudge_tests::dice::Dice;
use nudge_tests::glance::Eye;
use nudge_tests::reference::{Game, lines};
use nudge_tests::session::{Session, machine};

/// Games of a normal run.
const GAMES: u64 = 300;
/// Moves and refused presses that no game reaches: every stone sown comes nearer to a store.
const LINES_MOST: usize = 1_000;
/// What must have happened somewhere in so many games; a DRAW is the rarest.
const EVENTS: [&str; 14] = [
    "event=none",
    "event=free-turn ",
    "event=capture:",
    "event=sweep:",
    "event=free-turn,sweep:",
    "event=capture:2 ",
    ",sweep:",
    "game-over,winner:0",
    "game-over,winner:1",
    "game-over,draw",
    "turn=- ",
    "reason=empty",
    "reason=not-yours",
    "reason=game-over",
];

/// The button beside the cup with this index on the console, and the index beside a button.
const CUPS: [(Button, usize); 12] = [
    (Button::B1, 0),
    (Button::B2, 1),
    (Button::B3, 2),
    (Button::B4, 3),
    (Button::B5, 4),
    (Button::B6, 5),
    (Button::T6, 7),
    (Button::T5, 8),
    (Button::T4, 9),
    (Button::T3, 10),
    (Button::T2, 11),
    (Button::T1, 12),
];

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is no whole number")))
}

/// A game in progress, on the board and in the reference.
struct Match {
    dice: Dice,
    session: Session,
    game: Game,
    /// Whether every stone of the last move has come to rest.
    at_rest: bool,
    /// The lines that the board must have said.
    said: Vec<String>,
}

impl Match {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let bounce = Nanos::from_micros(dice.below(2) * dice.below(4_000));
        let mut session = Session::new(seed, bounce);
        let game = Game::new();
        let opening = session.heard();
        assert_eq!(opening.last(), Some(&game.opening_line()), "after power-on");
        Self { dice, session, game, at_rest: true, said: Vec::new() }
    }

    /// Plays on until the game is over.
    fn play(&mut self) {
        while self.game.turn().is_some() {
            if self.dice.once_in(4) {
                self.press_in_vain();
            }
            let cup = self.dice.pick(&self.game.moves()).expect("somebody can move");
            self.sow(cup);
            assert!(self.said.len() < LINES_MOST, "the game does not end");
        }
    }

    fn sow(&mut self, cup: usize) {
        self.rest();
        let expected = self.game.play(cup).expect("it was chosen among the allowed ones");
        self.check_press(cup, &expected);
        self.at_rest = false;
    }

    /// Presses a button that the rules do not allow now, if there is one.
    fn press_in_vain(&mut self) {
        let refused: Vec<(Button, usize)> =
            CUPS.into_iter().filter(|(_, cup)| self.game.refusal(*cup).is_some()).collect();
        let Some((button, cup)) = self.dice.pick(&refused) else { return };
        let reason = self.game.refusal(cup).expect("it was chosen so");
        self.rest();
        self.check_press(cup, &format!("refused button={button} reason={reason}"));
    }

    /// Presses the button of `cup` and holds what the console says against `expected`.
    fn check_press(&mut self, cup: usize, expected: &str) {
        let button = CUPS.iter().find(|(_, other)| *other == cup).expect("a cup").0;
        self.session.tap(button);
        self.session.wait(Nanos::from_millis(20));
        self.session.must_have_said(expected);
        self.said.push(expected.to_owned());
        assert_eq!(self.session.heard(), [expected], "after a press of {button}");
    }

    /// Lets the stones come to rest: by waiting, or by a press that only ends the movement.
    fn rest(&mut self) {
        if self.at_rest {
            return;
        }
        self.at_rest = true;
        if self.dice.once_in(3) {
            self.session.settle();
        } else {
            let (button, _) = self.dice.pick(&CUPS).expect("there are twelve");
            self.session.wait(Nanos::from_millis(self.dice.below(60)));
            self.session.tap(button);
            self.session.wait(Nanos::from_millis(20));
        }
        assert_eq!(self.session.heard(), [""; 0], "stones that move take no press");
    }

    /// The finished game, looked at: nothing moves it but RESET.
    fn finish(&mut self, eye: &Eye) {
        self.session.settle();
        self.at_rest = true;
        let shown = eye.glance(&self.session.board().frame());
        assert_eq!(shown.digits, self.game.holes().map(Some), "on the LCD at the end");
        self.press_in_vain();
        self.game = Game::new();
        self.session.tap(Button::Reset);
        self.session.wait(Nanos::from_millis(20));
        let opening = self.game.opening_line();
        self.session.must_have_said(&opening);
        assert_eq!(self.session.heard(), [opening], "after RESET");
        assert_eq!(self.session.board().violations(), [], "the LCD's datasheet");
    }
}

/// Plays the game of `seed` to its end. A failure says how to play it again and
/// leaves it as a trace.
fn play(seed: u64, eye: &Eye) -> Match {
    let mut table = Match::new(seed);
    let played = catch_unwind(AssertUnwindSafe(|| {
        table.play();
        table.finish(eye);
    }));
    if let Err(panic) = played {
        let folder = env!("CARGO_TARGET_TMPDIR");
        let path = table.session.save(folder, &format!("differential-{seed}"));
        eprintln!(
            "seed {seed} differs from the reference; play just this game again:\n  \
             NUDGE_SEED={seed} cargo test -p nudge-tests --test differential\nor its trace:\n  \
             nudge replay {}",
            path.display()
        );
        resume_unwind(panic);
    }
    table
}

#[test]
fn random_games_go_move_by_move_as_the_reference_says() {
    let eye = Eye::default();
    if let Some(seed) = number("NUDGE_SEED") {
        play(seed, &eye);
        return;
    }
    let mut missing = EVENTS.to_vec();
    for seed in 0..number("NUDGE_GAMES").unwrap_or(GAMES).max(GAMES) {
        let said = play(seed, &eye).said;
        missing.retain(|event| !said.iter().any(|line| line.contains(event)));
    }
    assert_eq!(missing, [""; 0], "never happened, so never compared");
}

#[test]
fn a_game_that_was_played_here_is_a_trace_that_passes_on_a_fresh_board() {
    let played = play(3, &Eye::default());
    let text = played.session.trace().to_string();
    let trace = parse("game.trace", &text).expect("it parses");
    let mut machine = machine(&trace);
    let nobody = Reader::new(Vec::new());
    let outcome = replay(&trace, machine.as_mut(), &nobody, &mut NoGoldens, &Options::default());
    assert_eq!(outcome.verdict, Verdict::Passed);
    let (here, there) = (played.session.board(), machine.board());
    assert_eq!(there.console_lines(), here.console_lines());
    assert!(there.frame() == here.frame(), "the last frames differ");
}

/// There are no golden frames here.
struct NoGoldens;

impl Goldens for NoGoldens {
    fn check(&mut self, name: &str, _actual: &Frame) -> Result<(), String> {
        Err(format!("{name}: there are no goldens here"))
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), String> {
        Ok(())
    }
}

/// The stones after `cup` was sown from `holes`, and what its line says happened.
fn sown(holes: [u32; 14], turn: usize, cup: usize) -> (String, String) {
    let mut game = Game::at(holes, turn);
    let line = game.play(cup).expect("allowed");
    let field = |name: &str| {
        let found = line.split(' ').find_map(|word| word.strip_prefix(name));
        found.expect("every line has it").to_owned()
    };
    (field("board="), field("event="))
}

#[test]
fn the_reference_plays_the_source_s_example_of_twelve_stones_with_its_error_mended() {
    // "Assume that a player has 12 stones in cup #3": #3 is index 3, #4 index 2.
    let holes = [1, 1, 1, 12, 1, 1, 0, 1, 1, 1, 1, 1, 1, 9];
    let (board, event) = sown(holes, 0, 3);
    assert_eq!((board.as_str(), event.as_str()), ("2,2,2,0,2,2,1,2,2,2,2,2,2,9", "none"));
}

#[test]
fn the_reference_captures_after_a_lap_of_thirteen() {
    let holes = [0, 0, 13, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 31];
    let (board, event) = sown(holes, 0, 2);
    // The thirteenth stone falls into its own cup, empty since it was lifted; across lie 0 + 1.
    assert_eq!((board.as_str(), event.as_str()), ("1,1,0,1,1,2,3,1,1,1,0,1,4,31", "capture:2"));
}

#[test]
fn the_reference_ends_a_game_by_a_free_turn_and_keeps_the_event() {
    let holes = [0, 0, 0, 0, 0, 1, 23, 0, 0, 0, 0, 0, 2, 22];
    let (board, event) = sown(holes, 0, 5);
    assert_eq!(board, "0,0,0,0,0,0,24,0,0,0,0,0,0,24");
    assert_eq!(event, "free-turn,sweep:2,game-over,draw");
}

#[test]
fn the_reference_refuses_with_the_number_of_the_move() {
    use nudge_tests::reference::Refusal::NotYours;
    assert_eq!(lines(&[0, 1]), Err((1, NotYours)));
    assert_eq!(lines(&[2]).map(|lines| lines.len()), Ok(2));
}
