//! Both chips on one clock.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use probe_protocol::wiring::{self, Role};
use probe_protocol::{LINES, Wire};
use rp2040_emulator::chip::{Chip, Drive, PinChange, SpiWord};
use rp2040_emulator::program::{FLASH_SIZE, Program};
use rp2040_emulator::usb_host::Host;

use crate::board::{Board, Running};
use crate::debug::{CLOCK_MASK, DATA, DebugWires};
use crate::setup::{BenchError, BoardSetup, ENUMERATION_NS};
use crate::wires::{Fault, LineWire, WireState, Wires, level};

/// Longest time by which the board runs ahead of the probe, in nanoseconds.
const SLICE_NS: u64 = 500_000;

/// The probe's button lines; bit n is GPIO n.
const LINES_MASK: u32 = ((1 << LINES) - 1) << wiring::FIRST_LINE;
const CONSOLE_MASK: u32 = 1 << wiring::CONSOLE.probe;
const POWER_MASK: u32 = 1 << wiring::POWER.probe;
const OUTPUTS: u32 = LINES_MASK | CONSOLE_MASK | POWER_MASK;

/// Events on the wires as the board's chip knows them, with times in the bench's nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct RecordedEvents {
    /// Bytes on MOSI.
    pub words: Vec<SpiWord>,
    /// Changes of the pins that the probe reads.
    pub changes: Vec<PinChange>,
    /// Changes of the probe's outputs.
    pub outputs: Vec<PinChange>,
}

pub(crate) struct World {
    pub(crate) now_ns: u64,
    program: Arc<Program>,
    probe_program: Arc<Program>,
    setup: BoardSetup,
    board: Option<Board>,
    debug: DebugWires,
    /// Edges of SWCLK that the port has not followed yet.
    clock_edges: Vec<PinChange>,
    /// Flash of the board without power, after a debugger has written to the chip.
    flash: Option<Vec<u8>>,
    /// Changes of the pin that the probe's UART samples, in order of time: the time, the pin, and
    /// the level driven there.
    slow: VecDeque<(u64, usize, Drive)>,
    /// Levels of the board's pins that were last handed to the probe.
    levels: u32,
    pub(crate) probe: Chip,
    /// Levels of the probe's outputs that were last handed to the board; `moves` has their changes
    /// since.
    outputs: u32,
    moves: Vec<PinChange>,
    /// Levels of the probe's pins at the last change.
    seen: u32,
    switched_on: bool,
    /// Whether the power switch has a supply.
    supplied: bool,
    wires: Wires,
    faults: BTreeMap<(u64, u64), Fault>,
    faults_count: u64,
    truth: Option<RecordedEvents>,
    pub(crate) failed: Option<BenchError>,
}

/// A board and a probe. Clones refer to the same bench.
#[derive(Clone)]
pub struct Bench(Rc<RefCell<World>>);

impl Bench {
    /// Connects a probe running `probe` to a host by USB, and by wires to a board with `program`,
    /// whose power is off.
    ///
    /// # Errors
    /// See [`BenchError`].
    pub fn new(
        program: Arc<Program>,
        probe: Arc<Program>,
        setup: BoardSetup,
    ) -> Result<Self, BenchError> {
        let mut chip = Chip::new(FLASH_SIZE);
        chip.load(probe.image()).map_err(BenchError::Probe)?;
        chip.power_on().map_err(BenchError::Probe)?;
        chip.observe_functions();
        chip.attach_usb(Host::new());
        chip.watch(OUTPUTS | CLOCK_MASK);
        chip.stop_at_changes(OUTPUTS | CLOCK_MASK);
        let mut world = World {
            now_ns: 0,
            program,
            probe_program: probe,
            setup,
            board: None,
            debug: DebugWires::default(),
            clock_edges: vec![],
            flash: None,
            slow: VecDeque::new(),
            levels: 0,
            probe: chip,
            outputs: 0,
            moves: vec![],
            seen: 0,
            switched_on: false,
            supplied: true,
            wires: Wires::new(),
            faults: BTreeMap::new(),
            faults_count: 0,
            truth: None,
            failed: None,
        };
        world.join_all();
        while world.probe.usb_host().is_none_or(|host| host.ports() == 0) {
            if world.now_ns > ENUMERATION_NS {
                return Err(BenchError::NoPort);
            }
            world.advance(world.now_ns + SLICE_NS)?;
        }
        Ok(Self(Rc::new(RefCell::new(world))))
    }

