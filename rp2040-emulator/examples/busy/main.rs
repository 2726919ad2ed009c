//! Busy programs for comparing emulators, and the whole chip running one; called by
//! `scripts/bench-emulator.sh`.
//!
//! `busy write FOLDER MILLIONS` writes each program as `FOLDER/NAME.elf`, with about MILLIONS
//! million instructions and at least one round. `busy run ELF [MILLISECONDS]` runs a program on the
//! chip and prints how many instructions and cycles that took; the milliseconds are the chip's.
//! `busy dma MILLISECONDS` sends pictures through the DMA and SPI while the core is busy. `busy
//! poll timer|gpio|both MILLISECONDS` waits in loops for registers, on one core or on both. The
//! program reads no clock: the script takes the processor time of the process.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use rp2040_emulator::chip::{Chip, Halt};
use rp2040_emulator::image::Image;
use rp2040_emulator::memory::RAM_BASE;

mod picture;
mod polls;
mod programs;

const FLASH_SIZE: usize = 2 * 1024 * 1024;
/// Limit of the chip's time within which a program must end, in nanoseconds.
const LONGEST_NS: u64 = 100_000_000_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["write", folder, millions] => write(Path::new(folder), millions.parse()?),
        ["run", file] => run(file, LONGEST_NS),
        ["run", file, ms] => run(file, ms.parse::<u64>()? * 1_000_000),
        ["dma", ms] => {
            let mut chip = picture::chip();
            let until = ms.parse::<u64>()? * 1_000_000;
            let mut words = 0;
            while chip.run(until.min(chip.now_ns() + 4_000_000)) == Halt::Time
                && chip.now_ns() < until
            {
                words += chip.take_spi_sent(0).0.len();
            }
            report(&chip);
            eprintln!("{words} bytes sent");
            Ok(())
        }
        ["poll", which, ms] => {
            let mut chip = polls::chip(which).ok_or("poll timer, gpio or both")?;
            let halt = chip.run(ms.parse::<u64>()? * 1_000_000);
            report(&chip);
            if halt == Halt::Time { Ok(()) } else { Err(format!("it stopped: {halt:?}").into()) }
        }
        _ => Err("busy write FOLDER MILLIONS | run ELF [MILLISECONDS] | dma MILLISECONDS \
                  | poll timer|gpio|both MILLISECONDS"
            .into()),
    }
}

fn write(folder: &Path, millions: u32) -> Result<(), Box<dyn Error>> {
    for program in programs::PROGRAMS {
        let rounds = millions * (1_000_000 / program.about);
        fs::write(folder.join(format!("{}.elf", program.name)), program.elf(rounds.max(1)))?;
        println!("{}", program.name);
    }
    for name in polls::NAMES {
        let elf = polls::elf(name).ok_or("no such program")?;
        fs::write(folder.join(format!("poll-{name}.elf")), elf)?;
    }
    Ok(())
}

/// Runs a program. One in RAM starts at its entry; one in flash starts as the boot ROM starts it.
fn run(file: &str, until_ns: u64) -> Result<(), Box<dyn Error>> {
    let image = Image::parse(&fs::read(file)?)?;
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(&image)?;
    chip.set_debugged(true);
    match image.entry {
        Some(entry) if entry >= RAM_BASE => chip.core_mut(0).begin(RAM_BASE, RAM_BASE, entry),
        _ => chip.power_on()?,
    }
    match chip.run(until_ns) {
        Halt::Time | Halt::Breakpoint(0, 0xAB) => {
            report(&chip);
            Ok(())
        }
        halt => Err(format!("{file} stopped: {halt:?}").into()),
    }
}

/// Prints the instructions and cycles of core 0.
fn report(chip: &Chip) {
    println!("{} {}", chip.core(0).instructions(), chip.core(0).cycles());
}
