//! Programs for embedded-graphics-simulator on boards: a port changes few lines, and each panel shows
//! the picture that the program draws.

use embedded_graphics::pixelcolor::{BinaryColor, Rgb565, Rgb888};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle};
use hal_mock::Machine;
use nudge::simulator::{
    BinaryColorTheme, OutputSettings, OutputSettingsBuilder, SimulatorDisplay, Window,
};
use nudge::{Board, Instant, Nanos, blocking};
use similar::{ChangeTag, TextDiff};
use trace::{Movement, Trace};

#[path = "from_simulator/after.rs"]
#[expect(dead_code, reason = "the tests call the firmware, and not the program")]
mod level;

/// The same program before and after the port.
const BEFORE: &str = include_str!("from_simulator/before.rs");
const AFTER: &str = include_str!("from_simulator/after.rs");

#[test]
fn a_port_changes_at_most_ten_lines() {
    let diff = TextDiff::from_lines(BEFORE, AFTER);
    let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
    let (removed, added) = (count(ChangeTag::Delete), count(ChangeTag::Insert));
    assert!(removed.max(added) <= 10 && removed > 0, "{removed} removed, {added} added");
}

/// The width of the bar in pixels.
fn bar(machine: &dyn Machine) -> usize {
    let frame = machine.board().picture();
    frame.pixels()[50 * frame.width()..][..frame.width()].iter().filter(|rgb| **rgb != 0).count()
}

#[test]
fn buttons_are_keys_and_the_touch_panel_is_a_mouse() {
    let text = include_str!("level.board.toml");
    let board = Board::new("level.board.toml", text);
    let board = board.with_firmware(blocking(|_| level::firmware())).unwrap();
    let mut machine = board.machine(&Trace::default(), None).unwrap();
    machine.power_on().unwrap();
    let mut at = Instant::START;
    let mut after = |machine: &mut Box<dyn Machine>, millis| {
        at = at.saturating_add(Nanos::from_millis(millis));
        machine.run_until(at).unwrap();
        at
    };
    let now = after(&mut machine, 1_000);
    assert_eq!(bar(&*machine), 32);
    let more = machine.board().buttons().named("MORE").unwrap();
    machine.board().press(now, more);
    let now = after(&mut machine, 300);
    assert_eq!(bar(&*machine), 40);
    machine.board().release(now, more);
    let touch = machine.board().parts().controls.named("TOUCH").unwrap();
    let finger = Movement::Touch { at: trace::Point { x: 100, y: 50 }, hold: None };
    machine.board().move_control(now, touch, finger);
    let now = after(&mut machine, 300);
    assert_eq!(bar(&*machine), 40, "the click ends when the finger leaves");
    machine.board().move_control(now, touch, Movement::Lift);
    after(&mut machine, 300);
    assert_eq!(bar(&*machine), 100);
}

/// Colours in each corner, so that a turned, mirrored or shifted picture differs.
fn draw<C: PixelColor + From<BinaryColor>>(display: &mut SimulatorDisplay<C>, colours: [C; 4]) {
    let size = display.bounding_box().size;
    let (right, bottom) = (size.width as i32 - 1, size.height as i32 - 1);
    let mut fill = |x, y, width, height, colour| {
        let area = Rectangle::new(Point::new(x, y), Size::new(width, height));
        let Ok(()) = area.into_styled(PrimitiveStyle::with_fill(colour)).draw(display);
    };
    fill(0, 0, 5, 3, colours[0]);
    fill(right - 10, 0, 11, 2, colours[1]);
    fill(0, bottom - 6, 1, 7, colours[2]);
    fill(right, bottom, 1, 1, colours[3]);
    fill(right / 3, bottom / 2, 9, 4, colours[0]);
}

const COLOURS: [Rgb565; 4] = [Rgb565::RED, Rgb565::GREEN, Rgb565::BLUE, Rgb565::WHITE];

/// Runs a program on a board with this display. Returns the machine after 2 s.
fn run<T>(display: &str, program: impl Fn() -> T + Send + Sync + 'static) -> Box<dyn Machine> {
    let text = format!("board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\n{display}");
    let board = Board::new("x.board.toml", text.leak());
    let board = board.with_firmware(blocking(move |_| program())).unwrap();
    let mut machine = board.machine(&Trace::default(), None).unwrap();
    machine.power_on().unwrap();
    machine.run_until(Instant::from_millis(2_000)).unwrap();
    machine
}

