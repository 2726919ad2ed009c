//! Ctrl-C stops a machine at its next step.

use firmware_board::native::Native;
use hal_mock::BoardConfig;
use host::Interrupt;
use runner::guard::{Interrupted, guard};
use virtual_time::Instant;

#[test]
fn a_machine_stops_at_its_next_step() {
    let interrupt = Interrupt::default();
    let mut machine = guard(&interrupt, Box::new(Native::new(BoardConfig::default())));
    machine.power_on().unwrap();
    machine.run_until(Instant::from_millis(500)).unwrap();
    let stopped_at = machine.board().now();
    assert!(!interrupt.set() && interrupt.set(), "set once");
    let error = machine.run_until(Instant::from_secs(9)).unwrap_err();
    assert_eq!((error.at, error.message().as_str()), (stopped_at, "interrupted"));
    assert!(error.is::<Interrupted>());
}
