//! Connections of pins outside the chip: wires, closed contacts, and contacts with diodes.
//!
//! A net is a set of pins that are connected in both directions. A diode conducts from its anode to
//! its cathode: an output that drives the cathode low pulls the anode low, and one that drives the
//! anode high pulls the cathode high. Its forward voltage is neglected, and so is a current through
//! two diodes in a row.

use super::PIN_COUNT;

/// Largest number of nets: two pins each.
pub(super) const MAX_NETS: usize = PIN_COUNT / 2;

/// A diode between two pins, which conducts from its anode to its cathode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diode {
    pub anode: usize,
    pub cathode: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Nets {
    /// Nets of the wires alone; unused masks are zero and last.
    wires: [u32; MAX_NETS],
    /// Nets of the wires and of the closed contacts.
    joined: [u32; MAX_NETS],
    /// Anodes of the diodes whose cathode is at each pin.
    anodes: [u32; PIN_COUNT],
    has_diodes: bool,
}

/// The outputs and external drives of the pins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drivers {
    /// Levels of the chip's outputs, and the pins whose output is enabled.
    pub(super) output: u32,
    pub(super) enable: u32,
    /// Pins that the caller drives.
    pub(super) high: u32,
    pub(super) low: u32,
    pub(super) pulled_up: u32,
}

impl Nets {
    /// Returns whether any pins are connected.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.joined[0] == 0 && !self.has_diodes
    }

    /// Returns whether any pins are wired together, apart from contacts and diodes.
    #[inline]
    pub(super) fn has_wires(&self) -> bool {
        self.wires[0] != 0
    }

    /// Returns the pins that are connected to others.
    pub(super) fn connected(&self) -> u32 {
        let cathodes = (0..PIN_COUNT).filter(|pin| self.anodes[*pin] != 0);
        let diodes = cathodes.fold(0, |pins, pin| pins | 1 << pin | self.anodes[pin]);
        self.joined.iter().fold(diodes, |pins, net| pins | net)
    }

    /// Wires two pins together, including the pins that they are wired to. Returns false if there
    /// is no room.
    pub(super) fn wire(&mut self, pins: u32) -> bool {
        let Some(wires) = join(&self.wires, pins) else { return false };
        let contacts = self.joined.iter().copied().take_while(|net| *net != 0);
        let joined = contacts.chain([pins]).try_fold(wires, |nets, pins| join(&nets, pins));
        (self.wires, self.joined) = (wires, joined.unwrap_or(wires));
        true
    }

    /// Replaces the closed contacts and the diodes. Pins that do not exist are ignored.
    pub(super) fn connect(&mut self, contacts: &[[usize; 2]], diodes: &[Diode]) {
        let exists = |pins: &&[usize; 2]| pins.iter().all(|pin| *pin < PIN_COUNT);
        self.joined = self.wires;
        for [first, second] in contacts.iter().filter(exists) {
            // Pins of at most `MAX_NETS` nets always have room.
            if let Some(nets) = join(&self.joined, 1 << first | 1 << second) {
                self.joined = nets;
            }
        }
        self.anodes = [0; PIN_COUNT];
        for Diode { anode, cathode } in diodes {
            if let (true, Some(anodes)) = (*anode < PIN_COUNT, self.anodes.get_mut(*cathode)) {
                *anodes |= 1 << anode;
            }
        }
        self.has_diodes = self.anodes.iter().any(|anodes| *anodes != 0);
    }

    /// Returns the levels after each net's pins have got their common level: that of the outputs
    /// among them, where low wins, else the external one, else that of their pulls.
    pub(super) fn levels(&self, levels: u32, drivers: &Drivers) -> u32 {
        let Drivers { output, enable, high, low, pulled_up } = *drivers;
        let nets = self.joined.iter().take_while(|net| **net != 0);
        let levels = nets.fold(levels, |levels, net| {
            let driving = enable & net;
            let driven = (high | low) & net != 0;
            let high = match driving {
                0 if driven => low & net == 0,
                0 => pulled_up & net != 0,
                driving => output & driving == driving,
            };
            levels & !net | if high { *net } else { 0 }
        });
        if self.has_diodes { self.through_diodes(levels, enable | high | low) } else { levels }
    }

    /// Returns the levels with the currents through diodes from and to the pins that are `driven`.
    fn through_diodes(&self, levels: u32, driven: u32) -> u32 {
        let mut after = levels;
        for (cathode, anodes) in self.anodes.iter().enumerate().filter(|(_, anodes)| **anodes != 0)
        {
            let bit = 1 << cathode;
            match (driven & bit != 0, levels & bit != 0) {
                (true, false) => after &= !(anodes & !driven),
                (false, _) if anodes & driven & levels != 0 => after |= bit,
                _ => {}
            }
        }
        after
    }

    /// Returns the pins of nets whose outputs have different levels.
    pub(super) fn short_circuits(&self, output: u32, enable: u32) -> u32 {
        let nets = self.joined.iter().take_while(|net| **net != 0);
        nets.fold(0, |pins, net| {
            let high = output & enable & net;
            if high != 0 && high != enable & net { pins | enable & net } else { pins }
        })
    }
}

