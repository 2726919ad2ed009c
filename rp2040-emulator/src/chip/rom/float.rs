//! The boot ROM's floating point functions, by their position in its two tables (datasheet section
//! 2.8.3.2): single precision, and the same in double.
//!
//! Like the ROM, they round to nearest, flush subnormal numbers to zero, and have no NaN (an
//! infinity replaces it). Within these rules sums, products, quotients, roots and conversions are
//! exact to the bit. The ROM's sines, logarithms and similar functions are approximations whose
//! last bits are not documented; here libm computes them, with the same results on any computer.

/// A function of the tables: entry n is at byte 4n of either table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct Float {
    entry: u32,
    double: bool,
}

/// Number of entries of a table.
pub(in crate::chip) const ENTRIES: u16 = 32;

const DEPRECATED: [u32; 3] = [4, 5, 18];
/// Largest binary point; it is beyond the exponent of every number.
const MAX_POINT: i32 = 2_200;

impl Float {
    /// Returns the function of number 0 to 31, single precision, or 32 to 63, double precision.
    pub(in crate::chip) fn new(number: u16) -> Option<Self> {
        let entry = u32::from(number % ENTRIES);
        let modelled = number < 2 * ENTRIES && !DEPRECATED.contains(&entry);
        modelled.then_some(Self { entry, double: number >= ENTRIES })
    }

    /// Returns the estimated cycles of the chip's own function.
    pub(in crate::chip) fn cycles(self) -> u64 {
        let single = match self.entry {
            0..=3 | 6 => 70,
            15..=17 | 19 | 20 | 22 => 550,
            _ => 40,
        };
        if self.double { 2 * single } else { single }
    }

    /// Returns registers 0 and 1 after the call, given 0 to 3 before; `None` if the function does
    /// not set register 1.
    pub(in crate::chip) fn call(self, registers: [u32; 4]) -> (u32, Option<u32>) {
        let [a, b, c, d] = registers;
        let (long_a, long_b) = (long(a, b), long(c, d));
        if self.double {
            let (x, y) = (normal64(long_a), normal64(long_b));
            match self.entry {
                0..=3 => wide(give64(combined(self.entry, x, y))),
                6 => wide(give64(if x < 0.0 { f64::NEG_INFINITY } else { x.sqrt() })),
                7..=10 => (to_32(x, self.entry, c), None),
                11..=14 => wide(give64(from_32(a, b, self.entry))),
                15..=20 => wide(give64(function(self.entry, x))),
                21 => (compared(x, y), None),
                22 => wide(give64(libm::atan2(x, y))),
                23..=26 => wide(give64(from_64(long_a, c, self.entry))),
                27..=30 => wide(to_64(x, self.entry, c)),
                _ => (give32(x as f32), None),
            }
        } else {
            let (x, y) = (normal32(a), normal32(b));
            let (wide_x, wide_y) = (f64::from(x), f64::from(y));
            match self.entry {
                // Double precision has more than twice the digits, so double rounding has no
                // effect.
                0..=3 => (give32(combined(self.entry, wide_x, wide_y) as f32), None),
                6 => (give32(if x < 0.0 { f32::NEG_INFINITY } else { x.sqrt() }), None),
                7..=10 => (to_32(wide_x, self.entry, b), None),
                // Every 32-bit number is exact in double precision.
                11..=14 => (give32(from_32(a, b, self.entry) as f32), None),
                15..=20 => (give32(function(self.entry, wide_x) as f32), None),
                21 => (compared(wide_x, wide_y), None),
                22 => (give32(libm::atan2(wide_x, wide_y) as f32), None),
                23..=26 => (give32(single_from_64(long_a, c, self.entry)), None),
                27..=30 => wide(to_64(wide_x, self.entry, b)),
                _ => wide(give64(wide_x)),
            }
        }
    }
}

