//! Movements of buttons within the start of the firmware, which blocks for 240 ms or more.

use firmware_board::native;

use super::handover::taken_over;
use super::*;

fn native_machine() -> Box<dyn Machine> {
    let header = vec![HeaderEntry::new("seed", "7")];
    native::build(&Trace { header, ..Trace::default() }, None).unwrap()
}

/// Starts a recorded session of the firmware that can be rewound.
fn native_session(shelf: &SavedGames) -> Session {
    let recording = shelf.paper.recording();
    let mut session = Session::start(native_machine(), recording, Speed::REAL, ms(0)).unwrap();
    let rewinding =
        Rewinding { reader: Reader::new(Vec::new()), recording_files: Box::new(shelf.clone()) };
    session.remember(Rc::new(|| Ok(native_machine())), rewinding);
    session
}

fn console(session: &mut Session) -> Vec<String> {
    let update = session.take_update().unwrap();
    update.console.range(0..).map(|line| line.text.to_string()).collect()
}

/// Returns the times of the lines that move `button`, in milliseconds.
fn moved(trace: &Trace, button: Button) -> Vec<u64> {
    let mut at = Instant::START;
    let mut times = Vec::new();
    for line in &trace.lines {
        at = match line.when {
            trace::When::At(when) => when,
            trace::When::After(span) => at.saturating_add(span),
        };
        if matches!(&line.action, Action::Press(moved) | Action::Release(moved) if *moved == button)
        {
            times.push(at.0 / 1_000_000);
        }
    }
    times
}

#[test]
fn a_press_within_the_start_is_recorded_with_its_time() {
    let shelf = SavedGames::default();
    let mut session = native_session(&shelf);
    session.advance(ms(100));
    session.execute(ms(100), Command::Press(Button::B2));
    session.advance(ms(180));
    session.execute(ms(180), Command::Release(Button::B2));
    session.advance(ms(900));
    // The contact was open again before the firmware looked at it.
    let lines = console(&mut session);
    assert!(!lines.iter().any(|line| line.contains("stuck")), "{lines:?}");
    let ended = session.finish(ms(1_000));
    let trace = check_replay_on(native_machine(), &shelf.paper, &ended);
    assert_eq!(moved(&trace, Button::B2), [100, 180]);
}

#[test]
fn a_button_held_over_a_power_cycle_is_released_within_the_start() {
    let shelf = SavedGames::default();
    let mut session = native_session(&shelf);
    session.advance(ms(1_000));
    session.execute(ms(1_000), Command::Press(Button::B2));
    session.advance(ms(1_020));
    session.execute(ms(1_020), Command::PowerCycle);
    session.advance(ms(1_221));
    session.execute(ms(1_221), Command::Release(Button::B2));
    session.advance(ms(2_000));
    let lines = console(&mut session);
    assert!(!lines.iter().any(|line| line.contains("stuck")), "{lines:?}");
    let ended = session.finish(ms(2_000));
    let trace = check_replay_on(native_machine(), &shelf.paper, &ended);
    assert_eq!(moved(&trace, Button::B2), [1_001, 1_221]);
}

#[test]
fn a_button_that_is_down_before_and_after_the_start_is_stuck() {
    let shelf = SavedGames::default();
    let mut session = native_session(&shelf);
    session.advance(ms(1_000));
    session.execute(ms(1_000), Command::Press(Button::B2));
    session.execute(ms(1_020), Command::PowerCycle);
    session.advance(ms(2_000));
    session.execute(ms(2_000), Command::Release(Button::B2));
    let lines = console(&mut session);
    assert!(lines.iter().any(|line| line.contains("stuck button=B2")), "{lines:?}");
    let ended = session.finish(ms(2_500));
    check_replay_on(native_machine(), &shelf.paper, &ended);
}

#[test]
fn a_press_in_the_past_within_the_start_has_that_time() {
    let shelf = SavedGames::default();
    let mut session = native_session(&shelf);
    for (wall, command) in [
        (60, Command::Press(Button::B4)),
        (120, Command::Release(Button::B4)),
        (400, Command::Press(Button::B2)),
        (500, Command::Release(Button::B2)),
    ] {
        session.advance(ms(wall));
        session.execute(ms(wall), command);
    }
    session.advance(ms(1_000));
    session.execute(ms(1_000), Command::Look(Instant::from_millis(90)));
    session.execute(ms(1_010), Command::Press(Button::B1));
    session.advance(ms(1_040));
    session.execute(ms(1_040), Command::Release(Button::B1));
    session.advance(ms(2_000));
    let ended = session.finish(ms(2_000));
    let trace = check_replay_on(native_machine(), &shelf.paper, &ended);
    assert_eq!((moved(&trace, Button::B4), moved(&trace, Button::B2)), (vec![60, 90], vec![]));
    assert_eq!(moved(&trace, Button::B1), [90, 120]);
    // The other course has its own times.
    let kept = shelf.kept.lock().unwrap();
    let times: Vec<u64> = kept[0].events.iter().map(|(at, _)| at.0 / 1_000_000).collect();
    assert_eq!(times, [0, 60, 120, 401, 501]);
}

#[test]
fn sessions_with_movements_within_each_start_replay_to_their_last_frame() {
    let mut random = Random::new(5);
    let mut draw = |count| random.below(count);
    let mut within = 0;
    for case in 0..60 {
        let shelf = SavedGames::default();
        let mut session = remembered(&shelf);
        let mut wall = 0;
        for _ in 0..30 {
            wall += draw(90_000);
            let at = Duration::from_micros(wall);
            session.advance(at);
            // T6 stops the machine and is not pressed.
            let button = Button::LCD_BOARD[draw(11) as usize];
            match draw(14) {
                0..=4 => session.execute(at, Command::Press(button)),
                5..=8 => session.execute(at, Command::Release(button)),
                9 => session
                    .execute(at, Command::Chord(Chord { held: Button::Reset, pressed: button })),
                10 => session.execute(at, Command::PowerCycle),
                11 => session.execute(at, Command::Type("show".into())),
                12 => {
                    let back = Instant::from_micros(draw(wall.max(1)));
                    session.execute(at, Command::Look(back));
                    session.execute(at, Command::Press(button));
                }
                _ => {
                    let left = session.hand_over(at).handover.unwrap();
                    session = taken_over(&shelf, None, left, at);
                }
            }
        }
        let ended = session.finish(Duration::from_micros(wall));
        let trace = check_replay(&shelf.paper, &ended);
        let mut power_on = Instant::START;
        let mut at = Instant::START;
        for line in &trace.lines {
            at = match line.when {
                trace::When::At(when) => when,
                trace::When::After(span) => at.saturating_add(span),
            };
            match line.action {
                Action::PowerOn => power_on = at,
                Action::Press(_) if at < power_on.saturating_add(Nanos::from_millis(240)) => {
                    within += 1;
                }
                _ => {}
            }
        }
        assert_eq!(ended.violations, 0, "case {case}");
    }
    assert!(within > 100, "{within} presses were within a start");
}
