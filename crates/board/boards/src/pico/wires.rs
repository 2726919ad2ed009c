//! The wires between the chip and the board (docs/wiring.md).
//!
//! Times of the chip count from its last power-on, those of the board from the first one.

use hal_mock::{VirtualBoard, board::Terminals};
use rp2040_emulator::chip::{Chip, Drive, Output, OutputChange, PinChange, SpiWord};
use trace::Button;
use virtual_time::{Instant, Nanos};

use super::lcd_pins::{LCD_CHIP_SELECT, LCD_DC};
use super::read_back::ReadBack;

/// Number of the console's UART.
const UART: usize = 0;
/// Number of the LCD's SPI controller.
const SPI: usize = 0;

/// GPIO of B1; T1 to T6 and RESET follow. Each contact connects its pin to ground.
pub const FIRST_BUTTON: usize = 2;
const LCD_RESET_PIN: usize = 21;
const LCD_RESET: u32 = 1 << LCD_RESET_PIN;
const BACKLIGHT: u32 = 1 << 22;
const BUZZER_PIN: usize = 15;
/// PWM slice and channel of the buzzer's pin, and the pin function that selects them.
const BUZZER: (usize, usize) = (7, 1);
const PWM_FUNCTION: u32 = 4;
const WATCHED: u32 = LCD_CHIP_SELECT | LCD_DC | LCD_RESET | BACKLIGHT;

/// The wires of a chip that has power.
#[derive(Clone)]
pub(super) struct Wires {
    terminals: Terminals,
    powered_at: Instant,
    /// Levels of the LCD's pins that have been transferred to the LCD.
    levels: u32,
    closed: [bool; Button::COUNT],
    /// A wave at the buzzer that has not lasted for a period yet: its start, and its frequency in
    /// hertz.
    wave: Option<(Instant, f64)>,
    /// Consecutive bytes that have not been transferred to the LCD yet.
    burst: Burst,
    /// Start of the last frame that the LCD has answered; that frame has already been transferred.
    answered_ns: Option<u64>,
}

#[derive(Clone, Default)]
struct Burst {
    start: Instant,
    end: Instant,
    bytes: Vec<u8>,
}

impl Wires {
    /// Connects a chip that is powered on at `powered_at`.
    pub(super) fn attach(board: &VirtualBoard, chip: &mut Chip, powered_at: Instant) -> Self {
        // The module pulls RESX up.
        chip.drive(LCD_RESET_PIN, Drive::High);
        chip.watch(WATCHED);
        chip.attach_spi(SPI, Box::new(ReadBack::default()));
        let mut wires = Self {
            terminals: board.terminals(),
            powered_at,
            levels: 0,
            closed: [false; Button::COUNT],
            wave: None,
            burst: Burst::default(),
            answered_ns: None,
        };
        wires.levels = chip.levels();
        wires.terminals.set_lcd_dc(powered_at, wires.levels & LCD_DC != 0);
        for button in Button::ALL {
            wires.drive(chip, button, powered_at);
        }
        wires
    }

    /// Returns the same wires connected to another board.
    pub(super) fn fork(&self, board: &VirtualBoard) -> Self {
        Self { terminals: board.terminals(), ..self.clone() }
    }

    /// Transfers every edge of a contact up to now to its pin, in order of time.
    pub(super) fn drive_buttons(&mut self, board: &VirtualBoard, chip: &mut Chip) {
        while let Some(edge) = board.next_edge().filter(|edge| *edge <= board.now()) {
            for button in Button::ALL {
                self.drive(chip, button, edge);
            }
        }
    }

    /// Passes typed bytes that have arrived to the console's receiver.
    pub(super) fn type_in(&self, board: &VirtualBoard, chip: &mut Chip) {
        while let Some(typed) = self.terminals.take_typed(board.now()) {
            if typed.after_loss {
                chip.lose(UART);
            }
            chip.send(UART, typed.byte);
        }
    }

    fn drive(&mut self, chip: &mut Chip, button: Button, at: Instant) {
        let closed = self.terminals.is_closed(at, button);
        if std::mem::replace(&mut self.closed[button.index()], closed) != closed {
            let level = if closed { Drive::Low } else { Drive::Open };
            chip.drive(FIRST_BUTTON + button.index(), level);
        }
    }

