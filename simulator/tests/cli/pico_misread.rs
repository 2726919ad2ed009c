//! A program that reads its LCD on the emulated Pico: the answer does not reach it, and the run
//! reports that. The feature `pico-test`: the binary of `make firmware` initialises the board.

use std::sync::Arc;

use boards::pico::{Pico, firmware};
use hal_mock::{BoardConfig, Instant, Machine, Nanos};
use rp2040_emulator::chip::Chip;

/// RAM that the firmware does not use.
const FREE: u32 = 0x2002_0000;

const SET: u32 = 0xD000_0014;
const CLEAR: u32 = 0xD000_0018;
const SPI_DATA: u32 = 0x4003_C008;
const CHIP_SELECT: u32 = 1 << 17;
const DC: u32 = 1 << 20;
/// Sets nothing; a few of them are longer than a frame.
const PAUSE: [(u32, u32); 8] = [(SET, 0); 8];

/// Writes words to addresses from the table after the code, then loops for ever.
const CODE: [u16; 8] = [
    0xA403, // adr r4, table
    0xCC06, // ldm r4!, {r1, r2}
    0x600A, // str r2, [r1]
    0x3B01, // subs r3, #1
    0xD1FB, // bne to the ldm
    0xE7FE, // b .
    0x46C0, // nop
    0x46C0, // nop
];

/// The report after `writes` has replaced the firmware.
fn report(writes: &[(u32, u32)]) -> Option<String> {
    let program = firmware::built().unwrap_or_else(|error| panic!("{error}"));
    let mut pico = Pico::new(Arc::new(program), BoardConfig::default());
    pico.power_on().unwrap();
    let drawn = Instant::from_secs(2);
    while pico.board().now() < drawn {
        pico.step(drawn).unwrap();
    }
    pico.with_chip(|chip: &mut Chip| {
        let words = writes.iter().flat_map(|(address, value)| [*address, *value]);
        let mut bytes: Vec<u8> = CODE.iter().flat_map(|half| half.to_le_bytes()).collect();
        bytes.extend(words.flat_map(u32::to_le_bytes));
        chip.memory_mut().load(FREE, &bytes).unwrap();
        // The core may have been asleep.
        chip.core_mut(0).begin(0, FREE, FREE | 1);
        chip.core_mut(0).set_register(3, writes.len() as u32);
    });
    let end = drawn.saturating_add(Nanos::from_millis(20));
    while pico.board().now() < end {
        if let Err(error) = pico.step(end) {
            return Some(error.message());
        }
    }
    let stays = pico.with_chip(|chip| chip.core(0).pc());
    assert_eq!(stays, Some(FREE + 10), "all has been written");
    None
}

/// A command and four bytes after it.
fn command(code: u32) -> Vec<(u32, u32)> {
    let select: &[_] = &[(CLEAR, CHIP_SELECT | DC), (SPI_DATA, code)];
    let data: &[_] = &[(SET, DC), (SPI_DATA, 0), (SPI_DATA, 0), (SPI_DATA, 0), (SPI_DATA, 0)];
    [select, &PAUSE, data, &PAUSE, &PAUSE, &[(SET, CHIP_SELECT)]].concat()
}

#[test]
fn a_program_that_reads_zeros_instead_of_the_lcds_number_is_reported() {
    // Read ID4 (ILI9341 datasheet, 8.3.23): a dummy, 00, 93, 41.
    let report = report(&command(0xD3)).unwrap();
    assert!(report.contains("which answers [00, 00, 93, 41]"), "{report}");
}

#[test]
fn an_answer_of_zeros_is_what_the_program_has_read() {
    // Read Display Identification (8.2.3): a vendor's numbers, which are not programmed.
    assert_eq!(report(&command(0xDA)), None);
}
