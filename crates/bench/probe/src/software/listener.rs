//! The listener on the board's wires: the observations of a probe in software.

use std::collections::BTreeMap;

use hal_mock::board::{LcdPin, WireListener};
use probe_protocol::Wire;
use virtual_time::Instant;

use super::flaws::{Flaws, OtherFirmware, WireFlaw};

/// Key of the hash of a firmware's sources in its `boot` line (docs/console.md).
const SOURCES: &[u8] = b"source=";

/// An observation that owns its bytes.
pub(super) enum Seen {
    Lcd { took: u64, dc: bool, bytes: Vec<u8> },
    Wire(Wire, bool),
    Tone(Option<u32>),
    Uart(u8),
    Power(bool),
}

/// Signal at the probe's end of a wire.
enum Shows {
    Itself,
    Level(bool),
    Other(Wire),
}

/// The listener on the board's wires.
#[derive(Default)]
pub(super) struct ProbeWires {
    pub(super) seen: BTreeMap<(u64, u64), Seen>,
    count: u64,
    /// The board's own levels, at bits [`Wire::bit`].
    real: u16,
    /// Wires that are high at the probe's end, and below those that have been at both levels since
    /// power-on, at bits [`Wire::bit`].
    pub(super) high: u16,
    pub(super) moved: u16,
    /// Faults of wires, with their start.
    broken: Vec<(Instant, WireFlaw)>,
    /// A fault that occurs later.
    breaks: Option<(Instant, WireFlaw)>,
    restless: Option<Wire>,
    firmware: Option<OtherFirmware>,
    /// Whether the `boot` line names other sources, and the number of bytes of [`SOURCES`] that
    /// have come.
    other_sources: bool,
    matched: usize,
    /// Last command on the LCD's wires.
    command: u8,
    slow_ppm: u32,
}

impl ProbeWires {
    pub(super) fn new(flaws: &Flaws) -> Self {
        let off = flaws.wire_off.map(|wire| (Instant::START, WireFlaw::Stuck(wire, false)));
        Self {
            broken: off.into_iter().collect(),
            breaks: flaws.wire_at,
            restless: flaws.restless,
            firmware: flaws.firmware,
            other_sources: flaws.other_sources,
            slow_ppm: flaws.board_slow_ppm,
            ..Self::default()
        }
    }

    pub(super) fn switched_on(&mut self) {
        self.real = Wire::Cs.bit();
        (self.high, self.moved) = (Wire::Cs.bit(), 0);
    }

    /// Sets all levels low, as on a board without power.
    pub(super) fn lost_power(&mut self, at: Instant) {
        self.real = 0;
        self.show_levels(at);
    }

    fn show_levels(&mut self, at: Instant) {
        for wire in [Wire::Dc, Wire::Reset, Wire::Backlight] {
            self.show(at, wire);
        }
    }

    /// Advances to `now`: a wire may break.
    pub(super) fn reached(&mut self, now: Instant) {
        if let Some((at, flaw)) = self.breaks.take_if(|(at, _)| *at <= now) {
            self.break_wire(at, flaw);
        }
    }

    pub(super) fn break_wire(&mut self, at: Instant, flaw: WireFlaw) {
        self.broken.push((at, flaw));
        self.show_levels(at);
    }

    fn shows(&self, wire: Wire) -> Shows {
        let of = |(_, flaw): &(Instant, WireFlaw)| match *flaw {
            WireFlaw::Stuck(stuck, high) if stuck == wire => Some(Shows::Level(high)),
            WireFlaw::Swapped(one, other) if one == wire => Some(Shows::Other(other)),
            WireFlaw::Swapped(one, other) if other == wire => Some(Shows::Other(one)),
            _ => None,
        };
        self.broken.iter().find_map(of).unwrap_or(Shows::Itself)
    }

    fn shown(&self, wire: Wire) -> bool {
        match self.shows(wire) {
            Shows::Itself => self.real & wire.bit() != 0,
            Shows::Level(high) => high,
            Shows::Other(other) => self.real & other.bit() != 0,
        }
    }