    /// Returns the time in nanoseconds.
    pub fn now_ns(&self) -> u64 {
        self.0.borrow().now_ns
    }

    /// Advances the time by `span_ns`.
    ///
    /// # Errors
    /// Returns an error if the probe's program crashes.
    pub fn advance(&self, span_ns: u64) -> Result<(), BenchError> {
        let mut world = self.0.borrow_mut();
        let until = world.now_ns + span_ns;
        world.advance(until)
    }

    /// Schedules a fault at `at_ns`, or immediately if that time has passed.
    pub fn at(&self, at_ns: u64, fault: Fault) {
        let mut world = self.0.borrow_mut();
        world.faults_count += 1;
        let key = (at_ns, world.faults_count);
        world.faults.insert(key, fault);
    }

    /// Starts recording the events on the wires.
    pub fn record(&self) {
        self.0.borrow_mut().truth.get_or_insert_default();
    }

    /// Returns the events from the last call until now.
    pub fn take_recorded(&self) -> RecordedEvents {
        let mut world = self.0.borrow_mut();
        let now_ns = world.now_ns;
        let Some(truth) = &mut world.truth else { return RecordedEvents::default() };
        // The board runs ahead: events after now may still change.
        let words = truth.words.split_off(truth.words.partition_point(|word| word.ns <= now_ns));
        let behind = truth.changes.partition_point(|change| change.ns <= now_ns);
        let changes = truth.changes.split_off(behind);
        std::mem::replace(truth, RecordedEvents { words, changes, outputs: vec![] })
    }

    /// Schedules levels on the probe's ends of wires, in order of time from now on: each is the
    /// nanosecond, the wire, and whether it is high. This replaces a board for which there is no
    /// program; the board's power should be off.
    pub fn play(&self, levels: impl IntoIterator<Item = (u64, Wire, bool)>) {
        let mut world = self.0.borrow_mut();
        for (ns, wire, high) in levels {
            world.probe.schedule(ns, wiring::of(wire).probe.into(), level(high));
        }
    }

    /// Models the time of the probe's DMA reads of the flash that miss the XIP cache. The probe's
    /// core then takes much longer to emulate.
    pub fn model_dma_misses(&self) {
        self.0.borrow_mut().probe.model_dma_misses();
    }

    /// Returns the number of reads of the flash by the DMA of the board and of the probe since
    /// power-on.
    pub fn dma_flash_reads(&self) -> (u64, u64) {
        let mut world = self.0.borrow_mut();
        let of_board = world.at_now().map_or(0, |board| board.chip.dma_flash_reads());
        (of_board, world.probe.dma_flash_reads())
    }

    /// Returns the number of buffers that the probe's program has given to the USB controller too
    /// late in a frame (erratum RP2040-E15).
    pub fn usb_late_buffers(&self) -> u64 {
        self.0.borrow().probe.usb_late_buffers()
    }

    /// Returns the lines that the probe pulls low now; bit 0 is line 0.
    pub fn pulled(&self) -> u16 {
        let (high, driven) = self.0.borrow().probe.outputs();
        ((driven & !high) >> wiring::FIRST_LINE) as u16 & ((1 << LINES) - 1)
    }

    /// Returns the lines that the probe drives high now. A correct probe never drives a line high.
    pub fn driven_high(&self) -> u16 {
        let (high, driven) = self.0.borrow().probe.outputs();
        ((driven & high) >> wiring::FIRST_LINE) as u16 & ((1 << LINES) - 1)
    }

