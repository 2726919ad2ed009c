//! A shrunk trace must fail in the same way as its original: on the same screen, in the same
//! pixels, by the same console line, tone, or number of bytes. The firmware has no bug here; the
//! expectations are wrong. `shrink.rs` has bugs of the firmware.

use std::fs;
use std::path::Path;

use firmware_board::native;
use firmware_insight::LcdBoard;
use fuzz::{Evidence, FindingCause, Judge, Judgement, Original};
use host::{Exit, Interrupt};
use reading::{
    golden::{chain::Chain, read_png, write_png},
    text::Reader,
};
use runner::{ReplayOptions, run, shrink::shrink};
use tempfile::TempDir;
use trace::{Trace, parse};

/// A move, a press that is refused, a second move. The failing line and more lines follow.
const BEFORE: &str = "trace 1
# The session.
seed 7

0ms     power on
1s      tap B3               # a free turn
+0ms    settle within 9s
+0ms    expect text \"FREE TURN\"
+0ms    expect frame-time < 1s
+0ms    expect frames begin
+1s     tap T1               # not his
+1s     expect console \"refused button=T1\"
+1s     tap B4               # his second move
";
const AFTER: &str = "
+2s     tap T2
+0ms    settle within 9s
+0ms    expect text \"Player\"
+0ms    end
";

/// A trace that fails, its goldens, and the shrunk trace.
struct Shrunk {
    original: Judgement,
    small: Trace,
    judged: Judgement,
    _folder: TempDir,
}

impl Shrunk {
    /// Blesses the trace with `lines` in the middle, breaks its goldens, and shrinks it.
    #[track_caller]
    fn of(lines: &str, break_goldens: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.trace");
        let text = format!("{BEFORE}{lines}{AFTER}");
        fs::write(&path, &text).unwrap();
        let reader = Reader::new(native::fonts());
        let build = |trace: &Trace| native::build(trace, None);
        let options = ReplayOptions { bless: true, ..ReplayOptions::default() };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit = run(std::slice::from_ref(&path), &options, &build, &reader, &mut out, &mut err)
            .unwrap();
        assert_ne!(exit, Exit::Usage, "{}", String::from_utf8_lossy(&err));
        let goldens = path.with_extension("");
        break_goldens(&goldens);

        let trace = parse("a.trace", &text).unwrap();
        let interrupt = &Interrupt::default();
        let judge = Judge {
            boards: &build,
            reader: &reader,
            rules: Some(&LcdBoard),
            goldens: Some(&goldens),
            interrupt,
        };
        let judged = judge.examine(&trace).unwrap().unwrap();
        let original = Original::new(judged.clone()).expect("it fails");
        let shrunk =
            shrink(&trace, 1_000, &mut |candidate| judge.fails_like(&original, candidate, None));
        assert!(shrunk.minimal);
        let small = shrunk.small.trace;
        assert!(small.lines.len() < trace.lines.len(), "{small}");
        let again = judge.examine(&small).unwrap().unwrap();
        Self { original: judged, small, judged: again, _folder: folder }
    }

    /// Checks that both traces first fail in `line` with the same evidence; returns the evidence.
    #[track_caller]
    fn same(&self, line: &str) -> Evidence {
        let [one, other] =
            [&self.original, &self.judged].map(|judged| match &judged.findings[0].cause {
                FindingCause::Line { line: pattern, evidence, .. } => {
                    assert_eq!(pattern.to_string(), line, "{}", self.small);
                    evidence.clone()
                }
                other => panic!("{other:?}\n{}", self.small),
            });
        assert_eq!(one, other, "{}", self.small);
        assert_eq!(self.judged.findings.len(), 1, "{:?}\n{}", self.judged.findings, self.small);
        one
    }

    /// Checks that the shrunk trace has the line, with its comment.
    #[track_caller]
    fn has(&self, line: &str) -> &Self {
        let text = self.small.to_string();
        let blanks = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.lines().any(|is| blanks(is).contains(line)), "no {line:?} in\n{text}");
        self
    }
}

/// Tests a line that fails regardless of the goldens.
#[track_caller]
fn check(line: &str, pattern: &str) -> (Shrunk, Evidence) {
    let shrunk = Shrunk::of(line, |_| {});
    let evidence = shrunk.same(pattern);
    (shrunk, evidence)
}

fn change_one_pixel(path: &Path) {
    let mut golden = read_png(path).unwrap();
    golden.pixels_mut()[100 * 320 + 150] ^= 0x0080_0000;
    fs::remove_file(path).unwrap();
    write_png(path, &golden).unwrap();
}

