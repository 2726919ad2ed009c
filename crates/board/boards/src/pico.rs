//! The `pico` machine: the flashed program, executed instruction by instruction on an emulated
//! RP2040 that is wired to the virtual board.
//!
//! The chip determines the time. [`Pico`] runs it for a slice, then transfers the events on its
//! pins to the board in order of time (`wires`), and repeats the program's changes to the chip's
//! flash on the board's flash (`storage`). This module knows no firmware: any program runs here, on
//! the board whose pins its [`Wiring`] lists.

#[cfg(test)]
mod all_pins;
mod bit_stream;
mod burst;
mod bus_clock;
mod chip_rules;
mod crash;
mod debugger;
mod described;
pub mod firmware;
mod i2c;
mod interrupt_line;
mod lcd_bus;
mod lcd_wires;
mod memory_mode;
mod meter;
mod misfit;
mod parallel_bus;
mod parts;
mod probe;
mod read_back;
#[cfg(test)]
mod scripted;
mod serial_bus;
mod storage;
mod tearing;
mod touch;
mod vain_polls;
mod wires;
pub mod wiring;
mod word_samples;

use std::error::Error;
use std::sync::Arc;

use hal_mock::{
    BoardConfig, Heap, Machine, MachineError, VirtualBoard, log::Log, memory::MemoryPart,
    setup::SetupError,
};
use rp2040_emulator::chip::{Chip, Halt, RandomBits};
use rp2040_emulator::program::{FLASH_SIZE, Program, sdk_exit};
use trace::{Button, Trace};
use virtual_time::{Instant, Nanos};

pub use debugger::ChipDebugger;
pub use described::WiringError;
pub use meter::Call;
use meter::Meter;
use misfit::{Case, Driven};
use parts::Memories;
pub use probe::Probe;
use wires::Wires;
pub use wiring::Wiring;

use crate::lcd_firmware::LcdFirmware;

/// Longest time that the chip runs before its pin events are transferred. It is shorter than the
/// pause that ends a frame, so that an observer of frames is called before the pause ends.
const SLICE: Nanos = Nanos::from_millis(4);

const _: () = assert!(SLICE.0 < hal_mock::board::FRAME_IDLE.0);

/// Time after which a program that draws nothing counts as booted.
const LONGEST_BOOT: Nanos = Nanos::from_secs(1);

/// Maximum time by which the end of booting may be overshot.
const BOOT_SLICE: Nanos = Nanos::from_micros(100);

/// Frequency of the Pico's crystal in hertz.
const CRYSTAL_HZ: u64 = 12_000_000;

/// FUNCSEL of PWM (RP2040 datasheet, 2.19.2).
const PWM_FUNCTION: u32 = 4;

/// Builds the board that a trace's header describes, running `program`, with its power off. The flash has
/// the settings of `firmware`.
///
/// # Errors
/// If the header is wrong; see [`HeaderErrorKind`](crate::header::HeaderErrorKind).
pub fn build(
    firmware: &dyn LcdFirmware,
    program: &Arc<Program>,
    trace: &Trace,
    flash: Option<Vec<u8>>,
) -> Result<Box<dyn Machine>, SetupError> {
    Ok(Box::new(Pico::new(Arc::clone(program), firmware.board(trace, flash)?)))
}

/// Returns the GPIO numbers of the LCD board's buttons, in the order of [`Button::LCD_BOARD`].
pub fn button_pins() -> [usize; Button::LCD_BOARD.len()] {
    let wiring = Wiring::lcd_board();
    core::array::from_fn(|at| wiring.buttons.get(at).map_or(0, |contact| contact.pin.number()))
}

/// A program on an emulated RP2040 on the virtual board.
pub struct Pico {
    board: VirtualBoard,
    program: Arc<Program>,
    wiring: Arc<Wiring>,
    /// Size of the chip's flash in bytes.
    flash_size: usize,
    /// Frequency of the crystal in hertz.
    crystal_hz: u64,
    /// SPI flashes and SD cards.
    memories: Memories,
    running: Option<Running>,
    meter: Option<Meter>,
    /// Observer of the chip. It stays with this machine: a copy has none.
    probe: Option<Box<dyn Probe>>,
    /// Debugger of the chip, which copies of the machine have too.
    debugger: Option<Arc<dyn ChipDebugger>>,
    /// Notes on the faults that the program survived before the last power-off.
    notes: Vec<String>,
    /// Rules of the chip that the program broke before the last power-off.
    findings: Vec<String>,
    /// Identifiers of the chip's rules that the program may break.
    permitted: Vec<&'static str>,
}

struct Running {
    chip: Chip,
    wires: Wires,
    /// Time of the last power-on, at which the chip's time starts at zero.
    powered_at: Instant,
    /// Number of console lines that have been searched for a crash.
    lines_searched: usize,
    /// Pins that the program has driven.
    driven: Driven,
}

