//! Sessions with a machine whose firmware only paints a stripe for each press it detects.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hal_mock::replay::{Goldens, ReplaySettings, Verdict, replay};
use ili9341_model::Frame;
use reading::{golden::GoldenError, text::Reader};
use trace::{Action, Button, FrameCheck, HeaderEntry, Trace, parse};
use virtual_time::{Instant, Nanos, Random};

use host::clock::Speed;

use super::fake::FakeMachine;
use super::session::Session;
use super::*;

mod boot;
mod branches;
mod console;
mod contained;
mod full;
mod handover;
mod memory;
mod opened;
mod pace;
mod rewind_to;
mod scanned;
mod shown;
mod stops;

/// An in-memory file that remains readable after the recording ends.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Paper {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    fn recording(&self) -> Option<(Sink, Vec<HeaderEntry>)> {
        Some((Box::new(self.clone()), vec![HeaderEntry::new("seed", "7")]))
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct NoGoldens;

impl Goldens for NoGoldens {
    fn check(&mut self, expected: &FrameCheck, _: &Frame) -> Result<(), GoldenError> {
        Err(format!("no golden {expected}").into())
    }

    fn screenshot(&mut self, _: &str, _: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }
}

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn session(paper: &Paper) -> Session {
    Session::start(FakeMachine::boxed(7), paper.recording(), Speed::REAL, ms(0)).unwrap()
}

/// Replays the recording on another machine and compares both ends.
#[track_caller]
fn check_replay(paper: &Paper, ended: &SessionEnd) -> Trace {
    check_replay_on(FakeMachine::boxed(7), paper, ended)
}

/// Like [`check_replay`], on a machine equal to the session's.
#[track_caller]
fn check_replay_on(machine: Box<dyn Machine>, paper: &Paper, ended: &SessionEnd) -> Trace {
    let mut machine = machine;
    let trace = parse("live.trace", &paper.text()).unwrap();
    assert_eq!(trace.lines.last().map(|line| &line.action), Some(&Action::End));
    let reader = Reader::new(Vec::new());
    let outcome =
        replay(&trace, machine.as_mut(), &reader, &mut NoGoldens, &ReplaySettings::default());
    assert_eq!(outcome.verdict, Verdict::Passed);
    assert_eq!(outcome.ended_at, ended.at);
    let frame = machine.board().frame_at(outcome.ended_at);
    assert!(frame == ended.frame, "the replay ends with another frame");
    trace
}

fn presses(trace: &Trace) -> Vec<Button> {
    let press = |action: &Action| match action {
        Action::Press(button) => Some(*button),
        _ => None,
    };
    trace.lines.iter().filter_map(|line| press(&line.action)).collect()
}

/// Returns pseudo-random buttons in a fixed order, never T6, which stops the machine.
fn some_buttons(count: usize) -> Vec<Button> {
    let mut state = 1_u32;
    let mut draw = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Button::LCD_BOARD[(state >> 16) as usize % Button::LCD_BOARD.len()]
    };
    std::iter::repeat_with(&mut draw).filter(|button| *button != Button::T6).take(count).collect()
}

#[test]
fn a_recording_replays_to_the_last_frame_of_the_session() {
    let paper = Paper::default();
    let mut session = session(&paper);
    let mut wall = ms(0);
    for (at, button) in some_buttons(200).into_iter().enumerate() {
        // Irregular times, like those of a user and an operating system.
        wall += Duration::from_micros(1_000 + 7_919 * (at as u64 % 13));
        session.advance(wall);
        session.execute(wall, Command::Press(button));
        if at % 50 == 20 {
            session.execute(wall, Command::PowerCycle);
        }
        wall += Duration::from_micros(300 + 9_973 * (at as u64 % 5));
        session.advance(wall);
        session.execute(wall, Command::Release(button));
    }
    let ended = session.finish(wall);
    assert!(ended.machine_error.is_none() && ended.recording_error.is_none());
    assert_eq!(ended.violations, 0);
    let trace = check_replay(&paper, &ended);
    assert_eq!(presses(&trace), some_buttons(200));
    let power = |action: &Action| matches!(action, Action::PowerOn | Action::PowerOff);
    assert_eq!(trace.lines.iter().filter(|line| power(&line.action)).count(), 1 + 2 * 4);
}

