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
    Chip, Drive, FunctionChange, Output, OutputChange, PinBurst, PinChange, PinWords, SpiWord,
};
use trace::{Button, ButtonSet, Buttons};
use virtual_time::{Instant, Nanos};

use super::PWM_FUNCTION;
use super::i2c::{BusEvent, I2cBuses};
use super::lcd_wires::{LcdWires, Light};
use super::parts::{Events, Parts};
use super::read_back;
use super::tearing::Tearing;
use super::touch::Touches;
use super::wiring::{ActiveLevel, ContactWiring, Gpio, Wiring, drive_of};

/// The wires of a chip that has power.
#[derive(Clone)]
pub(super) struct Wires {
    wiring: Arc<Wiring>,
    terminals: Terminals,
    powered_at: Instant,
    /// The displays, at least one.
    displays: Vec<LcdWires>,
    i2c: I2cBuses,
    buttons: Buttons,
    /// The buttons whose contacts are closed.
    closed: ButtonSet,
    /// Controls, LEDs and the other parts, if the board has any.
    parts: Option<Parts>,
    touches: Touches,
    /// A wave at the buzzer that has not lasted for a period yet: its start, and its frequency in
    /// hertz.
    wave: Option<(Instant, f64)>,
    /// Start of the last frame of each SPI controller that a display has answered; that frame has
    /// already been transferred.
    answered_ns: [Option<u64>; 2],
}

impl Wires {
    /// Connects a chip that is powered on at `powered_at`.
    pub(super) fn attach(
        wiring: &Arc<Wiring>,
        board: &VirtualBoard,
        chip: &mut Chip,
        powered_at: Instant,
    ) -> Self {
        let terminals = board.terminals();
        let mut i2c = I2cBuses::attach(wiring, board, chip);
        let lcds = wiring.lcds().enumerate();
        let displays: Vec<LcdWires> = lcds
            .map(|(number, lcd)| LcdWires::attach(lcd, number, board, chip, powered_at))
            .collect();
        let parts = Parts::attach(&wiring.parts, &terminals, chip, powered_at);
        let touches =
            Touches::attach(&wiring.parts.controls, &terminals, chip, &mut i2c, powered_at);
        let others = i2c.pins() | parts.as_ref().map_or(0, Parts::pins);
        let of_displays = |pins: fn(&LcdWires) -> u32| {
            displays.iter().fold(others, |all, display| all | pins(display))
        };
        chip.watch(of_displays(LcdWires::pins));
        chip.watch_functions(of_displays(|display| display.bus.function_pins()));
        if displays.iter().any(|display| display.bus.takes_bursts()) {
            // The first call lets them be recorded whole.
            chip.take_bursts();
            chip.take_words();
        }
        read_back::attach(wiring, &displays, board, chip);
        let mut wires = Self {
            wiring: Arc::clone(wiring),
            terminals,
            powered_at,
            displays,
            i2c,
            buttons: board.buttons(),
            closed: ButtonSet::EMPTY,
            parts,
            touches,
            wave: None,
            answered_ns: [None; 2],
        };
        wires.i2c.drive(chip);
        for contact in &wiring.buttons {
            chip.drive(contact.pin.number(), resistor(contact.pull));
        }
        wires.drive_all(chip, powered_at);
        wires
    }

    /// Returns the same wires connected to another board.
    pub(super) fn fork(&self, board: &VirtualBoard) -> Self {
        let displays = self.displays.iter().map(|display| display.fork(board)).collect();
        let (terminals, i2c) = (board.terminals(), self.i2c.fork(board));
        Self { terminals, displays, i2c, ..self.clone() }
    }

    /// Transfers every edge of a contact up to now to its pin, in order of time.
    pub(super) fn drive_buttons(&mut self, board: &VirtualBoard, chip: &mut Chip) {
        while let Some(edge) = board.next_edge().filter(|edge| *edge <= board.now()) {
            self.drive_all(chip, edge);
        }
    }

    /// Transfers every movement of a control up to now to its pins, in order of time.
    pub(super) fn drive_controls(&mut self, board: &VirtualBoard, chip: &mut Chip) {
        let Some(parts) = &mut self.parts else { return };
        while let Some(at) = board.next_movement().filter(|at| *at <= board.now()) {
            self.terminals.move_controls(at);
            parts.drive_controls(&self.terminals, chip);
            self.touches.follow(&self.terminals, chip, &mut self.i2c, at);
        }
    }