/// Draws a picture in two steps, and compares the panel with it.
#[track_caller]
fn check<C>(display: &str, (width, height): (u32, u32), colours: [C; 4])
where
    C: PixelColor + From<BinaryColor> + Into<Rgb888> + Send + Sync + 'static,
{
    let machine = run(display, move || {
        let mut display = SimulatorDisplay::<C>::new(Size::new(width, height));
        let mut window = Window::new("LCD", &OutputSettings::default());
        window.update(&display);
        draw(&mut display, colours);
        window.show_static(&display);
    });
    let mut expected = SimulatorDisplay::<C>::new(Size::new(width, height));
    draw(&mut expected, colours);
    let frame = machine.board().picture();
    assert_eq!((frame.width(), frame.height()), (width as usize, height as usize));
    for (index, pixel) in frame.pixels().iter().enumerate() {
        let at = Point::new((index % frame.width()) as i32, (index / frame.width()) as i32);
        let colour: Rgb888 = expected.get_pixel(at).into();
        let colour = u32::from_be_bytes([0, colour.r(), colour.g(), colour.b()]);
        assert_eq!(format!("{pixel:06x}"), format!("{colour:06x}"), "at {at} of {display}");
    }
    let violations = machine.board().violations();
    assert!(violations.is_empty(), "{display}: {violations:?}");
}

fn on_spi(keys: &str) -> String {
    format!("bus = \"spi4\"\nsck = \"GP6\"\nmosi = \"GP7\"\ncs = \"GP5\"\ndc = \"GP9\"\n{keys}\n")
}

#[test]
fn colour_panels_show_the_picture_however_they_are_mounted() {
    let panels = [
        ("panel = \"st7789\"\nrst = \"GP4\"", (240, 320)),
        ("panel = \"st7789\"\nsize = \"240x240 px\"\nrotation = \"90 deg\"", (240, 240)),
        ("panel = \"st7789\"\nsize = \"64x256 px\"\nrotation = \"270 deg\"", (256, 64)),
        ("panel = \"st7789\"\nsize = \"135x240 px\"\noffset = \"52,40 px\"", (135, 240)),
        (
            "panel = \"st7735\"\nsize = \"80x160 px\"\noffset = \"24,0 px\"\nrst = \"GP4\"",
            (80, 160),
        ),
        ("panel = \"gc9a01\"\nmirror = \"horizontal\"", (240, 240)),
        ("panel = \"gc9107\"\nrotation = \"180 deg\"", (128, 160)),
        ("panel = \"ili9341\"\nrotation = \"90 deg\"", (320, 240)),
        ("panel = \"ili9342c\"\nsubpixels = \"bgr\"", (320, 240)),
        ("panel = \"ili9488\"", (320, 480)),
    ];
    for (keys, size) in panels {
        check(&on_spi(keys), size, COLOURS);
    }
}

#[test]
fn panels_of_one_bit_show_the_picture_on_both_buses() {
    let i2c = |keys: &str| format!("bus = \"i2c\"\nsda = \"GP4\"\nscl = \"GP5\"\n{keys}\n");
    let on = [BinaryColor::On; 4];
    check(&i2c("panel = \"ssd1306\""), (128, 64), on);
    check(&i2c("panel = \"ssd1306\"\nsize = \"128x32 px\""), (128, 32), on);
    check(&i2c("panel = \"ssd1306\"\nsize = \"72x40 px\"\noffset = \"28,12 px\""), (72, 40), on);
    check(&i2c("panel = \"sh1106\"\nsize = \"128x64 px\"\noffset = \"2,0 px\""), (128, 64), on);
    check(&i2c("panel = \"ssd1309\"\nrotation = \"90 deg\"\naddress = 61"), (64, 128), on);
    check(&on_spi("panel = \"sh1106\"\nrst = \"GP4\"\nrotation = \"180 deg\""), (128, 64), on);
}

/// Runs a program that ends with an error, and returns its message.
fn refused(theme: BinaryColorTheme, size: Size) -> String {
    let text = "board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\npanel = \"ssd1306\"\n\
                bus = \"i2c\"\nsda = \"GP4\"\nscl = \"GP5\"\n";
    let program = move || {
        let settings = OutputSettingsBuilder::new().theme(theme).build();
        let display = SimulatorDisplay::<BinaryColor>::new(size);
        Window::new("LCD", &settings).show_static(&display);
    };
    let board = Board::new("x.board.toml", text).with_firmware(blocking(move |_| program()));
    let mut machine = board.unwrap().machine(&Trace::default(), None).unwrap();
    machine.power_on().unwrap();
    machine.run_until(Instant::from_millis(2_000)).unwrap_err().to_string()
}

#[test]
fn a_picture_of_another_size_and_another_theme_are_refused_with_the_keys_to_add() {
    let error = refused(BinaryColorTheme::Default, Size::new(256, 64));
    assert!(error.contains("256x64 pixels, but the display has 128x64"), "{error}");
    let error = refused(BinaryColorTheme::OledBlue, Size::new(128, 64));
    assert!(error.contains("`unlit = \"#001428\"` and `lit = \"#00d2ff\"`"), "{error}");
}
