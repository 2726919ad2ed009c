//! The machine that runs a linked firmware.

mod inputs;
mod wakes;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use board_file::BoardFile;
use generator::{Generator, Gn};
use hal_mock::{BoardConfig, Heap, Machine, MachineError, VirtualBoard};
use host::heap::HeapMeter;
use virtual_time::{Instant, Nanos};

use crate::application::Application;
use crate::context::{self, Context, Inputs, Suspended};
use crate::heap::{HEAP_MAX, HeapCount};
use crate::pins::{PartError, Pins};
use inputs::{InputLog, LoggedInput};
use wakes::WakeInputs;

/// Size of the firmware's stack in bytes. Only what the firmware uses of it takes memory.
const STACK: usize = 4 << 20;

/// Longest virtual time between two looks at the firmware's heap.
const HEAP_LOOK: Nanos = Nanos::from_millis(1);

/// Size of the stack of a function that does nothing, in words.
const SMALL_STACK: usize = 1 << 10;

thread_local! {
    /// Whether this thread has run a coroutine.
    static HAD_COROUTINE: Cell<bool> = const { Cell::new(false) };
}

/// Reason why a linked firmware cannot continue.
#[derive(Debug, thiserror::Error)]
enum FirmwareError {
    #[error(transparent)]
    Part(#[from] PartError),
    #[error("the firmware's main function has returned; on a chip it never does")]
    Returned,
    #[error(
        "the firmware has {} MiB on the heap, and the limit is {} MiB; look for memory that it allocates \
         again and again and never frees",
        bytes >> 20,
        HEAP_MAX >> 20
    )]
    Heap { bytes: u64 },
    #[error(
        "the firmware behaved differently when it was executed again with the same inputs; a firmware gets \
         times, random numbers and files from its pins only"
    )]
    NotDeterministic,
}

/// A linked firmware on the virtual board of a board file.
pub struct LinkedMachine {
    board: VirtualBoard,
    file: Arc<BoardFile>,
    application: Application,
    running: Option<Running>,
    log: Rc<RefCell<InputLog>>,
    /// Heap memory of the firmware since the first power-on, if it is counted.
    heap: Option<HeapCount>,
}

/// A firmware whose board has power.
struct Running {
    /// `None` in a copy whose firmware was not executed again yet.
    firmware: Option<Coroutine>,
    powered_at: Instant,
    /// Number of times that the firmware has continued after a sleep.
    wakes: u64,
    inputs: WakeInputs,
}

/// The firmware itself.
struct Coroutine {
    generator: Generator<'static, (), Suspended>,
    suspended: Suspended,
    awaited: Rc<Cell<Suspended>>,
}

impl LinkedMachine {
    /// Creates a board without power. `config` is that of the board `file`.
    pub fn new(file: Arc<BoardFile>, application: Application, config: BoardConfig) -> Self {
        Self::on(VirtualBoard::new(config), file, application, InputLog::default())
    }

    fn on(
        board: VirtualBoard,
        file: Arc<BoardFile>,
        application: Application,
        log: InputLog,
    ) -> Self {
        let log = Rc::new(RefCell::new(log));
        board.set_input_listener(Rc::clone(&log) as Rc<RefCell<_>>);
        Self { board, file, application, running: None, log, heap: None }
    }

    /// Counts the firmware's heap memory, and limits it to 256 MiB.
    #[must_use]
    pub fn with_heap_meter(mut self, meter: HeapMeter) -> Self {
        self.heap = Some(HeapCount::new(meter));
        self
    }

    /// Starts the firmware, which does nothing yet.
    fn start(&self) -> Coroutine {
        // The first coroutine of a thread allocates a list, which is not the firmware's.
        if !HAD_COROUTINE.replace(true) {
            let mut first: Generator<'static, (), ()> = Gn::new_opt(SMALL_STACK, || {});
            first.resume();
        }
        let pins = Pins::new(Arc::clone(&self.file));
        let application = self.application.clone();
        let run = move || {
            application.run(pins);
            std::panic::resume_unwind(Box::new(FirmwareError::Returned))
        };
        let suspended = Suspended::asleep(Instant::START, Inputs::Wait);
        Coroutine {
            generator: Gn::new_opt(STACK / size_of::<usize>(), run),
            suspended,
            awaited: Rc::new(Cell::new(suspended)),
        }
    }

    /// Continues the firmware until it is suspended. Drops it if the power fails in the meantime.
    fn resume(&mut self, limit: Instant) -> Result<(), MachineError> {
        let Some(Running { firmware: Some(firmware), powered_at, wakes, .. }) = &mut self.running
        else {
            return Ok(());
        };
        *wakes += u64::from(firmware.suspended.sleeps);
        self.log.borrow_mut().wakes = *wakes;
        let context = Context {
            board: self.board.clone(),
            file: Arc::clone(&self.file),
            powered_at: *powered_at,
            // The heap is looked at often enough.
            limit: limit.min(self.board.now().saturating_add(HEAP_LOOK)),
            awaited: Rc::clone(&firmware.awaited),
            meter: self.heap.map(|heap| heap.meter),
            ends: false,
        };
        let generator = &mut firmware.generator;
        let mut resume = || catch_unwind(AssertUnwindSafe(|| generator.resume()));
        let resumed = context::enter(context, || match &mut self.heap {
            Some(heap) => heap.count(resume),
            None => resume(),
        });
        match resumed {
            Ok(Some(suspended)) => firmware.suspended = suspended,
            Ok(None) => return Err(self.failed(FirmwareError::Returned)),
            Err(panic) => {
                let error = error_of(panic);
                self.stop();
                // A panic of the firmware is reported by those who run machines.
                let error = error.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                return Err(self.failed(error));
            }
        }
        self.drop_without_power();
        match self.heap.and_then(|heap| heap.excess()) {
            Some(bytes) => Err(self.failed(FirmwareError::Heap { bytes })),
            None => Ok(()),
        }
    }

