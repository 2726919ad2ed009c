//! The pictures on the display.

use embedded_graphics::mono_font::{MonoTextStyle, ascii::FONT_10X20};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Alignment, Text};
use embedded_hal::digital::OutputPin as _;
use mipidsi::interface::SpiInterface;
use mipidsi::models::ST7789;
use mipidsi::options::ColorInversion;
use mipidsi::{Builder, Display};
use nudge::{Backlight, DataCommand, DisplayPins, DisplaySpi, Pins, Reset};

use crate::game::{Cell, SIDE, Snake};

type Lcd = Display<SpiInterface<'static, DisplaySpi, DataCommand>, ST7789, Reset>;

const GROUND: Rgb565 = Rgb565::new(1, 4, 3);
const FIELD: Rgb565 = Rgb565::new(3, 10, 5);
const BODY: Rgb565 = Rgb565::new(8, 50, 10);
const HEAD: Rgb565 = Rgb565::new(20, 63, 16);
const FOOD: Rgb565 = Rgb565::new(31, 36, 4);

/// Pixels of a cell, and of the first cell.
const CELL: i32 = 15;
const FIRST: Point = Point::new(15, 28);

pub struct Screen {
    lcd: Lcd,
    /// Keeps the backlight on.
    _backlight: Backlight,
}

impl Screen {
    pub fn new(pins: &Pins) -> Self {
        let DisplayPins { spi, dc, reset, mut backlight } = pins.display("LCD");
        // The board lives as long as the program.
        let buffer = Box::leak(Box::new([0; 512]));
        let interface = SpiInterface::new(spi, dc, buffer);
        let lcd = Builder::new(ST7789, interface)
            .display_size(240, 240)
            .invert_colors(ColorInversion::Inverted)
            .reset_pin(reset)
            .init(&mut pins.delay());
        let Ok(lcd) = lcd else { panic!("the display cannot be initialised") };
        let _ = backlight.set_high();
        Self { lcd, _backlight: backlight }
    }

    pub fn title(&mut self) {
        let _ = self.lcd.clear(GROUND);
        self.text("SNAKE", 100, HEAD);
        self.text("A begins a game", 140, Rgb565::WHITE);
    }

    /// Draws the whole field at the begin of a game.
    pub fn field(&mut self, snake: &Snake) {
        let _ = self.lcd.clear(GROUND);
        let side = (SIDE * CELL) as u32;
        self.fill(Rectangle::new(FIRST, Size::new(side, side)), FIELD);
        for cell in &snake.cells {
            self.cell(*cell, BODY);
        }
        self.ate(snake);
    }

    pub fn moved(&mut self, snake: &Snake, left: Cell) {
        self.cell(left, FIELD);
        self.heads(snake);
    }

    pub fn ate(&mut self, snake: &Snake) {
        self.heads(snake);
        self.cell(snake.food, FOOD);
        self.fill(Rectangle::new(Point::zero(), Size::new(240, 26)), GROUND);
        self.text(&format!("Score {}", snake.score()), 20, Rgb565::WHITE);
    }

    pub fn over(&mut self, snake: &Snake) {
        self.fill(Rectangle::new(Point::new(30, 90), Size::new(180, 70)), GROUND);
        self.text("GAME OVER", 120, FOOD);
        self.text(&format!("Score {}", snake.score()), 146, Rgb565::WHITE);
    }

    fn heads(&mut self, snake: &Snake) {
        self.cell(snake.cells[1], BODY);
        self.cell(snake.cells[0], HEAD);
    }

    fn cell(&mut self, (x, y): Cell, colour: Rgb565) {
        let at = FIRST + Point::new(x * CELL, y * CELL) + Point::new(1, 1);
        self.fill(Rectangle::new(at, Size::new_equal(CELL as u32 - 2)), colour);
    }

    fn fill(&mut self, area: Rectangle, colour: Rgb565) {
        let _ = area.into_styled(PrimitiveStyle::with_fill(colour)).draw(&mut self.lcd);
    }

    fn text(&mut self, text: &str, y: i32, colour: Rgb565) {
        let style = MonoTextStyle::new(&FONT_10X20, colour);
        let _ = Text::with_alignment(text, Point::new(120, y), style, Alignment::Center)
            .draw(&mut self.lcd);
    }
}
