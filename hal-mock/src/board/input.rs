//! What is done to a board from outside, as data: a finger, a fault. Who hears it from a
//! [`Probe`](super::Probe) can do the same to another board.
//!
//! Power is not among it: a [`Machine`](crate::Machine) switches that, because its firmware starts with it.

use super::VirtualBoard;
use trace::Button;
use virtual_time::{Instant, Nanos};

/// Something that is done to a board from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// [`VirtualBoard::press`] or [`VirtualBoard::release`].
    Finger {
        /// When the finger moves.
        at: Instant,
        /// Where.
        button: Button,
        /// Whether it goes down.
        down: bool,
    },
    /// [`VirtualBoard::stick`].
    Stick {
        /// From when on.
        at: Instant,
        /// Which contact.
        button: Button,
    },
    /// [`VirtualBoard::heal_contact`].
    HealContact {
        /// From when on.
        at: Instant,
        /// Which contact.
        button: Button,
    },
    /// [`VirtualBoard::set_bounce`].
    SetBounce {
        /// Of which contact.
        button: Button,
        /// The longest.
        bounce: Nanos,
    },
    /// [`VirtualBoard::type_byte`].
    Typed {
        /// When it begins at the earliest.
        at: Instant,
        /// What is typed.
        byte: u8,
    },
    /// [`VirtualBoard::flip_bits`].
    FlipBits(Option<u32>),
    /// [`VirtualBoard::cut_power_at`].
    CutPower {
        /// When the power goes.
        at: Instant,
    },
    /// [`VirtualBoard::cut_flash_after`].
    CutFlash {
        /// Bytes that still are programmed or erased.
        after: u64,
    },
    /// [`VirtualBoard::forget_flash_cut`].
    ForgetFlashCut,
}

impl Input {
    /// The moment that it names; `None`: it acts when it is done.
    pub const fn at(self) -> Option<Instant> {
        match self {
            Self::Finger { at, .. }
            | Self::Stick { at, .. }
            | Self::HealContact { at, .. }
            | Self::Typed { at, .. }
            | Self::CutPower { at } => Some(at),
            Self::SetBounce { .. }
            | Self::FlipBits(_)
            | Self::CutFlash { .. }
            | Self::ForgetFlashCut => None,
        }
    }
}

impl VirtualBoard {
    /// Does `input` to this board.
    pub fn apply(&self, input: Input) {
        match input {
            Input::Finger { at, button, down: true } => self.press(at, button),
            Input::Finger { at, button, down: false } => self.release(at, button),
            Input::Stick { at, button } => self.stick(at, button),
            Input::HealContact { at, button } => self.heal_contact(at, button),
            Input::SetBounce { button, bounce } => self.set_bounce(button, bounce),
            Input::Typed { at, byte } => self.type_byte(at, byte),
            Input::FlipBits(one_in) => self.flip_bits(one_in),
            Input::CutPower { at } => self.cut_power_at(at),
            Input::CutFlash { after } => self.cut_flash_after(after),
            Input::ForgetFlashCut => self.forget_flash_cut(),
        }
    }

    /// Tells the probe of `input`, before it acts.
    pub(super) fn tell_input(&self, input: Input) {
        let circuit = self.0.borrow();
        circuit.inputs_to.tell(|machine| machine.input(circuit.now, input));
        circuit.clip.tell(|probe| probe.input(circuit.now, input));
    }
}
