//! What a session reports of its console, its contacts and its clock, and lines typed on it.

use embedded_io::Write as _;

use super::*;

/// Returns the texts of an update's console.
fn texts(update: &Update) -> Vec<String> {
    update.console.iter().map(|line| line.text.clone()).collect()
}

/// Settles a session and returns it with its last update.
fn settled() -> (Session, Paper) {
    let paper = Paper::default();
    let mut session = session(&paper);
    session.advance(ms(900));
    session.take_update().expect("the first");
    (session, paper)
}

#[test]
fn the_console_is_reported_while_the_lcd_rests() {
    let (mut session, _) = settled();
    session.machine_board().uart().write_all(b"one\ntwo\n").unwrap();
    session.advance(ms(950));
    let update = session.take_update().expect("the console has changed");
    assert_eq!(texts(&update), ["one", "two"]);
    assert!(!update.is_clock && update.tones.is_empty());
    session.advance(ms(980));
    assert!(session.take_update().is_none());
}

#[test]
fn contacts_are_reported_while_the_lcd_rests() {
    let (mut session, _) = settled();
    session.execute(ms(900), Command::Press(Button::B1));
    session.advance(ms(960));
    assert!(session.take_update().expect("a press").closed.contains(Button::B1));
    session.advance(ms(990));
    session.take_update();
    session.execute(ms(990), Command::Release(Button::B1));
    session.advance(ms(991));
    let update = session.take_update().expect("the contact has opened");
    assert!(!update.closed.contains(Button::B1));
}

#[test]
fn the_clock_is_reported_each_second() {
    let (mut session, _) = settled();
    let mut seconds = Vec::new();
    for wall in (900..5_000).step_by(4) {
        session.advance(ms(wall));
        if let Some(update) = session.take_update() {
            assert!(update.is_clock, "at {}", update.now);
            seconds.push(update.now.0 / 1_000_000_000);
        }
    }
    assert_eq!(seconds, [1, 2, 3, 4]);
    session.advance(ms(5_000));
    session.execute(ms(5_000), Command::Pause(true));
    session.take_update().expect("it is paused");
    session.advance(ms(9_000));
    assert!(session.take_update().is_none(), "the clock stands");
}

#[test]
fn the_console_goes_on_after_any_number_of_bytes() {
    let (mut session, _) = settled();
    let line = [b'x'; 999];
    let mut wall = ms(900);
    // 18 MB: a board stores 16 MiB.
    for nth in 0..18_000 {
        let mut uart = session.machine_board().uart();
        uart.write_all(&line).unwrap();
        uart.write_all(b"\n").unwrap();
        wall += ms(90);
        session.advance(wall);
        let update = session.take_update().expect("a line");
        assert_eq!(update.console.end(), nth + 1);
    }
}

#[test]
fn a_past_time_shows_the_console_of_that_time() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    for nth in 0..3 {
        session.machine_board().uart().write_all(format!("line {nth}\n").as_bytes()).unwrap();
        session.advance(ms(1_000 + 1_000 * nth));
    }
    session.take_update().expect("the console");
    session.execute(ms(3_000), Command::Look(Instant::from_millis(1_500)));
    assert_eq!(texts(&session.take_update().unwrap()), ["line 0", "line 1"]);
    session.execute(ms(3_000), Command::Now);
    assert_eq!(texts(&session.take_update().unwrap()), ["line 0", "line 1", "line 2"]);
}

#[test]
fn a_typed_line_reaches_the_board_and_is_recorded() {
    let (mut session, paper) = settled();
    session.execute(ms(900), Command::Type("get gam\u{e9}e\u{7}".to_owned()));
    session.execute(ms(900), Command::Type("  ".to_owned()));
    session.execute(ms(900), Command::Type("x".repeat(9_999)));
    assert_eq!(session.machine_board().next_typed(), None);
    session.advance(ms(950));
    assert!(session.machine_board().next_typed().is_some());
    let ended = session.finish(ms(1_000));
    let text = paper.text();
    assert!(text.contains("type \"get game\"\n"), "{text}");
    let long = format!("type \"{}\"\n", "x".repeat(TYPED_MAX));
    assert!(text.contains(&long) && text.matches("type").count() == 2, "{text}");
    check_replay(&paper, &ended);
}
