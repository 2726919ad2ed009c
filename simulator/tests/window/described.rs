//! Tests the boards of board files in the window: their face, their keys and clicks, the recording,
//! and programs that are loaded again when they are saved.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boards::DescribedBoard;
use ili9341_model::Frame;
use live::keymap::Keymap;
use reading::golden::{compare, read_png, write_png};
use trace::{BoardParts, Button, Buttons, Controls};
use window::face::{BoardFace, DescribedFace, Face, Footer, Labels, Layout, Shape, View};

use crate::command::nudge;
use crate::desktop::{Desktop, key};
use crate::{folder, input_names, output_text, words};

/// A board of `examples/own-boards` in a folder of its own.
pub struct Example {
    pub folder: PathBuf,
    pub file: String,
    pub buttons: Buttons,
    pub controls: Controls,
    pub keymap: Keymap,
    pub face: BoardFace,
}

impl Example {
    pub fn new(scene: &str, name: &str) -> Self {
        let folder = folder(scene);
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
        let file = format!("{name}.board.toml");
        for name in [&file, &format!("{name}.elf")] {
            fs::copy(examples.join(name), folder.join(name)).unwrap();
        }
        let board = DescribedBoard::load(&folder.join(&file)).unwrap();
        let BoardParts { buttons, controls, .. } = board.parts().clone();
        let keymap = Keymap::of_file(board.file(), &buttons, &controls);
        let size = board.file().display[0].visible_size().unwrap();
        let face = DescribedFace::new(board.file(), buttons.all(), (size.width, size.height));
        let face = BoardFace::Described(Arc::new(face));
        Self { folder, file, buttons, controls, keymap, face }
    }

    pub fn open(&self, more: &[&str]) -> Desktop {
        let board = ["--board", self.file.as_str(), "--record", "w.trace", "--seed", "7"];
        Desktop::new(&self.folder, &[board.as_slice(), more].concat())
    }

    pub fn layout(&self, scale: f32) -> Layout {
        self.face.layout(scale, Shape::Upright)
    }

    pub fn button(&self, name: &str) -> Button {
        self.buttons.named(name).unwrap()
    }

    /// Returns the part of the window that shows the panel, reduced to the panel's size.
    pub fn panel_of(&self, window: &Frame, layout: &Layout) -> Frame {
        let (glass, (width, height)) = (layout.panel(), self.face.panel_size());
        let scale = glass.width / width;
        let at = |x: u32, y: u32| {
            let (x, y) = (glass.left + x * scale, glass.top + y * scale);
            window.pixel(x as usize, y as usize).unwrap()
        };
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels = pixels.map(|(x, y)| at(x, y)).collect();
        Frame::from_pixels(width as usize, height as usize, pixels)
    }

    pub fn keep(&self, name: &str, window: &Frame) {
        write_png(self.folder.join(name).with_extension("png"), window).unwrap();
    }

    /// Replays the recording and compares its last frame with `panel`; returns the names of its
    /// inputs.
    #[track_caller]
    pub fn check_replay(&self, panel: &Frame) -> Vec<String> {
        let run = |arguments: &[&str]| {
            let output = nudge().args(arguments).current_dir(&self.folder).output().unwrap();
            assert!(output.status.success(), "{}", output_text(&output));
        };
        run(&["replay", "w.trace"]);
        run(&["screenshot", "w.trace", "--output", "w.png"]);
        if let Err(mismatch) = compare(&read_png(self.folder.join("w.png")).unwrap(), panel) {
            panic!("the replay ends with another picture than the window: {mismatch}");
        }
        input_names(&runner::open_trace(&self.folder.join("w.trace")).unwrap())
    }
}

#[test]
fn keys_and_clicks_on_a_described_board_are_recorded_and_replay() {
    let board = Example::new("described-played", "handheld");
    let layout = board.layout(2.0);
    let mut desktop = board.open(&["--scale", "2"]);
    let size = (layout.width(), layout.height() + Footer::height(layout.unit()));
    assert_eq!(desktop.size(), size);
    let panel = |window: &Frame| board.panel_of(window, &layout);
    let booted = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    board.keep("booted", &booted);

    // A held key shows its button pressed, as the face draws it.
    desktop.key_down('w');
    let shown = desktop.settled_after(&booted);
    board.keep("pressed", &shown);
    let mut face = Face::new(layout.clone(), Labels::new(&board.keymap));
    let up = board.button("UP");
    let mut view = View::default();
    view.down.insert(up);
    face.draw(&view);
    let rect = layout.button(up);
    for (x, y) in (0..rect.height).flat_map(|y| (0..rect.width).map(move |x| (x, y))) {
        let (x, y) = ((rect.left + x) as usize, (rect.top + y) as usize);
        assert_eq!(shown.pixel(x, y), face.picture().pixel(x, y), "UP down at {x},{y}");
    }
    desktop.key_up('w');
    desktop.settled_after(&shown);
    desktop.click(&layout, board.button("A"));
    desktop.settled(|_| true);
    desktop.tap('s');
    let last = desktop.settled(|_| true);
    board.keep("last", &last);
    assert_ne!(panel(&last), panel(&booted));
    // The keys of the LCD board press no button of another one.
    desktop.tap('c');
    desktop.settled(|_| true);
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let expected = [
        "power on",
        "press of UP",
        "release of UP",
        "press of A",
        "release of A",
        "press of DOWN",
        "release of DOWN",
        "end",
    ];
    assert_eq!(board.check_replay(&panel(&last)), expected);
}

