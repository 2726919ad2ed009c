//! Outputs that are not a display's: buzzer, LEDs, consoles, I2C.

use rp2040_emulator::chip::{I2cEvent, Output};

use crate::finding::{
    Bus, Buzzer, BuzzerKind, Certainty, Console, Display, Findings, I2cAddress, Led, LedKind,
    Signal,
};
use crate::observation::{I2C, Observation, PIO0, PIO1, PWM, SIO, UART, numbers};

/// Audible frequencies in hertz.
const AUDIBLE: std::ops::RangeInclusive<f64> = 20.0..=20_000.0;
/// The LED of a Pico.
const PICO_LED: usize = 25;
/// Number of addresses that get one start each and no byte, from which on they are a scan.
const SCAN: usize = 16;

/// Finds the parts at outputs.
pub(crate) fn find(seen: &Observation, findings: &mut Findings) {
    find_consoles(seen, findings);
    find_i2c(seen, findings);
    let taken = findings.pins() | candidates(findings);
    find_buzzer(seen, findings, taken);
    let taken = findings.pins() | candidates(findings);
    find_leds(seen, findings, taken);
}

/// Returns the pins that may be a display's reset or backlight.
fn candidates(findings: &Findings) -> u32 {
    let all = findings.displays().flat_map(|display: &Display| &display.candidates);
    all.fold(0, |pins, (_, signal)| pins | 1 << signal.pin)
}

fn find_consoles(seen: &Observation, findings: &mut Findings) {
    for number in 0..2 {
        let pin_of = |role: usize| {
            let is_of = |pin: &usize| {
                pin % 4 == role && (pin + 4) / 8 % 2 == number && seen.pins[*pin].function == UART
            };
            (0..seen.pins.len()).find(is_of)
        };
        let Some(tx) = pin_of(0) else { continue };
        let sent = seen.uart_bytes[number];
        let (certainty, evidence) = match sent {
            0 => (Certainty::Likely, format!("it has the function UART{number} TX")),
            sent => (
                Certainty::Sure,
                format!("it has the function UART{number} TX, and the program sends {sent} bytes"),
            ),
        };
        let rx = pin_of(1).map(|pin| Signal {
            pin: pin as u8,
            certainty: Certainty::Likely,
            evidence: format!("it has the function UART{number} RX"),
        });
        findings
            .consoles
            .push(Console::Uart { tx: Signal { pin: tx as u8, certainty, evidence }, rx });
    }
    if seen.is_usb_device {
        let evidence = "the program connects itself as a USB device".to_owned();
        findings.consoles.push(Console::Usb { evidence });
    }
}

/// Returns SDA and SCL of an I2C controller.
pub(crate) fn i2c_pins(seen: &Observation, number: usize) -> Option<[usize; 2]> {
    let pin_of = |wire: usize| {
        let is_of = |pin: &usize| pin % 4 == 2 * number + wire && seen.pins[*pin].function == I2C;
        (0..seen.pins.len()).find(is_of)
    };
    Some([pin_of(0)?, pin_of(1)?])
}

fn find_i2c(seen: &Observation, findings: &mut Findings) {
    for (number, events) in seen.i2c.iter().enumerate() {
        let Some([sda, scl]) = i2c_pins(seen, number) else { continue };
        // Bytes of each address.
        let mut bytes = [0_usize; 128];
        let mut called = [false; 128];
        let mut current = None;
        for (_, event) in events {
            match event {
                I2cEvent::Start { address, .. } => {
                    current = called.get_mut(usize::from(*address)).map(|called| {
                        *called = true;
                        usize::from(*address)
                    });
                }
                I2cEvent::Written { .. } | I2cEvent::Read(_) => {
                    if let Some(address) = current {
                        bytes[address] += 1;
                    }
                }
                I2cEvent::Stop => current = None,
            }
        }
        let is_scan = called.iter().filter(|called| **called).count() >= SCAN;
        let of_displays = findings.displays().filter_map(|display| match &display.bus {
            Bus::I2c { sda, address, .. } => Some((usize::from(sda.pin), *address)),
            Bus::Spi { .. } => None,
        });
        let displays: Vec<(usize, u16)> = of_displays.collect();
        for address in 8..0x78_u16 {
            let count = bytes[usize::from(address)];
            let is_display = displays.contains(&(sda, address));
            if !called[usize::from(address)] || is_display || is_scan && count < 2 {
                continue;
            }
            findings.i2c.push(I2cAddress {
                sda: sda as u8,
                scl: scl as u8,
                address,
                certainty: if is_scan { Certainty::Unsure } else { Certainty::Sure },
                evidence: format!("the program exchanges {count} bytes with it on I2C{number}"),
                interrupt: None,
            });
        }
    }
}

