//! Two wires that are exchanged, by what each of them shows of the other.
//!
//! It looks only at evidence in which every wire has moved that it names, or which one moves as only another does.

use probe_protocol::Wire;

use super::{Evidence, Reference, Sent, WHOLE_BYTES};

/// So many elements are compared with the reference's: those of the initialisation. What is drawn then is another screen with each
/// game.
const COMPARED: usize = 10;

/// What is exchanged with a slow wire that moves as a clock, data or the console do: the one that stands still as the slow one should.
pub(super) fn partner_of_slow(evidence: &Evidence) -> Wire {
    let Evidence { levels, lcd, booted, .. } = evidence;
    if !booted {
        return Wire::Uart;
    }
    let moved = |wire: &Wire| levels.moved & wire.bit() != 0;
    if let Some(still) = super::OF_THE_LCD.into_iter().find(|wire| !moved(wire)) {
        return still;
    }
    // What SCK or CS shows of RST and the backlight is high at rest: no clock, or no select. The clock of this LCD rests low.
    let Some(first) = lcd.first() else {
        return if levels.high & Wire::Sck.bit() != 0 { Wire::Sck } else { Wire::Cs };
    };
    if lcd.len() >= WHOLE_BYTES {
        if lcd.iter().all(|sent| sent.byte == first.byte) {
            return Wire::Mosi;
        }
        if lcd.iter().all(|sent| sent.data == first.data) {
            return Wire::Dc;
        }
    }
    Wire::Cs
}

/// Which two of CS, SCK, MOSI, DC and UART0 TX are exchanged. All of the LCD's have moved.
pub(super) fn among_fast(evidence: &Evidence, reference: &Reference) -> Option<(Wire, Wire)> {
    let Evidence { levels, lcd, booted, .. } = evidence;
    let high = |wire: Wire| levels.high & wire.bit() != 0;
    if lcd.is_empty() {
        // Eight clocks never follow each other while CS is low. At rest CS is high and SCK is low; the console and, behind
        // pixels, DC are high.
        return match (high(Wire::Cs), high(Wire::Sck), booted) {
            (false, true, _) => Some((Wire::Cs, Wire::Sck)),
            (true, true, true) => Some((Wire::Sck, Wire::Dc)),
            (true, true, false) => Some((Wire::Sck, Wire::Uart)),
            (true, false, false) => Some((Wire::Cs, Wire::Uart)),
            _ => None,
        };
    }
    if lcd.len() < WHOLE_BYTES {
        return None;
    }
    let with_reference = || lcd.iter().zip(&reference.0).take(COMPARED);
    if !booted {
        return if with_reference().all(|(sent, whole)| sent == whole) {
            // Nothing is wrong with the LCD's wires.
            None
        } else if with_reference().all(|(sent, whole)| sent.byte == whole.byte) {
            Some((Wire::Dc, Wire::Uart))
        } else if with_reference().all(|(sent, whole)| sent.data == whole.data) {
            Some((Wire::Mosi, Wire::Uart))
        } else {
            // Some bytes are selected while the console's level is low: whole ones, of which many are missing.
            let mut commands = lcd.iter().filter(|sent| !sent.data).peekable();
            let is_known = |sent: &Sent| reference.0.contains(sent);
            (commands.peek().is_some() && commands.all(is_known)).then_some((Wire::Cs, Wire::Uart))
        };
    }
    if lcd.iter().all(|sent| [0x00, 0xFF].contains(&sent.byte)) {
        // DC keeps its level for a byte, and CS is low for all of it.
        let byte_of_dc = |whole: &Sent| if whole.data { 0xFF } else { 0x00 };
        let shows_dc = with_reference().all(|(sent, whole)| sent.byte == byte_of_dc(whole));
        return Some(match (shows_dc, high(Wire::Mosi) && !high(Wire::Cs)) {
            (true, _) => (Wire::Mosi, Wire::Dc),
            (false, true) => (Wire::Cs, Wire::Mosi),
            (false, false) => (Wire::Sck, Wire::Mosi),
        });
    }
    // DC moves, but not while bytes come: what the probe takes for DC is CS.
    lcd.iter().all(|sent| !sent.data).then_some((Wire::Cs, Wire::Dc))
}
