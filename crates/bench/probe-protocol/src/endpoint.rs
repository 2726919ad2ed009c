//! One end of the line: host and probe each have one.
//!
//! Messages are gathered into numbered frames, of which at most `WINDOW` are under way. The other end
//! takes them in their order and says which number it awaits; what is lost or damaged is sent again from that
//! number on ("go back N"), at once when the other end asks for it, else after [`RESEND_US`]. After [`RESENDS`]
//! attempts without progress the line [is lost](Endpoint::is_lost).
//!
//! It reads no clock: `now_us` is any clock of the caller that counts microseconds.
//!
//! Use: hand every byte from the line to [`receive`](Endpoint::receive); [`send`](Endpoint::send) messages;
//! write [`output`](Endpoint::output) to the line and [`consume`](Endpoint::consume) what was written.

use serde::Serialize;

use crate::PROTOCOL;
use crate::frame::{self, Control, Header, Kind, MAGIC, ON_LINE, PAYLOAD, SessionId};
use crate::message::{Messages, Welcome};

/// What was not acknowledged for this long is sent again, in microseconds.
pub const RESEND_US: u64 = 20_000;
/// So many times without progress, then the line is lost.
pub const RESENDS: u32 = 40;
/// A request to send again counts only so long after the last one, in microseconds: the frames that
/// were under way cause more of them.
const AGAIN_US: u64 = 2_000;

const _: () = assert!(RESEND_US * (RESENDS as u64) < crate::KEEP_ALIVE_US);

/// The payload of a frame without a number, at most.
const CONTROL: usize = 96;

/// A message cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendError {
    /// All frames are under way: try again after [`Endpoint::receive`].
    Full,
    /// It is longer than a frame's payload.
    TooLong,
    /// No session is open.
    Closed,
}

/// What came over the line.
#[derive(Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// Messages of the open session, each once and in order; see [`Event::messages`].
    Data(&'a [u8]),
    /// A host greets. Answer with [`Endpoint::welcome`] or [`Endpoint::busy`].
    Hello {
        /// The host's protocol.
        protocol: u16,
        /// The session that it wants.
        session: SessionId,
    },
    /// A probe answers.
    Welcome {
        /// The probe's protocol.
        protocol: u16,
        /// The session that it has opened.
        session: SessionId,
        /// Who it is; `None` if its protocol is not ours.
        welcome: Option<Welcome<'a>>,
    },
    /// The probe has another host.
    Busy {
        /// The session that it refuses.
        session: SessionId,
    },
    /// The host closes the session that was open.
    Bye,
}

impl<'a> Event<'a> {
    /// The messages of [`Event::Data`]; none of others.
    pub fn messages<M>(&self) -> Messages<'a, M> {
        match self {
            Self::Data(payload) => Messages::of(payload),
            _ => Messages::of(&[]),
        }
    }
}

/// What was seen on the line since the endpoint was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Frames with messages that were taken.
    pub taken: u32,
    /// Bytes between zeros that were no frame.
    pub damaged: u32,
    /// Frames behind one that was lost.
    pub gaps: u32,
    /// Frames that had been taken already.
    pub doubled: u32,
    /// Frames of another session.
    pub foreign: u32,
    /// Times that frames were sent again.
    pub resent: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    length: usize,
    payload: [u8; PAYLOAD],
}

/// One end of the line. It takes about `WINDOW` × 0.5 KB and 1.2 KB more.
pub struct Endpoint<const WINDOW: usize> {
    session: Option<SessionId>,
    /// Frames that are not acknowledged: `slots[number % WINDOW]` for `base <= number < end`.
    slots: [Slot; WINDOW],
    base: u16,
    end: u16,
    /// The next to put on the line; the last slot may still grow if it was not on the line.
    next: u16,
    /// The first that was never on the line.
    fresh: u16,
    /// The number that is awaited from the other end.
    awaited: u16,
    acknowledge: bool,
    again: bool,
    /// The number that was asked for again; not asked twice.
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

    /// Without a session.
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

    /// The open session.
    pub const fn session(&self) -> Option<SessionId> {
        self.session
    }

    /// What was seen on the line.
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// When the last frame of the open session came, by the caller's clock; when it was opened, if none has.
    pub const fn heard_us(&self) -> Option<u64> {
        self.heard_us
    }

    /// Whether the other end has acknowledged nothing of what was sent [`RESENDS`] times.
    pub const fn is_lost(&self) -> bool {
        self.resends > RESENDS
    }

