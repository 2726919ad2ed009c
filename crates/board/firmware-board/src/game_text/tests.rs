//! Tests of the text of saved games: writing, reading back, and errors.

use firmware_core::history::text::GameReader;
use firmware_core::history::{History, Setup, Step, Stop};
use firmware_core::random::Random;
use firmware_core::rules::{Cup, Direction, Player, Position};
use firmware_core::systems::{Game, SYSTEMS};

use super::{parse, write};

const START: &str = "board 4,4,4,4,4,4,0,4,4,4,4,4,4,0";

/// Checks the error of a head without steps: `lines` below the title.
#[track_caller]
fn check(lines: &str, expected: &str) {
    let error = parse("a.game.txt", &format!("nudge saved game 1\n{lines}\n"));
    assert_eq!(error.map_err(|error| error.to_string()), Err(format!("a.game.txt:{expected}")));
}

/// Checks the error of invalid steps below a valid head of four lines and the line `steps`.
#[track_caller]
fn check_steps(steps: &str, expected: &str) {
    check(&format!("game wari\n{START}\nturn 0\nsteps\n{steps}"), expected);
}

/// Returns a game with every kind of step, in which some moves are undone.
fn random_history(game: Game, seed: u64) -> History {
    let mut random = Random::new(seed);
    let mut number = |below: u64| (random.number() % below) as usize;
    let choices = game.system().choices;
    let stones = if choices { 3 + number(3) as u8 } else { 4 };
    let setup = Setup { game, stones, bidirectional: choices && number(2) == 0 };
    let mut history = History::new(setup, setup.rules().start(Player::BOTH[number(2)]));
    for _ in 0..if seed.is_multiple_of(4) { 3_000 } else { 60 } {
        match number(20) {
            0 => {
                let mut after = history.position();
                let (from, to) = (number(14), number(14));
                let moved = after.stones[from].min(2);
                after.stones[from] -= moved;
                after.stones[to] += moved;
                after.turn = Player::BOTH[number(2)];
                history.edit(&after);
            }
            1 => _ = history.push(Step::Bidirectional(!history.rules().bidirectional)),
            2 => _ = history.undo(),
            _ if history.is_over() => _ = history.edit(&setup.rules().start(Player::Top)),
            _ => {
                let nth = number(6);
                let cup = Cup::nth(history.position().turn, nth).expect("a cup");
                history.push(Step::Sow(cup));
            }
        }
    }
    match seed % 4 {
        0 => _ = history.push(Step::Abandon),
        1 => _ = history.push(Step::Resign(Player::BOTH[number(2)])),
        _ => {}
    }
    history
}

/// Returns the game that the firmware's reader makes of a text; `None` if it refuses a line.
fn by_the_board(text: &str) -> Option<History> {
    let (mut reader, mut history) = (GameReader::default(), History::NONE);
    for line in text.lines() {
        reader.take(line, &mut history).ok()?;
    }
    reader.finish(&mut history).ok()?;
    Some(history)
}

/// Lines that are changed at random: a text that one of the two readers accepts, the other accepts
/// too, and as the same game.
#[test]
fn the_boards_reader_accepts_the_same_texts_as_this_one() {
    let (mut taken, mut refused) = (0, 0);
    for seed in 0..4_000 {
        let system = SYSTEMS[seed as usize % SYSTEMS.len()];
        let text = write(&random_history(system.game, 1 + seed % 3));
        let mut lines: Vec<String> = text.lines().take(30).map(str::to_owned).collect();
        let mut random = Random::new(seed);
        let mut number = |below: usize| (random.number() % below as u64) as usize;
        let at = number(lines.len());
        match number(5) {
            0 => _ = lines.remove(at),
            1 => lines.insert(at, lines[number(lines.len())].clone()),
            2 => {
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                words.truncate(number(4));
                lines[at] = words.join(" ");
            }
            3 => {
                let word = ["0", "13", "on", "top", "cw", "turn", "edited", "steps", "4294967296"];
                lines[at] = format!("{} {}", lines[at], word[number(9)]);
            }
            _ => {
                let place = number(lines[at].len().max(1)).min(lines[at].len());
                let letter = [b'0', b'1', b'9', b',', b' ', b'#', b'-', b'x'][number(8)];
                let mut bytes = lines[at].clone().into_bytes();
                bytes.splice(place..(place + 1).min(bytes.len()), [letter]);
                lines[at] = String::from_utf8(bytes).expect("ASCII");
            }
        }
        let text = lines.join("\n");
        let (here, there) = (parse("a", &text).ok(), by_the_board(&text));
        match here.is_some() {
            true => taken += 1,
            false => refused += 1,
        }
        assert_eq!(there, here, "seed {seed}:\n{text}");
    }
    assert!(taken > 500 && refused > 500, "{taken} taken, {refused} refused");
}

