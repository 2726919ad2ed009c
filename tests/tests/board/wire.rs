//! Checks the bytes on the LCD's wire: no pixel is sent twice in one frame, and no step keeps the
//! bus busy for longer than its limit.
//!
//! A tap between the firmware and the virtual board's SPI and D/CX pins decodes windows and pixels
//! independently of the LCD's model. It knows no game. Besides games, sessions press random buttons
//! in all systems, including the menus and games with the computer.

use core::cell::RefCell;
use core::convert::Infallible;
use std::rc::Rc;

use embedded_hal::digital::{self, OutputPin};
use embedded_hal::pwm::{self, SetDutyCycle};
use embedded_hal::spi::{self, Operation, SpiDevice};
use firmware_board::native::VirtualContacts;
use firmware_core::app;
use firmware_core::entropy::Entropy;
use firmware_core::firmware::{Board, Canvas, Firmware, Memory, Parts};
use firmware_core::sound;
use firmware_core::time::{self, Wake};
use hal_mock::{
    VirtualBoard,
    board::{Backlight, Buzzer, FRAME_IDLE, FlashHandle, LcdDc, LcdReset, LcdSpi, Uart},
};
use nudge_tests::dice::Dice;
use nudge_tests::menus::HOLD;
use nudge_tests::part::Part;
use nudge_tests::session::header;
use trace::{Button, HeaderEntry, TAP_HOLD, Trace};
use virtual_time::{Instant, Nanos};

const COLUMN_ADDRESS_SET: u8 = 0x2A;
const PAGE_ADDRESS_SET: u8 = 0x2B;
const MEMORY_WRITE: u8 = 0x2C;

/// Size of the panel with MADCTL's MV set: 320 columns, 240 pages.
const COLUMNS: usize = 320;
const PAGES: usize = 240;

/// Maximum time for which a step may keep the bus busy (DESIGN.md, "Time").
const LONGEST_STEP: Nanos = Nanos::from_millis(4);

/// Maximum time of a step that writes to flash: a sector is erased in 45 ms, and saving a game
/// erases several of them. RESET is still answered in 200 ms.
const LONGEST_WRITING_STEP: Nanos = Nanos::from_millis(180);

/// Number of sessions with random presses.
const SESSIONS: u64 = 60;
/// Number of presses in each session.
const PRESSES: u64 = 150;

/// The state of the tap.
struct TapState {
    command_follows: bool,
    command: u8,
    /// Bytes since the command.
    bytes: Vec<u8>,
    /// First and last column.
    columns: [usize; 2],
    /// First and last page.
    pages: [usize; 2],
    /// Number of pixels written since the memory write began.
    pixels: usize,
    /// How often the current frame has written each pixel, row by row.
    writes: Vec<u8>,
    last_pixel: Instant,
    frames: usize,
    /// Pixels that a frame wrote again: time, column, page.
    again: Vec<(Instant, usize, usize)>,
}

impl TapState {
    fn new() -> Self {
        Self {
            command_follows: false,
            command: 0,
            bytes: Vec::new(),
            columns: [0; 2],
            pages: [0; 2],
            pixels: 0,
            writes: vec![0; COLUMNS * PAGES],
            last_pixel: Instant::START,
            frames: 0,
            again: Vec::new(),
        }
    }

    fn take(&mut self, at: Instant, byte: u8) {
        if self.command_follows {
            self.command = byte;
            self.bytes.clear();
            self.pixels = 0;
            return;
        }
        self.bytes.push(byte);
        match (self.command, self.bytes.as_slice()) {
            (COLUMN_ADDRESS_SET, range @ [_, _, _, _]) => self.columns = first_and_last(range),
            (PAGE_ADDRESS_SET, range @ [_, _, _, _]) => self.pages = first_and_last(range),
            (MEMORY_WRITE, [_, _]) => {
                self.bytes.clear();
                self.pixel(at);
            }
            _ => {}
        }
    }

    fn pixel(&mut self, at: Instant) {
        if at >= self.last_pixel.saturating_add(FRAME_IDLE) {
            self.writes.fill(0);
            self.frames += 1;
        }
        self.last_pixel = at;
        let [left, right] = self.columns;
        let width = right - left + 1;
        let (column, page) = (left + self.pixels % width, self.pages[0] + self.pixels / width);
        self.pixels += 1;
        let writes = &mut self.writes[page * COLUMNS + column];
        *writes += 1;
        if *writes == 2 {
            self.again.push((at, column, page));
        }
    }
}

fn first_and_last(range: &[u8]) -> [usize; 2] {
    [0, 2].map(|at| usize::from(range[at]) << 8 | usize::from(range[at + 1]))
}

/// The SPI device with the tap.
struct TappedSpi {
    wire: LcdSpi,
    board: VirtualBoard,
    seen: Rc<RefCell<TapState>>,
}

