//! The wires to the debug port of the board's chip.
//!
//! The port follows each edge of SWCLK at its nanosecond, so the probe stops there. It has no part
//! in the board's way ahead of the bench's time: only an access to the chip puts the board to the
//! current time, and only one that may change the chip makes what the board ran ahead void.

use probe_protocol::wiring;
use rp2040_emulator::bus::Width;
use rp2040_emulator::chip::{Chip, DebugFault, DebugPort, DebugTarget, Drive, PinChange};

use crate::board::Board;
use crate::wires::{WireState, level};

/// Pin of the probe that drives SWCLK, as a mask; its changes stop the probe.
pub(crate) const CLOCK_MASK: u32 = 1 << wiring::SWD_CLOCK.probe;
/// Pin of the probe at SWDIO.
pub(crate) const DATA: usize = wiring::SWD_DATA.probe as usize;
/// First address that is not memory: an access there may change the chip.
const DEVICES: u32 = 0x4000_0000;

/// The port of a board with power, and what is on its wires.
#[derive(Default)]
pub(crate) struct DebugWires {
    port: Option<DebugPort>,
    /// Level that the probe's pin last got from outside.
    data: Option<Drive>,
    /// Whether a debugger has written to the chip since the bench was created.
    has_written: bool,
}

/// The chip, and whether an access may have changed it.
struct Observed<'a> {
    chip: &'a mut Chip,
    changed: bool,
    written: bool,
}

impl DebugTarget for Observed<'_> {
    fn debug_read(&mut self, core: usize, address: u32, width: Width) -> Result<u32, DebugFault> {
        self.changed |= address >= DEVICES;
        self.chip.debug_read(core, address, width)
    }

    fn debug_write(
        &mut self,
        core: usize,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<(), DebugFault> {
        (self.changed, self.written) = (true, true);
        self.chip.debug_write(core, address, width, value)
    }
}

impl DebugWires {
    /// Sets whether the board has power. A port begins in its state at power-on.
    pub(crate) fn set_power(&mut self, on: bool) {
        self.port = on.then(DebugPort::new);
    }

    /// Returns whether a debugger has written to the chip since the bench was created.
    pub(crate) fn has_written(&self) -> bool {
        self.has_written
    }

    /// Passes an edge of SWCLK to the board's port; `wires` are the clock's and the data's. Returns
    /// true if an access may have changed the chip: the board must then run ahead again from there.
    ///
    /// The probe stops up to 240 ns after an edge, because the entry of an interrupt cannot be
    /// divided. A clock of 3.125 MHz or less leaves the port more time to answer.
    pub(crate) fn follow(
        &mut self,
        PinChange { ns, levels }: PinChange,
        board: &mut Board,
        [clock_wire, data_wire]: [WireState; 2],
    ) -> bool {
        let Some(port) = &mut self.port else { return false };
        if !matches!(clock_wire, WireState::Joined | WireState::Halved) {
            return false;
        }
        let clock = levels & CLOCK_MASK != 0;
        let data = match data_wire {
            WireState::Joined | WireState::Halved => levels >> DATA & 1 != 0,
            // The chip's pull-up.
            WireState::Cut => true,
            WireState::Stuck(high) => high,
        };
        if clock && port.is_about_to_access() {
            board.go_back(ns);
        }
        let chip = &mut board.past_mut().chip;
        let mut target = Observed { chip, changed: false, written: false };
        port.set_clock(clock, data, &mut target);
        let (changed, written) = (target.changed, target.written);
        if written {
            self.has_written = true;
            board.past_mut().wake(ns);
        }
        changed
    }

    /// Returns the level to drive at the probe's end of SWDIO, if it has changed. The probe's own
    /// pull-up holds it high if nothing else does.
    pub(crate) fn new_data(&mut self, wire: WireState) -> Option<Drive> {
        let drive = match (wire, &self.port) {
            (WireState::Stuck(high), _) => level(high),
            (WireState::Joined | WireState::Halved, Some(port)) => {
                level(port.driven().unwrap_or(true))
            }
            (WireState::Joined | WireState::Halved | WireState::Cut, _) => Drive::Open,
        };
        (self.data.replace(drive) != Some(drive)).then_some(drive)
    }
}