#[test]
fn random_games_survive_the_conversion_to_text_and_back() {
    let mut gone = 0;
    for system in SYSTEMS {
        for seed in 0..40 {
            let history = random_history(system.game, seed);
            gone += u32::from(history.gone() > 0);
            let text = write(&history);
            let read = parse("a", &text);
            assert_eq!(read.as_ref(), Ok(&history), "{}, seed {seed}:\n{text}", system.name);
            assert_eq!(by_the_board(&text), Some(history), "{}, seed {seed}", system.name);
        }
    }
    assert!(gone > 5, "only {gone} games lost their beginnings");
}

#[test]
fn a_saved_game_reads_like_this() {
    let setup = Setup { game: Game::Wari, stones: 4, bidirectional: true };
    let mut history = History::new(setup, setup.rules().start(Player::Bottom));
    assert!(history.push(Step::Sow(Cup::at(0).expect("a cup"))));
    let mut after = history.position();
    (after.stones[12], after.stones[13], after.turn) = (3, 1, Player::Bottom);
    assert!(history.edit(&after) && history.push(Step::Bidirectional(false)));
    assert!(history.push(Step::Abandon));
    let text = "\
nudge saved game 1
game wari
stones 4
bidirectional on
first bottom
board 4,4,4,4,4,4,0,4,4,4,4,4,4,0
turn 0
direction ccw
before 0

steps
sow 0   # move 1
move 12 to 13
turn
edited
bidirectional off
abandon
# Then: board 0,5,5,5,5,4,0,4,4,4,4,4,3,1, turn 0
";
    assert_eq!(write(&history), text);
    assert_eq!(parse("a", text), Ok(history));
}

#[test]
fn game_board_and_turn_are_enough() {
    let text = "\u{feff}# Bottom wins by cup 5.\r\nnudge  saved game 1\r\n\r\ngame wari\r\n\
                \tboard 0,0,0,0,0,1,20,1,14,0,0,0,0,0 # 36 stones: three a cup\r\nturn 0";
    let history = parse("a", text).expect("a saved game");
    let setup = Setup { game: Game::Wari, stones: 3, bidirectional: false };
    assert_eq!(history.setup(), setup);
    let mut stones = [0; 14];
    (stones[5], stones[6], stones[7], stones[8]) = (1, 20, 1, 14);
    assert_eq!(history.position(), Position::of(stones, Player::Bottom));
    assert_eq!((history.moves(), history.first()), (0, Player::Bottom));
}

#[test]
fn a_game_can_continue_from_the_middle() {
    let head = "game wari\nbidirectional on\nbegan-bidirectional off\ndirection cw\nturn 1\n\
                before 2500\nquiet 7\nfirst top\nstones 4";
    let text = format!("nudge saved game 1\n{head}\n{START}\n");
    let history = parse("a", &text).expect("a saved game");
    assert_eq!(history.position().direction, Direction::Clockwise);
    assert_eq!((history.gone(), history.quiet().moves_since_capture), (2_500, 7));
    assert!(history.rules().bidirectional && !history.setup().bidirectional);
}