    /// Transfers the events on the pins since the last call to the board, in order of time. Returns
    /// whether there were any.
    pub(super) fn transfer(&mut self, chip: &mut Chip) -> bool {
        let sent = chip.take_sent(UART);
        for (ns, byte) in &sent {
            self.terminals.hear(self.powered_at.saturating_add(Nanos(*ns)), *byte);
        }
        for wave in chip.take_pwm_changes().0 {
            if (wave.slice, wave.channel) == BUZZER
                && chip.function(BUZZER_PIN) == Some(PWM_FUNCTION)
            {
                self.sound(wave);
            }
        }
        self.start_tone(self.powered_at.saturating_add(Nanos(chip.now_ns())));
        let (words, changes) = (chip.take_spi_sent(SPI).0, chip.take_changes());
        let active = !sent.is_empty() || !words.is_empty() || !changes.is_empty();
        let mut changes = changes.into_iter().peekable();
        for word in words {
            while let Some(change) = changes.next_if(|change| change.ns < word.ns) {
                self.move_pins(change);
            }
            // Answers are given frame by frame, so at most one of these words is answered.
            if self.answered_ns != Some(word.start_ns) {
                self.clock_in(word);
            }
        }
        for change in changes {
            self.move_pins(change);
        }
        self.flush();
        if let Some(frame) = chip.unanswered_spi_frame(SPI)
            && self.answered_ns != Some(frame.start_ns)
        {
            chip.answer_spi(SPI, self.read(frame));
            self.answered_ns = Some(frame.start_ns);
        }
        active
    }

    /// Returns the LCD's output on MISO during a frame, and passes the word on MOSI to the LCD.
    fn read(&self, SpiWord { start_ns, ns, word, bits, .. }: SpiWord) -> u16 {
        let at = |ns| self.powered_at.saturating_add(Nanos(ns));
        let mut bytes = word.to_be_bytes();
        // A frame of 16 bits is two bytes for the LCD; of frames with other sizes it gets the last
        // eight bits.
        let first = if bits == 16 {
            0
        } else {
            bytes[0] = 0;
            1
        };
        self.terminals.lcd_exchange(at(start_ns), at(ns), &mut bytes[first..]);
        u16::from_be_bytes(bytes)
    }

    /// Handles a change at the buzzer's pin. A wave shorter than its period is not a tone: a slice
    /// applies a new divider at once, but a new wrap value only at its next wrap.
    fn sound(&mut self, OutputChange { ns, output, .. }: OutputChange) {
        let at = self.powered_at.saturating_add(Nanos(ns));
        self.start_tone(at);
        self.wave = match output {
            Output::Wave { hz, .. } => Some((at, hz)),
            Output::Level(_) => {
                self.terminals.set_tone(at, None);
                None
            }
        };
    }

    /// Starts a tone from the beginning of the wave, if the wave has lasted for a period at `now`.
    fn start_tone(&mut self, now: Instant) {
        let lasted =
            |(since, hz): &(Instant, f64)| now.saturating_since(*since).0 as f64 * hz >= 1e9;
        if let Some((since, hz)) = self.wave.take_if(|wave| lasted(wave)) {
            self.terminals.set_tone(since, Some(hz.round() as u32));
        }
    }

    /// Adds a word on MOSI to the burst, if the LCD is selected.
    fn clock_in(&mut self, SpiWord { start_ns, ns, word, bits, .. }: SpiWord) {
        if self.levels & LCD_CHIP_SELECT != 0 {
            return;
        }
        let (start, end) = (
            self.powered_at.saturating_add(Nanos(start_ns)),
            self.powered_at.saturating_add(Nanos(ns)),
        );
        if self.burst.end != start {
            self.flush();
        }
        if self.burst.bytes.is_empty() {
            self.burst.start = start;
        }
        self.burst.end = end;
        // A frame of 16 bits is two bytes for the LCD; of frames with other sizes it gets the last
        // eight bits.
        if bits == 16 {
            self.burst.bytes.push((word >> 8) as u8);
        }
        self.burst.bytes.push(word as u8);
    }

    /// Transfers the consecutive bytes to the LCD.
    fn flush(&mut self) {
        let Burst { start, end, bytes } = &mut self.burst;
        self.terminals.lcd_exchange(*start, *end, bytes);
        bytes.clear();
    }

    fn move_pins(&mut self, PinChange { ns, levels }: PinChange) {
        self.flush();
        let at = self.powered_at.saturating_add(Nanos(ns));
        let moved = self.levels ^ levels;
        self.levels = levels;
        let goes = |pin: u32| (moved & pin != 0).then_some(levels & pin != 0);
        if let Some(high) = goes(LCD_DC) {
            self.terminals.set_lcd_dc(at, high);
        }
        if let Some(high) = goes(LCD_RESET) {
            self.terminals.set_lcd_reset(at, high);
        }
        if let Some(high) = goes(BACKLIGHT) {
            self.terminals.set_backlight(at, high);
        }
    }
}