/// Returns the nets after a connection of `pins`; `None` if there is no room.
fn join(nets: &[u32; MAX_NETS], pins: u32) -> Option<[u32; MAX_NETS]> {
    let touched = |net: &u32| net & pins != 0;
    let whole = nets.iter().filter(|net| touched(net)).fold(pins, |all, net| all | net);
    let mut after = [0; MAX_NETS];
    let others = nets.iter().copied().filter(|net| *net != 0 && !touched(net));
    for (count, net) in others.chain([whole]).enumerate() {
        *after.get_mut(count)? = net;
    }
    Some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outputs that drive these pins, with pull-ups at all others.
    fn drivers(low: u32, high: u32) -> Drivers {
        Drivers { output: high, enable: low | high, high: 0, low: 0, pulled_up: u32::MAX }
    }

    fn levels(nets: &Nets, low: u32, high: u32) -> u32 {
        nets.levels(high | !low, &drivers(low, high)) & 0b1111
    }

    #[test]
    fn pins_that_contacts_join_have_the_level_of_the_output_among_them() {
        let mut nets = Nets::default();
        // Rows 0 and 1, columns 2 and 3.
        nets.connect(&[[0, 2], [1, 2], [1, 3]], &[]);
        // Three closed contacts also connect row 0 to column 3.
        assert_eq!(levels(&nets, 0b0001, 0), 0b0000);
        nets.connect(&[[0, 2], [1, 3]], &[]);
        assert_eq!(levels(&nets, 0b0001, 0), 0b1010);
        nets.connect(&[], &[]);
        assert!(nets.is_empty());
    }

    #[test]
    fn diodes_conduct_in_one_direction_only() {
        let mut nets = Nets::default();
        let diode = |anode, cathode| Diode { anode, cathode };
        nets.connect(&[], &[diode(2, 0), diode(2, 1), diode(3, 1)]);
        // Row 0 is low: column 2 follows, row 1 and column 3 do not.
        assert_eq!(levels(&nets, 0b0001, 0), 0b1010);
        assert_eq!(levels(&nets, 0b0010, 0), 0b0001);
        // An output at the anode is not changed; at the cathode it wins.
        assert_eq!(levels(&nets, 0b0001, 0b0100) & 0b0101, 0b0100);
        // A high anode reaches an open cathode.
        let open = Drivers { pulled_up: 0, ..drivers(0, 0b0100) };
        assert_eq!(nets.levels(0b0100, &open), 0b0111);
    }

    #[test]
    fn a_wire_remains_when_the_contacts_change() {
        let mut nets = Nets::default();
        nets.connect(&[[2, 3]], &[]);
        assert!(nets.wire(0b0011));
        assert_eq!(levels(&nets, 0b0101, 0), 0);
        nets.connect(&[], &[]);
        assert_eq!(levels(&nets, 0b0001, 0), 0b1100);
    }

    #[test]
    fn outputs_of_a_net_with_different_levels_are_a_short_circuit() {
        let mut nets = Nets::default();
        nets.connect(&[[0, 2], [1, 2]], &[]);
        assert_eq!(nets.short_circuits(0b0001, 0b0011), 0b0011);
        assert_eq!(nets.short_circuits(0b0011, 0b0011), 0);
        assert_eq!(nets.short_circuits(0b1000, 0b1011), 0);
    }

    #[test]
    fn every_pin_can_be_wired() {
        let mut nets = Nets::default();
        assert!((0..PIN_COUNT / 2).all(|pair| nets.wire(0b11 << (2 * pair))));
        assert!((1..PIN_COUNT / 2).all(|pair| nets.wire(1 | 1 << (2 * pair))));
        assert_eq!(nets.joined[0], (1 << PIN_COUNT) - 1);
    }
}
