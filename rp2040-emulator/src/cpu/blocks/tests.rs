//! Tests that both loops give the same state at every deadline.

use std::ops::RangeInclusive;

use crate::cpu::Cpu;
use crate::cpu::bus::{Access, Bus, BusFault};
use crate::cpu::memory::{FLASH_BASE, Memory, RAM_BASE};
use crate::cpu::mpu::Protection;
use crate::part::Part;

const VECTORS: u32 = RAM_BASE;
const HANDLER: u32 = RAM_BASE + 0x100;
const CODE: u32 = RAM_BASE + 0x200;
const DATA: u32 = RAM_BASE + 0x1000;
const STACK: u32 = RAM_BASE + 0x2000;
const DEVICE: u32 = 0x4000_0000;
/// Address at which a load or store takes one cycle less.
const SINGLE_CYCLE: u32 = 0xD000_0000;
const FLASH_CODE: u32 = FLASH_BASE + 0x100;
const FLASH_SIZE: usize = 4096;
const BYTES_OF_RAM: u32 = 0x2800;

/// Handler that skips the instruction that has faulted: ldr r0, [sp, #24]; adds r0, #2; str r0,
/// [sp, #24]; movs r0, #1; bx lr. Interrupts and SVC come here too.
const SKIP: [u16; 5] = [0x9806, 0x3002, 0x9006, 0x2001, 0x4770];

/// xorshift32.
struct Random(u32);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    fn below(&mut self, end: u32) -> u32 {
        self.word() % end
    }
}

/// A device whose value changes every 64 cycles, and an interrupt line that is high for 16 cycles
/// of each `period`. A write of an odd number raises another line until the core samples the lines.
/// The device notes every access, and can report until when its value stays the same.
#[derive(Clone, Debug, Default)]
struct Device {
    period: u64,
    sampled: u64,
    raised: bool,
    /// Whether loads are not noted.
    polled: bool,
    says_steady: bool,
    read_at: u64,
    accesses: Vec<(Access, u32)>,
}

fn is_device(address: u32) -> bool {
    [DEVICE, SINGLE_CYCLE].iter().any(|device| address >> 20 == device >> 20)
}

impl Bus for Device {
    fn read(&mut self, access: Access) -> Result<u32, BusFault> {
        let value = (access.cycle / 64) as u32 & access.width.mask();
        self.read_at = access.cycle;
        if !self.polled {
            self.accesses.push((access, value));
        }
        if is_device(access.address) { Ok(value) } else { Err(BusFault) }
    }

    fn write(&mut self, access: Access, value: u32) -> Result<(), BusFault> {
        self.accesses.push((access, value));
        self.raised |= value & 1 != 0;
        if is_device(access.address) { Ok(()) } else { Err(BusFault) }
    }

    fn interrupts(&mut self, _: u8, cycle: u64) -> u32 {
        self.sampled = cycle;
        u32::from(cycle % self.period < 16) | u32::from(std::mem::take(&mut self.raised)) << 1
    }

    fn next_change(&self, _: u8) -> u64 {
        if self.raised {
            return 0;
        }
        let begun = self.sampled - self.sampled % self.period;
        if self.sampled - begun < 16 { begun + 16 } else { begun + self.period }
    }

    fn steady_until(&self, _: u8, _: u32) -> u64 {
        if self.says_steady { (self.read_at / 64 + 1) * 64 } else { 0 }
    }

    fn event(&mut self, _: u8) {}

