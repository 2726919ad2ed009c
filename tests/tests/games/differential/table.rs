//! A game in progress, on the board and in the reference, and its players.

use super::*;

/// The button of each cup, with the cup's index on the console.
pub(super) const CUPS: [(Button, usize); 12] = [
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

/// A player's strategy among the legal moves.
#[derive(Clone, Copy)]
enum Strategy {
    /// A random move.
    Any,
    /// The move with the most rare events.
    Seldom,
    /// Never the fullest cup, so that it grows full enough for laps.
    Hoarding,
    /// A move without a capture: long games with stones all over the board.
    Peaceful,
    /// The move that makes the scores most equal, to reach draws.
    Even,
    /// The move that leaves the fewest stones in the cups, to end with both sides bare.
    Emptying,
}

impl Strategy {
    const ALL: [Self; 6] =
        [Self::Any, Self::Seldom, Self::Hoarding, Self::Peaceful, Self::Even, Self::Emptying];
}

/// A game in progress, on the board and in the reference.
pub(super) struct ComparedGame {
    dice: Dice,
    taste: Strategy,
    pub(super) session: Session,
    menus: Menus,
    game: Game,
    /// The positions before each move, for Undo.
    past: Vec<Game>,
    /// Number of moves after which the player to move resigns, if one does. It is not drawn at
    /// random, so the other games are the same as without it.
    resigns_after: Option<usize>,
    /// The game that the last restart replaced, for Undo before the first move.
    replaced: Option<(Game, Vec<Game>, String)>,
    /// The message of the last position.
    message: String,
    /// Whether every stone of the last move has come to rest.
    at_rest: bool,
    /// The expected lines of the board.
    pub(super) said: Vec<String>,
    /// The moves so far.
    pub(super) moves: Vec<Move>,
}

impl ComparedGame {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let variant = VARIANTS[(seed % VARIANTS.len() as u64) as usize];
        let taste = dice.pick(&Strategy::ALL).expect("there are some");
        let bounce = Nanos::from_micros(dice.below(2) * dice.below(4_000));
        let mut settings =
            header(&[("game", &variant.system.name()), ("seed", &seed), ("bounce", &bounce)]);
        if variant.system == System::Wari {
            let direction = if variant.bidirectional { "on" } else { "off" };
            settings.extend(header(&[("stones", &variant.stones), ("bidirectional", &direction)]));
        }
        let mut session = Session::new(settings);
        let opening = session.take_lines().pop().expect("a game opens with a line");
        // A coin may decide who begins; everything else is known.
        let first = usize::from(opening.contains(" turn=1 "));
        let game = Game::new(variant, first);
        assert_eq!(opening, game.opening_line(), "after power-on");
        if matches!(variant.system, System::Board | System::Wari) {
            assert_eq!(first, 0, "who begins the first game");
        }
        Self {
            dice,
            taste,
            session,
            menus: Menus::default(),
            game,
            past: Vec::new(),
            resigns_after: (seed % RESIGNED == RESIGNED - 1)
                .then_some((EARLIEST_RESIGNATION + seed / RESIGNED) as usize),
            replaced: None,
            message: message_of(&opening).to_owned(),
            at_rest: true,
            said: Vec::new(),
            moves: Vec::new(),
        }
    }

    pub(super) fn system(&self) -> System {
        self.game.variant().system
    }

    /// Plays until the game is over.
    pub(super) fn play(&mut self) {
        while self.game.turn().is_some() {
            if self.dice.once_in(4) {
                self.press_illegal();
            }
            if self.dice.once_in(40) {
                self.undo();
            }
            if self.dice.once_in(120) {
                self.reset_in_the_middle();
            }
            assert!(self.past.len() < MOVES_MOST, "the game does not end");
            if self.resigns_after.is_some_and(|moves| self.past.len() >= moves) {
                self.resign();
                continue;
            }
            if self.system() == System::Wari && self.past.len() > CIRCLING {
                self.abandon();
            } else {
                let cup = self.choose();
                self.sow(cup);
            }
        }
    }

    /// Chooses a cup of the player to move.
    fn choose(&mut self) -> usize {
        let moves = self.game.moves();
        let any = self.dice.pick(&moves).expect("a legal move");
        let tried = |cup: usize| self.game.clone().play(cup).expect("it is allowed");
        let best = |worth: &dyn Fn(usize) -> usize| {
            // Among equal moves the choice is random.
            moves.iter().copied().max_by_key(|&cup| (worth(cup), cup == any))
        };
        let chosen = match self.taste {
            Strategy::Any => None,
            Strategy::Seldom => best(&|cup| rare::count(&tried(cup))),
            Strategy::Hoarding => best(&|cup| match self.game.holes()[cup] {
                stones @ 12..=14 => stones as usize,
                stones => 11_usize.saturating_sub(stones as usize),
            }),
            Strategy::Peaceful => best(&|cup| usize::from(tried(cup).caught.is_empty())),
            Strategy::Even => best(&|cup| {
                let after = tried(cup).after;
                60_usize.saturating_sub(after[6].abs_diff(after[13]) as usize)
            }),
            Strategy::Emptying => best(&|cup| {
                let made = tried(cup);
                (made.after[6] + made.after[13] - made.swept[0] - made.swept[1]) as usize
            }),
        };
        if self.dice.once_in(4) { any } else { chosen.unwrap_or(any) }
    }

    fn sow(&mut self, cup: usize) {
        self.rest();
        self.replaced = None;
        self.past.push(self.game.clone());
        let made = self.game.play(cup).expect("it was chosen among the allowed ones");
        self.press_cup(cup, &made.line);
        self.moves.push(made);
        self.at_rest = false;
    }

    /// Presses a button that the rules do not allow now, if there is one.
    fn press_illegal(&mut self) {
        let refused: Vec<(Button, usize)> =
            CUPS.into_iter().filter(|(_, cup)| self.game.refusal(*cup).is_some()).collect();
        let Some((button, cup)) = self.dice.pick(&refused) else { return };
        let reason = self.game.refusal(cup).expect("it was chosen so");
        self.rest();
        self.press_cup(cup, &format!("refused button={button} reason={reason}"));
    }

    /// Presses the button of `cup`, in `wari` twice, and compares the console's line with
    /// `expected`.
    fn press_cup(&mut self, cup: usize, expected: &str) {
        let button = CUPS.iter().find(|(_, other)| *other == cup).expect("a cup").0;
        if self.system() == System::Wari {
            if self.dice.once_in(8) {
                self.count_another(button);
            }
            if self.dice.once_in(60) {
                self.count_and_open_menu(button);
            }
            self.session.tap(button);
            self.session.wait_until_shown();
            assert_eq!(
                self.session.take_lines(),
                [""; 0],
                "the first press of {button} only counts"
            );
        }
        self.session.tap(button);
        self.must_answer(expected, &format!("after a press of {button}"));
    }

    /// Presses the button of another cup, which cancels the first press.
    fn count_another(&mut self, button: Button) {
        let others = CUPS.map(|(other, _)| other).into_iter().filter(|other| *other != button);
        let other = self.dice.pick(&others.collect::<Vec<_>>()).expect("there are eleven");
        self.session.tap(other);
        self.session.wait_until_shown();
        assert_eq!(self.session.take_lines(), [""; 0], "the first press of {other} only counts");
    }

    /// Opens the menu, which also cancels the first press: RESET is another button, too.
    fn count_and_open_menu(&mut self, button: Button) {
        self.session.tap(button);
        self.session.hold(&[Button::Reset], HOLD);
        self.session.wait_until_shown();
        self.session.tap(Button::Reset);
        self.session.wait_until_shown();
        assert_eq!(self.session.take_lines(), [""; 0], "a look into the menu");
    }

    /// Compares the console's lines with `expected`.
    #[track_caller]
    fn must_answer(&mut self, expected: &str, when: &str) {
        self.session.wait(ANSWER);
        self.session.expect_line(expected);
        self.said.push(expected.to_owned());
        if expected.starts_with("position ") {
            self.message = message_of(expected).to_owned();
        }
        assert_eq!(self.session.take_lines(), [expected], "{when}");
        self.session.wait_until_shown();
    }

    /// Waits until the stones are at rest, or presses a button that only ends the movement.
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
            self.session.wait_until_shown();
        }
        assert_eq!(self.session.take_lines(), [""; 0], "stones that move take no press");
    }

    /// Opens the menu and chooses `entry` there.
    fn choose_entry(&mut self, entry: &str) {
        self.session.hold(&[Button::Reset], HOLD);
        for button in self.menus.way_to(entry) {
            self.session.wait_until_shown();
            self.session.tap(button);
        }
    }

    /// Undoes moves, where that is possible.
    fn undo(&mut self) {
        for _ in 0..=self.dice.below(3) {
            if let Some((game, past, message)) = self.replaced.take() {
                self.choose_entry("Undo");
                (self.game, self.past) = (game, past);
                let line = self.game.undo_line();
                let line = line.replace(message_of(&line), &message);
                self.message = message;
                self.session.wait_until_shown();
                self.session.expect_line(&line);
                self.said.push(line.clone());
                let restored = format!("restored game={}", self.system().name());
                self.said.push(restored.clone());
                assert_eq!(self.session.take_lines(), [restored, line], "after Undo of a restart");
                self.at_rest = true;
                continue;
            }
            if self.system() == System::Family || self.past.is_empty() {
                // The LCD reports that nothing can be undone, and OK leads back to the board.
                self.choose_entry("Undo");
                self.session.wait_until_shown();
                self.session.tap(OK);
                self.session.wait_until_shown();
                assert_eq!(self.session.take_lines(), [""; 0], "there is nothing to take back");
                self.at_rest = true;
                return;
            }
            self.choose_entry("Undo");
            self.game = self.past.pop().expect("it is not empty");
            self.must_answer(&self.game.undo_line(), "after Undo");
            self.at_rest = true;
        }
    }

    /// Presses RESET in mid-game: a new game begins at once or after YES.
    fn reset_in_the_middle(&mut self) {
        let asks = self.system() == System::Wari && !self.past.is_empty();
        self.session.tap(Button::Reset);
        if asks {
            self.session.wait_until_shown();
            assert_eq!(self.session.take_lines(), [""; 0], "it asks");
            self.at_rest = true;
            if self.dice.once_in(2) {
                self.session.tap(NO);
                self.session.wait_until_shown();
                return;
            }
            self.session.tap(YES);
        }
        if !self.past.is_empty() {
            let past = std::mem::take(&mut self.past);
            self.replaced = Some((self.game.clone(), past, self.message.clone()));
        }
        self.expect_new_game("after RESET");
        if self.dice.once_in(2) {
            self.undo();
        }
    }

    /// Checks the opening of the next game.
    fn expect_new_game(&mut self, when: &str) {
        self.session.wait(ANSWER);
        let heard = self.session.take_lines();
        let first = match self.system() {
            System::Family | System::TopBottom => {
                usize::from(heard.iter().any(|line| line.contains(" turn=1 ")))
            }
            System::Board | System::Wari => self.game.next_first(),
        };
        self.game = Game::new(self.game.variant(), first);
        self.past.clear();
        self.at_rest = true;
        let opening = self.game.opening_line();
        self.message = message_of(&opening).to_owned();
        self.session.expect_line(&opening);
        assert_eq!(heard, [opening], "{when}");
        self.session.wait_until_shown();
    }

    /// Both players agree to stop.
    fn abandon(&mut self) {
        self.choose_entry("Abandon play");
        for _ in 0..2 {
            self.session.wait_until_shown();
            self.session.tap(YES);
        }
        let line = self.game.abandon();
        self.past.clear();
        self.must_answer(&line, "after both agreed");
        self.at_rest = true;
    }

    /// The player to move resigns.
    fn resign(&mut self) {
        let player = self.game.turn().expect("a game that goes on");
        self.choose_entry("Resign");
        self.session.wait_until_shown();
        self.session.tap(YES);
        let line = self.game.resign(player);
        self.past.clear();
        self.must_answer(&line, "after a resignation");
        self.at_rest = true;
    }

    /// Checks the finished game: only RESET changes it, or OK under the totals.
    pub(super) fn finish(&mut self, eye: &GameReader) {
        self.session.settle();
        self.at_rest = true;
        if self.system() == System::Wari {
            self.press_illegal();
            if self.dice.once_in(2) {
                // The totals appear without a press.
                self.session.wait(Nanos::from_secs(5));
                self.session.tap(OK);
                self.expect_new_game("after OK");
                return;
            }
        } else {
            let shown = eye.glance(&self.session.board().frame(), Table::StoresAtTheEnds);
            assert_eq!(shown.digits, self.game.holes().map(Some), "on the LCD at the end");
            self.press_illegal();
        }
        self.session.tap(Button::Reset);
        self.expect_new_game("after RESET");
    }
}