#[test]
fn presses_through_the_channels_all_arrive_in_order() {
    let paper = Paper::default();
    let setup = Setup { speed: Speed::MAX, recording: paper.recording(), ..Setup::default() };
    let factory = || Ok(FakeMachine::boxed(7));
    let mut live = spawn(factory, setup).unwrap();
    let buttons = some_buttons(2_000);
    for button in &buttons {
        live.send(Command::Press(*button)).unwrap();
        live.send(Command::Release(*button)).unwrap();
        // A window that fetches updates irregularly.
        if button.index() == 0 {
            live.update().unwrap();
        }
    }
    let ended = live.quit().unwrap();
    assert!(ended.machine_error.is_none() && ended.recording_error.is_none());
    assert_eq!(presses(&check_replay(&paper, &ended)), buttons);
}

#[test]
fn presses_made_while_paused_arrive_however_many() {
    let paper = Paper::default();
    let mut session = session(&paper);
    session.advance(ms(500));
    session.execute(ms(500), Command::Pause(true));
    let buttons = some_buttons(2_000);
    for button in &buttons {
        session.execute(ms(600), Command::Press(*button));
        session.execute(ms(600), Command::Release(*button));
    }
    session.execute(ms(700), Command::Pause(false));
    let ended = session.finish(ms(700));
    assert_eq!(presses(&check_replay(&paper, &ended)), buttons);
}

#[test]
fn a_key_hit_within_one_tick_is_detected_by_the_firmware() {
    let mut session = session(&Paper::default());
    session.advance(ms(500));
    let before = session.take_update().unwrap().status.frames;
    session.execute(ms(500), Command::Press(Button::B3));
    session.execute(ms(500), Command::Release(Button::B3));
    session.advance(ms(600));
    let update = session.take_update().unwrap();
    assert_eq!(update.status.frames, before + 1, "one stripe");
    assert_eq!(update.tones.first().and_then(|tone| tone.hz), Some(480));
    assert_eq!(update.tones.last().map(|tone| tone.hz), Some(None));
}

#[test]
fn time_stops_while_paused_and_a_step_ends_with_its_frame() {
    let mut session = session(&Paper::default());
    session.advance(ms(500));
    session.execute(ms(500), Command::Pause(true));
    session.advance(ms(501));
    let before = session.take_update().unwrap();
    assert!(before.status.paused);
    session.advance(ms(9_000));
    assert!(session.take_update().is_none());
    assert_eq!(session.idle_for(ms(9_000)), None);

    session.execute(ms(9_000), Command::Press(Button::B1));
    session.execute(ms(9_000), Command::SingleFrame);
    let stepped = session.take_update().unwrap();
    assert_eq!(stepped.status.frames, before.status.frames + 1);
    assert!(stepped.status.paused && stepped.frame != before.frame);
    let span = stepped.now.saturating_since(before.now);
    assert!(span <= Nanos::from_millis(20), "bounce, debounce, frame: {span}");

    session.execute(ms(9_001), Command::SingleFrame);
    let idle = session.take_update();
    assert!(idle.is_none_or(|update| update.now.saturating_since(stepped.now) <= SINGLE_FRAME_MAX));
}

#[test]
fn a_power_cycle_is_dark_and_then_boots_again() {
    let paper = Paper::default();
    let mut session = session(&paper);
    session.advance(ms(500));
    session.execute(ms(500), Command::PowerCycle);
    session.advance(ms(600));
    let off = session.take_update().unwrap();
    assert!(!off.status.powered);
    assert!(off.frame.pixels().iter().all(|pixel| *pixel == 0), "dark");
    session.advance(ms(1_200));
    let on = session.take_update().unwrap();
    assert!(on.status.powered && on.frame.pixels().iter().any(|pixel| *pixel != 0));
    let ended = session.finish(ms(1_300));
    check_replay(&paper, &ended);
    assert!(paper.text().contains("501ms   power off\n701ms   power on\n"), "{}", paper.text());
}

