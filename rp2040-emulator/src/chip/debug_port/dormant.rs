//! The dormant state, in which a port is at power-on (RP2040 datasheet 2.3.4.2), and the sequence
//! that ends it (ADIv5.2 B5.3.4): the selection alert of 128 bits, four low bits, and the
//! activation code.

/// The selection alert, the first bit in bit 0 (ADIv5.2 B5.3.4).
const ALERT: u128 = 0x19BC_0EA2_E3DD_AFE9_8685_2D95_6209_F392;
/// Low bits between the alert and the activation code.
const GAP: u8 = 4;
/// Activation code of the serial wire protocol, the first bit in bit 0.
const ACTIVATE_SWD: u8 = 0x1A;

/// Recognises the sequence in the bits on the wire.
#[derive(Clone, Debug, Default)]
pub(super) struct Dormant {
    /// The last 128 bits, the oldest in bit 0.
    last: u128,
    /// Bits since the end of an alert, and their values.
    since_alert: Option<(u8, u16)>,
}

impl Dormant {
    /// Takes the next bit. Returns true if it ends the sequence.
    pub(super) fn take(&mut self, bit: bool) -> bool {
        self.last = self.last >> 1 | u128::from(bit) << 127;
        if let Some((count, bits)) = &mut self.since_alert {
            *bits |= u16::from(bit) << *count;
            *count += 1;
            if *count == GAP + 8 {
                let woken = *bits == u16::from(ACTIVATE_SWD) << GAP;
                self.since_alert = None;
                return woken;
            }
        } else if self.last == ALERT {
            self.since_alert = Some((0, 0));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(alert: u128, code: u8) -> Vec<bool> {
        let alert = (0..128).map(|n| alert >> n & 1 != 0);
        let code = (0..8).map(|n| code >> n & 1 != 0);
        [true; 8].into_iter().chain(alert).chain([false; 4]).chain(code).collect()
    }

    #[test]
    fn only_the_whole_sequence_wakes_the_port() {
        let ends = |bits: &[bool]| {
            let mut port = Dormant::default();
            bits.iter().map(|bit| port.take(*bit)).collect::<Vec<_>>()
        };
        let whole = sequence(ALERT, ACTIVATE_SWD);
        let taken = ends(&whole);
        assert!(taken.last() == Some(&true) && taken.iter().filter(|woken| **woken).count() == 1);
        assert!(ends(&sequence(ALERT ^ 1 << 77, ACTIVATE_SWD)).iter().all(|woken| !woken));
        // The code of JTAG (ADIv5.2 B5.3.4).
        assert!(ends(&sequence(ALERT, 0x0A)).iter().all(|woken| !woken));
        assert!(ends(&whole[..whole.len() - 1]).iter().all(|woken| !woken));
    }

    #[test]
    fn the_alert_begins_with_the_bits_of_the_specification() {
        // ADIv5.2 B5.3.4 names the first bits: 0x49CF9046 from the most significant one on.
        let first = (0..32).fold(0_u32, |word, n| word << 1 | (ALERT >> n & 1) as u32);
        assert_eq!(first, 0x49CF_9046);
        let last = (96..128).fold(0_u32, |word, n| word << 1 | (ALERT >> n & 1) as u32);
        assert_eq!(last, 0x4570_3D98);
    }
}
