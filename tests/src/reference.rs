//! The `board` system once more, as plainly as its source document tells it,
//! and the console lines that a game of it must give.
//!
//! A ring of fourteen named holes is walked stone by stone. Nothing here is
//! shared with the firmware, and nothing here knows of pixels, time or
//! buttons' pins: it is the independent opinion that the differential tests
//! hold the whole product against.

use std::fmt;

/// A hole of the board by its owner's name for it: cup #1 stands beside the
/// owner's own mancala, cup #6 is the farthest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hole {
    /// Cup `#number` of a player.
    Cup { owner: usize, number: usize },
    /// A player's mancala.
    Mancala { owner: usize },
}

use Hole::{Cup, Mancala};

/// The ring, counter-clockwise from Player 1's far left cup: the index of the
/// console's `board=` list is the place in this ring.
const RING: [Hole; 14] = [
    Cup { owner: 0, number: 6 },
    Cup { owner: 0, number: 5 },
    Cup { owner: 0, number: 4 },
    Cup { owner: 0, number: 3 },
    Cup { owner: 0, number: 2 },
    Cup { owner: 0, number: 1 },
    Mancala { owner: 0 },
    Cup { owner: 1, number: 6 },
    Cup { owner: 1, number: 5 },
    Cup { owner: 1, number: 4 },
    Cup { owner: 1, number: 3 },
    Cup { owner: 1, number: 2 },
    Cup { owner: 1, number: 1 },
    Mancala { owner: 1 },
];

/// The place of `hole` in the ring.
fn place(hole: Hole) -> usize {
    RING.iter().position(|&other| other == hole).expect("every hole is in the ring")
}

/// Why a press changes nothing, spelled as the console's `refused` line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The cup holds no stone.
    Empty,
    /// The cup is the opponent's.
    NotYours,
    /// The game is over.
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

/// A game of the `board` system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    holes: [u32; 14],
    turn: Option<usize>,
}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

impl Game {
    /// Four stones a cup, empty mancalas, Player 1's turn.
    pub fn new() -> Game {
        let mut holes = [4; 14];
        holes[place(Mancala { owner: 0 })] = 0;
        holes[place(Mancala { owner: 1 })] = 0;
        Game { holes, turn: Some(0) }
    }

    /// A game that stands at `holes` (in the console's order) with `turn` to
    /// move, for examples that begin in the middle.
    pub fn at(holes: [u32; 14], turn: usize) -> Game {
        Game { holes, turn: Some(turn) }
    }

    /// The stones in the fourteen holes, in the console's order.
    pub fn holes(&self) -> [u32; 14] {
        self.holes
    }

    /// The player to move: 0, 1, or nobody once the game is over.
    pub fn turn(&self) -> Option<usize> {
        self.turn
    }

    /// The line that opens a game.
    pub fn opening_line(&self) -> String {
        self.line("-", &["none".to_owned()], "Player 1's turn")
    }

    /// The cups that the player to move may choose, by index.
    pub fn moves(&self) -> Vec<usize> {
        (0..14).filter(|&cup| self.refusal(cup).is_none()).collect()
    }

    /// Why the cup at `index` may not be played now, if it may not.
    ///
    /// # Panics
    /// If `index` is not a cup.
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

    /// Plays the cup at `index` and gives the console line of the move.
    ///
    /// # Errors
    /// Why the press is refused; the game is unchanged then.
    pub fn play(&mut self, index: usize) -> Result<String, Refusal> {
        if let Some(refusal) = self.refusal(index) {
            return Err(refusal);
        }
        let player = self.turn.expect("a playable cup means somebody's turn");
        let opponent = 1 - player;
        let mut events = Vec::new();

        // "All of the stones in that cup are removed and they are placed
        // one-by-one going counter-clockwise around the board."
        let mut hand = self.holes[index];
        self.holes[index] = 0;
        let mut here = index;
        let mut was_empty = false;
        while hand > 0 {
            here = (here + 1) % RING.len();
            if RING[here] == (Mancala { owner: opponent }) {
                continue; // "A player never places a stone into the other player's mancala."
            }
            was_empty = self.holes[here] == 0;
            self.holes[here] += 1;
            hand -= 1;
        }

        // "If the last stone from a cup gets placed into …"
        let free_turn = RING[here] == Mancala { owner: player };
        let mut bonus = false;
        if free_turn {
            events.push("free-turn".to_owned());
        }
        if let Cup { owner, number } = RING[here]
            && owner == player
            && was_empty
        {
            // Directly across from #1 stands the other's #6, and so on.
            let across = place(Cup { owner: opponent, number: 7 - number });
            if self.holes[across] > 0 {
                let caught = self.holes[across] + 1;
                self.holes[across] = 0;
                self.holes[here] = 0;
                self.holes[place(Mancala { owner: player })] += caught;
                events.push(format!("capture:{caught}"));
                bonus = true;
            }
        }

        // "The game is over when all of the cups of one of the two players
        // have no stones in them at the end of the player's turn."
        let message;
        if (0..2).any(|side| self.stones_of(side) == 0) {
            for side in 0..2 {
                let left = self.stones_of(side);
                if left > 0 {
                    events.push(format!("sweep:{left}"));
                }
                for number in 1..=6 {
                    let cup = place(Cup { owner: side, number });
                    self.holes[place(Mancala { owner: side })] += self.holes[cup];
                    self.holes[cup] = 0;
                }
            }
            events.push("game-over".to_owned());
            let first = self.holes[place(Mancala { owner: 0 })];
            let second = self.holes[place(Mancala { owner: 1 })];
            self.turn = None;
            if first > second {
                events.push("winner:0".to_owned());
                message = "GAME OVER Player 1 wins".to_owned();
            } else if second > first {
                events.push("winner:1".to_owned());
                message = "GAME OVER Player 2 wins".to_owned();
            } else {
                events.push("draw".to_owned());
                message = "GAME OVER DRAW".to_owned();
            }
        } else if free_turn {
            message = format!("Player {} FREE TURN", player + 1);
        } else {
            self.turn = Some(opponent);
            message = if bonus {
                format!("Player {} collected BONUS", player + 1)
            } else {
                format!("Player {}'s turn", opponent + 1)
            };
        }
        if events.is_empty() {
            events.push("none".to_owned());
        }
        Ok(self.line(&index.to_string(), &events, &message))
    }

    /// The stones in a player's six cups.
    fn stones_of(&self, player: usize) -> u32 {
        (1..=6).map(|number| self.holes[place(Cup { owner: player, number })]).sum()
    }

    /// The console line of the position as it stands.
    fn line(&self, played: &str, events: &[String], message: &str) -> String {
        let board: Vec<String> = self.holes.iter().map(u32::to_string).collect();
        let turn = self.turn.map_or("-".to_owned(), |player| player.to_string());
        format!(
            "position board={} turn={turn} move={played} event={} message=\"{message}\"",
            board.join(","),
            events.join(",")
        )
    }
}

/// The console lines of a game: the opening, then one a move.
///
/// # Errors
/// The number of the first move that is refused (0 is the first), and why.
pub fn lines(moves: &[usize]) -> Result<Vec<String>, (usize, Refusal)> {
    let mut game = Game::new();
    let mut lines = vec![game.opening_line()];
    for (number, &cup) in moves.iter().enumerate() {
        lines.push(game.play(cup).map_err(|refusal| (number, refusal))?);
    }
    Ok(lines)
}
