//! One end of the line; the host and the probe each have one.
//!
//! Messages are collected into numbered frames, of which at most `WINDOW` are unacknowledged at a
//! time. The other end accepts them in order and reports the number that it awaits. Lost or damaged
//! frames are sent again from that number on ("go back N"): immediately when the other end requests
//! it, else after [`RESEND_US`]. After [`RESENDS`] attempts without progress the line [is
//! lost](Endpoint::is_lost).
//!
//! The endpoint reads no clock: `now_us` is any clock of the caller that counts microseconds.
//!
//! Usage: pass every byte from the line to [`receive`](Endpoint::receive); [`send`](Endpoint::send)
//! messages; write [`output`](Endpoint::output) to the line and [`consume`](Endpoint::consume) what
//! was written.

use serde::Serialize;

use crate::PROTOCOL;
use crate::frame::{self, Control, Header, Kind, MAGIC, ON_LINE, PAYLOAD, SessionId};
use crate::message::{Messages, Welcome};

/// Time after which unacknowledged frames are sent again, in microseconds.
pub const RESEND_US: u64 = 20_000;
/// Number of resends without progress after which the line counts as lost.
pub const RESENDS: u32 = 40;
/// Shortest time between two requests to send again that are honoured, in microseconds: frames that
/// were already on the line cause further requests.
const AGAIN_US: u64 = 2_000;

const _: () = assert!(RESEND_US * (RESENDS as u64) < crate::KEEP_ALIVE_US);

/// Largest payload of a frame without a number, in bytes.
const CONTROL: usize = 96;

/// A reason why a message cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendError {
    /// All frames await acknowledgement; try again after [`Endpoint::receive`].
    Full,
    /// The message is longer than a frame's payload.
    TooLong,
    Closed,
}

/// An event received over the line.
#[derive(Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// Messages of the open session, each once and in order. [`Event::messages`] iterates over
    /// them.
    Data(&'a [u8]),
    /// A host requests a session. Answer with [`Endpoint::welcome`] or [`Endpoint::busy`].
    Hello {
        /// Protocol version of the host.
        protocol: u16,
        /// Session that the host requests.
        session: SessionId,
    },
    /// A probe grants a session.
    Welcome {
        /// Protocol version of the probe.
        protocol: u16,
        /// Session that the probe has opened.
        session: SessionId,
        /// Identity of the probe; `None` if its protocol version differs from ours.
        welcome: Option<Welcome<'a>>,
    },
    /// The probe is in use by another host.
    Busy {
        /// Session that the probe refuses.
        session: SessionId,
    },
    /// The host closes the open session.
    Bye,
}

impl<'a> Event<'a> {
    /// Returns the messages of [`Event::Data`]; no messages for other events.
    pub fn messages<M>(&self) -> Messages<'a, M> {
        match self {
            Self::Data(payload) => Messages::of(payload),
            _ => Messages::of(&[]),
        }
    }
}

/// Counters of line events since the endpoint was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of accepted frames with messages.
    pub taken: u32,
    /// Number of byte sequences between zeros that were not a valid frame.
    pub damaged: u32,
    /// Number of frames dropped because a frame before them was lost.
    pub gaps: u32,
    /// Number of frames that had already been accepted.
    pub doubled: u32,
    /// Number of frames of another session.
    pub foreign: u32,
    /// Number of times that frames were sent again.
    pub resent: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    length: usize,
    payload: [u8; PAYLOAD],
}

/// One end of the line. Its size is about `WINDOW` × 0.5 KB plus 1.2 KB.
pub struct Endpoint<const WINDOW: usize> {
    session: Option<SessionId>,
    /// Unacknowledged frames: `slots[number % WINDOW]` for `base <= number < end`.
    slots: [Slot; WINDOW],
    base: u16,
    end: u16,
    /// Number of the next frame to put on the line. The last slot may still grow if it has not been
    /// on the line.
    next: u16,
    /// Number of the first frame that has never been on the line.
    fresh: u16,
    /// Number of the next frame expected from the other end.
    awaited: u16,
    acknowledge: bool,
    again: bool,
    /// Number that was already requested again; it is not requested twice.
    asked: Option<u16>,
    progress_us: u64,
    went_back_us: u64,
    resends: u32,
    heard_us: Option<u64>,
    control: Option<(Control, SessionId, usize)>,
    control_payload: [u8; CONTROL],
    line: [u8; ON_LINE],
    line_length: usize,
    line_sent: usize,
    incoming: [u8; ON_LINE],
    incoming_length: usize,
    overlong: bool,
    statistics: Statistics,
}

