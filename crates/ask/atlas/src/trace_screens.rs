//! Finds the screens that traces show: each trace is replayed on a machine whose views are known, and
//! its screens are recorded. This module does not know the search.

use std::collections::BTreeMap;

use host::Interrupt;
use insight::{Screen, Screens};
use reading::text::Reader;
use trace::{Action, BoardFault, Trace};

use super::explore::in_parallel;
use super::factory::run;
use super::watched::ScreenRecogniser;

/// The screens that traces show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceScreens {
    /// Names of the traces that show each screen, in order.
    pub seen: BTreeMap<Screen, Vec<String>>,
    /// Number of traces that were replayed.
    pub replayed: usize,
    /// Traces that were not replayed, with the reasons.
    pub left_out: Vec<(String, String)>,
}

/// Replays `traces`, each with its name, and records the screens of each. A trace that flips bits
/// on the LCD's wire is left out, because its pictures are not screens of the firmware.
pub fn screens_of_traces(
    screens: &dyn Screens,
    traces: &[(String, Trace)],
    reader: &Reader,
    jobs: usize,
    interrupt: &Interrupt,
) -> TraceScreens {
    let eye = ScreenRecogniser::new(screens, reader);
    let seen_by = |nth: usize| {
        let (_, trace) = &traces[nth];
        let flips = |action: &Action| matches!(action, Action::Fault(BoardFault::SpiFlip { .. }));
        if trace.lines.iter().any(|line| flips(&line.action)) {
            return Err("it flips bits on the LCD's wire".to_owned());
        }
        run(&eye, trace).map_err(|error| error.to_string())
    };
    let runs = in_parallel(jobs, traces.len(), interrupt, || (), |(), nth| seen_by(nth));
    let mut witnesses = TraceScreens::default();
    for ((name, _), run) in traces.iter().zip(runs) {
        match run {
            None => break,
            Some(Err(why)) => witnesses.left_out.push((name.clone(), why)),
            Some(Ok(run)) => {
                witnesses.replayed += 1;
                for noted in run.noted {
                    let names = witnesses.seen.entry((*noted.screen).clone()).or_default();
                    if names.last() != Some(name) {
                        names.push(name.clone());
                    }
                }
            }
        }
    }
    witnesses
}
