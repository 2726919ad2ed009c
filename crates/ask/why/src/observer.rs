//! A machine with a watched cell of the LCD's memory, which records the views that the firmware was
//! sending when the cell was written.

use std::collections::VecDeque;
use std::sync::Arc;

use boards::pico::Pico;
use hal_mock::{Call, Machine, MachineError, MachineWrapper, VirtualBoard};
use ili9341_model::WATCHED_WRITES_MAX;
use insight::{DrawnElement, OpenMachine, View, Views};
use virtual_time::Instant;

/// View on the LCD before a write, and the view that was being sent by it.
pub(super) type ViewsOfWrite = (Option<Arc<dyn View>>, Option<Arc<dyn View>>);

/// Returns the element at `pixel` of the view that was being sent; `None` if no view was.
pub(super) fn drawn((before, sent): &ViewsOfWrite, pixel: (usize, usize)) -> Option<DrawnElement> {
    sent.as_ref()?.element(before.as_deref(), pixel)
}

pub(super) enum Inner {
    /// A machine with views.
    Open(Box<dyn OpenMachine>),
    Pico(Box<Pico>),
    /// A machine that is known by its wires only, such as a real board.
    Closed(Box<dyn Machine>),
}

/// A machine with a watched cell of the LCD's memory.
pub(super) struct WatchedMachine {
    inner: Inner,
    /// Number of the display.
    display: usize,
    /// Views at each of the last writes, the latest last.
    pub(super) views: VecDeque<ViewsOfWrite>,
    seen: u64,
    /// View that the LCD showed before the call.
    shown: Option<Arc<dyn View>>,
    pub(super) powered_at: Option<Instant>,
    pub(super) ended_at: Instant,
}

impl WatchedMachine {
    pub(super) fn new(inner: Inner, display: usize) -> Self {
        let views = VecDeque::with_capacity(WATCHED_WRITES_MAX);
        Self {
            inner,
            display,
            views,
            seen: 0,
            shown: None,
            powered_at: None,
            ended_at: Instant::START,
        }
    }

    /// Returns a handle to the board that reads the display.
    pub(super) fn screen(&self) -> VirtualBoard {
        self.board().at_display(self.display)
    }

    fn views(&self) -> Views {
        match &self.inner {
            Inner::Open(machine) => machine.views(),
            Inner::Pico(_) | Inner::Closed(_) => Views::default(),
        }
    }

    /// Records the views if the cell was written in this step.
    fn look(&mut self) {
        let count = self.screen().with_lcd(ili9341_model::Ili9341::watched_count);
        if count <= self.seen {
            self.seen = count;
            return;
        }
        let Views { shown, sent } = self.views();
        let sent = sent.or(shown);
        for _ in self.seen..count.min(self.seen + WATCHED_WRITES_MAX as u64) {
            if self.views.len() == WATCHED_WRITES_MAX {
                self.views.pop_front();
            }
            // If the frame ended in this step, its view is already the shown one.
            self.views.push_back((self.shown.clone(), sent.clone()));
        }
        self.seen = count;
    }
}

impl MachineWrapper for WatchedMachine {
    fn inner(&self) -> &dyn Machine {
        match &self.inner {
            Inner::Open(machine) => machine.as_ref(),
            Inner::Pico(pico) => pico.as_ref(),
            Inner::Closed(machine) => machine.as_ref(),
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        match &mut self.inner {
            Inner::Open(machine) => machine.as_mut(),
            Inner::Pico(pico) => pico.as_mut(),
            Inner::Closed(machine) => machine.as_mut(),
        }
    }

    fn before(&mut self, call: Call) -> Result<(), MachineError> {
        self.shown = None;
        match call {
            Call::PowerOn if !self.board().is_powered() => {
                self.powered_at = Some(self.board().now());
                self.views.clear();
                self.seen = 0;
            }
            Call::PowerOn | Call::PowerOff => {}
            Call::Step => self.shown = self.views().shown,
        }
        Ok(())
    }

    fn after(&mut self, call: Call, _: bool) {
        if call != Call::PowerOff {
            self.look();
        }
    }
}
