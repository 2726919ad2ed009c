//! A session with a probe: the greeting, the tasks that are under way, and what the probe has seen, in order of time.
//!
//! Whatever the line does, each call ends within a limit of the line's clock: with what was asked for, or with the
//! reason why not. It knows no board.

mod observed;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use probe_protocol::endpoint::RESENDS;
use probe_protocol::message::UART_TASK;
use probe_protocol::{
    Endpoint, Event, KEEP_ALIVE_US, Observation, Order, ProbeTime, QUEUE, SendError, Task,
    UART_BAUD, Welcome, Wire,
};

use crate::error::ProbeError;
use crate::link::{Cut, Link};
use observed::{Owned, owned};

// The virtual board's console has the speed of the real one's.
const _: () = assert!(UART_BAUD as u64 == hal_mock::board::UART_BAUD);

/// Frames under way to the probe, at most.
const WINDOW: usize = 16;
/// How long a probe may take to answer a greeting, and another host to give it up.
pub const GREETING: Duration = Duration::from_millis(2500);
const GREET_EVERY: Duration = Duration::from_millis(100);
/// The host says something at least so often.
const KEEP_ALIVE: Duration = Duration::from_micros(KEEP_ALIVE_US / 5);
/// A line that was cut for longer is not waited for: the probe has released every button by then.
const RECONNECT: Duration = Duration::from_micros(KEEP_ALIVE_US * 9 / 10);
/// After so much silence the probe is greeted again: one that has restarted answers.
const ASK_AFTER: Duration = Duration::from_millis(500);
/// A probe whose time is so far behind what it must be has restarted; an answer may take that long, in nanoseconds.
const RESTART_NS: u64 = 200_000_000;
/// The longest silence.
pub const SILENCE: Duration = Duration::from_millis(1500);
/// How long the probe's time may stand still.
pub const STALL: Duration = Duration::from_millis(3000);
/// Tasks are sent so long ahead; see [`Order::At`].
const AHEAD_NS: u64 = 300_000_000;
/// Observations that wait to be taken, at most.
const SEEN_KEPT: usize = 1 << 20;
const READ_WAIT: Duration = Duration::from_millis(2);

/// Something to do, with bytes of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Press(u8),
    Release(u8),
    Power(bool),
    Uart(Vec<u8>),
}

impl Job {
    fn task(&self) -> Task<'_> {
        match self {
            Self::Press(line) => Task::Press(*line),
            Self::Release(line) => Task::Release(*line),
            Self::Power(on) => Task::Power(*on),
            Self::Uart(bytes) => Task::Uart(bytes),
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Press(line) => format!("a press of line {line}"),
            Self::Release(line) => format!("a release of line {line}"),
            Self::Power(true) => "switching the power on".into(),
            Self::Power(false) => "switching the power off".into(),
            Self::Uart(bytes) => format!("sending {} bytes to the console", bytes.len()),
        }
    }
}

/// Bytes on the LCD's wires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bytes {
    Plain(Vec<u8>),
    Repeated([u8; 2], u32),
}

impl Bytes {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len(),
            Self::Repeated(_, times) => *times as usize * 2,
        }
    }
}

/// What the probe has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Lcd { took: u64, dc: bool, bytes: Bytes },
    Wire { wire: Wire, high: bool },
    Tone(Option<u32>),
    Uart(u8),
}

/// The levels of the wires; see [`Observation::Levels`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// Bit [`Wire::bit`]: the wire is high.
    pub high: u16,
    /// It has been seen at both levels since power-on.
    pub moved: u16,
    /// Bit 0 is line 0, B1: high.
    pub lines: u16,
}

/// Who a probe is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The build of its firmware.
    pub build: String,
    /// Its serial number.
    pub serial: String,
}

/// A session with a probe.
pub struct Session {
    link: Box<dyn Link>,
    endpoint: Box<Endpoint<WINDOW>>,
    id: u32,
    identity: Identity,
    powered: bool,
    buffer: Box<[u8; 16 << 10]>,
    seen: BTreeMap<(u64, u64), Seen>,
    seen_count: u64,
    /// Everything before was said, at `known_at` of the line's clock.
    known: u64,
    known_at: Duration,
    /// Not sent yet, in order of time.
    jobs: BTreeMap<(u64, u64), Job>,
    jobs_count: u64,
    /// Sent and not known to be done, from number `done` on.
    under_way: VecDeque<Job>,
    done: u32,
    said_at: Duration,
    heard_at: Duration,
    asked_at: Duration,
    cut_since: Option<(Duration, String)>,
    levels: Option<Levels>,
    /// What the probe has lost, if that does not end the session.
    overruns: Option<Vec<(Wire, ProbeTime)>>,
    failed: Option<ProbeError>,
}

