use super::*;
use crate::cpu::bus::{Access, BusFault};
use crate::cpu::memory::RAM_BASE;
use crate::cpu::mpu::Protection;
use crate::part::Part;

const STACK: u32 = RAM_BASE + 0x1000;
const CODE: u32 = RAM_BASE + 0x200;
/// Every vector points here: a handler that returns at once.
const HANDLER: u32 = RAM_BASE + 0x100;
const BX_LR: u16 = 0x4770;
const NOP: u16 = 0xBF00;
const WFI: u16 = 0xBF30;
const WFE: u16 = 0xBF20;
const SEV: u16 = 0xBF40;
const UDF: u16 = 0xDE2A;
const BKPT: u16 = 0xBE07;

/// Interrupt lines that change at given cycles, and one readable word in the I/O port.
#[derive(Clone, Default)]
struct Lines(Vec<(u64, u32)>, u64);

impl Bus for Lines {
    fn read(&mut self, access: Access) -> Result<u32, BusFault> {
        if access.address == 0xD000_0000 { Ok(0x5A) } else { Err(BusFault) }
    }

    fn write(&mut self, _: Access, _: u32) -> Result<(), BusFault> {
        Err(BusFault)
    }

    fn interrupts(&mut self, _: u8, cycle: u64) -> u32 {
        self.1 = cycle;
        self.0.iter().rev().find(|(at, _)| *at <= cycle).map_or(0, |(_, lines)| *lines)
    }

    fn next_change(&self, _: u8) -> u64 {
        self.0.iter().map(|(at, _)| *at).find(|at| *at > self.1).unwrap_or(u64::MAX)
    }

    fn event(&mut self, _: u8) {}

