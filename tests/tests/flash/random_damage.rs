//! Damages the image of a flash at random, like wear, heat, a bad solder joint or a wrong tool. The
//! same seed always causes the same damage.

use std::ops::Range;

/// Size of a sector in bytes.
const SECTOR: usize = 4096;

/// A random number generator (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Returns an offset in the image; half of them are in the area of settings, scores and their
    /// journal.
    fn place(&mut self, length: usize) -> usize {
        let within = if self.below(2) == 0 { 4 * SECTOR } else { length };
        self.below(within)
    }

    /// Returns a range of up to two sectors; short ranges are as frequent as long ones.
    fn stretch(&mut self, length: usize) -> Range<usize> {
        let start = self.place(length);
        let bits = 1 + self.below(13);
        start..length.min(start + 1 + self.below(1 << bits))
    }
}

/// Damages `image` in one to four ways; returns their descriptions.
pub fn damage(image: &mut [u8], seed: u64) -> Vec<String> {
    let mut dice = Dice(seed);
    (0..1 + dice.below(4)).map(|_| damage_once(image, &mut dice)).collect()
}

fn damage_once(image: &mut [u8], dice: &mut Dice) -> String {
    let length = image.len();
    match dice.below(6) {
        0 => {
            let bits = 1 + dice.below(40);
            for _ in 0..bits {
                let at = dice.place(length);
                image[at] ^= 1 << dice.below(8);
            }
            format!("{bits} bits flipped")
        }
        1 => {
            let stretch = dice.stretch(length);
            image[stretch.clone()].fill(0);
            format!("zeros in {stretch:#x?}")
        }
        2 => {
            let stretch = dice.stretch(length);
            image[stretch.clone()].fill(0xFF);
            format!("erased {stretch:#x?}")
        }
        3 => {
            let stretch = dice.stretch(length);
            for byte in &mut image[stretch.clone()] {
                *byte = dice.next() as u8;
            }
            format!("noise in {stretch:#x?}")
        }
        4 => {
            // An interrupted erase: some bits are raised, the others are unchanged or zero.
            let sector = dice.place(length) / SECTOR;
            let (zeroed, raised) = (dice.next() & 1 == 0, dice.below(256));
            for byte in &mut image[sector * SECTOR..(sector + 1) * SECTOR] {
                let old = if zeroed { 0 } else { *byte };
                *byte = if dice.below(256) < raised { old | dice.next() as u8 } else { old };
            }
            format!("sector {sector} torn")
        }
        _ => {
            let (one, other) = (dice.place(length) / SECTOR, dice.place(length) / SECTOR);
            for at in 0..SECTOR {
                image.swap(one * SECTOR + at, other * SECTOR + at);
            }
            format!("sectors {one} and {other} swapped")
        }
    }
}
