//! The wires between the chip and the board, as a [`Wiring`] lists them (docs/wiring.md).
//!
//! Times of the chip count from its last power-on, those of the board from the first one.

use std::borrow::Cow;
use std::fmt;
use std::iter::Peekable;
use std::sync::Arc;
use std::vec::IntoIter;

use hal_mock::{VirtualBoard, board::Terminals};
use rp2040_emulator::chip::{
    Chip, Drive, FunctionChange, Output, OutputChange, PinBurst, PinChange,
};
use trace::Button;
use virtual_time::{Instant, Nanos};

use super::PWM_FUNCTION;
use super::i2c::I2cBuses;
use super::lcd_bus::LcdBus;
use super::parts::{Events, Parts};
use super::read_back::ReadBack;
use super::tearing::Tearing;
use super::wiring::{ActiveLevel, BusWiring, ContactWiring, Gpio, Wiring, drive_of};

/// The wires of a chip that has power.
#[derive(Clone)]
pub(super) struct Wires {
    wiring: Arc<Wiring>,
    terminals: Terminals,
    powered_at: Instant,
    bus: LcdBus,
    i2c: I2cBuses,
    closed: [bool; Button::COUNT],
    tearing: Option<Tearing>,
    /// Controls, LEDs and the other parts, if the board has any.
    parts: Option<Parts>,
    /// Whether the function of the backlight's pin is PWM.
    dimmed: bool,
    /// A wave at the buzzer that has not lasted for a period yet: its start, and its frequency in
    /// hertz.
    wave: Option<(Instant, f64)>,
    /// Start of the last frame that the LCD has answered; that frame has already been transferred.
    answered_ns: Option<u64>,
}

impl Wires {
    /// Connects a chip that is powered on at `powered_at`.
    pub(super) fn attach(
        wiring: &Arc<Wiring>,
        board: &VirtualBoard,
        chip: &mut Chip,
        powered_at: Instant,
    ) -> Self {
        let lcd = &wiring.lcd;
        if let Some(reset) = lcd.reset {
            // The module pulls RESX up.
            chip.drive(reset.number(), Drive::High);
        }
        let mask = |pin: Option<Gpio>| pin.map_or(0, Gpio::bit);
        let i2c = I2cBuses::attach(wiring, chip);
        let function = |pin: Gpio| chip.function(pin.number()).unwrap_or_default();
        let bus = LcdBus::new(&lcd.bus, chip.levels(), function);
        let terminals = board.terminals();
        let parts = Parts::attach(&wiring.parts, &terminals, chip, powered_at);
        let others = i2c.pins() | parts.as_ref().map_or(0, Parts::pins);
        chip.watch(bus.pins() | mask(lcd.reset) | mask(lcd.backlight) | others);
        chip.watch_functions(bus.function_pins() | others);
        if bus.takes_bursts() {
            // The first call lets them be recorded whole.
            chip.take_bursts();
        }
        let dc = match &lcd.bus {
            BusWiring::Serial(serial) => {
                if let Some(controller) = bus.controller() {
                    let table = board.with_lcd(ili9341_model::Ili9341::table);
                    chip.attach_spi(controller, Box::new(ReadBack::new(serial, table)));
                }
                mask(serial.dc)
            }
            BusWiring::Parallel(parallel) => parallel.dc.bit(),
            BusWiring::I2c(_) => 0,
        };
        let mut wires = Self {
            wiring: Arc::clone(wiring),
            terminals,
            powered_at,
            bus,
            i2c,
            closed: [false; Button::COUNT],
            tearing: lcd.te.map(|pin| Tearing::attach(pin, chip)),
            parts,
            dimmed: false,
            wave: None,
            answered_ns: None,
        };
        wires.terminals.set_lcd_dc(powered_at, chip.levels() & dc != 0);
        wires.i2c.drive(chip);
        if lcd.backlight.is_none() {
            wires.terminals.set_backlight(powered_at, true);
        }
        for contact in wiring.buttons.iter().take(Button::COUNT) {
            chip.drive(contact.pin.number(), resistor(contact.pull));
        }
        for button in Button::ALL {
            wires.drive(chip, button, powered_at);
        }
        wires
    }

