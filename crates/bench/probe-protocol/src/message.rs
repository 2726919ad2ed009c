//! What is said: [`Order`]s to the probe, [`Observation`]s from it, and its [`Welcome`].
//!
//! A frame holds several messages, one behind the other, in postcard's encoding. Bytes are
//! borrowed from the frame, so that nothing is copied on the probe.

use core::marker::PhantomData;

use serde::{Deserialize, Serialize};

/// Nanoseconds since the probe's firmware started, by its own crystal.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ProbeTime(pub u64);

impl ProbeTime {
    /// The time of a timer of 1 MHz.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros.saturating_mul(1000))
    }

    /// Whole microseconds, rounded down.
    pub const fn as_micros(self) -> u64 {
        self.0 / 1000
    }

    /// So many nanoseconds later; at most the last time there is.
    pub const fn after(self, nanos: u64) -> Self {
        Self(self.0.saturating_add(nanos))
    }

    /// Nanoseconds since `earlier`; 0 if that is later.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// What the host says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order<'a> {
    /// Carry this out at this time. Tasks may come in any order of time: the probe keeps them sorted, those
    /// of one time in the order of their numbers. A host sends a task at most a few 100 ms ahead.
    At {
        /// Counts from 0.
        number: u32,
        /// When, to the microsecond below.
        at: ProbeTime,
        /// What.
        #[serde(borrow)]
        task: Task<'a>,
    },
    /// Release every button at once and drop all tasks, which count as done.
    ReleaseAll,
    /// Say [`Observation::Levels`].
    ReadLevels,
    /// Restart into the RP2040's boot loader, whose drive takes a UF2 file.
    BootLoader,
}

/// What the probe does at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task<'a> {
    /// Pull this line (0 to [`LINES`](crate::LINES) − 1) low.
    Press(u8),
    /// Let this line go.
    Release(u8),
    /// Switch the board's power on or off.
    Power(bool),
    /// Begin to send these bytes to the board's UART0 RX; at most [`UART_TASK`].
    Uart(&'a [u8]),
}

/// Bytes in a [`Task::Uart`], at most. Longer input is several tasks.
pub const UART_TASK: usize = 32;

/// Why an [`Order`] cannot be carried out as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderError {
    /// There is no line of this number.
    NoSuchLine(u8),
    /// More than [`UART_TASK`] bytes, or none.
    UartLength(usize),
}

impl Task<'_> {
    /// Whether the probe can do it at all.
    ///
    /// # Errors
    /// If a line or a length is out of range.
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

