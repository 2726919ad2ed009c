//! Movements of controls in a session, on a machine that only lets time pass.

use std::rc::Rc;

use hal_mock::board::{ControlConfig, Position};
use hal_mock::{BoardConfig, Heap, Machine, MachineError, VirtualBoard};
use trace::{ControlKind, Movement, Share, Trace};
use virtual_time::{Instant, Nanos};

use crate::{Files, Session, Setup};

/// A board without firmware. It reads the controls, as a chip does.
struct Idle(VirtualBoard);

impl Machine for Idle {
    fn board(&self) -> &VirtualBoard {
        &self.0
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.0.power_on();
        Ok(())
    }

    fn power_off(&mut self) {
        self.0.power_off();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        let next = self.0.next_movement().unwrap_or(Instant::NEVER);
        self.0.advance_to(limit.min(next.max(self.0.now())));
        self.0.terminals().move_controls(self.0.now());
        Ok(())
    }

    fn heap(&self) -> Heap {
        Heap::unwatched()
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        Some(Box::new(Self(self.0.fork())))
    }
}

fn setup() -> Setup {
    let control = |kind, name: &str, position| ControlConfig {
        kind,
        name: name.to_owned(),
        position,
        edges: 4,
    };
    let controls = vec![
        control(ControlKind::Encoder, "DIAL", Position::Edges(0)),
        control(ControlKind::Joystick, "STICK", Position::Axes(Share::ZERO, Share::ZERO)),
    ];
    let config = BoardConfig { controls, ..BoardConfig::default() };
    Setup {
        maker: Rc::new(move |_| Ok(Box::new(Idle(VirtualBoard::new(config.clone()))))),
        ..super::setup(false)
    }
}

#[test]
fn a_session_moves_controls_and_saves_the_lines() {
    let mut live = Session::live(&setup(), Trace::default()).unwrap();
    let controls = live.board().parts().controls;
    let named = |name| controls.named(name).unwrap();
    live.switch_power(true).unwrap();
    live.seek(Instant::from_millis(100), false);
    let turn = Movement::Turn { by: -2, over: None };
    let at = live.move_control(named("DIAL"), turn).unwrap();
    assert_eq!(at, Instant::from_millis(101));
    live.seek(Instant::from_millis(130), false);
    assert_eq!(live.board().position(named("DIAL")), Some(Position::Edges(-5)));
    live.seek(Instant::from_millis(500), false);
    assert_eq!(live.board().position(named("DIAL")), Some(Position::Edges(-8)));
    let (x, y) = (Share::from_percent(50), Share::from_percent(10));
    live.move_control(named("STICK"), Movement::Set { x, y: Some(y) }).unwrap();
    live.seek(Instant::from_millis(600), false);
    let text = live.save(&Files::default());
    assert!(text.contains("+101ms  turn DIAL by -2\n+400ms  set STICK 0.5,0.1\n"), "{text}");
    // In the past, a movement removes the later ones.
    live.seek(Instant::from_millis(200), false);
    live.move_control(named("DIAL"), Movement::Turn { by: 1, over: Some(Nanos::from_millis(4)) })
        .unwrap();
    live.seek(Instant::from_millis(700), false);
    assert_eq!(live.board().position(named("DIAL")), Some(Position::Edges(-4)));
    assert_eq!(
        live.board().position(named("STICK")),
        Some(Position::Axes(Share::ZERO, Share::ZERO))
    );
    assert!(!live.save(&Files::default()).contains("STICK"));
}
