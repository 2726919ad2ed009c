//! A board whose firmware was built from other sources, behind a probe in software.

use std::path::Path;
use std::sync::Arc;

use boards::BoardFactory;
use boards::probe::{BoardSettings, ProbePool, RealBoardError};
use firmware_board::Firmware;
use firmware_board::native::Native;
use firmware_core::SOURCE_HASH;
use hal_mock::BoardConfig;
use hal_mock::setup::SetupError;
use probe::Link;
use probe::software::{Flaws, SoftwareProbe};
use trace::Trace;

/// Builds the machine of a factory-new board; returns the reason if it is refused.
fn refusal(flaws: Flaws, any_firmware: bool) -> Option<SetupError> {
    let open = move |_: &Path| {
        let board = Box::new(Native::new(BoardConfig::default()));
        Ok(Box::new(SoftwareProbe::new(board, flaws)) as Box<dyn Link>)
    };
    let pool = Arc::new(ProbePool::new(vec!["bench".into()], Box::new(open)));
    let boards = BoardFactory::Probe(&Firmware, pool, BoardSettings::OfHeader { any_firmware });
    boards.build(&Trace::default(), None).err()
}

#[test]
fn firmware_of_other_sources_is_refused_through_the_probe() {
    let other = Flaws { other_sources: true, ..Flaws::default() };
    let refused = refusal(other, false).expect("the sources differ").to_string();
    let zeros = "0".repeat(SOURCE_HASH.len());
    let wanted =
        RealBoardError::OtherFirmware { found: Some(zeros), sources: SOURCE_HASH }.to_string();
    assert!(refused.contains(&wanted), "{refused}");
    assert!(refused.contains("--any-firmware"), "{refused}");
    assert!(refusal(other, true).is_none(), "`--any-firmware` accepts it");
    assert!(refusal(Flaws::default(), false).is_none(), "the same sources are accepted");
}
