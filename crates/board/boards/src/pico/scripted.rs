//! Programs for tests: scripts of writes to registers, and reads of them. The tests of `adopt`
//! and `rp2040-tools` use this file, too.

use rp2040_emulator::program::Program;

const SCRIPT: u32 = 0x1000_0100;
/// Address of the values that a script has read; the first word is not used.
pub(super) const RESULTS: u32 = 0x2000_1000;

/// A second stage that executes pairs of words: an address and the word to write there, or an
/// address plus one whose word is stored in the results. At address zero it continues after its
/// constants.
const PLAYER: [u16; 18] = [
    0x4C06, // ldr r4, =SCRIPT
    0x4D07, // ldr r5, =RESULTS
    0xCC06, // ldm r4!, {r1, r2}
    0x0848, // lsrs r0, r1, #1
    0xD203, // bcs to the lsls
    0x2900, // cmp r1, #0
    0xD005, // beq to the end
    0x600A, // str r2, [r1]
    0xE7F8, // b to the ldm
    0x0041, // lsls r1, r0, #1
    0x680A, // ldr r2, [r1]
    0xC504, // stm r5!, {r2}
    0xE7F4, // b to the ldm
    0xE003, // b to the code after the constants
    0x0100, 0x1000, 0x1000, 0x2000,
];

pub(super) const SET: u32 = 0xD000_0014; // GPIO_OUT_SET, RP2040 datasheet 2.3.1.7
pub(super) const CLEAR: u32 = 0xD000_0018;
pub(super) const ENABLE: u32 = 0xD000_0024; // GPIO_OE_SET
/// A write that changes nothing.
pub(super) const NOTHING: (u32, u32) = (SET, 0);

/// Code after a script that polls GPIO_IN without end.
pub(super) const POLLING: [u16; 6] = [
    0x4801, // ldr r0, =GPIO_IN
    0x6801, // ldr r1, [r0]
    0xE7FD, // b to the ldr
    0x46C0, // nop
    0x0004, 0xD000,
];

/// Returns the CRC-32/MPEG-2 by which the boot ROM recognises a second stage.
fn checksum(code: &[u8]) -> u32 {
    code.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte) << 24, |sum, _| {
            sum << 1 ^ if sum >> 31 != 0 { 0x04C1_1DB7 } else { 0 }
        })
    })
}

/// Returns the program of a script, which then does nothing.
pub(super) fn program(script: &[(u32, u32)]) -> Program {
    program_then(script, &[0xE7FE]) // b .
}

/// Returns the program of a script, which then executes `code`. The code begins at an address that
/// is a multiple of four.
pub(super) fn program_then(script: &[(u32, u32)], code: &[u16]) -> Program {
    let mut flash: Vec<u8> =
        PLAYER.iter().chain(code).flat_map(|half| half.to_le_bytes()).collect();
    flash.resize(252, 0);
    flash.extend(checksum(&flash).to_le_bytes());
    assert_eq!(flash.len() as u32, SCRIPT & 0xFFFF);
    let words = script.iter().chain(&[(0, 0)]).flat_map(|(address, value)| [*address, *value]);
    flash.extend(words.flat_map(u32::to_le_bytes));
    Program::from_bin(&flash).unwrap()
}

/// Returns the write that gives a pin a function.
pub(super) fn function(pin: u32, function: u32) -> (u32, u32) {
    (0x4001_4004 + 8 * pin, function)
}

/// A command or its arguments: the level of D/C, and the bytes.
pub(super) type Message<'a> = (bool, &'a [u8]);

/// Pins of an LCD.
#[derive(Clone, Copy, Debug)]
pub(super) struct LcdPins {
    pub(super) sck: u32,
    pub(super) mosi: u32,
    pub(super) chip_select: u32,
    pub(super) dc: u32,
}

/// How a script sends bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// SIO, with SCK idle low (mode 0) or high (mode 3).
    BitBanged { idle: bool },
    /// State machine 0 of PIO0.
    Pio,
    /// SPI controller 0 or 1, whose CSn may select the LCD.
    Spi { number: u32, selects: bool },
}

/// Returns a script that sends messages to an LCD. Chip select is low in each message.
pub(super) fn sending(pins: LcdPins, source: Source, messages: &[Message<'_>]) -> Vec<(u32, u32)> {
    let LcdPins { sck, mosi, chip_select, dc } = pins;
    let by_sio = [chip_select, dc].map(|pin| function(pin, 5));
    let mut script = by_sio.to_vec();
    script.extend([(SET, 1 << chip_select), (ENABLE, 1 << chip_select | 1 << dc)]);
    match source {
        Source::BitBanged { idle } => {
            script.extend([sck, mosi].map(|pin| function(pin, 5)));
            script.push((if idle { SET } else { CLEAR }, 1 << sck));
            script.push((ENABLE, 1 << sck | 1 << mosi));
        }
        Source::Pio => script.extend(pio(sck, mosi)),
        Source::Spi { number, selects } => {
            script.extend([sck, mosi].map(|pin| function(pin, 1)));
            if selects {
                script.push(function(chip_select, 1));
            }
            let base = spi(number);
            script.extend([(0x4000_8048, 1 << 11), (base + 0x10, 2), (base, 7), (base + 4, 2)]);
        }
    }
    for (data, bytes) in messages {
        script.push((if *data { SET } else { CLEAR }, 1 << dc));
        script.push((CLEAR, 1 << chip_select));
        for byte in *bytes {
            match source {
                Source::BitBanged { idle } => {
                    for bit in (0..8).rev() {
                        let level = if byte >> bit & 1 != 0 { SET } else { CLEAR };
                        if idle {
                            script.extend([(CLEAR, 1 << sck), (level, 1 << mosi), (SET, 1 << sck)]);
                        } else {
                            script.extend([(level, 1 << mosi), (SET, 1 << sck), (CLEAR, 1 << sck)]);
                        }
                    }
                }
                Source::Pio => script.extend([(0x5020_0010, u32::from(*byte) << 24), NOTHING]),
                Source::Spi { number, .. } => {
                    script.push((spi(number) + 8, (*byte).into()));
                    script.extend([NOTHING; 3]);
                }
            }
        }
        script.extend([NOTHING; 16]);
        script.push((SET, 1 << chip_select));
    }
    script
}

fn spi(number: u32) -> u32 {
    0x4003_C000 + 0x4000 * number
}

/// Returns the setup of a state machine that shifts the upper byte of each word out to `mosi`, and
/// makes the clock on `sck` by side-set.
fn pio(sck: u32, mosi: u32) -> Vec<(u32, u32)> {
    const PIO0: u32 = 0x5020_0000;
    const PINCTRL: u32 = PIO0 + 0xDC;
    const INSTR: u32 = PIO0 + 0xD8;
    let mut script = vec![
        (PIO0 + 0x48, 0x6001),            // out pins, 1 side 0
        (PIO0 + 0x4C, 0xB042),            // nop side 1
        (PIO0 + 0xC8, 1 << 16),           // a tick in each cycle
        (PIO0 + 0xCC, 1 << 12),           // wrap after the second instruction
        (PIO0 + 0xD0, 8 << 25 | 1 << 17), // autopull after eight bits, shift left
    ];
    for pin in [sck, mosi] {
        // set pindirs, 1
        script.extend([(PINCTRL, 1 << 26 | pin << 5), (INSTR, 0xE081)]);
    }
    script.push((PINCTRL, 1 << 29 | 1 << 20 | sck << 10 | mosi));
    script.extend([sck, mosi].map(|pin| function(pin, 6)));
    script.push((PIO0, 1));
    script
}
