//! The messages: [`Order`]s to the probe, [`Observation`]s from it, and its [`Welcome`].
//!
//! A frame contains several messages, one after the other, in postcard's encoding. Bytes are
//! borrowed from the frame, so that nothing is copied on the probe.

use core::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::swd::SwdResult;

/// Nanoseconds since the probe's firmware started, by its own crystal.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ProbeTime(pub u64);

impl ProbeTime {
    /// Converts the time of a timer of 1 MHz.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros.saturating_mul(1000))
    }

    /// Returns whole microseconds, rounded down.
    pub const fn as_micros(self) -> u64 {
        self.0 / 1000
    }

    /// Returns the time `nanos` nanoseconds later, saturating at the largest time.
    pub const fn after(self, nanos: u64) -> Self {
        Self(self.0.saturating_add(nanos))
    }

    /// Returns the nanoseconds since `earlier`; 0 if that is later.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A message of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order<'a> {
    /// Execute this task at this time. Tasks may come in any order of time: the probe sorts them,
    /// those of the same time by their numbers. A host sends a task at most a few 100 ms ahead.
    At {
        /// Number of the task, counted from 0.
        number: u32,
        /// Time of execution, which the probe rounds down to a microsecond.
        at: ProbeTime,
        #[serde(borrow)]
        task: Task<'a>,
    },
    /// Release every button at once and drop all tasks, which count as done.
    ReleaseAll,
    /// Send [`Observation::Levels`].
    ReadLevels,
    /// Restart into the RP2040's boot loader, whose USB drive accepts a UF2 file.
    BootLoader,
    /// Execute a [batch](crate::swd) on the board's debug port, and send [`Observation::Swd`]. A
    /// batch that comes while another one is executed is [not
    /// executed](crate::swd::SwdEnd::NotABatch).
    Swd {
        /// Number that the result repeats.
        number: u8,
        /// At most [`crate::swd::BATCH`] bytes.
        batch: &'a [u8],
    },
}

/// An action of the probe at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task<'a> {
    /// Pull this line (0 to [`LINES`](crate::LINES) − 1) low.
    Press(u8),
    /// Release this line.
    Release(u8),
    /// Switch the board's power on or off.
    Power(bool),
    /// Start sending these bytes to the board's UART0 RX; at most [`UART_TASK`].
    Uart(&'a [u8]),
}

/// Largest number of bytes in a [`Task::Uart`]. Longer input is sent as several tasks.
pub const UART_TASK: usize = 32;

/// A reason why an [`Order`] cannot be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderError {
    /// There is no line with this number.
    NoSuchLine(u8),
    /// The number of bytes is 0 or more than [`UART_TASK`].
    UartLength(usize),
}

impl Task<'_> {
    /// Checks that the probe can execute the order.
    ///
    /// # Errors
    /// Returns an error if a line or a length is out of range.
    pub const fn check(&self) -> Result<(), OrderError> {
        match self {
            Self::Press(line) | Self::Release(line) if *line >= crate::LINES => {
                Err(OrderError::NoSuchLine(*line))
            }
            Self::Uart(bytes) if bytes.is_empty() || bytes.len() > UART_TASK => {
                Err(OrderError::UartLength(bytes.len()))
            }
            _ => Ok(()),
        }
    }
}

