//! Faults of an emulated probe's wires, as they are written on the command line: `cut=b3`,
//! `swap=t1,t2`.

use core::str::FromStr;

use bench::wires::{can_swap, named, names};
use bench::{Fault, Role, WireState};
use trace::{did_you_mean, nearest};

/// Kinds of fault that have one wire, and the condition of that wire.
const KINDS: [(&str, WireState); 4] = [
    ("cut", WireState::Cut),
    ("low", WireState::Stuck(false)),
    ("high", WireState::Stuck(true)),
    ("poor", WireState::Halved),
];
/// Kind of fault that has two wires.
const SWAP: &str = "swap";

/// A fault of a wire, or of two that are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireFault(pub(super) Fault);

/// Reason why a text is no fault of a wire.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireFaultError {
    #[error("a fault is written as KIND=WIRE: {}", kinds())]
    NoKind,
    #[error("`{kind}` is no kind of fault; there are {}{}", kinds(), did_you_mean(kind, &kind_names()))]
    UnknownKind { kind: String },
    #[error("`{name}` is no wire{}", or_all(name))]
    UnknownWire { name: String },
    #[error("`{SWAP}` needs two wires, as in {SWAP}=b1,b2; these are {found}")]
    NotTwo { found: usize },
    /// The bench does not model this exchange.
    #[error(
        "{one} and {other} cannot be exchanged here: both must be buttons, both wires that the probe reads, \
         or both the console's"
    )]
    NotOfOneKind { one: String, other: String },
    /// Only a wire that the probe reads can lose pulses.
    #[error("`poor` needs a wire that the probe reads, and {name} is driven by the probe")]
    NotRead { name: String },
}

fn kind_names() -> Vec<&'static str> {
    KINDS.iter().map(|(kind, _)| *kind).chain([SWAP]).collect()
}

fn kinds() -> String {
    let one = KINDS.iter().map(|(kind, _)| format!("{kind}=WIRE"));
    one.chain([format!("{SWAP}=WIRE,WIRE")]).collect::<Vec<_>>().join(", ")
}

/// Returns the names of the wires as they are written on a command line.
fn wire_names() -> Vec<String> {
    names().map(|name| name.to_lowercase().replace(' ', "-")).collect()
}

/// Returns a suggestion, or all names if no name is near.
fn or_all(name: &str) -> String {
    let all = wire_names();
    let known: Vec<&str> = all.iter().map(String::as_str).collect();
    match nearest(name, &known) {
        Some(_) => did_you_mean(name, &known),
        None => format!("; the wires are {}", known.join(", ")),
    }
}

fn wire(name: &str) -> Result<Role, WireFaultError> {
    named(name)
        .filter(|role| *role != Role::Power)
        .ok_or_else(|| WireFaultError::UnknownWire { name: name.to_owned() })
}

impl FromStr for WireFault {
    type Err = WireFaultError;

    fn from_str(text: &str) -> Result<Self, WireFaultError> {
        let (kind, wires) = text.split_once('=').ok_or(WireFaultError::NoKind)?;
        if kind == SWAP {
            let parts: Vec<&str> = wires.split(',').collect();
            let [one, other] = parts[..] else {
                return Err(WireFaultError::NotTwo { found: parts.len() });
            };
            let roles = (wire(one)?, wire(other)?);
            if !can_swap(roles.0, roles.1) {
                let (one, other) = (one.to_owned(), other.to_owned());
                return Err(WireFaultError::NotOfOneKind { one, other });
            }
            return Ok(Self(Fault::Swap(roles.0, roles.1)));
        }
        let Some((_, state)) = KINDS.iter().find(|(known, _)| *known == kind) else {
            return Err(WireFaultError::UnknownKind { kind: kind.to_owned() });
        };
        let role = wire(wires)?;
        if *state == WireState::Halved && !matches!(role, Role::Read(_)) {
            return Err(WireFaultError::NotRead { name: wires.to_owned() });
        }
        Ok(Self(Fault::Wire(role, *state)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Fault) {
        assert_eq!(text.parse(), Ok(WireFault(expected)), "{text}");
    }

    #[track_caller]
    fn refused(text: &str, words: &str) {
        let error = text.parse::<WireFault>().expect_err(text);
        assert!(error.to_string().contains(words), "{text}: {error}");
    }

    #[test]
    fn each_kind_of_fault_is_parsed() {
        check("cut=b3", Fault::Wire(Role::Button(2), WireState::Cut));
        check("low=RESET", Fault::Wire(Role::Button(12), WireState::Stuck(false)));
        check("high=uart0-rx", Fault::Wire(Role::Console, WireState::Stuck(true)));
        check("swap=T1,t2", Fault::Swap(Role::Button(6), Role::Button(7)));
        let [sck, rst] = ["sck", "LCD RST"].map(|name| wire(name).expect(name));
        check("poor=lcd-sck", Fault::Wire(sck, WireState::Halved));
        check("swap=sck,LCD RST", Fault::Swap(sck, rst));
    }

    #[test]
    fn a_wrong_fault_is_refused_with_the_nearest_name() {
        refused("b3", "KIND=WIRE: cut=WIRE, low=WIRE, high=WIRE, poor=WIRE, swap=WIRE,WIRE");
        refused("cutt=b3", "`cutt` is no kind of fault");
        refused("cutt=b3", "did you mean `cut`?");
        refused("cut=buzer", "`buzer` is no wire; did you mean `buzzer`?");
        refused("cut=lcd-mosy", "`lcd-mosy` is no wire; did you mean `lcd-mosi`?");
        refused("cut=b9", "`b9` is no wire; the wires are uart0-rx, uart0-tx, b1, b2,");
        refused("cut=", "`` is no wire; the wires are");
        refused("cut=power switch", "is no wire");
        refused("swap=b1", "two wires, as in swap=b1,b2; these are 1");
        refused("swap=b1,b2,b3", "these are 3");
        refused("swap=b1,b1", "b1 and b1 cannot be exchanged");
        refused("swap=b6,sck", "b6 and sck cannot be exchanged here");
        refused("poor=b1", "b1 is driven by the probe");
    }
}
