//! The host side of a USB cable: it resets the bus, enumerates the device, and exchanges bytes with
//! its serial ports (CDC-ACM), its human interface devices and any other bulk or interrupt
//! endpoint.
//!
//! [`Host`] decides what happens on the bus and when; [`Function`] is the device, for example the
//! chip's controller ([`Chip::attach_usb`](crate::chip::Chip::attach_usb)). Time is an argument:
//! the host knows no clock, no terminal and no file. It checks everything that a device reports
//! about itself before using it, and whatever a device does, a transfer ends in bounded time.
//!
//! Not modelled: isochronous transfers, alternate settings, several configurations, hubs, bit
//! errors.

use std::collections::VecDeque;

mod control;
mod descriptors;
mod enumeration;
mod packet;
mod pipe;
mod serial;
#[cfg(test)]
mod tests;
mod wire;

pub use control::{Setup, TransferError};
pub use descriptors::{
    Configuration, DescriptorError, DeviceDescriptor, Endpoint, HidFunction, Interface,
    SerialFunction, TransferType,
};
pub use enumeration::{Device, EnumerationError};
pub use packet::{Answer, Token, Transaction};
pub use pipe::{PIPE_BYTES, Packet};
pub use serial::LineCoding;
pub use wire::Function;
pub(crate) use wire::Wire;

use control::Control;
use enumeration::Purpose;
use pipe::{After, Pipe};
use serial::Port;

/// Time between connection and reset (USB 2.0 section 7.1.7.3, TATTDB).
const DEBOUNCE_NS: u64 = 100_000_000;
/// Duration of a reset (USB 2.0 section 7.1.7.5, TDRST).
const RESET_NS: u64 = 10_000_000;
/// Time that a device has after a reset (USB 2.0 section 7.1.7.5, TRSTRCY).
const RECOVERY_NS: u64 = 10_000_000;
/// Duration of a resume (USB 2.0 section 7.1.7.7, TDRSMDN).
const RESUME_NS: u64 = 20_000_000;
/// Duration of a frame.
const FRAME_NS: u64 = 1_000_000;
/// Largest packet of endpoint 0 of any full-speed device, in bytes.
const MAX_PACKET: u16 = 64;
/// Number of failed enumerations after which the host gives up.
const ENUMERATIONS: u8 = 3;
/// Largest number of events, and of results of control transfers, that wait for the caller. Older
/// ones are dropped.
const EVENTS_MAX: usize = 64;
/// Largest number of a caller's requests that wait.
const REQUESTS_MAX: usize = 64;

/// An event on the bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A device is configured: [`Host::device`] describes it.
    Configured,
    /// The configured device has been disconnected.
    Disconnected,
    /// A device is connected, but cannot be used.
    Failed(EnumerationError),
}

/// Result of a control transfer requested by a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlResult {
    /// Number that [`Host::control`] returned.
    pub id: u32,
    /// Data that the device has sent, or the reason why the transfer failed.
    pub result: Result<Vec<u8>, TransferError>,
}

/// Next action of the host.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Wait until this time.
    Wait(u64),
    /// Begin (`true`) or end a reset of the bus.
    Reset(bool),
    /// Begin a frame.
    Frame(u16),
    /// End the suspension.
    Resume,
    /// Begin a transaction.
    Transact(Transaction),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Detached,
    Debounce(u64),
    Reset(u64),
    Recovery(u64),
    /// Frames are sent, and requests executed.
    Running,
    /// The device cannot be used.
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Power {
    Awake,
    Suspended,
    /// The caller has requested the end of the suspension.
    Waking,
    Resuming(u64),
}

/// A control transfer that waits.
#[derive(Clone, Debug)]
struct Request {
    purpose: Purpose,
    setup: Setup,
    data: Vec<u8>,
    not_before_ns: u64,
}

#[derive(Clone, Copy, Debug)]
enum Turn {
    Control,
    Pipe(usize),
}