impl<const WINDOW: usize> Default for Endpoint<WINDOW> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const WINDOW: usize> Endpoint<WINDOW> {
    const WINDOW_FITS: () = assert!(WINDOW > 0 && WINDOW.is_power_of_two() && WINDOW <= 1024);

    /// Creates an endpoint without a session.
    pub const fn new() -> Self {
        let () = Self::WINDOW_FITS;
        Self {
            session: None,
            slots: [Slot { length: 0, payload: [0; PAYLOAD] }; WINDOW],
            base: 0,
            end: 0,
            next: 0,
            fresh: 0,
            awaited: 0,
            acknowledge: false,
            again: false,
            asked: None,
            progress_us: 0,
            went_back_us: 0,
            resends: 0,
            heard_us: None,
            control: None,
            control_payload: [0; CONTROL],
            line: [0; ON_LINE],
            line_length: 0,
            line_sent: 0,
            incoming: [0; ON_LINE],
            incoming_length: 0,
            overlong: false,
            statistics: Statistics {
                taken: 0,
                damaged: 0,
                gaps: 0,
                doubled: 0,
                foreign: 0,
                resent: 0,
            },
        }
    }

    /// Returns the open session.
    pub const fn session(&self) -> Option<SessionId> {
        self.session
    }

    /// Returns the counters of line events.
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Returns when the last frame of the open session arrived, by the caller's clock; if none has,
    /// when the session was opened.
    pub const fn last_received_us(&self) -> Option<u64> {
        self.heard_us
    }

    /// Returns whether frames were sent [`RESENDS`] times without any acknowledgement.
    pub const fn is_lost(&self) -> bool {
        self.resends > RESENDS
    }

    /// Returns whether everything that was sent has been acknowledged.
    pub const fn is_idle(&self) -> bool {
        self.base == self.end && self.line_sent == self.line_length && self.control.is_none()
    }

    /// Opens a session. All numbers start at 0, and unsent messages are dropped.
    pub fn open(&mut self, session: SessionId, now_us: u64) {
        self.close();
        self.session = Some(session);
        self.heard_us = Some(now_us);
        self.progress_us = now_us;
    }

    pub fn close(&mut self) {
        self.session = None;
        self.heard_us = None;
        (self.base, self.end, self.next, self.fresh, self.awaited) = (0, 0, 0, 0, 0);
        (self.acknowledge, self.again, self.asked) = (false, false, None);
        (self.resends, self.went_back_us) = (0, 0);
    }

    /// Requests a session, on the host. Repeat the call until an [`Event::Welcome`] of this session
    /// arrives.
    pub fn hello(&mut self, session: SessionId) {
        self.greet(Control::Hello, session, PROTOCOL, None);
    }

    /// Grants a session, on the probe. [`open`](Self::open) it first if it is not the open one. A
    /// host with another protocol version receives only the probe's version.
    pub fn welcome(&mut self, session: SessionId, welcome: &Welcome<'_>) {
        self.greet(Control::Welcome, session, PROTOCOL, Some(welcome));
    }

    /// Sends a greeting with any protocol version, for tests of other versions:
    /// [`hello`](Self::hello) without `welcome`, or [`welcome`](Self::welcome).
    pub fn greet(
        &mut self,
        control: Control,
        session: SessionId,
        protocol: u16,
        welcome: Option<&Welcome<'_>>,
    ) {
        self.control_payload[..8].copy_from_slice(&MAGIC);
        self.control_payload[8..10].copy_from_slice(&protocol.to_le_bytes());
        let rest = &mut self.control_payload[10..];
        let length = welcome
            .and_then(|welcome| postcard::to_slice(welcome, rest).ok())
            .map_or(0, |bytes| bytes.len());
        self.control = Some((control, session, 10 + length));
    }

    /// Refuses a session, on the probe.
    pub fn busy(&mut self, session: SessionId) {
        self.control = Some((Control::Busy, session, 0));
    }

    /// Closes the session, on the host. The frame is sent with the next [`output`](Self::output).
    pub fn bye(&mut self) {
        if let Some(session) = self.session {
            self.control = Some((Control::Bye, session, 0));
        }
    }

    /// Sends a frame, at least an acknowledgement, to show that this end is alive.
    pub fn keep_alive(&mut self) {
        self.acknowledge = true;
    }