/// What came during the greeting.
#[derive(Default)]
struct Greeting {
    answer: Option<Answer>,
    protocol: Option<u16>,
    busy: bool,
    bytes: u64,
}

/// What the probe answered.
struct Answer {
    identity: Identity,
    now: u64,
    powered: bool,
}

impl Session {
    /// Greets the probe on `link`. `id` is drawn by the caller, so that two hosts differ.
    ///
    /// # Errors
    /// If there is none that can be used, within [`GREETING`].
    pub fn open(mut link: Box<dyn Link>, id: u32) -> Result<Self, ProbeError> {
        let now = link.now();
        let mut session = Self {
            link,
            endpoint: Box::default(),
            id,
            identity: Identity { build: String::new(), serial: String::new() },
            powered: false,
            buffer: Box::new([0; 16 << 10]),
            seen: BTreeMap::new(),
            seen_count: 0,
            known: 0,
            known_at: now,
            jobs: BTreeMap::new(),
            jobs_count: 0,
            under_way: VecDeque::new(),
            done: 0,
            said_at: now,
            heard_at: now,
            asked_at: now,
            cut_since: None,
            levels: None,
            overruns: None,
            failed: None,
        };
        let mut greeting = Greeting::default();
        let mut greeted_at = None;
        loop {
            let now = session.link.now();
            if now.saturating_sub(session.known_at) > GREETING {
                return Err(match greeting {
                    Greeting { busy: true, .. } => ProbeError::Busy,
                    Greeting { bytes: 0, .. } => ProbeError::NoAnswer,
                    Greeting { bytes, .. } => ProbeError::NotAProbe { bytes },
                });
            }
            if greeted_at.is_none_or(|at| now.saturating_sub(at) >= GREET_EVERY) {
                greeted_at = Some(now);
                session.endpoint.hello(id);
            }
            session.exchange(&mut greeting)?;
            if let Some(protocol) = greeting.protocol {
                return Err(ProbeError::Protocol { theirs: protocol });
            }
            if let Some(answer) = greeting.answer.take() {
                let (now, known) = (session.link.now(), answer.now);
                (session.identity, session.powered) = (answer.identity, answer.powered);
                (session.known, session.known_at, session.heard_at) = (known, now, now);
                return Ok(session);
            }
        }
    }

    /// Who the probe is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Whether the board had power when the session began: the last host ended without switching it off.
    pub fn began_powered(&self) -> bool {
        self.powered
    }

    /// Whether frames were lost or damaged and mended; see [`probe_protocol::Statistics`].
    pub fn statistics(&self) -> probe_protocol::Statistics {
        self.endpoint.statistics()
    }

