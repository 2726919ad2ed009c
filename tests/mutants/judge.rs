//! The judge of a build with all mutants; it replaces `crates/board/firmware-board/tests/judge.rs` in the
//! copy. Without arguments it replays each trace of `tests/traces` and writes which mutants the
//! trace reaches. With `judge` it reads one line per mutant, with the traces to replay in their
//! order, and answers with the first trace that fails.
//!
//! ```text
//! trace 17 1234567 81234 12 13 700      number, steps, µs of processor time, mutants reached
//! judge: 700 17 4                       → 700 missed | 700 caught 17 | 700 timeout 4
//! ```

use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::{env, fs};

use firmware_board::native;
use hal_mock::setup::SetupError;
use reading::text::Reader;
use trace::Trace;
use host::{heap::HEAP_METER, Exit};
use runner::ReplayOptions;

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/traces");
/// Step limit of a trace with a mutant: [`LONGER`] times the steps without the mutant, plus
/// [`STEPS_MORE`].
const LONGER: u64 = 5;
const STEPS_MORE: u64 = 2_000_000;

fn main() {
    // A panic of the firmware is a result here, so its message is suppressed.
    std::panic::set_hook(Box::new(|_| {}));
    let options = ReplayOptions { quiet: true, ..ReplayOptions::default() };
    let Ok(traces) = runner::find(&[PathBuf::from(TRACES)], None) else {
        eprintln!("{TRACES}: there are no traces");
        std::process::exit(1);
    };
    let reader = Reader::new(native::fonts());
    let replay = |path: &PathBuf| {
        let build = |trace: &Trace| -> Result<_, SetupError> {
            native::build_metered(trace, None, Some(HEAP_METER))
        };
        // A panic outside of the firmware counts as a failure.
        let run = || {
            let paths = std::slice::from_ref(path);
            runner::run(paths, &options, &build, &reader, &mut io::sink(), &mut io::sink())
        };
        matches!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)), Ok(Ok(Exit::Passed)))
    };
    let mut out = io::stdout().lock();
    let mut say = |line: String| writeln!(out, "{line}").and_then(|()| out.flush()).expect("heard");
    if env::args().nth(1).as_deref() != Some("judge") {
        for (number, trace) in traces.iter().enumerate() {
            let mut passed = false;
            let before = processor_micros();
            let (reached, steps) = mutant_switch::recorded(|| passed = replay(&trace.path));
            let micros = processor_micros() - before;
            if !passed {
                // A panic would not be shown.
                eprintln!("{} fails without any mutant", trace.path.display());
                std::process::exit(1);
            }
            let reached: Vec<_> = reached.iter().map(u32::to_string).collect();
            say(format!("{number} {steps} {micros} {}", reached.join(" ")));
        }
        return;
    }
    for line in io::stdin().lock().lines() {
        let line = line.expect("the driver writes lines");
        let mut numbers = line.split(' ').map(|number| number.parse::<u64>().expect("a number"));
        let id = numbers.next().expect("a mutant") as u32;
        let mut verdict = format!("{id} missed");
        while let (Some(number), Some(steps)) = (numbers.next(), numbers.next()) {
            mutant_switch::switch(Some(id), LONGER * steps + STEPS_MORE);
            if !replay(&traces[number as usize].path) {
                let how = if mutant_switch::is_over() { "timeout" } else { "caught" };
                verdict = format!("{id} {how} {number}");
                break;
            }
        }
        mutant_switch::switch(None, u64::MAX);
        say(verdict);
    }
}

/// Returns the processor time of this process in µs, with a resolution of 10 ms: `utime` and
/// `stime` of `/proc/self/stat`; 0 where that file does not exist.
fn processor_micros() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    behind_name.split(' ').skip(12).take(2).filter_map(|n| n.parse::<u64>().ok()).sum::<u64>()
        * 10_000
}