    /// Returns whether the board has power.
    pub fn is_powered(&self) -> bool {
        self.0.borrow().board.is_some()
    }

    /// Returns the accesses of the probe's program to registers that the emulator does not model.
    pub fn not_modelled(&self) -> Vec<String> {
        self.0.borrow().probe.not_modelled().iter().map(ToString::to_string).collect()
    }

    /// Returns the number of instructions that the board has executed since its last power-on, and
    /// that of the probe.
    pub fn instructions(&self) -> [u64; 2] {
        let mut world = self.0.borrow_mut();
        let board = world.at_now().map_or(0, |board| board.chip.core(0).instructions());
        [board, world.probe.core(0).instructions()]
    }

    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut World) -> T) -> T {
        work(&mut self.0.borrow_mut())
    }
}

impl World {
    /// Runs both chips to `until_ns`.
    pub(crate) fn advance(&mut self, until_ns: u64) -> Result<(), BenchError> {
        while self.now_ns < until_ns {
            if let Some(failed) = &self.failed {
                return Err(failed.clone());
            }
            while let Some(first) =
                self.faults.first_entry().filter(|first| first.key().0 <= self.now_ns)
            {
                let fault = first.remove();
                self.at_now();
                self.carry_out(fault)?;
                self.look_ahead(self.now_ns);
            }
            let fault = self.faults.first_key_value().map_or(u64::MAX, |((at, _), _)| *at);
            let slice = until_ns.min(self.now_ns + SLICE_NS).min(fault);
            self.slice(slice)?;
        }
        Ok(())
    }

    /// Runs both chips to `until_ns`, or to the time at which the probe moves an output.
    fn slice(&mut self, until_ns: u64) -> Result<(), BenchError> {
        let now_ns = self.now_ns;
        let changes =
            self.board.as_mut().map_or_else(Vec::new, |board| board.run_ahead(now_ns, until_ns));
        self.note_changes(&changes);
        for change in changes {
            self.hand_on(change);
        }
        if !self.run_probe_with_its_uart(until_ns)? {
            self.now_ns = until_ns;
            self.note_words();
            return Ok(());
        }
        let moves = std::mem::take(&mut self.moves);
        let at = moves.last().map_or(self.probe.now_ns(), |last| last.ns).max(self.now_ns);
        if let Some(truth) = &mut self.truth {
            truth.outputs.extend(&moves);
        }
        self.now_ns = self.probe.now_ns().max(at);
        if let Some(board) = &mut self.board {
            board.go_back(at);
        }
        self.take_outputs(at)?;
        // From here the board's future differs from what it ran ahead to.
        self.look_ahead(at);
        Ok(())
    }

    /// Puts the board back to the current time, for the caller to act on it.
    fn at_now(&mut self) -> Option<&Running> {
        let now_ns = self.now_ns;
        self.board.as_mut().map(|board| {
            board.go_back(now_ns);
            board.past()
        })
    }

    /// Revokes what was handed to the probe for the time after `at_ns` and runs the board ahead
    /// again. A processor stops after an instruction, not at a nanosecond: changes up to the time
    /// to which the board has actually run stay valid.
    fn look_ahead(&mut self, at_ns: u64) {
        let at_ns = self.board.as_ref().map_or(at_ns, |board| at_ns.max(board.past().now_ns()));
        self.probe.cancel_scheduled(at_ns);
        self.slow.retain(|(ns, ..)| *ns <= at_ns);
        if let Some(truth) = &mut self.truth {
            truth.changes.retain(|change| change.ns <= at_ns);
            truth.words.retain(|word| word.ns <= at_ns);
        }
        let Some(board) = &mut self.board else { return };
        self.levels = board.past().chip.levels();
        let changes = board.run_ahead_again(at_ns);
        self.note_changes(&changes);
        for change in changes {
            self.hand_on(change);
        }
    }