impl Running {
    /// Returns sentences about the program that fail no replay.
    fn notes(&self, program: &Program, permitted: &chip_rules::Permitted) -> Vec<String> {
        let mut notes = chip_rules::notes(&self.chip, program, permitted);
        notes.extend(self.wires.notes(&self.chip));
        notes
    }

    /// Returns a copy of the chip on another board.
    fn fork(&self, board: &VirtualBoard) -> Self {
        let driven = self.driven.clone();
        Self { chip: self.chip.clone(), wires: self.wires.fork(board), driven, ..*self }
    }
}

impl Pico {
    /// Creates the LCD board without power.
    pub fn new(program: Arc<Program>, config: BoardConfig) -> Self {
        Self::with_wiring(program, Arc::new(Wiring::lcd_board()), config)
    }

    /// Creates a board with these wires, without power.
    pub fn with_wiring(program: Arc<Program>, wiring: Arc<Wiring>, config: BoardConfig) -> Self {
        let board = VirtualBoard::new(config);
        Self {
            board,
            program,
            wiring,
            flash_size: FLASH_SIZE,
            crystal_hz: CRYSTAL_HZ,
            memories: Memories::default(),
            running: None,
            meter: None,
            probe: None,
            debugger: None,
            notes: vec![],
            findings: vec![],
            permitted: vec![],
        }
    }

    /// Adds an observer of the chip, which copies of the machine do not have.
    #[must_use]
    pub fn with_probe(mut self, probe: Box<dyn Probe>) -> Self {
        self.probe = Some(probe);
        self
    }

    /// Adds a debugger of the chip, which copies of the machine have too.
    #[must_use]
    pub fn with_debugger(mut self, debugger: Arc<dyn ChipDebugger>) -> Self {
        self.debugger = Some(debugger);
        self
    }

    /// Gives the chip a flash of this size in bytes, from the next power-on on.
    #[must_use]
    pub fn with_flash_size(mut self, bytes: usize) -> Self {
        self.flash_size = bytes;
        self
    }

    /// Gives the chip a crystal of this frequency in hertz, from the next power-on on.
    #[must_use]
    pub fn with_crystal(mut self, hz: u64) -> Self {
        self.crystal_hz = hz;
        self
    }

    /// Gives the board SPI flashes and SD cards, in the order of the wires, from the next power-on on.
    #[must_use]
    pub(crate) fn with_memories(mut self, parts: Vec<MemoryPart>) -> Self {
        self.memories = Memories::new(parts);
        self
    }

    /// Names the chip's rules that the program may break: a break is a note then.
    #[must_use]
    pub(crate) fn with_permitted(mut self, rules: Vec<&'static str>) -> Self {
        self.permitted = rules;
        self
    }

    /// Returns the rules that the program has broken since the last power-on, of the chip and of the
    /// displays, by the names that the key `permit` of a board file takes. No name occurs twice.
    pub fn broken_rules(&self) -> Vec<&'static str> {
        let chip = self.running.iter().flat_map(|running| running.chip.findings());
        let chip = chip.filter(|finding| finding.is_error()).map(|finding| finding.rule.id());
        let displays = (0..self.board.display_count()).map(|at| self.board.at_display(at));
        let displays = displays.flat_map(|display| display.violations());
        let mut all: Vec<_> = displays.map(|violation| violation.rule.name()).chain(chip).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns another Pico in the same state, on a separate board. It takes about the memory of
    /// the chip's RAM and of the LCD; the flash and the program are shared.
    pub fn copy(&self) -> Self {
        let board = self.board.fork();
        let running = self.running.as_ref().map(|running| running.fork(&board));
        let (program, wiring) = (Arc::clone(&self.program), Arc::clone(&self.wiring));
        let (meter, debugger) = (self.meter.clone(), self.debugger.clone());
        let (flash_size, crystal_hz) = (self.flash_size, self.crystal_hz);
        let memories = self.memories.clone();
        let (notes, findings) = (self.notes.clone(), self.findings.clone());
        let (probe, permitted) = (None, self.permitted.clone());
        Self {
            board,
            program,
            wiring,
            flash_size,
            crystal_hz,
            memories,
            running,
            meter,
            probe,
            debugger,
            notes,
            findings,
            permitted,
        }
    }

    /// Calls `reach` with the chip, as a debugger on its debug port sees it; `None` without power.
    pub fn with_chip<T>(&mut self, reach: impl FnOnce(&mut Chip) -> T) -> Option<T> {
        self.running.as_mut().map(|running| reach(&mut running.chip))
    }

