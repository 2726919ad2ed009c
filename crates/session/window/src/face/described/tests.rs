//! The faces of described boards: nothing overlaps, nothing is outside, and names fit.

use live::keymap::{Key, Keymap};
use proptest::prelude::*;
use trace::{Button, Buttons, Point, TouchArea};

use super::super::parts::lenses;
use super::super::view::{PartState, PartStates, View};
use super::super::{BoardFace, Face, Labels};
use super::*;

const HANDHELD: &str = include_str!("../../../../../../examples/own-boards/handheld.board.toml");
const BADGE: &str = include_str!("../../../../../../examples/own-boards/badge.board.toml");

/// A board with a part of every kind.
const ALL_PARTS: &str = r##"
board = 1
name = "All parts"
chip = "rp2040"
[[display]]
name = "MAIN"
panel = "ili9341"
bus = "spi4"
sck = "GP18"
mosi = "GP19"
dc = "GP20"
rotation = "90 deg"
[[display]]
name = "SIDE"
panel = "ssd1306"
bus = "i2c"
sda = "GP4"
scl = "GP5"
[[button]]
name = "RESET"
pin = "GP2"
keys = ["Left Shift"]
[[button]]
name = "A-VERY-LONG-NAME-OF-KEY"
pin = "GP3"
[[switch]]
name = "MODE"
pin = "GP6"
position = "on"
[[matrix]]
name = "PAD"
rows = ["GP7", "GP8"]
columns = ["GP9", "GP10"]
buttons = [["K1", "K2"], ["K3", "K4"]]
[[encoder]]
name = "ENC"
a = "GP11"
b = "GP12"
[[joystick]]
name = "JOY"
x = "GP26"
y = "GP27"
[[potentiometer]]
name = "VOLUME"
pin = "GP28"
start = "20 %"
[[led]]
name = "POWER"
pin = "GP13"
[[led]]
name = "STRIP"
kind = "ws2812"
pin = "GP14"
count = 24
[[buzzer]]
pin = "GP15"
"##;

/// Returns the face of the board file `text`, as the machine has it.
fn face_of(text: &str) -> DescribedFace {
    let file = board_file::parse("x.board.toml", text).unwrap();
    let names = file.button.iter().map(|button| button.name.text.as_str());
    let buttons = Buttons::new(names).unwrap();
    let size = file.display[0].visible_size().unwrap();
    DescribedFace::new(&file, buttons.all(), (size.width, size.height))
}

/// Returns all places of a layout, with names for messages.
fn places(layout: &Layout) -> Vec<(String, Area)> {
    let of_text = |text: &Text| {
        let (width, height) =
            ((lettering::width(&text.text) + 1.0) * text.size, NAME_HEIGHT * text.size);
        let left = if text.align == Align::Center { text.at.0 - width / 2.0 } else { text.at.0 };
        (format!("text {:?}", text.text), Area { left, top: text.at.1, width, height })
    };
    let mut places = vec![("panel".to_owned(), layout.bezel)];
    for cap in &layout.caps {
        places.extend([(format!("button {}", cap.button), cap.housing), of_text(&cap.name)]);
    }
    for part in &layout.parts {
        match &part.kind {
            PartKind::Keys(keys) => places.extend(keys.iter().map(|key| ("key".to_owned(), *key))),
            _ => places.push((format!("part {}", part.name), part.area)),
        }
        places.extend(part.texts.iter().map(of_text));
    }
    places.extend(layout.texts.iter().map(of_text));
    places.extend(layout.buzzer.map(|buzzer| ("buzzer".to_owned(), buzzer)));
    places.extend([
        ("lamp".to_owned(), layout.lamp),
        ("status".to_owned(), layout.status),
        ("legend".to_owned(), layout.legend),
    ]);
    places.retain(|(_, area)| area.width > 0.0 && area.height > 0.0);
    places
}