    /// Returns the same wires connected to another board.
    pub(super) fn fork(&self, board: &VirtualBoard) -> Self {
        Self { terminals: board.terminals(), ..self.clone() }
    }

    /// Transfers every edge of a contact up to now to its pin, in order of time.
    pub(super) fn drive_buttons(&mut self, board: &VirtualBoard, chip: &mut Chip) {
        while let Some(edge) = board.next_edge().filter(|edge| *edge <= board.now()) {
            for button in Button::ALL {
                self.drive(chip, button, edge);
            }
        }
    }

    /// Transfers every movement of a control up to now to its pins, in order of time.
    pub(super) fn drive_controls(&mut self, board: &VirtualBoard, chip: &mut Chip) {
        let Some(parts) = &mut self.parts else { return };
        while let Some(at) = board.next_movement().filter(|at| *at <= board.now()) {
            self.terminals.move_controls(at);
            parts.drive_controls(&self.terminals, chip);
        }
    }

    /// Returns a pin that the program drives against the level of a closed contact, if there is
    /// one. On a real board this is a short circuit.
    pub(super) fn short_circuit(&self, chip: &Chip) -> Option<ShortCircuit> {
        if !self.closed.contains(&true) {
            return None;
        }
        let (driven, levels) = (chip.driven(), chip.levels());
        Button::ALL.into_iter().zip(&self.wiring.buttons).find_map(|(button, contact)| {
            let ContactWiring { pin, closed: level, .. } = *contact;
            let is_high = levels & pin.bit() != 0;
            let against = driven & pin.bit() != 0 && is_high != (level == ActiveLevel::High);
            let button = self.terminals.named(button);
            (self.closed[button.index()] && against).then_some(ShortCircuit { pin, button, level })
        })
    }

    /// Returns the time of the next edge of an output of the LCD.
    pub(super) fn next_edge(&self) -> Option<Instant> {
        self.tearing.as_ref().and_then(Tearing::next_edge)
    }

    /// Transfers every edge of the LCD's outputs up to now to its pin.
    pub(super) fn drive_lcd_outputs(&mut self, board: &VirtualBoard, chip: &mut Chip) {
        if let Some(tearing) = &mut self.tearing {
            tearing.drive(board, chip);
        }
    }

    /// Passes typed bytes that have arrived to the console's receiver.
    pub(super) fn type_in(&self, board: &VirtualBoard, chip: &mut Chip) {
        while let Some(typed) = self.terminals.take_typed(board.now()) {
            let Some(console) = self.wiring.console else { continue };
            if typed.after_loss {
                chip.lose(console.number.index());
            }
            chip.send(console.number.index(), typed.byte);
        }
    }

    fn drive(&mut self, chip: &mut Chip, button: Button, at: Instant) {
        let closed = self.terminals.is_closed(at, button);
        if std::mem::replace(&mut self.closed[button.index()], closed) == closed {
            return;
        }
        match self.wiring.buttons.get(button.index()) {
            Some(ContactWiring { pin, closed: active, pull }) => {
                chip.drive(pin.number(), resistor(if closed { Some(*active) } else { *pull }));
            }
            None => self.connect_matrices(chip),
        }
    }

    /// Connects the rows and columns whose buttons are closed.
    fn connect_matrices(&self, chip: &mut Chip) {
        let of_matrices = self.closed.iter().skip(self.wiring.buttons.len());
        let contacts = self.wiring.parts.matrix.iter().zip(of_matrices);
        let closed = contacts.filter(|(_, closed)| **closed).map(|(contact, _)| contact);
        Parts::connect_matrices(closed, chip);
    }

