//! Picture of a running board's panel as it is scanned, line by line. It listens to the LCD's
//! wires and changes nothing on them.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use hal_mock::{
    VirtualBoard,
    board::{LcdPin, WireListener},
};
use ili9341_model::{Frame, ScanOut};
use virtual_time::Instant;

/// Scan of a board's panel. It stops listening when it is dropped.
pub(super) struct Scanned {
    scan: Rc<RefCell<Wires>>,
    /// Number of changes at the last report.
    reported: Option<u64>,
    frame: Arc<Frame>,
}

/// Listens to the wires while the picture is shown line by line.
struct Wires(Option<ScanOut>);

impl Scanned {
    /// Scans the panel of `board` from now on.
    pub(super) fn of(board: &VirtualBoard) -> Self {
        let scan = ScanOut::new(board.with_lcd(Clone::clone), board.now());
        let frame = Arc::new(scan.frame().clone());
        let scan = Rc::new(RefCell::new(Wires(Some(scan))));
        board.add_listener(Rc::clone(&scan) as Rc<RefCell<dyn WireListener>>);
        Self { scan, reported: None, frame }
    }

    /// Returns the visible panel at `now`, if it differs from the last one.
    pub(super) fn news(&mut self, now: Instant) -> Option<Arc<Frame>> {
        let mut scan = self.scan.borrow_mut();
        let scan = scan.0.as_mut()?;
        scan.reach(now);
        if self.reported == Some(scan.changes()) {
            return None;
        }
        self.reported = Some(scan.changes());
        self.frame = Arc::new(scan.frame().clone());
        Some(Arc::clone(&self.frame))
    }

    /// Returns the visible panel of the last call.
    pub(super) fn frame(&self) -> Arc<Frame> {
        Arc::clone(&self.frame)
    }
}

impl Drop for Scanned {
    fn drop(&mut self) {
        // The board retains its listeners, so only the scan is removed.
        self.scan.borrow_mut().0 = None;
    }
}

impl WireListener for Wires {
    fn power(&mut self, at: Instant, on: bool) {
        if let Some(scan) = &mut self.0 {
            scan.set_power(at, on);
        }
    }

    fn lcd_pin(&mut self, at: Instant, pin: LcdPin, high: bool) {
        let Some(scan) = &mut self.0 else { return };
        match pin {
            LcdPin::Dc => scan.set_dc(at, high),
            LcdPin::Reset => scan.set_reset(at, high),
            LcdPin::Backlight => scan.set_backlight(at, high),
        }
    }

    fn lcd_bytes(&mut self, start: Instant, end: Instant, sent: &[u8], _: &[u8]) {
        if let Some(scan) = &mut self.0 {
            scan.write(start, end, sent);
        }
    }
}