#[track_caller]
fn check(face: &DescribedFace, unit: f32, shape: Shape) {
    let layout = face.layout(unit, shape);
    let places = places(&layout);
    // Lengths are rounded to whole pixels.
    let slack = 1.1;
    for (at, (name, place)) in places.iter().enumerate() {
        let inner = place.grown(-slack);
        let (right, bottom) = (inner.left + inner.width, inner.top + inner.height);
        let board = layout.board;
        assert!(
            inner.left >= board.left
                && inner.top >= board.top
                && right <= board.left + board.width
                && bottom <= board.top + board.height,
            "{name} {place:?} is outside of {board:?} at {unit}"
        );
        if inner.width <= 0.0 || inner.height <= 0.0 {
            continue;
        }
        for (other_name, other) in &places[at + 1..] {
            let apart = right <= other.left
                || other.left + other.width <= inner.left
                || bottom <= other.top
                || other.top + other.height <= inner.top;
            assert!(apart, "{name} {place:?} and {other_name} {other:?} at {unit} {shape:?}");
        }
    }
    let (width, height) = (layout.width() as f32, layout.height() as f32);
    let board = layout.board;
    assert!(board.left + board.width <= width && board.top + board.height <= height);
    let panel = layout.panel();
    let bezel = layout.bezel;
    assert!(panel.left as f32 >= bezel.left && panel.top as f32 >= bezel.top);
    assert!((panel.left + panel.width) as f32 <= bezel.left + bezel.width + 1.0);
    assert!((panel.top + panel.height) as f32 <= bezel.top + bezel.height + 1.0);
    for cap in &layout.caps {
        let rect = layout.button(cap.button);
        let middle = ((rect.left + rect.width / 2) as i32, (rect.top + rect.height / 2) as i32);
        if rect.width > 0 && rect.height > 0 {
            assert_eq!(layout.hit(middle.0, middle.1), Some(cap.button));
        }
        assert_eq!(layout.hit_control(middle.0, middle.1), None);
    }
}

#[test]
fn nothing_overlaps_on_the_faces_of_the_examples() {
    for text in [HANDHELD, BADGE, ALL_PARTS] {
        for (unit, shape) in [0.5, 1.0, 1.3, 2.0, 3.9]
            .into_iter()
            .flat_map(|unit| Shape::ALL.map(|shape| (unit, shape)))
        {
            check(&face_of(text), unit, shape);
        }
    }
}

#[test]
fn the_panel_has_whole_pixels_and_its_aspect() {
    for (text, units, size) in [(HANDHELD, 1.0, (240, 240)), (BADGE, 1.0, (128, 160))] {
        let face = face_of(text);
        assert_eq!((face.units_per_pixel(), face.panel_size()), (units, size));
        for scale in 1..5 {
            let layout = face.layout(scale as f32 / units, Shape::Upright);
            let panel = layout.panel();
            assert_eq!((panel.width, panel.height), (size.0 * scale, size.1 * scale));
        }
    }
    // A small panel in a large place is magnified, a large one in a small place reduced.
    let at = |place: &str| {
        let place = format!("size = \"128x160 px\"\nplace = {{ column = 1, row = 1, {place} }}");
        face_of(&BADGE.replace("size = \"128x160 px\"", &place)).units_per_pixel()
    };
    assert_eq!(at("columns = 8, rows = 8"), 2.0);
    assert!(at("columns = 2, rows = 2") < 0.5);
}

#[test]
fn a_long_name_is_shortened_and_a_short_one_is_not() {
    let layout = face_of(ALL_PARTS).layout(1.0, Shape::Upright);
    let names: Vec<&str> = layout.caps.iter().map(|cap| cap.name.text.as_str()).collect();
    assert_eq!(names[0], "RESET");
    assert!(names[1].starts_with("A-VE") && names[1].ends_with(".."), "{names:?}");
    assert!(layout.caps[0].is_reset && !layout.caps[1].is_reset);
    let parts: Vec<&str> =
        layout.parts.iter().flat_map(|part| &part.texts).map(|text| text.text.as_str()).collect();
    for name in ["SIDE", "MODE", "K1", "K4", "ENC", "JOY", "VOLUME", "POWER", "STRIP ×24"] {
        assert!(parts.contains(&name), "{name} {parts:?}");
    }
}

#[test]
fn parts_without_places_are_centred_below_the_panel() {
    for text in [HANDHELD, BADGE] {
        let layout = face_of(text).layout(1.0, Shape::Upright);
        let middle = layout.board.center().0;
        let panel = layout.panel();
        let centre = panel.left as f32 + panel.width as f32 / 2.0;
        assert!((centre - middle).abs() <= 1.0, "{centre} {middle}");
        let (first, last) = (&layout.caps[0].housing, &layout.caps[layout.caps.len() - 1].housing);
        let centre = (first.left + last.left + last.width) / 2.0;
        assert!((centre - middle).abs() <= 1.0, "{centre} {middle}");
    }
    // Parts with places stay in their columns.
    let placed = BADGE.replace("keys = [\"A\"]", "keys = [\"A\"]\nplace = { column = 8, row = 1 }");
    let layout = face_of(&placed).layout(1.0, Shape::Upright);
    let (left, panel) = (layout.button(layout.caps[0].button), layout.panel());
    assert!(left.left > panel.left + panel.width && left.top < panel.top + panel.height);
}

