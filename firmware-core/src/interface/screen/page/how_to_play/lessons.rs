//! The lessons of each system, with its own words. Data only.
//!
//! A text above a move has room for four lines of thirty characters, above a board for five, and
//! alone for nine.

use super::{Drawing, Example, Lesson};
use crate::game::systems::Game;

/// Returns the number of lessons about `game`.
pub const fn count(game: Game) -> u8 {
    lessons(game).len() as u8
}

/// Returns the `nth` lesson about `game`; past the end, its last.
pub fn lesson(game: Game, nth: u8) -> &'static Lesson {
    let lessons = lessons(game);
    &lessons[usize::from(nth).min(lessons.len() - 1)]
}

pub(super) const fn lessons(game: Game) -> &'static [Lesson] {
    match game {
        Game::Board => &BOARD,
        Game::Family => &FAMILY,
        Game::Wari => &WARI,
        Game::TopBottom => &TOP_BOTTOM,
    }
}

/// The opening position.
const START: Drawing = Drawing::Board([4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);

const BOARD: [Lesson; 6] = [
    Lesson {
        title: "Board",
        text: "Collect more stones in your mancala than the other player. Player 1 has the bottom \
               row and the right mancala, and begins.",
        drawing: START,
    },
    Lesson {
        title: "Sowing",
        text: "NUDGE beside your cup sows it: a stone in each next cup and in your mancala, never \
               in the other player's.",
        drawing: SOWING,
    },
    Lesson {
        title: "FREE TURN",
        text: "If the last stone falls into your own mancala, you have a FREE TURN: you move again.",
        drawing: FREE_TURN,
    },
    Lesson {
        title: "BONUS",
        text: "If your last stone falls into an empty cup of yours and stones lie across, you \
               collect both: BONUS.",
        drawing: CAPTURE,
    },
    Lesson {
        title: "GAME OVER",
        text: "A player has no stones left: the game is over. The rest goes to its owner's \
               mancala. More stones win; 24-24: DRAW.",
        drawing: SWEEP,
    },
    THE_BUTTONS,
];

const FAMILY: [Lesson; 6] = [
    Lesson {
        title: "Family",
        text: "Collect the most stones in your Mancala. Player A has bins 1 to 6 and the right \
               Mancala. A coin flip decides who begins.",
        drawing: START,
    },
    Lesson {
        title: "Sowing",
        text: "NUDGE beside your bin drops its stones one by one into the next bins and your \
               Mancala; the opponent's is skipped.",
        // The source's own example: eight stones from bin 6.
        drawing: Drawing::Move(Example {
            before: [4, 0, 5, 5, 1, 8, 2, 4, 4, 5, 4, 0, 4, 2],
            cup: 5,
            last: 0,
            after: [5, 0, 5, 5, 1, 0, 3, 5, 5, 6, 5, 1, 5, 2],
        }),
    },
    Lesson {
        title: "Second turn",
        text: "If the last stone is placed in your own Mancala, you get a second turn.",
        drawing: FREE_TURN,
    },
    Lesson {
        title: "Collecting",
        text: "If the last stone lands in an empty bin of yours, you collect it and all stones of \
               the bin opposite.",
        drawing: CAPTURE,
    },
    Lesson {
        title: "The end",
        text: "Play ends when one player's six bins are empty. The other puts his stones into his \
               Mancala. Most stones win.",
        drawing: SWEEP,
    },
    Lesson {
        title: "The buttons",
        text: "Nobody may count: no numbers before the end. A touched bin is played: NUDGE sows \
               at once. Hold RESET for 1 s: the menu has other games, a computer opponent and \
               more. RESET with T5 is Help. A short RESET starts the game again; RESET with T6 \
               takes that back.",
        drawing: Drawing::None,
    },
];

const WARI: [Lesson; 10] = [
    Lesson {
        title: "Wari",
        text: "Capture more stones than your opponent. Bottom has cups 1 to 6 and the left large \
               cup for captured stones, Top cups 7 to 12 and the right one.",
        drawing: START,
    },
    Lesson {
        title: "Sowing",
        text: "NUDGE counts a cup. The same NUDGE again sows it: a stone in each next cup, never \
               in the large ones.",
        drawing: Drawing::Move(Example {
            before: [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0],
            cup: 3,
            last: 8,
            after: [4, 4, 4, 0, 5, 5, 0, 5, 5, 4, 4, 4, 4, 0],
        }),
    },
    Lesson {
        title: "All the way round",
        text: "With 12 stones or more a sowing comes round. The emptied cup is passed over and \
               stays empty.",
        drawing: Drawing::Move(Example {
            before: [1, 0, 12, 2, 3, 1, 6, 2, 4, 1, 3, 5, 4, 4],
            cup: 2,
            last: 3,
            after: [2, 1, 0, 4, 4, 2, 6, 3, 5, 2, 4, 6, 5, 4],
        }),
    },
    Lesson {
        title: "Capture",
        text: "The last stone makes 2 or 3 in an opponent's cup: captured. So is each cup before \
               it with 2 or 3, without a gap.",
        // The manual's Figure 2: cup 8 has four and breaks the sequence.
        drawing: Drawing::Move(Example {
            before: [1, 3, 2, 4, 5, 3, 10, 2, 3, 2, 1, 0, 4, 8],
            cup: 4,
            last: 10,
            after: [1, 3, 2, 4, 0, 4, 15, 3, 4, 0, 0, 0, 4, 8],
        }),
    },
    Lesson {
        title: "The end",
        text: "When the player to move has no stones, the game is over. What is left does not \
               count. More captured stones win.",
        drawing: Drawing::Move(Example {
            before: [0, 2, 0, 1, 0, 1, 23, 1, 0, 0, 0, 0, 0, 20],
            cup: 5,
            last: 7,
            after: [0, 2, 0, 1, 0, 0, 25, 0, 0, 0, 0, 0, 0, 20],
        }),
    },
    Lesson {
        title: "The buttons",
        text: "A counted cup shows a dash where its sowing would end. The triangle points at the \
               player to move. Hold RESET for 1 s: the menu has Undo, Help, a computer opponent \
               and more. RESET with T5 is Help, with T6 Undo. A short RESET asks, and starts the \
               game again.",
        drawing: Drawing::None,
    },
    // The four strategies of the program's manual.
    Lesson {
        title: "Flight",
        text: "Top's cup 12 would capture your cup 5. Empty it: then that sowing ends in an empty cup.",
        drawing: Drawing::Move(Example {
            before: [0, 0, 3, 0, 2, 1, 15, 3, 0, 4, 1, 0, 5, 14],
            cup: 4,
            last: 7,
            after: [0, 0, 3, 0, 0, 2, 15, 4, 0, 4, 1, 0, 5, 14],
        }),
    },
    Lesson {
        title: "Reinforcement",
        text: "Cup 12 would capture the two stones in cup 5. With a third one they are safe: four are not captured.",
        drawing: Drawing::Move(Example {
            before: [0, 0, 3, 0, 2, 1, 15, 3, 0, 4, 1, 0, 5, 14],
            cup: 2,
            last: 5,
            after: [0, 0, 0, 1, 3, 2, 15, 3, 0, 4, 1, 0, 5, 14],
        }),
    },
    Lesson {
        title: "Overkill",
        text: "Cup 12 would capture cup 5. Give it one more stone: now its sowing goes too far.",
        drawing: Drawing::Move(Example {
            before: [0, 0, 3, 0, 2, 6, 12, 3, 0, 4, 1, 0, 5, 12],
            cup: 5,
            last: 12,
            after: [0, 0, 3, 0, 2, 0, 12, 4, 1, 5, 2, 1, 6, 12],
        }),
    },
    Lesson {
        title: "Threat",
        text: "Cup 12 would capture cup 1. Threaten back: cup 4 would capture three. Top has to defend first.",
        drawing: Drawing::Move(Example {
            before: [2, 2, 0, 4, 1, 0, 14, 4, 3, 2, 0, 5, 1, 10],
            cup: 1,
            last: 3,
            after: [2, 0, 1, 5, 1, 0, 14, 4, 3, 2, 0, 5, 1, 10],
        }),
    },
];

const TOP_BOTTOM: [Lesson; 6] = [
    Lesson {
        title: "Top-Bottom",
        text: "Have more seeds in your mancala at the end. Bottom's mancala is on the far right, \
               Top's on the far left. A coin flip decides who begins.",
        drawing: START,
    },
    Lesson {
        title: "Sowing",
        text: "NUDGE beside your pit drops its seeds one by one into the next pits and your \
               mancala, not the opponent's.",
        drawing: SOWING,
    },
    Lesson {
        title: "Extra turn",
        text: "If the last seed falls into your own mancala, you get an extra turn.",
        drawing: FREE_TURN,
    },
    Lesson {
        title: "Capture",
        text: "The last seed falls into a pit of yours that was empty before the move: it and the \
               pit opposite go to your mancala.",
        drawing: CAPTURE,
    },
    Lesson {
        title: "The end",
        text: "A player has no more seeds in his pits: the game is over. Seeds in the other's pits \
               do not count. More seeds win.",
        drawing: Drawing::Move(Example {
            before: [0, 0, 0, 0, 0, 1, 22, 3, 0, 2, 0, 0, 1, 19],
            cup: 5,
            last: 6,
            after: [0, 0, 0, 0, 0, 0, 23, 3, 0, 2, 0, 0, 1, 19],
        }),
    },
    THE_BUTTONS,
];

const THE_BUTTONS: Lesson = Lesson {
    title: "The buttons",
    text: "Hold RESET for 1 s: the menu opens. It has Undo, Help, other games, the \
           computer as your opponent and more. RESET with T5 is Help, with T6 Undo. A short \
           RESET starts the game again. A press that is not allowed changes nothing: the \
           board says why.",
    drawing: Drawing::None,
};

/// A sowing past the player's own store.
const SOWING: Drawing = Drawing::Move(Example {
    before: [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0],
    cup: 4,
    last: 8,
    after: [4, 4, 4, 4, 0, 5, 1, 5, 5, 4, 4, 4, 4, 0],
});

/// A sowing whose last stone falls into the player's own store.
const FREE_TURN: Drawing = Drawing::Move(Example {
    before: [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0],
    cup: 2,
    last: 6,
    after: [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0],
});

/// A sowing whose last stone falls into an empty cup, with five opposite.
const CAPTURE: Drawing = Drawing::Move(Example {
    before: [2, 4, 0, 6, 6, 1, 5, 5, 0, 6, 5, 4, 1, 3],
    cup: 0,
    last: 2,
    after: [0, 5, 0, 6, 6, 1, 11, 5, 0, 6, 0, 4, 1, 3],
});

/// A sowing whose last stone falls into the player's own store; the remaining stones go to their
/// owner's store.
const SWEEP: Drawing = Drawing::Move(Example {
    before: [0, 0, 0, 0, 0, 1, 22, 3, 0, 2, 0, 0, 1, 19],
    cup: 5,
    last: 6,
    after: [0, 0, 0, 0, 0, 0, 23, 0, 0, 0, 0, 0, 0, 25],
});
