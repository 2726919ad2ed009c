//! The state of the parts of a described board that are no buttons, without its first display.

use std::sync::Arc;

use hal_mock::VirtualBoard;
use hal_mock::board::Position;
use ili9341_model::Frame;
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

impl PartReadings {
    /// Reads the parts of `board` at its present time.
    pub(crate) fn of(board: &VirtualBoard) -> Self {
        Self::at(board, board.now())
    }

    /// Reads the parts of `board` at `now`, which is not earlier than the machine's last step.
    pub(crate) fn at(board: &VirtualBoard, now: Instant) -> Self {
        let parts = board.parts();
        let lights = |led: &trace::Led| {
            let all = (0..led.count()).filter_map(|number| board.led_at(now, *led, number));
            (led.name(), all.map(|reading| reading.state).collect())
        };
        let position = |control: &Control| {
            let (position, rest) = (board.position(*control)?, board.rest_position(*control)?);
            Some(ControlReading { control: *control, position, rest })
        };
        let frame = |display: &Display| {
            (display.name(), Arc::new(board.at_display(display.index()).frame()))
        };
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
        let before = PartReadings::of(&board);
        let dark = LedState::Colour([0; 4]);
        let leds = [("STATUS", vec![LedState::Level(Share::ZERO)]), ("STRIP", vec![dark, dark])];
        assert_eq!(before.leds, leds);
        let mode = board.parts().controls.named("MODE").unwrap();
        let rest = Position::Switch(false);
        assert_eq!(before.controls, [ControlReading { control: mode, position: rest, rest }]);
        board.move_control(Instant::START, mode, Movement::Switch(true));
        board.terminals().set_led(Instant::START, 0, 0, LedState::Level(Share::WHOLE));
        let after = PartReadings::of(&board);
        let position = Position::Switch(true);
        assert_eq!(after.controls, [ControlReading { control: mode, position, rest }]);
        assert_eq!(after.leds[0].1, [LedState::Level(Share::WHOLE)]);
        assert!(after.displays.is_empty());
        let lcd_board = VirtualBoard::new(BoardConfig::default());
        assert_eq!(PartReadings::of(&lcd_board), PartReadings::default());
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
        let displays = PartReadings::of(&board).displays;
        let [(name, frame)] = displays.as_slice() else { panic!("one further display") };
        assert_eq!((*name, frame.width(), frame.height()), ("TOP", 128, 64));
    }
}