    /// Returns a pin that the program drives against the level of a closed contact, if there is
    /// one. On a real board this is a short circuit.
    pub(super) fn short_circuit(&self, chip: &Chip) -> Option<ShortCircuit> {
        if self.closed.is_empty() {
            return None;
        }
        let (driven, levels) = (chip.driven(), chip.levels());
        self.buttons.all().iter().zip(&self.wiring.buttons).find_map(|(button, contact)| {
            let ContactWiring { pin, closed: level, .. } = *contact;
            let is_high = levels & pin.bit() != 0;
            let against = driven & pin.bit() != 0 && is_high != (level == ActiveLevel::High);
            let is_closed = self.closed.contains(*button);
            (is_closed && against).then_some(ShortCircuit { pin, button: *button, level })
        })
    }

    /// Returns the time of the next edge of an output of a display or of a touch panel.
    pub(super) fn next_edge(&self) -> Option<Instant> {
        let outputs = self.displays.iter().filter_map(|display| display.tearing.as_ref());
        outputs.filter_map(Tearing::next_edge).chain(self.touches.next_edge()).min()
    }

    /// Transfers every edge of the outputs of displays and touch panels up to now to their pins.
    pub(super) fn drive_outputs(&mut self, board: &VirtualBoard, chip: &mut Chip) {
        for display in &mut self.displays {
            display.drive_outputs(board, chip);
        }
        self.touches.drive(chip, &self.i2c, board.now());
    }

