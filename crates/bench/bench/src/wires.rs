//! The wires of `probe_protocol::wiring`, and what is wrong with one.

use probe_protocol::Wire;
use probe_protocol::wiring::{self, Role};

/// How a wire is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WireState {
    /// As it should be.
    #[default]
    Joined,
    /// Off: both ends are open.
    Cut,
    /// The end that reads has this level, whatever the other does.
    Stuck(bool),
    /// A poor contact: every second pulse does not arrive. Of wires that the probe reads.
    Halved,
}

/// What happens at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The wire of this role becomes so.
    Wire(Role, WireState),
    /// The probe reads one of these wires where it should read the other, and the other way round.
    Swap(Wire, Wire),
    /// The probe's chip is reset.
    ResetProbe,
    /// The board's chip is reset; it keeps its power.
    ResetBoard,
    /// The board's power fails, whatever the probe's switch says, or comes back.
    BoardPower(bool),
    /// The USB cable is pulled, or put back.
    Cable(bool),
}

/// A wire that the probe reads: from this pin of the board to that of the probe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) wire: Wire,
    pub(crate) board: u8,
    pub(crate) probe: u8,
    pub(crate) state: WireState,
    /// Of [`WireState::Halved`]: the pulse that begins next is lost.
    pub(crate) loses: bool,
}

impl Reading {
    /// Whether a change to `high` arrives.
    pub(crate) fn passes(&mut self, high: bool) -> bool {
        match self.state {
            WireState::Joined => true,
            WireState::Cut | WireState::Stuck(_) => false,
            WireState::Halved => {
                // A pulse ends as it began.
                self.loses ^= high;
                self.loses
            }
        }
    }
}

/// All of them, and what is wrong with the others.
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
            // The switch is operated by `Fault::BoardPower`.
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