    /// The probe's time, as far as the line's clock tells.
    pub(crate) fn now(&mut self) -> ProbeTime {
        let since = self.link.now().saturating_sub(self.known_at);
        ProbeTime(self.known).after(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
    }

    /// Everything before was said.
    pub(crate) fn known(&self) -> ProbeTime {
        ProbeTime(self.known)
    }

    /// Has the probe do this at `at`.
    pub(crate) fn order(&mut self, at: ProbeTime, job: Job) {
        if let Job::Uart(bytes) = &job
            && bytes.len() > UART_TASK
        {
            let byte = 10_000_000_000 / u64::from(UART_BAUD) + 1;
            for (index, part) in bytes.chunks(UART_TASK).enumerate() {
                let at = at.after(index as u64 * byte * UART_TASK as u64);
                self.order(at, Job::Uart(part.to_vec()));
            }
            return;
        }
        self.jobs.insert((at.0, self.jobs_count), job);
        self.jobs_count += 1;
    }

    /// The earliest observation before `until`, which is at most [`known`](Self::known), and its time.
    pub(crate) fn take_before(&mut self, until: ProbeTime) -> Option<(ProbeTime, Seen)> {
        let first = self.seen.first_entry().filter(|first| first.key().0 < until.0)?;
        let ((at, _), seen) = first.remove_entry();
        Some((ProbeTime(at), seen))
    }

    /// When the earliest observation begins that was not taken.
    pub(crate) fn next_at(&self) -> Option<ProbeTime> {
        self.seen.first_key_value().map(|((at, _), _)| ProbeTime(*at))
    }

    /// The board has been switched off since the session began.
    pub(crate) fn is_off(&mut self) {
        self.powered = false;
    }

    /// From now on what the probe loses does not end the session: it is kept, for the first of each wire.
    pub(crate) fn keep_overruns(&mut self) {
        self.overruns = Some(Vec::new());
    }

    /// What was lost since; from now on a loss ends the session again.
    pub(crate) fn take_overruns(&mut self) -> Vec<(Wire, ProbeTime)> {
        self.overruns.take().unwrap_or_default()
    }

    /// Gives back what is left of one that was taken: it is the next one again.
    pub(crate) fn give_back(&mut self, at: ProbeTime, seen: Seen) {
        // Numbers of what comes from the probe begin behind 0.
        self.seen.insert((at.0, 0), seen);
    }

    /// Waits until everything before `until` is known.
    ///
    /// # Errors
    /// If it cannot be.
    pub(crate) fn know(&mut self, until: ProbeTime) -> Result<(), ProbeError> {
        let begun = self.link.now();
        let allowed = STALL + Duration::from_nanos(until.0.saturating_sub(self.known));
        while self.known < until.0 {
            self.pump()?;
            let now = self.link.now();
            let stands = now.saturating_sub(self.known_at);
            if stands > STALL || now.saturating_sub(begun) > allowed.saturating_mul(2) {
                return Err(self.fail(ProbeError::Stalled(stands)));
            }
        }
        Ok(())
    }

    /// The levels of the wires as they are now.
    ///
    /// # Errors
    /// If the probe does not say them.
    pub fn levels(&mut self) -> Result<Levels, ProbeError> {
        self.levels = None;
        while let Err(error) = self.endpoint.send(&Order::ReadLevels) {
            self.expect_full(error)?;
        }
        let begun = self.link.now();
        loop {
            self.pump()?;
            if let Some(levels) = self.levels {
                return Ok(levels);
            }
            let waited = self.link.now().saturating_sub(begun);
            if waited > SILENCE {
                return Err(self.fail(ProbeError::Silent(waited)));
            }
        }
    }

    /// Has the probe restart into its boot loader.
    ///
    /// # Errors
    /// If the line is not up.
    pub fn start_boot_loader(&mut self) -> Result<(), ProbeError> {
        while let Err(error) = self.endpoint.send(&Order::BootLoader) {
            self.expect_full(error)?;
        }
        self.write_out().map_err(|cut| ProbeError::Cut(cut.0))
    }

    fn expect_full(&mut self, error: SendError) -> Result<(), ProbeError> {
        if error != SendError::Full {
            return Err(self.fail(ProbeError::NoMessage));
        }
        self.pump()
    }

    fn fail(&mut self, error: ProbeError) -> ProbeError {
        self.failed.get_or_insert(error).clone()
    }

    /// Sends what is due, and takes what has come within [`READ_WAIT`].
    fn pump(&mut self) -> Result<(), ProbeError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.send_jobs();
        let mut greeting = Greeting::default();
        if let Err(error) = self.exchange(&mut greeting) {
            return Err(self.fail(error));
        }
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let expected = self.now();
        if greeting.answer.is_some_and(|answer| ProbeTime(answer.now).after(RESTART_NS) < expected)
        {
            return Err(self.fail(ProbeError::Restarted));
        }
        let now = self.link.now();
        let silent = now.saturating_sub(self.heard_at);
        if silent > SILENCE {
            return Err(self.fail(ProbeError::Silent(silent)));
        }
        if self.endpoint.is_lost() && self.cut_since.is_none() && silent < ASK_AFTER {
            return Err(self.fail(ProbeError::Lost(RESENDS)));
        }
        if silent > ASK_AFTER && now.saturating_sub(self.asked_at) > GREET_EVERY {
            self.asked_at = now;
            self.endpoint.hello(self.id);
        }
        if now.saturating_sub(self.said_at) > KEEP_ALIVE {
            self.endpoint.keep_alive();
        }
        Ok(())
    }

    /// Sends the tasks that are due, as many as the probe can queue.
    fn send_jobs(&mut self) {
        let until = self.now().after(AHEAD_NS).0;
        while self.under_way.len() < QUEUE {
            let Some(first) = self.jobs.first_entry().filter(|first| first.key().0 <= until) else {
                return;
            };
            let number = self.done.wrapping_add(self.under_way.len() as u32);
            let at = ProbeTime(first.key().0);
            let order = Order::At { number, at, task: first.get().task() };
            if self.endpoint.send(&order).is_err() {
                return;
            }
            self.under_way.push_back(first.remove());
        }
    }

    fn write_out(&mut self) -> Result<(), Cut> {
        loop {
            let now = self.link.now();
            let bytes = self.endpoint.output(now.as_micros() as u64);
            if bytes.is_empty() {
                return Ok(());
            }
            self.said_at = now;
            let written = self.link.write(bytes)?;
            if written == 0 {
                return Ok(());
            }
            self.endpoint.consume(written);
        }
    }

