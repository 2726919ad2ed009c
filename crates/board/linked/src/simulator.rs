//! The types of embedded-graphics-simulator, for programs that were written for it.
//!
//! A program draws into a [`SimulatorDisplay`] as there. [`Window::update`] does not copy the pixels
//! to the computer's screen: it initialises the panel of the board file and sends the changed pixels
//! over the panel's bus, in virtual time. [`Window::events`] returns the board's buttons as keys and
//! the touch panel as a mouse. `docs/from-embedded-graphics-simulator.md` shows the port.
//!
//! - `display`: the picture. `settings`: the settings of the output. `event` and `keycode`: the input.
//! - `driver`: the wires of the panel, and the commands of the two families of controllers.

mod display;
mod driver;
mod event;
mod keycode;
mod settings;

use core::time::Duration;
use std::sync::Arc;

use embedded_graphics::pixelcolor::{PixelColor, Rgb888};
use embedded_graphics::prelude::OriginDimensions as _;
use virtual_time::{Instant, Nanos};

use crate::context::{self, Inputs};
use crate::pins::{PartError, Pins, refuse};
use driver::Driver;
use event::Inputs as Parts;

pub use display::SimulatorDisplay;
pub use event::SimulatorEvent;
pub use settings::{BinaryColorTheme, OutputSettings, OutputSettingsBuilder};

/// The names of SDL2 that events have.
pub mod sdl2 {
    pub use super::keycode::{Keycode, MouseButton};
}

/// The sleep of the standard library, in virtual time.
pub mod thread {
    /// Lets `time` of the board pass.
    pub fn sleep(time: core::time::Duration) {
        super::sleep(time);
    }
}

/// Shortest time between two updates: 60 a second, as in the simulator.
const UPDATES: Nanos = Nanos(1_000_000_000 / 60);

/// A display of the board, its buttons and its touch panel.
#[derive(Debug)]
pub struct Window {
    driver: Driver,
    parts: Parts,
    updated_at: Option<Instant>,
}

impl Window {
    /// Returns the display whose name in the board file is `title`, or the first one. Scale and pixel
    /// spacing of the settings have no effect: they are properties of the window of `nudge run` and of
    /// the glass in the board file.
    ///
    /// A theme that is not that of the glass ends the machine with an error that names the keys for
    /// the board file.
    pub fn new(title: &str, settings: &OutputSettings) -> Self {
        let file = context::with(|context| Arc::clone(&context.file));
        let display = file.display_names().position(|name| name == title).unwrap_or(0);
        let glass = &file.display[display];
        if let Some((unlit, lit)) = settings.theme.colours()
            && (glass.unlit.rgb(), glass.lit.rgb()) != (unlit, lit)
        {
            refuse(PartError::Theme { unlit, lit });
        }
        let pins = Pins::new(Arc::clone(&file));
        let driver = Driver::new(&pins, &file, display);
        Self { driver, parts: Parts::new(&pins, &file, display), updated_at: None }
    }

    /// Sends the pixels of `display` that have changed to the panel, at most 60 times a second. The
    /// first update initialises the panel.
    ///
    /// A display of another size than the panel ends the machine with an error.
    pub fn update<C>(&mut self, display: &SimulatorDisplay<C>)
    where
        C: PixelColor + Into<Rgb888>,
    {
        let (size, panel) = (display.size(), self.driver.size());
        if size != panel {
            let [asked, is] = [size, panel].map(|size| (size.width, size.height));
            refuse(PartError::PictureSize { asked, is });
        }
        if let Some(at) = self.updated_at {
            context::sleep(at.saturating_add(UPDATES), Inputs::Wait);
        }
        self.updated_at = Some(context::now());
        self.driver.show(|x, y| display.at(x, y).into());
    }

    /// Sends the pixels of `display` and then waits for ever, as a firmware does.
    pub fn show_static<C>(&mut self, display: &SimulatorDisplay<C>)
    where
        C: PixelColor + Into<Rgb888>,
    {
        self.update(display);
        loop {
            context::sleep(Instant::NEVER, Inputs::Wait);
        }
    }

    /// Returns the changes of buttons and touch panel since the last call. There is no `Quit`: a
    /// firmware never ends.
    pub fn events(&mut self) -> impl Iterator<Item = SimulatorEvent> + '_ {
        self.parts.changes().into_iter()
    }
}

fn sleep(time: Duration) {
    let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    context::sleep(context::now().saturating_add(Nanos(nanos)), Inputs::Wait);
}