fn long(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

fn wide(value: u64) -> (u32, Option<u32>) {
    (value as u32, Some((value >> 32) as u32))
}

/// Returns the number that the ROM reads from these bits.
fn normal32(bits: u32) -> f32 {
    f32::from_bits(match bits >> 23 & 0xFF {
        0 => bits & 1 << 31,
        0xFF => bits & 0xFF80_0000,
        _ => bits,
    })
}

/// Returns the number that the ROM reads from these bits.
fn normal64(bits: u64) -> f64 {
    f64::from_bits(match bits >> 52 & 0x7FF {
        0 => bits & 1 << 63,
        0x7FF => bits & 0xFFF << 52,
        _ => bits,
    })
}

/// Returns the bits of a result; NaN becomes positive infinity.
fn give32(value: f32) -> u32 {
    if value.is_nan() { f32::INFINITY.to_bits() } else { normal32(value.to_bits()).to_bits() }
}

fn give64(value: f64) -> u64 {
    if value.is_nan() { f64::INFINITY.to_bits() } else { normal64(value.to_bits()).to_bits() }
}

fn combined(entry: u32, x: f64, y: f64) -> f64 {
    match entry {
        0 => x + y,
        1 => x - y,
        2 => x * y,
        _ => x / y,
    }
}

fn function(entry: u32, x: f64) -> f64 {
    match entry {
        15 => libm::cos(x),
        16 => libm::sin(x),
        17 => libm::tan(x),
        19 => libm::exp(x),
        _ if x <= 0.0 => f64::NEG_INFINITY,
        _ => libm::log(x),
    }
}

fn compared(x: f64, y: f64) -> u32 {
    i32::from(x > y).wrapping_sub(i32::from(x < y)) as u32
}

/// Multiplies by two to the power of `point`.
fn scaled(x: f64, point: i32) -> f64 {
    libm::scalbn(x, point.clamp(-MAX_POINT, MAX_POINT))
}

/// Returns the position of the binary point, if the entry has one as an argument, and whether it is
/// unsigned. The entries are in the order whole, fixed, whole unsigned, fixed unsigned.
fn kind(entry: u32, first: u32, point: u32) -> (i32, bool) {
    let kind = entry - first;
    (if kind % 2 == 1 { point as i32 } else { 0 }, kind >= 2)
}

/// Converts to 32 bits: rounds down, and clamps.
fn to_32(x: f64, entry: u32, point: u32) -> u32 {
    let (point, unsigned) = kind(entry, 7, point);
    let value = scaled(x, point).floor();
    if unsigned { value as u32 } else { value as i32 as u32 }
}

fn to_64(x: f64, entry: u32, point: u32) -> u64 {
    let (point, unsigned) = kind(entry, 27, point);
    let value = scaled(x, point).floor();
    if unsigned { value as u64 } else { value as i64 as u64 }
}

fn from_32(value: u32, point: u32, entry: u32) -> f64 {
    let (point, unsigned) = kind(entry, 11, point);
    let value = if unsigned { f64::from(value) } else { f64::from(value as i32) };
    scaled(value, point.saturating_neg())
}

fn from_64(value: u64, point: u32, entry: u32) -> f64 {
    let (point, unsigned) = kind(entry, 23, point);
    let value = if unsigned { value as f64 } else { value as i64 as f64 };
    scaled(value, point.saturating_neg())
}

/// Converts with one rounding; a conversion through double precision would round twice.
fn single_from_64(value: u64, point: u32, entry: u32) -> f32 {
    let (point, unsigned) = kind(entry, 23, point);
    let value = if unsigned { value as f32 } else { value as i64 as f32 };
    scaled(value.into(), point.saturating_neg()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls the entry at `offset` of the table for single precision.
    #[track_caller]
    fn check(offset: u16, a: u32, b: u32, result: u32) {
        let (found, _) = Float::new(offset / 4).unwrap().call([a, b, 0, 0]);
        assert_eq!(found, result, "0x{found:08x}, not 0x{result:08x}");
    }

    /// Calls the entry at `offset` of the table for double precision.
    #[track_caller]
    fn check_double(offset: u16, a: f64, b: f64, result: f64) {
        let ([a, b], result) = ([a.to_bits(), b.to_bits()], result.to_bits());
        let registers = [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32];
        let found = Float::new(ENTRIES + offset / 4).unwrap().call(registers);
        assert_eq!(found, (result as u32, Some((result >> 32) as u32)));
    }

    #[test]
    fn numbers_are_added_multiplied_and_divided() {
        let [one, three] = [1.0f32, 3.0].map(f32::to_bits);
        check(0x00, one, three, 4.0f32.to_bits());
        check(0x04, one, three, (-2.0f32).to_bits());
        check(0x08, three, three, 9.0f32.to_bits());
        check(0x0C, one, three, (1.0f32 / 3.0).to_bits());
        check(0x18, (-1.0f32).to_bits(), 0, f32::NEG_INFINITY.to_bits());
        check(0x50, 0, 0, f32::NEG_INFINITY.to_bits());
        check(0x54, one, three, u32::MAX);
        check_double(0x0C, 1.0, 3.0, 1.0 / 3.0);
        check_double(0x00, 0.1, 0.2, 0.1 + 0.2);
    }

    #[test]
    fn subnormal_numbers_are_zero_and_nan_is_infinite() {
        check(0x00, 1, 2, 0);
        check(0x08, f32::MIN_POSITIVE.to_bits(), 0.5f32.to_bits(), 0);
        check(0x00, f32::NAN.to_bits(), 0, f32::INFINITY.to_bits());
        check(0x04, f32::INFINITY.to_bits(), f32::INFINITY.to_bits(), f32::INFINITY.to_bits());
    }

    #[test]
    fn conversions_round_down_and_clamp() {
        check(0x1C, (-2.5f32).to_bits(), 0, -3i32 as u32);
        check(0x1C, 1e20f32.to_bits(), 0, i32::MAX as u32);
        check(0x24, (-1.0f32).to_bits(), 0, 0);
        check(0x20, 0.5f32.to_bits(), 16, 0x8000);
        check(0x30, 0x18000, 16, 1.5f32.to_bits());
        check(0x2C, 0x0100_0001, 0, 0x4B80_0000);
        // To the nearest even, in one step: by way of double precision the result would be the one
        // below.
        check(0x64, 0x0000_0001, 0x0100_0001, 0x5B80_0001);
    }

    #[test]
    fn deprecated_entries_have_no_function() {
        for number in [4, 5, 18, 36, 37, 50, 64] {
            assert_eq!(Float::new(number), None);
        }
    }

    #[test]
    fn no_argument_is_a_panic() {
        let mut bits: u64 = 0x9E37_79B9_7F4A_7C15;
        for number in 0..64 {
            let Some(float) = Float::new(number) else { continue };
            for _ in 0..2_000 {
                let registers = [0; 4].map(|_: u32| {
                    bits ^= bits << 13;
                    bits ^= bits >> 7;
                    bits ^= bits << 17;
                    bits as u32
                });
                float.call(registers);
                float.call([registers[0], i32::MIN as u32, i32::MIN as u32, registers[3]]);
            }
        }
    }
}
