//! A board sends bytes; one listener exports them as a waveform, another collects them. The
//! waveform is altered, and the difference must be named.

use std::fs;
use std::io::BufWriter;
use std::path::PathBuf;

use hal_mock::{BoardConfig, VirtualBoard};
use tempfile::TempDir;
use virtual_time::Random;

use super::*;
use crate::record::record_vcd;
use crate::signal::Signal;

const TOLERANCE: Nanos = Nanos(1_000);
/// Time of a byte, and the begin of the first one.
const BYTE_NS: u64 = 256;
const BEGIN_NS: u64 = 5_000_000;

/// Change of the exported waveform's bursts before they are written.
#[derive(Clone, Copy, Default)]
struct Altered {
    /// This byte of this burst is inverted.
    byte: Option<(usize, usize)>,
    /// This byte of this burst is left out.
    missing: Option<(usize, usize)>,
    /// DC of this burst is inverted.
    dc: Option<usize>,
    /// This burst comes later by this number of nanoseconds.
    late: Option<(usize, u64)>,
    /// Time of the trace's 0, and drift in millionths.
    offset_ns: u64,
    ppm: u64,
    /// Number of bursts that are missing at the begin and at the end.
    cut: [usize; 2],
    /// The board is started once before, with the same first bursts.
    earlier_start: bool,
}

/// Returns bursts as a board sends them: commands, and their data.
fn bursts() -> Vec<(u64, bool, Vec<u8>)> {
    let mut random = Random::new(29);
    let mut at = BEGIN_NS;
    let mut bursts = vec![];
    for _ in 0..200 {
        for (data, count) in [(false, 1), (true, 4), (false, 1), (true, 40 + random.below(200))] {
            let bytes = (0..count).map(|_| random.next() as u8).collect();
            bursts.push((at, data, bytes));
            at += count * BYTE_NS + 700 + random.below(50_000);
        }
    }
    bursts
}

/// Plays bursts on a board with a listener, and calls `finish` at the end.
fn play<T>(
    bursts: &[(u64, bool, Vec<u8>)],
    stretch: impl Fn(u64) -> u64,
    attach: impl Fn(&VirtualBoard) -> T,
    finish: impl Fn(T, &VirtualBoard, Instant),
) {
    let board = VirtualBoard::new(BoardConfig::default());
    let attached = attach(&board);
    board.power_on();
    let terminals = board.terminals();
    let mut end = Instant::START;
    for (at, data, bytes) in bursts {
        let begin = Instant(stretch(*at));
        end = Instant(stretch(at + bytes.len() as u64 * BYTE_NS));
        board.advance_to(begin);
        terminals.set_lcd_dc(begin, *data);
        terminals.lcd_write(begin, end, bytes);
        board.advance_to(end);
    }
    let end = end.saturating_add(Nanos(10_000));
    board.advance_to(end);
    board.notify_listeners();
    finish(attached, &board, end);
}

/// Writes the waveform of altered bursts.
fn export(folder: &TempDir, altered: Altered) -> PathBuf {
    let path = folder.path().join("capture.vcd");
    let mut bursts = bursts();
    if let Some((burst, byte)) = altered.byte {
        bursts[burst].2[byte] ^= 0xFF;
    }
    if let Some((burst, byte)) = altered.missing {
        bursts[burst].2.remove(byte);
    }
    if let Some(burst) = altered.dc {
        bursts[burst].1 ^= true;
    }
    if let Some((burst, late)) = altered.late {
        bursts[burst].0 += late;
    }
    let mut bursts = bursts[altered.cut[0]..bursts.len() - altered.cut[1]].to_vec();
    for burst in &mut bursts {
        burst.0 += altered.offset_ns;
    }
    if altered.earlier_start {
        let earlier = super::tests::bursts().into_iter().take(100);
        bursts = earlier.chain(bursts).collect();
    }
    let signals: Vec<Signal> = Signal::all().collect();
    play(
        &bursts,
        |at| at + at * altered.ppm / 1_000_000,
        |board| {
            record_vcd(board, BufWriter::new(fs::File::create(&path).unwrap()), &signals, &[])
                .unwrap()
        },
        |recording, board, end| recording.finish(board, end).unwrap(),
    );
    path
}

#[track_caller]
fn observe(altered: Altered) -> Observation {
    let folder = tempfile::tempdir().unwrap();
    let path = export(&folder, altered);
    let found = RefCell::new(None);
    play(
        &bursts(),
        |at| at,
        LcdListener::attach,
        |listener, board, _| {
            let observation = listener.compare(board, &path, &Wiring::default(), TOLERANCE);
            *found.borrow_mut() = Some(observation.unwrap());
        },
    );
    found.into_inner().unwrap()
}

#[track_caller]
fn differs(altered: Altered, words: &[&str]) -> BurstDifference {
    let difference = observe(altered).difference.expect("a difference");
    let said = difference.to_string();
    assert!(words.iter().all(|words| said.contains(words)), "{said}");
    difference
}

fn bytes_of(bursts: &[(u64, bool, Vec<u8>)]) -> usize {
    bursts.iter().map(|burst| burst.2.len()).sum()
}

