//! Tests `nudge replay --wokwi`: projects of Wokwi as they are.

use std::fs;
use std::path::Path;

use reading::golden::{read_png, write_png};

use crate::formats::TestFolder;

const PROJECT: &str =
    "[wokwi]\nversion = 1\nfirmware = \"build/oled.uf2\"\nelf = \"./build/oled.elf\"\n";

/// The wiring of examples/own-boards/oled.board.toml, without its sensor, and with an LED.
const DIAGRAM: &str = r#"{ "version": 1, "author": "A. Maker", "editor": "wokwi",
  "parts": [
    { "type": "wokwi-pi-pico", "id": "pico", "attrs": {} },
    { "type": "board-ssd1306", "id": "oled1", "attrs": {} },
    { "type": "wokwi-ky-040", "id": "enc1", "attrs": {} },
    { "type": "wokwi-pushbutton", "id": "btn up", "attrs": { "key": "w" } },
    { "type": "wokwi-led", "id": "led1", "attrs": { "color": "red" } },
    { "type": "wokwi-dht22", "id": "dht1", "attrs": {} }
  ],
  "connections": [
    [ "pico:GP0", "$serialMonitor:RX", "", [] ],
    [ "pico:GP1", "$serialMonitor:TX", "", [] ],
    [ "pico:GP4", "oled1:SDA", "green", [] ],
    [ "pico:GP5", "oled1:SCL", "green", [] ],
    [ "pico:GP10", "enc1:CLK", "green", [] ],
    [ "pico:GP11", "enc1:DT", "green", [] ],
    [ "pico:GP12", "enc1:SW", "green", [] ],
    [ "pico:GP13", "btn up:1.l", "green", [] ],
    [ "btn up:2.l", "pico:GND.1", "black", [] ],
    [ "pico:GP20", "led1:A", "green", [] ],
    [ "led1:C", "pico:GND.2", "black", [] ]
  ] }"#;

const SCENARIO: &str = "\
name: The bar becomes longer
version: 1

steps:
  - wait-serial: 'sensor 0x00'
  - expect-pin: { part-id: led1, pin: A, value: 0 }
  - delay: 300ms
  - set-control:
      part-id: enc1
      control: rotate-cw
      value: 1
  - wait-serial: 'length 72'
  - set-control: { part-id: btn up, control: pressed, value: 1 }
  - delay: 80ms
  - set-control: { part-id: btn up, control: pressed, value: 0 }
  - wait-serial: 'length 80'
  - set-control: { part-id: enc1, control: pressed, value: 1 }
  - wait-serial: 'inverted true'
  - delay: 100ms
  - take-screenshot: { part-id: oled1, compare-with: shots/longer.png }
";

/// A project with this scenario in the folder `p`.
fn project(scenario: &str) -> TestFolder {
    let folder = TestFolder::new();
    fs::create_dir_all(folder.path("p/build")).unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards/oled.elf");
    fs::copy(program, folder.path("p/build/oled.elf")).unwrap();
    folder.put("p/wokwi.toml", PROJECT);
    folder.put("p/diagram.json", DIAGRAM);
    folder.put("p/bar.test.yaml", scenario);
    // Not a scenario.
    folder.put("p/compose.yaml", "services: { a: { image: b } }\n");
    folder
}

