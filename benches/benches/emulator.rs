//! Speed of the core in a tight loop, in a loop like compiled code, and in a copy loop.
//!
//! `cargo bench -p benches --bench emulator` prints instructions a second (criterion's
//! `elem/s`). `scripts/bench-emulator.sh` compares the whole chip with rp2040js and qemu.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rp2040_emulator::bus::{Access, Bus, BusFault};
use rp2040_emulator::cpu::{Cpu, Stop};
use rp2040_emulator::memory::{Memory, RAM_BASE};

const CODE: u32 = RAM_BASE + 0x100;
/// Number of cycles in one measured run.
const CYCLES: u64 = 1_000_000;

/// `subs r0, #1; bne`, repeated forever.
const TIGHT: &[u16] = &[0x3801, 0xD1FD, 0xE7FC];

/// A loop over a table in memory: load, multiply, add, shift, compare, store, call and return.
const MIXED: &[u16] = &[
    0x5939, // ldr r1, [r7, r4]
    0x434A, // muls r2, r1
    0x18D2, // adds r2, r2, r3
    0x0ADB, // lsrs r3, r3, #11
    0x4053, // eors r3, r2
    0x513B, // str r3, [r7, r4]
    0x3404, // adds r4, #4
    0xB2E4, // uxtb r4, r4
    0xF000, 0xF802, // bl to the function
    0x2C00, // cmp r4, #0
    0xE7F3, // b to the start
    0xB510, // push {r4, lr}
    0x5D39, // ldrb r1, [r7, r4]
    0x2980, // cmp r1, #128
    0xD900, // bls
    0x3201, // adds r2, #1
    0xBD10, // pop {r4, pc}
];

/// Four words at a time, as a fast memcpy does.
const COPY: &[u16] = &[
    0x463E, // mov r6, r7
    0x463D, // mov r5, r7
    0x2440, // movs r4, #64
    0xCD0F, // ldm r5!, {r0-r3}
    0xC60F, // stm r6!, {r0-r3}
    0x3C01, // subs r4, #1
    0xD1FB, // bne to the ldm
    0xE7F7, // b to the start
];

#[derive(Clone)]
struct Nothing;

impl Bus for Nothing {
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

    fn not_modelled(&mut self, _: Access, _: &'static str, _: bool) {}
}

fn machine(code: &[u16]) -> (Cpu, Memory) {
    let mut memory = Memory::new(0, 0);
    let bytes: Vec<u8> = code.iter().flat_map(|halfword| halfword.to_le_bytes()).collect();
    memory.load(CODE, &bytes).expect("the code fits");
    let mut cpu = Cpu::new(0);
    cpu.begin(RAM_BASE, RAM_BASE + 0x1000, CODE | 1);
    cpu.set_register(7, RAM_BASE + 0x2000);
    (cpu, memory)
}

fn speed(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("core");
    for (name, code) in [("tight", TIGHT), ("mixed", MIXED), ("copy", COPY)] {
        let (mut cpu, mut memory) = machine(code);
        assert_eq!(cpu.run(&mut memory, &mut Nothing, CYCLES), Stop::Deadline, "{name}");
        let instructions = cpu.instructions();
        group.throughput(Throughput::Elements(instructions));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let deadline = cpu.cycles() + CYCLES;
                cpu.run(&mut memory, &mut Nothing, deadline)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, speed);
criterion_main!(benches);