    fn drop_without_power(&mut self) {
        if !self.board.is_powered() {
            self.stop();
        }
    }

    /// Drops the firmware. Its destructors may use its pins.
    fn stop(&mut self) {
        let Some(Running { firmware: Some(firmware), powered_at, .. }) = self.running.take() else {
            return;
        };
        let awaited = Rc::clone(&firmware.awaited);
        let board = self.board.clone();
        let (limit, meter) = (Instant::NEVER, None);
        let file = Arc::clone(&self.file);
        let context = Context { board, file, powered_at, limit, awaited, meter, ends: true };
        context::enter(context, || drop(firmware));
    }

    fn failed(&mut self, error: FirmwareError) -> MachineError {
        let error = MachineError::new(self.board.now(), error);
        self.stop();
        error
    }

    /// Executes the firmware of a copy again, up to the time of the board.
    fn revive(&mut self) -> Result<(), MachineError> {
        let is_asleep = |running: &Running| running.firmware.is_none();
        if !self.running.as_ref().is_some_and(is_asleep) {
            return Ok(());
        }
        let log = self.log.borrow().clone();
        let Some(origin) = log.origin() else { return Ok(()) };
        let (file, application) = (Arc::clone(&self.file), self.application.clone());
        let mut again = Self::on(origin.fork(), file, application, InputLog::default());
        again.running = Some(Running::new(again.start(), again.board.now()));
        for LoggedInput { at, wakes, input } in log.inputs() {
            again.catch_up(*at, *wakes)?;
            again.board.apply(*input);
        }
        let wakes = self.running.as_ref().map_or(0, |running| running.wakes);
        again.catch_up(self.board.now(), wakes)?;
        let is_same = again.board.now() == self.board.now()
            && again.board.bus() == self.board.bus()
            && again.board.last_change() == self.board.last_change();
        let firmware = again.running.take().and_then(|running| running.firmware);
        match (firmware, &mut self.running) {
            (Some(firmware), Some(running)) if is_same => {
                running.firmware = Some(firmware);
                Ok(())
            }
            _ => Err(self.failed(FirmwareError::NotDeterministic)),
        }
    }
}

impl LinkedMachine {
    /// Steps until the clock is at `at` and the firmware has woken this number of times.
    fn catch_up(&mut self, at: Instant, wakes: u64) -> Result<(), MachineError> {
        self.run_until(at)?;
        while let Some(running) = &self.running
            && running.wakes < wakes
            && self.board.now() <= at
        {
            self.step(at)?;
            if self.running.as_ref().is_some_and(|running| running.is_asleep_after(at)) {
                break;
            }
        }
        Ok(())
    }
}

impl Running {
    fn new(firmware: Coroutine, powered_at: Instant) -> Self {
        let inputs = WakeInputs::default();
        Self { firmware: Some(firmware), powered_at, wakes: 0, inputs }
    }

    /// Returns whether the firmware continues later than `at`.
    fn is_asleep_after(&self, at: Instant) -> bool {
        self.firmware.as_ref().is_none_or(|firmware| firmware.suspended.until > at)
    }
}

/// Returns the reason for which a firmware has ended, or the payload of its own panic.
fn error_of(panic: Box<dyn Any + Send>) -> Result<FirmwareError, Box<dyn Any + Send>> {
    let panic = match panic.downcast::<FirmwareError>() {
        Ok(error) => return Ok(*error),
        Err(panic) => panic,
    };
    Ok(FirmwareError::Part(*panic.downcast::<PartError>()?))
}

impl Drop for LinkedMachine {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Machine for LinkedMachine {
    fn board(&self) -> &VirtualBoard {
        &self.board
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        if self.running.is_some() {
            return Ok(());
        }
        let powered_at = self.board.now();
        self.board.power_on();
        let terminals = self.board.terminals();
        for (number, display) in self.file.display.iter().enumerate() {
            if display.backlight.is_none() {
                terminals.at_display(number).set_backlight(powered_at, true);
            }
        }
        self.log.borrow_mut().begin(self.board.fork());
        if let Some(heap) = &mut self.heap {
            heap.restart();
        }
        self.running = Some(Running::new(self.start(), powered_at));
        Ok(())
    }

    fn power_off(&mut self) {
        self.stop();
        self.board.power_off();
    }

    fn heap(&self) -> Heap {
        self.heap.map_or_else(Heap::unwatched, Heap::from)
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.revive()?;
        let Some(Running { firmware: Some(firmware), inputs: seen, .. }) = &mut self.running else {
            self.board.advance_to(limit);
            return Ok(());
        };
        let Suspended { until, inputs, .. } = firmware.suspended;
        let input = match inputs {
            Inputs::Wake => seen.next(&self.board),
            Inputs::Wait => Instant::NEVER,
        };
        let due = until.min(input);
        self.board.advance_to(due.min(limit));
        if due <= limit && input == due {
            seen.read(&self.board, input);
        }
        self.drop_without_power();
        if due > limit {
            return Ok(());
        }
        self.resume(limit)
    }

    /// Returns a machine in the same state. Its firmware is executed again, from the last power-on on,
    /// once it runs.
    fn fork(&self) -> Option<Box<dyn Machine>> {
        let board = self.board.fork();
        let log = self.log.borrow().clone();
        let mut copy = Self::on(board, Arc::clone(&self.file), self.application.clone(), log);
        copy.heap = self.heap;
        copy.running = self.running.as_ref().map(|running| Running { firmware: None, ..*running });
        Some(Box::new(copy))
    }
}
