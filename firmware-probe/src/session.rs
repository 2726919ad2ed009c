//! The session with the host: its orders, and the reports to it. See `probe_protocol` for the
//! meaning of each.

use probe_protocol::message::Wire;
use probe_protocol::{
    Endpoint, Event, KEEP_ALIVE_US, Observation, Order, PROTOCOL, ProbeTime, Welcome, wiring,
};
use rp2040_hal::usb::UsbBus;
use usbd_serial::SerialPort;

use crate::chip::Now;
use crate::frames;
use crate::outbox::{OBSERVATION, Outbox};
use crate::sampler::levels;
use crate::serial_number::SerialNumber;
use crate::swd::Swd;
use crate::tasks;

/// Maximum number of unacknowledged packets to the host: as many as the line takes in 8 ms.
const WINDOW: usize = 16;
/// Build name in the answer to the host's greeting.
const BUILD: &str = env!("CARGO_PKG_VERSION");

/// State of the session.
pub struct Session {
    endpoint: Endpoint<WINDOW>,
    serial: SerialNumber,
    heard_us: u64,
    /// Time at which the host was found to be silent.
    lapsed: Option<u64>,
    /// Session number of a greeting whose answer is due.
    greeted: Option<u32>,
    boot_loader: bool,
    was_open: bool,
}

type Port<'a> = SerialPort<'a, UsbBus, &'a mut [u8], &'a mut [u8]>;

impl Session {
    /// Creates the state without a host.
    pub const fn new() -> Self {
        Self {
            endpoint: Endpoint::new(),
            serial: SerialNumber::new(),
            heard_us: 0,
            lapsed: None,
            greeted: None,
            boot_loader: false,
            was_open: false,
        }
    }

    /// Sets the probe's serial number.
    pub fn set_serial(&mut self, serial: &SerialNumber) {
        self.serial = serial.clone();
    }

    /// Returns whether a host receives the observations.
    pub fn is_connected(&self) -> bool {
        self.endpoint.session().is_some() && self.lapsed.is_none()
    }

    /// Receives the host's bytes, and sends what is queued. Returns true if there was anything.
    pub fn poll(
        &mut self,
        now: Now,
        port: &mut Port<'_>,
        outbox: &mut Outbox,
        swd: &mut Swd,
    ) -> bool {
        let open = port.dtr();
        if open && !core::mem::replace(&mut self.was_open, open) {
            self.endpoint.reset_line();
        }
        self.was_open = open;
        let mut busy = false;
        let mut buffer = [0; 64];
        loop {
            tasks::wait_until_no_task_is_imminent();
            let Ok(count @ 1..) = port.read(&mut buffer) else { break };
            busy = true;
            let frames = self.endpoint.statistics().taken;
            let mut rest = &buffer[..count];
            while !rest.is_empty() {
                let taken = self.receive(rest, now, outbox, swd);
                rest = &rest[taken..];
            }
            let statistics = self.endpoint.statistics();
            let heard = self.endpoint.last_received_us() == Some(now.micros);
            if heard || statistics.taken != frames {
                self.note_host_activity(now, outbox);
            }
        }
        self.release_if_host_is_silent(now);
        while let Some((at, on)) = tasks::take_switched() {
            if self.is_connected() {
                outbox.push(&Observation::Power { at: ProbeTime::from_micros(at), on });
            }
        }
        busy |= self.send(now, port, outbox);
        if self.boot_loader {
            rp2040_hal::rom_data::reset_to_usb_boot(0, 0);
        }
        busy
    }

    /// Handles bytes up to the first event. Returns their number.
    fn receive(&mut self, bytes: &[u8], now: Now, outbox: &mut Outbox, swd: &mut Swd) -> usize {
        let (taken, event) = self.endpoint.receive(bytes, now.micros);
        match event {
            Some(Event::Data(payload)) => {
                for order in Event::Data(payload).messages::<Order<'_>>() {
                    match order {
                        Order::At { number, at, task } => {
                            if let Err(why) = tasks::add(number, at, &task) {
                                let now = now.before(0);
                                outbox.push(&Observation::Refused { number, now, why });
                            }
                        }
                        Order::ReleaseAll => tasks::release_all(),
                        Order::ReadLevels => outbox.push(&read_levels(now)),
                        Order::BootLoader => {
                            tasks::release_all();
                            self.boot_loader = true;
                        }
                        Order::Swd { number, batch } => swd.begin(number, batch, outbox),
                    }
                }
            }
            Some(Event::Hello { session, .. }) => {
                if self.endpoint.session() != Some(session) {
                    swd.cancel();
                }
                self.greet(session, now, outbox);
            }
            Some(Event::Bye) => {
                tasks::release_all();
                outbox.clear();
                self.lapsed = None;
            }
            _ => {}
        }
        taken
    }

    fn greet(&mut self, session: u32, now: Now, outbox: &mut Outbox) {
        let other = self.endpoint.session().is_some_and(|open| open != session);
        if other && self.lapsed.is_none() {
            self.endpoint.busy(session);
            return;
        }
        if self.endpoint.session() != Some(session) {
            self.endpoint.open(session, now.micros);
            tasks::open();
            outbox.clear();
            self.lapsed = None;
            self.heard_us = now.micros;
        }
        self.greeted = Some(session);
    }

    fn note_host_activity(&mut self, now: Now, outbox: &mut Outbox) {
        self.heard_us = now.micros;
        if let Some(at) = self.lapsed.take() {
            outbox.clear();
            outbox.push(&Observation::Released { at: ProbeTime::from_micros(at) });
        }
    }

    /// Releases every button if the host has been silent for [`KEEP_ALIVE_US`].
    fn release_if_host_is_silent(&mut self, now: Now) {
        let silent = now.micros.saturating_sub(self.heard_us) > KEEP_ALIVE_US;
        if silent && self.is_connected() {
            tasks::release_all();
            self.lapsed = Some(now.micros);
        }
    }

    fn send(&mut self, now: Now, port: &mut Port<'_>, outbox: &mut Outbox) -> bool {
        let mut busy = false;
        let mut observation = [0; OBSERVATION];
        while let Some(front) = outbox.front(&mut observation) {
            if self.endpoint.send_encoded(front).is_err() {
                break;
            }
            outbox.pop();
        }
        if let Some(session) = self.greeted.take() {
            let welcome = Welcome {
                build: BUILD,
                serial: &self.serial,
                now: now.before(0),
                powered: tasks::is_powered(),
            };
            self.endpoint.greet(
                probe_protocol::frame::Control::Welcome,
                session,
                PROTOCOL,
                Some(&welcome),
            );
        }
        loop {
            let bytes = self.endpoint.output(now.micros);
            if bytes.is_empty() {
                return busy;
            }
            tasks::wait_until_no_task_is_imminent();
            if !frames::is_safe() {
                return busy;
            }
            let Ok(written @ 1..) = port.write(bytes) else { return busy };
            self.endpoint.consume(written);
            busy = true;
        }
    }
}

fn read_levels(now: Now) -> Observation<'static> {
    let (pins, moved_pins) = (levels(), tasks::changed_pins());
    let (mut high, mut moved) = (0, 0);
    for wire in Wire::ALL {
        let pin = wiring::of(wire).probe;
        high |= if pins >> pin & 1 != 0 { wire.bit() } else { 0 };
        moved |= if moved_pins >> pin & 1 != 0 { wire.bit() } else { 0 };
    }
    let lines = (pins >> wiring::FIRST_LINE) as u16 & ((1 << probe_protocol::LINES) - 1);
    Observation::Levels { at: now.before(0), high, moved, lines }
}
