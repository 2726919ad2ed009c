//! `nudge font learn` on a screen of the LCD board: "Hold RESET: menu" in cells of 10x16 px.

use super::formats::TestFolder;

const TRACE: &str = "trace 1\nseed 7\n\n0ms power on\n+2s end\n";

#[test]
fn a_text_that_a_person_reads_becomes_a_font() {
    let folder = TestFolder::new();
    folder.put("a.trace", TRACE);
    let learn = |words| folder.run(&format!("font learn a.trace --output own.bdf --in {words}"));
    learn("130,122,60,16 RESET:").is(0, "wrote own.bdf: 5 glyphs of 10x16 px: :ERST");
    let first = folder.read("own.bdf");
    learn("80,122,40,16 Hold").is(2, "own.bdf is there already; `--force`");
    learn("80,122,40,16 HolR --add").is(2, "own.bdf: it has another glyph for 'R'");
    learn("80,122,39,16 Hold --force").is(2, "with 36 px each has 9 px");
    learn("84,122,40,16 Hold --force").is(2, "the region cuts glyphs; moved by");
    learn("80,122,40,8 Hold --force").is(2, "the glyphs continue below the region");
    learn("300,122,40,16 Hold --force").is(2, "not on the panel of 320x240 px");
    assert!(folder.read("own.bdf") == first, "an error leaves the font as it was");
    learn("80,122,40,16 Hold --add").is(0, "9 glyphs of 10x16 px: :EHRSTdlo");
    learn("80,122,40,16 Hold --force").is(0, "4 glyphs of 10x16 px: Hdlo");
}
