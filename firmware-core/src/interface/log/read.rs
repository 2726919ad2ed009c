//! Reads a log back into the game that it was written of, line by line. Each step must be one that
//! the rules allow: a log that was changed by hand may not be readable.

use heapless::Vec;

use super::{END, Number, from_the_left};
use crate::game::history::saved::Opening;
use crate::game::history::{History, Setup, Step};
use crate::game::places::{CUPS_A_SIDE, Cup, Direction, PLACES, Player};
use crate::game::rules::Position;
use crate::game::systems::SYSTEMS;
use crate::interface::screen::style::Style;

/// A line that does not follow the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogError;

/// Reads a log. [`LogReader::take`] gets its lines in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogReader {
    setup: Option<Setup>,
    first: Option<Player>,
    moves: u32,
    /// Whether the opening has been read.
    open: bool,
    ended: bool,
}

impl LogReader {
    /// Returns whether the last line of a log was read.
    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Reads the next line into `history`.
    ///
    /// # Errors
    /// The line is not one of a log, or not possible here.
    pub fn take(&mut self, line: &str, history: &mut History) -> Result<(), LogError> {
        let line = line.trim();
        let Some(setup) = self.setup else { return self.take_system(line) };
        let style = setup.game.system().style();
        if self.ended {
            return Err(LogError);
        }
        if !self.open {
            return self.take_head(line, setup, style, history);
        }
        if line == END {
            self.ended = true;
            return Ok(());
        }
        let taken = match line.strip_prefix("edited: ") {
            Some(board) => {
                let after = position(board, style).ok_or(LogError)?;
                history.edit(&after)
            }
            None => step(line, style).is_some_and(|step| history.push(step)),
        };
        if taken { Ok(()) } else { Err(LogError) }
    }

    /// Reads the lines before that of the system, and this one.
    fn take_system(&mut self, line: &str) -> Result<(), LogError> {
        if line.starts_with("log of ") {
            return Ok(());
        }
        let rest = line.strip_prefix("system ").ok_or(LogError)?;
        let mut parts = rest.split(", ");
        let (name, stones) = (parts.next(), parts.next());
        let system = SYSTEMS.iter().find(|system| Some(system.name) == name).ok_or(LogError)?;
        let stones = stones.and_then(|stones| stones.split(' ').next()?.parse().ok());
        let bidirectional = parts.next() == Some("bidirectional");
        self.setup =
            Some(Setup { game: system.game, stones: stones.ok_or(LogError)?, bidirectional });
        Ok(())
    }

    /// Reads the lines after that of the system, up to the opening.
    fn take_head(
        &mut self,
        line: &str,
        setup: Setup,
        style: &'static Style,
        history: &mut History,
    ) -> Result<(), LogError> {
        if let Some(name) = line.strip_prefix("began ") {
            self.first = player(name, style);
            return self.first.map(|_| ()).ok_or(LogError);
        }
        if let Some(moves) = line.strip_suffix(" moves went before") {
            self.moves = moves.parse().map_err(|_| LogError)?;
            return Ok(());
        }
        if !line.starts_with("top row ") {
            // The numbers of the cups.
            return if self.first.is_none() { Ok(()) } else { Err(LogError) };
        }
        let position = position(line, style).ok_or(LogError)?;
        let began = self.first.ok_or(LogError)?;
        // An edit before the first move may have let the other player begin.
        let first = if self.moves == 0 { position.turn } else { began };
        let opening = Opening {
            position,
            moves: self.moves,
            quiet: 0,
            first,
            bidirectional: setup.bidirectional,
            stopped: None,
        };
        *history = History::resume(setup, opening).map_err(|_| LogError)?;
        self.open = true;
        Ok(())
    }
}

/// Returns the step in a line, except an edit.
fn step(line: &str, style: &'static Style) -> Option<Step> {
    match line {
        "bidirectional on" => return Some(Step::Bidirectional(true)),
        "bidirectional off" => return Some(Step::Bidirectional(false)),
        _ if line.starts_with("play abandoned") => return Some(Step::Abandon),
        _ => {}
    }
    let (what, _) = line.split_once(',').unwrap_or((line, ""));
    if let Some(name) = what.strip_suffix(" resigns") {
        return player(name, style).map(Step::Resign);
    }
    let (_, what) = what.split_once(' ')?;
    let (name, label) = what.rsplit_once(' ')?;
    let cup = Cup::of(player(name, style)?).find(|cup| is_numbered(*cup, label, style))?;
    Some(Step::Sow(cup))
}

/// Returns whether `cup` is written as `label`.
fn is_numbered(cup: Cup, label: &str, style: &'static Style) -> bool {
    use core::fmt::Write as _;
    let mut number = heapless::String::<4>::new();
    write!(number, "{}", Number(style, cup)).is_ok() && number == label
}

fn player(name: &str, style: &Style) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| super::name(style, *player) == name)
}