    /// Records the level of a wire as the probe sees it, if it changed.
    fn show(&mut self, at: Instant, wire: Wire) {
        let high = self.shown(wire);
        if high != (self.high & wire.bit() != 0) {
            self.high ^= wire.bit();
            self.moved |= wire.bit();
            self.note(at, Seen::Wire(wire, high));
        }
    }

    /// Replaces the digits of the hash after [`SOURCES`].
    fn replaced(&mut self, byte: u8) -> u8 {
        match SOURCES.get(self.matched) {
            Some(expected) if *expected == byte => self.matched += 1,
            None if byte.is_ascii_hexdigit() && self.other_sources => return b'0',
            _ => self.matched = 0,
        }
        byte
    }

    fn note(&mut self, at: Instant, seen: Seen) {
        self.count += 1;
        let later = u128::from(at.0) * u128::from(self.slow_ppm) / 1_000_000;
        self.seen.insert((at.0 + later as u64, self.count), seen);
    }
}

impl WireListener for ProbeWires {
    fn power(&mut self, at: Instant, on: bool) {
        self.note(at, Seen::Power(on));
    }

    fn lcd_pin(&mut self, at: Instant, pin: LcdPin, high: bool) {
        let wire = match pin {
            LcdPin::Dc => Wire::Dc,
            LcdPin::Reset => Wire::Reset,
            LcdPin::Backlight => Wire::Backlight,
        };
        self.real = self.real & !wire.bit() | if high { wire.bit() } else { 0 };
        self.show_levels(at);
    }

    fn lcd_bytes(&mut self, start: Instant, end: Instant, sent: &[u8], _: &[u8]) {
        let took = end.saturating_since(start).0;
        let [select, clock, data] = [Wire::Cs, Wire::Sck, Wire::Mosi].map(|wire| self.shows(wire));
        for wire in [Wire::Cs, Wire::Sck, Wire::Mosi] {
            if matches!(self.shows(wire), Shows::Itself) {
                self.moved |= wire.bit();
            }
        }
        if let Some(wire) = self.restless {
            let high = self.high & wire.bit() != 0;
            self.moved |= wire.bit();
            self.note(start, Seen::Wire(wire, !high));
            self.note(end, Seen::Wire(wire, high));
        }
        // A byte needs its select low to begin, and its clock to end.
        if !matches!(select, Shows::Itself | Shows::Level(false)) || !matches!(clock, Shows::Itself)
        {
            return;
        }
        let is_data = self.real & Wire::Dc.bit() != 0;
        if let (false, Some(last)) = (is_data, sent.last()) {
            self.command = *last;
        }
        let mut sent = sent.to_vec();
        if let Some(other) = self.firmware {
            for (command, arguments) in other.before(self.command, is_data) {
                self.note(start, Seen::Lcd { took: 0, dc: false, bytes: vec![*command] });
                self.note(start, Seen::Lcd { took: 0, dc: true, bytes: arguments.to_vec() });
            }
            other.instead(self.command, is_data, &mut sent);
        }
        let bytes = match data {
            Shows::Itself => sent,
            Shows::Level(high) => vec![if high { 0xFF } else { 0 }; sent.len()],
            Shows::Other(other) => {
                vec![if self.real & other.bit() != 0 { 0xFF } else { 0 }; sent.len()]
            }
        };
        let dc = self.shown(Wire::Dc);
        self.note(start, Seen::Lcd { took, dc, bytes });
    }

    fn tone(&mut self, at: Instant, hz: Option<u32>) {
        if matches!(self.shows(Wire::Buzzer), Shows::Itself) {
            self.note(at, Seen::Tone(hz));
        }
    }

    fn console(&mut self, end: Instant, byte: u8) {
        let byte = self.replaced(byte);
        if matches!(self.shows(Wire::Uart), Shows::Itself) {
            self.note(end, Seen::Uart(byte));
        }
    }
}
