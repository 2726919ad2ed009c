//! The first bytes that a correctly wired board sends to its LCD, as a reference for the wiring
//! doctor.

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::{
    BoardConfig, MachineError,
    board::{LcdPin, WireListener},
};
use probe::doctor::{EXAMINED_BYTES, Reference, Sent};
use virtual_time::{Instant, Nanos};

use crate::lcd_firmware::LcdFirmware;

/// Time after power-on within which the initialisation and the first rectangle are sent.
const REFERENCE_TIME: Nanos = Nanos::from_millis(300);

#[derive(Default)]
struct LcdListener {
    dc: bool,
    sent: Vec<Sent>,
}

impl WireListener for LcdListener {
    fn lcd_pin(&mut self, _: Instant, pin: LcdPin, high: bool) {
        if pin == LcdPin::Dc {
            self.dc = high;
        }
    }

    fn lcd_bytes(&mut self, _: Instant, _: Instant, sent: &[u8], _: &[u8]) {
        let room = EXAMINED_BYTES.saturating_sub(self.sent.len());
        let data = self.dc;
        self.sent.extend(sent.iter().take(room).map(|byte| Sent { data, byte: *byte }));
    }
}

/// Returns the first bytes that this version's `firmware` sends.
///
/// # Errors
/// If the virtual board fails, which it does not for sound firmware.
pub fn reference(firmware: &dyn LcdFirmware) -> Result<Reference, MachineError> {
    let mut native = firmware.machine(BoardConfig::default(), None);
    let listener = Rc::new(RefCell::new(LcdListener::default()));
    native.board().set_listener(Rc::clone(&listener) as Rc<RefCell<dyn WireListener>>);
    native.power_on()?;
    native.run_until(Instant::START.saturating_add(REFERENCE_TIME))?;
    native.board().notify_listeners();
    let sent = std::mem::take(&mut listener.borrow_mut().sent);
    Ok(Reference(sent))
}
