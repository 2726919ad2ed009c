//! The copper between the chip and the board: DESIGN's table of pins.
//!
//! Times on the chip's side count from its power-on, the board's from the first one.

use hal_mock::board::Terminals;
use hal_mock::{Button, Nanos, VirtualBoard};
use rp2040_emulator::chip::{Chip, Drive, Output, OutputChange, PinChange, SpiWord};

/// The console's UART.
const UART: usize = 0;
/// The LCD's SPI controller.
const SPI: usize = 0;

/// B1 to B6, T1 to T6 and RESET, each to ground.
const FIRST_BUTTON: usize = 2;
const LCD_CHIP_SELECT: u32 = 1 << 17;
const LCD_DC: u32 = 1 << 20;
const LCD_RESET_PIN: usize = 21;
const LCD_RESET: u32 = 1 << LCD_RESET_PIN;
const BACKLIGHT: u32 = 1 << 22;
const BUZZER_PIN: usize = 15;
/// The PWM slice and channel that the buzzer's pin can show, and the function that does so.
const BUZZER: (usize, usize) = (7, 1);
const PWM_FUNCTION: u32 = 4;
const WATCHED: u32 = LCD_CHIP_SELECT | LCD_DC | LCD_RESET | BACKLIGHT;

/// Bytes of an answer that a report shows.
const LONGEST_ANSWER: usize = 8;

/// The wires of a chip that has power.
pub(super) struct Wires {
    terminals: Terminals,
    powered_at: Nanos,
    /// The levels of the LCD's pins as the LCD knows them.
    levels: u32,
    closed: [bool; Button::COUNT],
    /// A wave at the buzzer that has not lasted for a period yet: since when, and its frequency.
    wave: Option<(Nanos, f64)>,
    /// Bytes in a row that the LCD has not heard of yet.
    burst: Burst,
    /// The first answer of the LCD that the chip did not get.
    unheard: Option<Vec<u8>>,
}

#[derive(Default)]
struct Burst {
    start: Nanos,
    end: Nanos,
    bytes: Vec<u8>,
}

impl Wires {
    /// Connects a chip that is switched on now.
    pub(super) fn attach(board: &VirtualBoard, chip: &mut Chip, powered_at: Nanos) -> Self {
        // The module pulls RESX up.
        chip.drive(LCD_RESET_PIN, Drive::High);
        chip.watch(WATCHED);
        let mut wires = Self {
            terminals: board.terminals(),
            powered_at,
            levels: 0,
            closed: [false; Button::COUNT],
            wave: None,
            burst: Burst::default(),
            unheard: None,
        };
        wires.levels = chip.levels();
        wires.terminals.set_lcd_dc(powered_at, wires.levels & LCD_DC != 0);
        for button in Button::ALL {
            wires.drive(chip, button, powered_at);
        }
        wires
    }

    /// Every edge of a contact that has come by now reaches its pin, in order.
    pub(super) fn drive_buttons(&mut self, board: &VirtualBoard, chip: &mut Chip) {
        while let Some(edge) = board.next_edge().filter(|edge| *edge <= board.now()) {
            for button in Button::ALL {
                self.drive(chip, button, edge);
            }
        }
    }

    fn drive(&mut self, chip: &mut Chip, button: Button, at: Nanos) {
        let closed = self.terminals.is_closed(at, button);
        if std::mem::replace(&mut self.closed[button.index()], closed) != closed {
            let level = if closed { Drive::Low } else { Drive::Open };
            chip.drive(FIRST_BUTTON + button.index(), level);
        }
    }

    /// Tells the board what has happened on the pins since the last call, in order of time.
    /// Whether anything has.
    pub(super) fn tell(&mut self, chip: &mut Chip) -> bool {
        let sent = chip.take_sent(UART);
        for (ns, byte) in &sent {
            self.terminals.hear(self.powered_at + Nanos(*ns), *byte);
        }
        for wave in chip.take_pwm_changes().0 {
            if (wave.slice, wave.channel) == BUZZER
                && chip.function(BUZZER_PIN) == Some(PWM_FUNCTION)
            {
                self.sound(wave);
            }
        }
        self.hear_wave(self.powered_at + Nanos(chip.now_ns()));
        let (words, changes) = (chip.take_spi_sent(SPI).0, chip.take_changes());
        let heard = !sent.is_empty() || !words.is_empty() || !changes.is_empty();
        let mut changes = changes.into_iter().peekable();
        for word in words {
            while let Some(change) = changes.next_if(|change| change.ns < word.ns) {
                self.move_pins(change);
            }
            self.clock_in(word);
        }
        for change in changes {
            self.move_pins(change);
        }
        self.flush();
        heard
    }

    /// The buzzer's pin does something else. What has not lasted for a period was no tone: a
    /// slice takes its divider at once and the rest of a new frequency with its next wrap.
    fn sound(&mut self, OutputChange { ns, output, .. }: OutputChange) {
        let at = self.powered_at + Nanos(ns);
        self.hear_wave(at);
        self.wave = match output {
            Output::Wave { hz, .. } => Some((at, hz)),
            Output::Level(_) => {
                self.terminals.set_tone(at, None);
                None
            }
        };
    }

    /// A wave that has lasted for a period by `now` is a tone, from its beginning on.
    fn hear_wave(&mut self, now: Nanos) {
        let lasted = |(since, hz): &(Nanos, f64)| (now - *since).0 as f64 * hz >= 1e9;
        if let Some((since, hz)) = self.wave.take_if(|wave| lasted(wave)) {
            self.terminals.set_tone(since, Some(hz.round() as u32));
        }
    }

    /// A word on MOSI, which is the LCD's if it is selected.
    fn clock_in(&mut self, SpiWord { start_ns, ns, word, bits }: SpiWord) {
        if self.levels & LCD_CHIP_SELECT != 0 {
            return;
        }
        let (start, end) = (self.powered_at + Nanos(start_ns), self.powered_at + Nanos(ns));
        if self.burst.end != start {
            self.flush();
        }
        if self.burst.bytes.is_empty() {
            self.burst.start = start;
        }
        self.burst.end = end;
        // A frame of 16 bits is two bytes to the LCD; of other sizes it sees the last eight bits.
        if bits == 16 {
            self.burst.bytes.push((word >> 8) as u8);
        }
        self.burst.bytes.push(word as u8);
    }

    /// The LCD gets the bytes that came in a row. What it answers comes too late for the chip,
    /// which has read zeros: if they were wrong, that must not stay unknown.
    fn flush(&mut self) {
        let Burst { start, end, bytes } = &mut self.burst;
        self.terminals.lcd_exchange(*start, *end, bytes);
        let asked = self.unheard.is_none() && !self.terminals.is_lcd_disturbed();
        if asked && bytes.iter().any(|byte| *byte != 0) {
            self.unheard = Some(bytes[..bytes.len().min(LONGEST_ANSWER)].to_vec());
        }
        bytes.clear();
    }

    /// What the LCD has answered first where the chip has read zeros.
    pub(super) fn unheard_answer(&self) -> Option<&[u8]> {
        self.unheard.as_deref()
    }

    fn move_pins(&mut self, PinChange { ns, levels }: PinChange) {
        self.flush();
        let at = self.powered_at + Nanos(ns);
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