    /// Returns a sentence for each part that the program drives outside of its specification, without an
    /// effect here.
    pub(super) fn notes(&self, chip: &Chip) -> Vec<String> {
        self.touches.notes(chip).chain(self.i2c.notes(chip)).collect()
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

    /// Transfers the contacts as they are at `at` to their pins.
    fn drive_all(&mut self, chip: &mut Chip, at: Instant) {
        let buttons = self.buttons.clone();
        for button in buttons.all() {
            self.drive(chip, *button, at);
        }
    }

    fn drive(&mut self, chip: &mut Chip, button: Button, at: Instant) {
        let closed = self.terminals.is_closed(at, button);
        if !self.closed.set(button, closed) {
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
        let of_matrices = self.wiring.buttons.len()..;
        let contacts = self.wiring.parts.matrix.iter().zip(of_matrices);
        let closed = contacts.filter(|(_, index)| self.closed.contains_index(*index));
        let closed = closed.map(|(contact, _)| contact);
        Parts::connect_matrices(closed, chip);
    }

    /// Returns the SPI controller that drives the bus of a display now, if one does.
    pub(super) fn routed_controller(&self, display: usize) -> Option<usize> {
        let bus = &self.displays.get(display)?.bus;
        bus.controller().filter(|_| bus.is_routed())
    }

    /// Returns the last address on the I2C bus of a display that no device has, while that display
    /// has received nothing.
    pub(super) fn unanswered_address(&self, display: usize) -> Option<u16> {
        self.i2c.unanswered(display)
    }

    /// Transfers the events on the pins since the last call to the board, in order of time. Returns
    /// whether there were any.
    pub(super) fn transfer(&mut self, chip: &mut Chip) -> bool {
        let mut active = self.transfer_console(chip);
        let waves = chip.take_pwm_changes().0;
        let lights = self.transfer_waves(chip, &waves);
        let words = [0, 1].map(|controller| match self.has_display(controller) {
            true => chip.take_spi_sent(controller).0,
            false => Vec::new(),
        });
        let events = self.i2c.take_events(chip);
        let changes = chip.take_changes();
        let takes_bursts = self.displays.iter().any(|display| display.bus.takes_bursts());
        let (bursts, shifted) = match takes_bursts {
            true => (chip.take_bursts(), chip.take_words()),
            false => Default::default(),
        };
        active |= words.iter().any(|words| !words.is_empty()) || !events.is_empty();
        active |= !(changes.is_empty() && bursts.is_empty() && shifted.is_empty());
        let functions = chip.take_function_changes();
        if let Some(parts) = &mut self.parts {
            let until = chip.now_ns();
            let levels = with_bursts(&changes, &bursts, &shifted, parts.pins());
            let events = Events { levels: &levels, functions: &functions, waves: &waves, until };
            parts.transfer(&self.terminals, &events);
        }
        let mut edges = Edges {
            changes: changes.into_iter().peekable(),
            bursts: bursts.into_iter().peekable(),
            words: shifted.into_iter().peekable(),
        };
        let functions = functions.into_iter().peekable();
        let mut rare = RareChanges { functions, lights: lights.into_iter().peekable() };
        let mut sent = Sent {
            words: words.map(|words| words.into_iter().peekable()),
            events: events.into_iter().peekable(),
        };
        while let Some(sent) = sent.next() {
            self.move_pins_before(sent.ns(), &mut edges, &mut rare);
            self.apply(&mut rare, sent.ns());
            match sent {
                // Answers are given frame by frame, so at most one of these words is answered.
                Transfer::Word(controller, word)
                    if self.answered_ns[controller] != Some(word.start_ns) =>
                {
                    for LcdWires { bus, lcd, .. } in &mut self.displays {
                        if bus.controller() == Some(controller) {
                            bus.clock_in(lcd, self.powered_at, word);
                        }
                    }
                }
                Transfer::Word(..) => {}
                Transfer::Event(event) => self.i2c.receive(self.powered_at, &event),
            }
        }
        self.move_pins_before(u64::MAX, &mut edges, &mut rare);
        self.apply(&mut rare, u64::MAX);
        self.flush();
        if !self.i2c.is_empty() {
            self.i2c.drive(chip);
        }
        let now = self.powered_at.saturating_add(Nanos(chip.now_ns()));
        self.touches.drive(chip, &self.i2c, now);
        for controller in [0, 1] {
            if self.has_display(controller) {
                self.answer(chip, controller);
            }
        }
        active
    }

    /// Returns whether a display can be at the SPI controller.
    fn has_display(&self, controller: usize) -> bool {
        self.displays.iter().any(|display| display.bus.controller() == Some(controller))
    }

    fn transfer_console(&self, chip: &mut Chip) -> bool {
        let Some(console) = self.wiring.console else { return false };
        let sent = chip.take_sent(console.number.index());
        for (ns, byte) in &sent {
            self.terminals.hear(self.powered_at.saturating_add(Nanos(*ns)), *byte);
        }
        !sent.is_empty()
    }

    /// Transfers the changes of the PWM to the buzzer. Returns those of backlights that it dims, in
    /// order of time.
    fn transfer_waves(&mut self, chip: &mut Chip, waves: &[OutputChange]) -> Vec<Light> {
        let has_pwm = |pin: &Gpio| chip.function(pin.number()) == Some(PWM_FUNCTION);
        if let Some(buzzer) = self.wiring.buzzer.filter(has_pwm) {
            let is_at = |wave: &&OutputChange| (wave.slice, wave.channel) == buzzer.pwm_channel();
            for wave in waves.iter().filter(is_at) {
                self.sound(*wave);
            }
        }
        let mut lights = Vec::new();
        for display in &mut self.displays {
            display.dim(chip, waves, &mut lights);
        }
        lights.sort_by_key(|light| light.ns);
        self.start_tone(self.powered_at.saturating_add(Nanos(chip.now_ns())));
        lights
    }

    /// Answers the current frame of the SPI controller, if a display does.
    fn answer(&mut self, chip: &mut Chip, controller: usize) {
        let Some(frame) = chip.unanswered_spi_frame(controller) else { return };
        if self.answered_ns[controller] == Some(frame.start_ns) {
            return;
        }
        let here = |display: &&LcdWires| display.bus.controller() == Some(controller);
        let mut here = self.displays.iter().filter(here);
        let answer =
            here.find_map(|display| display.bus.read(&display.lcd, self.powered_at, frame));
        if let Some(word) = answer {
            chip.answer_spi(controller, word);
            self.answered_ns[controller] = Some(frame.start_ns);
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
            for display in &mut self.displays {
                display.bus.change_function(change);
            }
            self.i2c.change_function(change);
        }
        while let Some(light) = rare.lights.next_if(|light| light.ns <= ns) {
            self.flush();
            if let Some(display) = self.displays.get(light.display) {
                display.apply(self.powered_at, &light);
            }
        }
    }

    /// Transfers the consecutive bytes to the displays.
    fn flush(&mut self) {
        for LcdWires { bus, lcd, .. } in &mut self.displays {
            bus.flush(lcd);
        }
        self.i2c.flush();
    }

    /// Handles the changes before `ns`.
    fn move_pins_before(&mut self, ns: u64, edges: &mut Edges, rare: &mut RareChanges) {
        loop {
            let of_burst = edges.bursts.peek().map_or(u64::MAX, PinBurst::start_ns);
            let of_words = edges.words.peek().map_or(u64::MAX, PinWords::start_ns);
            let start_ns = of_burst.min(of_words);
            if start_ns >= ns {
                break;
            }
            while let Some(change) = edges.changes.next_if(|change| change.ns < start_ns) {
                self.move_pins(change, rare);
            }
            self.apply(rare, start_ns);
            if of_words < of_burst {
                edges.words.next().iter().for_each(|words| self.shift_words(words, rare));
            } else {
                edges.bursts.next().iter().for_each(|burst| self.shift(burst, rare));
            }
        }
        while let Some(change) = edges.changes.next_if(|change| change.ns < ns) {
            self.move_pins(change, rare);
        }
    }

    /// Handles a burst: as a whole for the displays that can take it, change by change for the
    /// others.
    fn shift(&mut self, burst: &PinBurst, rare: &mut RareChanges) {
        let mut others = Vec::new();
        for (number, display) in self.displays.iter_mut().enumerate() {
            if !display.shift(self.powered_at, burst) {
                others.push(number);
            }
        }
        let moves_i2c = burst.pins() & self.i2c.pins() != 0;
        if others.is_empty() && !moves_i2c {
            return;
        }
        for change in burst.changes() {
            self.apply(rare, change.ns);
            if moves_i2c {
                self.i2c.change_levels(self.powered_at, change.ns, change.levels);
            }
            for number in &others {
                self.move_pins_of(*number, change);
            }
        }
    }

    /// Handles words as [`shift`](Self::shift) does a burst.
    fn shift_words(&mut self, words: &PinWords, rare: &mut RareChanges) {
        let moves_i2c = words.pins() & self.i2c.pins() != 0;
        if moves_i2c || rare.has_before(words.end_ns()) {
            for change in words.changes() {
                self.move_pins(change, rare);
            }
            return;
        }
        for number in 0..self.displays.len() {
            if !self.displays[number].shift_words(self.powered_at, words) {
                for change in words.changes() {
                    self.move_pins_of(number, change);
                }
            }
        }
    }

    fn move_pins(&mut self, change: PinChange, rare: &mut RareChanges) {
        self.apply(rare, change.ns);
        if !self.i2c.is_empty() {
            self.i2c.change_levels(self.powered_at, change.ns, change.levels);
        }
        for number in 0..self.displays.len() {
            self.move_pins_of(number, change);
        }
    }

    fn move_pins_of(&mut self, number: usize, change: PinChange) {
        let Some(switched) = self.displays[number].move_pins(self.powered_at, change) else {
            return;
        };
        self.flush();
        let at = self.powered_at.saturating_add(Nanos(change.ns));
        self.displays[number].switch(at, &switched);
    }
}

/// What the controllers of the chip have sent in a time slice.
struct Sent {
    /// The frames of both SPI controllers.
    words: [Peekable<IntoIter<SpiWord>>; 2],
    events: Peekable<IntoIter<BusEvent>>,
}

/// A transfer of a controller.
enum Transfer {
    /// A frame, and the number of its SPI controller.
    Word(usize, SpiWord),
    Event(BusEvent),
}

impl Transfer {
    /// Returns the time at which the transfer ends, in nanoseconds.
    fn ns(&self) -> u64 {
        match self {
            Self::Word(_, word) => word.ns,
            Self::Event(event) => event.ns,
        }
    }
}

impl Sent {
    /// Returns the transfer that ends first.
    fn next(&mut self) -> Option<Transfer> {
        let [first, second] = &mut self.words;
        let end = |word: Option<&SpiWord>| word.map_or(u64::MAX, |word| word.ns);
        let (of_first, of_second) = (end(first.peek()), end(second.peek()));
        let of_events = self.events.peek().map_or(u64::MAX, |event| event.ns);
        if of_events < of_first.min(of_second) {
            return self.events.next().map(Transfer::Event);
        }
        let (controller, words) = if of_second < of_first { (1, second) } else { (0, first) };
        words.next().map(|word| Transfer::Word(controller, word))
    }
}

/// Changes of levels in a time slice, in order of time.
struct Edges {
    changes: Peekable<IntoIter<PinChange>>,
    bursts: Peekable<IntoIter<PinBurst>>,
    words: Peekable<IntoIter<PinWords>>,
}

/// Returns the changes in order of time, with those of the bursts and words that move one of `pins`.
fn with_bursts<'a>(
    changes: &'a [PinChange],
    bursts: &[PinBurst],
    words: &[PinWords],
    pins: u32,
) -> Cow<'a, [PinChange]> {
    let mut moving = bursts.iter().filter(|burst| burst.pins() & pins != 0).peekable();
    let mut shifted = words.iter().filter(|words| words.pins() & pins != 0).peekable();
    if moving.peek().is_none() && shifted.peek().is_none() {
        return Cow::Borrowed(changes);
    }
    let mut all = changes.to_vec();
    all.extend(moving.flat_map(PinBurst::changes));
    all.extend(shifted.flat_map(PinWords::changes));
    all.sort_by_key(|change| change.ns);
    Cow::Owned(all)
}

/// Changes of a time slice that are rare, in order of time.
struct RareChanges {
    functions: Peekable<IntoIter<FunctionChange>>,
    lights: Peekable<IntoIter<Light>>,
}

impl RareChanges {
    /// Returns whether there is a change before `ns`.
    fn has_before(&mut self, ns: u64) -> bool {
        let function = self.functions.peek().is_some_and(|change| change.ns < ns);
        function || self.lights.peek().is_some_and(|light| light.ns < ns)
    }
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
