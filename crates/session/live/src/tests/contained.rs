//! Firmware that panics, or does not return.

use std::sync::atomic::{AtomicBool, Ordering};

use hal_mock::{Call, MachineError, MachineWrapper};

use super::*;
use crate::contained::{CallWatch, ContainedMachine};
use trace::ButtonSet;

/// Firmware that does what `fault` does at each step after B2 was pressed, until its power is off.
struct Faulty {
    inner: Box<dyn Machine>,
    fault: Fault,
}

#[derive(Clone)]
enum Fault {
    Panics,
    /// Does not return until the switch is on.
    Hangs(Arc<AtomicBool>),
}

impl Faulty {
    fn boxed(fault: &Fault) -> Box<dyn Machine> {
        Box::new(Self { inner: FakeMachine::boxed(7), fault: fault.clone() })
    }
}

impl MachineWrapper for Faulty {
    fn inner(&self) -> &dyn Machine {
        self.inner.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.inner.as_mut()
    }

    fn after(&mut self, call: Call, succeeded: bool) {
        let board = self.inner.board();
        if call != Call::Step || !succeeded || !board.is_powered() || !board.is_down(Button::B2) {
            return;
        }
        match &self.fault {
            Fault::Panics => panic!("no such cup"),
            Fault::Hangs(switch) => {
                while !switch.load(Ordering::Relaxed) {
                    #[expect(
                        clippy::disallowed_methods,
                        reason = "other tests need the processor"
                    )]
                    thread::sleep(Duration::from_millis(1));
                }
            }
        }
    }

    fn copy(&self) -> Option<Box<dyn Machine>> {
        Some(Box::new(Self { inner: self.inner.fork()?, fault: self.fault.clone() }))
    }
}

fn panicking() -> Box<dyn Machine> {
    ContainedMachine::boxed(Faulty::boxed(&Fault::Panics), &Arc::new(CallWatch::default()))
}

#[test]
fn a_panic_stops_the_machine_like_any_error() {
    let shelf = SavedGames::default();
    let recording = shelf.paper.recording();
    let mut session = Session::start(panicking(), recording, Speed::REAL, ms(0)).unwrap();
    let rewinding =
        Rewinding { reader: Reader::new(Vec::new()), recording_files: Box::new(shelf.clone()) };
    session.remember(Rc::new(|| Ok(panicking())), rewinding);
    session.execute(ms(500), Command::Press(Button::B1));
    session.execute(ms(600), Command::Release(Button::B1));
    session.advance(ms(1_000));
    let before = session.take_update().unwrap();
    session.execute(ms(1_000), Command::Press(Button::B2));
    session.advance(ms(2_000));
    let update = session.take_update().unwrap();
    let why = update.status.broken.expect("it has stopped").to_string();
    assert!(why.contains("it panicked at ") && why.contains("contained.rs:"), "{why}");
    assert!(why.ends_with(": no such cup"), "{why}");

    // The past is there, and so is the panic.
    session.execute(ms(2_000), Command::Back(Nanos::from_millis(300)));
    let past = session.take_update().unwrap();
    assert!(past.status.shown_at.is_some() && past.frame == before.frame);
    session.execute(ms(2_000), Command::Now);
    assert!(session.take_update().unwrap().status.broken.is_some());

    // The finger is lifted while the firmware is stopped.
    session.execute(ms(2_000), Command::Release(Button::B2));
    session.execute(ms(2_100), Command::PowerCycle);
    session.advance(ms(3_500));
    let revived = session.take_update().unwrap();
    assert!(revived.status.broken.is_none() && revived.status.powered, "{:?}", revived.status);
    assert!(revived.closed.is_empty());
    let ended = session.finish(ms(4_000));
    assert!(ended.recording_error.is_none() && ended.machine_error.is_none());
    assert!(shelf.paper.text().ends_with("end\n"), "{}", shelf.paper.text());
}

#[test]
fn a_panic_in_the_past_stops_there() {
    let mut machine = panicking();
    machine.power_on().unwrap();
    let at = machine.board().now().saturating_add(Nanos(1_000_000));
    machine.board().press(at, Button::B2);
    let mut copy = machine.fork().expect("it has not panicked");
    let error = machine.run_until(Instant::from_secs(1)).unwrap_err();
    assert_eq!(copy.run_until(Instant::from_secs(1)).unwrap_err(), error);
    assert_eq!(machine.step(Instant::from_secs(2)).unwrap_err(), error, "it stays stopped");
    assert!(machine.fork().is_none());
    machine.power_off();
    machine.board().release(machine.board().now(), Button::B2);
    machine.power_on().unwrap();
    machine.run_until(Instant::from_secs(3)).unwrap();
}

