//! The machine `native`, looked into: its views, and what the computer player considers.

use std::sync::Arc;

use firmware_board::header;
use firmware_board::native::Native;
use firmware_core::button::Button;
use firmware_core::places::Cup;
use firmware_core::screen::View;
use hal_mock::{Machine, MachineWrapper, setup::SetupError};
use insight::{Consideration, Considered, OpenMachine, Views};
use trace::Trace;

use crate::view::LcdView;

/// Number of units per stone in the firmware's values.
const PARTS: f32 = 16.0;

/// The machine `native`.
pub(crate) struct OpenNative(Native);

impl OpenNative {
    /// Builds the machine that a trace's header describes.
    pub(crate) fn new(trace: &Trace, flash: Option<Vec<u8>>) -> Result<Self, SetupError> {
        Ok(Self(Native::new(header::board(trace, flash)?)))
    }
}

impl MachineWrapper for OpenNative {
    fn inner(&self) -> &dyn Machine {
        &self.0
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        &mut self.0
    }
}

impl OpenMachine for OpenNative {
    fn views(&self) -> Views {
        let (shown, sent) = self.0.views();
        let view = |view: View| -> Arc<dyn insight::View> { Arc::new(LcdView(view)) };
        Views { shown: shown.map(view), sent: sent.map(view) }
    }

    fn consideration(&self) -> Option<Consideration> {
        let thinker = self.0.thinker()?;
        let button = |cup: Cup| Button::beside(cup).name();
        let moves: Vec<Considered> = thinker
            .considered()
            .map(|(cup, value)| Considered {
                button: button(cup),
                value: value.map(|value| f32::from(value) / PARTS),
            })
            .collect();
        (!moves.is_empty()).then(|| Consideration {
            moves,
            in_hand: thinker.current_cup().map(button),
            decided: thinker.decided().map(button),
            turns: thinker.turns(),
            examined: thinker.nodes(),
        })
    }

    fn open_copy(&self) -> Option<Box<dyn OpenMachine>> {
        Some(Box::new(Self(self.0.copy()?)))
    }
}