    /// Whether everything that was sent has been acknowledged.
    pub const fn is_idle(&self) -> bool {
        self.base == self.end && self.line_sent == self.line_length && self.control.is_none()
    }

    /// Opens a session: all numbers begin at 0, and what was not sent is forgotten.
    pub fn open(&mut self, session: SessionId, now_us: u64) {
        self.close();
        self.session = Some(session);
        self.heard_us = Some(now_us);
        self.progress_us = now_us;
    }

    /// Closes the session.
    pub fn close(&mut self) {
        self.session = None;
        self.heard_us = None;
        (self.base, self.end, self.next, self.fresh, self.awaited) = (0, 0, 0, 0, 0);
        (self.acknowledge, self.again, self.asked) = (false, false, None);
        (self.resends, self.went_back_us) = (0, 0);
    }

    /// The host asks for a session. Say it again until a [`Event::Welcome`] of this session came.
    pub fn hello(&mut self, session: SessionId) {
        self.greet(Control::Hello, session, PROTOCOL, None);
    }

    /// The probe grants a session; [`open`](Self::open) it first, if it is another than the open one. To a host of another protocol it
    /// says only its own version.
    pub fn welcome(&mut self, session: SessionId, welcome: &Welcome<'_>) {
        self.greet(Control::Welcome, session, PROTOCOL, Some(welcome));
    }

    /// As [`hello`](Self::hello) (without `welcome`) and [`welcome`](Self::welcome) of any protocol, for tests
    /// of what an older one says.
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

    /// The probe refuses a session.
    pub fn busy(&mut self, session: SessionId) {
        self.control = Some((Control::Busy, session, 0));
    }

    /// The host closes its session. The frame goes out with the next [`output`](Self::output).
    pub fn bye(&mut self) {
        if let Some(session) = self.session {
            self.control = Some((Control::Bye, session, 0));
        }
    }

    /// Says something, if only that this end is there.
    pub fn keep_alive(&mut self) {
        self.acknowledge = true;
    }

    /// Adds a message to what is sent.
    ///
    /// # Errors
    /// See [`SendError`]; nothing is sent then.
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

    /// As [`send`](Self::send), of a message that is in postcard's encoding already: the probe keeps what it could not send yet
    /// in that form.
    ///
    /// # Errors
    /// See [`SendError`]; nothing is sent then.
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

    /// The bytes to write to the line next; empty if there is nothing to say.
    pub fn output(&mut self, now_us: u64) -> &[u8] {
        if self.line_sent == self.line_length {
            self.line_length = self.write_next(now_us);
            self.line_sent = 0;
        }
        &self.line[self.line_sent..self.line_length]
    }

    /// So many bytes of [`output`](Self::output) have been written to the line.
    pub fn consume(&mut self, bytes: usize) {
        self.line_sent = self.line_length.min(self.line_sent.saturating_add(bytes));
    }

    /// The line was cut: what was half on it is no use to the other end. The session goes on.
    pub fn line_was_cut(&mut self) {
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
            // Nothing is under way.
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

    /// Takes bytes from the line up to the first event: how many, and the event. Call it until all bytes are
    /// taken, whether there was an event or not.
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

    /// Decodes the frame that has come and does what its header says. Gives it, with where its payload is, if the caller
    /// has to hear of it.
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
            self.ask_again();
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
                self.ask_again();
                None
            }
            Kind::Data => {
                // The acknowledgement was lost.
                self.statistics.doubled = self.statistics.doubled.saturating_add(1);
                self.acknowledge = true;
                None
            }
            _ => None,
        }
    }

    fn ask_again(&mut self) {
        if self.session.is_some() && self.asked != Some(self.awaited) {
            self.asked = Some(self.awaited);
            self.again = true;
        }
    }

    /// The other end awaits `number`: what is before it has arrived.
    fn acknowledged(&mut self, number: u16, now_us: u64) {
        let arrived = number.wrapping_sub(self.base);
        if arrived == 0 || arrived > self.fresh.wrapping_sub(self.base) {
            return;
        }
        // What was to be sent again may have arrived meanwhile.
        if self.next.wrapping_sub(self.base) < arrived {
            self.next = number;
        }
        self.base = number;
        self.progress_us = now_us;
        self.resends = 0;
    }
}

/// What the caller hears of a frame; `None` if a greeting is none.
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