#[test]
fn an_unfetched_update_blocks_nothing_and_is_replaced() {
    let factory = || Ok(FakeMachine::boxed(7));
    let mut live = spawn(factory, Setup { speed: Speed::MAX, ..Setup::default() }).unwrap();
    for button in some_buttons(300) {
        live.send(Command::Press(button)).unwrap();
        live.send(Command::Release(button)).unwrap();
    }
    // There is one frame for the boot and one for each stripe. The last is fetched once it is
    // complete.
    let mut newest = None;
    let clock = Stopwatch::start();
    while newest.as_ref().is_none_or(|update: &Update| update.status.frames < 301) {
        assert!(clock.elapsed() < Duration::from_secs(60), "the firmware goes on");
        live.flush().unwrap();
        newest = live.update().unwrap().or(newest);
        thread::yield_now();
    }
    let ended = live.quit().unwrap();
    assert!(*newest.unwrap().frame == ended.frame);
}

#[test]
fn a_machine_that_cannot_be_built_reports_why() {
    let factory = || Err(SetupError::new("the flash file is torn"));
    let error = spawn(factory, Setup::default()).unwrap_err().to_string();
    assert_eq!(error, "the board cannot be built: the flash file is torn");
}

#[test]
fn a_broken_machine_is_reported_and_its_recording_has_the_cause() {
    let paper = Paper::default();
    let mut session = session(&paper);
    session.execute(ms(500), Command::Press(Button::T6));
    session.advance(ms(600));
    let broken = session.take_update().unwrap().status.broken.unwrap().to_string();
    assert!(broken.contains("out of ideas"), "{broken}");
    let ended = session.finish(ms(700));
    assert!(ended.machine_error.is_some());
    assert!(paper.text().contains("press T6\n"), "{}", paper.text());
}

#[test]
fn a_session_continues_without_a_recording_that_fails() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let recording = Some((Box::new(Full(60)) as Sink, Vec::new()));
    let mut session = Session::start(FakeMachine::boxed(7), recording, Speed::REAL, ms(0)).unwrap();
    for button in some_buttons(5) {
        session.execute(ms(500), Command::Press(button));
        session.execute(ms(500), Command::Release(button));
    }
    session.advance(ms(2_000));
    let update = session.take_update().unwrap();
    assert!(update.status.recording_failed.is_some() && update.status.broken.is_none());
    let ended = session.finish(ms(2_100));
    assert_eq!(ended.recording_error.map(|error| error.kind()), Some(io::ErrorKind::StorageFull));
}

/// A session that has ended, and the frame that it showed last.
struct Played {
    paper: Paper,
    shown: Arc<Frame>,
    ended: SessionEnd,
}

/// Sends `commands` at their wall times in microseconds, as the thread does, and ends the session
/// at `end`.
fn played(commands: &[(u64, Command)], end: u64) -> Played {
    let paper = Paper::default();
    let mut session = session(&paper);
    let mut shown = session.take_update().unwrap().frame;
    let mut commands = commands.iter().peekable();
    let tick = TICK.as_micros() as u64;
    let mut wall = 0;
    while wall < end {
        let next = commands.peek().map_or(end, |(at, _)| *at);
        wall = (wall + tick).min(next.max(wall)).min(end);
        while let Some((_, command)) = commands.next_if(|(at, _)| *at <= wall) {
            session.execute(Duration::from_micros(wall), command.clone());
        }
        session.advance(Duration::from_micros(wall));
        shown = session.take_update().map_or(shown, |update| update.frame);
    }
    Played { paper, shown, ended: session.finish(Duration::from_micros(end)) }
}