    /// Writes what there is to say, and takes what has come.
    fn exchange(&mut self, greeting: &mut Greeting) -> Result<(), ProbeError> {
        if let Some((since, why)) = &self.cut_since {
            let (since, why) = (*since, why.clone());
            if self.link.reconnect(READ_WAIT).is_err() {
                return match self.link.now().saturating_sub(since) > RECONNECT {
                    true => Err(ProbeError::Cut(why)),
                    false => Ok(()),
                };
            }
            self.endpoint.line_was_cut();
            self.cut_since = None;
        }
        let read = self.write_out().and_then(|()| self.link.read(&mut self.buffer[..], READ_WAIT));
        let read = match read {
            Ok(read) => read,
            Err(Cut(why)) => {
                self.cut_since = Some((self.link.now(), why));
                return Ok(());
            }
        };
        greeting.bytes += read as u64;
        let mut taken = 0;
        while taken < read {
            taken += self.take(taken, read, greeting)?;
        }
        self.write_out().or(Ok(()))
    }

    /// Takes bytes of the buffer up to the next event.
    fn take(
        &mut self,
        from: usize,
        to: usize,
        greeting: &mut Greeting,
    ) -> Result<usize, ProbeError> {
        let now = self.link.now();
        let micros = now.as_micros() as u64;
        let Self { endpoint, buffer, .. } = self;
        let frames = endpoint.statistics().taken;
        let (taken, event) = endpoint.receive(&buffer[from..to], micros);
        match event {
            Some(Event::Data(payload)) => {
                let mut messages = Event::Data(payload).messages::<Observation<'_>>();
                let mut observed = Vec::new();
                for message in &mut messages {
                    observed.push(owned(&message));
                }
                if !messages.whole() {
                    return Err(ProbeError::NoMessage);
                }
                self.heard_at = now;
                for observation in observed {
                    self.observe(observation, now)?;
                }
            }
            Some(Event::Welcome { session, protocol, welcome }) if session == self.id => {
                match welcome {
                    Some(Welcome { build, serial, now: time, powered }) => {
                        let identity = Identity { build: build.into(), serial: serial.into() };
                        greeting.answer = Some(Answer { identity, now: time.0, powered });
                        if endpoint.session() != Some(self.id) {
                            endpoint.open(self.id, micros);
                        }
                    }
                    None => greeting.protocol = Some(protocol),
                }
            }
            Some(Event::Busy { session }) if session == self.id => greeting.busy = true,
            _ => {
                if endpoint.heard_us() == Some(micros) || endpoint.statistics().taken != frames {
                    self.heard_at = now;
                }
            }
        }
        Ok(taken)
    }

    fn observe(&mut self, observed: Owned, now: Duration) -> Result<(), ProbeError> {
        match observed {
            Owned::NoMessage => return Err(ProbeError::NoMessage),
            Owned::Seen(seen) => {
                if self.seen.len() + seen.len() > SEEN_KEPT {
                    return Err(ProbeError::TooMuch(SEEN_KEPT));
                }
                for (at, seen) in seen {
                    self.seen_count += 1;
                    self.seen.insert((at, self.seen_count), seen);
                }
            }
            Owned::Mark { before, done } => {
                if before > self.known {
                    (self.known, self.known_at) = (before, now);
                }
                self.finish(done);
            }
            Owned::Refused { number, why } => {
                let index = number.wrapping_sub(self.done) as usize;
                let task = self.under_way.get(index).map_or("a task".into(), Job::words);
                return Err(ProbeError::Refused { task, why });
            }
            Owned::Overrun { at, wire } => match &mut self.overruns {
                // A wire that moves too fast says so again and again.
                Some(lost) if lost.iter().any(|(other, _)| *other == wire) => {}
                Some(lost) => lost.push((wire, at)),
                None => return Err(ProbeError::Overrun { at, wire }),
            },
            Owned::Released => return Err(ProbeError::Released),
            Owned::Levels(levels) => self.levels = Some(levels),
            Owned::Nothing => {}
        }
        Ok(())
    }

    /// The first `done` tasks of the session are done.
    fn finish(&mut self, done: u32) {
        let more = done.wrapping_sub(self.done) as usize;
        if more <= self.under_way.len() {
            self.under_way.drain(..more);
            self.done = done;
        }
    }
}

/// The probe lets go of everything when its host says goodbye; if that is lost, within a second.
impl Drop for Session {
    fn drop(&mut self) {
        self.endpoint.bye();
        let _ = self.write_out();
    }
}