    /// Returns the SPI controller that drives the LCD's bus now, if one does.
    pub(super) fn routed_controller(&self) -> Option<usize> {
        self.bus.controller().filter(|_| self.bus.is_routed())
    }

    /// Returns the last address on the display's I2C bus that no device has, while the display has
    /// received nothing.
    pub(super) fn unanswered_address(&self) -> Option<u16> {
        self.i2c.unanswered()
    }

    /// Transfers the events on the pins since the last call to the board, in order of time. Returns
    /// whether there were any.
    pub(super) fn transfer(&mut self, chip: &mut Chip) -> bool {
        let mut active = self.transfer_console(chip);
        let waves = chip.take_pwm_changes().0;
        let lights = self.transfer_waves(chip, &waves);
        let words = match self.bus.controller() {
            Some(controller) => chip.take_spi_sent(controller).0,
            None => Vec::new(),
        };
        let events = self.i2c.take_events(chip);
        let changes = chip.take_changes();
        let bursts = if self.bus.takes_bursts() { chip.take_bursts() } else { Vec::new() };
        active |= !(words.is_empty() && changes.is_empty() && bursts.is_empty());
        active |= !events.is_empty();
        let functions = chip.take_function_changes();
        if let Some(parts) = &mut self.parts {
            let until = chip.now_ns();
            let levels = with_bursts(&changes, &bursts, parts.pins());
            let events = Events { levels: &levels, functions: &functions, waves: &waves, until };
            parts.transfer(&self.terminals, &events);
        }
        let mut edges = Edges {
            changes: changes.into_iter().peekable(),
            bursts: bursts.into_iter().peekable(),
        };
        let functions = functions.into_iter().peekable();
        let mut rare = RareChanges { functions, lights: lights.into_iter().peekable() };
        for word in words {
            self.move_pins_before(word.ns, &mut edges, &mut rare);
            self.apply(&mut rare, word.ns);
            // Answers are given frame by frame, so at most one of these words is answered.
            if self.answered_ns != Some(word.start_ns) {
                self.bus.clock_in(&self.terminals, self.powered_at, word);
            }
        }
        for event in events {
            self.move_pins_before(event.ns, &mut edges, &mut rare);
            self.apply(&mut rare, event.ns);
            self.i2c.receive(&self.terminals, self.powered_at, &event);
        }
        self.move_pins_before(u64::MAX, &mut edges, &mut rare);
        self.apply(&mut rare, u64::MAX);
        self.flush();
        if !self.i2c.is_empty() {
            self.i2c.drive(chip);
        }
        if let Some(controller) = self.bus.controller() {
            self.answer(chip, controller);
        }
        active
    }

    fn transfer_console(&self, chip: &mut Chip) -> bool {
        let Some(console) = self.wiring.console else { return false };
        let sent = chip.take_sent(console.number.index());
        for (ns, byte) in &sent {
            self.terminals.hear(self.powered_at.saturating_add(Nanos(*ns)), *byte);
        }
        !sent.is_empty()
    }

    /// Transfers the changes of the PWM to the buzzer. Returns those of a backlight that it dims.
    fn transfer_waves(&mut self, chip: &mut Chip, waves: &[OutputChange]) -> Vec<Light> {
        let (buzzer, backlight) = (self.wiring.buzzer, self.wiring.lcd.backlight);
        let has_pwm = |pin: &Gpio| chip.function(pin.number()) == Some(PWM_FUNCTION);
        let (buzzer, backlight) = (buzzer.filter(has_pwm), backlight.filter(has_pwm));
        let is_at = |wave: &OutputChange, pin: Option<Gpio>| {
            pin.is_some_and(|pin| (wave.slice, wave.channel) == pin.pwm_channel())
        };
        let mut lights = Vec::new();
        // A pin that has just got this function shows the output that the slice has had before.
        if let Some(pin) = backlight
            && !std::mem::replace(&mut self.dimmed, true)
            && !waves.iter().any(|wave| is_at(wave, backlight))
        {
            let (slice, channel) = pin.pwm_channel();
            let is_wave = chip.square_wave(slice, channel).is_some();
            let high = chip.pwm_levels() >> (pin.number() % 16) & 1 != 0;
            let level = if is_wave { None } else { Some(high) };
            lights.push(Light { ns: chip.now_ns(), on: self.is_lit(level) });
        }
        self.dimmed = backlight.is_some();
        for wave in waves {
            if is_at(wave, backlight) {
                let level = match wave.output {
                    Output::Wave { .. } => None,
                    Output::Level(high) => Some(high),
                };
                lights.push(Light { ns: wave.ns, on: self.is_lit(level) });
            }
            if is_at(wave, buzzer) {
                self.sound(*wave);
            }
        }
        self.start_tone(self.powered_at.saturating_add(Nanos(chip.now_ns())));
        lights
    }

