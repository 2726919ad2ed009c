//! The `native` machine: `firmware-core` compiled for this computer, on the virtual board.
//!
//! It jumps from event to event, so an idle minute costs no time. It connects the firmware's traits
//! with the board's handles and reads no clock.

mod heap;

use core::convert::Infallible;

use embedded_hal::digital::ErrorKind;
use embedded_hal::pwm::{ErrorType, SetDutyCycle};
use firmware_core::app;
use firmware_core::button::{self, BUTTONS};
use firmware_core::contacts::{self, Change};
use firmware_core::debounce::Levels;
use firmware_core::entropy;
use firmware_core::firmware::{Board, Canvas, Firmware, HardwareFault, Memory, Parts};
use firmware_core::opponent::Thinker;
use firmware_core::screen::{View, theme};
use firmware_core::sound;
use firmware_core::time::{self, Wake};
use hal_mock::{
    BoardConfig, Heap, Machine, MachineError, VirtualBoard,
    board::{Backlight, Buzzer, Contacts, Entropy, FlashHandle, LcdDc, LcdReset, LcdSpi, Uart},
    setup::SetupError,
};
use reading::text::Font;
use trace::{Action, Button, ButtonSet, Trace};
use virtual_time::{Instant, Nanos};

use self::heap::{HeapCount, Uncounted, counted};
use crate::header;
use host::heap::HeapMeter;

/// Returns the fonts of the LCD, for reading text from its pixels.
pub fn fonts() -> Vec<Font> {
    theme::FONTS
        .into_iter()
        .map(|(name, font)| Font::from_mono(name, &font.to_mono(), 1, theme::CHARACTERS))
        .collect()
}

/// Builds the board that a trace's header describes, with its power off. Settings that the header
/// does not name come from `flash`, or are those of a factory-new board.
///
/// # Errors
/// If the header is wrong; see [`boards::header::HeaderErrorKind`].
pub fn build(trace: &Trace, flash: Option<Vec<u8>>) -> Result<Box<dyn Machine>, SetupError> {
    build_metered(trace, flash, None)
}

/// Like [`build()`]. `meter` counts the firmware's allocations if the trace has a line `expect heap
/// none`; without a meter such a line fails, because the board cannot count them.
///
/// # Errors
/// As for [`build()`].
pub fn build_metered(
    trace: &Trace,
    flash: Option<Vec<u8>>,
    meter: Option<HeapMeter>,
) -> Result<Box<dyn Machine>, SetupError> {
    let mut native = Native::new(header::board(trace, flash)?);
    if let Some(meter) = meter
        && trace.lines.iter().any(|line| line.action == Action::ExpectNoHeap)
    {
        native.count_heap(meter);
    }
    Ok(Box::new(native))
}

/// The firmware on the virtual board.
pub struct Native {
    board: VirtualBoard,
    running: Option<Running>,
    /// The firmware's heap allocations since the first power-on, if they are counted.
    heap: Option<HeapCount>,
}

struct Running {
    firmware: Firmware<VirtualPins>,
    /// Time of the last power-on, at which the Pico's timer starts at zero.
    powered_at: Instant,
    wake: Wake,
}

impl Native {
    /// Creates a board without power.
    pub fn new(config: BoardConfig) -> Self {
        Self { board: VirtualBoard::new(config), running: None, heap: None }
    }

    /// Counts the firmware's heap allocations from the next power-on on. A replay then takes about
    /// 5 % longer.
    pub fn count_heap(&mut self, meter: HeapMeter) {
        self.heap = Some(HeapCount::new(meter));
    }

    /// Returns the view on the LCD without the frame in progress, and the view of that frame;
    /// `None` without power or without a frame in progress.
    pub fn views(&self) -> (Option<View>, Option<View>) {
        let (shown, next) = match &self.running {
            Some(running) => running.firmware.views(),
            None => (None, None),
        };
        (shown.copied(), next.copied())
    }

    /// Returns the computer player's current or last thinking; `None` without power.
    pub fn thinker(&self) -> Option<&Thinker> {
        self.running.as_ref().map(|running| running.firmware.thinker())
    }

    /// Returns another machine in the same state, on a separate board. The flash is shared until
    /// one of them writes. Returns `None` if the pins of a new board fail, which those of the
    /// virtual board never do.
    pub fn copy(&self) -> Option<Self> {
        let running = match &self.running {
            None => return Some(Self { board: self.board.fork(), running: None, heap: self.heap }),
            Some(running) => running,
        };
        // The LCD's driver sends its initialisation to a board without power, which ignores it.
        // Then the board takes over the state of the first one.
        let board = VirtualBoard::new(BoardConfig::default());
        let meter = self.heap.map(|count| count.meter());
        let parts = parts(&board, running.powered_at, meter);
        let firmware = running.firmware.copied(parts, &mut board.delay()).ok()?;
        board.copy_state_from(&self.board);
        let Running { powered_at, wake, .. } = *running;
        Some(Self { board, running: Some(Running { firmware, powered_at, wake }), heap: self.heap })
    }

    fn fault(&self, fault: HardwareFault) -> MachineError {
        MachineError::new(self.board.now(), fault)
    }
}

impl Machine for Native {
    fn board(&self) -> &VirtualBoard {
        &self.board
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        if self.running.is_some() {
            return Ok(());
        }
        let powered_at = self.board.now();
        self.board.power_on();
        let meter = self.heap.map(|count| count.meter());
        let (parts, memory) = (parts(&self.board, powered_at, meter), memory());
        let mut delay = Uncounted::new(self.board.delay(), meter);
        let booted = counted(&mut self.heap, || Firmware::boot(parts, memory, &mut delay));
        if !self.board.is_powered() {
            // The power failed during the boot, so its result does not count.
            return Ok(());
        }
        let firmware = booted.map_err(|fault| self.fault(fault))?;
        self.running = Some(Running { firmware, powered_at, wake: Wake::Now });
        Ok(())
    }