/// A USB host with one port.
#[derive(Clone, Debug)]
pub struct Host {
    plugged: bool,
    opens_ports: bool,
    state: State,
    power: Power,
    failures: u8,
    frame: u16,
    next_frame_ns: u64,
    address: u8,
    /// Largest number of bytes in a packet of endpoint 0.
    max_packet: u16,
    /// The same size, once the device has reported it.
    known_packet: Option<u16>,
    requests: VecDeque<Request>,
    control: Option<(Purpose, Control)>,
    turn: Turn,
    pipes: Vec<Pipe>,
    device: Option<Device>,
    configured: bool,
    ports: Vec<Port>,
    events: VecDeque<Event>,
    results: VecDeque<ControlResult>,
    next_id: u32,
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// Creates a host whose port is powered and that opens every serial port as soon as it finds
    /// it.
    pub fn new() -> Self {
        Self {
            plugged: true,
            opens_ports: true,
            state: State::Detached,
            power: Power::Awake,
            failures: 0,
            frame: 0,
            next_frame_ns: 0,
            address: 0,
            max_packet: MAX_PACKET,
            known_packet: None,
            requests: VecDeque::new(),
            control: None,
            turn: Turn::Control,
            pipes: vec![],
            device: None,
            configured: false,
            ports: vec![],
            events: VecDeque::new(),
            results: VecDeque::new(),
            next_id: 0,
        }
    }

    /// Leaves serial ports closed (DTR low) until [`Host::open_port`].
    pub fn with_closed_ports(mut self) -> Self {
        self.opens_ports = false;
        self
    }

    /// Plugs the cable in or pulls it out.
    pub fn plug(&mut self, plugged: bool) {
        self.plugged = plugged;
    }

    /// Returns whether the port is powered.
    pub fn is_plugged(&self) -> bool {
        self.plugged
    }

    /// Returns whether no device is connected and nothing waits for the caller.
    pub fn is_idle(&self) -> bool {
        self.state == State::Detached && self.events.is_empty() && self.results.is_empty()
    }

    /// Suspends the bus: no frames from now on.
    pub fn suspend(&mut self) {
        if self.state == State::Running && self.power == Power::Awake {
            self.power = Power::Suspended;
        }
    }

    /// Ends the suspension of the bus.
    pub fn resume(&mut self) {
        if self.power == Power::Suspended {
            self.power = Power::Waking;
        }
    }

    /// Returns whether the bus is suspended. A device can end that too.
    pub fn is_suspended(&self) -> bool {
        matches!(self.power, Power::Suspended | Power::Waking)
    }

