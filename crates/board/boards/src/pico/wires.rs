//! The wires between the chip and the board, as a [`Wiring`] lists them (docs/wiring.md).
//!
//! Times of the chip count from its last power-on, those of the board from the first one.

use std::sync::Arc;

use hal_mock::{VirtualBoard, board::Terminals};
use rp2040_emulator::chip::{Chip, Drive, FunctionChange, Output, OutputChange, PinChange};
use trace::Button;
use virtual_time::{Instant, Nanos};

use super::lcd_bus::LcdBus;
use super::read_back::ReadBack;
use super::wiring::{ActiveLevel, ContactWiring, Gpio, Wiring};

/// FUNCSEL of PWM (RP2040 datasheet, 2.19.2).
const PWM_FUNCTION: u32 = 4;

/// The wires of a chip that has power.
#[derive(Clone)]
pub(super) struct Wires {
    wiring: Arc<Wiring>,
    terminals: Terminals,
    powered_at: Instant,
    bus: LcdBus,
    closed: [bool; Button::COUNT],
    /// A wave at the buzzer that has not lasted for a period yet: its start, and its frequency in
    /// hertz.
    wave: Option<(Instant, f64)>,
    /// Start of the last frame that the LCD has answered; that frame has already been transferred.
    answered_ns: Option<u64>,
}

impl Wires {
    /// Connects a chip that is powered on at `powered_at`.
    pub(super) fn attach(
        wiring: &Arc<Wiring>,
        board: &VirtualBoard,
        chip: &mut Chip,
        powered_at: Instant,
    ) -> Self {
        let lcd = &wiring.lcd;
        if let Some(reset) = lcd.reset {
            // The module pulls RESX up.
            chip.drive(reset.number(), Drive::High);
        }
        let mask = |pin: Option<Gpio>| pin.map_or(0, Gpio::bit);
        let bus =
            LcdBus::new(lcd, chip.levels(), |pin| chip.function(pin.number()).unwrap_or_default());
        chip.watch(bus.pins() | mask(lcd.reset) | mask(lcd.backlight));
        chip.watch_functions(bus.function_pins());
        if let Some(controller) = bus.controller() {
            chip.attach_spi(controller, Box::new(ReadBack::new(lcd)));
        }
        let mut wires = Self {
            wiring: Arc::clone(wiring),
            terminals: board.terminals(),
            powered_at,
            bus,
            closed: [false; Button::COUNT],
            wave: None,
            answered_ns: None,
        };
        wires.terminals.set_lcd_dc(powered_at, chip.levels() & mask(lcd.dc) != 0);
        if lcd.backlight.is_none() {
            wires.terminals.set_backlight(powered_at, true);
        }
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
            let Some(console) = self.wiring.console else { continue };
            if typed.after_loss {
                chip.lose(console.number.index());
            }
            chip.send(console.number.index(), typed.byte);
        }
    }

    fn drive(&mut self, chip: &mut Chip, button: Button, at: Instant) {
        let closed = self.terminals.is_closed(at, button);
        if std::mem::replace(&mut self.closed[button.index()], closed) != closed
            && let Some(ContactWiring { pin, closed: active }) =
                self.wiring.buttons.get(button.index())
        {
            let level = match (closed, active) {
                (false, _) => Drive::Open,
                (true, ActiveLevel::Low) => Drive::Low,
                (true, ActiveLevel::High) => Drive::High,
            };
            chip.drive(pin.number(), level);
        }
    }

    /// Transfers the events on the pins since the last call to the board, in order of time. Returns
    /// whether there were any.
    pub(super) fn transfer(&mut self, chip: &mut Chip) -> bool {
        let mut active = self.transfer_console(chip);
        self.transfer_sound(chip);
        let words = match self.bus.controller() {
            Some(controller) => chip.take_spi_sent(controller).0,
            None => Vec::new(),
        };
        let changes = chip.take_changes();
        active |= !words.is_empty() || !changes.is_empty();
        let mut changes = changes.into_iter().peekable();
        let mut functions = chip.take_function_changes().into_iter().peekable();
        for word in words {
            while let Some(change) = changes.next_if(|change| change.ns < word.ns) {
                self.move_pins(change, &mut functions);
            }
            self.change_functions(word.ns, &mut functions);
            // Answers are given frame by frame, so at most one of these words is answered.
            if self.answered_ns != Some(word.start_ns) {
                self.bus.clock_in(&self.terminals, self.powered_at, word);
            }
        }
        for change in changes {
            self.move_pins(change, &mut functions);
        }
        self.change_functions(u64::MAX, &mut functions);
        self.bus.flush(&self.terminals);
        if let Some(controller) = self.bus.controller() {
            self.answer(chip, controller);
        }
        active
    }

    fn transfer_console(&self, chip: &mut Chip) -> bool {
        let Some(console) = self.wiring.console else { return false };
        let sent = chip.take_sent(console.number.index());
        for (ns, byte) in &sent {
            self.terminals.hear(self.powered_at.saturating_add(Nanos(*ns)), *byte);
        }
        !sent.is_empty()
    }

    fn transfer_sound(&mut self, chip: &mut Chip) {
        let waves = chip.take_pwm_changes().0;
        if let Some(buzzer) = self.wiring.buzzer {
            let pin = buzzer.number();
            for wave in waves {
                if (wave.slice, wave.channel) == (pin / 2 % 8, pin % 2)
                    && chip.function(pin) == Some(PWM_FUNCTION)
                {
                    self.sound(wave);
                }
            }
        }
        self.start_tone(self.powered_at.saturating_add(Nanos(chip.now_ns())));
    }

    /// Answers the current frame of the SPI controller, if the LCD does.
    fn answer(&mut self, chip: &mut Chip, controller: usize) {
        if let Some(frame) = chip.unanswered_spi_frame(controller)
            && self.answered_ns != Some(frame.start_ns)
            && let Some(word) = self.bus.read(&self.terminals, self.powered_at, frame)
        {
            chip.answer_spi(controller, word);
            self.answered_ns = Some(frame.start_ns);
        }
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

    /// Applies the changes of functions up to `ns`.
    fn change_functions(&mut self, ns: u64, functions: &mut FunctionChanges) {
        while let Some(change) = functions.next_if(|change| change.ns <= ns) {
            self.bus.change_function(change);
        }
    }

    fn move_pins(&mut self, change: PinChange, functions: &mut FunctionChanges) {
        let PinChange { ns, levels } = change;
        self.change_functions(ns, functions);
        let moved = self.bus.change_levels(&self.terminals, self.powered_at, ns, levels);
        let goes = |pin: Option<Gpio>| {
            let pin = pin.map_or(0, Gpio::bit);
            (moved & pin != 0).then_some(levels & pin != 0)
        };
        let (reset, backlight) = (goes(self.wiring.lcd.reset), goes(self.wiring.lcd.backlight));
        if reset.is_none() && backlight.is_none() {
            return;
        }
        self.bus.flush(&self.terminals);
        let at = self.powered_at.saturating_add(Nanos(ns));
        if let Some(high) = reset {
            self.terminals.set_lcd_reset(at, high);
        }
        if let Some(high) = backlight {
            self.terminals.set_backlight(at, high);
        }
    }
}

type FunctionChanges = std::iter::Peekable<std::vec::IntoIter<FunctionChange>>;
