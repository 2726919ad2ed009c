//! Tests of a real board behind a probe, with a probe in software: `native` represents the board.

#[path = "../../../../tests/src/part.rs"]
#[expect(dead_code, reason = "not all of it is used here")]
mod part;

mod probe {
    mod firmware;
    mod seeded;
    mod set_up;
    mod traces;

    use ::probe::disturbed::{Faults, FaultyLink};
    use ::probe::software::{Flaws, SoftwareBench, SoftwareProbe};
    use ::probe::{LEAD, ProbeError, ProbeMachine, Session};
    use firmware_board::{header, native};
    use hal_mock::{BoardConfig, setup::SetupError};
    use trace::Trace;
    use virtual_time::Nanos;

    /// Returns the board of `trace` behind a probe, on a line with `faults`, and the board itself.
    pub(crate) fn on_probe(
        trace: &Trace,
        faults: Faults,
        flaws: Flaws,
        seed: u64,
    ) -> Result<Result<(ProbeMachine, SoftwareBench), ProbeError>, SetupError> {
        let config = header::board(trace, None)?;
        // The board's contacts are the probe's pins, whose bounce the probe generates.
        let pins = BoardConfig { bounce: Nanos::ZERO, ..config.clone() };
        let machine = Box::new(native::Native::new(pins));
        let software = SoftwareProbe::new(machine, flaws);
        let bench = software.bench();
        let link = Box::new(FaultyLink::new(software, faults, seed));
        Ok(Session::open(link, 0x1234 + seed as u32)
            .map(|session| (ProbeMachine::new(session, config, LEAD), bench)))
    }
}