    /// Returns whether a backlight is on at this level, or with a wave, `None`.
    fn is_lit(&self, level: Option<bool>) -> bool {
        level.is_none_or(|high| high == self.backlight_on())
    }

    /// Returns the level with which the backlight is on; true is high.
    fn backlight_on(&self) -> bool {
        self.wiring.lcd.backlight_on == ActiveLevel::High
    }

    /// Answers the current frame of the SPI controller, if the LCD does.
    fn answer(&mut self, chip: &mut Chip, controller: usize) {
        if let Some(frame) = chip.unanswered_spi_frame(controller)
            && self.answered_ns != Some(frame.start_ns)
            && let Some(word) = self.bus.read(&self.terminals, self.powered_at, frame)
        {
            chip.answer_spi(controller, word);
            self.answered_ns = Some(frame.start_ns);
        }
    }

    /// Handles a change at the buzzer's pin. A wave shorter than its period is not a tone: a slice
    /// applies a new divider at once, but a new wrap value only at its next wrap.
    fn sound(&mut self, OutputChange { ns, output, .. }: OutputChange) {
        let at = self.powered_at.saturating_add(Nanos(ns));
        self.start_tone(at);
        self.wave = match output {
            Output::Wave { hz, .. } => Some((at, hz)),
            Output::Level(_) => {
                self.terminals.set_tone(at, None);
                None
            }
        };
    }

    /// Starts a tone from the beginning of the wave, if the wave has lasted for a period at `now`.
    fn start_tone(&mut self, now: Instant) {
        let lasted =
            |(since, hz): &(Instant, f64)| now.saturating_since(*since).0 as f64 * hz >= 1e9;
        if let Some((since, hz)) = self.wave.take_if(|wave| lasted(wave)) {
            self.terminals.set_tone(since, Some(hz.round() as u32));
        }
    }

    /// Applies the changes up to `ns`.
    fn apply(&mut self, rare: &mut RareChanges, ns: u64) {
        while let Some(change) = rare.functions.next_if(|change| change.ns <= ns) {
            self.bus.change_function(change);
            self.i2c.change_function(change);
        }
        while let Some(light) = rare.lights.next_if(|light| light.ns <= ns) {
            self.flush();
            let at = self.powered_at.saturating_add(Nanos(light.ns));
            self.terminals.set_backlight(at, light.on);
        }
    }

    /// Transfers the consecutive bytes to the LCD.
    fn flush(&mut self) {
        self.bus.flush(&self.terminals);
        self.i2c.flush(&self.terminals);
    }

    /// Handles the changes before `ns`.
    fn move_pins_before(&mut self, ns: u64, edges: &mut Edges, rare: &mut RareChanges) {
        while let Some(burst) = edges.bursts.next_if(|burst| burst.start_ns() < ns) {
            let start_ns = burst.start_ns();
            while let Some(change) = edges.changes.next_if(|change| change.ns < start_ns) {
                self.move_pins(change, rare);
            }
            self.apply(rare, start_ns);
            if !self.bus.shift(&self.terminals, self.powered_at, &burst) {
                for change in burst.changes() {
                    self.move_pins(change, rare);
                }
            }
        }
        while let Some(change) = edges.changes.next_if(|change| change.ns < ns) {
            self.move_pins(change, rare);
        }
    }

