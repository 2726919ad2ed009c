//! A probe in software: the probe's side of the protocol around any [`Machine`], with a virtual
//! clock. It replaces the probe's firmware in tests of the host's side.
//!
//! Its time is the clock of the machine's board, and it observes the changes on that board's wires:
//! `listener`. [`Flaws`] are faults of the probe, of the wires and of the board.

mod flaws;
mod listener;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use hal_mock::{
    Machine,
    board::{VirtualBoard, WireListener},
};
use probe_protocol::frame::Control;
use probe_protocol::swd::{SwdEnd, SwdResult};
use probe_protocol::{
    Endpoint, Event, KEEP_ALIVE_US, Observation, Order, PROTOCOL, Packed, ProbeTime, QUEUE,
    Refusal, SendError, Task, Welcome, Wire,
};
use trace::Button;
use virtual_time::{Instant, Nanos};

use crate::link::{Cut, Link};
use listener::{ProbeWires, Seen};

pub use flaws::{Flaws, OtherFirmware, WireFlaw};

const WINDOW: usize = 16;
/// Largest number of bytes in an observation.
const PLAIN: usize = 256;
/// Smallest number of pairs that are sent as a repetition.
const WORTH_PACKING: usize = 16;
/// Step by which the clock advances.
const STEP: Duration = Duration::from_micros(500);
/// Lead time with which button events are passed to the board: a step of native firmware overshoots
/// by less.
const AHEAD: Nanos = Nanos::from_millis(10);

/// Access of a test to the board while a session is open.
#[derive(Clone)]
pub struct SoftwareBench {
    board: VirtualBoard,
    in_boot_loader: Rc<Cell<bool>>,
}

impl SoftwareBench {
    /// Returns the buttons that are pressed on the board.
    pub fn buttons_down(&self) -> Vec<Button> {
        Button::LCD_BOARD.into_iter().filter(|button| self.board.is_down(*button)).collect()
    }

    /// Returns whether the probe has restarted into its boot loader: it is then a USB drive and
    /// sends nothing more.
    pub fn is_in_boot_loader(&self) -> bool {
        self.in_boot_loader.get()
    }

    pub fn board(&self) -> &VirtualBoard {
        &self.board
    }
}

/// A probe in software on a board.
pub struct SoftwareProbe {
    machine: Box<dyn Machine>,
    listener: Rc<RefCell<ProbeWires>>,
    endpoint: Box<Endpoint<WINDOW>>,
    flaws: Flaws,
    clock: Duration,
    /// Time of the last restart, in nanoseconds of the clock; subtracted to get the probe's time.
    started: u64,
    tasks: BTreeMap<(u64, u32), Job>,
    /// Tasks whose button events have been passed to the board.
    told: BTreeMap<(u64, u32), ()>,
    done: u32,
    marked: u64,
    heard: Duration,
    lapsed: Option<u64>,
    refused: VecDeque<(u32, Refusal)>,
    overrun_reported: bool,
    /// Time at which a board that has lost its power gets it back.
    power_back: Option<Duration>,
    levels_asked: bool,
    /// Number of a batch for the debug port, which is not connected.
    swd: Option<u8>,
    in_boot_loader: Rc<Cell<bool>>,
    out: VecDeque<u8>,
}

enum Job {
    Finger(Button, bool),
    Power(bool),
    Uart(Vec<u8>),
    Nothing,
}

impl SoftwareProbe {
    /// Creates a probe on the board of `machine`, whose clock is at 0 and whose power is off.
    pub fn new(machine: Box<dyn Machine>, flaws: Flaws) -> Self {
        let listener = Rc::new(RefCell::new(ProbeWires::new(&flaws)));
        machine.board().set_listener(Rc::clone(&listener) as Rc<RefCell<dyn WireListener>>);
        Self {
            machine,
            listener,
            endpoint: Box::default(),
            flaws,
            clock: Duration::ZERO,
            started: 0,
            tasks: BTreeMap::new(),
            told: BTreeMap::new(),
            done: 0,
            marked: 0,
            heard: Duration::ZERO,
            lapsed: None,
            refused: VecDeque::new(),
            overrun_reported: false,
            power_back: None,
            levels_asked: false,
            swd: None,
            in_boot_loader: Rc::default(),
            out: VecDeque::new(),
        }
    }

    /// Breaks a wire from now on.
    pub fn break_wire(&mut self, flaw: WireFlaw) {
        let now = self.instant(self.time());
        self.listener.borrow_mut().break_wire(now, flaw);
    }

    /// Returns a test's access to the board.
    pub fn bench(&self) -> SoftwareBench {
        let in_boot_loader = Rc::clone(&self.in_boot_loader);
        SoftwareBench { board: self.machine.board().clone(), in_boot_loader }
    }

