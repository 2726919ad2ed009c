//! Profile and counts of a chip that runs at full speed, against those of one that is stepped:
//! every function with its callers, cycles and calls, and the executions of every instruction.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rp2040_emulator::chip::{StepEvent, Turns};
use rp2040_emulator::cpu::StepOutcome;
use rp2040_emulator::image::Image;
use rp2040_emulator::instruction::Instruction;

use super::*;

const FLASH_SIZE: usize = 2 << 20;

/// Follows every step of a chip.
struct Stepper<'a> {
    symbols: &'a Symbols,
    profile: Profile,
    known: HashMap<(usize, u32), usize>,
    stacks: [CallStack; 2],
    executions: HashMap<u32, u64>,
}

impl<'a> Stepper<'a> {
    fn new(symbols: &'a Symbols, chip: &Chip) -> Self {
        let stack = |number| CallStack {
            frames: vec![],
            node: number,
            function: 0..0,
            called: 0,
            at: 0,
            runs: true,
            awake: awake(chip, number),
        };
        let (profile, known) = (Profile::default(), HashMap::new());
        let stacks = [stack(0), stack(1)];
        Self { symbols, profile, known, stacks, executions: HashMap::new() }
    }

    fn find(&mut self, core: usize, pc: u32) {
        let stack = &mut self.stacks[core];
        let parent = stack.frames.last().map_or(core, |frame| frame.node);
        let (function, name) = match (self.symbols.range(pc), self.symbols.find(pc)) {
            (Some(range), Some((name, _))) => (range, name),
            _ if pc < FLASH_BASE => (0..FLASH_BASE, "(ROM)"),
            _ => (pc..pc.saturating_add(2), "(unknown)"),
        };
        let key = if name == "(unknown)" { u32::MAX } else { function.start };
        let nodes = &mut self.profile.nodes;
        let node = *self.known.entry((parent, key)).or_insert_with(|| {
            nodes.push(Node { parent: Some(parent), name: name.to_owned(), cycles: 0, calls: 0 });
            nodes.len() - 1
        });
        nodes[node].calls += std::mem::take(&mut stack.called);
        (stack.node, stack.function) = (node, function);
    }

    /// Whether a branch from `pc` to `to` stays in its function and is no return.
    fn stays(&self, chip: &Chip, pc: u32, to: u32) -> bool {
        use Instruction as I;
        let is_indirect = matches!(
            chip.memory().disassemble(pc),
            Some(I::Bx { .. } | I::PopPc { .. } | I::MovToPc { .. } | I::AddToPc { .. })
        );
        let function = |at| match self.symbols.range(at) {
            Some(range) => range.start,
            None => u32::from(at >= FLASH_BASE),
        };
        !is_indirect && function(pc) == function(to)
    }

    fn step(&mut self, chip: &Chip, step: &Step) {
        let Step { core, pc, happened } = *step;
        if happened == StepEvent::Core(StepOutcome::Instruction) {
            *self.executions.entry(pc).or_default() += 1;
        }
        if !self.stacks[core].function.contains(&pc) {
            let pointer = chip.core(core).register(13);
            // A return from an exception that waited for the other core.
            self.stacks[core].return_to(pc, pointer);
            if !self.stacks[core].function.contains(&pc) {
                self.find(core, pc);
            }
        }
        let awake = awake(chip, core);
        let stack = &mut self.stacks[core];
        self.profile.nodes[stack.node].cycles += awake - std::mem::replace(&mut stack.awake, awake);
        let (now, pointer) = (chip.core(core).pc(), chip.core(core).register(13));
        match happened {
            StepEvent::Core(StepOutcome::Entry) => stack.call(pc, pointer, 1),
            StepEvent::Core(StepOutcome::Instruction) if now != pc.wrapping_add(2) => {
                match chip.memory().disassemble(pc) {
                    Some(Instruction::Bl { .. }) => stack.call(pc.wrapping_add(4), pointer, 1),
                    Some(Instruction::Blx { .. }) => stack.call(pc.wrapping_add(2), pointer, 1),
                    _ if self.stays(chip, pc, now) => {}
                    _ => self.stacks[core].return_to(now, pointer),
                }
            }
            StepEvent::RomFunction => stack.return_to(now, pointer),
            StepEvent::Reboot => {
                stack.frames.clear();
                stack.function = 0..0;
            }
            StepEvent::Core(_) => {}
        }
    }
}

