//! A level meter for embedded-graphics-simulator: Up and Down move it, a click sets it.

use std::convert::Infallible;
use std::time::Duration;

use embedded_graphics::mono_font::{MonoTextStyle, ascii::FONT_6X10};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Baseline, Text};
use nudge::simulator::{
    BinaryColorTheme, OutputSettingsBuilder, SimulatorDisplay, SimulatorEvent, Window,
    sdl2::Keycode, thread,
};

const STEP: i32 = 8;

fn main() -> std::process::ExitCode {
    nudge::main(nudge::board!("tests/level.board.toml"), nudge::blocking(|_| firmware()))
}

pub fn firmware() -> Result<(), Infallible> {
    let mut display: SimulatorDisplay<BinaryColor> = SimulatorDisplay::new(Size::new(128, 64));
    let style = MonoTextStyle::new(&FONT_6X10, BinaryColor::On);
    let fill = PrimitiveStyle::with_fill(BinaryColor::On);

    let output_settings = OutputSettingsBuilder::new().theme(BinaryColorTheme::OledBlue).build();
    let mut window = Window::new("Level", &output_settings);
    let mut level = 32;

    'running: loop {
        display.clear(BinaryColor::Off)?;
        let text = format!("Level {level}");
        Text::with_baseline(&text, Point::zero(), style, Baseline::Top).draw(&mut display)?;
        let bar = Rectangle::new(Point::new(0, 48), Size::new(level as u32, 10));
        bar.into_styled(fill).draw(&mut display)?;
        window.update(&display);

        for event in window.events() {
            match event {
                SimulatorEvent::Quit => break 'running,
                SimulatorEvent::KeyDown { keycode: Keycode::Up, .. } => level += STEP,
                SimulatorEvent::KeyDown { keycode: Keycode::Down, .. } => level -= STEP,
                SimulatorEvent::MouseButtonUp { point, .. } => level = point.x,
                _ => {}
            }
        }
        level = level.clamp(0, 128);
        thread::sleep(Duration::from_millis(20));
    }

    Ok(())
}
