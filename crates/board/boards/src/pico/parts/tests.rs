use hal_mock::board::ControlConfig;
use hal_mock::{BoardConfig, VirtualBoard};
use trace::{ControlKind, LedKind, Leds, Movement};

use super::*;
use crate::pico::wiring::ContactWiring;

/// FUNCSEL of SIO.
const SIO_FUNCTION: u32 = 5;

fn pin(number: u8) -> Gpio {
    Gpio::new(number).unwrap()
}

/// A chip without a program, and parts that are connected to it.
struct Scene {
    board: VirtualBoard,
    chip: Chip,
    parts: Parts,
    now: u64,
}

impl Scene {
    fn new(wiring: PartsWiring, controls: Vec<ControlConfig>, leds: Leds) -> Self {
        let board = VirtualBoard::new(BoardConfig { controls, leds, ..BoardConfig::default() });
        board.power_on();
        let mut chip = Chip::new(1 << 20);
        let terminals = board.terminals();
        let parts = Parts::attach(&wiring, &terminals, &mut chip, Instant::START).unwrap();
        Self { board, chip, parts, now: 0 }
    }

    fn with_led(wiring: LedWiring, kind: LedKind) -> Self {
        let leds = Leds::new([(kind, "L")]).unwrap();
        Self::new(PartsWiring { leds: vec![wiring], ..PartsWiring::default() }, Vec::new(), leds)
    }

    /// Transfers events and advances to `until`, in microseconds.
    fn transfer(
        &mut self,
        until_us: u64,
        levels: &[(u64, u32)],
        functions: &[FunctionChange],
        waves: &[OutputChange],
    ) {
        let levels: Vec<PinChange> = levels
            .iter()
            .map(|(us, levels)| PinChange { ns: us * 1_000, levels: *levels })
            .collect();
        self.now = until_us * 1_000;
        let events = Events { levels: &levels, functions, waves, until: self.now };
        self.parts.transfer(&self.board.terminals(), &events);
        self.board.advance_to(Instant(self.now));
    }

    fn led(&self, number: u16) -> String {
        let led = self.board.parts().leds.all()[0];
        self.board.led_at(self.board.now(), led, number).unwrap().state.to_string()
    }
}

#[test]
fn an_active_low_led_is_on_while_its_pin_is_low() {
    let wiring = LedWiring::Levels { pins: vec![pin(4)], on: ActiveLevel::Low, averages: false };
    let mut scene = Scene::with_led(wiring, LedKind::Plain);
    // The LED pulls the pin of a chip that does not drive it to the supply.
    assert_eq!(scene.chip.levels() >> 4 & 1, 1);
    assert_eq!(scene.led(0), "off");
    scene.transfer(10, &[(5, 0)], &[], &[]);
    assert_eq!(scene.led(0), "on");
    scene.transfer(20, &[(15, 1 << 4)], &[], &[]);
    assert_eq!(scene.led(0), "off");
}

#[test]
fn a_dimmed_led_has_the_duty_cycle_of_its_slice() {
    let wiring = LedWiring::Levels { pins: vec![pin(15)], on: ActiveLevel::High, averages: true };
    let mut scene = Scene::with_led(wiring, LedKind::Pwm);
    let wave = |ns, duty| OutputChange {
        ns,
        slice: 7,
        channel: 1,
        output: Output::Wave { hz: 1_000.0, duty },
    };
    // Before the pin has the function, its slice has no effect.
    scene.transfer(10, &[], &[], &[wave(1_000, 0.25)]);
    assert_eq!(scene.led(0), "off");
    let function = |ns, function| FunctionChange { ns, pin: 15, function };
    scene.transfer(20, &[], &[function(11_000, PWM_FUNCTION)], &[]);
    assert_eq!(scene.led(0), "25%");
    let other = OutputChange { slice: 6, ..wave(21_000, 0.9) };
    scene.transfer(30, &[], &[], &[other, wave(22_000, 0.5)]);
    assert_eq!(scene.led(0), "50%");
    scene.transfer(40, &[], &[function(31_000, SIO_FUNCTION)], &[]);
    assert_eq!(scene.led(0), "off");
}