    /// Measures each call of `function`, and the stack, from the next power-on on. Returns false if
    /// the program has no function of this name.
    pub fn measure(&mut self, function: &str) -> bool {
        self.meter = self.program.symbols().address(function).map(Meter::of);
        self.meter.is_some()
    }

    /// Returns the calls that were measured since the last call of this function, in order of time.
    pub fn take_calls(&mut self) -> Vec<Call> {
        self.meter.as_mut().map(Meter::take_calls).unwrap_or_default()
    }

    /// Returns the maximum number of bytes of the main stack that the program has used while it was
    /// measured.
    pub fn deepest_stack(&self) -> u32 {
        self.meter
            .as_ref()
            .map_or(0, |meter| meter.deepest(self.running.as_ref().map(|running| &running.chip)))
    }

    /// Returns whether the debugger has stopped the chip.
    fn is_stopped(&self) -> bool {
        self.debugger.as_ref().is_some_and(|debugger| debugger.is_stopped())
    }

    fn drop_chip(&mut self) {
        self.detach_probe();
        let running = self.running.take();
        if let Some(running) = &running {
            self.memories.take(&running.chip);
            self.notes.extend(running.notes(&self.program, &self.permitted));
            self.findings.extend(chip_rules::findings(
                &running.chip,
                &*self.program,
                &self.permitted,
            ));
        }
        if let (Some(meter), Some(running)) = (&mut self.meter, running) {
            meter.detach(&running.chip);
        }
    }

    fn detach_probe(&mut self) {
        if let (Some(probe), Some(running)) = (&mut self.probe, &self.running) {
            probe.detach(&running.chip);
        }
    }

    /// Fails if the program is wired for another board.
    fn judge_wiring(&mut self, is_booted: bool) -> Result<(), MachineError> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if !running.driven.is_pending() {
            return Ok(());
        }
        let Running { driven, wires, powered_at, .. } = running;
        let case = Case {
            program: &self.program,
            wiring: &self.wiring,
            wires,
            board: &self.board,
            powered_at: *powered_at,
            is_booted,
        };
        match driven.judge(&case) {
            Some(misfit) => Err(self.error(misfit.to_string())),
            None => Ok(()),
        }
    }

    fn error(&self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> MachineError {
        MachineError::new(self.board.now(), cause)
    }

    /// Returns the failure that invalidates the program's results, if there is one.
    fn failure(&mut self) -> Option<Box<dyn Error + Send + Sync>> {
        let running = self.running.as_mut()?;
        if let Some(fault) = running.chip.fault().filter(|_| !running.chip.awaits_watchdog()) {
            return Some(Box::new(crash::of_fault(&running.chip, fault, &self.program)));
        }
        if let Some(short_circuit) = running.wires.short_circuit(&running.chip) {
            return Some(short_circuit.to_string().into());
        }
        let connected = running.chip.take_short_circuits();
        if connected != 0 {
            return Some(wires::connected_outputs(connected).into());
        }
        if let Some(mode) = memory_mode::wrong_mode(&mut running.chip, &self.wiring) {
            return Some(mode.to_string().into());
        }
        let lines = self.board.console_lines_from(running.lines_searched);
        running.lines_searched = self.board.with_console(Log::end);
        if let Some(crash) = lines.iter().find_map(|line| crash::of_console(&line.text)) {
            return Some(Box::new(crash));
        }
        running.chip.not_modelled().first().map(|report| {
            format!("{report}, in {}", self.program.describe(report.access.pc)).into()
        })
    }
}

/// Notifies the observer of the end of the chip.
impl Drop for Pico {
    fn drop(&mut self) {
        self.detach_probe();
    }
}

impl Machine for Pico {
    fn board(&self) -> &VirtualBoard {
        &self.board
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        if self.running.is_some() {
            return Ok(());
        }
        let powered_at = self.board.now();
        self.board.power_on();
        let mut chip = Chip::new(self.flash_size);
        chip.set_crystal(self.crystal_hz);
        chip.load(self.program.image()).map_err(|error| self.error(error.to_string()))?;
        storage::load_flash(&self.board, &mut chip, self.flash_size);
        chip.set_random_bits(match self.board.entropy_seed() {
            Some(seed) => RandomBits::Seeded(seed),
            None => RandomBits::Still,
        });
        chip.stick_random_bits(self.board.noise_is_stuck());
        chip.stick_flash(self.board.flash_is_stuck());
        chip.power_on().map_err(|error| self.error(error.to_string()))?;
        self.memories.attach(&self.wiring.parts.memories, &mut chip);
        let wires = Wires::attach(&self.wiring, &self.board, &mut chip, powered_at);
        if let Some(meter) = &mut self.meter {
            meter.attach(&mut chip, powered_at);
        }
        if let Some(probe) = &mut self.probe {
            probe.attach(&mut chip);
        }
        let lines_searched = self.board.with_console(Log::end);
        let driven = Driven::new(&self.wiring);
        self.running = Some(Running { chip, wires, powered_at, lines_searched, driven });
        // Booting ends with the first pixel; until then the firmware blocks. A debugger that stops
        // the chip ends it too.
        let latest = powered_at.saturating_add(LONGEST_BOOT);
        while self.running.is_some()
            && !self.is_stopped()
            && !self.board.has_drawn()
            && self.board.now() < latest
        {
            self.step(latest.min(self.board.now().saturating_add(BOOT_SLICE)))?;
        }
        self.judge_wiring(true)
    }

