//! Sessions whose LCD is shown line by line.

use super::*;

/// Switches the board off and on. Returns the pictures that the session shows every millisecond,
/// the recording, and the end of the session.
fn pictures(scans: bool) -> (Vec<Arc<Frame>>, Paper, SessionEnd) {
    let paper = Paper::default();
    let mut session = session(&paper);
    session.advance(ms(500));
    session.execute(ms(500), Command::Scan(scans));
    session.execute(ms(500), Command::PowerCycle);
    session.take_update();
    let mut shown = Vec::new();
    for wall in 501..1_400 {
        if wall == 1_200 {
            session.execute(ms(wall), Command::Press(Button::B2));
        }
        session.advance(ms(wall));
        if let Some(update) = session.take_update() {
            shown.push(update.frame);
        }
    }
    let ended = session.finish(ms(1_500));
    (shown, paper, ended)
}

#[test]
fn a_scanned_picture_comes_in_parts_and_ends_as_the_complete_one() {
    let (whole, _, _) = pictures(false);
    let (torn, _, _) = pictures(true);
    let is_dark = |frame: &Frame| frame.pixels().iter().all(|pixel| *pixel == 0);
    let complete: Vec<&Frame> = {
        let mut frames: Vec<&Frame> = whole.iter().map(AsRef::as_ref).collect();
        frames.dedup();
        frames
    };
    // The panel without power, the background, and one stripe.
    assert_eq!(complete.len(), 3);
    assert!(is_dark(complete[0]));
    let between = torn.iter().filter(|frame| !complete.contains(&frame.as_ref())).count();
    assert!(between >= 3, "of {} pictures {between} are torn", torn.len());
    assert_eq!(torn.last().map(AsRef::as_ref), complete.last().copied());
}

#[test]
fn the_scan_changes_neither_the_recording_nor_the_flash() {
    let (_, plain, plain_end) = pictures(false);
    let (_, scanned, end) = pictures(true);
    assert_eq!(plain.text(), scanned.text());
    assert!(plain_end.frame == end.frame && plain_end.at == end.at);
    check_replay(&scanned, &end);
}

#[test]
fn the_past_has_complete_frames_and_the_present_is_scanned_again() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    session.execute(ms(0), Command::Scan(true));
    let shown = three_presses(&mut session);
    session.execute(ms(4_400), Command::Look(shown[1].0));
    let past = session.take_update().unwrap();
    assert_eq!(past.status.shown_at, Some(shown[1].0));
    assert!(past.frame == shown[1].1);
    assert!(session.take_update().is_none(), "clock has stopped");
    session.execute(ms(4_500), Command::Press(Button::T1));
    session.advance(ms(5_000));
    let update = session.take_update().unwrap();
    assert_eq!(update.status.shown_at, None);
    session.execute(ms(5_000), Command::Scan(false));
    session.advance(ms(5_100));
    let plain = session.take_update().map_or(update.frame.clone(), |update| update.frame);
    assert!(update.frame == plain, "at rest both are the same");
}
