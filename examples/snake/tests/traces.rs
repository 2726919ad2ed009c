//! The traces of the game.

#[test]
fn traces() {
    nudge::test!("traces", "snake");
}