/// What the probe says. Of each wire, and of all together up to a [`Mark`](Self::Mark), in order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Observation<'a> {
    /// Consecutive bytes on MOSI while CS was low and DC did not move, evenly spread over their time.
    Lcd {
        /// The first rising edge of SCK, less half a clock.
        at: ProbeTime,
        /// Nanoseconds to the end of the last bit.
        took: u32,
        /// DC at the last bit of each byte.
        dc: bool,
        /// The bytes.
        #[serde(borrow)]
        bytes: Packed<'a>,
    },
    /// Many of those, as the probe's firmware says them: a redraw has a million bursts a second.
    Bursts {
        /// When the first one began.
        at: ProbeTime,
        /// See [`crate::bursts`]; at most [`crate::bursts::PACKED`] bytes.
        packed: &'a [u8],
    },
    /// A wire has moved. Of [`Wire::Cs`], [`Wire::Dc`] and [`Wire::Sck`] only what [`Levels`](Self::Levels) says is known.
    Wire {
        /// When.
        at: ProbeTime,
        /// Which.
        wire: Wire,
        /// Its level from then on.
        high: bool,
    },
    /// The buzzer's line has toggled evenly from `at` on: `periods` periods took `took` nanoseconds together.
    /// Sent again only when the period has changed by more than a measurement's error.
    Tone {
        /// The first edge.
        at: ProbeTime,
        /// At least 1.
        periods: u32,
        /// Nanoseconds of all of them.
        took: u64,
    },
    /// The buzzer's tone is over.
    Silence {
        /// Half a period behind its last edge.
        at: ProbeTime,
    },
    /// Bytes from the board's UART0 TX, back to back at [`UART_BAUD`](crate::UART_BAUD).
    Uart {
        /// The end of the first byte's stop bit.
        at: ProbeTime,
        /// The bytes.
        bytes: &'a [u8],
    },
    /// The board's power has been switched: the moment of [`Task::Power`], as it was carried out.
    Power {
        /// When.
        at: ProbeTime,
        /// On or off.
        on: bool,
    },
    /// Everything before this time has been said: every byte of the LCD whose last bit, every byte of the
    /// console whose stop bit, every edge that was before. It stands still at an edge of the buzzer until it is known whether
    /// a tone begins there.
    Mark {
        /// This time.
        before: ProbeTime,
        /// Tasks that have been carried out or refused, since the session began.
        done: u32,
    },
    /// A task was not carried out.
    Refused {
        /// Its number.
        number: u32,
        /// When the probe had it.
        now: ProbeTime,
        /// Why.
        why: Refusal,
    },
    /// Something was lost on the probe before the host took it: bytes of the LCD if `wire` is
    /// [`Wire::Mosi`], of the console if it is [`Wire::Uart`].
    Overrun {
        /// When the first was lost.
        at: ProbeTime,
        /// Of which wire.
        wire: Wire,
    },
    /// The probe had no word from its host for [`KEEP_ALIVE_US`](crate::KEEP_ALIVE_US): it has released every button
    /// and dropped its tasks. Said when the host is back.
    Released {
        /// When.
        at: ProbeTime,
    },
    /// The wires as they are, and what moved on them since the power was switched on.
    Levels {
        /// When.
        at: ProbeTime,
        /// The level of each wire: bit [`Wire::bit`].
        high: u16,
        /// Which of them have been seen at both levels since power-on.
        moved: u16,
        /// The 13 button lines, bit 0 is line 0: 0 is pulled low, by the probe or by something else.
        lines: u16,
    },
}

/// Bytes, or a repetition of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Packed<'a> {
    /// As they came.
    Plain(&'a [u8]),
    /// These two, so many times: a rectangle of one colour.
    Repeated([u8; 2], u32),
}

impl Packed<'_> {
    /// Bytes.
    pub const fn len(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len(),
            Self::Repeated(_, times) => (*times as usize).saturating_mul(2),
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A wire that the probe reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Wire {
    /// The LCD's chip select, low while it listens.
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
    /// All, in the order of their bits.
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

    /// Its bit in [`Observation::Levels`].
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// Why a task was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// Its time was over when the probe had it.
    TooLate,
    /// [`QUEUE`](crate::QUEUE) tasks wait.
    QueueFull,
    /// See [`OrderError`].
    NotPossible,
}

/// The probe's answer to a greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome<'a> {
    /// The build of its firmware: a version, or a commit. At most 40 bytes.
    pub build: &'a str,
    /// The unique number of its flash chip, in hexadecimal. At most 16 bytes.
    pub serial: &'a str,
    /// Its time.
    pub now: ProbeTime,
    /// Whether the board's power is on.
    pub powered: bool,
}

/// The messages of a frame, in their order. It ends at the first that is not one: with
/// [`whole`](Self::whole) false.
#[derive(Clone, Debug)]
pub struct Messages<'a, M> {
    rest: &'a [u8],
    broken: bool,
    of: PhantomData<M>,
}

impl<'a, M> Messages<'a, M> {
    /// The messages in a frame's payload.
    pub const fn of(payload: &'a [u8]) -> Self {
        Self { rest: payload, broken: false, of: PhantomData }
    }

    /// Whether everything up to here was a message.
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
            // A message of no bytes would never end.
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
