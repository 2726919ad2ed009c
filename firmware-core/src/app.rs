//! The app: presses in, a view, notes and console lines out. It knows no pin, no pixel
//! and no clock: `step(now, edges)` says what time it is, and the answer when to come again.
//!
//! | file | subject |
//! |---|---|
//! | `movement` | how a move looks while it happens: stone by stone |
//! | `report` | the console's lines |

mod movement;
mod report;

use crate::button::Button;
use crate::console::Console;
use crate::debounce::{Edge, Levels};
use crate::message::Message;
use crate::places::Places;
use crate::random::Random;
use crate::rules::{Beginner, Cup, GameResult, Outcome, PlayError, Player, Position};
use crate::screen::rows::Light;
use crate::screen::style::Counts;
use crate::screen::{BoardView, View};
use crate::sound;
use crate::systems::{Game, System};
use crate::time::{Micros, Wake};
use movement::{Movement, Sight};

/// RESET held for this long acts without being let go.
pub const LONG_PRESS: Micros = Micros::from_millis(1_000);

/// How long the LCD explains why a press did nothing.
pub const NOTICE: Micros = Micros::from_millis(2_000);

/// What the app is told at power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The system that is played.
    pub game: Game,
    /// The seed of every coin flip.
    pub seed: u64,
    /// Who begins the first game, if its rules leave that to chance.
    pub first: Option<Player>,
    /// Whether the buzzer sounds.
    pub sound: bool,
    /// Buttons that have been down since before power-on.
    pub stuck: Levels,
    /// Whether the settings in flash were damaged.
    pub storage_damaged: bool,
}

/// A game on the board.
pub struct App {
    system: &'static System,
    start: Start,
    random: Random,
    /// Who begins the next game, if that is settled already.
    pinned: Option<Player>,
    opened: bool,
    /// Who began the game.
    first: Player,
    position: Position,
    status: Message,
    movement: Option<Movement>,
    notice: Option<(Message, Micros)>,
    reset_down: Option<Micros>,
    player: sound::Player,
    console: Console,
    stuck: Levels,
}

impl App {
    /// An app that opens its first game in its first step.
    pub fn new(start: Start) -> Self {
        let system = start.game.system();
        let position = system.rules.start(Player::Bottom);
        Self {
            system,
            start,
            random: Random::new(start.seed),
            pinned: start.first,
            opened: false,
            first: Player::Bottom,
            position,
            status: Message::Turn(position.turn),
            movement: None,
            notice: None,
            reset_down: None,
            player: sound::Player::default(),
            console: Console::new(),
            stuck: start.stuck,
        }
    }

    /// Takes what happened up to `now`; when to be called again if nothing else happens.
    pub fn step(&mut self, now: Micros, edges: &[Edge], stuck: Levels) -> Wake {
        self.stuck = stuck;
        if !self.opened {
            self.opened = true;
            self.open(now);
        }
        for edge in edges {
            self.take(now, *edge);
        }
        if self.reset_down.is_some_and(|since| now.since(since) >= LONG_PRESS) {
            self.reset_down = None;
            self.restart(now);
        }
        self.advance(now);
        if self.notice.is_some_and(|(_, until)| until <= now) {
            self.notice = None;
        }
        self.wake(now)
    }

    /// What the LCD shows as of the last step.
    pub fn view(&self) -> View {
        let sight = match &self.movement {
            Some(movement) => movement.sight(),
            None => Sight::still(self.position.stones),
        };
        let mover = match &self.movement {
            Some(movement) if !sight.settled => Some(movement.outcome().mover),
            _ => self.turn(),
        };
        let message = match self.notice {
            Some((notice, _)) => notice,
            None if sight.settled => self.status,
            None => sight.message.unwrap_or(self.status),
        };
        View::Board(BoardView {
            style: self.system.style,
            stones: sight.stones,
            counted: match self.system.style.counts {
                Counts::Always => Places::ALL,
                Counts::AtTheEnd if sight.settled && self.turn().is_none() => Places::ALL,
                Counts::AtTheEnd => Places::NONE,
                Counts::OnPress => Places::STORES,
            },
            dash: None,
            direction: None,
            turn: mover,
            message,
            lit: sight.lit.or_else(|| self.winning_stores(sight.settled)),
            stuck: self.stuck_places(),
        })
    }

    /// The frequency that sounds at `now`, and when that changes.
    pub fn tone(&mut self, now: Micros) -> (Option<u32>, Option<Micros>) {
        self.player.at(now)
    }

    /// The lines that wait to be sent.
    pub fn console(&mut self) -> &mut Console {
        &mut self.console
    }

    /// The stores that light up once the game is over: the winner's, or both.
    fn winning_stores(&self, settled: bool) -> Option<(Light, Places)> {
        let Message::Over(result) = self.status else { return None };
        let stores = match result {
            GameResult::Winner(player) => Places::NONE.with(player.store()),
            GameResult::Draw => {
                Player::BOTH.iter().fold(Places::NONE, |places, player| places.with(player.store()))
            }
        };
        settled.then_some((Light::Event, stores))
    }

    fn turn(&self) -> Option<Player> {
        (!self.system.rules.is_over(&self.position)).then_some(self.position.turn)
    }

