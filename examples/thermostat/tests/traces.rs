//! The traces of the thermostat.

#[test]
fn traces() {
    nudge::test!("traces");
}
