//! A machine for the replayer's own tests: a small firmware that draws through a real driver,
//! beeps, writes to the console, and misbehaves on request.
//!
//! | button | does |
//! |---|---|
//! | B1 | 40 ms later writes `FREE TURN`, beeps 880 Hz for 50 ms, prints `move B1` |
//! | B2 | counts 1 to 10 on the LCD, one each 30 ms, then writes `GAME OVER` |
//! | B3 | sends a command that the ILI9341 does not have |
//! | B4 | keeps the bus busy for 3 ms |
//! | T1 | never sleeps afterwards |
//! | T2 | fails |
//! | T3 | blocks for an hour |
//! | T4 | programs 16 bytes of the flash |

use std::collections::VecDeque;

use embedded_graphics::mono_font::{MonoTextStyle, MonoTextStyleBuilder, ascii::FONT_6X10};
use embedded_graphics::pixelcolor::{Rgb565, RgbColor};
use embedded_graphics::prelude::*;
use embedded_graphics::text::{Baseline, Text};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};
use embedded_hal::pwm::SetDutyCycle;
use embedded_hal::spi::SpiDevice;
use embedded_io::Write;
use embedded_storage::nor_flash::NorFlash;
use mipidsi::interface::SpiInterface;
use mipidsi::models::ILI9341Rgb565;
use mipidsi::options::{ColorOrder, Orientation, Rotation};
use mipidsi::{Builder, Display};

use crate::board::{ButtonPin, LcdDc, LcdReset, LcdSpi};
use crate::{BoardConfig, Heap, Machine, MachineError, VirtualBoard};
use reading::text::{Font, Reader};
use trace::{Button, ButtonSet};
use virtual_time::{Instant, Nanos};

/// Returns a reader for the text of these tests.
pub(super) fn reader() -> Reader {
    let letters: String = (' '..='~').collect();
    Reader::new(vec![Font::from_mono("6x10", &FONT_6X10, 1, &letters)])
}

type Panel = Display<SpiInterface<'static, LcdSpi, LcdDc>, ILI9341Rgb565, LcdReset>;

/// A future action of the firmware.
enum BoardEvent {
    Write(String),
    Beep(u32),
    Spin,
}

struct Firmware {
    panel: Panel,
    pins: Vec<ButtonPin>,
    were_down: ButtonSet,
    agenda: VecDeque<(Instant, BoardEvent)>,
}

pub(super) struct FakeMachine {
    board: VirtualBoard,
    firmware: Option<Firmware>,
    /// Every change of a pin that the firmware detected: time, button, whether it was pressed.
    pub(super) seen: Vec<(Instant, Button, bool)>,
}

impl FakeMachine {
    pub(super) fn new() -> Self {
        Self::with_board(BoardConfig::default())
    }

    pub(super) fn with_board(config: BoardConfig) -> Self {
        Self { board: VirtualBoard::new(config), firmware: None, seen: Vec::new() }
    }

    fn say(&self, line: &str) {
        self.board.uart().write_all(format!("{line}\r\n").as_bytes()).unwrap();
    }

    fn plan(&mut self, delay_ms: u64, deed: BoardEvent) {
        let at = self.board.now().saturating_add(Nanos::from_millis(delay_ms));
        if let Some(firmware) = &mut self.firmware {
            let place = firmware.agenda.partition_point(|(earlier, _)| *earlier <= at);
            firmware.agenda.insert(place, (at, deed));
        }
    }

