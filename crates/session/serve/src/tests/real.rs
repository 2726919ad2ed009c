//! A board that cannot be stopped: it takes inputs only ahead of the time that it has reported.

use firmware_board::native;
use hal_mock::{Call, Machine, MachineWrapper, setup::SetupError};
use serde_json::{Value, json};
use trace::Trace;
use virtual_time::{Instant, Nanos};

use super::{ask, dispatcher};
use crate::{Maker, Pixel, ProviderError};

/// Time by which an input must come before it acts.
const LEAD: Nanos = Nanos::from_millis(40);

pub(super) struct RealBoard;

impl Maker for RealBoard {
    fn machine(&self, trace: &Trace) -> Result<Box<dyn Machine>, SetupError> {
        let machine = native::build(trace, None)?;
        machine.board().set_inputs_from(Instant::START);
        Ok(Box::new(Ahead(machine)))
    }

    fn why(&self, _: &Pixel<'_>) -> Result<Value, ProviderError> {
        Err("a real board does not know".into())
    }
}

struct Ahead(Box<dyn Machine>);

impl MachineWrapper for Ahead {
    fn inner(&self) -> &dyn Machine {
        self.0.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.0.as_mut()
    }

    fn after(&mut self, _: Call, _: bool) {
        self.0.board().set_inputs_from(self.0.board().now().saturating_add(LEAD));
    }

    fn copy(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

#[test]
fn inputs_of_a_real_board_come_when_it_still_takes_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({"board": "real", "header": {"seed": 7}}));
    ask(&mut dispatcher, "wait_text", json!({"text": "Player 1's turn", "within": "5s"}));
    ask(&mut dispatcher, "tap", json!({"button": "B3"}));
    ask(&mut dispatcher, "wait_text", json!({"text": "FREE TURN", "within": "20s"}));
    ask(&mut dispatcher, "do", json!({"line": "type \"stats\""}));
    ask(&mut dispatcher, "press", json!({"button": "B1"}));
    ask(&mut dispatcher, "advance", json!({"by": "100ms"}));
    ask(&mut dispatcher, "release", json!({"button": "B1"}));
    ask(&mut dispatcher, "power", json!({"on": false}));
    ask(&mut dispatcher, "advance", json!({"by": "500ms"}));
    ask(&mut dispatcher, "power", json!({"on": true}));
    ask(&mut dispatcher, "wait_console", json!({"text": "boot", "within": "2s"}));
}
