//! Pins whose level a contact sets: buttons, switches and the contacts of encoders.

use board_file::parts::{Level, Pull};
use core::future::poll_fn;
use core::task::Poll;
use embedded_hal::digital::{self, ErrorType};
use embedded_hal_async::digital::Wait;
use hal_mock::board::{Position, Terminals, encoder_contacts};
use virtual_time::Instant;

use crate::clock::Never;
use crate::context::{self, READ};
use crate::executor;

/// The part that closes the contact of a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Number of a button of the board.
    Button(usize),
    /// Number of a control of the board.
    Switch(usize),
    /// Number of a control, and of the contact: A or B.
    Encoder { control: usize, contact: usize },
    /// Number of a slot among the memories of the board.
    Card(usize),
}

impl Source {
    /// Returns whether the contact is closed at `at`.
    pub(crate) fn is_closed(self, terminals: &Terminals, at: Instant) -> bool {
        match self {
            Self::Button(number) => terminals.is_button_closed(at, number),
            Self::Switch(control) => {
                terminals.move_controls(at);
                terminals.position(control) == Some(Position::Switch(true))
            }
            Self::Card(number) => terminals.has_card(number),
            Self::Encoder { control, contact } => {
                terminals.move_controls(at);
                match terminals.position(control) {
                    Some(Position::Edges(edges)) => encoder_contacts(edges)[contact],
                    _ => false,
                }
            }
        }
    }
}

/// An input with a contact. Without a resistor on the board, that of the chip pulls it to the level
/// of an open contact.
#[derive(Debug)]
pub struct InputPin {
    source: Source,
    /// Level of the closed contact.
    closed: Level,
    /// Level of the open contact.
    open: Level,
}

impl InputPin {
    pub(crate) fn new(source: Source, closed: Level, pull: Pull) -> Self {
        let open = match pull {
            Pull::Up => Level::High,
            Pull::Down => Level::Low,
            Pull::None if closed == Level::Low => Level::High,
            Pull::None => Level::Low,
        };
        Self { source, closed, open }
    }

    /// Returns the level, without time for reading it.
    fn level(&self) -> Level {
        let is_closed = context::terminals(|terminals, at| self.source.is_closed(terminals, at));
        if is_closed { self.closed } else { self.open }
    }

    /// Waits until the level meets `is_met`, which gets the levels before and now.
    async fn until(&mut self, is_met: impl Fn(Level, Level) -> bool) {
        let mut before = self.level();
        poll_fn(|_| {
            let now = self.level();
            if is_met(std::mem::replace(&mut before, now), now) {
                return Poll::Ready(());
            }
            executor::wake_on_input();
            Poll::Pending
        })
        .await;
    }
}

impl ErrorType for InputPin {
    type Error = Never;
}

impl digital::InputPin for InputPin {
    fn is_high(&mut self) -> Result<bool, Never> {
        let level = self.level();
        context::spend(READ);
        Ok(level == Level::High)
    }

    fn is_low(&mut self) -> Result<bool, Never> {
        Ok(!self.is_high()?)
    }
}

impl Wait for InputPin {
    async fn wait_for_high(&mut self) -> Result<(), Never> {
        self.until(|_, now| now == Level::High).await;
        Ok(())
    }

    async fn wait_for_low(&mut self) -> Result<(), Never> {
        self.until(|_, now| now == Level::Low).await;
        Ok(())
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), Never> {
        self.until(|before, now| before == Level::Low && now == Level::High).await;
        Ok(())
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), Never> {
        self.until(|before, now| before == Level::High && now == Level::Low).await;
        Ok(())
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), Never> {
        self.until(|before, now| before != now).await;
        Ok(())
    }
}
