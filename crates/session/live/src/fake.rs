//! A machine for tests that can be forked. Its firmware debounces the buttons, and paints a stripe
//! and beeps for each press. T6 stops it with an error.

use std::cell::Cell;
use std::rc::Rc;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};
use embedded_hal::pwm::SetDutyCycle;
use embedded_hal::spi::SpiDevice;
use hal_mock::board::{ButtonPin, ControlConfig};
use hal_mock::{BoardConfig, Heap, Machine, MachineError, VirtualBoard};
use trace::Button;
use virtual_time::{Instant, Nanos};

const DEBOUNCE: Nanos = Nanos::from_millis(5);
const BEEP: Nanos = Nanos::from_millis(40);

/// The firmware's state of a button.
struct ObservedMachine {
    pin: ButtonPin,
    raw: bool,
    since: Instant,
    down: bool,
}

pub(crate) struct FakeMachine {
    board: VirtualBoard,
    watched: Vec<ObservedMachine>,
    silence_at: Option<Instant>,
    /// Presses that the firmware has debounced since the first power-on.
    presses: u32,
    /// Total virtual time that this machine and its copies have executed.
    ran: Rc<Cell<Nanos>>,
}

impl FakeMachine {
    pub(crate) fn boxed(seed: u64) -> Box<dyn Machine> {
        Self::counted(seed, &Rc::default())
    }

    /// Creates a machine that adds the virtual time which it and its copies execute to `ran`.
    pub(crate) fn counted(seed: u64, ran: &Rc<Cell<Nanos>>) -> Box<dyn Machine> {
        Box::new(Self::with_controls(seed, Vec::new(), ran))
    }

    /// Creates a machine whose board has these controls, which its firmware does not read.
    pub(crate) fn with_controls(
        seed: u64,
        controls: Vec<ControlConfig>,
        ran: &Rc<Cell<Nanos>>,
    ) -> Self {
        let bounce = Nanos::from_millis(4);
        let config = BoardConfig { seed, bounce, controls, ..BoardConfig::default() };
        Self {
            board: VirtualBoard::new(config),
            watched: Vec::new(),
            silence_at: None,
            presses: 0,
            ran: Rc::clone(ran),
        }
    }

    fn command(&self, command: u8, arguments: &[u8]) {
        let Ok(()) = self.board.lcd_dc().set_low();
        let Ok(()) = self.board.lcd_spi().write(&[command]);
        if !arguments.is_empty() {
            let Ok(()) = self.board.lcd_dc().set_high();
            let Ok(()) = self.board.lcd_spi().write(arguments);
        }
    }

    /// Fills columns `left`…`left + 7`, rows `top`…`top + 31`: 0.13 ms of bus time.
    fn paint(&self, left: u16, top: u16, colour: u16) {
        let range = |from: u16, to: u16| {
            let ([a, b], [c, d]) = (from.to_be_bytes(), to.to_be_bytes());
            [a, b, c, d]
        };
        self.command(0x2A, &range(left, left + 7));
        self.command(0x2B, &range(top, top + 31));
        self.command(0x2C, &colour.to_be_bytes().repeat(8 * 32));
    }

    fn run_once(&mut self) -> Result<(), MachineError> {
        let now = self.board.now();
        if self.silence_at.is_some_and(|at| at <= now) {
            self.board.buzzer().set_frequency(0);
            self.silence_at = None;
        }
        for index in 0..self.watched.len() {
            let watched = &mut self.watched[index];
            let Ok(low) = watched.pin.is_low();
            if low != watched.raw {
                (watched.raw, watched.since) = (low, now);
            }
            if watched.raw == watched.down || now < watched.since.saturating_add(DEBOUNCE) {
                continue;
            }
            watched.down = watched.raw;
            if !watched.down {
                continue;
            }
            if index == Button::T6.index() {
                return Err(MachineError::new(now, "out of ideas"));
            }
            self.presses += 1;
            let colour = 0x0841_u16.wrapping_mul(self.presses as u16) ^ 0xF81F;
            self.paint(20 * index as u16, 32 * (self.presses % 7) as u16, colour);
            self.board.buzzer().set_frequency(440 + 20 * index as u32);
            self.silence_at = Some(now.saturating_add(BEEP));
        }
        Ok(())
    }

    fn wake_at(&self) -> Instant {
        let debounced = self
            .watched
            .iter()
            .filter(|watched| watched.raw != watched.down)
            .map(|watched| watched.since.saturating_add(DEBOUNCE));
        debounced.chain(self.silence_at).min().unwrap_or(Instant::NEVER)
    }
}

impl Machine for FakeMachine {
    fn board(&self) -> &VirtualBoard {
        &self.board
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.board.power_on();
        let mut delay = self.board.delay();
        let Ok(()) = self.board.lcd_reset().set_low();
        delay.delay_us(20);
        let Ok(()) = self.board.lcd_reset().set_high();
        delay.delay_ms(120);
        self.command(0x11, &[]);
        delay.delay_ms(120);
        self.command(0x3A, &[0x55]);
        self.command(0x36, &[0x28]);
        for (left, top) in (0..40).flat_map(|x| [0, 32, 64, 96, 128, 160, 192].map(|y| (8 * x, y)))
        {
            self.paint(left, top, 0x2104);
        }
        self.command(0x29, &[]);
        let Ok(()) = self.board.lcd_backlight().set_high();
        let Ok(()) = self.board.buzzer().set_duty_cycle_percent(50);
        self.watched = Button::LCD_BOARD
            .map(|button| ObservedMachine {
                pin: self.board.button_pin(button),
                raw: false,
                since: self.board.now(),
                down: false,
            })
            .into();
        self.run_once()
    }

    fn power_off(&mut self) {
        self.watched.clear();
        self.silence_at = None;
        self.board.power_off();
    }

    fn heap(&self) -> Heap {
        Heap::unwatched()
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        let event = self.board.next_edge().unwrap_or(Instant::NEVER).min(self.wake_at());
        let before = self.board.now();
        self.board.advance_to(event.min(limit));
        self.ran.set(Nanos(self.ran.get().0 + self.board.now().saturating_since(before).0));
        if event <= limit && self.board.is_powered() { self.run_once() } else { Ok(()) }
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        let board = self.board.fork();
        let pins = Button::LCD_BOARD.map(|button| board.button_pin(button));
        let watched = self.watched.iter().zip(pins).map(|(watched, pin)| {
            let ObservedMachine { raw, since, down, .. } = *watched;
            ObservedMachine { pin, raw, since, down }
        });
        Some(Box::new(Self {
            watched: watched.collect(),
            ran: Rc::clone(&self.ran),
            board,
            ..*self
        }))
    }
}