impl spi::ErrorType for TappedSpi {
    type Error = Infallible;
}

impl SpiDevice for TappedSpi {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        for operation in operations.iter() {
            if let Operation::Write(bytes) = operation {
                let at = self.board.now();
                let mut seen = self.seen.borrow_mut();
                bytes.iter().for_each(|byte| seen.take(at, *byte));
            }
        }
        self.wire.transaction(operations)
    }
}

/// The D/CX pin with the tap.
struct TappedDc {
    wire: LcdDc,
    seen: Rc<RefCell<TapState>>,
}

impl digital::ErrorType for TappedDc {
    type Error = Infallible;
}

impl OutputPin for TappedDc {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.seen.borrow_mut().command_follows = true;
        self.wire.set_low()
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.seen.borrow_mut().command_follows = false;
        self.wire.set_high()
    }
}

struct Piezo(Buzzer);

impl pwm::ErrorType for Piezo {
    type Error = Infallible;
}

impl SetDutyCycle for Piezo {
    fn max_duty_cycle(&self) -> u16 {
        self.0.max_duty_cycle()
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        self.0.set_duty_cycle(duty)
    }
}

impl sound::Buzzer for Piezo {
    fn set_frequency(&mut self, hz: u32) {
        self.0.set_frequency(hz);
    }
}

/// A random source that is always the same.
struct NoEntropy;

impl Entropy for NoEntropy {
    fn bit(&mut self) -> bool {
        false
    }

    fn stir(&mut self, _: time::Instant) {}
}

/// The reference board with a tapped LCD.
struct Tapped;

impl Board for Tapped {
    type Spi = TappedSpi;
    type Dc = TappedDc;
    type Reset = LcdReset;
    type Backlight = Backlight;
    type Contacts = VirtualContacts;
    type Buzzer = Piezo;
    type Console = Uart;
    type Flash = FlashHandle;
    type Entropy = NoEntropy;
    type Lent<T: 'static> = Box<T>;
}

/// A person at the tapped board.
struct TappedBoard {
    board: VirtualBoard,
    firmware: Firmware<Tapped>,
    wake: Wake,
    seen: Rc<RefCell<TapState>>,
    longest_step: Nanos,
    /// Longest step that writes to flash.
    longest_writing_step: Nanos,
}

impl TappedBoard {
    fn new(header: Vec<HeaderEntry>) -> Self {
        let trace = Trace { header, ..Trace::default() };
        let config = firmware_board::header::board(&trace, None).expect("the header is right");
        let board = VirtualBoard::new(config);
        let seen = Rc::new(RefCell::new(TapState::new()));
        board.power_on();
        let parts = Parts {
            spi: TappedSpi { wire: board.lcd_spi(), board: board.clone(), seen: seen.clone() },
            dc: TappedDc { wire: board.lcd_dc(), seen: seen.clone() },
            reset: board.lcd_reset(),
            backlight: board.lcd_backlight(),
            contacts: VirtualContacts::new(&board, Instant::START),
            buzzer: Piezo(board.buzzer()),
            console: board.uart(),
            flash: board.flash(),
            entropy: NoEntropy,
        };
        let memory = Memory { app: Box::new(app::Memory::new()), canvas: Box::new(Canvas::new()) };
        let firmware = Firmware::boot(parts, memory, &mut board.delay()).expect("sound hardware");
        let (longest_step, longest_writing_step) = (Nanos::ZERO, Nanos::ZERO);
        Self { board, firmware, wake: Wake::Now, seen, longest_step, longest_writing_step }
    }

    fn run_until(&mut self, until: Instant) {
        loop {
            let wake = match self.wake {
                Wake::Now => Instant::START,
                Wake::At(at) => Instant::from_micros(at.0),
                Wake::OnInput => Instant::NEVER,
            };
            let due = self.board.next_edge().map_or(wake, |edge| edge.min(wake));
            if due > until || self.board.now() > until {
                self.board.advance_to(until);
                return;
            }
            self.board.advance_to(due);
            let began = self.board.now();
            let kept = self.board.with_flash(|chip| chip.operations());
            self.wake =
                self.firmware.step(time::Instant(began.as_micros())).expect("sound hardware");
            let longest = match self.board.with_flash(|chip| chip.operations()) == kept {
                true => &mut self.longest_step,
                false => &mut self.longest_writing_step,
            };
            *longest = (*longest).max(self.board.now().saturating_since(began));
        }
    }

    /// Presses `button` at `at` for 80 ms.
    fn tap(&mut self, at: Instant, button: Button) {
        self.hold(at, button, TAP_HOLD);
    }

    /// Presses `button` at `at` for `span`; a step may be in progress then.
    fn hold(&mut self, at: Instant, button: Button, span: Nanos) {
        self.run_until(at);
        self.board.press(at, button);
        self.board.release(at.saturating_add(span), button);
    }

