//! The state of the parts of a described board that are no buttons, without its first display.

use std::cell::RefCell;
use std::sync::Arc;

use hal_mock::VirtualBoard;
use hal_mock::board::Position;
use ili9341_model::{CachedFrame, Frame};
use trace::{Control, Display, LedState};
use virtual_time::Instant;

/// The state of the LEDs, switches, encoders, joysticks and potentiometers of a board, and of its
/// displays after the first one, with their names. The LCD board has none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartReadings {
    /// The state of each LED; of a chain, of each of its LEDs.
    pub leds: Vec<(&'static str, Vec<LedState>)>,
    pub controls: Vec<ControlReading>,
    /// The last complete frame of each display after the first one.
    pub displays: Vec<(&'static str, Arc<Frame>)>,
}

/// Position of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlReading {
    pub control: Control,
    pub position: Position,
    /// Position before the first movement: that of a joystick without a hand on it.
    pub rest: Position,
}

/// The last frames of the displays after the first one, which consecutive readings share: only what
/// has changed is rendered, and a frame is copied only if it has changed.
#[derive(Debug, Default)]
pub(crate) struct FurtherFrames(RefCell<Vec<(CachedFrame, Arc<Frame>)>>);

impl FurtherFrames {
    /// Returns the last complete frame of a display after the first one.
    fn frame(&self, board: &VirtualBoard, display: usize, now: Instant) -> Arc<Frame> {
        let all = &mut *self.0.borrow_mut();
        if all.len() < display {
            all.resize_with(display, || {
                let cached = CachedFrame::dark(0, 0);
                let frame = Arc::new(cached.frame().clone());
                (cached, frame)
            });
        }
        let (cached, shared) = &mut all[display - 1];
        let changed = board.at_display(display).update_frame_at(now, cached);
        let size = (shared.width(), shared.height());
        if !changed.is_empty() || size != (cached.frame().width(), cached.frame().height()) {
            *shared = Arc::new(cached.frame().clone());
        }
        Arc::clone(shared)
    }
}

impl PartReadings {
    /// Reads the parts of `board` at its present time.
    pub(crate) fn of(board: &VirtualBoard, frames: &FurtherFrames) -> Self {
        Self::at(board, board.now(), frames)
    }

    /// Reads the parts of `board` at `now`, which is not earlier than the machine's last step.
    pub(crate) fn at(board: &VirtualBoard, now: Instant, frames: &FurtherFrames) -> Self {
        let parts = board.parts();
        let lights = |led: &trace::Led| {
            let all = (0..led.count()).filter_map(|number| board.led_at(now, *led, number));
            (led.name(), all.map(|reading| reading.state).collect())
        };
        let position = |control: &Control| {
            let (position, rest) = (board.position(*control)?, board.rest_position(*control)?);
            Some(ControlReading { control: *control, position, rest })
        };
        let frame = |display: &Display| (display.name(), frames.frame(board, display.index(), now));
        let displays = parts.displays.all().iter().skip(1).take(board.display_count() - 1);
        Self {
            leds: parts.leds.all().iter().map(lights).collect(),
            controls: parts.controls.all().iter().filter_map(position).collect(),
            displays: displays.map(frame).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use hal_mock::BoardConfig;
    use hal_mock::board::{ControlConfig, DisplayConfig};
    use ili9341_model::{Region, panel_tables};
    use trace::{ControlKind, Displays, LedKind, Leds, Movement, Share};
    use virtual_time::Nanos;

    use super::*;

    #[test]
    fn the_parts_of_a_board_are_read_with_their_names() {
        let switch = ControlConfig {
            kind: ControlKind::Switch,
            name: "MODE".into(),
            position: Position::Switch(false),
            edges: 1,
        };
        let chain = LedKind::Chain { count: 2, has_white: false };
        let board = VirtualBoard::new(BoardConfig {
            controls: vec![switch],
            leds: Leds::new([(LedKind::Plain, "STATUS"), (chain, "STRIP")]).unwrap(),
            ..BoardConfig::default()
        });
        let frames = FurtherFrames::default();
        let before = PartReadings::of(&board, &frames);
        let dark = LedState::Colour([0; 4]);
        let leds = [("STATUS", vec![LedState::Level(Share::ZERO)]), ("STRIP", vec![dark, dark])];
        assert_eq!(before.leds, leds);
        let mode = board.parts().controls.named("MODE").unwrap();
        let rest = Position::Switch(false);
        assert_eq!(before.controls, [ControlReading { control: mode, position: rest, rest }]);
        board.move_control(Instant::START, mode, Movement::Switch(true));
        board.terminals().set_led(Instant::START, 0, 0, LedState::Level(Share::WHOLE));
        let after = PartReadings::of(&board, &frames);
        let position = Position::Switch(true);
        assert_eq!(after.controls, [ControlReading { control: mode, position, rest }]);
        assert_eq!(after.leds[0].1, [LedState::Level(Share::WHOLE)]);
        assert!(after.displays.is_empty());
        let lcd_board = VirtualBoard::new(BoardConfig::default());
        assert_eq!(PartReadings::of(&lcd_board, &frames), PartReadings::default());
    }

    #[test]
    fn a_further_display_has_its_own_frame() {
        let (whole, table) = (Region::PANEL, panel_tables::by_name("ssd1306").unwrap());
        let top = DisplayConfig { table, module: table.module, ..DisplayConfig::default() };
        let board = VirtualBoard::new(BoardConfig {
            more_displays: vec![top],
            displays: Displays::new([("FRONT", whole), ("TOP", whole)]).unwrap(),
            ..BoardConfig::default()
        });
        let frames = FurtherFrames::default();
        let frame = || {
            let displays = PartReadings::of(&board, &frames).displays;
            let [(name, frame)] = displays.as_slice() else { panic!("one further display") };
            assert_eq!((*name, frame.width(), frame.height()), ("TOP", 128, 64));
            Arc::clone(frame)
        };
        let dark = frame();
        assert!(Arc::ptr_eq(&dark, &frame()), "an unchanged frame is shared");
        // Charge pump on, all pixels lit, display on.
        board.power_on();
        board.advance_to(Instant::from_millis(200));
        let top = board.terminals().at_display(1);
        top.set_backlight(board.now(), true);
        top.set_lcd_dc(board.now(), false);
        let end = board.now().saturating_add(Nanos::from_micros(100));
        top.lcd_write(board.now(), end, &[0x8D, 0x14, 0xA5, 0xAF]);
        board.advance_to(Instant::from_millis(300));
        let lit = frame();
        assert!(lit.pixels().iter().all(|pixel| *pixel != 0), "the new frame is read");
        assert!(Arc::ptr_eq(&lit, &frame()), "an unchanged frame is shared");
        assert_eq!(*lit, board.at_display(1).frame());
    }
}
