//! Tests the reference itself with the examples of the systems' source documents.

use nudge_tests::reference::{Game, System, Variant, lines};

/// Checks the stones after `cup` was sown from `holes`, and the event in the line.
#[track_caller]
fn check(mut game: Game, cup: usize, board: &str, event: &str) {
    let line = game.play(cup).expect("allowed").line;
    let field = |name: &str| {
        let found = line.split(' ').find_map(|word| word.strip_prefix(name));
        found.expect("every line has it").to_owned()
    };
    assert_eq!((field("board=").as_str(), field("event=").as_str()), (board, event));
}

fn at(system: System, holes: [u32; 14], turn: usize) -> Game {
    Game::at(Variant::plain(system), holes, turn)
}

#[test]
fn the_reference_plays_the_corrected_example_of_twelve_stones() {
    // "Assume that a player has 12 stones in cup #3": #3 is index 3, #4 index 2.
    let holes = [1, 1, 1, 12, 1, 1, 0, 1, 1, 1, 1, 1, 1, 9];
    check(at(System::Board, holes, 0), 3, "2,2,2,0,2,2,1,2,2,2,2,2,2,9", "none");
}

#[test]
fn the_reference_plays_the_family_example_of_eight_stones() {
    // "Player A picks up eight stones from bin #6": the last falls into bin #1.
    let holes = [0, 4, 4, 4, 4, 8, 0, 4, 4, 4, 4, 4, 4, 0];
    let board = "0,4,4,4,4,0,7,5,5,5,5,5,0,0";
    check(at(System::Family, holes, 0), 5, board, "capture:6");
}

#[test]
fn only_top_bottom_does_not_capture_after_a_lap_of_thirteen() {
    let holes = [0, 0, 13, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 31];
    // The thirteenth stone falls into its own cup, which is empty because it was lifted; the cup
    // across has 0 + 1.
    for system in [System::Board, System::Family] {
        check(at(system, holes, 0), 2, "1,1,0,1,1,2,3,1,1,1,0,1,4,31", "capture:2");
    }
    // "Empty [means] no seeds in it prior to a move."
    check(at(System::TopBottom, holes, 0), 2, "1,1,1,1,1,2,1,1,1,1,1,1,4,31", "none");
}

#[test]
fn only_top_bottom_captures_two_seeds_after_a_lap_of_fourteen() {
    let holes = [1, 0, 14, 0, 1, 1, 0, 1, 1, 1, 1, 1, 3, 23];
    check(at(System::Board, holes, 0), 2, "2,1,1,2,2,2,1,2,2,2,2,2,4,23", "none");
    check(at(System::TopBottom, holes, 0), 2, "2,1,1,0,2,2,5,2,2,0,2,2,4,23", "capture:4");
}

#[test]
fn the_reference_ends_a_game_by_a_free_turn_and_keeps_the_event() {
    let holes = [0, 0, 0, 0, 0, 1, 23, 0, 0, 0, 0, 0, 2, 22];
    let event = "free-turn,sweep:2,game-over,draw";
    check(at(System::Board, holes, 0), 5, "0,0,0,0,0,0,24,0,0,0,0,0,0,24", event);
    // The stones left over count for neither player.
    let event = "free-turn,game-over,winner:0";
    check(at(System::TopBottom, holes, 0), 5, "0,0,0,0,0,0,24,0,0,0,0,0,2,22", event);
}

#[test]
fn the_reference_plays_figure_2_of_the_manual() {
    // Cup 5 has five stones; 9 becomes a three, 10 a two, 8 a four, which breaks the sequence.
    let holes = [1, 1, 1, 1, 5, 1, 0, 2, 3, 2, 1, 1, 1, 0];
    check(at(System::Wari, holes, 0), 4, "1,1,1,1,0,2,5,3,4,0,0,1,1,0", "capture:5");
}

#[test]
fn the_reference_passes_over_the_source_of_a_lap_in_wari() {
    let holes = [12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    check(at(System::Wari, holes, 0), 0, "0,2,1,1,1,1,0,1,1,1,1,1,1,0", "none");
}

#[test]
fn the_reference_sows_and_captures_clockwise() {
    // Cup 2's stones fall into 1, 12 and 11; the previous cup against the sowing is 12.
    let variant = Variant { system: System::Wari, stones: 4, bidirectional: true };
    let holes = [1, 3, 0, 0, 0, 1, 0, 1, 1, 1, 1, 2, 1, 0];
    let game = Game::at(variant, holes, 0).clockwise();
    check(game.clone(), 1, "2,0,0,0,0,1,5,1,1,1,1,0,0,0", "capture:5");
    let mut game = game;
    let line = game.play(1).expect("allowed").line;
    assert!(line.ends_with("message=\"Bottom captures\" direction=ccw"), "{line}");
}

#[test]
fn the_reference_refuses_with_the_number_of_the_move() {
    use nudge_tests::reference::Refusal::NotYours;
    assert_eq!(lines(&[0, 1]), Err((1, NotYours)));
    assert_eq!(lines(&[2]).map(|lines| lines.len()), Ok(2));
}