    fn not_modelled(&mut self, _: Access, _: &'static str, _: bool) {}
}

#[derive(Clone)]
struct Scene {
    cpu: Cpu,
    memory: Memory,
    lines: Lines,
}

/// A core that is about to execute `code`, with R6 pointing into memory and all interrupts on.
fn scene(code: &[u16]) -> Scene {
    let mut memory = Memory::new(0, 0);
    for vector in 0..48 {
        assert!(memory.store32(RAM_BASE + 4 * vector, HANDLER | 1));
    }
    assert!(memory.store16(HANDLER, BX_LR.into()));
    for (at, halfword) in (CODE..).step_by(2).zip(code) {
        assert!(memory.store16(at, (*halfword).into()));
    }
    let mut cpu = Cpu::new(0);
    cpu.begin(RAM_BASE, STACK, CODE | 1);
    cpu.set_debugged(true);
    cpu.set_register(6, RAM_BASE + 0x800);
    cpu.nvic.enable(u32::MAX);
    Scene { cpu, memory, lines: Lines::default() }
}

impl Scene {
    fn run(&mut self, cycles: u64) -> Stop {
        self.cpu.run(&mut self.memory, &mut self.lines, cycles)
    }
}

/// Executes one instruction, followed by BKPT wherever it may go, and counts its cycles.
#[track_caller]
fn check(code: &[u16], cycles: u64) {
    let mut padded = code.to_vec();
    padded.resize(32, BKPT);
    let mut scene = scene(&padded);
    // For branches through a register and loads from the I/O port.
    scene.cpu.set_register(0, CODE + 0x21);
    scene.cpu.set_register(5, 0xD000_0000);
    for slot in 0..9 {
        assert!(scene.memory.store32(STACK + 4 * slot, CODE + 0x21));
    }
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
    assert_eq!(scene.cpu.instructions(), 1);
    assert_eq!(scene.cpu.cycles(), cycles);
}

#[test]
fn data_processing_takes_one_cycle_and_so_does_multiplication() {
    check(&[0x1840], 1); // adds r0, r0, r1
    check(&[0x4348], 1); // muls r0, r1
    check(&[0x4610], 1); // mov r0, r2
    check(&[NOP], 1);
    check(&[0xB672], 1); // cpsid i
}

#[test]
fn loads_and_stores_take_two_cycles_and_on_the_io_port_one() {
    check(&[0x6830], 2); // ldr r0, [r6]
    check(&[0x7030], 2); // strb r0, [r6]
    check(&[0x6828], 1); // ldr r0, [r5]
}

#[test]
fn multiple_transfers_take_one_cycle_and_one_a_register() {
    check(&[0xB5F0], 6); // push {r4-r7, lr}
    check(&[0xBC0F], 5); // pop {r0-r3}
    check(&[0xBD0F], 8); // pop {r0-r3, pc}
    check(&[0xCE06], 3); // ldm r6!, {r1, r2}
    check(&[0xC606], 3); // stm r6!, {r1, r2}
}

#[test]
fn branches_take_two_cycles_if_taken() {
    check(&[0xD102], 1); // bne, not taken: nothing has cleared Z
    check(&[0xD002], 2); // beq
    check(&[0xE002], 2); // b
    check(&[0xF000, 0xF802], 3); // bl
    check(&[0x4700], 2); // bx r0
    check(&[0x4780], 2); // blx r0
    check(&[0x4687], 2); // mov pc, r0
}

#[test]
fn system_registers_and_barriers_take_three_cycles() {
    check(&[0xF3EF, 0x8010], 3); // mrs r0, PRIMASK
    check(&[0xF380, 0x8810], 3); // msr PRIMASK, r0
    check(&[0xF3BF, 0x8F5F], 3); // dmb
}

#[test]
fn an_interrupt_masked_by_primask_wakes_wfi() {
    let mut scene = scene(&[0xB672, WFI, BKPT]); // cpsid i; wfi
    scene.lines.0 = vec![(500, 1 << 3)];
    assert_eq!(scene.run(400), Stop::Deadline);
    assert!(scene.cpu.asleep());
    assert_eq!(scene.cpu.cycles(), 400);
    assert_eq!(scene.run(1000), Stop::Breakpoint(7));
    assert_eq!(scene.cpu.cycles(), 500);
    assert_eq!(scene.cpu.exception(), None);
}

#[test]
fn an_event_lets_one_wfe_pass_and_the_next_sleeps() {
    let mut scene = scene(&[SEV, WFE, WFE, BKPT]);
    assert_eq!(scene.run(100), Stop::Deadline);
    assert!(scene.cpu.asleep());
    assert_eq!(scene.cpu.pc(), CODE + 6);
    scene.cpu.set_event();
    assert_eq!(scene.run(200), Stop::Breakpoint(7));
}

#[test]
fn a_handler_begins_15_cycles_after_its_interrupt() {
    let mut scene = scene(&[NOP, NOP, NOP, NOP, NOP, NOP, BKPT]);
    assert!(scene.memory.store16(HANDLER, BKPT.into()));
    scene.lines.0 = vec![(3, 1)];
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
    assert_eq!(scene.cpu.exception(), Exception::new(16));
    assert_eq!(scene.cpu.cycles(), 3 + 15);
    assert_eq!(scene.memory.word(scene.cpu.register(13) + 24), Some(CODE + 6));
}

#[test]
fn a_more_urgent_interrupt_that_arrives_while_stacking_goes_first() {
    let mut scene = scene(&[NOP, NOP, NOP, BKPT]);
    assert!(scene.memory.store16(HANDLER, BKPT.into()));
    scene.cpu.nvic.set_field(16, 2);
    scene.lines.0 = vec![(1, 1), (10, 1 | 1 << 5)];
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
    assert_eq!(scene.cpu.exception(), Exception::new(21));
    assert_eq!(scene.cpu.register(13), STACK - 32, "one frame");
    assert_eq!(scene.cpu.register(14), 0xFFFF_FFF9);
}

#[test]
fn two_interrupts_share_one_frame() {
    let mut scene = scene(&[NOP, NOP, NOP, BKPT]);
    scene.lines.0 = vec![(1, 0b11), (2, 0)];
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
    assert_eq!(scene.cpu.register(13), STACK);
    // Three NOPs, an entry, two BX, one tail-chained entry, a return.
    assert_eq!(scene.cpu.cycles(), 3 + 15 + 2 + 6 + 2 + 10);
}

#[test]
fn systick_interrupts_when_it_reaches_zero() {
    let mut scene = scene(&[0xE7FE]); // b .
    assert!(scene.memory.store16(HANDLER, BKPT.into()));
    for (offset, value) in [(4, 99), (8, 0), (0, 7)] {
        scene.cpu.systick.write(offset, value, 0);
    }
    assert_eq!(scene.run(1000), Stop::Breakpoint(7));
    assert_eq!(scene.cpu.exception(), Some(Exception::SYSTICK));
    assert_eq!(scene.cpu.cycles(), 100 + 15);
}

#[test]
fn an_unprivileged_program_reaches_no_system_register() {
    // movs r0, #1; msr CONTROL, r0; cpsid i; ldr r1, [r7]
    let mut scene = scene(&[0x2001, 0xF380, 0x8814, 0xB672, 0x6839]);
    assert!(scene.memory.store16(HANDLER, BKPT.into()));
    scene.cpu.set_register(7, 0xE000_ED00);
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
    assert!(!scene.cpu.primask);
    let kind = scene.cpu.fault().map(|fault| fault.kind);
    assert_eq!(kind, Some(CoreFaultKind::Load { address: 0xE000_ED00 }));
}

#[test]
fn a_fault_in_the_fault_handler_locks_the_core_up() {
    let mut scene = scene(&[UDF]);
    assert!(scene.memory.store16(HANDLER, UDF.into()));
    assert_eq!(scene.run(100), Stop::Lockup);
    assert_eq!(scene.run(200), Stop::Lockup);
    let fault = scene.cpu.fault().expect("a fault");
    assert!(fault.lockup);
    assert_eq!(fault.pc, HANDLER);
}

#[test]
fn a_report_names_the_instruction_the_registers_and_the_reason() {
    let mut scene = scene(&[0x3601, 0x6830]); // adds r6, #1; ldr r0, [r6]
    assert!(scene.memory.store16(HANDLER, BKPT.into()));
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
    let report = scene.cpu.fault().expect("a fault").to_string();
    assert_eq!(
        report,
        "HardFault on core 0 at 0x20000202, cycle 1: unaligned access to 0x20000801
  0x20000202  ldr r0, [r6]
   r0 00000000   r1 00000000   r2 00000000   r3 00000000
   r4 00000000   r5 00000000   r6 20000801   r7 00000000
   r8 00000000   r9 00000000  r10 00000000  r11 00000000
  r12 00000000   sp 20001000   lr ffffffff   pc 20000202
  flags ----, in thread mode"
    );
}

#[test]
fn running_out_of_memory_is_a_fault_there() {
    let mut scene = scene(&[0x4700]); // bx r0
    assert!(scene.memory.store16(HANDLER, BKPT.into()));
    scene.cpu.set_register(0, 0x3000_0001);
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
    let fault = scene.cpu.fault().expect("a fault");
    assert_eq!((fault.kind, fault.pc), (CoreFaultKind::Fetch, 0x3000_0000));
}

#[test]
fn a_hard_fault_without_room_for_its_frame_has_its_handler() {
    let mut scene = scene(&[UDF]);
    assert!(scene.memory.store16(HANDLER, BKPT.into()));
    scene.cpu.set_register(13, 0x1000);
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
    assert_eq!(scene.cpu.exception(), Some(Exception::HARD_FAULT));
    assert_eq!((scene.cpu.register(13), scene.cpu.register(14)), (0xFE0, 0xFFFF_FFF9));
    let fault = scene.cpu.fault().expect("a fault");
    let expected = (CoreFaultKind::Undefined, CODE, Some(0xFE0), false);
    assert_eq!((fault.kind, fault.pc, fault.lost_frame, fault.lockup), expected);
    let report = fault.to_string();
    assert!(report.contains("the stack has no room for the fault's frame: 0x00000fe0"), "{report}");
    // The handler's own push is another fault.
    assert!(scene.memory.store16(HANDLER, 0xB500)); // push {lr}
    scene.cpu.set_register(15, HANDLER);
    assert_eq!(scene.run(200), Stop::Lockup);
}

#[test]
fn an_interrupt_without_room_for_its_frame_is_a_hard_fault() {
    let mut scene = scene(&[NOP, NOP, NOP]);
    assert!(scene.memory.store16(HANDLER, BKPT.into()));
    scene.lines.0.push((1, 1));
    scene.cpu.set_register(13, 0x1000);
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
    assert_eq!(scene.cpu.exception(), Some(Exception::HARD_FAULT));
    let kind = scene.cpu.fault().map(|fault| fault.kind);
    assert_eq!(kind, Some(CoreFaultKind::Stacking { address: 0xFE0 }));
}

#[test]
fn an_nmi_in_the_fault_handler_without_room_for_its_frame_is_a_lockup() {
    let mut scene = scene(&[UDF]);
    assert!(scene.memory.store16(HANDLER, NOP.into()));
    assert!(scene.memory.store16(HANDLER + 2, NOP.into()));
    scene.run(18);
    assert_eq!(scene.cpu.exception(), Some(Exception::HARD_FAULT));
    scene.cpu.set_register(13, 0x1000);
    scene.cpu.nvic.pend(Exception::NMI);
    assert_eq!(scene.run(100), Stop::Lockup);
}

#[test]
fn udf_in_the_range_of_native_calls_stops_the_core() {
    let mut scene = scene(&[UDF, BKPT]);
    scene.cpu.set_native_calls(CODE + 2);
    assert_eq!(scene.run(100), Stop::NativeCall(42));
    assert_eq!(scene.cpu.pc(), CODE);
    scene.cpu.set_register(15, CODE + 2);
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
}

#[test]
fn code_that_rewrites_itself_executes_what_it_wrote() {
    // adds r0, #1; strh r1, [r7]; b back to the start, until the store has made it BKPT.
    let mut scene = scene(&[0x3001, 0x8039, 0xE7FC]);
    scene.cpu.set_register(1, BKPT.into());
    scene.cpu.set_register(7, CODE);
    assert_eq!(scene.run(100), Stop::Breakpoint(7));
    assert_eq!(scene.cpu.register(0), 1);
}

#[test]
fn a_clone_continues_as_the_original_does() {
    let mut one = scene(&[0x3001, 0x1840, 0x6030, 0xE7FB]); // a loop that adds and stores
    one.lines.0 = (1..50).map(|n| (n * 37, u32::from(n % 2 == 0))).collect();
    assert_eq!(one.run(500), Stop::Deadline);
    let mut other = one.clone();
    one.run(2000);
    other.run(1000);
    other.run(2000);
    assert_eq!(one.cpu.registers, other.cpu.registers);
    assert_eq!(one.cpu.cycles, other.cpu.cycles);
    assert_eq!(one.cpu.instructions, other.cpu.instructions);
}

#[test]
fn a_reset_request_stops_the_run() {
    let mut scene = scene(&[0x6039, BKPT]); // str r1, [r7]
    scene.cpu.set_register(1, 0x05FA_0004);
    scene.cpu.set_register(7, 0xE000_ED0C);
    assert_eq!(scene.run(100), Stop::ResetRequest);
}

#[test]
fn a_pair_does_what_its_two_instructions_do() {
    // subs r0, #1; cmp r0, #1; cmp r0, r1; tst r0, r1; lsls r0, r1, #1
    for first in [0x3801, 0x2801, 0x4288, 0x4208, 0x0048] {
        for condition in 0..14 {
            for values in Part::of_this_run().pick(0..25) {
                let value = |n: usize| [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF][n % 5];
                let mut at_once = scene(&[first, 0xD001 | condition << 8, NOP, NOP, NOP, BKPT]);
                at_once.cpu.set_register(0, value(values));
                at_once.cpu.set_register(1, value(values / 5));
                let mut slowly = at_once.clone();
                assert_eq!(at_once.run(100), Stop::Breakpoint(7));
                let stops = (1..=100).map(|cycle| slowly.run(cycle));
                assert_eq!(stops.last(), Some(Stop::Breakpoint(7)));
                let state = |scene: &Scene| {
                    let cpu = &scene.cpu;
                    (cpu.registers, cpu.xpsr(), cpu.cycles(), cpu.instructions())
                };
                assert_eq!(state(&slowly), state(&at_once), "{first:04x}, {condition}, {values}");
            }
        }
    }
}

#[test]
fn a_deadline_separates_a_comparison_from_its_branch() {
    let mut scene = scene(&[0x2800, 0xD0FD]); // cmp r0, #0; beq to the cmp
    for cycle in [1, 3, 4, 6, 7] {
        assert_eq!(scene.run(cycle), Stop::Deadline);
        assert_eq!(scene.cpu.cycles(), cycle);
        assert_eq!(scene.cpu.pc(), if cycle % 3 == 1 { CODE + 2 } else { CODE });
    }
}

/// A scene whose MPU forbids the 256 bytes at R6 and permits the rest to privileged programs.
fn guarded(code: &[u16]) -> Scene {
    let mut scene = scene(code);
    scene.cpu.mpu.set_base(RAM_BASE + 0x800);
    scene.cpu.mpu.set_attributes(7 << 1 | 1);
    scene.cpu.mpu.set_control(5);
    scene
}

#[test]
fn an_access_that_the_mpu_forbids_is_a_hard_fault_without_effect() {
    for (code, address) in [
        (0x6030, 0x800), // str r0, [r6]
        (0x7830, 0x800), // ldrb r0, [r6]
        (0xC60F, 0x800), // stm r6!, {r0-r3}
    ] {
        let mut scene = guarded(&[code, BKPT]);
        scene.cpu.set_register(0, 7);
        scene.run(15);
        let fault = scene.cpu.fault().map(|fault| (fault.kind, fault.pc));
        let address = RAM_BASE + address;
        assert_eq!(fault, Some((CoreFaultKind::Protected { address }, CODE)), "{code:x}");
        assert_eq!(scene.memory.word(address), Some(0));
        assert_eq!(scene.cpu.exception(), Some(Exception::HARD_FAULT));
    }
}

#[test]
fn the_mpu_costs_no_cycles_and_a_stack_may_end_at_its_guard() {
    let code = [0x1840, 0x4348, 0xB5F0, 0xBDF0];
    let cycles = |mut scene: Scene| {
        scene.cpu.set_register(14, CODE + 9);
        scene.memory.store16(CODE + 8, BKPT.into());
        assert_eq!(scene.run(1_000), Stop::Breakpoint(7));
        (scene.cpu.cycles(), scene.cpu.instructions())
    };
    assert_eq!(cycles(guarded(&code)), cycles(scene(&code)));
    let mut deep = guarded(&[0xB5F0]);
    assert!(deep.memory.store16(HANDLER, BKPT.into()));
    deep.cpu.set_register(13, RAM_BASE + 0x900 + 16);
    assert_eq!(deep.run(100), Stop::Breakpoint(7));
    let fault = deep.cpu.fault().expect("a fault");
    let kind = CoreFaultKind::Protected { address: RAM_BASE + 0x8FC };
    // There is no room for the fault's frame either.
    assert_eq!((fault.kind, fault.lost_frame), (kind, Some(RAM_BASE + 0x8F0)));
    assert_eq!(deep.memory.word(RAM_BASE + 0x8FC), Some(0));
}

/// Returns the core's fault of a program that reaches the guard at cycle 1,000 or later.
#[track_caller]
fn fault_after_a_loop(code: &[u16]) -> CoreFault {
    // movs r0, #200; subs r0, #1; bne to the subs.
    let mut scene = guarded(&[&[0x20C8, 0x3801, 0xD1FD], code].concat());
    assert!(matches!(scene.cpu.protection(), Protection::Guard(_)));
    assert!(scene.memory.store16(HANDLER, BKPT.into()));
    assert_eq!(scene.run(10_000), Stop::Breakpoint(7));
    assert!(scene.cpu.cycles() > 600);
    scene.cpu.fault().expect("a fault").clone()
}

#[test]
fn a_program_beside_its_guard_is_executed_block_by_block_and_faults_exactly() {
    let at = CODE + 6;
    // movs r7, #0; subs r7, #1; then str r0, [r6, #4], ldr r0, [r6] or ldm r6!, {r0, r1}.
    for code in [0x6070, 0x6830, 0xCE03] {
        let fault = fault_after_a_loop(&[0x2700, 0x3F01, code]);
        assert_eq!(fault.pc, at + 4, "{code:04x}");
        assert!(matches!(fault.kind, CoreFaultKind::Protected { .. }), "{fault}");
    }
    // adds r6, #1; bx r6.
    let fault = fault_after_a_loop(&[0x3601, 0x4730]);
    let address = RAM_BASE + 0x800;
    assert_eq!((fault.kind, fault.pc), (CoreFaultKind::Protected { address }, address));
}

#[test]
fn an_instruction_that_ends_in_the_guard_is_not_fetched() {
    let mut scene = guarded(&[]);
    assert!(scene.memory.store16(HANDLER, BKPT.into()));
    let at = RAM_BASE + 0x7FC;
    // nop; bl to itself, whose second half is the first of the guard.
    for (offset, half) in [(0, NOP), (2, 0xF7FF), (4, 0xFFFE)] {
        assert!(scene.memory.store16(at + offset, half.into()));
    }
    scene.cpu.set_register(15, at);
    assert_eq!(scene.run(1_000), Stop::Breakpoint(7));
    let fault = scene.cpu.fault().map(|fault| (fault.kind, fault.pc));
    let address = RAM_BASE + 0x800;
    assert_eq!(fault, Some((CoreFaultKind::Protected { address }, at + 2)));
}

#[test]
fn both_ways_of_a_branch_are_recorded_but_not_skipped_code() {
    // subs r0, #1; bne back to it; beq to the last; nop; bkpt.
    let code = [0x3801, 0xD1FD, 0xD000, NOP, BKPT];
    for times in [1, 2] {
        let mut scene = scene(&code);
        scene.memory.record_execution();
        scene.cpu.set_register(0, times);
        scene.run(100);
        let execution = scene.memory.execution();
        let seen: Vec<_> = (0..5)
            .map(|nth| execution.at(CODE + 2 * nth))
            .map(|departures| (departures.on, departures.elsewhere))
            .collect();
        let both = times == 2;
        let expected = [(true, false), (true, both), (false, true), (false, false), (true, false)];
        assert_eq!(seen, expected);
        assert!(!execution.at(CODE + 10).any() && !execution.at(0x4000_0000).any());
    }
}