#[test]
fn a_click_on_a_button_that_is_active_high_is_recorded() {
    let board = Example::new("described-views", "badge");
    let layout = board.layout(2.0);
    let mut desktop = board.open(&["--scale", "2", "--mute"]);
    let panel = |window: &Frame| board.panel_of(window, &layout);
    let booted = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    let identity = words::footer(&booted, &layout);
    assert!(identity.contains("w.trace"), "{identity}");
    desktop.click(&layout, board.button("RIGHT"));
    let longer = desktop.settled(|window| panel(window) != panel(&booted));
    board.keep("longer", &longer);
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let inputs = board.check_replay(&panel(&longer));
    assert_eq!(inputs[1..3], ["press of RIGHT", "release of RIGHT"]);
}

#[test]
fn a_remapped_key_of_a_described_board_is_stored_for_this_board() {
    let board = Example::new("described-remap", "badge");
    let layout = board.layout(1.0);
    let mut desktop = board.open(&["--scale", "1"]);
    desktop.settled(|_| true);
    desktop.tap_named(key::F10);
    desktop.tap('d');
    desktop.tap('q');
    let remapped =
        desktop.settled(|window| words::footer(window, &layout).contains("RIGHT is now"));
    desktop.tap('q');
    desktop.settled(|window| board.panel_of(window, &layout) != board.panel_of(&remapped, &layout));
    assert!(desktop.close().status.success());
    let stored: Vec<PathBuf> = fs::read_dir(board.folder.join("nudge"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("keys-badge-"))
        .collect();
    assert_eq!(stored.len(), 1);
    let text = fs::read_to_string(&stored[0]).unwrap();
    assert!(text.contains("LEFT = A\nRIGHT = Q\n"), "{text}");
    // The next window has it; a map that no longer fits is reported.
    let mut desktop = Desktop::new(&board.folder, &["--board", &board.file, "--scale", "1"]);
    let before = desktop.settled(|_| true);
    desktop.tap('q');
    desktop.settled(|window| board.panel_of(window, &layout) != board.panel_of(&before, &layout));
    assert!(desktop.close().status.success());
    fs::write(&stored[0], "UP = Q\n").unwrap();
    let mut desktop = Desktop::new(&board.folder, &["--board", &board.file, "--scale", "1"]);
    desktop.settled(|_| true);
    let output = desktop.close();
    assert!(output_text(&output).contains("there are LEFT, RIGHT"), "{}", output_text(&output));
}

#[test]
fn a_saved_program_of_a_described_board_takes_over() {
    let board = Example::new("described-watch", "handheld");
    let layout = board.layout(1.0);
    let says = |window: &Frame, text: &str| words::footer(window, &layout).contains(text);
    let panel = |window: &Frame| board.panel_of(window, &layout);
    let mut desktop = board.open(&["--scale", "1", "--watch"]);
    let booted = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desktop.tap('w');
    let up = desktop.settled(|window| panel(window) != panel(&booted));
    // The same program with another text for the console: the picture is the same.
    let program = board.folder.join("handheld.elf");
    let before = fs::read(&program).unwrap();
    let mut changed = before.clone();
    let at = changed.windows(5).position(|bytes| bytes == b"ready").expect("a text");
    changed[at..at + 5].copy_from_slice(b"READY");
    fs::write(board.folder.join("new"), &changed).unwrap();
    fs::rename(board.folder.join("new"), &program).unwrap();
    let taken = desktop.settled(|window| says(window, "nothing differs") || says(window, "same"));
    board.keep("taken", &taken);
    assert_eq!(panel(&taken), panel(&up), "the press was replayed");
    desktop.tap('z');
    let coloured = desktop.settled(|window| panel(window) != panel(&up));
    // A changed board file is loaded too, unless the window would need another face.
    let file = board.folder.join(&board.file);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("name = \"B\"", "name = \"C\"")).unwrap();
    let refused = desktop.settled(|window| says(window, "other buttons"));
    board.keep("refused", &refused);
    assert_eq!(panel(&refused), panel(&coloured));
    fs::write(&file, text).unwrap();
    desktop.settled(|_| true);
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let inputs = board.check_replay(&panel(&coloured));
    assert_eq!(inputs[..3], ["power on", "press of UP", "release of UP"]);
    assert!(inputs.contains(&"press of A".to_owned()), "{inputs:?}");
}

#[test]
fn the_glass_has_its_colours_and_gaps() {
    const UNLIT: u32 = 0x00_1428;
    const LIT: u32 = 0x00_D2FF;
    let board = Example::new("described-glass", "oled");
    let file = board.folder.join(&board.file);
    let glass = "[[display]]\nunlit = \"#001428\"\nlit = \"#00d2ff\"\ngap = \"25 %\"\n";
    let text = fs::read_to_string(&file).unwrap().replacen("[[display]]\n", glass, 1);
    fs::write(&file, text).unwrap();
    let mut desktop = board.open(&["--bare", "--scale", "4"]);
    let window = desktop.settled(|window| window.pixels().contains(&LIT));
    board.keep("glass", &window);
    // The window is higher than the panel, which is in its middle.
    let above = (window.height() - 4 * 64) / 2;
    let panel = &window.pixels()[above * window.width()..][..4 * 128 * 4 * 64];
    for (index, colour) in panel.iter().enumerate() {
        let (x, y) = (index % window.width(), index / window.width());
        let is_gap = x % 4 == 3 || y % 4 == 3;
        assert!(*colour == UNLIT || *colour == LIT && !is_gap, "{colour:06x} at {x},{y}");
    }
    // Captures and recordings have the colours of the controller.
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let run = ["screenshot", "w.trace", "--output", "w.png"];
    let output = nudge().args(run).current_dir(&board.folder).output().unwrap();
    assert!(output.status.success(), "{}", output_text(&output));
    let frame = read_png(board.folder.join("w.png")).unwrap();
    assert!(frame.pixels().iter().all(|pixel| [0, 0xFF_FFFF].contains(pixel)));
}