#[test]
fn a_panic_while_the_flash_is_read_is_an_error_too() {
    struct Unreadable(Box<dyn Machine>);
    impl MachineWrapper for Unreadable {
        fn inner(&self) -> &dyn Machine {
            self.0.as_ref()
        }
        fn inner_mut(&mut self) -> &mut dyn Machine {
            self.0.as_mut()
        }
        fn execute(
            &mut self,
            _: impl FnOnce(&mut dyn Machine) -> Result<(), MachineError>,
        ) -> Result<(), MachineError> {
            panic!("no such sector")
        }
    }
    let inner = Box::new(Unreadable(FakeMachine::boxed(7)));
    let mut machine = ContainedMachine::boxed(inner, &Arc::new(CallWatch::default()));
    let error = machine.read_flash().unwrap_err().message();
    assert!(error.ends_with(": no such sector"), "{error}");
}

/// An open session whose firmware hangs on B2, in a folder of its own, and the switch that lets it
/// return.
struct Hanging {
    folder: tempfile::TempDir,
    open: OpenSession,
    switch: Arc<AtomicBool>,
}

impl Hanging {
    fn new() -> Self {
        let mut hanging = Self::before_the_hang();
        hanging.hang();
        hanging.send(Command::Release(Button::B1));
        hanging
    }

    /// Presses B2.
    fn hang(&mut self) {
        self.open.hold(Button::B2, crate::held_buttons::Holder::Key);
        self.send(Command::Press(Button::B2));
    }

    /// Starts the session, and presses B1.
    fn before_the_hang() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let switch = Arc::new(AtomicBool::new(false));
        let fault = Fault::Hangs(Arc::clone(&switch));
        let start = Start {
            machine: Engine::Here(Box::new(move || Ok(Faulty::boxed(&fault)))),
            reader: Reader::new(Vec::new()),
            board: "native".to_owned(),
            identity: ["native".to_owned(), String::new()],
            parts: trace::BoardParts::lcd_board(),
            header: Vec::new(),
            image: None,
            before: None,
            debugger: None,
        };
        let files = Files {
            record: Some(folder.path().join("win.trace")),
            flash_beside: None,
            flash: FlashChoice::Discard,
            captures: folder.path().to_owned(),
        };
        let open = begin(start, Setup::default(), files).unwrap();
        let mut hanging = Self { folder, open, switch };
        hanging.send(Command::Press(Button::B1));
        hanging.until(|update| update.closed.contains(Button::B1));
        hanging
    }

    fn send(&mut self, command: Command) -> bool {
        self.open.send(command, Speed::REAL).unwrap()
    }

    /// Waits for an update that is `wanted`.
    fn until(&mut self, wanted: impl Fn(&Update) -> bool) -> Update {
        let clock = Stopwatch::start();
        loop {
            assert!(clock.elapsed() < Duration::from_secs(60), "there is no such update");
            self.open.live.flush().unwrap();
            match self.open.live.update().unwrap() {
                Some(update) if wanted(&update) => return update,
                _ => thread::yield_now(),
            }
        }
    }

    /// Waits until the session hangs, or does not.
    fn until_hung(&mut self, hung: bool) -> Duration {
        let clock = Stopwatch::start();
        while self.open.is_hung() != hung {
            assert!(clock.elapsed() < Duration::from_secs(60), "hung: {}", !hung);
            self.open.check_hang("F5", "Left");
            thread::park_timeout(ms(5));
        }
        clock.elapsed()
    }
}

#[test]
fn firmware_that_hangs_is_noticed_and_may_return() {
    let mut hanging = Hanging::new();
    let took = hanging.until_hung(true);
    assert!(took >= ms(1_900), "{took:?}");
    let message = hanging.open.message().unwrap();
    assert!(
        message.contains("it has not returned for 2 s; F5 revives it, Left goes back"),
        "{message}"
    );
    assert!(hanging.open.crash.is_some());
    hanging.switch.store(true, Ordering::Relaxed);
    hanging.until_hung(false);
    assert_eq!(hanging.open.message(), None);
    hanging.send(Command::Release(Button::B2));
    hanging.until(|update| !update.closed.contains(Button::B2));
    hanging.open.end().unwrap();
}