    fn not_modelled(&mut self, _: Access, _: &'static str, _: bool) {}
}

/// Returns a halfword that begins a random instruction.
fn instruction(random: &mut Random) -> u16 {
    let any = random.word() as u16;
    match random.below(16) {
        // Arithmetic.
        0..=4 => any & 0x3FFF,
        5 => 0x4000 | any & 0x3FF,
        6 => 0x4400 | any & 0x3FF,
        // Loads and stores through R4 to R7.
        7 | 8 => 0x6000 | any & 0x1FFF & !0x38 | 0x20 | any & 0x18,
        9 => 0x8000 | any & 0x0FFF & !0x38 | 0x20 | any & 0x18,
        10 => 0xC000 | any & 0x0FFF | 0x0400,
        11 => 0xB400 | any & 0x09FF,
        12 => 0xD000 | any & 0x0F1F,
        13 => 0xE000 | any & 0x000F,
        14 => 0x2800 | any & 0x07FF,
        _ => any,
    }
}

/// Returns a loop that polls the device through R6: a load, some instructions that mostly compute,
/// and a conditional branch back to the load or to the instruction before it.
fn polling_loop(random: &mut Random) -> Vec<u16> {
    let target = random.below(4) as u16;
    let mut code = vec![0x2000 | random.word() as u16 & 0x7FF & !0x400]; // movs to r0 to r3
    code.push(0x6830 | target); // ldr, r0 to r3
    for _ in 0..random.below(4) {
        let any = random.word() as u16 & !0x24;
        code.push(match random.below(8) {
            // Shifts, additions, and comparisons of r0 to r3.
            0..=3 => (any & 0x1FFF).min(0x1BFF),
            4 => 0x2800 | any & 0x03FF,
            5 | 6 => 0x4000 | any & 0x3DB,
            _ => instruction(random),
        });
    }
    let back = code.len() as u16 + 2 - random.below(2) as u16 - 1;
    let condition = random.below(14) as u16;
    code.push(0xD000 | condition << 8 | (0x100 - back) & 0xFF);
    code
}

/// Creates a machine with a random program in RAM and in flash: each part loads its registers
/// repeatedly, and the parts jump to each other. With `polls` it has polling loops.
fn machine(random: &mut Random, polls: bool) -> (Cpu, Memory) {
    let mut memory = Memory::new(0, FLASH_SIZE);
    let mut bytes = |address: u32, halfwords: &[u16]| {
        let bytes: Vec<u8> = halfwords.iter().flat_map(|half| half.to_le_bytes()).collect();
        memory.load(address, &bytes).expect("it fits");
    };
    for vector in 0..48 {
        bytes(VECTORS + 4 * vector, &[(HANDLER | 1) as u16, (HANDLER >> 16) as u16]);
    }
    bytes(HANDLER, &SKIP);
    let device = if random.below(4) == 0 { SINGLE_CYCLE } else { DEVICE };
    let pointers = [DATA, CODE + 2 * random.below(64), device, DATA + random.below(64)];
    for (at, other) in [(CODE, FLASH_CODE), (FLASH_CODE, CODE)] {
        // ldr r4, r5, r6, r7 and r3 from after the prologue; then over the literals.
        let mut code = vec![0x4C02, 0x4D03, 0x4E03, 0x4F04, 0x4B04, 0xE009];
        for word in pointers.into_iter().chain([other | 1]) {
            code.extend([word as u16, (word >> 16) as u16]);
        }
        let length = 8 + random.below(56);
        for _ in 0..length {
            match polls && random.below(5) == 0 {
                true => code.extend(polling_loop(random)),
                false => code.push(instruction(random)),
            }
        }
        // ldr r3, the literal of `other`; bx r3, or round again.
        let end = code.len();
        let back = |at: usize| 0xE000 | (0x800 - at as u16 - 2) & 0x7FF;
        code.push(if random.below(2) == 0 { back(end) } else { 0x4718 });
        code.extend([back(end + 1), back(end + 2)]);
        bytes(at, &code);
    }
    let mut cpu = Cpu::new(0);
    cpu.begin(VECTORS, STACK, CODE | 1);
    cpu.nvic.enable(u32::MAX);
    (cpu, memory)
}

fn state(cpu: &Cpu, memory: &Memory) -> impl PartialEq + std::fmt::Debug + use<> {
    let registers: [u32; 16] = std::array::from_fn(|number| cpu.register(number));
    let ram = (0..BYTES_OF_RAM).step_by(4).map(|at| memory.word(RAM_BASE + at));
    let ram = ram
        .fold(0u64, |sum, word| sum.wrapping_mul(31).wrapping_add(word.unwrap_or_default().into()));
    let counts = (cpu.cycles(), cpu.instructions(), cpu.slept());
    (registers, cpu.xpsr(), counts, ram, cpu.fault().cloned())
}

/// Bits of the MPU's registers: VALID of RBAR; SIZE (256 bytes) and ENABLE of RASR.
const VALID: u32 = 1 << 4;
const SMALLEST: u32 = 7 << 1;
const ENABLE: u32 = 1;

/// Protects random subregions of the data, the stack or the code: from all accesses, from stores or
/// from execution.
fn guard(cpu: &mut Cpu, random: &mut Random) {
    let region = match random.below(5) {
        0 | 1 => DATA,
        2 | 3 => STACK - 0x100,
        _ => CODE,
    };
    let (none, read_only, not_executed) = (0, 6 << 24, 3 << 24 | 1 << 28);
    let permission = [none, read_only, not_executed][random.below(3) as usize];
    let switched_off = (random.word() & 0x7F) << 8;
    cpu.mpu.set_base(region | VALID);
    cpu.mpu.set_attributes(permission | switched_off | SMALLEST | ENABLE);
    cpu.mpu.set_control(5);
}

/// Runs one random program with both loops and compares their states at random deadlines. With
/// `polls` the fast loop may skip rounds of polling loops and the other may not. Returns the
/// skipped cycles. With `guarded` a part of the RAM is protected; the other loop checks every
/// access.
#[track_caller]
fn check(seed: u32, polls: bool, guarded: bool) -> (u64, u64) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9) | 1);
    let (mut cpu, mut memory) = machine(&mut random, polls);
    if guarded {
        guard(&mut cpu, &mut random);
        cpu.set_block_wise(!seed.is_multiple_of(4));
    }
    let period = 90 + u64::from(random.below(900));
    let mut device = Device { period, polled: polls, ..Device::default() };
    if seed.is_multiple_of(3) {
        memory.record_execution();
    }
    let (mut other, mut others, mut its) = (cpu.clone(), memory.clone(), device.clone());
    other.set_block_wise(false);
    if guarded {
        // No access to the private bus is ever refused.
        other.mpu.set_base(0xE000_0000 | VALID | 1);
        other.mpu.set_attributes(SMALLEST | ENABLE);
        let found = [&cpu, &other].map(|cpu| matches!(cpu.protection(), Protection::Guard(_)));
        assert_eq!(found, [true, false]);
    }
    device.says_steady = polls;
    let mut deadline = 0;
    for _ in 0..150 {
        deadline += u64::from(1 + random.below(400));
        let stop = cpu.run(&mut memory, &mut device, deadline);
        assert_eq!(stop, other.run(&mut others, &mut its, deadline), "seed {seed}");
        assert_eq!(state(&cpu, &memory), state(&other, &others), "seed {seed}, until {deadline}");
        assert_eq!(device.accesses, its.accesses, "seed {seed}, until {deadline}");
    }
    assert_eq!(memory.execution(), others.execution(), "seed {seed}");
    (cpu.instructions(), cpu.skipped())
}

