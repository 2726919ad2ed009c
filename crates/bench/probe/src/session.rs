//! A session with a probe: the greeting, the pending tasks, and the probe's observations in order
//! of time.
//!
//! Whatever the line does, each call ends within a limit of the line's clock, with a result or an
//! error. The module knows no board.

mod debug;
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
use observed::{OwnedObservation, owned};

// The virtual board's console has the speed of the real one's.
const _: () = assert!(UART_BAUD as u64 == hal_mock::board::UART_BAUD);

/// Frames under way to the probe, at most.
const WINDOW: usize = 16;
/// Time that a probe has to answer a greeting, including the time for another host to release it.
pub const GREETING: Duration = Duration::from_millis(2500);
const GREET_EVERY: Duration = Duration::from_millis(100);
/// Longest time between two frames of the host.
const KEEP_ALIVE: Duration = Duration::from_micros(KEEP_ALIVE_US / 5);
/// Longest cut that is waited for: after a longer one the probe has released every button.
const RECONNECT: Duration = Duration::from_micros(KEEP_ALIVE_US * 9 / 10);
/// Silence after which the probe is greeted again; a probe that has restarted answers.
const GREET_AFTER: Duration = Duration::from_millis(500);
/// Lag of the probe's time behind the expected time that proves a restart, in nanoseconds. An
/// answer may take this long.
const RESTART_NS: u64 = 200_000_000;
/// Longest silence before the session fails.
pub const SILENCE: Duration = Duration::from_millis(1500);
/// Longest time without progress of the probe's time before the session fails.
pub const STALL: Duration = Duration::from_millis(3000);
/// Time ahead of which tasks are sent, in nanoseconds; see [`Order::At`].
const AHEAD_NS: u64 = 300_000_000;
/// Largest number of observations that wait to be taken.
const OBSERVATIONS_MAX: usize = 1 << 20;
const READ_WAIT: Duration = Duration::from_millis(2);

/// A task that owns its bytes.
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

/// Bytes on the LCD's wires, plain or as a repetition of two.
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

/// An observation of the probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Observed {
    Lcd { took: u64, dc: bool, bytes: Bytes },
    Wire { wire: Wire, high: bool },
    Tone(Option<u32>),
    Uart(u8),
}

/// Levels of the wires; see [`Observation::Levels`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// Wires that are high, at bit [`Wire::bit`].
    pub high: u16,
    /// Wires that have been at both levels since power-on, at the same bits.
    pub moved: u16,
    /// Button lines that are high; bit 0 is line 0, B1.
    pub lines: u16,
}

/// A burst that the probe has not seen whole; see [`Observation::BadBurst`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadBurst {
    /// Number of rising edges of SCK.
    pub clocks: u32,
    /// Number of bytes that were received.
    pub bytes: u32,
}

/// Identity of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Build of the probe's firmware.
    pub build: String,
    /// Serial number of the probe.
    pub serial: String,
}

pub struct Session {
    link: Box<dyn Link>,
    endpoint: Box<Endpoint<WINDOW>>,
    id: u32,
    identity: Identity,
    powered: bool,
    buffer: Box<[u8; 16 << 10]>,
    seen: BTreeMap<(u64, u64), Observed>,
    seen_count: u64,
    /// Time before which every observation has been received, as of `known_at` of the line's clock.
    known: u64,
    known_at: Duration,
    /// Tasks that have not been sent, in order of time.
    jobs: BTreeMap<(u64, u64), Job>,
    jobs_count: u64,
    /// Tasks that were sent and are not known to be done, from number `done` on.
    pending: VecDeque<Job>,
    done: u32,
    sent_at: Duration,
    received_at: Duration,
    asked_at: Duration,
    cut_since: Option<(Duration, String)>,
    levels: Option<Levels>,
    debug: debug::Batches,
    /// Losses of the probe, if they do not end the session.
    overruns: Option<Vec<(Wire, ProbeTime)>>,
    /// The first burst that was not seen whole while losses do not end the session.
    bad_burst: Option<BadBurst>,
    failed: Option<ProbeError>,
}

/// Events received during the greeting.
#[derive(Default)]
struct Greeting {
    answer: Option<Answer>,
    protocol: Option<u16>,
    busy: bool,
    bytes: u64,
}

/// The probe's answer.
struct Answer {
    identity: Identity,
    now: u64,
    powered: bool,
}

