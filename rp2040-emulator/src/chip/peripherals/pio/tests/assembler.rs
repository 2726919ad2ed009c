//! Assembles programs from the datasheet's syntax, as far as the tests need it: each line is a
//! label, a directive or an instruction. An unknown line panics.

use std::collections::HashMap;

/// A program with its configuration directives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) code: Vec<u16>,
    /// Addresses that it wraps from and to.
    pub(super) wrap: (u32, u32),
    /// SIDESET_COUNT, including the bit that enables it if it is optional.
    pub(super) side_bits: u32,
    pub(super) side_is_optional: bool,
    pub(super) side_sets_directions: bool,
}

const SOURCES: [&str; 8] = ["pins", "x", "y", "null", "", "status", "isr", "osr"];
const OUT: [&str; 8] = ["pins", "x", "y", "null", "pindirs", "pc", "isr", "exec"];
const MOV: [&str; 8] = ["pins", "x", "y", "", "exec", "pc", "isr", "osr"];
const SET: [&str; 5] = ["pins", "x", "y", "", "pindirs"];
const CONDITIONS: [&str; 8] = ["", "!x", "x--", "!y", "y--", "x!=y", "pin", "!osre"];
const WAITS: [&str; 3] = ["gpio", "pin", "irq"];

fn place(names: &[&str], name: &str) -> u16 {
    let place = names.iter().position(|known| *known == name && !name.is_empty());
    place.unwrap_or_else(|| panic!("none of {names:?}: {name}")) as u16
}

fn number(text: &str) -> u16 {
    text.parse().unwrap_or_else(|_| panic!("no number: {text}"))
}

/// Assembles a program for the addresses from `origin` on.
pub(super) fn assemble(origin: u16, lines: &[&str]) -> Program {
    let mut program = Program::default();
    let mut labels = HashMap::new();
    let mut instructions = vec![];
    for line in lines {
        let words: Vec<String> = line.split([' ', ',']).map(str::to_string).collect();
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let next = u32::from(origin) + instructions.len() as u32;
        match words[0].as_str() {
            ".side_set" => {
                program.side_is_optional = words.iter().any(|word| word == "opt");
                program.side_sets_directions = words.iter().any(|word| word == "pindirs");
                program.side_bits =
                    u32::from(number(&words[1])) + u32::from(program.side_is_optional);
            }
            ".wrap_target" => program.wrap.1 = next,
            ".wrap" => program.wrap.0 = next - 1,
            label if label.ends_with(':') => {
                labels.insert(label.trim_end_matches(':').to_string(), next as u16);
            }
            _ => instructions.push(words),
        }
    }
    if !lines.contains(&".wrap") {
        program.wrap = (u32::from(origin) + instructions.len() as u32 - 1, origin.into());
    }
    let code = instructions.iter().map(|words| instruction(words, &labels, &program));
    program.code = code.collect();
    program
}

fn instruction(words: &[String], labels: &HashMap<String, u16>, program: &Program) -> u16 {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut upper = 0;
    if let Some(delay) = words.last().and_then(|word| word.strip_prefix('[')) {
        upper |= number(delay.trim_end_matches(']'));
        words.pop();
    }
    if let [.., "side", value] = words[..] {
        let enable = u16::from(program.side_is_optional) << 4;
        upper |= number(value) << (5 - program.side_bits) | enable;
        words.truncate(words.len() - 2);
    }
    let has = |word| u16::from(words.contains(&word));
    let target = |word: &str| labels.get(word).copied().unwrap_or_else(|| number(word));
    let count = |word| number(word) & 31;
    let relative = has("rel") << 4;
    let code = match words[..] {
        ["nop"] => 5 << 13 | 2 << 5 | 2,
        ["jmp", to] => target(to),
        ["jmp", condition, to] => place(&CONDITIONS, condition) << 5 | target(to),
        ["wait", level, source, index, ..] => {
            let source = place(&WAITS, source) << 5;
            1 << 13 | number(level) << 7 | source | number(index) | relative
        }
        ["in", source, bits] => 2 << 13 | place(&SOURCES, source) << 5 | count(bits),
        ["out", to, bits] => 3 << 13 | place(&OUT, to) << 5 | count(bits),
        ["push", ..] => 4 << 13 | has("iffull") << 6 | (1 - has("noblock")) << 5,
        ["pull", ..] => 4 << 13 | 1 << 7 | has("ifempty") << 6 | (1 - has("noblock")) << 5,
        ["mov", to, source] => {
            let plain = source.trim_start_matches(['!', ':']);
            let operation = match source.len() - plain.len() {
                2 => 2,
                inverted => inverted as u16,
            };
            5 << 13 | place(&MOV, to) << 5 | operation << 3 | place(&SOURCES, plain)
        }
        ["irq", .., index] if relative == 0 => {
            6 << 13 | has("clear") << 6 | has("wait") << 5 | number(index)
        }
        ["irq", index, "rel"] => 6 << 13 | relative | number(index),
        ["set", to, value] => 7 << 13 | place(&SET, to) << 5 | number(value),
        _ => panic!("no instruction: {words:?}"),
    };
    code | upper << 8
}

/// Compares with the output of the Pico SDK's pioasm for the same text, as published in its
/// examples.
#[test]
fn the_code_equals_the_output_of_pioasm() {
    for (lines, code) in [
        (super::waveforms::WS2812, [0x6221, 0x1123, 0x1400, 0xA442].as_slice()),
        (super::waveforms::SPI, &[0x6101, 0x5101]),
        (super::waveforms::UART_TX, &[0x9FA0, 0xF727, 0x6001, 0x0642]),
        (super::waveforms::UART_RX, &[0x2020, 0xEA27, 0x4001, 0x0642]),
    ] {
        assert_eq!(assemble(0, lines).code, code, "{lines:?}");
    }
}