    #[track_caller]
    fn check(&self, frames_at_least: usize) {
        let seen = self.seen.borrow();
        let again: Vec<_> = seen.again.iter().take(5).collect();
        assert!(again.is_empty(), "written again in one frame (time, column, page): {again:?}");
        assert!(seen.frames >= frames_at_least, "only {} frames", seen.frames);
        assert!(self.longest_step <= LONGEST_STEP, "a step took {}", self.longest_step);
        let writing = self.longest_writing_step;
        assert!(writing <= LONGEST_WRITING_STEP, "a step that kept something took {writing}");
        assert_eq!(self.board.violations(), []);
    }
}

/// Returns the thirteen buttons in random order, with RESET less frequent.
fn buttons() -> impl Iterator<Item = Button> {
    (1u64..).map(|nth| {
        let mixed = nth.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        if nth % 61 == 0 { Button::Reset } else { Button::LCD_BOARD[mixed as usize % 12] }
    })
}

#[test]
fn the_first_frame_writes_every_pixel_exactly_once() {
    let mut desk = TappedBoard::new(Vec::new());
    desk.run_until(Instant::from_secs(1));
    desk.check(1);
    let seen = desk.seen.borrow();
    assert_eq!(seen.frames, 1);
    let untouched = seen.writes.iter().position(|writes| *writes != 1);
    assert_eq!(untouched.map(|at| (at % COLUMNS, at / COLUMNS)), None);
}

#[test]
fn no_frame_of_slow_games_writes_a_pixel_twice() {
    let mut desk = TappedBoard::new(Vec::new());
    for (nth, button) in (1..=400).zip(buttons()) {
        desk.tap(Instant::from_secs(4 * nth), button);
    }
    desk.run_until(Instant::from_secs(1_610));
    desk.check(2_000);
}

/// Presses interrupt a movement between two of its frames and within them: the bus must be idle
/// between the current frame and the next one.
#[test]
fn no_frame_of_quick_games_writes_a_pixel_twice() {
    let mut desk = TappedBoard::new(Vec::new());
    let mut at = Instant::from_secs(1);
    for (nth, button) in (1..=1_000).zip(buttons()) {
        // A stone moves on after 80 ms, so these times cover every part of a phase.
        at = at.saturating_add(Nanos::from_micros(240_000 + nth * 7_919 % 80_000));
        desk.tap(at, button);
    }
    desk.run_until(at.saturating_add(Nanos::from_secs(10)));
    desk.check(1_500);
}

/// Returns the header of a random board.
fn any_header(dice: &mut Dice) -> Vec<HeaderEntry> {
    let pick = |dice: &mut Dice, from: &[&'static str]| dice.pick(from).expect("there are some");
    let game = pick(dice, &["board", "family", "wari", "top-bottom"]);
    let players = pick(dice, &["one", "two", "demo"]);
    let level = pick(dice, &["novice", "intermediate", "proficient", "advanced"]);
    let mut all = header(&[("game", &game), ("players", &players), ("level", &level)]);
    if game == "wari" {
        let (stones, turns) = (3 + dice.below(3), pick(dice, &["on", "off"]));
        all.extend(header(&[("stones", &stones), ("bidirectional", &turns)]));
    }
    all
}

#[test]
fn no_frame_of_random_sessions_writes_a_pixel_twice() {
    let mut longest_writing_step = Nanos::ZERO;
    for seed in Part::of_this_run().pick(0..SESSIONS) {
        let mut dice = Dice::new(seed);
        let header = any_header(&mut dice);
        println!("session {seed}: {header:?}");
        let mut desk = TappedBoard::new(header);
        let mut at = Instant::from_millis(700);
        for _ in 0..PRESSES {
            let (button, hold) = match dice.below(12) {
                0 => (Button::Reset, HOLD),
                1 => (Button::Reset, TAP_HOLD),
                2 => (
                    Button::LCD_BOARD[dice.below(13) as usize],
                    Nanos::from_millis(990 + dice.below(20)),
                ),
                3..6 => (Button::LCD_BOARD[dice.below(12) as usize], TAP_HOLD),
                _ => (Button::LCD_BOARD[dice.below(6) as usize], TAP_HOLD),
            };
            desk.hold(at, button, hold);
            at = at.saturating_add(
                hold.saturating_add(Nanos::from_micros(20_000 + dice.below(500_000))),
            );
        }
        desk.run_until(at.saturating_add(Nanos::from_secs(10)));
        desk.check(100);
        longest_writing_step = longest_writing_step.max(desk.longest_writing_step);
    }
    println!("the longest step that kept something: {longest_writing_step}");
    assert!(longest_writing_step > Nanos::ZERO, "something must have been kept");
}
