//! A second implementation of the four systems, written directly from their source documents, with
//! the console lines that a game must produce.
//!
//! Each stone is moved along a ring of fourteen named holes. The module shares no code with the
//! firmware and knows nothing of pixels, time or pins. It is the independent implementation with
//! which the differential tests compare the whole product.
//!
//! | module | subject |
//! |---|---|
//! | `rules` | the differences of the systems: where a stone falls, what is captured, when a game ends |
//! | `words` | the messages of each system |

mod rules;
mod words;

use std::fmt;

/// A hole of the board: cup #1 is next to its owner's store, cup #6 is the farthest from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hole {
    /// Cup `#number` of a player.
    Cup { owner: usize, number: usize },
    /// A player's store, regardless of where a system draws it.
    Store { owner: usize },
}

use Hole::{Cup, Store};

/// The ring, counter-clockwise from the bottom player's far left cup. The index in the console's
/// `board=` list is the index in this ring.
const RING: [Hole; 14] = [
    Cup { owner: 0, number: 6 },
    Cup { owner: 0, number: 5 },
    Cup { owner: 0, number: 4 },
    Cup { owner: 0, number: 3 },
    Cup { owner: 0, number: 2 },
    Cup { owner: 0, number: 1 },
    Store { owner: 0 },
    Cup { owner: 1, number: 6 },
    Cup { owner: 1, number: 5 },
    Cup { owner: 1, number: 4 },
    Cup { owner: 1, number: 3 },
    Cup { owner: 1, number: 2 },
    Cup { owner: 1, number: 1 },
    Store { owner: 1 },
];

/// Returns the index of `hole` in the ring.
fn place(hole: Hole) -> usize {
    RING.iter().position(|&other| other == hole).expect("every hole is in the ring")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    Board,
    Family,
    Wari,
    TopBottom,
}

/// A system and its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// System of the rules and the words.
    pub system: System,
    /// Stones in each cup at the start: four, in `wari` three to five.
    pub stones: u32,
    /// Whether the direction changes at every capture; `wari` only.
    pub bidirectional: bool,
}

impl Variant {
    /// The power-up default.
    pub const BOARD: Self = Self::plain(System::Board);

    /// Returns `system` with default options.
    pub const fn plain(system: System) -> Self {
        Self { system, stones: 4, bidirectional: false }
    }

    /// Returns the variant in a trace's header; `get` returns the header's values by their keys.
    ///
    /// # Panics
    /// If there is no such system or no such number of stones.
    pub fn of_header<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Self {
        let system = System::named(get("game").unwrap_or("board"));
        let stones = get("stones").map_or(4, |stones| stones.parse().expect("a number of stones"));
        Self { system, stones, bidirectional: get("bidirectional") == Some("on") }
    }
}

impl System {
    pub const ALL: [Self; 4] = [Self::Board, Self::Family, Self::Wari, Self::TopBottom];

    /// Returns the name in a trace's header.
    pub fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Family => "family",
            Self::Wari => "wari",
            Self::TopBottom => "top-bottom",
        }
    }

    fn named(name: &str) -> Self {
        let found = Self::ALL.into_iter().find(|system| system.name() == name);
        found.unwrap_or_else(|| panic!("no system is called {name}"))
    }
}

/// Reason why a press changes nothing, spelled as in the console's `refused` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Empty,
    NotYours,
    GameOver,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Empty => "empty",
            Refusal::NotYours => "not-yours",
            Refusal::GameOver => "game-over",
        })
    }
}

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// This player has more stones in the store.
    Winner(usize),
    /// Both players have the same number.
    Draw,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Winner(player) => write!(f, "winner:{player}"),
            End::Draw => f.write_str("draw"),
        }
    }
}

/// The effects of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The line on the console.
    pub line: String,
    pub variant: Variant,
    /// The player who moved.
    pub player: usize,
    /// The sown cup.
    pub cup: usize,
    /// Whether the cup was sown clockwise.
    pub clockwise: bool,
    /// The stones before the move.
    pub before: [u32; 14],
    /// The stones after capture and sweep.
    pub after: [u32; 14],
    /// Holes into which the stones fell, in order.
    pub path: Vec<usize>,
    /// Stones in each hole after all of them had fallen.
    pub sown: [u32; 14],
    /// Holes that a capture emptied, the last stone's first.
    pub caught: Vec<usize>,
    /// Remaining stones that went to each player's store.
    pub swept: [u32; 2],
    /// Set if the move ended the game.
    pub end: Option<End>,
}

impl Move {
    /// Returns the hole into which the last stone fell.
    pub fn last(&self) -> usize {
        *self.path.last().expect("a cup with stones was sown")
    }

    /// Returns the number of sown stones.
    pub fn stones(&self) -> usize {
        self.path.len()
    }