/// Returns cycles and calls of each function by the names of its callers.
fn by_callers(profile: &Profile) -> BTreeMap<String, [u64; 2]> {
    let mut rows: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for (number, node) in profile.nodes.iter().enumerate() {
        let mut names: Vec<_> =
            profile.callers(number).map(|at| &*profile.nodes[at].name).collect();
        names.reverse();
        names.push(&node.name);
        let row = rows.entry(names.join(";")).or_default();
        (row[0], row[1]) = (row[0] + node.cycles, row[1] + node.calls);
    }
    // The last call of a run may have led to no instruction, or to one that faulted.
    rows.retain(|_, row| row[0] != 0);
    rows
}

/// Returns the target of each BL of an image, as functions.
fn called_functions(chip: &Chip) -> Symbols {
    let mut functions = BTreeMap::new();
    for pc in (FLASH_BASE..FLASH_BASE + 0x2_0000).step_by(2) {
        if let Some(Instruction::Bl { offset }) = chip.memory().disassemble(pc) {
            let target = pc.wrapping_add(4).wrapping_add_signed(offset);
            functions.insert(target, format!("f_{target:08x}"));
        }
    }
    Symbols::new(functions.iter().map(|(address, name)| (*address, 0, name.as_str())))
}

/// Compares a run of a program of rp2040-emulator's tests, of this many milliseconds.
#[track_caller]
fn check(file: &str, milliseconds: u64) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../rp2040-emulator/tests");
    let image = Image::from_bin(&std::fs::read(tests.join(file)).expect("it is there"));
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(&image.expect("an image of a flash")).expect("it fits");
    chip.power_on().expect("it boots");
    let symbols = called_functions(&chip);
    let until = milliseconds * 1_000_000;

    let (mut stepped, mut plain) = (chip.clone(), chip.clone());
    let mut stepper = Stepper::new(&symbols, &stepped);
    let mut turns = Turns::default();
    let expected_end = loop {
        match stepped.step(&mut turns, until) {
            Ok(step) => stepper.step(&stepped, &step),
            Err(halt) => break halt,
        }
    };

    let mut profiler = Profiler::new(&symbols, &mut chip);
    chip.memory_mut().count_executions();
    assert_eq!(profiler.run(&mut chip, until), expected_end, "{file}");
    assert_eq!(plain.run(until), expected_end, "{file}");
    for core in [0, 1] {
        let state = |chip: &Chip| {
            let core = chip.core(core);
            let registers: Vec<u32> = (0..16).map(|number| core.register(number)).collect();
            (registers, core.cycles(), core.instructions(), core.slept())
        };
        assert_eq!(state(&chip), state(&plain), "core {core} of {file}");
    }
    let executions = chip.memory().executions();
    let mut wrong: Vec<String> = Vec::new();
    for (pc, count) in stepper.executions.iter().collect::<BTreeMap<_, _>>() {
        if executions(*pc) != *count {
            let instruction = chip.memory().disassemble(*pc);
            let found = executions(*pc);
            wrong.push(format!("0x{pc:08x} {instruction:?}: {found}, not {count}"));
        }
    }
    assert!(wrong.is_empty(), "executions in {file}: {:#?}", &wrong[..wrong.len().min(20)]);
    let (found, expected) = (by_callers(profiler.profile()), by_callers(&stepper.profile));
    assert!(expected.len() > 10, "{file} has {} rows", expected.len());
    let names: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
    let wrong: Vec<_> = names
        .into_iter()
        .filter(|name| found.get(*name) != expected.get(*name))
        .map(|name| format!("{name}: {:?}, not {:?}", found.get(name), expected.get(name)))
        .collect();
    assert!(wrong.is_empty(), "rows of {file}: {:#?}", &wrong[..wrong.len().min(20)]);
}

#[test]
fn a_program_that_waits_and_is_interrupted() {
    check("pico_examples/timer_lowlevel.bin", 100);
    check("pico_examples/rtc_alarm.bin", 60);
}

#[test]
fn programs_with_two_cores() {
    check("pico_examples/multicore_runner.bin", 40);
    check("pico_examples/hello_freertos_two_cores.bin", 40);
}

#[test]
fn programs_with_devices() {
    check("pico_examples/slave_mem_i2c.bin", 30);
    check("pico_examples/pio_uart_dma.bin", 30);
    check("hal_examples/pio_dma.bin", 30);
}

#[test]
fn a_program_that_the_watchdog_resets() {
    check("pico_examples/hello_watchdog.bin", 300);
}