#[test]
fn three_pins_make_a_colour() {
    let pins = vec![pin(1), pin(2), pin(3)];
    let wiring = LedWiring::Levels { pins, on: ActiveLevel::High, averages: true };
    let mut scene = Scene::with_led(wiring, LedKind::Rgb);
    scene.transfer(1, &[(1, 0b1010)], &[], &[]);
    assert_eq!(scene.led(0), "#ff00ff");
    // The green LED is on for half of each millisecond.
    let blink = (1..20).map(|half| (half * 500, if half % 2 == 0 { 0b1010 } else { 0b1110 }));
    scene.transfer(9_501, &blink.collect::<Vec<_>>(), &[], &[]);
    assert_eq!(scene.led(0), "#ff80ff");
}

#[test]
fn a_chain_shows_what_its_line_transfers() {
    let wiring =
        LedWiring::Chain { pin: pin(16), count: 2, order: super::super::wiring::ByteOrder::GRB };
    let mut scene = Scene::with_led(wiring, LedKind::Chain { count: 2, has_white: false });
    let levels: Vec<PinChange> = (0..24_u64)
        .flat_map(|bit| {
            // Green 0x80: only the first bit is a 1.
            let pulse = if bit == 0 { 800 } else { 400 };
            let ns = bit * 1_250;
            [(ns, 1 << 16), (ns + pulse, 0)].map(|(ns, levels)| PinChange { ns, levels })
        })
        .collect();
    let terminals = scene.board.terminals();
    let events = Events { levels: &levels, functions: &[], waves: &[], until: 40_000 };
    scene.parts.transfer(&terminals, &events);
    scene.transfer(100, &[], &[], &[]);
    assert_eq!([scene.led(0), scene.led(1)], ["#008000", "off"]);
}

#[test]
fn a_toggled_buzzer_sounds() {
    let wiring = PartsWiring { edge_buzzer: Some(pin(17)), ..PartsWiring::default() };
    let mut scene = Scene::new(wiring, Vec::new(), Leds::default());
    let edges: Vec<(u64, u32)> =
        (0..20).map(|half| (half * 1_136, if half % 2 == 0 { 1 << 17 } else { 0 })).collect();
    scene.transfer(30_000, &edges, &[], &[]);
    let tones =
        scene.board.with_tones(|tones| tones.range(..).map(|tone| tone.hz).collect::<Vec<_>>());
    assert_eq!(tones, [Some(440), None]);
}

#[test]
fn controls_move_the_levels_of_their_pins() {
    let pull = Some(ActiveLevel::High);
    let switch = ContactWiring { pin: pin(4), closed: ActiveLevel::Low, pull };
    let encoder = ControlWiring::Encoder { a: pin(2), b: pin(3), closed: ActiveLevel::Low, pull };
    let controls = vec![encoder, ControlWiring::Switch(switch)];
    let wiring = PartsWiring { controls, ..PartsWiring::default() };
    let config = |kind, name: &str, position| ControlConfig {
        kind,
        name: name.to_owned(),
        position,
        edges: 4,
    };
    let configs = vec![
        config(ControlKind::Encoder, "E", Position::Edges(0)),
        config(ControlKind::Switch, "S", Position::Switch(true)),
    ];
    let mut scene = Scene::new(wiring, configs, Leds::default());
    let levels = |scene: &Scene| scene.chip.levels() >> 2 & 0b111;
    assert_eq!(levels(&scene), 0b011, "the switch is closed at the beginning");
    let parts = scene.board.parts();
    let named = |name| parts.controls.named(name).unwrap();
    let board = scene.board.clone();
    board.move_control(Instant::START, named("E"), Movement::Turn { by: 1, over: None });
    board.move_control(Instant::from_millis(7), named("S"), Movement::Switch(false));
    let mut seen = Vec::new();
    while let Some(at) = board.next_movement() {
        let terminals = board.terminals();
        terminals.move_controls(at);
        scene.parts.drive_controls(&terminals, &mut scene.chip);
        seen.push((at.0 / 1_000_000, levels(&scene)));
    }
    assert_eq!(seen, [(0, 0b010), (6, 0b000), (7, 0b100), (12, 0b101), (18, 0b111)]);
}