impl Session {
    /// Greets the probe on `link`. The caller chooses `id` at random, so that two hosts differ.
    ///
    /// # Errors
    /// Returns an error if there is no usable probe within [`GREETING`].
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
            pending: VecDeque::new(),
            done: 0,
            sent_at: now,
            received_at: now,
            asked_at: now,
            cut_since: None,
            levels: None,
            debug: debug::Batches::default(),
            overruns: None,
            bad_burst: None,
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
                (session.known, session.known_at, session.received_at) = (known, now, now);
                return Ok(session);
            }
        }
    }

    /// Returns the identity of the probe.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns whether the board had power when the session began: the previous host ended without
    /// switching it off.
    pub fn began_powered(&self) -> bool {
        self.powered
    }

    /// Returns counters of lost or damaged frames, which were repaired; see
    /// [`probe_protocol::Statistics`].
    pub fn statistics(&self) -> probe_protocol::Statistics {
        self.endpoint.statistics()
    }

    /// Returns the probe's current time, extrapolated with the line's clock.
    pub(crate) fn now(&mut self) -> ProbeTime {
        let since = self.link.now().saturating_sub(self.known_at);
        ProbeTime(self.known).after(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
    }

    /// Returns the time before which every observation has been received.
    pub(crate) fn known(&self) -> ProbeTime {
        ProbeTime(self.known)
    }

    /// Schedules a task at `at`.
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

    /// Takes the earliest observation before `until`, with its time. `until` is at most
    /// [`known`](Self::known).
    pub(crate) fn take_before(&mut self, until: ProbeTime) -> Option<(ProbeTime, Observed)> {
        let first = self.seen.first_entry().filter(|first| first.key().0 < until.0)?;
        let ((at, _), seen) = first.remove_entry();
        Some((ProbeTime(at), seen))
    }

    /// Returns the time of the earliest observation that was not taken.
    pub(crate) fn next_at(&self) -> Option<ProbeTime> {
        self.seen.first_key_value().map(|((at, _), _)| ProbeTime(*at))
    }

    /// Records that the board has been switched off since the session began.
    pub(crate) fn is_off(&mut self) {
        self.powered = false;
    }

    /// Lets the session continue after losses of the probe; the first loss of each wire is stored.
    pub(crate) fn tolerate_overruns(&mut self) {
        self.overruns = Some(Vec::new());
    }

    /// Returns the losses since [`tolerate_overruns`](Self::tolerate_overruns). From now on a loss
    /// ends the session again.
    pub(crate) fn take_overruns(&mut self) -> Vec<(Wire, ProbeTime)> {
        self.overruns.take().unwrap_or_default()
    }

    /// Returns the first burst that was not seen whole since
    /// [`tolerate_overruns`](Self::tolerate_overruns).
    pub(crate) fn take_bad_burst(&mut self) -> Option<BadBurst> {
        self.bad_burst.take()
    }

    /// Puts back the rest of an observation; it is the next one again.
    pub(crate) fn put_back(&mut self, at: ProbeTime, seen: Observed) {
        // Observations of the probe are numbered from 1.
        self.seen.insert((at.0, 0), seen);
    }

    /// Waits until every observation before `until` has been received.
    ///
    /// # Errors
    /// Returns an error if the session fails.
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

    /// Returns the current levels of the wires.
    ///
    /// # Errors
    /// Returns an error if the probe does not report them.
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

    /// Restarts the probe into its boot loader.
    ///
    /// # Errors
    /// Returns an error if the line is not up.
    pub fn start_boot_loader(&mut self) -> Result<(), ProbeError> {
        while let Err(error) = self.endpoint.send(&Order::BootLoader) {
            self.expect_full(error)?;
        }
        self.write_out().map_err(|cut| ProbeError::Cut(cut.0))
    }

    fn expect_full(&mut self, error: SendError) -> Result<(), ProbeError> {
        if error != SendError::Full {
            return Err(self.fail(ProbeError::UnknownMessage));
        }
        self.pump()
    }

    fn fail(&mut self, error: ProbeError) -> ProbeError {
        self.failed.get_or_insert(error).clone()
    }

    /// Sends due tasks, and processes what is received within [`READ_WAIT`].
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
        let silent = now.saturating_sub(self.received_at);
        if silent > SILENCE {
            return Err(self.fail(ProbeError::Silent(silent)));
        }
        if self.endpoint.is_lost() && self.cut_since.is_none() && silent < GREET_AFTER {
            return Err(self.fail(ProbeError::Lost(RESENDS)));
        }
        if silent > GREET_AFTER && now.saturating_sub(self.asked_at) > GREET_EVERY {
            self.asked_at = now;
            self.endpoint.hello(self.id);
        }
        if now.saturating_sub(self.sent_at) > KEEP_ALIVE {
            self.endpoint.keep_alive();
        }
        Ok(())
    }

    /// Sends the due tasks, as many as the probe can queue.
    fn send_jobs(&mut self) {
        let until = self.now().after(AHEAD_NS).0;
        while self.pending.len() < QUEUE {
            let Some(first) = self.jobs.first_entry().filter(|first| first.key().0 <= until) else {
                return;
            };
            let number = self.done.wrapping_add(self.pending.len() as u32);
            let at = ProbeTime(first.key().0);
            let order = Order::At { number, at, task: first.get().task() };
            if self.endpoint.send(&order).is_err() {
                return;
            }
            self.pending.push_back(first.remove());
        }
    }

    fn write_out(&mut self) -> Result<(), Cut> {
        loop {
            let now = self.link.now();
            let bytes = self.endpoint.output(now.as_micros() as u64);
            if bytes.is_empty() {
                return Ok(());
            }
            self.sent_at = now;
            let written = self.link.write(bytes)?;
            if written == 0 {
                return Ok(());
            }
            self.endpoint.consume(written);
        }
    }

    /// Writes pending frames and processes received bytes.
    fn exchange(&mut self, greeting: &mut Greeting) -> Result<(), ProbeError> {
        if let Some((since, why)) = &self.cut_since {
            let (since, why) = (*since, why.clone());
            if self.link.reconnect(READ_WAIT).is_err() {
                return match self.link.now().saturating_sub(since) > RECONNECT {
                    true => Err(ProbeError::Cut(why)),
                    false => Ok(()),
                };
            }
            self.endpoint.reset_line();
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

    /// Processes bytes of the buffer up to the next event.
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
                    return Err(ProbeError::UnknownMessage);
                }
                self.received_at = now;
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
                if endpoint.last_received_us() == Some(micros)
                    || endpoint.statistics().taken != frames
                {
                    self.received_at = now;
                }
            }
        }
        Ok(taken)
    }

    fn observe(&mut self, observed: OwnedObservation, now: Duration) -> Result<(), ProbeError> {
        match observed {
            OwnedObservation::NoMessage => return Err(ProbeError::UnknownMessage),
            OwnedObservation::Observed(seen) => {
                if self.seen.len() + seen.len() > OBSERVATIONS_MAX {
                    return Err(ProbeError::TooManyObservations(OBSERVATIONS_MAX));
                }
                for (at, seen) in seen {
                    self.seen_count += 1;
                    self.seen.insert((at, self.seen_count), seen);
                }
            }
            OwnedObservation::Mark { before, done } => {
                if before > self.known {
                    (self.known, self.known_at) = (before, now);
                }
                self.finish(done);
            }
            OwnedObservation::Refused { number, why } => {
                let index = number.wrapping_sub(self.done) as usize;
                let task = self.pending.get(index).map_or("a task".into(), Job::words);
                return Err(ProbeError::Refused { task, why });
            }
            OwnedObservation::Overrun { at, wire } => match &mut self.overruns {
                // A wire that changes too fast is reported lost repeatedly.
                Some(lost) if lost.iter().any(|(other, _)| *other == wire) => {}
                Some(lost) => lost.push((wire, at)),
                None => return Err(ProbeError::Overrun { at, wire }),
            },
            OwnedObservation::BadBurst { clocks, bytes, .. } if self.overruns.is_some() => {
                self.bad_burst.get_or_insert(BadBurst { clocks, bytes });
            }
            OwnedObservation::BadBurst { at, clocks, bytes } => {
                return Err(ProbeError::BadBurst { at, clocks, bytes });
            }
            OwnedObservation::Released => return Err(ProbeError::Released),
            OwnedObservation::Levels(levels) => self.levels = Some(levels),
            OwnedObservation::Swd { number, result } => self.debug.take(number, result),
            OwnedObservation::Nothing => {}
        }
        Ok(())
    }

    /// Marks the first `done` tasks of the session as done.
    fn finish(&mut self, done: u32) {
        let more = done.wrapping_sub(self.done) as usize;
        if more <= self.pending.len() {
            self.pending.drain(..more);
            self.done = done;
        }
    }
}

/// Closes the session. The probe then releases every button; if the message is lost, it does so
/// within a second.
impl Drop for Session {
    fn drop(&mut self) {
        self.endpoint.bye();
        let _ = self.write_out();
    }
}
