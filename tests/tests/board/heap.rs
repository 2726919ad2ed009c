//! Tests the heap report of the board `native`, with and without a meter.

use boards::BoardFactory;
use hal_mock::Heap;
use host::heap::HEAP_METER;
use trace::{Trace, parse};
use virtual_time::Instant;

const EXPECTS: &str = "trace 1\n0ms power on\n1s expect heap none\n";

/// Returns the heap of a board that `factory` builds for `text`, one second after power-on.
fn heap(factory: &BoardFactory, text: &str) -> Heap {
    let trace: Trace = parse("heap.trace", text).unwrap();
    let mut machine = factory.build(&trace, None).unwrap();
    machine.power_on().unwrap();
    machine.run_until(Instant::from_secs(1)).unwrap();
    machine.heap()
}

#[test]
fn a_meter_finds_firmware_without_a_heap() {
    let factory = firmware_board::factory().with_heap_meter(HEAP_METER);
    assert_eq!(heap(&factory, EXPECTS), Heap::Used { allocations: 0, bytes: 0 });
}

#[test]
fn a_board_without_a_meter_does_not_answer_zero() {
    assert!(matches!(heap(&firmware_board::factory(), EXPECTS), Heap::Unknown(_)));
}

#[test]
fn the_heap_is_measured_only_for_traces_that_request_it() {
    let factory = firmware_board::factory().with_heap_meter(HEAP_METER);
    assert!(matches!(heap(&factory, "trace 1\n0ms power on\n"), Heap::Unknown(_)));
}