#[test]
fn firmware_that_hangs_is_revived() {
    let mut hanging = Hanging::new();
    hanging.until_hung(true);
    // The finger is lifted while the firmware hangs, and the release reaches no session.
    let released = hanging.open.let_go(Button::B2, crate::held_buttons::Holder::Key).unwrap();
    assert!(!hanging.send(released));
    assert!(hanging.send(Command::PowerCycle), "another session continues");
    assert!(!hanging.open.is_hung());
    let open = ButtonSet::EMPTY;
    hanging.until(|update| {
        let status = &update.status;
        status.powered && status.broken.is_none() && update.closed == open && status.frames > 1
    });
    // The first session returns, and changes nothing in the recording of the other.
    hanging.switch.store(true, Ordering::Relaxed);
    let path = hanging.folder.path().join("win.trace");
    hanging.open.end().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    parse("win.trace", &text).unwrap();
    assert_eq!(text.matches("power o").count(), 3, "{text}");
    assert_eq!(text.matches("end\n").count(), 1, "{text}");
    assert!(text.contains("release B1\n"), "{text}");
    // The press of B2 is after the call that does not return, or it was released.
    assert_eq!(text.matches("press B2\n").count(), text.matches("release B2\n").count(), "{text}");
}

#[test]
fn a_session_goes_back_from_firmware_that_hangs() {
    let mut hanging = Hanging::new();
    hanging.until_hung(true);
    assert!(hanging.send(Command::Back(Nanos::from_millis(1))));
    let past = hanging.until(|update| update.status.shown_at.is_some());
    let stopped = past.status.broken.expect("the present is stopped").to_string();
    assert!(stopped.contains("it has not returned for 2 s"), "{stopped}");
    hanging.send(Command::Now);
    hanging.until(|update| update.status.shown_at.is_none() && update.status.broken.is_some());
    hanging.switch.store(true, Ordering::Relaxed);
    let error = hanging.open.end().unwrap_err();
    assert!(matches!(error, SessionError::Broken(_)), "{error}");
}

#[test]
fn a_session_whose_firmware_hangs_keeps_its_branches() {
    let mut hanging = Hanging::before_the_hang();
    hanging.send(Command::StepPress(true));
    hanging.until(|update| update.status.shown_at.is_some());
    hanging.send(Command::Press(Button::T1));
    let branches = hanging.until(|update| !update.branches.is_empty()).branches;
    assert_eq!(branches[0].first, "press B1");
    hanging.hang();
    hanging.until_hung(true);
    assert!(hanging.send(Command::StepPress(true)), "another session continues");
    let past = hanging.until(|update| update.status.shown_at.is_some());
    assert_eq!(past.branches, branches);
    hanging.send(Command::GoTo(1));
    let there = hanging.until(|update| update.branches.iter().any(|branch| branch.number == 2));
    assert!(there.status.broken.is_none(), "{:?}", there.status.broken);
    hanging.switch.store(true, Ordering::Relaxed);
    hanging.open.end().unwrap();
}

#[test]
fn a_session_whose_firmware_hangs_ends_with_its_recording() {
    let mut hanging = Hanging::new();
    hanging.until_hung(true);
    let path = hanging.folder.path().join("win.trace");
    // The firmware returns only when the switch is on, so the end does not wait for it.
    let error = hanging.open.end().unwrap_err();
    assert_eq!(error.exit_code(), 1, "{error}");
    assert!(error.to_string().contains("it has not returned for 2 s"), "{error}");
    hanging.switch.store(true, Ordering::Relaxed);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.ends_with("end\n"), "{text}");
    parse("win.trace", &text).unwrap();
}

#[test]
fn firmware_that_hangs_when_it_starts_is_reported() {
    struct Stuck(Box<dyn Machine>, Arc<AtomicBool>);
    impl hal_mock::MachineWrapper for Stuck {
        fn inner(&self) -> &dyn Machine {
            self.0.as_ref()
        }
        fn inner_mut(&mut self) -> &mut dyn Machine {
            self.0.as_mut()
        }
        fn before(&mut self, _: hal_mock::Call) -> Result<(), MachineError> {
            while !self.1.load(Ordering::Relaxed) {
                #[expect(clippy::disallowed_methods, reason = "other tests need the processor")]
                thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        }
    }
    let switch = Arc::new(AtomicBool::new(false));
    let inner = Arc::clone(&switch);
    let factory = move || -> Result<Box<dyn Machine>, SetupError> {
        Ok(Box::new(Stuck(FakeMachine::boxed(7), Arc::clone(&inner))))
    };
    let error = spawn(factory, Setup::default()).unwrap_err().to_string();
    assert_eq!(error, "the firmware does not start at 0ms: it has not returned for 2 s");
    switch.store(true, Ordering::Relaxed);
}