/// Checks the programs of this run's part. Returns their number, and the sums of what `check` returns.
fn check_all(seeds: RangeInclusive<u32>, check: impl Fn(u32) -> (u64, u64)) -> (u64, (u64, u64)) {
    Part::of_this_run()
        .pick(seeds)
        .map(check)
        .fold((0, (0, 0)), |(programs, sum), one| (programs + 1, (sum.0 + one.0, sum.1 + one.1)))
}

#[test]
fn random_programs_have_the_same_states_at_all_deadlines() {
    let (programs, (instructions, _)) = check_all(1..=400, |seed| check(seed, false, false));
    // Some programs lock up; most do not.
    assert!(instructions > programs * 1_000, "{instructions} instructions");
}

#[test]
fn skipped_rounds_of_polling_loops_give_the_same_states() {
    let (programs, (instructions, skipped)) = check_all(1..=600, |seed| check(seed, true, false));
    assert!(instructions > programs * 1_000, "{instructions} instructions");
    assert!(skipped > programs * 100, "{skipped} cycles skipped");
}

#[test]
fn a_guarded_part_of_the_ram_gives_the_same_states_as_a_check_of_every_access() {
    // In a part of sixteen all seeds are odd, or all are even.
    let (programs, (instructions, _)) =
        check_all(1..=800, |seed| check(seed, (seed / 16).is_multiple_of(2), true));
    // Programs lock up when the handler cannot be executed.
    assert!(instructions > programs * 500, "{instructions} instructions");
}

