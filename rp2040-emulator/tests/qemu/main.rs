//! The core against qemu-system-arm's Cortex-M0, register by register.
//!
//! An image contains some hundreds of random cases. Both machines run the same image; after each
//! case it writes all registers, flags and a part of memory to a file, and the two files must be
//! equal. The first difference is shown with its seed, its code and both values.
//!
//! `cargo test -p rp2040-emulator --features qemu-test` compares some ten thousand instructions;
//! `QEMU_TEST_IMAGES=500` makes it millions, `QEMU_TEST_SEED=7` starts with another seed.

mod assembler;
mod generate;
mod harness;
mod interrupts;
mod machines;
mod random;

use std::env;
use std::fmt::Write as _;

use harness::{Case, DUMP_SIZE, FIELDS, SCRATCH};
use random::Random;
use rp2040_emulator::decode::decode;
use rp2040_emulator::disassemble::disassemble;

/// Number of images that a run compares unless the environment specifies another.
const IMAGES: u64 = 3;
const FIRST_SEED: u64 = 1;
/// Largest size of an image; the literals of the last case need room after it.
const IMAGE_LIMIT: usize = machines::FLASH_SIZE - 4096;

fn setting(name: &str, otherwise: u64) -> u64 {
    match env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => otherwise,
    }
}

/// Returns as many cases as fit into an image.
fn cases(seed: u64) -> Vec<Case> {
    let mut random = Random::new(seed);
    let mut size = 0;
    let mut cases = vec![];
    while size < IMAGE_LIMIT - 512 {
        let case = generate::case(&mut random);
        size += 80 + 2 * case.code.len();
        cases.push(case);
    }
    cases
}

/// Describes the first case whose dumps differ.
fn difference(cases: &[Case], records: &[u32], qemu: &[u8], ours: &[u8]) -> Option<String> {
    let dumps = qemu.chunks(DUMP_SIZE).zip(ours.chunks(DUMP_SIZE));
    let (number, (qemu, ours)) = dumps.enumerate().find(|(_, (qemu, ours))| qemu != ours)?;
    let mut text = format!("case {number} differs:\n");
    let words = |dump: &[u8]| -> Vec<u32> {
        dump.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    };
    for (n, (theirs, ours)) in words(qemu).into_iter().zip(words(ours)).enumerate() {
        if theirs != ours {
            let memory = |n| format!("[0x{:08x}]", SCRATCH + 4 * (n - FIELDS.len()) as u32);
            let name = FIELDS.get(n).map_or_else(|| memory(n), ToString::to_string);
            writeln!(text, "  {name}: qemu {theirs:08x}, ours {ours:08x}").unwrap();
        }
    }
    let case = &cases[number];
    writeln!(text, "before: {:x?}", case.preload).unwrap();
    let mut at = 0;
    while at < case.code.len() {
        let address = harness::code_address(records[number]) + 2 * at as u32;
        let second = case.code.get(at + 1).copied().unwrap_or_default();
        let instruction = decode(case.code[at], second);
        writeln!(text, "  {address:06x}  {}", disassemble(instruction, address)).unwrap();
        at += instruction.size() as usize / 2;
    }
    Some(text)
}

#[test]
fn random_sequences_have_the_same_results_as_on_qemu() {
    let first = setting("QEMU_TEST_SEED", FIRST_SEED);
    let images = setting("QEMU_TEST_IMAGES", IMAGES);
    let mut instructions = 0;
    let mut compared = 0;
    for seed in first..first + images {
        let cases = cases(seed);
        let (image, records) = harness::image(&cases);
        assert!(image.len() <= machines::FLASH_SIZE);
        let qemu = machines::qemu(&image);
        let (ours, executed) = machines::ours(&image);
        if let Some(difference) = difference(&cases, &records, &qemu, &ours) {
            panic!("QEMU_TEST_SEED={seed} QEMU_TEST_IMAGES=1: {difference}");
        }
        assert_eq!(qemu.len(), cases.len() * DUMP_SIZE, "qemu did not run every case");
        assert_eq!(ours.len(), qemu.len(), "our core did not run every case");
        instructions += executed;
        compared += cases.iter().map(|case| case.code.len()).sum::<usize>();
    }
    println!("{compared} halfwords of random code in {images} images, {instructions} executed");
}

#[test]
fn exceptions_come_in_the_same_order_as_on_qemu() {
    let first = setting("QEMU_TEST_SEED", FIRST_SEED);
    for seed in first..first + setting("QEMU_TEST_IMAGES", IMAGES) {
        let scenes = interrupts::scenes(seed);
        let image = interrupts::image(&scenes);
        let qemu = machines::qemu(&image);
        let (ours, _) = machines::ours(&image);
        let logs = qemu.chunks(interrupts::LOG_SIZE).zip(ours.chunks(interrupts::LOG_SIZE));
        for (number, (qemu, ours)) in logs.enumerate() {
            if qemu != ours {
                let text = interrupts::difference(&scenes[number], qemu, ours);
                panic!("QEMU_TEST_SEED={seed} QEMU_TEST_IMAGES=1: scene {number}: {text}");
            }
        }
        assert_eq!(qemu.len(), scenes.len() * interrupts::LOG_SIZE, "qemu did not end");
        assert_eq!(ours.len(), qemu.len(), "our core did not end");
    }
}