#[test]
fn a_face_fits_into_every_window_and_fills_one_side() {
    for text in [HANDHELD, BADGE, ALL_PARTS] {
        for (size, shape) in [(402, 470), (1_920, 1_080), (300, 2_000), (2_000, 200), (90, 60)]
            .into_iter()
            .flat_map(|size| Shape::ALL.map(|shape| (size, shape)))
        {
            let face = face_of(text);
            let layout = face.layout(face.fitting(shape, size.0, size.1), shape);
            assert!(layout.width() <= size.0 && layout.height() <= size.1, "{size:?} {shape:?}");
            let near = |used: u32, room: u32| room - used <= 4;
            assert!(near(layout.width(), size.0) || near(layout.height(), size.1), "{size:?}");
        }
    }
}

/// Returns the picture of the board with every part, in this view.
fn shown(view: &View) -> Face {
    let layout = face_of(ALL_PARTS).layout(1.0, Shape::Upright);
    let names = Buttons::new(["RESET", "A-VERY-LONG-NAME-OF-KEY"]).unwrap();
    let keys = [Key::from_name("Left Shift"), None];
    let keymap = Keymap::of_buttons(names.all().iter().copied().zip(keys));
    let mut face = Face::new(layout, Labels::new(&keymap));
    face.draw(view);
    face
}

#[test]
fn each_part_shows_its_state_in_its_own_area() {
    let before = shown(&View::default());
    let frame = std::sync::Arc::new(ili9341_model::Frame::filled(128, 64, 0x00FF_FFFF));
    for (name, state) in [
        ("MODE", PartState::On(true)),
        ("MODE", PartState::On(false)),
        ("ENC", PartState::Edges(-20)),
        ("JOY", PartState::Tilted(1_000, 0)),
        ("VOLUME", PartState::Turned(900)),
        ("POWER", PartState::Lit(vec![0xFF_2000])),
        ("POWER", PartState::Lit(vec![0])),
        ("STRIP", PartState::Lit((0..24).map(|at| at * 0x0A_0500).collect())),
        ("SIDE", PartState::Shows(frame)),
        // A state of another kind changes nothing but the colour.
        ("ENC", PartState::On(true)),
    ] {
        let mut parts = PartStates::default();
        parts.set(name, state.clone());
        let after = shown(&View { parts, ..View::default() });
        let part = before.layout().parts.iter().find(|part| part.name == name).unwrap();
        let area = part.area.grown(2.0).rect();
        let width = before.picture().width();
        let pixels = before.picture().pixels().iter().zip(after.picture().pixels()).enumerate();
        let changed = pixels.filter(|(_, (one, other))| one != other);
        let mut any = false;
        for (at, _) in changed {
            any = true;
            let (x, y) = ((at % width) as i32, (at / width) as i32);
            assert!(area.contains(x, y), "{name} {state:?} changes {x},{y}");
        }
        assert!(any, "{name} {state:?}");
    }
}

#[test]
fn a_pressed_button_and_a_tone_are_shown_and_taken_back() {
    let mut face = shown(&View::default());
    let before = face.picture().clone();
    let mut down = View { tone: true, ..View::default() };
    down.down.insert(Button::B2);
    assert!(face.draw(&down));
    assert_ne!(&before, face.picture());
    face.draw(&View::default());
    assert_eq!(&before, face.picture());
}

#[test]
fn the_pane_has_the_levels_of_the_boards_contacts() {
    let face = BoardFace::Described(std::sync::Arc::new(face_of(BADGE)));
    let levels = |closed: &[Button]| -> Vec<(String, bool)> {
        let closed = closed.iter().copied().collect();
        let contacts = face.contacts(closed).into_iter().flatten();
        contacts.map(|contact| (contact.name, contact.is_high)).collect()
    };
    // The badge's buttons are active high.
    let contacts = levels(&[Button::B1]);
    assert_eq!(contacts, [("LEFT".to_owned(), true), ("RIGHT".to_owned(), false)]);
}

