//! The bytes that a correctly wired board sends to its LCD first.

use boards::probe::reference;
use firmware_board::Firmware;
use probe::doctor::{EXAMINED_BYTES, Reference};

#[test]
fn the_reference_begins_with_commands_and_has_full_length() {
    let Reference(sent) = reference(&Firmware).unwrap();
    assert_eq!(sent.len(), EXAMINED_BYTES);
    assert!(!sent[0].data, "a command comes first");
    // Sleep out: without it, the LCD would show nothing.
    assert!(sent.iter().any(|sent| !sent.data && sent.byte == 0x11));
    assert!(sent.iter().any(|sent| sent.data));
}
