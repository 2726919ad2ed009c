//! The state of the parts of a described board as a message: LEDs, controls, and displays after the first
//! one. Both ends know the parts of the board, so the message has them in its order, without names.

use std::io::Read;
use std::sync::Arc;

use hal_mock::board::Position;
use serde::{Deserialize, Serialize};
use trace::{BoardParts, LedState, Point, Share};

use super::pixels::{put_pixels, take_pixels};
use crate::part_readings::{ControlReading, PartReadings};
use crate::process_error::MessageError;

/// [`PartReadings`]. The pixels of the displays follow the line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartNews {
    leds: Vec<Vec<LedNews>>,
    /// Position of each control, and that at rest.
    controls: Vec<[PositionNews; 2]>,
    /// Width and height of each display after the first one.
    displays: Vec<[usize; 2]>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LedNews {
    /// In ten-thousandths.
    Level(u16),
    Colour([u8; 4]),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PositionNews {
    Edges(i64),
    Switch(bool),
    /// In ten-thousandths of 3.3 V.
    Axes(u16, u16),
    Touch(Option<[u16; 2]>),
}

impl From<LedState> for LedNews {
    fn from(state: LedState) -> Self {
        match state {
            LedState::Level(share) => Self::Level(share.ten_thousandths()),
            LedState::Colour(colour) => Self::Colour(colour),
        }
    }
}

impl From<LedNews> for LedState {
    fn from(news: LedNews) -> Self {
        match news {
            LedNews::Level(share) => Self::Level(Share::from_ten_thousandths(share)),
            LedNews::Colour(colour) => Self::Colour(colour),
        }
    }
}

impl From<Position> for PositionNews {
    fn from(position: Position) -> Self {
        match position {
            Position::Edges(edges) => Self::Edges(edges),
            Position::Switch(on) => Self::Switch(on),
            Position::Axes(x, y) => Self::Axes(x.ten_thousandths(), y.ten_thousandths()),
            Position::Touch(at) => Self::Touch(at.map(|Point { x, y }| [x, y])),
        }
    }
}

impl From<PositionNews> for Position {
    fn from(news: PositionNews) -> Self {
        let share = Share::from_ten_thousandths;
        match news {
            PositionNews::Edges(edges) => Self::Edges(edges),
            PositionNews::Switch(on) => Self::Switch(on),
            PositionNews::Axes(x, y) => Self::Axes(share(x), share(y)),
            PositionNews::Touch(at) => Self::Touch(at.map(|[x, y]| Point { x, y })),
        }
    }
}

impl PartNews {
    /// Packs the state of the parts, and appends the pixels to `bytes`.
    pub(super) fn pack(readings: &PartReadings, bytes: &mut Vec<u8>) -> Self {
        let leds = readings.leds.iter();
        let leds = leds.map(|(_, states)| states.iter().copied().map(LedNews::from).collect());
        let controls = readings.controls.iter();
        let displays = readings.displays.iter().map(|(_, frame)| {
            put_pixels(bytes, frame);
            [frame.width(), frame.height()]
        });
        Self {
            leds: leds.collect(),
            controls: controls
                .map(|control| [control.position.into(), control.rest.into()])
                .collect(),
            displays: displays.collect(),
        }
    }

    /// Returns the state of the parts of a board.
    ///
    /// # Errors
    /// If the board has other parts, or the pixels are missing.
    pub(super) fn unpack(
        self,
        parts: &BoardParts,
        from: &mut dyn Read,
    ) -> Result<PartReadings, MessageError> {
        let Self { leds, controls, displays } = self;
        let more = parts.displays.all().get(1..).unwrap_or_default();
        let (own_leds, own_controls) = (parts.leds.all(), parts.controls.all());
        let counts = [leds.len(), controls.len(), displays.len()];
        if counts != [own_leds.len(), own_controls.len(), more.len()] {
            return Err(MessageError::Value);
        }
        let leds = own_leds
            .iter()
            .zip(leds)
            .map(|(led, states)| (led.name(), states.into_iter().map(LedState::from).collect()));
        let controls = own_controls.iter().zip(controls);
        let controls = controls.map(|(control, [position, rest])| ControlReading {
            control: *control,
            position: position.into(),
            rest: rest.into(),
        });
        let (leds, controls) = (leds.collect(), controls.collect());
        let mut frames = Vec::new();
        for (display, [width, height]) in more.iter().zip(displays) {
            frames.push((display.name(), Arc::new(take_pixels(from, width, height)?)));
        }
        Ok(PartReadings { leds, controls, displays: frames })
    }
}
