//! The bytes on a serial bus, each with the levels of all pins at its last bit.

use rp2040_emulator::chip::{PinChange, SpiWord};

/// A byte on a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BusByte {
    pub(crate) ns: u64,
    pub(crate) byte: u8,
    /// Levels of the pins at the last bit; bit n is GPIO n.
    pub(crate) levels: u32,
}

/// Returns the bytes of an SPI controller's frames. Frames that are not whole bytes are left out.
pub(crate) fn of_frames(
    frames: &[SpiWord],
    first_levels: u32,
    changes: &[PinChange],
) -> Vec<BusByte> {
    let mut bytes = Vec::with_capacity(frames.len());
    let (mut levels, mut changes) = (first_levels, changes.iter().peekable());
    for frame in frames {
        while let Some(change) = changes.next_if(|change| change.ns < frame.ns) {
            levels = change.levels;
        }
        if frame.bits == 16 {
            bytes.push(BusByte { ns: frame.ns, byte: (frame.word >> 8) as u8, levels });
        }
        if frame.bits.is_multiple_of(8) {
            bytes.push(BusByte { ns: frame.ns, byte: frame.word as u8, levels });
        }
    }
    bytes
}

/// Returns the bytes that a device samples at the rising edges of `sck` while `chip_select` is low.
/// All three are masks; a `chip_select` of zero is no wire.
pub(crate) fn of_edges(
    (sck, mosi, chip_select): (u32, u32, u32),
    first_levels: u32,
    changes: &[PinChange],
) -> Vec<BusByte> {
    let mut bytes = Vec::new();
    let (mut before, mut word, mut count) = (first_levels, 0_u8, 0);
    for PinChange { ns, levels } in changes {
        let rises = !before & levels & sck != 0;
        if (before | levels) & chip_select != 0 {
            count = 0;
        } else if rises {
            word = word << 1 | u8::from(before & mosi != 0);
            count += 1;
            if count == 8 {
                bytes.push(BusByte { ns: *ns, byte: word, levels: before });
                count = 0;
            }
        }
        before = *levels;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SCK: u32 = 1 << 2;
    const MOSI: u32 = 1 << 3;
    const CS: u32 = 1 << 4;
    const DC: u32 = 1 << 5;

    proptest! {
        #[test]
        fn shifted_bytes_are_read(
            sent in prop::collection::vec((any::<u8>(), any::<bool>(), any::<bool>()), 0..50),
        ) {
            let mut changes = Vec::new();
            let mut levels = 0;
            let mut set = |mask: u32, high: bool| {
                levels = levels & !mask | if high { mask } else { 0 };
                changes.push(PinChange { ns: changes.len() as u64, levels });
            };
            set(CS, true);
            for (byte, dc, is_selected) in &sent {
                set(DC, *dc);
                set(CS, !is_selected);
                for bit in (0..8).rev() {
                    set(MOSI, byte >> bit & 1 != 0);
                    set(SCK, true);
                    set(SCK, false);
                }
                set(CS, true);
            }
            let found: Vec<_> = of_edges((SCK, MOSI, CS), 0, &changes)
                .iter()
                .map(|byte| (byte.byte, byte.levels & DC != 0))
                .collect();
            let selected = sent.iter().filter(|(.., is_selected)| *is_selected);
            let expected: Vec<_> = selected.map(|(byte, dc, _)| (*byte, *dc)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_frame_of_16_bits_is_two_bytes_with_the_levels_at_its_end() {
        let frame = |ns, word, bits| SpiWord { start_ns: ns - 8, ns, word, received: 0, bits };
        let changes = [PinChange { ns: 15, levels: 3 }, PinChange { ns: 30, levels: 0 }];
        let bytes = of_frames(&[frame(10, 0x2C, 8), frame(30, 0xABCD, 16)], 1, &changes);
        let found: Vec<_> = bytes.iter().map(|byte| (byte.byte, byte.levels)).collect();
        assert_eq!(found, [(0x2C, 1), (0xAB, 3), (0xCD, 3)]);
    }
}
