//! Random register values and random programs never cause a panic.

use super::*;

#[test]
fn no_value_in_any_register_of_a_device_is_a_panic() {
    const BLOCKS: [u32; 39] = [
        0x4003_0000,
        0x4004_C000,
        0x4005_C000,
        0x4006_C000,
        0x5040_0000,
        0x1500_0000,
        0x4000_0000,
        0x4000_8000,
        0x4000_C000,
        0x4001_0000,
        0x4001_4000,
        0x4001_C000,
        0x4002_4000,
        0x4002_8000,
        0x4003_4000,
        0x4003_8000,
        0x4004_4000,
        0x4004_8000,
        0x4005_4000,
        0x4005_8000,
        0x4006_0000,
        0x4006_4000,
        0x4000_4000,
        0x4001_8000,
        0x4002_0000,
        0x4003_C000,
        0x4004_0000,
        0x4005_0000,
        0x5000_0000,
        0x5020_0000,
        0x5020_0000,
        0x5030_0000,
        0x5030_0000,
        0x5010_0000,
        0x5011_0000,
        0x1400_0000,
        0x1800_0000,
        0xD000_0000,
        0xE000_E000,
    ];
    for seed in 1..=150 {
        println!("seed {seed}"); // the last one printed is the one that failed
        let mut state = 0x9E37_79B9u32.wrapping_mul(seed);
        let script: Vec<Do> = (0..200)
            .map(|_| {
                let block = BLOCKS[random(&mut state) as usize % BLOCKS.len()];
                let alias =
                    if matches!(block >> 28, 4 | 5) { random(&mut state) & 0x3000 } else { 0 };
                // The registers of most blocks are near the beginning; those of the system are not.
                let reach = if random(&mut state) & 1 == 0 { 0xFC } else { 0xFFC };
                let address = block + alias + (random(&mut state) & reach);
                match random(&mut state) % 3 {
                    0 => Read(address),
                    1 => Write(address, random(&mut state) & random(&mut state)),
                    _ => Write(address, random(&mut state)),
                }
            })
            .collect();
        let mut chip = chip(&script);
        // With levels each edge of a fast clock is an event.
        let part_ns = if seed % 4 == 0 { 20_000 } else { 50_000_000 };
        if seed % 4 == 0 {
            chip.observe_functions();
            chip.wire([seed as usize % PIN_COUNT, (seed as usize + 5) % PIN_COUNT]);
        }
        // The reason why it stops, and its state then, do not matter: it must return.
        for part in 1..40 {
            let halt = chip.run(part * part_ns);
            chip.drive(part as usize % PIN_COUNT, Drive::High);
            chip.send(part as usize % 2, part as u8);
            if let Halt::Breakpoint(core, _) = halt {
                let core = &mut chip.cores[usize::from(core)];
                core.set_register(15, core.pc() + 2);
            }
        }
    }
}

#[test]
fn no_sequence_of_bytes_is_a_panic() {
    for seed in 1..=300 {
        println!("seed {seed}"); // the last one printed is the one that failed
        let mut state = 0x85EB_CA6Bu32.wrapping_mul(seed);
        let mut flash = flash(&[]);
        for byte in &mut flash[0x200..] {
            *byte = random(&mut state) as u8;
        }
        let mut chip = Chip::new(FLASH_SIZE);
        chip.load(&Image::from_bin(&flash).unwrap()).unwrap();
        chip.power_on().unwrap();
        for number in 0..13 {
            let base = [RAM_BASE, 0x4000_0000, 0xD000_0000, FLASH_BASE][number % 4];
            chip.cores[0].set_register(number, base + (random(&mut state) & 0xFFFC));
        }
        for part in 1..20 {
            chip.run(part * 1_000_000);
        }
    }
}
