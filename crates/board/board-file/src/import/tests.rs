//! Imports of the files in `tests/imports`, and of broken ones.

use super::*;
use crate::parse;

const DIAGRAM: &str = include_str!("../../tests/imports/handheld.json");
const OVERLAY: &str = include_str!("../../tests/imports/handheld.overlay");

fn losses(imported: &Imported) -> Vec<String> {
    imported.losses.iter().map(ToString::to_string).collect()
}

#[test]
fn a_diagram_of_wokwi_becomes_a_board() {
    let imported = import("diagram.json", DIAGRAM.as_bytes()).unwrap();
    let board =
        parse("x", &imported.text).unwrap_or_else(|error| panic!("{error}\n{}", imported.text));
    let table = crate::table(&board);
    let rows: Vec<String> =
        table.lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for expected in [
        "console CONSOLE tx=GP0 rx=GP1",
        "display lcd1 sck=GP18 mosi=GP19 cs=GP17 dc=GP20",
        "display oled1 scl=GP5 sda=GP4",
        "button btnA GP2 A",
        "button btnB GP3 Up",
        "button btn-C- GP6",
        "button joy1-SEL GP21",
        "button enc1-SW GP14",
        "encoder enc1 a=GP12 b=GP13",
        "joystick joy1 x=GP26 y=GP27",
        "potentiometer pot1 GP28",
        "led led1 GP7",
        "led rgb1 red=GP8 green=GP9 blue=GP10",
        "led pixel GP11",
        "buzzer bz1 GP15",
    ] {
        assert!(rows.iter().any(|row| row.starts_with(expected)), "{expected}\n{table}");
    }
    use crate::parts::{Level, Mirror, Pull};
    assert_eq!(board.display[0].mirror, Mirror::Vertical);
    assert_eq!(board.display[1].i2c_address(), 0x3D);
    // btnB connects its pin with 3V3, and a resistor pulls it down.
    assert_eq!((board.button[0].active, board.button[0].pull), (Level::Low, Pull::None));
    assert_eq!((board.button[1].active, board.button[1].pull), (Level::High, Pull::Down));
    assert_eq!(board.led[1].active, Level::Low, "common anode");
    assert_eq!(board.potentiometer[0].start.0, 50);
    assert_eq!(
        losses(&imported),
        [
            "btn C! (wokwi-pushbutton): the key `a` is unknown or taken",
            "pot2 (wokwi-slide-potentiometer): its pin SIG is at GP22, which has no analog input",
            "dht1 (wokwi-dht22): a board file has no such part",
        ]
    );
    assert!(imported.text.contains("# - dht1 (wokwi-dht22): a board file has no such part\n"));
}

#[test]
fn an_overlay_of_zephyr_becomes_a_board() {
    let imported = import("app.overlay", OVERLAY.as_bytes()).unwrap();
    let board =
        parse("x", &imported.text).unwrap_or_else(|error| panic!("{error}\n{}", imported.text));
    use crate::parts::{Level, Rotation};
    let table = crate::table(&board);
    let rows: Vec<String> =
        table.lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for expected in [
        "console CONSOLE tx=GP0 rx=GP1",
        "display st7789v sck=GP18 mosi=GP19 cs=GP17 dc=GP20 rst=GP21",
        "display ssd1306 scl=GP5 sda=GP4",
        "button button_a GP2 A",
        "button button_b GP3 Return",
        "led led0 GP14",
        "led pwm_led0 GP25",
        "encoder knob a=GP6 b=GP7",
    ] {
        assert!(rows.iter().any(|row| row.starts_with(expected)), "{expected}\n{table}");
    }
    assert_eq!((board.button[0].active, board.button[1].active), (Level::Low, Level::High));
    assert_eq!(board.display[0].rotation, Rotation::Right);
    assert_eq!(board.display[0].glass_size().unwrap().to_string(), "240x320 px");
    assert_eq!(
        losses(&imported),
        [
            "line 9 (zephyr,console): the pins of UART0 are those of Zephyr's board rpi_pico; check \
             them",
            "line 80 (ssd1306@3c): the pins of I2C0 are those of Zephyr's board rpi_pico; check them",
            "line 86 (bme280@76): a board file has no such part",
        ]
    );
}

#[test]
fn quotes_and_line_breaks_of_a_diagram_do_not_reach_the_board_file() {
    let hostile = DIAGRAM.replace("A. Maker", "A \\\"B\\\" \\n[[x]] \\\\");
    let imported = import("diagram.json", hostile.as_bytes()).unwrap();
    let board = parse("x", &imported.text);
    let board = board.unwrap_or_else(|error| panic!("{error}\n{}", imported.text));
    assert_eq!(board.name.0, "Diagram of A _B_ _[[x]] _");
}

#[track_caller]
fn refused(file: &str, text: &str, expected: &str) {
    let error = import(file, text.as_bytes()).unwrap_err();
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
fn what_is_no_diagram_and_no_devicetree_is_refused_with_its_place() {
    refused("a.json", "{\n \"parts\": [", "a.json:2:11: this is no JSON");
    refused("a.json", "{}", "a.json: this is no diagram of Wokwi: it has no list `parts`");
    let uno = r#"{"parts": [{"type": "wokwi-arduino-uno", "id": "uno"}], "connections": []}"#;
    refused("a.json", uno, "a.json: the diagram has no Raspberry Pi Pico");
    refused("a.overlay", "/ {\n\tleds {\n", "a.overlay:2: the file ends where `}` is expected");
    refused("a.overlay", "/ {\n a = <1>\n b;\n};", "a.overlay:3: `b` where `;` is expected");
    refused("a.txt", "", "a.txt: unknown format");
}

#[test]
fn a_bomb_ends_with_an_error_and_not_with_the_memory() {
    let deep = "a { ".repeat(100_000);
    refused("a.overlay", &deep, "a.overlay:1: nodes are nested more than 32 deep");
    let wide = "a;".repeat(100_000);
    refused("a.overlay", &format!("/ {{ {wide} }};"), "a.overlay:1: more than 20000 nodes");
    let nested = "[".repeat(100_000);
    refused("a.json", &nested, "a.json:1:128: this is no JSON: recursion limit exceeded");
    refused("a.json", &" ".repeat(FILE_BYTES_MAX + 1), "a.json: larger than 1024 KiB");
    let part = |at: usize| format!(r#"{{"type": "wokwi-led", "id": "led{}"}}"#, at % 7);
    let parts: Vec<String> = (0..5_000).map(part).collect();
    let wires: Vec<String> = (0..7).map(|at| format!(r#"["pico:GP{at}", "led{at}:A"]"#)).collect();
    let text = format!(
        r#"{{"parts": [{{"type": "wokwi-pi-pico", "id": "pico"}}, {}], "connections": [{}]}}"#,
        parts.join(","),
        wires.join(",")
    );
    let imported = import("a.json", text.as_bytes()).unwrap();
    assert!(losses(&imported).last().unwrap().contains("more than 200 parts"));
}