    /// Queues a message.
    ///
    /// # Errors
    /// See [`SendError`]; nothing is queued then.
    pub fn send<M: Serialize>(&mut self, message: &M) -> Result<(), SendError> {
        if self.session.is_none() {
            return Err(SendError::Closed);
        }
        // The last frame may grow until it is on the line.
        if self.fresh != self.end {
            let slot = &mut self.slots[usize::from(self.end.wrapping_sub(1)) % WINDOW];
            if let Ok(added) = postcard::to_slice(message, &mut slot.payload[slot.length..]) {
                slot.length += added.len();
                return Ok(());
            }
        }
        if usize::from(self.end.wrapping_sub(self.base)) >= WINDOW {
            return Err(SendError::Full);
        }
        let slot = &mut self.slots[usize::from(self.end) % WINDOW];
        let Ok(bytes) = postcard::to_slice(message, &mut slot.payload) else {
            return Err(SendError::TooLong);
        };
        slot.length = bytes.len();
        self.end = self.end.wrapping_add(1);
        Ok(())
    }

    /// As [`send`](Self::send), for a message already encoded with postcard: the probe stores
    /// messages that it could not send yet in that form.
    ///
    /// # Errors
    /// See [`SendError`]; nothing is queued then.
    pub fn send_encoded(&mut self, message: &[u8]) -> Result<(), SendError> {
        if self.session.is_none() {
            return Err(SendError::Closed);
        }
        if self.fresh != self.end {
            let slot = &mut self.slots[usize::from(self.end.wrapping_sub(1)) % WINDOW];
            if let Some(place) = slot.payload.get_mut(slot.length..slot.length + message.len()) {
                place.copy_from_slice(message);
                slot.length += message.len();
                return Ok(());
            }
        }
        if usize::from(self.end.wrapping_sub(self.base)) >= WINDOW {
            return Err(SendError::Full);
        }
        let slot = &mut self.slots[usize::from(self.end) % WINDOW];
        let place = slot.payload.get_mut(..message.len()).ok_or(SendError::TooLong)?;
        place.copy_from_slice(message);
        slot.length = message.len();
        self.end = self.end.wrapping_add(1);
        Ok(())
    }

    /// Returns the bytes to write to the line next; empty if there is nothing to send.
    pub fn output(&mut self, now_us: u64) -> &[u8] {
        if self.line_sent == self.line_length {
            self.line_length = self.write_next(now_us);
            self.line_sent = 0;
        }
        &self.line[self.line_sent..self.line_length]
    }

    /// Marks `bytes` bytes of [`output`](Self::output) as written to the line.
    pub fn consume(&mut self, bytes: usize) {
        self.line_sent = self.line_length.min(self.line_sent.saturating_add(bytes));
    }

    /// Resets the state of the line after it was cut: the other end cannot use half a frame. The
    /// session continues.
    pub fn reset_line(&mut self) {
        (self.line_sent, self.line_length) = (0, 0);
        (self.incoming_length, self.overlong) = (0, false);
        self.next = self.base;
        self.again = true;
        self.asked = None;
    }

    fn write_next(&mut self, now_us: u64) -> usize {
        if let Some((control, session, length)) = self.control.take() {
            let header = Header { kind: control.kind(), session, number: 0, awaited: 0 };
            return frame::write(header, &self.control_payload[..length], &mut self.line);
        }
        let Some(session) = self.session else { return 0 };
        if self.base == self.fresh {
            // No frame awaits acknowledgement.
            self.progress_us = now_us;
        } else if now_us.saturating_sub(self.progress_us) >= RESEND_US && !self.is_lost() {
            self.progress_us = now_us;
            self.go_back(now_us);
        }
        let awaited = self.awaited;
        if self.again {
            (self.again, self.acknowledge) = (false, false);
            let header = Header { kind: Kind::Again, session, number: 0, awaited };
            return frame::write(header, &[], &mut self.line);
        }
        if self.next != self.end {
            let number = self.next;
            self.next = number.wrapping_add(1);
            if number == self.fresh {
                self.fresh = self.next;
            }
            self.acknowledge = false;
            let header = Header { kind: Kind::Data, session, number, awaited };
            let slot = &self.slots[usize::from(number) % WINDOW];
            return frame::write(header, &slot.payload[..slot.length], &mut self.line);
        }
        if core::mem::take(&mut self.acknowledge) {
            let header = Header { kind: Kind::Acknowledge, session, number: 0, awaited };
            return frame::write(header, &[], &mut self.line);
        }
        0
    }

    fn go_back(&mut self, now_us: u64) {
        self.went_back_us = now_us;
        self.resends = self.resends.saturating_add(1);
        self.statistics.resent = self.statistics.resent.saturating_add(1);
        self.next = self.base;
    }

