//! The speed of virtual time around presses.

use crossbeam_channel::{Receiver, bounded};
use hal_mock::{Call, MachineError, MachineWrapper};

use super::*;

/// Returns the times of all inputs of a recording, in milliseconds.
fn times(trace: &Trace) -> Vec<u64> {
    let at = |line: &trace::Line| match line.when {
        trace::When::At(at) => at.0 / 1_000_000,
        _ => panic!("a recording has the times of its lines"),
    };
    trace.lines.iter().map(at).collect()
}

#[test]
fn a_press_at_ten_times_the_speed_is_as_long_as_for_the_finger() {
    let paper = Paper::default();
    let mut session = session(&paper);
    session.advance(ms(100));
    session.execute(ms(100), Command::Speed(Speed::TEN));
    session.advance(ms(200));
    session.execute(ms(200), Command::Press(Button::Reset));
    session.advance(ms(240));
    let status = session.take_update().unwrap().status;
    assert_eq!((status.speed, status.pace), (Speed::TEN, Speed::REAL));
    session.execute(ms(290), Command::Release(Button::Reset));
    session.advance(ms(300));
    assert_eq!(session.take_update().unwrap().status.pace, Speed::TEN);
    let ended = session.finish(ms(400));
    // 100 ms at 1×, 100 ms at 10×, 90 ms at 1× while RESET is down, 110 ms at 10×.
    let trace = check_replay(&paper, &ended);
    assert_eq!(times(&trace)[1..], [1_101, 1_190, 2_290]);
}

#[test]
fn fast_forward_lasts_as_long_as_its_key_and_pauses_for_a_press() {
    let paper = Paper::default();
    let mut session = session(&paper);
    session.advance(ms(100));
    session.execute(ms(100), Command::FastForward(true));
    session.advance(ms(200));
    session.execute(ms(200), Command::Press(Button::B1));
    session.execute(ms(300), Command::Release(Button::B1));
    session.execute(ms(400), Command::FastForward(false));
    let ended = session.finish(ms(500));
    let trace = check_replay(&paper, &ended);
    assert_eq!(times(&trace)[1..], [1_101, 1_200, 2_300]);
}

#[test]
fn fast_forward_makes_no_faster_session_slower() {
    let mut session = session(&Paper::default());
    session.execute(ms(0), Command::Speed(Speed::MAX));
    session.execute(ms(0), Command::FastForward(true));
    session.advance(ms(10));
    assert_eq!(session.take_update().unwrap().now, Instant::from_secs(1));
}

/// A machine whose first step waits for a message.
struct Stuck {
    machine: Box<dyn Machine>,
    until: Option<Receiver<()>>,
}

impl MachineWrapper for Stuck {
    fn inner(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.machine.as_mut()
    }

    fn before(&mut self, call: Call) -> Result<(), MachineError> {
        if call == Call::Step
            && let Some(until) = self.until.take()
        {
            until.recv().unwrap();
        }
        Ok(())
    }
}

#[test]
fn a_press_that_waited_with_its_release_is_as_long_as_it_was() {
    let paper = Paper::default();
    let setup = Setup { speed: Speed::TEN, recording: paper.recording(), ..Setup::default() };
    let (resume, stuck) = bounded(1);
    let factory = move || {
        let machine = FakeMachine::boxed(7);
        Ok(Box::new(Stuck { machine, until: Some(stuck.clone()) }) as Box<dyn Machine>)
    };
    let mut live = spawn(factory, setup).unwrap();
    // The firmware has booted by then.
    let pressed = live.clock().elapsed() + ms(60);
    live.send_at(pressed, Command::Press(Button::B1)).unwrap();
    live.send_at(pressed + ms(130), Command::Release(Button::B1)).unwrap();
    while live.clock().elapsed() < pressed + ms(200) {
        thread::yield_now();
    }
    resume.send(()).unwrap();
    let times = times(&check_replay(&paper, &live.quit().unwrap()));
    assert_eq!(times[2] - times[1], 130, "{times:?}");
}

#[test]
fn a_machine_that_is_too_slow_takes_commands_between() {
    let mut session = session(&Paper::default());
    session.execute(ms(0), Command::Speed(Speed::MAX));
    let mut slices = 0;
    session.advance_while(ms(5_000), || {
        slices += 1;
        slices < 3
    });
    let now = session.input_log_so_far().end;
    assert!(now < Instant::from_secs(5), "{now:?} of 500 s");
    // The rest of the lag is dropped.
    session.advance(ms(5_001));
    assert!(session.input_log_so_far().end < Instant::from_secs(6));
}

#[test]
fn steps_of_a_held_key_that_wait_are_one_step() {
    let back = |span| Command::Back(Nanos(span));
    let commands = [back(2), back(3), Command::Now, back(4), Command::Forward(Nanos(1))];
    let stamped = commands.into_iter().map(|command| Stamped { command, made: ms(1) });
    let merged: Vec<Command> = merged(stamped).into_iter().map(|merged| merged.command).collect();
    assert_eq!(merged, [back(5), Command::Now, back(4), Command::Forward(Nanos(1))]);
}
