//! The connections that closed buttons of a key matrix make.
//!
//! A button without a diode connects its row to its column in both directions, so that three closed
//! buttons at the corners of a rectangle close the fourth, too. With a diode current flows in one
//! direction only.

use rp2040_emulator::chip::Diode;

use crate::pico::wiring::MatrixContact;

/// Connections between pins, as [`Chip::connect`](rp2040_emulator::chip::Chip::connect) takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Connections {
    pub(super) contacts: Vec<[usize; 2]>,
    pub(super) diodes: Vec<Diode>,
}

/// Returns the connections of the buttons that are closed.
pub(super) fn connections<'a>(closed: impl IntoIterator<Item = &'a MatrixContact>) -> Connections {
    let mut connections = Connections::default();
    for contact in closed {
        let (anode, cathode) = (contact.anode.number(), contact.cathode.number());
        if contact.has_diode {
            connections.diodes.push(Diode { anode, cathode });
        } else {
            connections.contacts.push([anode, cathode]);
        }
    }
    connections
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pico::wiring::Gpio;

    #[test]
    fn a_contact_with_a_diode_is_a_diode() {
        let pin = |number| Gpio::new(number).unwrap();
        let contact = |has_diode| MatrixContact { anode: pin(4), cathode: pin(2), has_diode };
        let both = connections(&[contact(false), contact(true)]);
        assert_eq!(both.contacts, [[4, 2]]);
        assert_eq!(both.diodes, [Diode { anode: 4, cathode: 2 }]);
    }
}