#[test]
fn a_paused_session_ends_with_the_frame_that_is_shown() {
    // B1's press bounces, is debounced and drawn within 20 ms; a frame is complete 5 ms later.
    let (mut before, mut after) = (0, 0);
    for at in (500_000..540_000).step_by(130) {
        let commands = [
            (500_000, Command::Press(Button::B1)),
            (at, Command::Pause(true)),
            // The window loses the focus when it is closed, after a key was pressed.
            (at + 50_000, Command::Release(Button::B1)),
            (at + 60_000, Command::Press(Button::B2)),
        ];
        let Played { paper, shown, ended } = played(&commands, at + 100_000);
        let trace = check_replay(&paper, &ended);
        assert!(*shown == ended.frame, "paused at {at} us: the end shows another frame");
        assert!(presses(&trace).len() <= 1, "{}", paper.text());
        let drawn = check_frames(&trace);
        (before, after) = (before + usize::from(drawn == 1), after + usize::from(drawn == 2));
    }
    assert!(before > 10 && after > 10, "{before} without the stripe, {after} with it");
}

/// Returns the number of frames that a replay of `trace` completes.
fn check_frames(trace: &Trace) -> u64 {
    let mut machine = FakeMachine::boxed(7);
    let reader = Reader::new(Vec::new());
    let outcome =
        replay(trace, machine.as_mut(), &reader, &mut NoGoldens, &ReplaySettings::default());
    machine.board().frame_count_at(outcome.ended_at)
}

#[test]
fn a_recording_has_no_movements_after_its_end() {
    // A tap of 1 ms: the release is delayed to 30 ms after the press, and is already scheduled on
    // the board.
    let commands = [
        (500_000, Command::Press(Button::B1)),
        (501_000, Command::Release(Button::B1)),
        (510_000, Command::Pause(true)),
    ];
    let Played { paper, shown, ended } = played(&commands, 600_000);
    let text = paper.text();
    assert!(text.contains("press B1\n") && !text.contains("release"), "{text}");
    check_replay(&paper, &ended);
    assert!(*shown == ended.frame);
}

#[test]
fn a_session_replays_to_its_last_frame_however_it_ends() {
    let mut random = Random::new(3);
    let mut draw = |count| random.below(count);
    let speeds = [Speed::MIN, Speed::REAL, Speed::MAX].map(Some);
    for case in 0..150 {
        let (mut wall, mut paused, mut commands) = (400_000, false, Vec::new());
        for _ in 0..draw(14) {
            wall += draw(60_000);
            // T6 stops the machine and is not pressed.
            let button = Button::LCD_BOARD[draw(11) as usize % Button::LCD_BOARD.len()];
            let button = if button == Button::T6 { Button::B1 } else { button };
            let command = match draw(12) {
                0..=4 => Command::Press(button),
                5..=7 => Command::Release(button),
                8 => Command::SingleFrame,
                9 => Command::PowerCycle,
                10 => speeds[draw(3) as usize].map_or(Command::SingleFrame, Command::Speed),
                _ => Command::Pause(!paused),
            };
            match command {
                Command::Pause(now) => paused = now,
                Command::SingleFrame => paused = true,
                _ => {}
            }
            commands.push((wall, command));
        }
        // The session ends directly after the last command, or later.
        let end = wall + draw(2) * draw(300_000);
        let Played { paper, shown, ended } = played(&commands, end);
        check_replay(&paper, &ended);
        assert!(!paused || *shown == ended.frame, "case {case}: {commands:?}, end {end}");
    }
}

/// Stores input logs in memory, or refuses to.
#[derive(Clone, Default)]
struct SavedGames {
    kept: Arc<Mutex<Vec<InputLog>>>,
    paper: Paper,
    refuses: bool,
}

impl RecordingStore for SavedGames {
    fn keep(&mut self, input_log: &InputLog, _: usize) -> io::Result<PathBuf> {
        if self.refuses {
            return Err(io::Error::other("the disk is full"));
        }
        self.kept.lock().unwrap().push(input_log.clone());
        Ok("live.branches".into())
    }

    fn rewind(&mut self, input_log: &InputLog) -> io::Result<Option<Sink>> {
        let text = unended(input_log, &[HeaderEntry::new("seed", "7")])?;
        *self.paper.0.lock().unwrap() = text;
        Ok(Some(Box::new(self.paper.clone())))
    }

    fn go_on(&mut self) -> io::Result<Option<(Sink, Vec<HeaderEntry>)>> {
        Ok(self.paper.recording())
    }
}