#[test]
fn a_project_is_replayed_as_it_is() {
    sampled!();
    let folder = project(SCENARIO);
    let ended = folder.run("replay --wokwi p --no-cache");
    ended.is(1, "there is no golden p/shots/longer.png");
    ended.is(1, "p/bar.test.yaml:20:1: at ");
    ended.is(1, "not carried over: p/diagram.json: dht1 (wokwi-dht22): a board file has no such");
    ended.is(1, "nudge replay --wokwi p --scenario bar.test.yaml");
    folder
        .run("replay --wokwi p --bless --force")
        .is(0, "blessed p/shots/longer.png (new, 128x64)");
    folder.run("replay --wokwi p").is(0, "1 passed");
    // The report of a picture that is upside down names that.
    let path = folder.path("p/shots/longer.png");
    let picture = read_png(&path).unwrap();
    let mut pixels = picture.pixels().to_vec();
    pixels.reverse();
    write_png(&path, &ili9341_model::Frame::from_pixels(128, 64, pixels)).unwrap();
    folder.run("replay --wokwi p").is(
        1,
        "it is the golden turned by 180 degrees: are MADCTL and the `rotation` of the display right?",
    );
    // Nothing else has been written.
    let mut names: Vec<_> = fs::read_dir(folder.path("p"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected =
        ["bar.test.yaml", "build", "compose.yaml", "diagram.json", "shots", "wokwi.toml"];
    assert_eq!(names, expected);
}

#[test]
fn a_failed_wait_has_its_line_in_the_scenario() {
    sampled!();
    let folder = project("version: 1\nsteps:\n- wait-serial: 'sensor 0x68'\n");
    folder.run("replay --wokwi p").is(1, "p/bar.test.yaml:3:1: at ");
    let folder = project("steps:\n- expect-pin: { part-id: led1, pin: A, value: 1 }\n");
    folder.run("replay --wokwi p").is(1, "expected the LED led1 on; it is off");
}

#[test]
fn a_step_that_is_not_replayed_fails_the_run_without_lossy() {
    let folder = project("steps:\n- delay: 1s\n- touch: { x: 1, y: 2 }\n");
    let ended = folder.run("replay --wokwi p");
    ended.is(1, "left out: p/bar.test.yaml:3: touch");
    ended.is(1, "1 passed");
    folder.run("replay --wokwi p --lossy").is(0, "left out: p/bar.test.yaml:3: touch");
}

#[test]
fn scenarios_are_chosen_by_their_names() {
    let folder = project("steps:\n- delay: 1s\n");
    folder.put("p/other.yaml", "steps:\n- wait-serial: never\n");
    fs::create_dir(folder.path("p/more")).unwrap();
    folder.put("p/more/third.yml", "steps:\n- delay: 1s\n");
    folder.run("replay --wokwi p --list").is(0, "p/bar.test.yaml\np/other.yaml\n");
    folder.run("replay --wokwi p --scenario bar.test.yaml").is(0, "1 passed");
    folder.run("replay --wokwi p --scenario more/third.yml --list").is(0, "p/more/third.yml\n");
}

#[test]
fn mistakes_of_a_project_have_their_sentences() {
    type Change = fn(&TestFolder);
    let cases: [(Change, &str); 10] = [
        (|folder| fs::remove_file(folder.path("p/wokwi.toml")).unwrap(), "p/wokwi.toml: cannot be"),
        (
            |folder| folder.put("p/wokwi.toml", "[wokwi]\nelf = 3\n"),
            "p/wokwi.toml:2: `elf` is the path of a file, in quotes",
        ),
        (
            |folder| folder.put("p/wokwi.toml", "[wokwi]\nversion = 1\n"),
            "p/wokwi.toml: [wokwi] names no program",
        ),
        (
            |folder| folder.put("p/wokwi.toml", "[wokwi]\nelf = '../x.elf'\n"),
            "all paths of a project are below its folder",
        ),
        (
            |folder| folder.put("p/wokwi.toml", "[wokwi]\nelf = 'x.elf'\n"),
            "p: there is no program x.elf; build the project, or correct wokwi.toml",
        ),
        (|folder| folder.put("p/diagram.json", "{"), "p/diagram.json:1:1: this is no JSON"),
        (
            |folder| folder.put("p/diagram.json", DIAGRAM.replace("board-ssd1306", "wokwi-x")),
            "`nudge board import p/diagram.json` writes it",
        ),
        (
            |folder| fs::remove_file(folder.path("p/bar.test.yaml")).unwrap(),
            "p: there is no scenario; one is a file *.yaml with a list `steps`",
        ),
        (
            |folder| folder.put("p/bar.test.yaml", "steps:\n- delya: 3ms\n"),
            "p/bar.test.yaml:2: unknown step `delya`; did you mean `delay`?",
        ),
        (
            |folder| {
                let step = "- take-screenshot: { compare-with: ../win.png }\n";
                folder.put("p/bar.test.yaml", format!("steps:\n{step}"));
            },
            "p/bar.test.yaml:2: ",
        ),
    ];
    for (change, sentence) in cases {
        let folder = project(SCENARIO);
        change(&folder);
        folder.run("replay --wokwi p").is(2, sentence);
    }
    project(SCENARIO).run("replay --wokwi p --scenario ../x.yaml").is(2, "--scenario: ");
    project(SCENARIO).run("replay --wokwi none").is(2, "none: cannot be read");
    project(SCENARIO).run("replay --wokwi p --board native").is(2, "cannot be used with");
}