#[test]
fn every_led_of_a_chain_that_fits_has_a_place() {
    let area = Area { left: 10.0, top: 20.0, width: 84.0, height: 60.0 };
    for count in [1, 2, 7, 24, 64, 400, 1_024] {
        let lenses = lenses(area, count, 2.0);
        assert!(lenses.len() == count || count > 100, "{count}: {}", lenses.len());
        for lens in &lenses {
            assert!(lens.left >= area.left - 0.1 && lens.top >= area.top - 0.1, "{count} {lens:?}");
            assert!(lens.left + lens.width <= area.left + area.width + 0.1, "{count} {lens:?}");
            assert!(lens.top + lens.height <= area.top + area.height + 0.1, "{count} {lens:?}");
        }
    }
}

/// Returns a board file with a display and parts of random kinds, names and sizes.
fn board() -> impl Strategy<Value = String> {
    let part = (0..7_u8, "[A-Z0-9_-]{0,20}", any::<bool>(), 1..5_u32, 1..4_u32);
    let display =
        (16..240_u32, 16..320_u32, 0..4_u32, proptest::option::of((1..14_u32, 1..14_u32)));
    (display, proptest::collection::vec(part, 0..14)).prop_map(|(display, parts)| {
        let (width, height, turns, place) = display;
        let mut text = format!(
            "board = 1\nname = \"A board with a name, {width}\"\nchip = \"rp2040\"\n[[display]]\n\
             panel = \"st7789\"\nbus = \"spi4\"\nsize = \"{width}x{height} px\"\n\
             rotation = \"{} deg\"\nsck = \"GP0\"\nmosi = \"GP1\"\ndc = \"GP2\"\n",
            90 * turns
        );
        let place_of = |row: u32, columns: u32, rows: u32| {
            format!("place = {{ column = 1, row = {row}, columns = {columns}, rows = {rows} }}\n")
        };
        if let Some((columns, rows)) = place {
            text += &place_of(1, columns, rows);
        }
        let (mut gpio, mut row) = (3, 20);
        for (at, (kind, name, has_place, columns, rows)) in parts.into_iter().enumerate() {
            let mut pin = || {
                gpio += 1;
                format!("\"GP{}\"", gpio - 1)
            };
            let table = match kind {
                0 => "switch",
                1 => "encoder",
                2 => "led",
                3 => "buzzer",
                _ => "button",
            };
            let name = format!("N{at}{}", name.trim_end_matches('-'));
            text += &format!("[[{table}]]\nname = \"{name}\"\n");
            text += &match table {
                "encoder" => format!("a = {}\nb = {}\n", pin(), pin()),
                "led" => format!("kind = \"ws2812\"\ncount = {}\npin = {}\n", 30 * rows, pin()),
                _ => format!("pin = {}\n", pin()),
            };
            if has_place {
                text += &place_of(row, columns, rows);
                row += rows;
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_overlaps_on_the_face_of_a_random_board(text in board(), unit in 0.6..3.0_f32) {
        prop_assert!(board_file::parse("x.board.toml", &text).is_ok(), "{}", text);
        let face = face_of(&text);
        for shape in Shape::ALL {
            check(&face, unit, shape);
        }
    }
}

#[test]
fn a_point_on_a_display_is_the_pixel_under_it() {
    let layout = face_of(ALL_PARTS).layout(2.0, Shape::Upright);
    for (name, width, height) in [(None, 320, 240), (Some("SIDE"), 128, 64)] {
        let area = TouchArea { display: 0, width, height };
        let place = layout.display(name, area).unwrap();
        let (left, top) = (place.left as i32, place.top as i32);
        let (right, bottom) = (left + place.width as i32 - 1, top + place.height as i32 - 1);
        let pixel = |x: i32, y: i32| {
            let Point { x, y } = place.pixel(x, y, area);
            (x, y)
        };
        assert_eq!(pixel(left, top), (0, 0));
        assert_eq!(pixel(right, bottom), (width - 1, height - 1));
        assert!(pixel((left + right) / 2, top).0.abs_diff(width / 2) <= 1, "{name:?}");
        // A finger that was dragged out of the display is at its edge.
        assert_eq!(pixel(left - 9, bottom + 99), (0, height - 1));
    }
    let area = TouchArea { display: 1, width: 1, height: 1 };
    assert_eq!(layout.display(Some("ELSEWHERE"), area), None);
}
