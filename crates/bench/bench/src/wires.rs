//! The wires of `probe_protocol::wiring`, and their faults.

use probe_protocol::Wire;
use probe_protocol::wiring::{self, Role};

/// Condition of a wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WireState {
    #[default]
    Joined,
    /// Both ends are open.
    Cut,
    /// The end that reads has this level, whatever the other end drives.
    Stuck(bool),
    /// A poor contact: every second pulse does not arrive. Only for wires that the probe reads.
    Halved,
}

/// A fault or event that happens at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The wire of this role changes to this condition.
    Wire(Role, WireState),
    /// The probe's ends of these two wires are exchanged.
    Swap(Wire, Wire),
    ResetProbe,
    /// The board's chip is reset; its power stays on.
    ResetBoard,
    /// The board's power fails (`false`), whatever the probe's switch says, or returns (`true`).
    BoardPower(bool),
    /// The USB cable is pulled (`false`) or plugged in (`true`).
    Cable(bool),
}

/// A wire that the probe reads, from pin `board` of the board to pin `probe` of the probe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) wire: Wire,
    pub(crate) board: u8,
    pub(crate) probe: u8,
    pub(crate) state: WireState,
    /// Whether the current pulse passes; used only with [`WireState::Halved`]. Every rising edge
    /// toggles it.
    pub(crate) loses: bool,
}

impl Reading {
    /// Returns whether a change to `high` arrives at the probe.
    pub(crate) fn passes(&mut self, high: bool) -> bool {
        match self.state {
            WireState::Joined => true,
            WireState::Cut | WireState::Stuck(_) => false,
            WireState::Halved => {
                // The falling edge of a pulse passes exactly if its rising edge did.
                self.loses ^= high;
                self.loses
            }
        }
    }
}

/// All wires with their condition.
#[derive(Clone, Debug)]
pub(crate) struct Wires {
    pub(crate) readings: Vec<Reading>,
    pub(crate) lines: [WireState; probe_protocol::LINES as usize],
    pub(crate) console: WireState,
}

impl Wires {
    pub(crate) fn new() -> Self {
        let readings = wiring::CONNECTIONS.iter().filter_map(|connection| {
            let (Role::Read(wire), Some(board)) = (connection.role, connection.board) else {
                return None;
            };
            Some(Reading {
                wire,
                board,
                probe: connection.probe,
                state: WireState::Joined,
                loses: false,
            })
        });
        Self {
            readings: readings.collect(),
            lines: [WireState::Joined; probe_protocol::LINES as usize],
            console: WireState::Joined,
        }
    }

    pub(crate) fn set(&mut self, role: Role, state: WireState) {
        match role {
            Role::Button(line) => {
                if let Some(place) = self.lines.get_mut(usize::from(line)) {
                    *place = state;
                }
            }
            Role::Read(wire) => {
                for reading in &mut self.readings {
                    if reading.wire == wire {
                        reading.state = state;
                    }
                }
            }
            Role::Console => self.console = state,
            // `Fault::BoardPower` operates the switch.
            Role::Power => {}
        }
    }

    pub(crate) fn swap(&mut self, one: Wire, other: Wire) {
        let pin = |wire| self.readings.iter().find(|reading| reading.wire == wire);
        let (Some(first), Some(second)) = (pin(one), pin(other)) else { return };
        let (first, second) = (first.probe, second.probe);
        for reading in &mut self.readings {
            match reading.wire {
                wire if wire == one => reading.probe = second,
                wire if wire == other => reading.probe = first,
                _ => {}
            }
        }
    }
}
