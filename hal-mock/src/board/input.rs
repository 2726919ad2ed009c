//! Inputs of a board from outside, as data: a finger, a turned knob, a fault. An observer that gets an input from
//! a [`WireListener`](super::WireListener) can apply the same input to another board.
//!
//! Power is not an input: a [`Machine`](crate::Machine) switches it, because its firmware starts
//! with it.

use super::{LedReading, Position, VirtualBoard};
use trace::{Button, Control, Led, Movement};
use virtual_time::{Instant, Nanos};

/// An input of a board from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// [`VirtualBoard::press`] or [`VirtualBoard::release`].
    Finger {
        /// Time at which the finger moves.
        at: Instant,
        button: Button,
        /// Whether the finger goes down.
        down: bool,
    },
    /// [`VirtualBoard::stick`].
    Stick {
        /// Time from which on the contact is closed.
        at: Instant,
        button: Button,
    },
    /// [`VirtualBoard::heal_contact`].
    HealContact {
        /// Time from which on the contact follows the finger.
        at: Instant,
        button: Button,
    },
    /// [`VirtualBoard::set_bounce`].
    SetBounce {
        button: Button,
        /// Maximum bounce time.
        bounce: Nanos,
    },
    /// [`VirtualBoard::move_control`].
    Move {
        /// Time at which the movement begins.
        at: Instant,
        control: Control,
        movement: Movement,
    },
    /// [`VirtualBoard::type_byte`].
    Typed {
        /// Earliest time at which the byte begins.
        at: Instant,
        byte: u8,
    },
    /// [`VirtualBoard::flip_bits`].
    FlipBits {
        /// Number of the display, from 0.
        display: usize,
        /// Denominator of the share of inverted bits; `None` repairs the wire.
        one_in: Option<u32>,
    },
    /// [`VirtualBoard::set_typing_fault`].
    TypingFault(Option<TypingFault>),
    /// [`VirtualBoard::stick_noise`].
    StickNoise(bool),
    /// [`VirtualBoard::cut_power_at`].
    CutPower {
        /// Time at which the power is cut.
        at: Instant,
    },
    /// [`VirtualBoard::cut_flash_after`].
    CutFlash {
        /// Number of bytes that are still programmed or erased.
        after: u64,
    },
    /// [`VirtualBoard::cancel_flash_cut`].
    CancelFlashCut,
    /// [`VirtualBoard::stick_flash`].
    StickFlash(bool),
}

/// A fault of the console's receiver, or of the wire to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypingFault {
    /// One byte in `one_in` is lost: the receiver has no room for it, and reports an overrun with
    /// the next byte.
    Lose { one_in: u32 },
    /// One bit of one byte in `one_in` arrives inverted, which the receiver does not notice.
    Garble { one_in: u32 },
}

impl Input {
    /// Returns the time of the input; `None` if the input acts at once.
    pub const fn at(self) -> Option<Instant> {
        match self {
            Self::Finger { at, .. }
            | Self::Stick { at, .. }
            | Self::HealContact { at, .. }
            | Self::Move { at, .. }
            | Self::Typed { at, .. }
            | Self::CutPower { at } => Some(at),
            Self::SetBounce { .. }
            | Self::FlipBits { .. }
            | Self::TypingFault(_)
            | Self::StickNoise(_)
            | Self::CutFlash { .. }
            | Self::CancelFlashCut
            | Self::StickFlash(_) => None,
        }
    }
}

impl VirtualBoard {
    /// Applies `input` to this board.
    pub fn apply(&self, input: Input) {
        match input {
            Input::Finger { at, button, down: true } => self.press(at, button),
            Input::Finger { at, button, down: false } => self.release(at, button),
            Input::Stick { at, button } => self.stick(at, button),
            Input::HealContact { at, button } => self.heal_contact(at, button),
            Input::SetBounce { button, bounce } => self.set_bounce(button, bounce),
            Input::Move { at, control, movement } => self.move_control(at, control, movement),
            Input::Typed { at, byte } => self.type_byte(at, byte),
            Input::FlipBits { display, one_in } => self.at_display(display).flip_bits(one_in),
            Input::TypingFault(fault) => self.set_typing_fault(fault),
            Input::StickNoise(stuck) => self.stick_noise(stuck),
            Input::CutPower { at } => self.cut_power_at(at),
            Input::CutFlash { after } => self.cut_flash_after(after),
            Input::CancelFlashCut => self.cancel_flash_cut(),
            Input::StickFlash(stuck) => self.stick_flash(stuck),
        }
    }

    /// Moves an encoder, a switch, a joystick, a potentiometer or a finger from `at` on, after its earlier
    /// movements. A control that the board does not have does nothing.
    pub fn move_control(&self, at: Instant, control: Control, movement: Movement) {
        self.report_input(Input::Move { at, control, movement });
        let circuit = &mut *self.0.borrow_mut();
        circuit.controls.start(at, control, movement);
        if !circuit.powered {
            circuit.controls.advance(circuit.now);
        }
    }

    /// Returns the time of the next change of a control that the machine has not read. Without power
    /// there is none.
    pub fn next_movement(&self) -> Option<Instant> {
        let circuit = self.0.borrow();
        circuit.controls.next_change().filter(|_| circuit.powered)
    }

    /// Returns the time at which the last movement of a control is over.
    pub fn moved_until(&self) -> Instant {
        self.0.borrow().controls.until()
    }

    /// Returns the position of a control, as far as the machine has read it; `None` if the board
    /// does not have it.
    pub fn position(&self, control: Control) -> Option<Position> {
        self.0.borrow().controls.position(control.index())
    }

    /// Returns the position of a control before its first movement; `None` if the board does not
    /// have it.
    pub fn rest_position(&self, control: Control) -> Option<Position> {
        self.0.borrow().controls.rest(control.index())
    }

    /// Returns the state of an LED at `at`, which is not earlier than the machine's last step;
    /// `number` is that in its chain, from 0. `None` if the board does not have it.
    pub fn led_at(&self, at: Instant, led: Led, number: u16) -> Option<LedReading> {
        self.0.borrow().lamps.at(at, led.index(), usize::from(number))
    }

    /// Reports `input` to the probes, before it acts.
    pub(super) fn report_input(&self, input: Input) {
        let circuit = self.0.borrow();
        circuit.input_listeners.tell(|machine| machine.input(circuit.now, input));
        circuit.clip.tell(|probe| probe.input(circuit.now, input));
    }
}
