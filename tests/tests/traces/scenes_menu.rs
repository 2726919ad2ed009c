//! Scenes of the menus: every entry by buttons alone, and every page once.

use embedded_graphics::geometry::Size;
use firmware_core::rules::{Cup, Player};
use firmware_core::screen::layout::{Layout, Table};
use firmware_core::screen::theme;
use ili9341_model::Frame;
use nudge_tests::glance::{cut_out, seen};
use trace::Action;

use super::Scene;
use super::played::{ConsoleLine, ERROR_TONE, KEY_TONE, Move, Played};

pub(super) const SCENES: &[Scene] = &[
    ("the four menus, opened and left in three ways", "menu/open-and-leave", |played| {
        played.reads(&["Load Game", "New Board", "One Player", "Top-Bottom"])
            && played.count(|action| matches!(action, Action::ExpectFrame(_))) >= 5
            && played.sounds(KEY_TONE)
            && played.sounds(ERROR_TONE)
            // No key and no RESET caused a move or a restart.
            && played.openings().len() == 1
            && played.moves().map(|said| said.cup).eq([2])
    }),
    ("the menu while the last stones move", "menu/opened-while-the-last-stones-move", |played| {
        played.ends_by(|said| said.stores() == [32, 15])
            && played.reads(&["Load Game", "Game over: total scores"])
            // The text appears because of BACK, not because of the end of the movement.
            && played.readings("GAME OVER Bottom wins") == 1
    }),
    ("what Top-Bottom says where no other trace looks", "menu/words-top-bottom", |played| {
        played.plays("top-bottom")
            && played.reads(&[
                "Nothing to take back",
                "Not your pit:",
                "Help: this pit",
                "Game goes on:",
                "Switch the board off?",
                "No saved games",
                "Change to Wari?",
                "Change to Board?",
                "Silences the buzzer",
                "Total scores: Top-Bottom",
            ])
            // The wrong pit and each NO changed nothing.
            && played.moves().map(|said| said.cup).eq([0])
            && played.sounds(ERROR_TONE)
    }),
    ("what Family says where no other trace looks", "menu/words-family", |played| {
        played.plays("family")
            && played.readings("Not your bin:") == 2
            && played.reads(&["Game goes on:", "No saved games", "Silences the buzzer"])
            && played.moves().map(|said| said.cup).eq([0])
    }),
    ("every question of the menus in Top-Bottom", "menu/questions-top-bottom", |played| {
        played.plays("top-bottom") && asks(played, "Top", "seed")
    }),
    ("every question of the menus in Family", "menu/questions-family", |played| {
        played.plays("family") && asks(played, "Player B", "stone")
    }),
    ("options that are chosen, a change refused, a stone put back", "menu/words-board", |played| {
        played.reads(&["is chosen", "is on", "beginner", "Change to Wari?"])
            && played.reads(&["Gives the turn to Player 1", "Gives the turn to Player 2"])
            && played.moves().map(|said| said.cup).eq([0])
            && played.changes("edit").is_empty()
    }),
    // Play
    ("New Board: NO, YES, the scores, OK", "menu/new-board", |played| {
        played.readings("Start a new game?") == 2
            && played.openings().len() == 2
            && played.moves().any(Move::captures)
            // The game that New Board ended does not count.
            && played.readings("Both have the same") == 2
    }),
    ("New Board: LOG on the way", "menu/new-board-log", |played| {
        played.wrote(&["log of LOG1", "end of the log", "logged name=LOG1", "move=- ", "move=5"])
    }),
    ("Show Scores: finished games and the one in progress", "menu/show-scores", |played| {
        let ahead = ["Player 1 is ahead by 34", "Player 1 is ahead by 35"];
        played.ends_by(|said| said.stores() == [41, 7])
            && played.readings(ahead[0]) == 2
            && played.readings(ahead[1]) == 1
            && played.boots() == 2
            && played.reads(&["Total scores: Wari"])
    }),
    ("Show Scores in family: finished games only", "menu/show-scores-family", |played| {
        played.plays("family")
            && played.moves().any(|said| said.is("free-turn"))
            && played.readings("Both have the same") == 2
            && played.wrote(&["move=abandon event=game-over,winner:0"])
            && played.reads(&["Player A is ahead by 1", "The game in progress counts at its end."])
    }),
    ("Show Scores: LOG", "menu/show-scores-log", |played| {
        played.wrote(&["log of LOG1", "logged name=LOG1", "move=0"]) && played.openings().len() == 1
    }),
    ("Reset Scores before the game has begun", "menu/reset-scores-not-begun", |played| {
        played.ends_by(|said| said.stores() == [41, 7])
            && played.reads(&["Player 1 is ahead by 34", "The scores are reset"])
            && played.readings("Reset the total scores?") == 2
            && played.readings("Both have the same") == 2
            && played.boots() == 2
    }),
    ("Reset Scores in the middle of a game", "menu/reset-scores-in-progress", |played| {
        played.ends_by(|said| said.stores() == [41, 7])
            && played.reads(&["Player 1 is ahead by 35", "Player 1 is ahead by 1"])
            && played.reads(&["The totals become the score of this game"])
            && played.moves().last().is_some_and(|said| !said.is("game-over"))
    }),
    ("Reset Scores when the game is over", "menu/reset-scores-after-the-end", |played| {
        let over = played.lines.iter().filter(|line| line.contains("game-over")).count();
        over == 2
            && played.changes("undo").len() == 1
            && played.reads(&["The scores are reset", "Both have the same", "ahead by 3"])
            && played.readings("Player 1 is ahead by 34") == 2
    }),
    ("Help, with the only cup that there is to play", "menu/help", |played| {
        played.plays("board") && helps(played)
    }),
    ("Help in wari counts the cup as well", "menu/help-wari", |played| {
        played.plays("wari") && helps(played)
    }),
    ("Help in family", "menu/help-family", |played| played.plays("family") && helps(played)),
    ("Undo and Help by two buttons", "menu/undo-and-help-by-two-buttons", |played| {
        played.changes("undo").len() == 4
            && played.openings().len() == 1
            && played.reads(&["Nothing to take back", "Help: this cup"])
            && played.reads(&["Not with RESET"])
    }),
    ("RESET held while a name is entered", "menu/name-entry-reset-held", |played| {
        played.reads(&["Hold: menu", "File Play Options Game"])
    }),
    ("a NUDGE and RESET pressed together", "menu/nudge-before-reset", |played| {
        // Of T6 twice, T5 and T3 each move was taken back, and the one before T6.
        played.moves().map(|said| said.cup).eq([0, 11, 1, 7, 8, 10, 10])
            && played.changes("undo").len() == 5
            && played.openings().len() == 2
    }),
    ("presses before the LCD shows what they act on", "menu/pressed-too-early", |played| {
        played.moves().map(|said| said.cup).eq([5])
            && played.openings().len() == 1
            && played.presses() > 15
    }),
    ("chords on a menu and on a page do nothing", "menu/chords-on-pages", |played| {
        played.changes("undo").is_empty()
            && played.openings().len() == 1
            && played.moves().count() == 1
            && !played.reads(&["Help:"])
    }),
    ("Undo as deep as the game goes", "menu/undo", |played| {
        played.changes("undo").len() == 4
            && played.undoes_to_turns_of(&[0, 1])
            && played.changes("undo")[3].to == played.openings()[0]
            && played.moves().any(Move::captures)
            && played.moves().any(|said| said.is("free-turn"))
            && played.reads(&["Nothing to take back"])
    }),
    ("Undo while a capture glows", "menu/undo-while-a-capture-glows", |played| {
        played.changes("undo").len() == 1 && played.moves().last().is_some_and(Move::captures)
    }),
    ("Undo of the move that ended a game", "menu/undo-after-the-end", |played| {
        played.wrote(&["game-over", "move=undo event=none", "game-over"])
            && played.undoes_to_turns_of(&[0, 1])
            // Counted once, removed, and counted once again.
            && played.readings("Player 1 is ahead by 34") == 2
    }),
    ("Undo against the computer", "menu/undo-against-the-computer", |played| {
        played.changes("undo").len() == 2
            && played.undoes_to_turns_of(&[0])
            && plays_the_top_row(played)
    }),
    ("no Undo in family", "menu/undo-not-in-family", |played| {
        played.changes("undo").is_empty()
            && played.reads(&["Touch-move in Family"])
            && played.moves().count() == 2
    }),
    ("Abandon Play: both agree", "menu/abandon-play", |played| {
        let ends = played.changes("abandon");
        ends.len() == 1
            && ends[0].to.turn.is_none()
            && ends[0].before == ends[0].to.stones
            && played.wrote(&["move=abandon event=game-over,winner:1", "turn=0 move=- "])
            && played.reads(&["Game over: total scores"])
    }),
    ("Abandon Play: one of both declines", "menu/abandon-play-declined", |played| {
        played.changes("abandon").is_empty()
            && played.reads(&["Does Player 1 agree", "Does Player 2 agree"])
            && played.moves().map(|said| said.cup).eq([2, 0, 12])
    }),
    ("Abandon Play against the computer", "menu/abandon-against-the-computer", |played| {
        let turns = played.moves().filter(|said| said.player() == 0 && said.before[0] == 1);
        played.wrote(&["option players=one", "move=5", "move=12", "move=abandon"])
            && played.reads(&["The computer plays on", "The computer agrees.", "PLAY ABANDONED"])
            && played.changes("abandon").len() == 1
            && turns.filter(|said| said.before[5] == 1).count() == 2
    }),
    ("an edit that ends the game sweeps", "menu/edit-board-sweeps", |played| {
        played.changes("edit").len() == 1
            && played.wrote(&["move=edit event=game-over,draw", "move=undo event=none"])
            && played.reads(&["GAME OVER DRAW"])
    }),
    ("Undo before one's own first move", "computer/undo-before-own-first-move", |played| {
        played.changes("undo").is_empty()
            && played.moves().all(|said| said.player() == 1)
            && played.reads(&["Nothing to take back"])
    }),
    ("Resign: asks, the opponent wins, Undo, the loser begins", "menu/resign", |played| {
        let ends = played.changes("resign");
        ends.len() == 2
            && ends.iter().all(|end| end.to.turn.is_none() && end.before == end.to.stones)
            // The player who resigns has captured more.
            && ends.iter().all(|end| end.to.stones[13] > end.to.stones[6])
            && played.wrote(&["move=resign event=game-over,winner:0", "turn=1 move=undo"])
            && played.wrote(&["move=resign", "move=resign", "turn=1 move=- "])
            && played.readings("Top is ahead by 2") == 3
    }),
    ("Resign in Board, and a press after it", "menu/resign-board", |played| {
        played
            .wrote(&["move=resign event=game-over,winner:0", "refused button=T1 reason=game-over"])
            && played.moves().map(|said| said.cup).eq([2, 0])
            && played.reads(&["Player 2 resigns", "Player 1 wins: press RESET"])
            && played.sounds(ERROR_TONE)
    }),
    ("Help while the computer is to move", "menu/help-computer-moves", |played| {
        played.reads(&["The computer is to move", "Help is for your own turn."])
            && plays_the_top_row(played)
    }),
    ("Log Game in Board, over one of the same name", "menu/log-overwrite-board", |played| {
        played.wrote(&["logged name=LOG1", "1 Player 1 #6", "logged name=LOG1"])
            && played.readings("Overwrite the log LOG1?") == 2
    }),
    ("Advanced, chosen in Board", "menu/skill-board", |played| {
        played.wrote(&["option level=advanced"])
            && played.reads(&["The computer plays as well as it can", "is chosen"])
    }),
    ("Resign while the computer is to move", "menu/resign-against-the-computer", |played| {
        let ends = played.changes("resign");
        ends.len() == 1
            && played.moves().map(|said| said.cup).take(2).eq([2, 0])
            && played.undoes_to_turns_of(&[0])
            && played.readings("Player 1 is ahead by 1") == 2
            && played.reads(&["The game is over", "Not in the demo"])
    }),
    // Options
    ("One Player: the computer answers", "menu/one-player", |played| {
        played.wrote(&["option players=one", "move=0"])
            && plays_the_top_row(played)
            && played.reads(&["Player 2 thinks: please wait"])
            && played.sounds(ERROR_TONE)
    }),
    ("Two Players: a person plays the top row", "menu/two-players", |played| {
        played.wrote(&["option players=two", "move=- ", "move=1", "move=11", "move=2"])
            && played.touches_the_top_row()
    }),
    ("Demo Mode: told, run, asked, left", "menu/demo-mode", |played| {
        let demo = played.lines.iter().position(|line| line == "option players=demo");
        let left = played.lines.iter().position(|line| line == "option players=two");
        let moves = |lines: &[String]| lines.iter().filter(|l| l.starts_with("position")).count();
        demo.zip(left).is_some_and(|(from, to)| from < to && moves(&played.lines[from..to]) > 2)
            && played.readings("Leave the demo?") == 3
            && played.reads(&["Hold any key to leave the demo", "Hold a button to leave"])
            && played.wrote(&["option players=two", "move=- ", "move=2", "move=0", "move=12"])
    }),
    ("Bidirectional: every capture turns the sowing around", "menu/bidirectional", |played| {
        played.wrote(&["option bidirectional=on", "direction=ccw", "direction=cw", "direction=ccw"])
            && turns_at_captures(played)
    }),
    ("Bidirectional off is counter-clockwise again", "menu/bidirectional-off", |played| {
        let off = played.lines.iter().position(|line| line == "option bidirectional=off");
        off.is_some_and(|off| {
            played.lines[off - 1].ends_with("direction=cw")
                && played.lines[off + 1].ends_with("direction=ccw")
                && !played.lines[off + 1].contains("capture")
        })
    }),
    ("Show Thoughts: the dash among the computer's cups", "menu/show-thoughts", |played| {
        let [without, thoughts @ ..] = played.screenshots.as_slice() else { return false };
        let seen: Vec<usize> = thoughts.iter().flat_map(dashes).collect();
        let moves_about = seen.iter().any(|cup| *cup != seen[0]);
        dashes(without).is_empty() && moves_about && seen.iter().all(|cup| *cup >= 7)
    }),
    ("Show Thoughts in Family: the dash next to its cup", "family/thoughts", |played| {
        played.plays("family")
            && played.moves().map(Move::player).eq([0, 1])
            && played.count(|action| matches!(action, Action::ExpectFrame(_))) == 2
    }),
    (
        "Three, Four, Five Stones at the start and in the middle of a game",
        "menu/three-stones",
        |played| {
            let cups: Vec<u32> = played.openings().iter().map(|opened| opened.stones[0]).collect();
            cups == [4, 3, 5, 4, 3, 4]
                && played.moves().count() == 1
                && played.readings("New game with three stones") == 1
                && played.readings("New game with four stones") == 1
        },
    ),
    ("Five Stones in the middle of a game", "menu/five-stones", |played| {
        played.readings("New game with five stones") == 2
            && played.wrote(&["move=0", "move=11", "option stones=5", "move=- ", "move=0"])
            && played.openings().last().is_some_and(|opened| opened.stones[..6] == [5; 6])
    }),
    ("Advanced, Proficient, Intermediate, Novice", "menu/skill", |played| {
        played.wrote(&[
            "level=advanced",
            "level=proficient",
            "level=intermediate",
            "level=novice",
            "level=advanced",
        ]) && plays_the_top_row(played)
            && played.undoes_to_turns_of(&[0])
            && played.openings().len() == 1
    }),
    ("Sound Off, through the power, and on again", "menu/sound-off", |played| {
        let stones = played.moves().count();
        let off_at = played.said.iter().find(|(_, said)| matches!(said, ConsoleLine::Refused(_)));
        let heard = |until| {
            off_at.is_some_and(|(at, _)| {
                let loud = |tone: &&hal_mock::board::Tone| tone.hz.is_some();
                played.tones.iter().filter(loud).any(|tone| (tone.at > *at) == until)
            })
        };
        played.boots() == 2
            && stones == 4
            && !played.sounds(ERROR_TONE)
            && heard(false)
            && heard(true)
    }),
    // Game
    ("Wari, before a game has begun", "menu/game-wari", |played| {
        played.wrote(&["game=board", "option game=wari", "move=- ", "move=2", "move=8"])
            && played.readings("Change to") == 0
            && played.openings().len() == 2
    }),
    ("Board, in the middle of a game", "menu/game-board", |played| {
        played.readings("Change to Board?") == 2
            && played.wrote(&["move=0", "move=11", "option game=board", "move=- ", "move=2"])
    }),
    ("Family: the coin says who begins", "menu/game-family", |played| {
        played.wrote(&["move=0", "option game=family", "move=- "]) && played.reads(&["Coin flip:"])
    }),
    ("Top-Bottom: the coin says who begins", "menu/game-top-bottom", |played| {
        played.wrote(&["move=0", "option game=top-bottom", "move=- "])
            && played.reads(&["Coin flip:"])
    }),
    ("every option survives power-off", "menu/settings-survive-power-off", |played| {
        let chosen = ["game=wari", "stones=5", "bidirectional=on", "level=advanced", "players=one"];
        played.wrote(&chosen)
            && played.wrote(&["players=one", "boot", "board=5,5,5,5,5,5,0,5,5,5,5,5,5,0 turn=0"])
    }),
    ("a full flash says so and what to do", "menu/save-game-full", |played| {
        played.readings("No room beside 24 files") == 2 && played.wrote(&["logged name=LOG1"])
    }),
    ("what belongs to wari is dim elsewhere", "menu/only-in-wari", |played| {
        played.reads(&["Only in Wari"])
            && played.readings("Not in Board") == 4
            && !played.wrote(&["option "])
            && played.openings().len() == 1
    }),
];