    fn time(&self) -> u64 {
        (self.clock.as_nanos() as u64).saturating_sub(self.started)
    }

    fn micros(&self) -> u64 {
        self.clock.as_micros() as u64
    }

    fn instant(&self, at: u64) -> Instant {
        Instant(at.saturating_add(self.started))
    }

    fn hear(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let micros = self.micros();
            let (taken, event) = self.endpoint.receive(rest, micros);
            rest = &rest[taken..];
            match event {
                Some(Event::Data(payload)) => {
                    let messages = Event::Data(payload).messages::<Order<'_>>();
                    let orders: Vec<_> = messages.map(|order| read(&order)).collect();
                    orders.into_iter().for_each(|order| self.take(order));
                }
                Some(Event::Hello { session, .. }) => self.greet(session),
                Some(Event::Bye) => self.release_all(),
                _ => {}
            }
        }
        if self.endpoint.last_received_us() == Some(self.micros()) {
            self.heard = self.clock;
        }
    }

    fn greet(&mut self, session: u32) {
        let other = self.endpoint.session().is_some_and(|open| open != session);
        if self.flaws.busy || other && self.lapsed.is_none() {
            self.endpoint.busy(session);
            return;
        }
        let now = ProbeTime(self.time());
        let powered = self.machine.board().is_powered();
        let who = Welcome { build: "software", serial: "0", now, powered };
        match self.flaws.protocol {
            Some(protocol) => self.endpoint.greet(Control::Welcome, session, protocol, None),
            None => {
                if self.endpoint.session() != Some(session) {
                    let micros = self.micros();
                    self.endpoint.open(session, micros);
                    self.release_all();
                    (self.done, self.lapsed) = (0, None);
                    self.heard = self.clock;
                }
                self.endpoint.greet(Control::Welcome, session, PROTOCOL, Some(&who));
            }
        }
    }

    fn take(&mut self, order: Taken) {
        match order {
            Taken::Task { number, at, job } => {
                let why = if at < self.time() {
                    Some(Refusal::TooLate)
                } else if self.tasks.len() >= QUEUE {
                    Some(Refusal::QueueFull)
                } else {
                    None
                };
                match why {
                    Some(why) => self.refused.push_back((number, why)),
                    None => {
                        let job = match job {
                            Job::Finger(button, down) => self
                                .flaws
                                .closed_by(button)
                                .map_or(Job::Nothing, |button| Job::Finger(button, down)),
                            job => job,
                        };
                        self.tasks.insert((at, number), job);
                    }
                }
            }
            Taken::ReleaseAll => self.release_all(),
            Taken::ReadLevels => self.levels_asked = true,
            Taken::BootLoader => self.in_boot_loader.set(true),
            Taken::Swd(number) => self.swd = Some(number),
            Taken::Other => {}
        }
    }

    fn release_all(&mut self) {
        self.done = self.done.wrapping_add(self.tasks.len() as u32);
        self.tasks.clear();
        self.told.clear();
        let now = self.machine.board().now();
        for button in Button::LCD_BOARD {
            self.machine.board().release(now, button);
        }
    }

    /// Applies the flaws that are due to the board and the probe.
    fn apply_due_flaws(&mut self) {
        let now = self.instant(self.time());
        if self.flaws.other_host_at.take_if(|at| *at <= now).is_some() {
            let other = self.endpoint.session().unwrap_or_default().wrapping_add(1);
            self.greet(other);
        }
        if let Some((at, span)) = self.flaws.power_cut_at.take_if(|(at, _)| *at <= now) {
            self.machine.run_until(at).expect("the board behind the probe runs");
            if self.machine.board().is_powered() {
                self.machine.power_off();
                self.listener.borrow_mut().lost_power(at);
                self.power_back = Some(self.clock + span);
            }
        }
        if self.power_back.take_if(|at| *at <= self.clock).is_some() {
            self.listener.borrow_mut().switched_on();
            self.machine.power_on().expect("the board boots");
        }
        self.listener.borrow_mut().reached(now);
    }

    /// Runs the board and the due tasks up to the clock.
    fn run(&mut self) {
        self.apply_due_flaws();
        if self.flaws.restart_at.is_some_and(|at| self.instant(self.time()) >= at) {
            self.flaws.restart_at = None;
            self.release_all();
            self.endpoint.close();
            self.started = self.clock.as_nanos() as u64;
            (self.done, self.marked) = (0, 0);
            self.listener.borrow_mut().seen.clear();
        }
        let keep_alive = Duration::from_micros(KEEP_ALIVE_US);
        if self.endpoint.session().is_some()
            && self.lapsed.is_none()
            && self.clock.saturating_sub(self.heard) > keep_alive
        {
            self.lapsed = Some(self.time());
            self.release_all();
        }
        let now = self.time();
        let near: Vec<_> = self
            .tasks
            .iter()
            .filter(|(key, _)| key.0 <= now + AHEAD.0)
            .map(|(key, job)| {
                (*key, if let Job::Finger(b, d) = job { Some((*b, *d)) } else { None })
            })
            .collect();
        for (key, finger) in near {
            let at = self.instant(key.0);
            if let Some((button, down)) = finger
                && self.told.insert(key, ()).is_none()
            {
                match down {
                    true => self.machine.board().press(at, button),
                    false => self.machine.board().release(at, button),
                }
            }
        }
        while let Some(first) = self.tasks.first_entry().filter(|first| first.key().0 <= now) {
            let (key, job) = first.remove_entry();
            self.told.remove(&key);
            self.done = self.done.wrapping_add(1);
            let at = self.instant(key.0);
            match job {
                Job::Power(on) => {
                    self.machine.run_until(at).expect("the board behind the probe runs");
                    self.power_back = None;
                    match on {
                        true => {
                            self.listener.borrow_mut().switched_on();
                            self.machine.power_on().expect("the board boots");
                        }
                        false => self.machine.power_off(),
                    }
                }
                Job::Uart(_) if self.flaws.console_off => {}
                Job::Uart(bytes) => {
                    bytes.iter().for_each(|byte| self.machine.board().type_byte(at, *byte));
                }
                Job::Finger(..) | Job::Nothing => {}
            }
        }
        let until = self.instant(now);
        self.machine.run_until(until).expect("the board behind the probe runs");
        self.machine.board().notify_listeners();
    }

    /// Sends the observations before the clock.
    fn report(&mut self) {
        if self.endpoint.session().is_none()
            || self.lapsed.is_some_and(|_| self.clock.saturating_sub(self.heard) > STEP)
        {
            return;
        }
        if let Some(at) = self.lapsed {
            let _ = self.endpoint.send(&Observation::Released { at: ProbeTime(at) });
        }
        while let Some((number, why)) = self.refused.front().copied() {
            let now = ProbeTime(self.time());
            if self.endpoint.send(&Observation::Refused { number, now, why }).is_err() {
                return;
            }
            self.refused.pop_front();
        }
        let now = self.time();
        if let Some(number) = self.swd {
            let end = SwdEnd::NoAck;
            let result = SwdResult { number, end, transfers: 0, words: &[] };
            if self.endpoint.send(&Observation::Swd(result)).is_ok() {
                self.swd = None;
            }
        }
        if self.levels_asked && self.endpoint.send(&self.levels()).is_ok() {
            self.levels_asked = false;
        }
        loop {
            let first = {
                let mut listener = self.listener.borrow_mut();
                let started = self.started;
                let first =
                    listener.seen.first_entry().filter(|first| first.key().0 <= now + started);
                first.map(|first| first.remove_entry())
            };
            let Some(((at, number), seen)) = first else { break };
            let lost = self.flaws.overrun_at.is_some_and(|from| at >= from.0);
            if lost && matches!(seen, Seen::Lcd { .. }) {
                let at = ProbeTime(at.saturating_sub(self.started));
                if !self.overrun_reported {
                    self.overrun_reported =
                        self.endpoint.send(&Observation::Overrun { at, wire: Wire::Mosi }).is_ok();
                }
                continue;
            }
            if let Some((later, rest)) = self.say(at, seen, now) {
                self.listener.borrow_mut().seen.insert((later, number), rest);
                return;
            }
        }
        if now >= self.marked + 1_000_000
            && self
                .endpoint
                .send(&Observation::Mark { before: ProbeTime(now), done: self.done })
                .is_ok()
        {
            self.marked = now;
        }
    }

    fn levels(&self) -> Observation<'static> {
        let board = self.machine.board();
        let listener = self.listener.borrow();
        let lines = Button::LCD_BOARD.into_iter().filter(|it| {
            let is_down = self.flaws.closed_by(*it).is_some_and(|it| board.is_down(it));
            !is_down && board.is_powered()
        });
        Observation::Levels {
            at: ProbeTime(self.time()),
            high: listener.high,
            moved: listener.moved,
            lines: lines.fold(0, |all, it| all | 1 << it.index()),
        }
    }

    /// Sends an observation. Returns the rest to send later if the line is busy or the observation
    /// has not ended.
    fn say(&mut self, at: u64, seen: Seen, now: u64) -> Option<(u64, Seen)> {
        let time = ProbeTime(at.saturating_sub(self.started));
        let said = match &seen {
            Seen::Lcd { took, dc, bytes } => return self.send_bytes(at, *took, *dc, bytes, now),
            Seen::Wire(wire, high) => {
                self.endpoint.send(&Observation::Wire { at: time, wire: *wire, high: *high })
            }
            Seen::Tone(Some(hz)) => self.endpoint.send(&Observation::Tone {
                at: time,
                periods: *hz,
                took: 1_000_000_000,
            }),
            Seen::Tone(None) => self.endpoint.send(&Observation::Silence { at: time }),
            Seen::Uart(byte) => {
                self.endpoint.send(&Observation::Uart { at: time, bytes: &[*byte] })
            }
            Seen::Power(on) => self.endpoint.send(&Observation::Power { at: time, on: *on }),
        };
        (said == Err(SendError::Full)).then_some((at, seen))
    }

    fn send_bytes(
        &mut self,
        at: u64,
        took: u64,
        dc: bool,
        bytes: &[u8],
        now: u64,
    ) -> Option<(u64, Seen)> {
        let whole = bytes.len().max(1) as u64;
        let mut said = 0;
        while said < bytes.len() {
            let rest = &bytes[said..];
            let begin = took * said as u64 / whole;
            let pair = [rest[0], rest.get(1).copied().unwrap_or(0)];
            let pairs = rest.chunks_exact(2).take_while(|two| **two == pair).count();
            let (length, packed) = if pairs >= WORTH_PACKING {
                (pairs * 2, Packed::Repeated(pair, pairs as u32))
            } else {
                let length = rest.len().min(PLAIN);
                (length, Packed::Plain(&rest[..length]))
            };
            let end = took * (said + length) as u64 / whole;
            let time = ProbeTime((at + begin).saturating_sub(self.started));
            let message =
                Observation::Lcd { at: time, took: (end - begin) as u32, dc, bytes: packed };
            let over = at + end <= now + self.started;
            if !over || self.endpoint.send(&message).is_err() {
                let left = Seen::Lcd { took: took - begin, dc, bytes: rest.to_vec() };
                return Some((at + begin, left));
            }
            said += length;
        }
        None
    }

    fn speak(&mut self) {
        if self.in_boot_loader.get() {
            return;
        }
        if self.flaws.silent_from.is_some_and(|from| self.instant(self.time()) >= from) {
            return;
        }
        loop {
            let micros = self.micros();
            let bytes = self.endpoint.output(micros);
            if bytes.is_empty() {
                return;
            }
            self.out.extend(bytes);
            let length = bytes.len();
            self.endpoint.consume(length);
        }
    }

    /// Advances the time by `span`.
    fn pass(&mut self, span: Duration) {
        self.clock += span;
        self.run();
        self.report();
        self.speak();
    }
}