    /// Returns the events since the last call, oldest first.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events).into()
    }

    /// Returns the configured device.
    pub fn device(&self) -> Option<&Device> {
        self.device.as_ref().filter(|_| self.configured)
    }

    /// Queues a control transfer; `data` goes to the device unless `setup` reads. Returns the
    /// number of the transfer, or `None` if too many wait, no device is configured, or `data` has
    /// not `setup.length` bytes.
    pub fn control(&mut self, setup: Setup, data: Vec<u8>) -> Option<u32> {
        let fits = if setup.reads() { data.is_empty() } else { data.len() == setup.length.into() };
        if !self.configured || !fits || self.requests.len() >= REQUESTS_MAX {
            return None;
        }
        let id = self.next_id;
        self.next_id = self.next_id.wrapping_add(1);
        self.request(Purpose::Caller(id), setup, data);
        Some(id)
    }

    /// Returns the results of control transfers since the last call, oldest first.
    pub fn take_results(&mut self) -> Vec<ControlResult> {
        std::mem::take(&mut self.results).into()
    }

    /// Begins to poll or write an endpoint of the configured device that belongs to no serial port
    /// and no human interface device. Returns false if there is no such bulk or interrupt endpoint.
    pub fn open_endpoint(&mut self, address: u8) -> bool {
        let endpoint = self.device().and_then(|it| it.configuration.endpoint(address));
        endpoint.is_some_and(|endpoint| self.pipe(endpoint).is_some())
    }

    /// Queues bytes for an open endpoint and returns the number that fitted. Packets are as long as
    /// the endpoint accepts.
    pub fn write_endpoint(&mut self, address: u8, bytes: &[u8]) -> usize {
        self.pipe_at(address).map_or(0, |pipe| pipe.send(bytes))
    }

    /// Returns the packets of an open endpoint since the last call.
    pub fn read_endpoint(&mut self, address: u8) -> Vec<Packet> {
        self.pipe_at(address).map_or_else(Vec::new, Pipe::take)
    }

    /// Returns the reason why an open endpoint has failed, if it has.
    pub fn endpoint_error(&self, address: u8) -> Option<TransferError> {
        self.pipes.iter().find(|pipe| pipe.address == address)?.failed
    }

    /// Returns the human interface devices of the configured device.
    pub fn hids(&self) -> &[HidFunction] {
        self.device().map_or(&[], |device| &device.hids)
    }

    /// Returns the reports of human interface device `number` since the last call.
    pub fn reports(&mut self, number: usize) -> Vec<Packet> {
        let address = self.hids().get(number).map(|hid| hid.input.address);
        address.map_or_else(Vec::new, |address| self.read_endpoint(address))
    }

    /// Sends a report to human interface device `number`: over its endpoint, or as a control
    /// transfer if it has none. Returns false if there is no room or no such device.
    pub fn send_report(&mut self, number: usize, report: &[u8]) -> bool {
        let Some(hid) = self.hids().get(number).copied() else { return false };
        match hid.output {
            Some(output) => self.write_endpoint(output.address, report) == report.len(),
            None => {
                let Ok(length) = u16::try_from(report.len()) else { return false };
                self.control(enumeration::set_report(hid.interface, length), report.to_vec())
                    .is_some()
            }
        }
    }

    fn pipe_at(&mut self, address: u8) -> Option<&mut Pipe> {
        self.pipes.iter_mut().find(|pipe| pipe.address == address)
    }

    /// Returns the number of the pipe to `endpoint`, which is created if there is none.
    fn pipe(&mut self, endpoint: Endpoint) -> Option<usize> {
        let interval = match endpoint.kind {
            TransferType::Bulk => None,
            TransferType::Interrupt => Some(endpoint.interval),
            TransferType::Control | TransferType::Isochronous => return None,
        };
        let known = self.pipes.iter().position(|pipe| pipe.address == endpoint.address);
        known.or_else(|| {
            self.pipes.push(Pipe::new(endpoint.address, endpoint.max_packet, interval));
            Some(self.pipes.len() - 1)
        })
    }

    fn request(&mut self, purpose: Purpose, setup: Setup, data: Vec<u8>) {
        self.requests.push_back(Request { purpose, setup, data, not_before_ns: 0 });
    }

    fn event(&mut self, event: Event) {
        if self.events.len() >= EVENTS_MAX {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    /// Forgets the device, which is disconnected or reset.
    fn forget(&mut self) {
        if std::mem::take(&mut self.configured) {
            self.event(Event::Disconnected);
        }
        self.device = None;
        self.address = 0;
        self.max_packet = MAX_PACKET;
        self.known_packet = None;
        self.requests.clear();
        self.control = None;
        self.pipes.clear();
        self.ports.clear();
        self.power = Power::Awake;
    }

    /// Handles a failed enumeration: the host tries again, and gives up after the third failure.
    fn fail(&mut self, ns: u64, error: EnumerationError) {
        self.forget();
        self.failures += 1;
        if self.failures < ENUMERATIONS {
            self.state = State::Debounce(ns);
        } else {
            self.state = State::Failed;
            self.event(Event::Failed(error));
        }
    }

    /// Returns the next action on the bus.
    pub(crate) fn step(&mut self, now: u64, device: &mut dyn Function) -> Action {
        let connected = self.plugged && device.connected();
        if !connected && self.state != State::Detached {
            self.forget();
            self.state = State::Detached;
            self.failures = 0;
        }
        match self.state {
            State::Detached if connected => {
                self.state = State::Debounce(now + DEBOUNCE_NS);
                Action::Wait(now + DEBOUNCE_NS)
            }
            State::Detached | State::Failed => Action::Wait(u64::MAX),
            State::Debounce(until) | State::Reset(until) if now < until => Action::Wait(until),
            State::Debounce(_) => {
                self.state = State::Reset(now + RESET_NS);
                Action::Reset(true)
            }
            State::Reset(_) => {
                self.state = State::Recovery(now + RECOVERY_NS);
                // The next time at which the host acts.
                self.next_frame_ns = now + 1;
                Action::Reset(false)
            }
            State::Recovery(until) if now >= until => {
                self.state = State::Running;
                self.begin_enumeration();
                self.run(now, device)
            }
            State::Recovery(until) => match self.frame(now) {
                Some(action) => action,
                None => Action::Wait(until.min(self.next_frame_ns)),
            },
            State::Running => self.run(now, device),
        }
    }

    fn run(&mut self, now: u64, device: &mut dyn Function) -> Action {
        match self.power {
            Power::Awake => {}
            Power::Suspended if !device.take_wakeup() => return Action::Wait(u64::MAX),
            Power::Suspended | Power::Waking => {
                self.power = Power::Resuming(now + RESUME_NS);
                return Action::Resume;
            }
            Power::Resuming(until) if now < until => return Action::Wait(until),
            Power::Resuming(_) => self.power = Power::Awake,
        }
        self.frame(now).unwrap_or_else(|| self.transaction(now))
    }

    fn frame(&mut self, now: u64) -> Option<Action> {
        (now >= self.next_frame_ns).then(|| {
            self.frame = (self.frame + 1) & 0x7FF;
            self.next_frame_ns = (self.next_frame_ns + FRAME_NS).max(now + FRAME_NS / 2);
            Action::Frame(self.frame)
        })
    }

    /// Returns the next transaction: control transfers first, then the pipes in turn.
    fn transaction(&mut self, now: u64) -> Action {
        if self.control.is_none()
            && self.requests.front().is_some_and(|request| request.not_before_ns <= now)
            && let Some(Request { purpose, setup, data, .. }) = self.requests.pop_front()
        {
            self.control = Some((purpose, Control::new(setup, data, now)));
        }
        let mut next = self.next_frame_ns;
        if let Some((_, control)) = &self.control {
            if control.retry_ns <= now {
                let transaction = control.transaction(self.address, self.max_packet);
                return self.fitting(now, Turn::Control, transaction, self.max_packet);
            }
            next = next.min(control.retry_ns);
        } else if let Some(request) = self.requests.front() {
            next = next.min(request.not_before_ns);
        }
        let held = self.class_request_waits();
        let first = match self.turn {
            Turn::Control => 0,
            Turn::Pipe(last) => last + 1,
        };
        let count = self.pipes.len();
        for number in (first..first + count).map(|number| number % count) {
            let pipe = &self.pipes[number];
            let Some(due) = pipe.due_ns() else { continue };
            // The pipe waits for the end of the request, which is the next event.
            if held && self.is_serial_output(number) {
                continue;
            }
            if due <= now {
                let transaction = pipe.transaction(self.address);
                let most = pipe.max_packet();
                return self.fitting(now, Turn::Pipe(number), transaction, most);
            }
            next = next.min(due);
        }
        Action::Wait(next)
    }

    /// Returns whether a class request has not ended. A program that opens a serial port sends
    /// nothing before the device has its line coding and DTR, and devices drop what they receive
    /// earlier.
    fn class_request_waits(&self) -> bool {
        let is_class = |purpose: Purpose| matches!(purpose, Purpose::Class);
        self.control.as_ref().is_some_and(|(purpose, _)| is_class(*purpose))
            || self.requests.iter().any(|request| is_class(request.purpose))
    }

    /// Returns the transaction as an action, unless it could reach into the next frame.
    fn fitting(&mut self, now: u64, turn: Turn, transaction: Transaction, most: u16) -> Action {
        if now + transaction.longest_ns(most) > self.next_frame_ns {
            return Action::Wait(self.next_frame_ns);
        }
        self.turn = turn;
        Action::Transact(transaction)
    }

    /// Processes the answer to the last transaction.
    pub(crate) fn answered(&mut self, now: u64, transaction: &Transaction, answer: Answer) {
        match self.turn {
            Turn::Control => {
                let Some((purpose, control)) = &mut self.control else { return };
                let purpose = *purpose;
                if let Some(result) = control.answered(now, transaction, answer, self.max_packet) {
                    self.control = None;
                    self.finished(now, purpose, result);
                }
            }
            Turn::Pipe(number) => {
                let Some(pipe) = self.pipes.get_mut(number) else { return };
                if pipe.answered(now, transaction, answer) == After::ClearHalt {
                    let setup = enumeration::clear_halt(pipe.address);
                    self.request(Purpose::ClearHalt(number), setup, vec![]);
                }
            }
        }
    }
}
