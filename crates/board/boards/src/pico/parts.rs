//! The parts of a board besides its display, buttons and console: levels and voltages that its
//! controls give the chip's pins, and what its LEDs and its buzzer make of the pins' levels.
//!
//! The models are pure and know no chip: `matrix`, `duty`, `ws2812` and `tone`. This
//! module connects them to the pins that a [`PartsWiring`] lists. `memory` connects SPI flashes and SD
//! cards, which answer within the chip.

mod duty;
mod matrix;
mod memory;
mod tone;
mod ws2812;

use hal_mock::board::{Position, Terminals, encoder_contacts};
use rp2040_emulator::chip::{
    AnalogInput, Chip, Drive, FunctionChange, Output, OutputChange, PinChange,
};
use trace::{LedState, Share};
use virtual_time::{Instant, Nanos};

use super::PWM_FUNCTION;
use super::wiring::{
    ActiveLevel, ControlWiring, Gpio, LedWiring, MatrixContact, PartsWiring, drive_of,
};
use duty::DutyMeter;
pub(super) use memory::Memories;
use tone::ToneMeter;
use ws2812::Receiver;

/// Voltage of the supply, to which shares of controls refer.
const SUPPLY_VOLTS: f64 = 3.3;

/// The parts of a board whose chip has power.
#[derive(Clone)]
pub(super) struct Parts {
    wiring: PartsWiring,
    powered_at: Instant,
    /// Last position of each control that was given to the pins.
    positions: Vec<Option<Position>>,
    /// Levels of the watched pins.
    levels: u32,
    channels: Vec<Channel>,
    chains: Vec<Chain>,
    tone: ToneMeter,
}

/// A pin with an LED.
#[derive(Clone)]
struct Channel {
    /// Number of the LED of the board, and place of this colour in it.
    led: usize,
    colour: usize,
    pin: Gpio,
    on: ActiveLevel,
    is_pwm: bool,
    /// Output of the pin's channel of the PWM, whether or not the pin shows it.
    output: Output,
    meter: DutyMeter,
    share: Share,
}

/// The data line of a chain of LEDs.
#[derive(Clone)]
struct Chain {
    led: usize,
    pin: Gpio,
    receiver: Receiver,
}

/// Events at the pins in a time slice.
pub(super) struct Events<'a> {
    pub(super) levels: &'a [PinChange],
    pub(super) functions: &'a [FunctionChange],
    pub(super) waves: &'a [OutputChange],
    /// End of the slice.
    pub(super) until: u64,
}

#[derive(Clone, Copy)]
enum Event {
    Function(FunctionChange),
    Wave(OutputChange),
    Levels { levels: u32, changed: u32 },
}

impl Parts {
    /// Connects the parts to a chip that is powered on at `powered_at`; `None` without parts.
    pub(super) fn attach(
        wiring: &PartsWiring,
        terminals: &Terminals,
        chip: &mut Chip,
        powered_at: Instant,
    ) -> Option<Self> {
        if *wiring == PartsWiring::default() {
            return None;
        }
        for [first, second] in &wiring.wires {
            chip.wire([first.number(), second.number()]);
        }
        let mut channels = Vec::new();
        let mut chains = Vec::new();
        for (led, wires) in wiring.leds.iter().enumerate() {
            match wires {
                LedWiring::Levels { pins, on, averages } => {
                    for (colour, pin) in pins.iter().enumerate() {
                        // Without an output no current flows through the LED, which pulls the pin to
                        // its other end.
                        chip.drive(pin.number(), drive_of(on.other()));
                        channels.push(Channel {
                            led,
                            colour,
                            pin: *pin,
                            on: *on,
                            is_pwm: false,
                            output: Output::Level(false),
                            meter: DutyMeter::new(*averages),
                            share: Share::ZERO,
                        });
                    }
                }
                LedWiring::Chain { pin, count, order } => {
                    let receiver = Receiver::new(usize::from(*count), *order);
                    chains.push(Chain { led, pin: *pin, receiver });
                }
            }
        }
        let mut parts = Self {
            wiring: wiring.clone(),
            powered_at,
            positions: vec![None; wiring.controls.len()],
            levels: 0,
            channels,
            chains,
            tone: ToneMeter::default(),
        };
        parts.drive_controls(terminals, chip);
        parts.levels = chip.levels();
        Some(parts)
    }