    /// Returns whether the last stone fell into the player's own store.
    pub fn is_free_turn(&self) -> bool {
        RING[self.last()] == Store { owner: self.player }
    }
}

/// A game, in progress or over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    variant: Variant,
    holes: [u32; 14],
    turn: Option<usize>,
    clockwise: bool,
    first: usize,
    end: Option<End>,
}

impl Game {
    /// Creates a game in the opening position, with `first` to move.
    pub fn new(variant: Variant, first: usize) -> Game {
        let mut holes = [variant.stones; 14];
        for owner in 0..2 {
            holes[place(Store { owner })] = 0;
        }
        Game { variant, holes, turn: Some(first), clockwise: false, first, end: None }
    }

    /// Creates a game in the position `holes` (in the console's order) with `turn` to move
    /// counter-clockwise, for examples that begin in mid-game.
    pub fn at(variant: Variant, holes: [u32; 14], turn: usize) -> Game {
        Game { holes, ..Game::new(variant, turn) }
    }

    /// Returns the same game with the direction clockwise.
    #[must_use]
    pub fn clockwise(self) -> Game {
        Game { clockwise: true, ..self }
    }

    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the stones in the fourteen holes, in the console's order.
    pub fn holes(&self) -> [u32; 14] {
        self.holes
    }

    /// Returns the player to move, 0 or 1; `None` once the game is over.
    pub fn turn(&self) -> Option<usize> {
        self.turn
    }

    /// Returns the result if the game is over.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Returns the line that opens a game.
    pub fn opening_line(&self) -> String {
        self.standing_line("-")
    }

    /// Returns the line after an undo back to this position.
    pub fn undo_line(&self) -> String {
        self.standing_line("undo")
    }

    /// Both players agree to stop; returns the console's line.
    pub fn abandon(&mut self) -> String {
        let end = self.count();
        self.turn = None;
        self.end = Some(end);
        let message = format!("PLAY ABANDONED {}", self.variant.system.outcome(end));
        self.line("abandon", &["game-over".to_owned(), end.to_string()], &message)
    }

    /// The player resigns; returns the console's line.
    pub fn resign(&mut self, player: usize) -> String {
        // The opponent wins regardless of the stores.
        let end = End::Winner(1 - player);
        self.turn = None;
        self.end = Some(end);
        let name = self.variant.system.player(player);
        let message = format!("{name} resigns {}", self.variant.system.outcome(end));
        self.line("resign", &["game-over".to_owned(), end.to_string()], &message)
    }

    /// Returns the player who opens the next game, if no coin decides.
    ///
    /// # Panics
    /// In `family` and `top-bottom`, where a coin decides.
    pub fn next_first(&self) -> usize {
        match (self.variant.system, self.end) {
            // "The game will always start with Player 1's turn."
            (System::Board, _) => 0,
            // "The loser of the previous game will go first."
            (System::Wari, Some(End::Winner(winner))) => 1 - winner,
            // A draw has no loser, nor does an unfinished game.
            (System::Wari, _) => self.first,
            (System::Family | System::TopBottom, _) => panic!("a coin decides"),
        }
    }

    /// Returns the indices of the cups that the player to move may choose.
    pub fn moves(&self) -> Vec<usize> {
        (0..14).filter(|&cup| self.refusal(cup).is_none()).collect()
    }

    /// Returns the reason why the cup at `index` may not be played now; `None` if it may.
    pub fn refusal(&self, index: usize) -> Option<Refusal> {
        let Cup { owner, .. } = RING[index] else {
            return Some(Refusal::NotYours);
        };
        match self.turn {
            None => Some(Refusal::GameOver),
            Some(turn) if turn != owner => Some(Refusal::NotYours),
            Some(_) if self.holes[index] == 0 => Some(Refusal::Empty),
            Some(_) => None,
        }
    }

    /// Returns the holes into which the stones of the cup at `index` would fall if its owner sowed
    /// it now, in order.
    ///
    /// # Panics
    /// If `index` is not a cup.
    pub fn path(&self, index: usize) -> Vec<usize> {
        let Cup { owner, .. } = RING[index] else { panic!("{index} is no cup") };
        let mut path = Vec::new();
        let mut here = index;
        while path.len() < self.holes[index] as usize {
            here = next(here, self.clockwise);
            if self.variant.system.drops(owner, index, here) {
                path.push(here);
            }
        }
        path
    }