fn find_buzzer(seen: &Observation, findings: &mut Findings, taken: u32) {
    for pin in numbers(seen.mask(|pin| pin.has_been(PWM)) & !taken) {
        let waves: Vec<_> = seen
            .waves
            .iter()
            .filter(|wave| (wave.slice, wave.channel) == (pin / 2 % 8, pin % 2))
            .collect();
        let audible = waves
            .iter()
            .filter(|wave| matches!(wave.output, Output::Wave { hz, .. } if AUDIBLE.contains(&hz)));
        let (audible, changes) = (audible.count(), waves.len());
        let found = if audible >= 2 {
            (Certainty::Likely, format!("PWM makes {audible} audible waves on it"))
        } else {
            (
                Certainty::Unsure,
                format!("it has the function PWM, whose output changes {changes} times"),
            )
        };
        let signal = Signal { pin: pin as u8, certainty: found.0, evidence: found.1 };
        let better =
            findings.buzzer.as_ref().is_none_or(|other| other.signal.certainty < signal.certainty);
        if better {
            findings.buzzer = Some(Buzzer { signal, kind: BuzzerKind::Pwm });
        }
    }
}

fn find_leds(seen: &Observation, findings: &mut Findings, taken: u32) {
    let outputs =
        seen.mask(|pin| pin.was_driven && [SIO, PWM, PIO0, PIO1].contains(&pin.function)) & !taken;
    for pin in numbers(outputs) {
        let state = seen.pins[pin];
        let changes = state.rises + state.falls;
        let chain = chain_length(&seen.edges(pin));
        let (certainty, evidence) = if let Some(count) = chain {
            (
                Certainty::Likely,
                format!("its pulses are those of WS2812 LEDs, 24 bits for each of {count}"),
            )
        } else if pin == PICO_LED {
            (
                Certainty::Likely,
                format!("the LED of a Pico is at this output, which changes {changes} times"),
            )
        } else {
            (Certainty::Unsure, format!("it is an output that changes {changes} times"))
        };
        let signal = Signal { pin: pin as u8, certainty, evidence };
        let kind = match chain {
            Some(count) => LedKind::Chain { count },
            None if state.function == PWM => LedKind::Dimmed,
            None => LedKind::Plain,
        };
        findings.leds.push(Led { signal, kind });
    }
}

/// Bits of an LED of a chain, and the largest number of LEDs of one in a board file.
const CHAIN_BITS: usize = 24;
const CHAIN_MAX: usize = 1_024;
/// Time from one bit to the next, and of the high level of a bit, in nanoseconds (WS2812B datasheet,
/// "Data transfer time": 1.25 µs ± 600 ns; T0H 0.4 µs and T1H 0.8 µs, ± 150 ns).
const CHAIN_BIT_NS: std::ops::RangeInclusive<u64> = 650..=1_850;
const CHAIN_HIGH_NS: std::ops::RangeInclusive<u64> = 200..=1_000;

/// Returns the number of LEDs of a chain whose data line has these edges, if they are those of one: the
/// bits of each message are a multiple of 24. An interrupt may lengthen a pause, but no high level.
fn chain_length(edges: &[(u64, bool)]) -> Option<u16> {
    let first = edges.iter().position(|(_, high)| *high)?;
    let mut bits = 0_usize;
    let mut longest = 0;
    let mut last = None;
    let mut end = |bits: usize| {
        longest = longest.max(bits / CHAIN_BITS);
        bits.is_multiple_of(CHAIN_BITS)
    };
    for pulse in edges[first..].chunks_exact(2) {
        let [(rose, _), (fell, _)] = pulse else { continue };
        if !CHAIN_HIGH_NS.contains(&(fell - rose)) {
            return None;
        }
        let continues = last.is_some_and(|last| CHAIN_BIT_NS.contains(&(rose - last)));
        if !continues && !end(bits) {
            return None;
        }
        bits = if continues { bits + 1 } else { 1 };
        last = Some(*rose);
    }
    // The last message may not have ended.
    longest = longest.max(bits / CHAIN_BITS);
    (1..=CHAIN_MAX).contains(&longest).then_some(longest as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges of messages with this number of bits, 50 µs apart.
    fn messages(bits: &[u64]) -> Vec<(u64, bool)> {
        let mut ns = 1_000;
        let mut edges = Vec::new();
        for count in bits {
            for bit in 0..*count {
                let high = if bit % 3 == 0 { 800 } else { 400 };
                edges.extend([(ns, true), (ns + high, false)]);
                ns += 1_250;
            }
            ns += 50_000;
        }
        edges
    }

    #[test]
    fn a_chain_has_whole_leds_in_each_message() {
        assert_eq!(chain_length(&messages(&[96, 96])), Some(4));
        assert_eq!(chain_length(&messages(&[24, 48])), Some(2));
        assert_eq!(chain_length(&messages(&[95, 96])), None);
        assert_eq!(chain_length(&[]), None);
        // A pin that blinks.
        assert_eq!(chain_length(&[(0, true), (500_000_000, false)]), None);
    }
}