    /// Returns the pins whose levels the parts need.
    pub(super) fn pins(&self) -> u32 {
        let chains = self.chains.iter().map(|chain| chain.pin);
        let pins = self.channels.iter().map(|channel| channel.pin).chain(chains);
        pins.chain(self.wiring.edge_buzzer).fold(0, |pins, pin| pins | pin.bit())
    }

    /// Gives the pins of each control that has moved their levels and voltages.
    pub(super) fn drive_controls(&mut self, terminals: &Terminals, chip: &mut Chip) {
        for (number, (control, last)) in
            self.wiring.controls.iter().zip(&mut self.positions).enumerate()
        {
            let position = terminals.position(number);
            if *last != position
                && let Some(position) = position
            {
                move_control(control, position, chip);
                *last = Some(position);
            }
        }
    }

    /// Connects the pins of the closed buttons of the matrices.
    pub(super) fn connect_matrices<'a>(
        closed: impl IntoIterator<Item = &'a MatrixContact>,
        chip: &mut Chip,
    ) {
        let connections = matrix::connections(closed);
        chip.connect(&connections.contacts, &connections.diodes);
    }

    /// Transfers the events of a time slice to the LEDs and the buzzer.
    pub(super) fn transfer(&mut self, terminals: &Terminals, events: &Events<'_>) {
        let pins = self.pins();
        if pins == 0 {
            return;
        }
        let mut all: Vec<(u64, Event)> = Vec::new();
        let functions = events.functions.iter().filter(|change| pins >> change.pin & 1 != 0);
        all.extend(functions.map(|change| (change.ns, Event::Function(*change))));
        all.extend(events.waves.iter().map(|change| (change.ns, Event::Wave(*change))));
        for PinChange { ns, levels } in events.levels {
            let changed = (levels ^ self.levels) & pins;
            self.levels = *levels;
            if changed != 0 {
                all.push((*ns, Event::Levels { levels: *levels, changed }));
            }
        }
        // A stable sort: at one time, a function changes before the level that it causes.
        all.sort_by_key(|(ns, _)| *ns);
        for (ns, event) in all {
            self.apply(terminals, ns, event);
        }
        self.settle(terminals, events.until);
    }

    fn apply(&mut self, terminals: &Terminals, ns: u64, event: Event) {
        for nth in 0..self.channels.len() {
            let Some(channel) = self.channels.get_mut(nth) else { continue };
            if let Some((ns, share)) = channel.apply(ns, event) {
                self.show(terminals, nth, ns, share);
            }
        }
        let Event::Levels { levels, changed } = event else { return };
        let is_moved = |pin: Gpio| changed & pin.bit() != 0;
        let is_high = |pin: Gpio| levels & pin.bit() != 0;
        for chain in self.chains.iter_mut().filter(|chain| is_moved(chain.pin)) {
            let shown = chain.receiver.edge(ns, is_high(chain.pin));
            show_chain(terminals, self.powered_at, chain.led, shown);
        }
        if let Some(pin) = self.wiring.edge_buzzer.filter(|pin| is_moved(*pin)) {
            for (ns, hertz) in self.tone.edge(ns, is_high(pin)).into_iter().flatten() {
                terminals.set_tone(self.powered_at.saturating_add(Nanos(ns)), hertz);
            }
        }
    }

    /// Handles the levels that have lasted until `now`.
    fn settle(&mut self, terminals: &Terminals, now: u64) {
        for nth in 0..self.channels.len() {
            let change = self.channels.get_mut(nth).and_then(|channel| channel.meter.settle(now));
            if let Some((ns, share)) = change {
                self.show(terminals, nth, ns, share);
            }
        }
        for chain in &mut self.chains {
            let shown = chain.receiver.settle(now);
            show_chain(terminals, self.powered_at, chain.led, shown);
        }
        if let Some((ns, hertz)) = self.tone.settle(now) {
            terminals.set_tone(self.powered_at.saturating_add(Nanos(ns)), hertz);
        }
    }

    /// Sets the share of a channel, and the state of its LED.
    fn show(&mut self, terminals: &Terminals, nth: usize, ns: u64, share: Share) {
        let Some(channel) = self.channels.get_mut(nth) else { return };
        channel.share = share;
        let led = channel.led;
        let at = self.powered_at.saturating_add(Nanos(ns));
        let of_led = self.channels.iter().filter(|channel| channel.led == led);
        let state = match self.wiring.leds.get(led) {
            Some(LedWiring::Levels { pins, .. }) if pins.len() > 1 => {
                let mut colour = [0; 4];
                for channel in of_led {
                    if let Some(byte) = colour.get_mut(channel.colour) {
                        *byte = (channel.share.fraction() * 255.0).round() as u8;
                    }
                }
                LedState::Colour(colour)
            }
            _ => LedState::Level(share),
        };
        terminals.set_led(at, led, 0, state);
    }
}