    fn power_off(&mut self) {
        self.drop_chip();
        self.board.power_off();
    }

    fn remark(&self) -> Option<String> {
        vain_polls::remark(&self.running.as_ref()?.chip, &self.wiring)
    }

    fn notes(&self) -> Vec<String> {
        let running = self.running.as_ref();
        let now = running.map(|running| running.notes(&self.program, &self.permitted));
        self.notes.iter().cloned().chain(now.unwrap_or_default()).collect()
    }

    fn findings(&self) -> Vec<String> {
        let running = self.running.as_ref();
        let now = running
            .map(|running| chip_rules::findings(&running.chip, &*self.program, &self.permitted));
        self.findings.iter().cloned().chain(now.unwrap_or_default()).collect()
    }

    fn heap(&self) -> Heap {
        firmware::heap(&self.program)
    }

    /// Runs the chip for one slice, or for more slices while nothing happens on its pins.
    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        let Some(running) = &mut self.running else {
            self.board.advance_to(limit);
            return Ok(());
        };
        loop {
            let now = self.board.now();
            running.wires.drive_buttons(&self.board, &mut running.chip);
            running.wires.drive_controls(&self.board, &mut running.chip);
            running.wires.drive_outputs(&self.board, &mut running.chip);
            running.wires.type_in(&self.board, &mut running.chip);
            running.chip.stick_random_bits(self.board.noise_is_stuck());
            running.chip.stick_flash(self.board.flash_is_stuck());
            let inputs = [
                self.board.next_edge(),
                self.board.next_movement(),
                self.board.next_typed(),
                running.wires.next_edge(),
            ];
            let edge = inputs.into_iter().flatten().min().unwrap_or(Instant::NEVER);
            let until = limit.min(edge).min(now.saturating_add(SLICE));
            let until_ns = until.saturating_since(running.powered_at).0;
            let halt = match (&mut self.meter, &mut self.probe, &self.debugger) {
                (Some(meter), ..) => meter.run(&mut running.chip, until_ns),
                (None, Some(probe), _) => probe.run(&mut running.chip, until_ns),
                (None, None, Some(debugger)) => debugger.run(&mut running.chip, until_ns),
                (None, None, None) => running.chip.run(until_ns),
            };
            let is_stopped = self.debugger.as_ref().is_some_and(|debugger| debugger.is_stopped());
            let now = running.powered_at.saturating_add(Nanos(running.chip.now_ns()));
            running.driven.record(&mut running.chip, &self.wiring, &running.wires);
            let active = running.wires.transfer(&mut running.chip);
            self.board.advance_to(now);
            if !storage::carry_out(&self.board, &mut running.chip, self.flash_size) {
                // The power failed during a flash operation, and with it that of the whole board.
                self.power_off();
                return Ok(());
            }
            if !self.board.is_powered() {
                self.drop_chip();
                return Ok(());
            }
            match halt {
                Halt::Time => {}
                // Core 0 has returned from its `main`.
                Halt::Breakpoint(0, _)
                    if running.chip.core_1_is_active()
                        && sdk_exit(&running.chip, self.program.symbols(), 0) == Some(0) =>
                {
                    running.chip.stop_core(0);
                }
                Halt::Breakpoint(core, number) => {
                    let at = self.program.describe(running.chip.core(usize::from(core)).pc());
                    return Err(self.error(format!("BKPT #{number} at {at}")));
                }
                Halt::Lockup(_) => {}
                Halt::ClockStopped => {
                    let message = "the source of the system clock was switched off";
                    return Err(self.error(message.to_owned()));
                }
                Halt::RomCall(core, name) => {
                    let at = running.chip.core(usize::from(core)).register(14);
                    let at = self.program.describe(at);
                    let message =
                        format!("the ROM's {name}, which is not modelled, is called from {at}");
                    return Err(self.error(message));
                }
            }
            if active || is_stopped || now >= limit || matches!(halt, Halt::Lockup(_)) {
                break;
            }
        }
        match self.failure() {
            Some(cause) => Err(self.error(cause)),
            None => self.judge_wiring(false),
        }
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        Some(Box::new(self.copy()))
    }
}