    fn pressed(&mut self, button: Button) -> Result<(), MachineError> {
        match button.name() {
            "B1" => {
                self.plan(0, BoardEvent::Beep(880));
                self.plan(40, BoardEvent::Write("FREE TURN".into()));
                self.plan(50, BoardEvent::Beep(0));
                self.say("move B1");
            }
            "B2" => {
                for count in 1..=10 {
                    self.plan(30 * count, BoardEvent::Write(format!("{count:<9}")));
                }
                self.plan(330, BoardEvent::Write("GAME OVER".into()));
            }
            "B3" => {
                self.board.lcd_dc().set_low().unwrap();
                self.board.lcd_spi().write(&[0xFF]).unwrap();
            }
            "B4" => self.board.delay().delay_ms(3),
            "T1" => self.plan(0, BoardEvent::Spin),
            "T2" => {
                let message = "the firmware panicked: out of ideas".to_owned();
                return Err(MachineError::new(self.board.now(), message));
            }
            "T3" => self.board.delay().delay_ms(3_600_000),
            // Without power this fails, and the firmware stops.
            "T4" => drop(self.board.flash().write(0, &[0; 16])),
            _ => {}
        }
        Ok(())
    }

    fn run_once(&mut self) -> Result<(), MachineError> {
        let now = self.board.now();
        let Some(firmware) = &mut self.firmware else {
            return Ok(());
        };
        let mut pressed = None;
        for button in Button::LCD_BOARD {
            let down = firmware.pins[button.index()].is_low().unwrap();
            if firmware.were_down.set(button, down) {
                self.seen.push((now, button, down));
                pressed = pressed.or(down.then_some(button));
            }
        }
        let due = firmware.agenda.front().is_some_and(|(at, _)| *at <= now);
        if let Some((_, deed)) = if due { firmware.agenda.pop_front() } else { None } {
            match deed {
                BoardEvent::Write(text) => write(&mut firmware.panel, 100, &text),
                BoardEvent::Beep(hz) => self.board.buzzer().set_frequency(hz),
                BoardEvent::Spin => firmware.agenda.push_front((now, BoardEvent::Spin)),
            }
        }
        pressed.map_or(Ok(()), |button| self.pressed(button))
    }
}

impl Machine for FakeMachine {
    fn board(&self) -> &VirtualBoard {
        &self.board
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.board.power_on();
        let buffer = Box::leak(Box::new([0; 512]));
        let wire = SpiInterface::new(self.board.lcd_spi(), self.board.lcd_dc(), buffer);
        let landscape = Orientation { rotation: Rotation::Deg90, mirrored: true };
        let mut panel = Builder::new(ILI9341Rgb565, wire)
            .reset_pin(self.board.lcd_reset())
            .color_order(ColorOrder::Bgr)
            .orientation(landscape)
            .init(&mut self.board.delay())
            .unwrap();
        panel.clear(Rgb565::BLACK).unwrap();
        write(&mut panel, 20, "READY");
        self.board.lcd_backlight().set_high().unwrap();
        self.board.buzzer().set_duty_cycle_percent(50).unwrap();
        let pins = Button::LCD_BOARD.map(|button| self.board.button_pin(button)).into();
        let were_down = ButtonSet::EMPTY;
        self.firmware = Some(Firmware { panel, pins, were_down, agenda: VecDeque::new() });
        // The firmware wakes up once, to find buttons that are held at power-on.
        self.plan(0, BoardEvent::Beep(0));
        Ok(())
    }

    fn power_off(&mut self) {
        self.firmware = None;
        self.board.power_off();
    }

    fn heap(&self) -> Heap {
        Heap::unwatched()
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        let planned = self.firmware.as_ref().and_then(|firmware| firmware.agenda.front());
        let wake = planned.map_or(Instant::NEVER, |(at, _)| *at);
        let event = self.board.next_edge().unwrap_or(Instant::NEVER).min(wake);
        self.board.advance_to(event.min(limit));
        let ran = if event <= limit { self.run_once() } else { Ok(()) };
        if !self.board.is_powered() {
            self.firmware = None;
        }
        ran
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

fn write(panel: &mut Panel, y: i32, text: &str) {
    let style: MonoTextStyle<'_, Rgb565> = MonoTextStyleBuilder::new()
        .font(&FONT_6X10)
        .text_color(Rgb565::WHITE)
        .background_color(Rgb565::BLACK)
        .build();
    Text::with_baseline(text, Point::new(20, y), style, Baseline::Top).draw(panel).unwrap();
}