    fn move_pins(&mut self, change: PinChange, rare: &mut RareChanges) {
        let PinChange { ns, levels } = change;
        self.apply(rare, ns);
        let moved = self.bus.change_levels(&self.terminals, self.powered_at, ns, levels);
        if !self.i2c.is_empty() {
            self.i2c.change_levels(&self.terminals, self.powered_at, ns, levels);
        }
        let goes = |pin: Option<Gpio>| {
            let pin = pin.map_or(0, Gpio::bit);
            (moved & pin != 0).then_some(levels & pin != 0)
        };
        let (reset, backlight) = (goes(self.wiring.lcd.reset), goes(self.wiring.lcd.backlight));
        // While the PWM dims the backlight, its waves say whether it is on.
        let backlight = backlight.filter(|_| !self.dimmed);
        if reset.is_none() && backlight.is_none() {
            return;
        }
        self.flush();
        let at = self.powered_at.saturating_add(Nanos(ns));
        if let Some(high) = reset {
            self.terminals.set_lcd_reset(at, high);
        }
        if let Some(high) = backlight {
            self.terminals.set_backlight(at, high == self.backlight_on());
        }
    }
}

/// Changes of levels in a time slice, in order of time.
struct Edges {
    changes: Peekable<IntoIter<PinChange>>,
    bursts: Peekable<IntoIter<PinBurst>>,
}

/// Returns the changes in order of time, with those of the bursts that move one of `pins`.
fn with_bursts<'a>(
    changes: &'a [PinChange],
    bursts: &[PinBurst],
    pins: u32,
) -> Cow<'a, [PinChange]> {
    let mut moving = bursts.iter().filter(|burst| burst.pins() & pins != 0).peekable();
    if moving.peek().is_none() {
        return Cow::Borrowed(changes);
    }
    let mut all = changes.to_vec();
    all.extend(moving.flat_map(PinBurst::changes));
    all.sort_by_key(|change| change.ns);
    Cow::Owned(all)
}

/// Changes of a time slice that are rare, in order of time.
struct RareChanges {
    functions: Peekable<IntoIter<FunctionChange>>,
    lights: Peekable<IntoIter<Light>>,
}

/// A change of a backlight that the PWM dims.
struct Light {
    ns: u64,
    on: bool,
}

/// A pin that the program and a closed contact drive to different levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShortCircuit {
    pin: Gpio,
    button: Button,
    /// Level of the contact.
    level: ActiveLevel,
}

impl fmt::Display for ShortCircuit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (program, contact) = match self.level {
            ActiveLevel::Low => ("high", "ground"),
            ActiveLevel::High => ("low", "3.3 V"),
        };
        let Self { pin, button, .. } = self;
        write!(
            out,
            "two outputs drive {pin}: the program drives it {program}, and the closed contact of \
             {button} connects it to {contact}"
        )
    }
}

/// Returns the sentence for outputs that are connected and have different levels.
pub(super) fn connected_outputs(pins: u32) -> String {
    let pins = (0..Gpio::COUNT).filter_map(Gpio::new).filter(|pin| pins & pin.bit() != 0);
    let pins: Vec<String> = pins.map(|pin| pin.to_string()).collect();
    format!(
        "outputs with different levels are connected: the program drives {}, which a wire or closed \
         buttons of a matrix connect; let it drive only the selected line, or describe `diodes`",
        pins.join(" and ")
    )
}

/// Returns the drive of a pin that is connected to this level, if it is connected to one.
fn resistor(level: Option<ActiveLevel>) -> Drive {
    level.map_or(Drive::Open, drive_of)
}

#[cfg(test)]
mod tests;
