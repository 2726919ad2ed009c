//! Names of the chip's registers, as the datasheet and Raspberry Pi's SVD file have them:
//! `PWM.CH0_CC`.
//!
//! `registers.txt` is generated from the SVD file by `scripts/registers.py`. It contains names but
//! no values.

use std::fmt;
use std::sync::LazyLock;

/// The table. A line without a leading blank is a peripheral, `base name`; one with a leading blank
/// is a register, ` offset name`. Both numbers are hexadecimal and ascending.
const TABLE: &str = include_str!("registers.txt");
/// Address range of the devices that have aliases: APB and AHB-Lite (datasheet section 2.1.2 and
/// 2.2). SIO and the private peripheral bus have none.
const ALIASED: std::ops::Range<u32> = 0x4000_0000..0x5400_0000;
/// Smallest distance between the bases of two peripherals, which are multiples of it.
const SPAN: u32 = 0x4000;

/// Base of the USB controller's DPRAM, which is memory without aliases.
const DPRAM: u32 = 0x5010_0000;

struct Peripheral {
    base: u32,
    name: &'static str,
    registers: Vec<(u32, &'static str)>,
}

static PERIPHERALS: LazyLock<Vec<Peripheral>> = LazyLock::new(|| {
    let mut peripherals: Vec<Peripheral> = Vec::new();
    for line in TABLE.lines() {
        let Some((number, name)) = line.trim().split_once(' ') else { continue };
        let number = u32::from_str_radix(number, 16).unwrap_or_default();
        match peripherals.last_mut().filter(|_| line.starts_with(' ')) {
            Some(peripheral) => peripheral.registers.push((number, name)),
            None => peripherals.push(Peripheral { base: number, name, registers: Vec::new() }),
        }
    }
    peripherals
});

/// Effect of a write to an address on its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alias {
    /// Sets the register to the value.
    Plain,
    /// Flips the bits of the value.
    Xor,
    /// Sets the bits of the value.
    Set,
    /// Clears the bits of the value.
    Clear,
}

/// A register with its address's alias. `Display` gives `PWM.CH0_CC` or `PWM.CH0_CC:set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterName {
    pub peripheral: &'static str,
    pub register: &'static str,
    pub alias: Alias,
}

impl fmt::Display for RegisterName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { peripheral, register, alias } = self;
        let alias = match alias {
            Alias::Plain => "",
            Alias::Xor => ":xor",
            Alias::Set => ":set",
            Alias::Clear => ":clr",
        };
        write!(out, "{peripheral}.{register}{alias}")
    }
}

/// Returns the register that contains the word at `address`; `None` where the SVD file has none.
pub fn register_name(address: u32) -> Option<RegisterName> {
    let behind = PERIPHERALS.partition_point(|peripheral| peripheral.base <= address);
    let Peripheral { base, name, registers } = PERIPHERALS.get(behind.checked_sub(1)?)?;
    let (mut offset, mut alias) = ((address - base) & !3, Alias::Plain);
    if ALIASED.contains(&address) && *base != DPRAM {
        alias = [Alias::Plain, Alias::Xor, Alias::Set, Alias::Clear][(offset >> 12 & 3) as usize];
        if offset >= SPAN {
            return None;
        }
        offset &= 0xFFF;
    }
    let at = registers.binary_search_by_key(&offset, |(offset, _)| *offset).ok()?;
    Some(RegisterName { peripheral: name, register: registers[at].1, alias })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_the_datasheets_names() {
        for (address, expected) in [
            (0x4005_000C, "PWM.CH0_CC"),
            (0x4005_200C, "PWM.CH0_CC:set"),
            (0x4005_100E, "PWM.CH0_CC:xor"),
            (0x4000_F000, "RESETS.RESET:clr"),
            (0x4003_8018, "UART1.UARTFR"),
            (0x5000_0430, "DMA.MULTI_CHAN_TRIGGER"),
            (0x5011_004C, "USBCTRL_REGS.SIE_CTRL"),
            (0xD000_0014, "SIO.GPIO_OUT_SET"),
            (0xE000_ED08, "PPB.VTOR"),
        ] {
            let name = register_name(address).map(|name| name.to_string());
            assert_eq!(name.as_deref(), Some(expected), "0x{address:08x}");
        }
        for address in
            [0, 0x2000_0000, 0x4005_0FF0, 0x4006_8000, 0x5300_0000, 0xD000_0200, u32::MAX]
        {
            assert_eq!(register_name(address), None, "0x{address:08x}");
        }
    }

    #[test]
    fn every_line_of_the_table_is_read_in_its_order() {
        let registers: usize =
            PERIPHERALS.iter().map(|peripheral| peripheral.registers.len()).sum();
        assert_eq!(registers + PERIPHERALS.len(), TABLE.lines().count());
        assert!(PERIPHERALS.is_sorted_by_key(|peripheral| peripheral.base));
        for peripheral in PERIPHERALS.iter() {
            assert!(peripheral.registers.is_sorted_by_key(|(offset, _)| *offset));
        }
    }
}