    /// Plays the cup at `index`.
    ///
    /// # Errors
    /// The reason of a refusal; the game is unchanged then.
    pub fn play(&mut self, index: usize) -> Result<Move, Refusal> {
        if let Some(refusal) = self.refusal(index) {
            return Err(refusal);
        }
        let player = self.turn.expect("a playable cup means a player's turn");
        let (before, clockwise) = (self.holes, self.clockwise);
        let mut events = Vec::new();

        let path = self.path(index);
        self.holes[index] = 0;
        for &hole in &path {
            self.holes[hole] += 1;
        }
        let sown = self.holes;
        let last = *path.last().expect("the cup was not empty");

        let free_turn = RING[last] == Store { owner: player };
        if free_turn {
            events.push("free-turn".to_owned());
        }
        let caught = self.variant.system.catches(player, &before, &sown, last, clockwise);
        let mut stones = 0;
        for &cup in &caught {
            stones += self.holes[cup];
            self.holes[cup] = 0;
        }
        self.holes[place(Store { owner: player })] += stones;
        if !caught.is_empty() {
            events.push(format!("capture:{stones}"));
            self.clockwise ^= self.variant.bidirectional;
        }

        let next = if free_turn { player } else { 1 - player };
        let mut swept = [0; 2];
        let message;
        if self.variant.system.is_over([0, 1].map(|side| self.stones_of(side)), next) {
            if self.variant.system.sweeps() {
                swept = [0, 1].map(|side| self.sweep(side));
            }
            let moved = swept.iter().filter(|stones| **stones > 0);
            events.extend(moved.map(|stones| format!("sweep:{stones}")));
            let end = self.count();
            events.extend(["game-over".to_owned(), end.to_string()]);
            self.turn = None;
            self.end = Some(end);
            message = format!("GAME OVER {}", self.variant.system.outcome(end));
        } else {
            self.turn = Some(next);
            message = if free_turn {
                self.variant.system.free_turn(player)
            } else if !caught.is_empty() {
                self.variant.system.capture(player)
            } else {
                self.variant.system.turn(next)
            };
        }
        if events.is_empty() {
            events.push("none".to_owned());
        }
        let line = self.line(&index.to_string(), &events, &message);
        let (variant, after, end) = (self.variant, self.holes, self.end);
        let cup = index;
        Ok(Move {
            line,
            variant,
            player,
            cup,
            clockwise,
            before,
            after,
            path,
            sown,
            caught,
            swept,
            end,
        })
    }

    /// Returns the number of stones in a player's six cups.
    fn stones_of(&self, player: usize) -> u32 {
        (1..=6).map(|number| self.holes[place(Cup { owner: player, number })]).sum()
    }

    /// Moves the remaining stones of a side into its owner's store; returns their number.
    fn sweep(&mut self, owner: usize) -> u32 {
        let left = self.stones_of(owner);
        for number in 1..=6 {
            self.holes[place(Cup { owner, number })] = 0;
        }
        self.holes[place(Store { owner })] += left;
        left
    }

    /// Returns the result by the stores.
    fn count(&self) -> End {
        let [bottom, top] = [0, 1].map(|owner| self.holes[place(Store { owner })]);
        if bottom > top {
            End::Winner(0)
        } else if top > bottom {
            End::Winner(1)
        } else {
            End::Draw
        }
    }

    /// Returns the line of a position that was not reached by a move, in a game that continues.
    fn standing_line(&self, how: &str) -> String {
        let turn = self.turn.expect("a game that goes on");
        self.line(how, &["none".to_owned()], &self.variant.system.turn(turn))
    }

    /// Returns the console line of the current position.
    fn line(&self, played: &str, events: &[String], message: &str) -> String {
        let board: Vec<String> = self.holes.iter().map(u32::to_string).collect();
        let turn = self.turn.map_or("-".to_owned(), |player| player.to_string());
        let direction = match (self.variant.system, self.clockwise) {
            (System::Wari, false) => " direction=ccw",
            (System::Wari, true) => " direction=cw",
            _ => "",
        };
        format!(
            "position board={} turn={turn} move={played} event={} message=\"{message}\"{direction}",
            board.join(","),
            events.join(",")
        )
    }
}

/// Returns the index of the hole next to `here`.
fn next(here: usize, clockwise: bool) -> usize {
    if clockwise { (here + RING.len() - 1) % RING.len() } else { (here + 1) % RING.len() }
}

/// Returns the console lines of a game of `board`: the opening, then one for each move.
///
/// # Errors
/// The number of the first refused move, counted from 0, and the reason.
pub fn lines(moves: &[usize]) -> Result<Vec<String>, (usize, Refusal)> {
    lines_of(Variant::BOARD, 0, moves)
}

/// Returns the console lines of a game of `variant` that `first` opens.
///
/// # Errors
/// The same as [`lines`].
pub fn lines_of(
    variant: Variant,
    first: usize,
    moves: &[usize],
) -> Result<Vec<String>, (usize, Refusal)> {
    let mut game = Game::new(variant, first);
    let mut lines = vec![game.opening_line()];
    for (number, &cup) in moves.iter().enumerate() {
        lines.push(game.play(cup).map_err(|refusal| (number, refusal))?.line);
    }
    Ok(lines)
}