    fn power_off(&mut self) {
        self.running = None;
        self.board.power_off();
    }

    fn heap(&self) -> Heap {
        match self.heap {
            Some(count) => count.into(),
            None => Heap::Unknown("its allocations are not counted".into()),
        }
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        let Some(running) = &mut self.running else {
            self.board.advance_to(limit);
            return Ok(());
        };
        let wake = match running.wake {
            Wake::Now => Instant::START,
            Wake::At(at) => running.powered_at.saturating_add(Nanos::from_micros(at.0)),
            Wake::OnInput => Instant::NEVER,
        };
        let input = self.board.next_edge().into_iter().chain(self.board.next_typed()).min();
        let due = input.map_or(wake, |at| at.min(wake));
        if due > limit {
            self.board.advance_to(limit);
            if !self.board.is_powered() {
                self.running = None;
            }
            return Ok(());
        }
        self.board.advance_to(due);
        if !self.board.is_powered() {
            self.running = None;
            return Ok(());
        }
        let now = time::Instant(self.board.now().saturating_since(running.powered_at).as_micros());
        let stepped = counted(&mut self.heap, || running.firmware.step(now));
        if !self.board.is_powered() {
            // The power failed during the step, so its result does not count.
            self.running = None;
            return Ok(());
        }
        match stepped {
            Ok(wake) => running.wake = wake,
            Err(fault) => return Err(self.fault(fault)),
        }
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        Some(Box::new(self.copy()?))
    }
}

/// The virtual board's pins for the firmware's board.
struct VirtualPins;

impl Board for VirtualPins {
    type Spi = Uncounted<LcdSpi>;
    type Dc = Uncounted<LcdDc>;
    type Reset = Uncounted<LcdReset>;
    type Backlight = Uncounted<Backlight>;
    type Contacts = Uncounted<VirtualContacts>;
    type Buzzer = Uncounted<VirtualBuzzer>;
    type Console = Uncounted<Uart>;
    type Flash = Uncounted<FlashHandle>;
    type Entropy = Uncounted<VirtualEntropy>;
    type Lent<T: 'static> = Box<T>;
}

fn memory() -> Memory<VirtualPins> {
    Memory { app: Box::new(app::Memory::new()), canvas: Box::new(Canvas::new()) }
}

fn parts(
    board: &VirtualBoard,
    powered_at: Instant,
    meter: Option<HeapMeter>,
) -> Parts<VirtualPins> {
    Parts {
        spi: Uncounted::new(board.lcd_spi(), meter),
        dc: Uncounted::new(board.lcd_dc(), meter),
        reset: Uncounted::new(board.lcd_reset(), meter),
        backlight: Uncounted::new(board.lcd_backlight(), meter),
        contacts: Uncounted::new(VirtualContacts::new(board, powered_at), meter),
        buzzer: Uncounted::new(VirtualBuzzer(board.buzzer()), meter),
        console: Uncounted::new(board.uart(), meter),
        flash: Uncounted::new(board.flash(), meter),
        entropy: Uncounted::new(VirtualEntropy(board.entropy()), meter),
    }
}

const _: () = assert!(BUTTONS == Button::LCD_BOARD.len());

/// The virtual contacts as the firmware's trait. The firmware's clock starts at each power-on.
pub struct VirtualContacts {
    contacts: Contacts,
    powered_at: Instant,
}

impl VirtualContacts {
    /// Returns the contacts of `board`, which was powered on at `powered_at`.
    pub fn new(board: &VirtualBoard, powered_at: Instant) -> Self {
        Self { contacts: board.contacts(), powered_at }
    }
}

impl contacts::Contacts for VirtualContacts {
    fn levels(&mut self) -> Result<Levels, ErrorKind> {
        Ok(levels(self.contacts.closed()))
    }

    fn take_change(&mut self) -> Result<Option<Change>, ErrorKind> {
        Ok(self.contacts.next_change().map(|(at, closed)| {
            let at = time::Instant(at.saturating_since(self.powered_at).as_micros());
            Change { at, levels: levels(closed) }
        }))
    }
}

fn levels(closed: ButtonSet) -> Levels {
    let mut levels = Levels::default();
    let down = button::Button::all().zip(Button::LCD_BOARD);
    let down = down.filter(|(_, contact)| closed.contains(*contact));
    down.for_each(|(button, _)| levels.set_down(button));
    levels
}

/// The virtual entropy source as the firmware's trait.
struct VirtualEntropy(Entropy);

impl entropy::Entropy for VirtualEntropy {
    fn bit(&mut self) -> bool {
        self.0.bit()
    }

    /// Does nothing: only the trace's seed determines the random numbers.
    fn stir(&mut self, _: time::Instant) {}
}

/// The virtual piezo as the firmware's trait.
struct VirtualBuzzer(Buzzer);

impl ErrorType for VirtualBuzzer {
    type Error = Infallible;
}

impl SetDutyCycle for VirtualBuzzer {
    fn max_duty_cycle(&self) -> u16 {
        self.0.max_duty_cycle()
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        self.0.set_duty_cycle(duty)
    }
}

impl sound::Buzzer for VirtualBuzzer {
    fn set_frequency(&mut self, hz: u32) {
        self.0.set_frequency(hz);
    }
}