impl Channel {
    /// Handles an event, and returns the new share of the time in which the LED is on, if it may
    /// have changed.
    fn apply(&mut self, ns: u64, event: Event) -> Option<duty::Change> {
        match event {
            Event::Function(FunctionChange { pin, function, .. }) => {
                if usize::from(pin) != self.pin.number() {
                    return None;
                }
                self.is_pwm = function == PWM_FUNCTION;
                Some((ns, if self.is_pwm { self.of_output() } else { self.meter.restart(false) }))
            }
            Event::Wave(OutputChange { slice, channel, output, .. }) => {
                if (slice, channel) != self.pin.pwm_channel() {
                    return None;
                }
                self.output = output;
                self.is_pwm.then(|| (ns, self.of_output()))
            }
            Event::Levels { levels, changed } => {
                if self.is_pwm || changed & self.pin.bit() == 0 {
                    return None;
                }
                let is_high = levels & self.pin.bit() != 0;
                self.meter.edge(ns, is_high == (self.on == ActiveLevel::High))
            }
        }
    }

    /// Returns the share of the time in which the PWM switches the LED on.
    fn of_output(&self) -> Share {
        let high = match self.output {
            Output::Level(high) => f64::from(u8::from(high)),
            Output::Wave { duty, .. } => duty,
        };
        Share::nearest(if self.on == ActiveLevel::High { high } else { 1.0 - high })
    }
}

fn show_chain(
    terminals: &Terminals,
    powered_at: Instant,
    led: usize,
    shown: Option<(u64, Vec<[u8; 4]>)>,
) {
    let Some((ns, colours)) = shown else { return };
    let at = powered_at.saturating_add(Nanos(ns));
    for (number, colour) in colours.into_iter().enumerate() {
        terminals.set_led(at, led, number, LedState::Colour(colour));
    }
}

fn move_control(control: &ControlWiring, position: Position, chip: &mut Chip) {
    let contact = |closed: bool, level: ActiveLevel, pull: Option<ActiveLevel>| match (closed, pull)
    {
        (true, _) => drive_of(level),
        (false, Some(pull)) => drive_of(pull),
        (false, None) => Drive::Open,
    };
    match (control, position) {
        (ControlWiring::Encoder { a, b, closed, pull }, Position::Edges(edges)) => {
            for (pin, is_closed) in [a, b].into_iter().zip(encoder_contacts(edges)) {
                chip.drive(pin.number(), contact(is_closed, *closed, *pull));
            }
        }
        (ControlWiring::Switch(wiring), Position::Switch(on)) => {
            chip.drive(wiring.pin.number(), contact(on, wiring.closed, wiring.pull));
        }
        (ControlWiring::Axes { x, y }, Position::Axes(at_x, at_y)) => {
            let mut set = |input: u8, share: Share| {
                let volts = AnalogInput::Volts(share.fraction() * SUPPLY_VOLTS);
                chip.set_analog_input(usize::from(input), volts);
            };
            set(*x, at_x);
            if let Some(y) = y {
                set(*y, at_y);
            }
        }
        // Controls and wires come from the same board file.
        _ => {}
    }
}

#[cfg(test)]
mod tests;