/// Starts a recorded session that can be rewound.
fn remembered(shelf: &SavedGames) -> Session {
    let mut session = session(&shelf.paper);
    let rewinding =
        Rewinding { reader: Reader::new(Vec::new()), recording_files: Box::new(shelf.clone()) };
    session.remember(Rc::new(|| Ok(FakeMachine::boxed(7))), rewinding);
    session
}

/// Presses three buttons, a second apart. Returns the frame shown before them and the frame after
/// each press, with their times.
fn three_presses(session: &mut Session) -> Vec<(Instant, Arc<Frame>)> {
    let mut shown = Vec::new();
    for (at, button) in [Button::Reset, Button::B1, Button::B2, Button::B3].into_iter().enumerate()
    {
        let wall = ms(1_000 * (at as u64 + 1));
        session.advance(wall);
        if at > 0 {
            session.execute(wall, Command::Press(button));
            session.execute(wall + ms(50), Command::Release(button));
        }
        session.advance(wall + ms(400));
        let update = session.take_update().unwrap();
        shown.push((update.now, update.frame));
    }
    shown
}

#[test]
fn power_revives_a_machine_that_has_stopped() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    session.advance(ms(1_000));
    session.execute(ms(1_000), Command::Press(Button::T6));
    session.execute(ms(1_010), Command::Press(Button::B1));
    session.advance(ms(1_500));
    assert!(session.take_update().unwrap().status.broken.is_some());
    session.execute(ms(2_000), Command::Release(Button::T6));
    session.execute(ms(2_000), Command::Release(Button::B1));
    session.execute(ms(2_000), Command::PowerCycle);
    session.advance(ms(3_000));
    let update = session.take_update().unwrap();
    assert_eq!((update.status.broken, update.status.powered), (None, true));
    session.execute(ms(3_000), Command::Press(Button::B2));
    session.advance(ms(3_500));
    assert!(session.take_update().unwrap().frame != update.frame, "it paints again");
    let ended = session.finish(ms(4_000));
    assert!(ended.recording_error.is_none() && ended.machine_error.is_none());
    assert!(shelf.paper.text().contains("power off"), "{}", shelf.paper.text());
    parse("live.trace", &shelf.paper.text()).unwrap();
}

#[test]
fn keys_press_a_real_board_at_the_earliest_possible_time() {
    let paper = Paper::default();
    let machine = FakeMachine::boxed(7);
    // Inputs can reach the board from 440 ms on, ahead of the session's time.
    machine.board().set_inputs_from(Instant::from_millis(440));
    let mut session = Session::start(machine, paper.recording(), Speed::REAL, ms(0)).unwrap();
    session.execute(ms(100), Command::Press(Button::B1));
    session.execute(ms(100), Command::Release(Button::B1));
    let ended = session.finish(ms(300));
    let trace = check_replay(&paper, &ended);
    assert_eq!(presses(&trace), [Button::B1]);
    assert!(paper.text().contains("440ms   press B1\n"), "{}", paper.text());
}

#[test]
fn the_time_of_a_real_board_is_its_own() {
    let machine = FakeMachine::boxed(7);
    machine.board().set_inputs_from(Instant::START);
    let mut session = Session::start(machine, None, Speed::REAL, ms(0)).unwrap();
    session.advance(ms(100));
    let slow = "0.5".parse().unwrap();
    for command in [
        Command::Pause(true),
        Command::SingleFrame,
        Command::Speed(slow),
        Command::Back(Nanos::from_millis(50)),
        Command::StepFrame(true),
        Command::Look(Instant::START),
    ] {
        session.execute(ms(100), command.clone());
        let update = session.take_update().expect("a notice");
        assert_eq!(update.notices, [Notice::RealTime], "{command:?}");
        assert!(!update.status.paused && update.status.shown_at.is_none(), "{command:?}");
        assert_eq!(update.status.speed, Speed::REAL, "{command:?}");
    }
    session.advance(ms(900));
    assert!(session.finish(ms(900)).at >= Instant::from_millis(800), "its time has stood still");
}