    fn open(&mut self, now: Micros) {
        self.console.line(format_args!(
            "boot nudge={} game={}",
            env!("CARGO_PKG_VERSION"),
            self.system.name
        ));
        if self.start.storage_damaged {
            self.console.line(format_args!("storage state=damaged"));
        }
        for button in self.stuck.iter() {
            self.console.line(format_args!("stuck button={}", button.name()));
        }
        self.begin(now);
        // What is wrong is said first.
        if let Some(button) = self.stuck.iter().next() {
            self.notice = Some((Message::Stuck(button), now + NOTICE));
        } else if self.start.storage_damaged {
            self.notice = Some((Message::StorageDamaged, now + NOTICE));
        }
    }

    fn take(&mut self, now: Micros, edge: Edge) {
        match (edge.button.cup(), edge.down) {
            (Some(cup), true) => self.nudge(now, cup),
            (Some(_), false) => {}
            (None, true) => self.reset_down = Some(edge.at),
            (None, false) => {
                if self.reset_down.take().is_some() {
                    self.restart(now);
                }
            }
        }
    }

    /// A NUDGE sows its cup; while stones move it only finishes the movement.
    fn nudge(&mut self, now: Micros, cup: Cup) {
        if let Some(movement) = self.movement.take_if(|movement| !movement.is_done()) {
            self.sound(movement.last_sound(), now);
            return;
        }
        self.movement = None;
        match self.system.rules.play(&self.position, cup) {
            Ok((next, outcome)) => self.accept(now, next, outcome),
            Err(error) => self.refuse(now, cup, error),
        }
    }

    fn accept(&mut self, now: Micros, next: Position, outcome: Outcome) {
        let before = self.position;
        let path = self.system.rules.sowing(&before, outcome.cup);
        self.position = next;
        let status = match outcome {
            Outcome { result: Some(result), .. } => Message::Over(result),
            Outcome { free_turn: true, mover, .. } => Message::FreeTurn(mover),
            Outcome { capture: Some(_), mover, .. } => Message::Captured(mover),
            _ => Message::Turn(next.turn),
        };
        self.notice = None;
        self.report_move(&outcome, status);
        // The mover's own status stays in the box until the stones have come to rest.
        let was = Message::Turn(outcome.mover);
        self.status = status;
        self.movement = Some(Movement::new(now, before, next, path, outcome, was));
    }

    fn refuse(&mut self, now: Micros, cup: Cup, error: PlayError) {
        report::refused(&mut self.console, Button::beside(cup), error);
        self.notice = Some((Message::Refused(error, self.position.turn), now + NOTICE));
        self.sound(Some(sound::ERROR), now);
    }

    fn restart(&mut self, now: Micros) {
        self.player.stop();
        self.begin(now);
    }

    /// Sets the board up for the next game.
    fn begin(&mut self, now: Micros) {
        let pinned = self.pinned.take();
        let (first, notice) = match self.system.rules.beginner {
            Beginner::Bottom => (Player::Bottom, None),
            Beginner::Coin => {
                // The coin is flipped even if it is settled: later games do not change.
                let coin = if self.random.heads() { Player::Top } else { Player::Bottom };
                let first = pinned.unwrap_or(coin);
                (first, Some((Message::Coin(first), now + NOTICE)))
            }
            Beginner::Loser => (pinned.unwrap_or(self.loser()), None),
        };
        self.notice = notice;
        self.position = self.system.rules.start(first);
        self.first = first;
        self.movement = None;
        self.status = Message::Turn(self.position.turn);
        self.report_opening();
    }

    /// The loser of the game that is over; after a draw, or without one, who began it.
    fn loser(&self) -> Player {
        match self.status {
            Message::Over(GameResult::Winner(player)) => player.opponent(),
            _ => self.first,
        }
    }

    /// Moves the stones on, with their sounds.
    fn advance(&mut self, now: Micros) {
        let Some(movement) = &mut self.movement else { return };
        let sound = movement.advance(now);
        if movement.is_done() {
            self.movement = None;
        }
        self.sound(sound, now);
    }

    fn sound(&mut self, notes: Option<&'static [sound::Note]>, now: Micros) {
        if let (Some(notes), true) = (notes, self.start.sound) {
            self.player.play(notes, now);
        }
    }

    fn wake(&mut self, now: Micros) -> Wake {
        let movement = self.movement.as_ref().map(Movement::next_phase_at);
        let notice = self.notice.map(|(_, until)| until);
        let reset = self.reset_down.map(|since| since + LONG_PRESS);
        let tone = self.player.at(now).1;
        Wake::from([movement, notice, reset, tone].into_iter().flatten().min())
    }

    fn stuck_places(&self) -> Places {
        self.stuck
            .iter()
            .filter_map(Button::cup)
            .fold(Places::NONE, |places, cup| places.with(cup.place()))
    }

    fn report_opening(&mut self) {
        let lines = self.system.style.words.lines(self.status);
        let words = lines.each_ref().map(|line| line.as_str());
        report::opening(&mut self.console, &self.position, words);
    }

    fn report_move(&mut self, outcome: &Outcome, status: Message) {
        let lines = self.system.style.words.lines(status);
        let words = lines.each_ref().map(|line| line.as_str());
        let turn = self.turn();
        report::accepted(&mut self.console, &self.position, turn, outcome, words);
    }
}

#[cfg(test)]
mod tests;