/// Returns a core that begins with `code`, and the memory with that code at `address`.
fn core_with(code: &[u16], address: u32) -> (Cpu, Memory) {
    let mut memory = Memory::new(0, FLASH_SIZE);
    let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
    memory.load(address, &bytes).expect("it fits");
    let mut cpu = Cpu::new(0);
    cpu.begin(VECTORS, STACK, address | 1);
    (cpu, memory)
}

#[test]
fn every_deadline_ends_a_loop_at_the_same_instruction() {
    // A comparison and its branch are the last of their block: UDF is in none.
    let code: [u16; 6] = [
        0x3101, // adds r1, #1
        0x6039, // str r1, [r7]
        0x683A, // ldr r2, [r7]
        0x3801, // subs r0, #1
        0xD1FA, // bne to the adds
        0xDE00, // udf
    ];
    let (mut cpu, memory) = core_with(&code, CODE);
    cpu.set_register(0, 1000);
    cpu.set_register(7, DATA);
    for deadline in 64..200 {
        let (mut cpu, mut memory) = (cpu.clone(), memory.clone());
        let (mut other, mut others) = (cpu.clone(), memory.clone());
        other.set_block_wise(false);
        let mut device = Device { period: 10_000, sampled: 16, ..Device::default() };
        for end in [deadline, 2 * deadline] {
            let stop = cpu.run(&mut memory, &mut device, end);
            assert_eq!(stop, other.run(&mut others, &mut device.clone(), end));
            assert_eq!(state(&cpu, &memory), state(&other, &others), "until {end}");
        }
    }
}

#[test]
fn the_most_frequent_tests_of_a_polled_register_set_their_flags() {
    // lsls r2, r2, #29 with bpl and bmi; tst r2, r3 with beq and bne.
    for (test, branch) in [(0x0752, 0xD5FC), (0x0752, 0xD4FC), (0x421A, 0xD0FC), (0x421A, 0xD1FC)] {
        // ldr r2, [r7]; the test; the branch to the ldr; adcs r1, r1; b to the ldr.
        let code: [u16; 5] = [0x683A, test, branch, 0x4149, 0xE7FA];
        let (mut cpu, mut memory) = core_with(&code, CODE);
        cpu.set_register(1, 1);
        cpu.set_register(3, 4);
        cpu.set_register(7, DEVICE);
        let (mut other, mut others) = (cpu.clone(), memory.clone());
        other.set_block_wise(false);
        let mut its = Device { period: 100_000, sampled: 16, polled: true, ..Device::default() };
        let mut device = Device { says_steady: true, ..its.clone() };
        for deadline in (100..20_000).step_by(37) {
            cpu.run(&mut memory, &mut device, deadline);
            other.run(&mut others, &mut its, deadline);
            assert_eq!(state(&cpu, &memory), state(&other, &others), "{test:x}, until {deadline}");
        }
        assert!(cpu.skipped() > 1_000, "{test:x}: {} cycles skipped", cpu.skipped());
    }
}

#[test]
fn a_programmed_literal_is_loaded_again() {
    // ldr r0, the third word; b to the ldr; two NOPs; the word, which is erased.
    let code: [u16; 6] = [0x4801, 0xE7FD, 0xBF00, 0xBF00, 0xFFFF, 0xFFFF];
    let (mut cpu, mut memory) = core_with(&code, FLASH_CODE);
    let mut device = Device { period: 10_000, sampled: 16, ..Device::default() };
    cpu.run(&mut memory, &mut device, 100);
    assert_eq!(cpu.register(0), 0xFFFF_FFFF);
    assert!(memory.program_flash(FLASH_CODE - FLASH_BASE + 8, &[1, 2, 3, 4]));
    cpu.run(&mut memory, &mut device, 200);
    assert_eq!(cpu.register(0), 0x0403_0201);
}