/// Returns whether the trace shows the questions in the game of `player`, and none of them changes
/// the game.
fn asks(played: &Played, player: &str, stone: &str) -> bool {
    let [resign, agree] = ["resign", "agree"].map(|what| format!("Does {player} {what}"));
    let edit = format!("Where does the {stone} go?");
    played.reads(&[
        "Start a new game?",
        &resign,
        &agree,
        "Reset the total scores?",
        &edit,
        "No logs",
        "Start the demo?",
    ]) && played.moves().map(|said| said.cup).eq([0])
        && played.openings().len() == 1
        && played.changes("edit").is_empty()
}

/// Returns the lines about saved games.
pub(super) fn saved(played: &Played) -> Vec<&str> {
    played.lines.iter().filter(|line| line.starts_with("saved ")).map(String::as_str).collect()
}

/// Returns whether Help marked the only playable cup, which was played afterwards.
fn helps(played: &Played) -> bool {
    let Some(last) = played.moves().last() else { return false };
    let side = 7 * last.player();
    let choices = (side..side + 6).filter(|cup| last.before[*cup] > 0).count();
    choices == 1 && played.reads(&["Help: "]) && played.changes("undo").is_empty()
}

/// Returns whether the top row made a move without a press of its buttons.
fn plays_the_top_row(played: &Played) -> bool {
    !played.touches_the_top_row() && played.moves().any(|said| said.player() == 1)
}

/// Returns whether the direction changes after each capture and after no other move.
fn turns_at_captures(played: &Played) -> bool {
    let moves = played.lines.iter().filter(|line| line.starts_with("position "));
    let moves: Vec<(bool, bool)> =
        moves.map(|line| (line.contains("capture:"), line.ends_with("direction=cw"))).collect();
    let captures = moves.iter().filter(|(captures, _)| *captures).count();
    captures >= 2 && moves.windows(2).all(|pair| (pair[0].1 != pair[1].1) == pair[1].0)
}

/// Returns the cups with a dash on `frame`, which shows the stores in the middle.
fn dashes(frame: &Frame) -> Vec<usize> {
    let layout = Layout::of(
        Table::StoresInTheMiddle,
        Size::new(frame.width() as u32, frame.height() as u32),
    );
    let white = seen(theme::DASH);
    let marked = |cup: &Cup| {
        let place = cut_out(frame, &layout.cup_dash(*cup));
        place.pixels().contains(&white)
    };
    let cups = Player::BOTH.into_iter().flat_map(Cup::of);
    cups.filter(marked).map(|cup| cup.place()).collect()
}
