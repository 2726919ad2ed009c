//! A time that is visited shows what the replay showed then.

use std::rc::Rc;

use firmware_board::native;
use hal_mock::{
    Call, Machine, MachineWrapper,
    board::{ConsoleLine, Tone},
    replay::{ReplaySettings, Unjudged, replay},
};
use ili9341_model::Frame;
use virtual_time::{Instant, Random};

use super::{session, setup, trace};
use crate::{Session, Unit, open};

/// Traces with waits, included files, faults, power cuts, held buttons and bounce.
const SAMPLE: [&str; 9] = [
    "bounce",
    "demo",
    "power-cycle",
    "stuck-button",
    "computer/board",
    "expect/texts",
    "faults/power-cut",
    "faults/flash-cut",
    "faults/spi-flips",
];

/// A machine whose frames are stored, each with a time at which it was the last complete one.
struct Filmed {
    machine: Box<dyn Machine>,
    count: u64,
    film: Vec<(Instant, Frame)>,
}

impl MachineWrapper for Filmed {
    fn inner(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.machine.as_mut()
    }

    fn limit(&self, limit: Instant) -> Instant {
        let board = self.machine.board();
        let due = board.frame_due().filter(|due| *due > board.now());
        due.map_or(limit, |due| due.min(limit))
    }

    fn after(&mut self, _: Call, _: bool) {
        let board = self.machine.board();
        let count = board.frame_count_at(board.now());
        if count != std::mem::replace(&mut self.count, count) {
            self.film.push((board.now(), board.frame()));
        }
    }

    fn copy(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

/// Outputs of a replay.
struct Reference {
    film: Vec<(Instant, Frame)>,
    tones: Vec<Tone>,
    console: Vec<ConsoleLine>,
    end: Instant,
}

fn reference(name: &str) -> Reference {
    let (text, files) = trace(name);
    let opened = open("some.trace", &text, &files, None).unwrap();
    let machine = native::build(&opened.trace, None).unwrap();
    let mut machine = Filmed { machine, count: 0, film: Vec::new() };
    let reader = Rc::clone(&setup(false).reader);
    let settings = ReplaySettings::default();
    let end = replay(&opened.trace, &mut machine, &reader, &mut Unjudged, &settings).ended_at;
    let (tones, console) = (machine.board().tones(), machine.board().console_lines());
    let mut film = machine.film;
    film.retain(|(at, _)| *at <= end);
    Reference { film, tones, console, end }
}

#[track_caller]
fn shows(session: &mut Session, (at, frame): &(Instant, Frame), name: &str) {
    session.seek(*at, false);
    assert!(session.picture() == *frame, "{name}: another frame at {at}");
}

#[test]
fn any_time_shows_what_the_replay_showed() {
    let mut random = Random::new(14);
    for name in SAMPLE {
        let reference = reference(name);
        let (text, files) = trace(name);
        let mut session = session(&text, &files, false);
        assert!(reference.film.len() > 2, "{name}: {} frames", reference.film.len());
        assert_eq!(session.reached(), reference.end, "{name}");
        assert!(session.copies() > 1, "{name}: there is no copy to go back to");
        for filmed in &reference.film {
            shows(&mut session, filmed, name);
        }
        for _ in 0..30 {
            let place = random.below(reference.film.len() as u64) as usize;
            shows(&mut session, &reference.film[place], name);
        }
        let history = session.history();
        let by_end = reference.tones.partition_point(|tone| tone.at <= reference.end);
        assert!(history.tones.range(..by_end).eq(&reference.tones[..by_end]), "{name}");
        let by_end = reference.console.partition_point(|line| line.at <= reference.end);
        assert!(history.console.range(..by_end).eq(&reference.console[..by_end]), "{name}");
    }
}

#[test]
fn frames_equal_the_replays_whenever_they_are_logged() {
    for name in ["demo", "power-cycle", "faults/power-cut"] {
        let film = reference(name).film;
        let (text, files) = trace(name);
        for sees_frames in [false, true] {
            let mut session = session(&text, &files, sees_frames);
            let frames = session.frames();
            assert_eq!(frames.len(), film.len(), "{name}");
            let mut bytes = 0;
            for (seen, (at, _)) in frames.iter().zip(&film) {
                // A frame is logged in the step after its last pixel.
                assert!(seen.from <= seen.at && seen.at <= *at, "{name}: {seen:?} {at}");
                bytes += seen.bytes;
            }
            assert!(bytes > 153_600, "{name}: {bytes} bytes");
        }
    }
}

#[test]
fn steps_go_through_all_frames_and_back() {
    let (text, files) = trace("demo");
    let mut session = session(&text, &files, false);
    let times: Vec<Instant> = session.frames().iter().map(|frame| frame.at).collect();
    session.seek(Instant::START, false);
    for at in &times {
        assert_eq!(session.step(Unit::Frame, false).t, *at);
    }
    assert_eq!(
        session.step(Unit::Frame, false).t,
        times[times.len() - 1],
        "there is no next frame"
    );
    for at in times.iter().rev().skip(1) {
        assert_eq!(session.step(Unit::Frame, true).t, *at);
    }
}

#[test]
fn a_transaction_shows_a_frame_while_it_is_drawn() {
    let (text, files) = trace("demo");
    let mut session = session(&text, &files, false);
    let frame = session.frames()[3];
    session.seek(frame.from.saturating_sub(virtual_time::Nanos(1)), false);
    let before = session.picture();
    let mut pictures = Vec::new();
    while session.step(Unit::Transaction, false).t < frame.at {
        pictures.push((session.present(), session.picture()));
    }
    assert!(pictures.iter().any(|(_, picture)| *picture != before), "nothing was drawn");
    session.seek(frame.at, false);
    let complete = session.picture();
    assert!(pictures.last().is_some_and(|(_, last)| *last == complete));
    // Goes back by the same times and pictures.
    session.seek(pictures[pictures.len() - 1].0, true);
    for (at, picture) in pictures.iter().rev().skip(1).take(20) {
        assert_eq!(session.step(Unit::Transaction, true).t, *at);
        assert!(session.picture() == *picture, "{at}");
    }
}
