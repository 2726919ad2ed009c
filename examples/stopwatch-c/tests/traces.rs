//! The traces of the stopwatch.

#[test]
fn traces() {
    nudge::test!("traces", "stopwatch");
}
