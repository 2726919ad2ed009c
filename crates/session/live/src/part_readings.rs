//! The state of the parts of a described board that are neither display nor button.

use hal_mock::VirtualBoard;
use hal_mock::board::Position;
use trace::{Control, LedState};
use virtual_time::Instant;

/// The state of the LEDs, switches, encoders, joysticks and potentiometers of a board, with their
/// names. The LCD board has none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartReadings {
    /// The state of each LED; of a chain, of each of its LEDs.
    pub leds: Vec<(&'static str, Vec<LedState>)>,
    pub controls: Vec<ControlReading>,
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
        Self {
            leds: parts.leds.all().iter().map(lights).collect(),
            controls: parts.controls.all().iter().filter_map(position).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use hal_mock::BoardConfig;
    use hal_mock::board::ControlConfig;
    use trace::{ControlKind, LedKind, Leds, Movement, Share};

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
        let lcd_board = VirtualBoard::new(BoardConfig::default());
        assert_eq!(PartReadings::of(&lcd_board), PartReadings::default());
    }
}
