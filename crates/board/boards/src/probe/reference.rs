//! The first bytes that a correctly wired board sends to its LCD, as a reference for the wiring
//! doctor.

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::{
    BoardConfig, Machine as _, MachineError,
    board::{LcdPin, Probe},
};
use probe::doctor::{LOOKED_AT, Reference, Sent};
use virtual_time::{Instant, Nanos};

use crate::native::Native;

/// Time after power-on within which the initialisation and the first rectangle are sent.
const LOOKED: Nanos = Nanos::from_millis(300);

#[derive(Default)]
struct Ear {
    dc: bool,
    sent: Vec<Sent>,
}

impl Probe for Ear {
    fn lcd_pin(&mut self, _: Instant, pin: LcdPin, high: bool) {
        if pin == LcdPin::Dc {
            self.dc = high;
        }
    }

    fn lcd_bytes(&mut self, _: Instant, _: Instant, sent: &[u8], _: &[u8]) {
        let room = LOOKED_AT.saturating_sub(self.sent.len());
        let data = self.dc;
        self.sent.extend(sent.iter().take(room).map(|byte| Sent { data, byte: *byte }));
    }
}

/// Returns the first bytes that this version's firmware sends.
///
/// # Errors
/// If the virtual board fails, which it does not for sound firmware.
pub fn reference() -> Result<Reference, MachineError> {
    let mut native = Native::new(BoardConfig::default());
    let ear = Rc::new(RefCell::new(Ear::default()));
    native.board().clip_on(Rc::clone(&ear) as Rc<RefCell<dyn Probe>>);
    native.power_on()?;
    native.run_until(Instant::START.saturating_add(LOOKED))?;
    native.board().tell_probe();
    let sent = std::mem::take(&mut ear.borrow_mut().sent);
    Ok(Reference(sent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_begins_with_commands_and_has_full_length() {
        let Reference(sent) = reference().unwrap();
        assert_eq!(sent.len(), LOOKED_AT);
        assert!(!sent[0].data, "a command comes first");
        // Sleep out: without it, the LCD would show nothing.
        assert!(sent.iter().any(|sent| !sent.data && sent.byte == 0x11));
        assert!(sent.iter().any(|sent| sent.data));
    }
}