    /// Runs the probe to `until_ns` and drives the pin that its UART samples at the right times.
    /// Returns true if the probe has moved an output earlier.
    fn run_probe_with_its_uart(&mut self, until_ns: u64) -> Result<bool, BenchError> {
        while let Some((ns, pin, drive)) = self.slow.front().copied().filter(|it| it.0 <= until_ns)
        {
            if self.run_probe(ns)? {
                return Ok(true);
            }
            self.probe.drive(pin, drive);
            self.slow.pop_front();
        }
        self.run_probe(until_ns)
    }

    /// Hands a change of the board's pins to the probe: ahead of time to its PIOs, and at its time
    /// to the UART.
    fn hand_on(&mut self, change: PinChange) {
        let moved = self.levels ^ change.levels;
        self.levels = change.levels;
        for reading in &mut self.wires.readings {
            let high = change.levels >> reading.board & 1 != 0;
            if moved >> reading.board & 1 == 0 || !reading.passes(high) {
                continue;
            }
            let drive = level(high);
            if reading.probe == wiring::of(Wire::Uart).probe {
                self.slow.push_back((change.ns, reading.probe.into(), drive));
            } else {
                self.probe.schedule(change.ns, reading.probe.into(), drive);
            }
        }
    }

    /// Takes the changes of the probe's pins: those of its outputs, and the edges of SWCLK.
    fn take_changes(&mut self) {
        for change in self.probe.take_changes() {
            let moved = std::mem::replace(&mut self.seen, change.levels) ^ change.levels;
            if moved & OUTPUTS != 0 {
                self.moves.push(change);
            }
            if moved & CLOCK_MASK != 0 {
                self.clock_edges.push(change);
            }
        }
    }

    /// Passes the edges of SWCLK to the board's port. Returns true if the board must run ahead
    /// again.
    fn follow_debug_port(&mut self) -> bool {
        let mut changed = false;
        for edge in std::mem::take(&mut self.clock_edges) {
            if let Some(board) = &mut self.board {
                changed |= self.debug.follow(edge, board, self.wires.debug);
            }
        }
        self.join_debug_data();
        changed
    }

    fn join_debug_data(&mut self) {
        if let Some(drive) = self.debug.new_data(self.wires.debug[1]) {
            self.probe.drive(DATA, drive);
        }
    }

    fn outputs_changed(&mut self) -> bool {
        self.take_changes();
        (self.probe.levels() ^ self.outputs) & OUTPUTS != 0
    }

    /// Runs the probe to `until_ns`. Returns true if it has moved an output earlier.
    fn run_probe(&mut self, until_ns: u64) -> Result<bool, BenchError> {
        while self.probe.now_ns() < until_ns {
            let before = self.probe.now_ns();
            let halt = self.probe.run(until_ns);
            let moved = self.outputs_changed();
            if self.follow_debug_port() || moved {
                return Ok(true);
            }
            if self.probe.now_ns() == before && halt != rp2040_emulator::chip::Halt::Time {
                let fault =
                    self.probe.fault().map(|it| self.probe.explain(it, &*self.probe_program));
                let failed = BenchError::Crashed(fault.unwrap_or_else(|| format!("{halt:?}")));
                self.failed = Some(failed.clone());
                return Err(failed);
            }
        }
        Ok(false)
    }

    /// Applies the probe's outputs at `at_ns`, to which the board has run.
    fn take_outputs(&mut self, at_ns: u64) -> Result<(), BenchError> {
        let before = std::mem::replace(&mut self.outputs, self.probe.levels() & OUTPUTS);
        let moved = before ^ self.outputs;
        if moved & POWER_MASK != 0 {
            self.switched_on = self.outputs & POWER_MASK != 0;
            return self.set_power(at_ns);
        }
        self.join_lines();
        Ok(())
    }

