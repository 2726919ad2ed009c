//! A second implementation of the four systems, written directly from their sources: sowing moves
//! around the board hole by hole, stone by stone.
//!
//! It shares nothing with the firmware: the rules are compared with this implementation.

/// A hole, by its role. Cups are numbered 1 to 6 at the bottom and 7 to 12 at the top, as in Figure
/// 2 of the Wari manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hole {
    Cup(usize),
    Store(usize),
}

use Hole::{Cup, Store};

/// The board, counter-clockwise from the bottom player's left.
const BOARD: [Hole; 14] = [
    Cup(1),
    Cup(2),
    Cup(3),
    Cup(4),
    Cup(5),
    Cup(6),
    Store(0),
    Cup(7),
    Cup(8),
    Cup(9),
    Cup(10),
    Cup(11),
    Cup(12),
    Store(1),
];

/// Game system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Board,
    Family,
    Wari,
    WariBidirectional,
    TopBottom,
}

/// State of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub system: System,
    /// Number of stones by index in [`BOARD`].
    pub stones: [u32; 14],
    /// Player to move; 0 is the bottom player.
    pub turn: usize,
    pub clockwise: bool,
}

/// Events of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveRecord {
    /// Places that stones fell into, in order.
    pub path: Vec<usize>,
    pub free_turn: bool,
    /// Places that a capture emptied.
    pub captured_from: Vec<usize>,
    pub captured: u32,
    pub swept: [u32; 2],
    /// Winner once the game is over; `Some(None)` is a draw.
    pub over: Option<Option<usize>>,
}

fn owner(cup: usize) -> usize {
    if cup <= 6 { 0 } else { 1 }
}

/// Returns the opposite cup: 1 and 12, and so on to 6 and 7.
fn facing(cup: usize) -> usize {
    13 - cup
}

fn place(hole: Hole) -> usize {
    BOARD.iter().position(|other| *other == hole).expect("on the board")
}

impl Game {
    pub fn new(system: System, stones_a_cup: u32, turn: usize) -> Self {
        let stones = BOARD.map(|hole| if matches!(hole, Cup(_)) { stones_a_cup } else { 0 });
        Self { system, stones, turn, clockwise: false }
    }

    /// Returns the places of the cups that may be sown.
    pub fn moves(&self) -> Vec<usize> {
        if self.is_over() {
            return Vec::new();
        }
        (1..=12)
            .filter(|cup| owner(*cup) == self.turn && self.stones[place(Cup(*cup))] > 0)
            .map(|cup| place(Cup(cup)))
            .collect()
    }

    pub fn is_over(&self) -> bool {
        let empty = |player| self.on_side(player) == 0;
        match self.system {
            System::Wari | System::WariBidirectional => empty(self.turn),
            System::Board | System::Family | System::TopBottom => empty(0) || empty(1),
        }
    }

    /// Sows the cup at `source`.
    pub fn play(&mut self, source: usize) -> MoveRecord {
        let mut record = MoveRecord::default();
        let before = self.stones;
        let mover = self.turn;
        let mut hand = std::mem::take(&mut self.stones[source]);
        let mut here = source;
        let mut before_the_drop = 0;
        while hand > 0 {
            here = self.beside(here, self.clockwise);
            let drops = match BOARD[here] {
                Store(player) => player == mover && !self.is_wari(),
                Cup(_) => here != source || !self.is_wari(),
            };
            if drops {
                before_the_drop = self.stones[here];
                self.stones[here] += 1;
                hand -= 1;
                record.path.push(here);
            }
        }
        match BOARD[here] {
            Store(_) => record.free_turn = true,
            Cup(last) => self.capture(last, before[here], before_the_drop, &mut record),
        }
        if !record.free_turn {
            self.turn = 1 - mover;
        }
        if self.system == System::WariBidirectional && record.captured > 0 {
            self.clockwise = !self.clockwise;
        }
        if self.is_over() {
            self.end(&mut record);
        }
        record
    }

    fn capture(
        &mut self,
        last: usize,
        before_the_move: u32,
        before_the_drop: u32,
        record: &mut MoveRecord,
    ) {
        let mover = self.turn;
        let own = owner(last) == mover;
        let across = self.stones[place(Cup(facing(last)))];
        let both = vec![place(Cup(last)), place(Cup(facing(last)))];
        record.captured_from = match self.system {
            System::Board if own && before_the_drop == 0 && across > 0 => both,
            System::Family if own && before_the_drop == 0 => both,
            System::TopBottom if own && before_the_move == 0 => both,
            System::Wari | System::WariBidirectional => {
                let mut chain = Vec::new();
                let mut here = place(Cup(last));
                while let Cup(cup) = BOARD[here] {
                    let held = self.stones[here];
                    if owner(cup) == mover || (held != 2 && held != 3) {
                        break;
                    }
                    chain.push(here);
                    here = self.beside(here, !self.clockwise);
                }
                chain
            }
            System::Board | System::Family | System::TopBottom => Vec::new(),
        };
        for from in &record.captured_from {
            record.captured += std::mem::take(&mut self.stones[*from]);
        }
        record.captured_from.sort_unstable();
        self.stones[place(Store(mover))] += record.captured;
    }

    fn end(&mut self, record: &mut MoveRecord) {
        if matches!(self.system, System::Board | System::Family) {
            for cup in 1..=12 {
                let left = std::mem::take(&mut self.stones[place(Cup(cup))]);
                record.swept[owner(cup)] += left;
                self.stones[place(Store(owner(cup)))] += left;
            }
        }
        let [bottom, top] = [0, 1].map(|player| self.stones[place(Store(player))]);
        record.over = Some(if bottom == top { None } else { Some(usize::from(top > bottom)) });
    }

    fn on_side(&self, player: usize) -> u32 {
        (1..=12).filter(|cup| owner(*cup) == player).map(|cup| self.stones[place(Cup(cup))]).sum()
    }

    fn beside(&self, here: usize, clockwise: bool) -> usize {
        if clockwise { (here + 13) % 14 } else { (here + 1) % 14 }
    }

    fn is_wari(&self) -> bool {
        matches!(self.system, System::Wari | System::WariBidirectional)
    }
}

/// Returns the number of sequences of `depth` moves; a game that ends earlier counts once.
pub fn perft(game: &Game, depth: u32) -> u64 {
    let moves = game.moves();
    if depth == 0 || moves.is_empty() {
        return 1;
    }
    let after = |source| {
        let mut next = game.clone();
        if next.play(source).over.is_some() { 1 } else { perft(&next, depth - 1) }
    };
    moves.into_iter().map(after).sum()
}
