//! Detects two exchanged wires by the signal that each shows of the other.
//!
//! The module is used only with evidence in which every wire that it names has changed, or in which
//! a slow wire changes as only a fast one does.

use probe_protocol::Wire;

use super::{Evidence, Reference, Sent, WHOLE_BYTES};

/// Number of elements compared with the reference: those of the initialisation. The picture drawn
/// afterwards differs from game to game.
const COMPARED: usize = 10;

/// Returns the wire exchanged with a slow wire that changes like a clock, data or the console: the
/// one that shows the slow wire's signal.
pub(super) fn partner_of_slow(evidence: &Evidence) -> Wire {
    let Evidence { levels, lcd, booted, .. } = evidence;
    if !booted {
        return Wire::Uart;
    }
    let moved = |wire: &Wire| levels.moved & wire.bit() != 0;
    if let Some(still) = super::LCD_WIRES.into_iter().find(|wire| !moved(wire)) {
        return still;
    }
    // SCK or CS, if exchanged with RST or the backlight, is high at rest: there is no clock, or no
    // select. The clock of this LCD rests low.
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

/// Returns which two of CS, SCK, MOSI, DC and UART0 TX are exchanged. All wires of the LCD have
/// changed.
pub(super) fn among_fast(evidence: &Evidence, reference: &Reference) -> Option<(Wire, Wire)> {
    let Evidence { levels, lcd, booted, .. } = evidence;
    let high = |wire: Wire| levels.high & wire.bit() != 0;
    if lcd.is_empty() {
        // There are never eight consecutive clocks while CS is low. At rest CS is high and SCK is
        // low; the console and, after pixels, DC are high.
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
            // The LCD's wires are right.
            None
        } else if with_reference().all(|(sent, whole)| sent.byte == whole.byte) {
            Some((Wire::Dc, Wire::Uart))
        } else if with_reference().all(|(sent, whole)| sent.data == whole.data) {
            Some((Wire::Mosi, Wire::Uart))
        } else {
            // Some bytes are selected, those sent while the console's level is low: they are whole,
            // and many are missing.
            let mut commands = lcd.iter().filter(|sent| !sent.data).peekable();
            let is_known = |sent: &Sent| reference.0.contains(sent);
            (commands.peek().is_some() && commands.all(is_known)).then_some((Wire::Cs, Wire::Uart))
        };
    }
    if lcd.iter().all(|sent| [0x00, 0xFF].contains(&sent.byte)) {
        // DC is constant for a byte, and CS is low for all of it.
        let byte_of_dc = |whole: &Sent| if whole.data { 0xFF } else { 0x00 };
        let shows_dc = with_reference().all(|(sent, whole)| sent.byte == byte_of_dc(whole));
        return Some(match (shows_dc, high(Wire::Mosi) && !high(Wire::Cs)) {
            (true, _) => (Wire::Mosi, Wire::Dc),
            (false, true) => (Wire::Cs, Wire::Mosi),
            (false, false) => (Wire::Sck, Wire::Mosi),
        });
    }
    // DC changes, but never while bytes are sent: the wire on the probe's DC input is CS.
    lcd.iter().all(|sent| !sent.data).then_some((Wire::Cs, Wire::Dc))
}
