//! The controls and LEDs of a described board.

use board_file::BoardFile;
use board_file::parts::{ColourOrder, Position as SwitchPosition};
use hal_mock::board::{ControlConfig, Position};
use trace::{ButtonsError, ControlKind, LedKind, Leds, Share, TouchArea};

/// Returns the controls with their positions at the beginning, in the order of
/// [`BoardFile::controls`].
pub(super) fn controls(file: &BoardFile) -> Vec<ControlConfig> {
    let control = |kind, name: &str, position, edges: u32| ControlConfig {
        kind,
        name: name.to_owned(),
        position,
        edges: u8::try_from(edges).unwrap_or(u8::MAX),
    };
    let share = |percent: u64| Share::from_percent(u8::try_from(percent).unwrap_or(u8::MAX));
    let encoders = file.encoder.iter().map(|part| {
        control(ControlKind::Encoder, &part.name.text, Position::Edges(0), part.edges.value)
    });
    let switches = file.switch.iter().map(|part| {
        let position = Position::Switch(part.position == SwitchPosition::On);
        control(ControlKind::Switch, &part.name.text, position, 1)
    });
    let joysticks = file.joystick.iter().map(|part| {
        let rest = share(part.rest.0);
        control(ControlKind::Joystick, &part.name.text, Position::Axes(rest, rest), 1)
    });
    let others = file.potentiometer.iter().map(|part| {
        let start = share(part.start.0);
        control(ControlKind::Potentiometer, &part.name.text, Position::Axes(start, start), 1)
    });
    let touches = file.touch.iter().filter_map(|part| {
        let kind = ControlKind::Touch(touch_area(file, part.name())?);
        Some(control(kind, part.name(), Position::Touch(None), 1))
    });
    encoders.chain(switches).chain(joysticks).chain(others).chain(touches).collect()
}

/// Returns the pixels under the touch panel of this name; `None` if it has no display, which the
/// board file's parser excludes.
fn touch_area(file: &BoardFile, name: &str) -> Option<TouchArea> {
    let (display, size) = file.touched_area(name)?;
    let side = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
    let display = u8::try_from(display).ok()?;
    Some(TouchArea { display, width: side(size.width), height: side(size.height) })
}

/// Returns the LEDs, in the order of the file.
pub(super) fn leds(file: &BoardFile) -> Result<Leds, ButtonsError> {
    let leds = file.led.iter().filter_map(|led| {
        let has_white = led.order == ColourOrder::Grbw;
        let kind = LedKind::of_word(led.kind.word(), led.count.value, has_white)?;
        Some((kind, led.name.text.as_str()))
    });
    Leds::new(leds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_has_the_controls_in_the_order_of_the_file() {
        let text = "board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\npanel = \"st7789\"\n\
                    bus = \"spi4\"\nsck = \"GP18\"\nmosi = \"GP19\"\ndc = \"GP20\"\n\
                    [[potentiometer]]\nname = \"V\"\npin = \"GP26\"\nstart = \"25 %\"\n\
                    [[switch]]\nname = \"S\"\npin = \"GP2\"\nposition = \"on\"\n\
                    [[encoder]]\nname = \"E\"\na = \"GP3\"\nb = \"GP4\"\nedges = 2\n";
        let file = board_file::parse("x", text).unwrap();
        let of_file: Vec<(&str, &str)> = file.controls().collect();
        let controls = controls(&file);
        let names = controls.iter().map(|control| (control.kind.noun(), control.name.as_str()));
        assert_eq!(names.collect::<Vec<_>>(), of_file);
        let positions: Vec<Position> = controls.iter().map(|control| control.position).collect();
        let quarter = Share::from_percent(25);
        let expected =
            [Position::Edges(0), Position::Switch(true), Position::Axes(quarter, quarter)];
        assert_eq!((positions.as_slice(), controls[0].edges), (expected.as_slice(), 2));
    }
}