#[test]
fn invalid_saved_games_are_refused() {
    let begins = "this is no saved game: it begins with `nudge saved game 1`";
    for text in ["", "trace 1\n", "\nnudge saved game\n", "nudge saved game one\n"] {
        let error = parse("a", text).expect_err("no saved game");
        assert_eq!(error.kind.to_string(), begins, "{text:?}");
    }
    let error = parse("a", "nudge saved game 2\n").expect_err("a later format").to_string();
    assert_eq!(error, "a:1:18: format 2 is unknown; this nudge reads format 1");
    let long = "#".repeat(super::FILE_BYTES_MAX + 1);
    assert!(
        parse("a", &long)
            .expect_err("too long")
            .to_string()
            .contains("it has 1048577 bytes, and the largest has 1048576")
    );
}

#[test]
fn keys_are_known_occur_once_and_have_one_value() {
    check("gmae wari", "2:1: `gmae` is no key of a saved game; did you mean `game`?");
    let known = "there are game, stones, bidirectional, began-bidirectional, first, board, turn, \
                 direction, before, quiet, abandoned, resigned";
    check("level novice", &format!("2:1: `level` is no key of a saved game; {known}"));
    check("game wari\n game wari", "3:2: `game` is in line 2 already; keep one");
    check("game", "2:1: the line ends too early; it is `game VALUE`");
    check("game wari wari", "2:11: `wari` is too much; the line is `game VALUE`");
    check("sow 5", "2:1: `sow` is a step; steps come below a line `steps`");
    check("turn", "2:1: `turn` is a step; steps come below a line `steps`");
    check("steps 5", "2:7: `5` is too much; the line is `steps`");
}

#[test]
fn keys_without_a_default_must_be_there() {
    check(&format!("{START}\nturn 0"), "3:1: the line `game VALUE` is missing above this");
    check("game wari\nturn 0", "3:1: the line `board VALUE` is missing above this");
    check(
        &format!("game wari\n{START}\nsteps\nsow 0"),
        "4:1: the line `turn VALUE` is missing above this",
    );
}

#[test]
fn values_are_known_and_in_range() {
    let with = |line: &str| format!("game wari\n{START}\nturn 0\n{line}");
    check(
        &format!("{START}\nturn 0\ngame warri"),
        "4:6: `game warri` is unknown; it is one of board, family, wari, top-bottom; did you \
         mean `wari`?",
    );
    check(
        &format!("game wari\n{START}\nturn bottom"),
        "4:6: `turn bottom` is unknown; it is one of 0, 1",
    );
    check(
        &with("first botom"),
        "5:7: `first botom` is unknown; it is one of bottom, top; did you mean `bottom`?",
    );
    check(&with("direction left"), "5:11: `direction left` is unknown; it is one of ccw, cw");
    check(&with("abandoned yes"), "5:11: `abandoned yes` is unknown; it is one of on, off");
    check(&with("resigned me"), "5:10: `resigned me` is unknown; it is one of bottom, top");
    check(&with("stones 300"), "5:8: `stones 300` is out of range; it takes 0 to 255");
    check(&with("before -1"), "5:8: `before -1` is out of range; it takes 0 to 4294967295");
}

#[test]
fn a_board_has_fourteen_places() {
    let with = |board: &str| format!("game board\nturn 0\nboard {board}");
    check(&with("4,4,4"), "4:7: a board has 14 places, separated by commas, not 3");
    check(
        &with("4,4,4,4,4,4,0,4,4,4,4,4,4,0,0"),
        "4:7: a board has 14 places, separated by commas, not 15",
    );
    check(&with("4,,4"), "4:9: `` is no number of stones, which is 0 to 255");
    check(&with("4,4,x"), "4:11: `x` is no number of stones, which is 0 to 255");
    check(&with("4,256"), "4:9: `256` is no number of stones, which is 0 to 255");
    check(
        &with("4,4,4,4,4,4,1,4,4,4,4,4,4,0"),
        "4:7: there are 49 stones on this board, but 48 in the game: twelve cups of 4",
    );
}