#[test]
fn a_single_differing_pixel_is_preserved() {
    let shrunk =
        Shrunk::of("+0ms settle within 9s\n+0ms expect frame moved  # the frame", |goldens| {
            change_one_pixel(&goldens.join("moved.png"));
        });
    assert!(matches!(shrunk.same("expect frame moved"), Evidence::Pixels(_)));
    let message = shrunk.judged.findings[0].to_string();
    assert!(message.contains("1 pixel differs"), "{message}");
    shrunk.has("tap B3 # a free turn").has("tap B4 # his second move");
    shrunk.has("expect frame moved # the frame").has("# The session.");
}

#[test]
fn a_missing_golden_is_still_missing() {
    let shrunk = Shrunk::of("+0ms expect frame moved", |goldens| {
        fs::remove_file(goldens.join("moved.png")).unwrap();
    });
    assert_eq!(shrunk.same("expect frame moved"), Evidence::UnusableGolden);
}

#[test]
fn a_chain_differs_at_the_same_frame() {
    sampled!();
    for line in ["expect frames all", "expect settled frames all"] {
        let mut number = 0;
        let shrunk = Shrunk::of(&format!("+0ms settle within 9s\n+0ms {line}"), |goldens| {
            let path = goldens.join("all.frames");
            let mut chain = Chain::load(&path).unwrap();
            number = chain.links.len();
            chain.links[number - 1].hash.0 ^= 1;
            fs::remove_file(&path).unwrap();
            chain.save(&path).unwrap();
        });
        let Evidence::Chain { number: found, .. } = shrunk.same(line) else {
            panic!("{}", shrunk.small)
        };
        assert_eq!(found, number);
        shrunk.has("tap B4");
    }
}

#[test]
fn a_text_is_missed_on_the_same_screen() {
    let (shrunk, evidence) = check("+1s expect text \"GAME OVER\"", "expect text \"GAME OVER\"");
    let Evidence::Texts(texts) = evidence else { panic!("{evidence:?}") };
    assert!(texts.len() > 3, "{texts:?}");
    shrunk.has("tap B3").has("tap B4");
}

#[test]
fn a_text_is_shown_on_the_same_screen() {
    let (shrunk, evidence) = check("+1s expect no text \"P1\"", "expect no text \"P1\"");
    assert!(matches!(&evidence, Evidence::Texts(texts) if texts.len() > 3), "{evidence:?}");
    shrunk.has("tap B4");
}

#[test]
fn a_text_is_waited_for_on_the_same_screen() {
    let (shrunk, evidence) =
        check("+0ms wait text \"GAME OVER\" within 3s", "wait text \"GAME OVER\"");
    assert!(matches!(&evidence, Evidence::Texts(texts) if texts.len() > 3), "{evidence:?}");
    shrunk.has("tap B3").has("tap B4");
}

#[test]
fn a_screen_that_does_not_settle_is_the_same_screen() {
    let (shrunk, evidence) = check("+0ms settle within 200ms", "settle");
    assert!(matches!(&evidence, Evidence::Texts(texts) if texts.len() > 3), "{evidence:?}");
    shrunk.has("tap B4");
}

#[test]
fn the_console_lacks_a_line_after_the_same_line() {
    let (shrunk, evidence) =
        check("+1s expect console \"event=draw\"", "expect console \"event=draw\"");
    let Evidence::ConsoleLine(Some(last)) = evidence else { panic!("{evidence:?}") };
    assert!(last.starts_with("position "), "{last}");
    shrunk.has("tap B3").has("tap B4");
}

#[test]
fn a_missing_tone_is_preserved_with_the_same_other_tones() {
    let (shrunk, evidence) = check("+200ms expect tone 333Hz", "expect tone 333Hz");
    assert!(matches!(&evidence, Evidence::Tones(tones) if !tones.is_empty()), "{evidence:?}");
    shrunk.has("tap B");
}

#[test]
fn the_excess_of_bytes_on_the_bus_is_preserved() {
    let (shrunk, evidence) = check("+2s expect bus < 1kB within 2s", "expect bus < 1kB within 2s");
    let Evidence::Bytes(bytes) = evidence else { panic!("{evidence:?}") };
    assert!(bytes > 1_000);
    shrunk.has("tap B4");
}

#[test]
fn the_time_of_a_slow_frame_is_preserved() {
    let line = "expect frame-time < 1us";
    let (shrunk, evidence) = check(&format!("+2s {line}"), line);
    assert!(matches!(evidence, Evidence::FrameTime(Some(_))), "{evidence:?}");
    // Without the move, the first screen takes longest.
    shrunk.has("expect frame-time < 1s");
}
