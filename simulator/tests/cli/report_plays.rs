//! Checks that the page of `nudge replay --html` contains the machine once, and the traces that
//! failed.

use std::fs;
use std::path::Path;

use boards::{Board, BoardFactory};
use firmware_board::native;
use host::Exit;
use ili9341_model::Frame;
use reading::{
    golden::{read_png, write_png},
    text::Reader,
};
use runner::{Player, ReplayOptions};
use trace::Trace;

use crate::command::check;
use crate::export::{data, has_page};
use crate::part::Part;

/// Writes a trace that compares the LCD with the golden `shown`.
fn write_trace(folder: &Path, name: &str, cup: usize) {
    let text = format!(
        "trace 1\nseed {cup}\n\n0ms power on\n+1s tap B{}\n+1s settle within 9s\n\
         +0ms expect frame shown\n+0ms expect frames all\n+0ms end\n",
        cup % 6 + 1
    );
    fs::write(folder.join(format!("{name}.trace")), text).unwrap();
}

/// Changes one pixel of the golden `shown` of the trace `name`.
fn spoil(folder: &Path, name: &str) {
    let path = folder.join(format!("{name}/shown.png"));
    let golden = read_png(&path).unwrap();
    let mut pixels = golden.pixels().to_vec();
    pixels[100 * 320 + 50] ^= 0x0000_00FF;
    write_png(path, &Frame::from_pixels(320, 240, pixels)).unwrap();
}

#[test]
fn the_page_of_100_failures_is_small_and_has_one_machine() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    // A whole run has 100 failures.
    let count = Part::of_this_run().share(100) as usize;
    let names: Vec<String> = (0..count).map(|number| format!("fails-{number:03}")).collect();
    for (number, name) in names.iter().enumerate() {
        write_trace(folder.path(), name, number);
    }
    check(folder.path(), "replay . --bless --quiet", 0, &[]);
    names.iter().for_each(|name| spoil(folder.path(), name));
    check(folder.path(), "replay . --html page --quiet", 1, &[]);
    let html = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    assert!(html.len() < 3_000_000, "{} bytes", html.len());
    // The pixel at column 50, row 100 is framed.
    assert_eq!(html.matches("data-differs=\"50 100 1 1\"").count(), count);
    let frame = "<i class=differs style=\"left:14.38%;top:40.00%;width:2.81%;height:3.75%\"></i>";
    assert_eq!(html.matches(frame).count(), 3 * count);
    if !has_page() {
        assert!(html.contains("Failures cannot be played here: ") && html.contains("make page"));
        return;
    }
    assert_eq!(html.matches("id=\"engine\"").count(), 1);
    let data = data(&html);
    let traces = data["traces"].as_array().unwrap();
    assert_eq!((traces.len(), html.matches("data-nudge-player=").count()), (count, count));
    assert_eq!(data["mode"], "report");
    let last = &traces[count - 1];
    assert!(last["at"].as_u64().unwrap() > 1_000_000_000, "{last}");
    assert_eq!(last["failures"][0]["line"], 7);
    let golden = last["blobs"][format!("{}/shown.png", names[count - 1])].as_str().unwrap();
    assert!(data["blobs"][golden].is_string());
}

#[test]
fn a_chain_that_differs_shows_the_frame_and_its_predecessor() {
    let folder = tempfile::tempdir().unwrap();
    write_trace(folder.path(), "chain", 2);
    check(folder.path(), "replay . --bless --quiet", 0, &[]);
    // The trace plays another cup than the blessed one.
    let path = folder.path().join("chain.trace");
    let trace = fs::read_to_string(&path).unwrap();
    fs::write(&path, trace.replace("tap B3", "tap B4").replace("+0ms expect frame shown\n", ""))
        .unwrap();
    fs::remove_file(folder.path().join("chain/shown.png")).unwrap();
    let [out, _] = check(folder.path(), "replay . --html page", 1, &[]);
    assert!(out.contains("is another: "), "{out}");
    let html = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    for caption in ["What the LCD showed", "The frame before it", "What it changed"] {
        assert_eq!(html.matches(&format!("<figcaption>{caption}</figcaption>")).count(), 1);
    }
}

#[test]
fn a_program_too_large_for_the_page_is_replaced_by_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("it's.trace");
    fs::write(&trace, "trace 1\n0ms power on\n+1s expect text \"none\"\n+0ms end\n").unwrap();
    let options = ReplayOptions {
        html: Some(folder.path().join("page")),
        board: Some("pico=my.elf".into()),
        player: Player::Command { reason: "the program is <large>".into() },
        ..ReplayOptions::default()
    };
    let boards = BoardFactory::of(&Board::Native, &firmware_board::Firmware).unwrap();
    let build = |trace: &Trace| boards.build(trace, None);
    let reader = Reader::new(native::fonts());
    let exit = runner::run(&[trace], &options, &build, &reader, &mut Vec::new(), &mut Vec::new());
    assert_eq!(exit.unwrap(), Exit::Failed);
    let html = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    assert!(html.contains("Failures cannot be played here: the program is &lt;large&gt;."));
    assert!(
        html.contains("nudge open &quot;") && html.contains(" --board pico=my.elf --at 1s</code>")
    );
    assert!(!html.contains("nudge-data"));
}