enum Taken {
    Task { number: u32, at: u64, job: Job },
    ReleaseAll,
    ReadLevels,
    BootLoader,
    Swd(u8),
    Other,
}

fn read(order: &Order<'_>) -> Taken {
    let Order::At { number, at, task } = order else {
        return match order {
            Order::ReleaseAll => Taken::ReleaseAll,
            Order::ReadLevels => Taken::ReadLevels,
            Order::BootLoader => Taken::BootLoader,
            Order::Swd { number, .. } => Taken::Swd(*number),
            Order::At { .. } => Taken::Other,
        };
    };
    let button = |line: u8| Button::LCD_BOARD.get(usize::from(line)).copied();
    let job = match *task {
        Task::Press(line) => button(line).map(|button| Job::Finger(button, true)),
        Task::Release(line) => button(line).map(|button| Job::Finger(button, false)),
        Task::Power(on) => Some(Job::Power(on)),
        Task::Uart(bytes) => Some(Job::Uart(bytes.to_vec())),
    };
    Taken::Task { number: *number, at: at.as_micros() * 1000, job: job.unwrap_or(Job::Nothing) }
}

/// The link to a probe in software. Time passes only in [`Link::read`].
impl Link for SoftwareProbe {
    fn now(&mut self) -> Duration {
        self.clock
    }

    fn write(&mut self, bytes: &[u8]) -> Result<usize, Cut> {
        self.hear(bytes);
        Ok(bytes.len())
    }

    fn read(&mut self, into: &mut [u8], wait: Duration) -> Result<usize, Cut> {
        let until = self.clock + wait;
        while self.out.is_empty() && self.clock < until {
            self.pass(STEP);
        }
        let length = into.len().min(self.out.len());
        for (place, byte) in into.iter_mut().zip(self.out.drain(..length)) {
            *place = byte;
        }
        Ok(length)
    }

    fn reconnect(&mut self, _: Duration) -> Result<(), Cut> {
        self.endpoint.reset_line();
        Ok(())
    }
}