/// Returns the position in the text of a board. It may be followed by a result.
fn position(text: &str, style: &Style) -> Option<Position> {
    let mut parts = text.split(", ");
    let top = row(parts.next()?.strip_prefix("top row ")?)?;
    let bottom = row(parts.next()?.strip_prefix("bottom row ")?)?;
    let mut stones = [0; PLACES];
    for (owner, row) in [(Player::Top, top), (Player::Bottom, bottom)] {
        for cup in Cup::of(owner) {
            stones[cup.place()] = *row.get(from_the_left(cup))?;
        }
    }
    for owner in Player::BOTH {
        let has = parts.next()?.strip_prefix(super::name(style, owner))?;
        stones[owner.store()] = has.strip_prefix(" has ")?.parse().ok()?;
    }
    let (turn, direction) = match parts.next()?.strip_suffix(" clockwise") {
        Some(turn) => (turn, Direction::Clockwise),
        None => (text.split(", ").nth(4)?, Direction::CounterClockwise),
    };
    let turn = player(turn.strip_suffix(" to move")?, style)?;
    Some(Position { stones, turn, direction })
}

/// Returns the numbers of a row of cups.
fn row(text: &str) -> Option<Vec<u8, CUPS_A_SIDE>> {
    let mut row = Vec::new();
    for number in text.split(' ') {
        row.push(number.parse().ok()?).ok()?;
    }
    row.is_full().then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::random::Random;
    use crate::interface::log::{LOG_LINE, Log};
    use crate::storage::name::Name;

    extern crate std;
    use std::string::{String, ToString as _};
    use std::vec::Vec;

    fn lines(history: &History) -> Vec<String> {
        let mut log = Log::new(history, Name::new("LOG1").expect("a name"));
        let mut line = heapless::String::<LOG_LINE>::new();
        let mut lines = Vec::new();
        while log.next_line(history, &mut line) {
            lines.push(line.to_string());
        }
        lines
    }

    fn read(lines: &[String]) -> Result<History, usize> {
        let (mut reader, mut history) = (LogReader::default(), History::NONE);
        for (nth, line) in lines.iter().enumerate() {
            reader.take(line, &mut history).map_err(|_| nth)?;
        }
        if reader.has_ended() { Ok(history) } else { Err(lines.len()) }
    }

    /// Plays a random game with edits, options and an end of each kind.
    fn random_game(seed: u64) -> History {
        let mut random = Random::new(seed);
        let system = &SYSTEMS[(seed % 4) as usize];
        let stones =
            if system.choices { 3 + (seed / 4 % 3) as u8 } else { system.rules.stones_a_cup };
        let bidirectional = system.choices && seed.is_multiple_of(3);
        let setup = Setup { game: system.game, stones, bidirectional };
        let first = Player::BOTH[(seed / 2 % 2) as usize];
        let mut history = History::new(setup, setup.rules().start(first));
        for _ in 0..40 {
            let draw = random.number();
            match draw % 16 {
                0 => {
                    let mut after = history.position();
                    after.turn = after.turn.opponent();
                    if after.stones[2] > 0 {
                        after.stones[2] -= 1;
                        after.stones[13] += 1;
                    }
                    history.edit(&after);
                }
                1 => _ = history.push(Step::Bidirectional(!history.rules().bidirectional)),
                _ => {
                    let cups: Vec<Cup> = Cup::all().collect();
                    let from = (draw >> 8) as usize % cups.len();
                    let mut order = cups[from..].iter().chain(&cups[..from]);
                    order.any(|cup| history.push(Step::Sow(*cup)));
                }
            }
        }
        match seed % 5 {
            0 => _ = history.push(Step::Abandon),
            1 => _ = history.push(Step::Resign(Player::BOTH[(seed / 5 % 2) as usize])),
            _ => {}
        }
        history
    }

    #[test]
    fn a_log_is_read_as_the_game_that_it_was_written_of() {
        for seed in 0..200 {
            let history = random_game(seed);
            let log = lines(&history);
            let read = read(&log).unwrap_or_else(|nth| panic!("seed {seed}: {}", log[nth]));
            assert_eq!(lines(&read), log, "seed {seed}");
            assert_eq!((read.position(), read.result()), (history.position(), history.result()));
        }
    }

    #[test]
    fn a_log_whose_oldest_moves_are_gone_is_read_from_its_board_on() {
        let setup =
            Setup { game: crate::game::systems::Game::Wari, stones: 4, bidirectional: false };
        let mut start = Position::of([0; PLACES], Player::Bottom);
        (start.stones[0], start.stones[7], start.stones[6]) = (1, 1, 46);
        let mut history = History::new(setup, start);
        while history.gone() < 5 {
            let step = Cup::all()
                .map(Step::Sow)
                .filter(|step| history.clone().push(*step))
                .last()
                .expect("a move");
            assert!(history.push(step));
        }
        let log = lines(&history);
        assert_eq!(lines(&read(&log).expect("a log")), log);
    }

    #[test]
    fn a_line_that_is_missing_changed_or_doubled_is_an_error() {
        let log = lines(&random_game(2));
        assert!(read(&log).is_ok());
        assert_eq!(read(&log[..log.len() - 1]), Err(log.len() - 1), "its end is missing");
        for without in [1, 3, 4, 5] {
            let mut log = log.clone();
            log.remove(without);
            assert!(read(&log).is_err(), "{without}");
        }
        let mut doubled = log.clone();
        doubled.push(END.to_string());
        assert!(read(&doubled).is_err());
        let mut changed = log.clone();
        changed[4] = changed[4].replace("bottom row ", "bottom row 1");
        assert!(read(&changed).is_err(), "a stone more");
        assert!(read(&["".to_string()]).is_err());
    }
}