#[test]
fn a_capture_of_the_same_run_agrees() {
    let found = observe(Altered::default());
    assert_eq!((found.difference, found.bursts), (None, 800));
    assert_eq!((found.bytes, found.unseen), (bytes_of(&bursts()), [0, 0]));
    assert!(found.offset_ns.abs() <= 1 && found.drift_ppm.abs() < 0.1 && found.furthest.0 <= 32);
}

#[test]
fn offset_and_drift_of_the_clocks_are_estimated() {
    let altered = Altered { offset_ns: 3_000_000_000, ppm: 40, ..Altered::default() };
    let found = observe(altered);
    assert_eq!((&found.difference, found.bursts), (&None, 800));
    assert!((found.drift_ppm - 40.0).abs() < 0.2, "{}", found.drift_ppm);
    // 40 millionths of 3 s.
    let apart = found.offset_ns - 3_000_120_000;
    assert!(apart.abs() < 200, "{apart}");
    let said = found.to_string();
    assert!(
        said.contains(
            "the trace begins at 3.000120 s of the capture, whose clock is 40.0 ppm faster"
        ),
        "{said}"
    );
}

#[test]
fn a_byte_that_differs_is_named_with_both_views_and_times() {
    let altered = Altered { byte: Some((403, 17)), ..Altered::default() };
    let bursts = bursts();
    let (at, _, bytes) = &bursts[403];
    let (ours, theirs) = (bytes[17], bytes[17] ^ 0xFF);
    let words = [
        format!("burst 404 differs in byte 18 of {}: data byte 18 ({ours:02X})", bytes.len()),
        format!("data byte 18 ({theirs:02X}) of "),
        "(DC high)".to_owned(),
    ];
    let difference = differs(altered, &words.each_ref().map(String::as_str));
    let BurstDifferenceKind::Byte { times, .. } = difference.kind else { panic!("{difference}") };
    for time in times {
        assert!((at + 17 * BYTE_NS..=at + 18 * BYTE_NS).contains(&time.0), "{time}");
    }
}

#[test]
fn another_level_of_dc_is_a_difference() {
    differs(
        Altered { dc: Some(402), ..Altered::default() },
        &["burst 403 differs in byte 1 of 1: the command", "(DC low)", "(DC high)"],
    );
}

#[test]
fn a_byte_that_one_side_lacks_is_named_as_missing() {
    let altered = Altered { missing: Some((403, 17)), ..Altered::default() };
    differs(altered, &["burst 404 differs: the capture lacks 1 byte; data byte 18 "]);
}

#[test]
fn a_burst_at_another_time_is_named() {
    let altered = Altered { late: Some((402, 1_600)), ppm: 20, ..Altered::default() };
    let words = ["burst 403 begins at another time: ", "apart; it begins with the command"];
    let difference = differs(altered, &words);
    assert!(
        matches!(difference.kind, BurstDifferenceKind::Time { apart: Nanos(1_500..=1_700), .. }),
        "{difference:?}"
    );
    let within = Altered { late: Some((402, 900)), ..Altered::default() };
    assert_eq!(observe(within).difference, None);
}

#[test]
fn a_capture_may_begin_late_and_end_early() {
    let found = observe(Altered { cut: [50, 30], ..Altered::default() });
    assert_eq!((&found.difference, found.bursts), (&None, 720));
    let bursts = bursts();
    assert_eq!(found.unseen, [bytes_of(&bursts[..50]), bytes_of(&bursts[770..])]);
    assert!(found.to_string().contains(" bytes before its begin and "), "{found}");
}

#[test]
fn an_earlier_start_of_the_board_is_not_taken_for_the_trace() {
    let byte = Some((10, 0));
    let altered = Altered { earlier_start: true, offset_ns: 900_000_000, ..Altered::default() };
    let found = observe(altered);
    assert_eq!((found.difference, found.bursts), (None, 800));
    assert!((found.offset_ns - 900_000_000).abs() < 10, "{}", found.offset_ns);
    // The start that agrees for longer is not the one of the trace.
    differs(Altered { byte, ..altered }, &["burst 11 differs in byte 1 of 1"]);
}

#[test]
fn captures_that_cannot_be_compared_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |signals: &[Signal], sent: &[(u64, bool, Vec<u8>)], words: &str| {
        let path = folder.path().join("capture.vcd");
        play(
            sent,
            |at| at,
            |board| {
                record_vcd(board, BufWriter::new(fs::File::create(&path).unwrap()), signals, &[])
                    .unwrap()
            },
            |recording, board, end| recording.finish(board, end).unwrap(),
        );
        play(
            &bursts(),
            |at| at,
            LcdListener::attach,
            |listener, board, _| {
                let found = listener.compare(board, &path, &Wiring::default(), TOLERANCE);
                let error = found.expect_err("it is refused").to_string();
                assert!(error.contains(words), "{error}");
            },
        );
    };
    refused(
        &[Signal::Clock, Signal::Mosi],
        &bursts(),
        "has no DC; `--observer-map DC=CHANNEL` names",
    );
    let other = vec![(BEGIN_NS, true, vec![0x55; 300])];
    let all: Vec<Signal> = Signal::all().collect();
    refused(&all, &other, "has none of the bytes that the replay reports");
}