    /// Takes bytes from the line up to the first event. Returns the number of bytes taken, and the
    /// event. Call it until all bytes are taken, whether there was an event or not.
    pub fn receive(&mut self, bytes: &[u8], now_us: u64) -> (usize, Option<Event<'_>>) {
        let mut taken = 0;
        let mut found = None;
        for byte in bytes {
            taken += 1;
            if *byte != 0 {
                match self.incoming.get_mut(self.incoming_length) {
                    Some(place) => {
                        *place = *byte;
                        self.incoming_length += 1;
                    }
                    None => self.overlong = true,
                }
                continue;
            }
            let length = core::mem::take(&mut self.incoming_length);
            let overlong = core::mem::take(&mut self.overlong);
            if length == 0 && !overlong {
                continue;
            }
            found = self.take_frame(length, overlong, now_us);
            if found.is_some() {
                break;
            }
        }
        (taken, found.and_then(|(header, (from, to))| event(header, &self.incoming[from..to])))
    }

    /// Decodes the received frame and handles its header. Returns the header and the range of the
    /// payload if the frame is an event for the caller.
    fn take_frame(
        &mut self,
        length: usize,
        overlong: bool,
        now_us: u64,
    ) -> Option<(Header, (usize, usize))> {
        let read = frame::read(&mut self.incoming[..length]);
        let Ok((header, payload)) =
            read.and_then(|read| if overlong { Err(frame::NotAFrame) } else { Ok(read) })
        else {
            self.statistics.damaged = self.statistics.damaged.saturating_add(1);
            self.request_again();
            return None;
        };
        let payload = (frame::HEADER, frame::HEADER + payload.len());
        match header.kind {
            Kind::Hello | Kind::Welcome | Kind::Busy => return Some((header, payload)),
            _ if Some(header.session) != self.session => {
                self.statistics.foreign = self.statistics.foreign.saturating_add(1);
                return None;
            }
            Kind::Bye => {
                self.close();
                return Some((header, payload));
            }
            Kind::Data | Kind::Acknowledge | Kind::Again => {}
        }
        self.heard_us = Some(now_us);
        self.acknowledged(header.awaited, now_us);
        match header.kind {
            Kind::Again => {
                let due = now_us.saturating_sub(self.went_back_us) >= AGAIN_US;
                if self.base != self.fresh && header.awaited == self.base && due && !self.is_lost()
                {
                    self.go_back(now_us);
                }
                None
            }
            Kind::Data if header.number == self.awaited => {
                self.awaited = self.awaited.wrapping_add(1);
                self.acknowledge = true;
                self.asked = None;
                self.statistics.taken = self.statistics.taken.saturating_add(1);
                Some((header, payload))
            }
            Kind::Data if header.number.wrapping_sub(self.awaited) < 0x8000 => {
                self.statistics.gaps = self.statistics.gaps.saturating_add(1);
                self.request_again();
                None
            }
            Kind::Data => {
                // The other end has lost our acknowledgement.
                self.statistics.doubled = self.statistics.doubled.saturating_add(1);
                self.acknowledge = true;
                None
            }
            _ => None,
        }
    }

    fn request_again(&mut self) {
        if self.session.is_some() && self.asked != Some(self.awaited) {
            self.asked = Some(self.awaited);
            self.again = true;
        }
    }

    /// Handles an acknowledgement: the other end awaits `number`, so all frames before it have
    /// arrived.
    fn acknowledged(&mut self, number: u16, now_us: u64) {
        let arrived = number.wrapping_sub(self.base);
        if arrived == 0 || arrived > self.fresh.wrapping_sub(self.base) {
            return;
        }
        // Frames that were to be sent again may have arrived in the meantime.
        if self.next.wrapping_sub(self.base) < arrived {
            self.next = number;
        }
        self.base = number;
        self.progress_us = now_us;
        self.resends = 0;
    }
}

/// Returns the caller's event for a frame; `None` if a greeting is invalid.
fn event(header: Header, payload: &[u8]) -> Option<Event<'_>> {
    let session = header.session;
    let greeting = || {
        let rest = payload.strip_prefix(&MAGIC)?;
        let (protocol, rest) = rest.split_first_chunk::<2>()?;
        Some((u16::from_le_bytes(*protocol), rest))
    };
    match header.kind {
        Kind::Data => Some(Event::Data(payload)),
        Kind::Hello => greeting().map(|(protocol, _)| Event::Hello { protocol, session }),
        Kind::Welcome => greeting().map(|(protocol, rest)| {
            let ours = protocol == PROTOCOL;
            let welcome = ours.then(|| postcard::from_bytes(rest).ok()).flatten();
            Event::Welcome { protocol, session, welcome }
        }),
        Kind::Busy => Some(Event::Busy { session }),
        Kind::Bye => Some(Event::Bye),
        Kind::Acknowledge | Kind::Again => None,
    }
}