    /// Switches the board on or off according to the switch and the supply.
    fn set_power(&mut self, at_ns: u64) -> Result<(), BenchError> {
        match (self.switched_on && self.supplied, &self.board) {
            (true, None) => {
                let flash = self.flash.as_deref();
                let now = Running::start(&self.program, &self.setup, flash, &self.wires, at_ns)?;
                self.levels = now.chip.levels();
                self.board = Some(Board::new(now));
                self.debug.set_power(true);
            }
            (false, Some(board)) => {
                self.setup.storage = board.past().storage(self.setup.storage.len());
                if self.debug.has_written() {
                    self.flash = Some(board.past().storage(FLASH_SIZE));
                }
                self.board = None;
                self.debug.set_power(false);
                self.levels = 0;
            }
            _ => {}
        }
        self.join_all();
        Ok(())
    }

    /// Drives both ends of every wire with their current levels.
    fn join_all(&mut self) {
        for reading in &self.wires.readings {
            let drive = match reading.state {
                WireState::Joined | WireState::Halved if self.board.is_some() => {
                    level(self.levels >> reading.board & 1 != 0)
                }
                WireState::Joined | WireState::Halved | WireState::Cut => Drive::Open,
                WireState::Stuck(high) => level(high),
            };
            self.probe.drive(reading.probe.into(), drive);
        }
        self.join_debug_data();
        self.join_lines();
    }

    /// Drives the button lines and the console's input. The board's pull-ups hold the lines high.
    fn join_lines(&mut self) {
        for line in 0..LINES {
            let pin = usize::from(wiring::FIRST_LINE + line);
            let LineWire { board: board_line, state } = self.wires.lines[usize::from(line)];
            let pulls_up = self.board.is_some() && state != WireState::Cut;
            let from_board = match state {
                WireState::Stuck(false) => Drive::Low,
                _ if pulls_up => Drive::High,
                _ => Drive::Open,
            };
            self.probe.drive(pin, from_board);
            let pulled = match state {
                WireState::Joined | WireState::Halved => self.probe.levels() >> pin & 1 == 0,
                WireState::Cut => false,
                WireState::Stuck(high) => !high,
            };
            if let Some(board) = &mut self.board {
                let board_pin = usize::from(wiring::FIRST_LINE + board_line);
                let drive = if pulled { Drive::Low } else { Drive::Open };
                board.past_mut().chip.drive(board_pin, drive);
            }
        }
        // These changes come from the board, not from the probe.
        self.take_changes();
        self.moves.clear();
        self.outputs = self.probe.levels() & OUTPUTS;
        let high = self.outputs & CONSOLE_MASK != 0;
        if let (Some(board), Some(pin)) = (&mut self.board, wiring::CONSOLE.board) {
            let drive = match self.wires.console {
                WireState::Joined | WireState::Halved => level(high),
                WireState::Cut => Drive::Open,
                WireState::Stuck(high) => level(high),
            };
            board.past_mut().chip.drive(pin.into(), drive);
        }
    }

    fn carry_out(&mut self, fault: Fault) -> Result<(), BenchError> {
        match fault {
            Fault::Wire(Role::Power, _) => {}
            Fault::Wire(role, state) => {
                self.wires.set(role, state);
                self.join_all();
            }
            Fault::Swap(one, other) => {
                self.wires.swap(one, other);
                self.join_all();
            }
            Fault::ResetProbe => {
                self.probe.power_on().map_err(BenchError::Probe)?;
                self.take_outputs(self.now_ns)?;
            }
            Fault::ResetBoard => {
                if let Some(board) = &mut self.board {
                    board.past_mut().boot()?;
                }
            }
            Fault::BoardPower(on) => {
                self.supplied = on;
                self.set_power(self.now_ns)?;
            }
            Fault::Cable(plugged) => {
                if let Some(host) = self.probe.usb_host_mut() {
                    host.plug(plugged);
                }
            }
        }
        Ok(())
    }

    /// Takes the board's words out of the chip's buffer, which would otherwise fill up.
    fn note_words(&mut self) {
        let Some(board) = &mut self.board else { return };
        let words = board.take_words();
        if let Some(truth) = &mut self.truth {
            truth.words.extend(words);
        }
    }

    fn note_changes(&mut self, changes: &[PinChange]) {
        if let Some(truth) = &mut self.truth {
            truth.changes.extend(changes);
        }
    }
}
