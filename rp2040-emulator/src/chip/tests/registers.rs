//! Random values in every register of every device, as fast as the bus takes them.

use super::random;
use crate::chip::devices::Devices;
use crate::cpu::bus::{Access, Bus, Width};
use crate::cpu::memory::{Memory, RAM_BASE};

/// Every modelled block except the watchdog, which other tests cover.
const BLOCKS: [u32; 24] = [
    0x4000_0000,
    0x4000_4000,
    0x4000_8000,
    0x4000_C000,
    0x4001_0000,
    0x4001_4000,
    0x4001_8000,
    0x4001_C000,
    0x4002_0000,
    0x4002_4000,
    0x4002_8000,
    0x4003_4000,
    0x4003_8000,
    0x4003_C000,
    0x4004_0000,
    0x4005_0000,
    0x4005_4000,
    0x4005_8000,
    0x4006_0000,
    0x4006_4000,
    0x5000_0000,
    0x1400_0000,
    0x1800_0000,
    0xD000_0000,
];
/// Blocks whose state changes with time: half of the accesses go to them.
const MOVING: [u32; 5] = [0x4003_C000, 0x4004_0000, 0x4005_0000, 0x5000_0000, 0x4001_8000];

#[test]
fn no_value_in_any_register_is_a_panic_at_any_time() {
    for seed in 1..=40 {
        println!("seed {seed}"); // the last one printed is the one that failed
        let mut state = 0xC2B2_AE35u32.wrapping_mul(seed);
        let mut devices = Devices::new();
        let mut memory = Memory::new(16, 4096);
        let mut cycle = 0;
        // Out of reset, and with a clock where a block needs one.
        for (address, value) in [(0x4000_C000, 0), (0x4000_8048, 1 << 11)] {
            devices.write(access(address, Width::Word, cycle), value).expect("a register");
        }
        for _ in 0..3_000 {
            let blocks = if random(&mut state) & 1 == 0 { &BLOCKS[..] } else { &MOVING };
            let block = blocks[random(&mut state) as usize % blocks.len()];
            let aliased = matches!(block >> 28, 4 | 5);
            let alias = if aliased { random(&mut state) & 0x3000 } else { 0 };
            let reach = [0x3F, 0xFF, 0x1FF, 0xFFF][random(&mut state) as usize % 4];
            let width = [Width::Word, Width::Half, Width::Byte][random(&mut state) as usize % 3];
            let offset = random(&mut state) & reach & !(width.bytes() - 1);
            let access = access(block + alias + offset, width, cycle);
            // Where there is no register, the bus returns a fault.
            if random(&mut state).is_multiple_of(3) {
                let _ = devices.read(access);
            } else {
                // Addresses that a DMA channel can reach are more interesting than others.
                let value = match random(&mut state) % 4 {
                    0 => random(&mut state),
                    1 => random(&mut state) & random(&mut state) & random(&mut state),
                    2 => RAM_BASE + (random(&mut state) & 0x3FFFF),
                    _ => BLOCKS[random(&mut state) as usize % BLOCKS.len()] + offset,
                };
                let _ = devices.write(access, value & width.mask());
            }
            // At most a second at the usual rate.
            cycle += u64::from(random(&mut state)) >> (5 + random(&mut state) % 27);
            devices.interrupts((state & 1) as u8, cycle);
            devices.transfer(&mut memory, cycle);
            devices.clear_stop();
        }
    }
}

#[test]
fn an_alias_takes_a_word_from_the_fifo_of_an_i2c_but_not_of_a_pio() {
    const SET: u32 = 0x2000;
    let mut devices = Devices::new();
    // Ten cycles pass before every access.
    let cycle = std::cell::Cell::new(0);
    let next = |address| {
        cycle.set(cycle.get() + 10);
        access(address, Width::Word, cycle.get())
    };
    let write = |devices: &mut Devices, address, value| {
        devices.write(next(address), value).expect("a register");
    };
    let read = |devices: &mut Devices, address| devices.read(next(address));
    // PIO0's first machine: set x, 5; mov isr, x; push.
    for instruction in [0xE025, 0xA0C1, 0x8020] {
        write(&mut devices, 0x5020_00D8, instruction);
    }
    write(&mut devices, 0x5020_0020 + SET, 1);
    assert_eq!(read(&mut devices, 0x5020_000C), Ok(0x10), "one word received");
    assert_eq!(read(&mut devices, 0x5020_0020), Ok(5));
    // I2C0 as a target, to which another master sends a byte.
    for (offset, value) in [(0x00, 0), (0x08, 0x17), (0x6C, 1)] {
        write(&mut devices, 0x4004_4000 + offset, value);
    }
    assert!(devices.i2cs[0].call(0x17, false) && devices.i2cs[0].take_byte(0x40));
    assert_eq!(read(&mut devices, 0x4004_4078), Ok(1));
    write(&mut devices, 0x4004_4010 + SET, 2);
    assert_eq!(read(&mut devices, 0x4004_4078), Ok(0), "the byte is gone");
    assert_eq!(read(&mut devices, 0x4004_4074), Ok(1), "a command waits");
}

fn access(address: u32, width: Width, cycle: u64) -> Access {
    Access { core: (cycle & 1) as u8, address, width, cycle, pc: 0 }
}
