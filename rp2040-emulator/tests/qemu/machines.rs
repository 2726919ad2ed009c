//! The two machines that run an image: qemu's micro:bit, and our core. Both answer the few
//! semihosting calls that the harness makes, and return what it wrote.

use std::fs;
use std::process::{Command, Stdio};

use rp2040_emulator::bus::{Access, Bus, BusFault};
use rp2040_emulator::cpu::{Cpu, Stop};
use rp2040_emulator::memory::Memory;

/// Size of the micro:bit's flash in bytes.
pub const FLASH_SIZE: usize = 256 * 1024;
/// Name of the file that the harness writes to.
pub const FILE: &str = "dump";

const QEMU: &str = "qemu-system-arm";
/// Number of cycles within which our core must reach the end of an image.
const CYCLE_LIMIT: u64 = 1_000_000_000;

/// Runs `image` from address 0 on qemu and returns what it wrote.
pub fn qemu(image: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = folder.path().join("image.bin");
    fs::write(&program, image).expect("the image is written");
    let run = Command::new(QEMU)
        .current_dir(folder.path())
        .args(["-M", "microbit", "-display", "none", "-monitor", "none", "-serial", "none"])
        .args(["-semihosting-config", "enable=on,target=native", "-device"])
        .arg(format!("loader,addr=0,force-raw=on,file={}", program.display()))
        .stdin(Stdio::null())
        .output();
    let output = run.unwrap_or_else(|error| {
        panic!("{QEMU} cannot be run ({error}): install it with `apt-get install {QEMU}`")
    });
    assert!(
        output.status.success(),
        "{QEMU} ended with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    fs::read(folder.path().join(FILE)).expect("the image has written its file")
}

/// The bus of a micro:bit without its devices, because the harness accesses none.
struct NoDevices;

impl Bus for NoDevices {
    fn read(&mut self, _: Access) -> Result<u32, BusFault> {
        Err(BusFault)
    }

    fn write(&mut self, _: Access, _: u32) -> Result<(), BusFault> {
        Err(BusFault)
    }

    fn interrupts(&mut self, _: u8, _: u64) -> u32 {
        0
    }

    fn next_change(&self, _: u8) -> u64 {
        u64::MAX
    }

    fn event(&mut self, _: u8) {}

    fn not_modelled(&mut self, access: Access, what: &'static str, _: bool) {
        panic!("{what} at {access:x?}");
    }
}

/// Runs `image` from address 0 on our core. Returns what it wrote and the number of instructions
/// that took.
pub fn ours(image: &[u8]) -> (Vec<u8>, u64) {
    let mut memory = Memory::new(FLASH_SIZE, 0);
    memory.load(0, image).expect("the image fits");
    let mut cpu = Cpu::new(0);
    cpu.set_debugged(true);
    cpu.reset(&memory, 0);
    let mut written = vec![];
    loop {
        match cpu.run(&mut memory, &mut NoDevices, CYCLE_LIMIT) {
            Stop::Breakpoint(0xAB) => {}
            stop => {
                let fault = cpu.fault().map(ToString::to_string).unwrap_or_default();
                panic!("our core stopped at 0x{:08x}: {stop:?}\n{fault}", cpu.pc());
            }
        }
        let argument = cpu.register(1);
        let word = |n: u32| memory.word(argument + 4 * n).expect("the arguments are in memory");
        match cpu.register(0) {
            // SYS_OPEN
            0x01 => cpu.set_register(0, 1),
            // SYS_WRITE: nothing is left unwritten.
            0x05 => {
                let (start, length) = (word(1), word(2));
                written.extend((start..start + length).map(|at| memory.byte(at).unwrap()));
                cpu.set_register(0, 0);
            }
            // SYS_EXIT
            0x18 => return (written, cpu.instructions()),
            call => panic!("semihosting call 0x{call:x}"),
        }
        cpu.set_register(15, cpu.pc() + 2);
    }
}