/// A message of the probe. Observations of one wire are in order of time, and so are those of all
/// wires up to a [`Mark`](Self::Mark).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Observation<'a> {
    /// Consecutive bytes on MOSI while CS was low and DC did not change, evenly spread over their
    /// time.
    Lcd {
        /// Time of the first rising edge of SCK, less half a clock period.
        at: ProbeTime,
        /// Duration to the end of the last bit, in nanoseconds.
        took: u32,
        /// Level of DC at the last bit of each byte.
        dc: bool,
        #[serde(borrow)]
        bytes: Packed<'a>,
    },
    /// Many bursts of LCD bytes, as the probe's firmware sends them: a redraw has a million bursts
    /// a second.
    Bursts {
        /// Start of the first burst.
        at: ProbeTime,
        /// The packed bursts; see [`crate::bursts`]. At most [`crate::bursts::PACKED`] bytes.
        packed: &'a [u8],
    },
    /// A wire has changed its level. Changes of [`Wire::Cs`], [`Wire::Dc`] and [`Wire::Sck`] are
    /// not reported; [`Levels`](Self::Levels) has their levels.
    Wire {
        at: ProbeTime,
        wire: Wire,
        /// Level of the wire from then on.
        high: bool,
    },
    /// The buzzer's line has toggled evenly from `at` on: `periods` periods took `took` nanoseconds
    /// together. Sent again only when the period has changed by more than the error of measurement.
    Tone {
        /// Time of the first edge.
        at: ProbeTime,
        /// Number of periods, at least 1.
        periods: u32,
        /// Duration of all periods together, in nanoseconds.
        took: u64,
    },
    /// The buzzer's tone has ended.
    Silence {
        /// Half a period after the last edge.
        at: ProbeTime,
    },
    /// Bytes from the board's UART0 TX, back to back at [`UART_BAUD`](crate::UART_BAUD).
    Uart {
        /// End of the first byte's stop bit.
        at: ProbeTime,
        bytes: &'a [u8],
    },
    /// The board's power has been switched: [`Task::Power`] was executed.
    Power {
        at: ProbeTime,
        /// Whether the power is on.
        on: bool,
    },
    /// Every event before this time has been sent: every LCD byte by its last bit, every console
    /// byte by its stop bit, and every edge. The mark does not pass an edge of the buzzer until it
    /// is known whether a tone begins there.
    Mark {
        /// Time before which everything has been sent.
        before: ProbeTime,
        /// Number of tasks executed or refused since the session began.
        done: u32,
    },
    /// A task was refused.
    Refused {
        /// Number of the task.
        number: u32,
        /// Time at which the probe received the task.
        now: ProbeTime,
        why: Refusal,
    },
    /// The probe lost data before the host read it: LCD bytes if `wire` is [`Wire::Mosi`], console
    /// bytes if it is [`Wire::Uart`].
    Overrun {
        /// Time of the first loss.
        at: ProbeTime,
        /// Wire whose data was lost.
        wire: Wire,
    },
    /// The probe had no valid frame from its host for [`KEEP_ALIVE_US`](crate::KEEP_ALIVE_US): it
    /// has released every button and dropped its tasks. Sent when the host is back.
    Released {
        /// Time at which the buttons were released.
        at: ProbeTime,
    },
    /// The current levels of the wires, and which wires have changed since the power was switched
    /// on.
    Levels {
        at: ProbeTime,
        /// Level of each wire, at bit [`Wire::bit`].
        high: u16,
        /// Wires that have been at both levels since power-on, at the same bits.
        moved: u16,
        /// Levels of the 13 button lines; bit 0 is line 0. 0 means pulled low, by the probe or by
        /// something else.
        lines: u16,
    },
    /// The probe has not seen this burst on the LCD's wires whole: SCK did not rise eight times for
    /// each byte. At most one is sent in 10 ms.
    BadBurst {
        /// Start of the burst.
        at: ProbeTime,
        /// Number of rising edges of SCK.
        clocks: u32,
        /// Number of bytes that were received.
        bytes: u32,
    },
    /// The result of [`Order::Swd`].
    Swd(#[serde(borrow)] SwdResult<'a>),
}

/// Bytes, either plain or as a repetition of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Packed<'a> {
    /// The bytes as they were received.
    Plain(&'a [u8]),
    /// These two bytes, repeated this number of times: a rectangle of one colour.
    Repeated([u8; 2], u32),
}

impl Packed<'_> {
    /// Returns the number of bytes.
    pub const fn len(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len(),
            Self::Repeated(_, times) => (*times as usize).saturating_mul(2),
        }
    }

    /// Returns whether there are no bytes.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A wire that the probe reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Wire {
    /// The LCD's chip select, low while the LCD is selected.
    Cs,
    /// The LCD's clock.
    Sck,
    /// The LCD's data.
    Mosi,
    /// The LCD's D/CX.
    Dc,
    /// The LCD's RESX.
    Reset,
    /// The LCD's backlight.
    Backlight,
    /// The buzzer.
    Buzzer,
    /// The board's UART0 TX.
    Uart,
}

impl Wire {
    /// All wires in the order of their bits.
    pub const ALL: [Self; 8] = [
        Self::Cs,
        Self::Sck,
        Self::Mosi,
        Self::Dc,
        Self::Reset,
        Self::Backlight,
        Self::Buzzer,
        Self::Uart,
    ];

    /// Returns the bit of the wire in [`Observation::Levels`], as a mask.
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A reason why a task was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The task's time had passed when the probe received it.
    TooLate,
    /// [`QUEUE`](crate::QUEUE) tasks are already waiting.
    QueueFull,
    /// The task is invalid; see [`OrderError`].
    NotPossible,
}

/// The probe's answer to a greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome<'a> {
    /// Build of the probe's firmware: a version or a commit. At most 40 bytes.
    pub build: &'a str,
    /// Unique ID of the probe's flash chip, in hexadecimal. At most 16 bytes.
    pub serial: &'a str,
    /// The probe's current time.
    pub now: ProbeTime,
    /// Whether the board's power is on.
    pub powered: bool,
}

/// Iterator over the messages of a frame, in order. It ends at the first invalid one;
/// [`whole`](Self::whole) is then false.
#[derive(Clone, Debug)]
pub struct Messages<'a, M> {
    rest: &'a [u8],
    broken: bool,
    of: PhantomData<M>,
}

impl<'a, M> Messages<'a, M> {
    /// Returns the messages in a frame's payload.
    pub const fn of(payload: &'a [u8]) -> Self {
        Self { rest: payload, broken: false, of: PhantomData }
    }

    /// Returns whether everything read so far was a valid message.
    pub const fn whole(&self) -> bool {
        !self.broken
    }
}

impl<'a, M: Deserialize<'a>> Iterator for Messages<'a, M> {
    type Item = M;

    fn next(&mut self) -> Option<M> {
        if self.rest.is_empty() {
            return None;
        }
        match postcard::take_from_bytes(self.rest) {
            // A message of zero bytes would repeat forever.
            Ok((message, rest)) if rest.len() < self.rest.len() => {
                self.rest = rest;
                Some(message)
            }
            _ => {
                self.rest = &[];
                self.broken = true;
                None
            }
        }
    }
}