#[test]
fn a_contradictory_head_is_refused_at_the_contradiction() {
    let with = |game: &str, line: &str| format!("game {game}\n{START}\nturn 0\n{line}");
    check(&with("wari", "stones 6"), "5:8: `wari` has 3, 4 or 5 stones a cup, not 6");
    check(&with("board", "stones 3"), "5:8: `board` has 4 stones a cup, not 3");
    check(
        &with("family", "bidirectional on"),
        "5:15: only `wari` is bidirectional, not `family`; leave the line out",
    );
    check(
        &with("wari", "direction cw"),
        "5:11: only a bidirectional game goes clockwise; add the line `bidirectional on`",
    );
    check(
        &with("wari", "first top"),
        "5:7: without a move `before`, whose turn it is begins; change `first` or `turn`",
    );
    check(&with("wari", "quiet 1"), "5:7: there are at most as many quiet moves as went `before`");
    check(
        "game board\nturn 0\nboard 0,0,0,0,0,0,24,0,0,0,0,0,0,24\nabandoned on",
        "5:11: a game that is over by its rules was neither abandoned nor given up",
    );
    check(
        "game board\nturn 0\nboard 0,0,0,0,0,0,24,0,0,0,0,0,0,24\nresigned top",
        "5:10: a game that is over by its rules was neither abandoned nor given up",
    );
    check(
        &with("wari", "abandoned on\nresigned top"),
        "6:10: a game that was abandoned was not given up as well: leave one of the two out",
    );
}

#[test]
fn steps_must_be_known_complete_and_allowed() {
    check_steps(
        "sew 5",
        "6:1: `sew` is no step; there are sow, move, turn, edited, bidirectional, abandon, resign; did \
         you mean `sow`?",
    );
    check_steps(
        "game wari",
        "6:1: `game` belongs above the steps, once; below them it means nothing",
    );
    check_steps("sow", "6:1: the line ends too early; it is `sow PLACE`");
    check_steps("sow 6", "6:5: 6 is a store; cups are 0 to 5 and 7 to 12");
    check_steps("sow 14", "6:5: `14` is no place of the board, which are 0 to 13");
    check_steps("sow +1", "6:5: `+1` is no place of the board, which are 0 to 13");
    check_steps("move 3 into 6", "6:8: expected `to`, not `into`: `move 3 to 6`");
    check_steps("move 3 to", "6:1: the line ends too early; it is `move PLACE to PLACE`");
    check_steps("turn 1", "6:6: `1` is too much; the line is `turn`");
    check_steps(
        "bidirectional onn",
        "6:15: `bidirectional onn` is unknown; it is one of on, off; did you mean `on`?",
    );
    check_steps("sow 0\n\n sow 1", "8:2: this step cannot follow: the cup is the opponent's");
    check_steps(
        "abandon\nsow 0",
        "7:1: this step cannot follow: play was abandoned, or a player resigned, before",
    );
    check_steps("resign", "6:1: the line ends too early; it is `resign bottom|top`");
    check_steps("resign me", "6:8: `resign me` is unknown; it is one of bottom, top");
    check_steps("move 6 to 0", "6:1: this step cannot follow: there is no stone at that place");
    check_steps("turn\n# and on", "7:1: the edit is not done; end it by a line `edited`");
}

#[test]
fn a_resignation_is_a_step_or_in_the_head() {
    for (lines, player) in [("steps\nsow 0\nresign bottom", 0), ("resigned top", 1)] {
        let text = format!("nudge saved game 1\ngame wari\n{START}\nturn 0\n{lines}\n");
        let history = parse("a", &text).expect("a saved game");
        assert_eq!(history.stopped(), Some(Stop::Resigned(Player::BOTH[player])), "{lines}");
        assert_eq!(parse("b", &write(&history)), Ok(history), "{lines}");
    }
}

#[test]
fn a_game_with_too_many_steps_is_refused() {
    let steps = "turn\nedited\n".repeat(1_000);
    let text = format!("nudge saved game 1\ngame wari\n{START}\nturn 0\nsteps\n{steps}");
    assert!(parse("a", &text).is_ok());
    let error = parse("a", &format!("{text}sow 0\n")).expect_err("one more").to_string();
    assert_eq!(error, "a:2006:1: a game keeps at most 2000 steps; set it up later, by `board`");
}
