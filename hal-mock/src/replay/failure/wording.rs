//! Parts of the sentences of failures.

use super::{NearText, ToneFound};
use crate::Heap;
use crate::replay::nearest::NearestText;
use ili9341_model::{Rule, Table};
use trace::{Display, LedCheck, LedKind, LedState, RegionText, bytes_spoken};
use virtual_time::{Instant, Nanos, spoken};

/// Returns the words " in line 9"; lines that are given one by one have no number.
pub(in crate::replay) fn of_line(line: u32) -> String {
    if line == 0 { String::new() } else { format!(" in line {line}") }
}

pub(super) fn list_of_tones(heard: &[u32]) -> String {
    let heard: Vec<String> = heard.iter().map(|hz| format!("{hz} Hz")).collect();
    if heard.is_empty() { "nothing".to_owned() } else { heard.join(", ") }
}

pub(super) fn on_the_lcd(wanted: &RegionText) -> String {
    let RegionText { text, display, region } = wanted;
    let lcd = the_lcd(*display);
    match region {
        None => format!("{text:?} on {lcd}"),
        Some(region) => format!("{text:?} on {lcd} in {region}"),
    }
}

/// Returns the name of the display that a line names, or "the LCD".
pub(super) fn the_lcd(display: Option<Display>) -> &'static str {
    display.map_or("the LCD", Display::name)
}

/// Returns the words " of TOP" if a line names its display.
pub(super) fn of_display(display: Option<Display>) -> String {
    display.map_or_else(String::new, |display| format!(" of {}", display.name()))
}

pub(super) fn whose(display: Option<Display>) -> String {
    display.map_or_else(|| "the LCD's".to_owned(), |display| format!("{}'s", display.name()))
}

pub(super) fn nearest_line(near: Option<&NearestText>) -> String {
    near.map_or_else(String::new, |near| format!("nearest: {near}; "))
}

pub(super) fn nearest(near: Option<&NearText>) -> String {
    match near {
        None => String::new(),
        Some(NearText::Differs(near)) => format!("; nearest: {near}"),
        Some(NearText::Elsewhere(region)) => format!("; it is outside of that, in {region}"),
    }
}

pub(super) fn stood(
    [lasted, drawn_for]: [Nanos; 2],
    from: Instant,
    until: Option<Instant>,
) -> String {
    let (lasted, from) = (spoken(lasted), spoken(from.since_start()));
    let drawn_for = format!("{} from its first pixel on", spoken(drawn_for));
    match until {
        None => format!("it has stood there for {lasted}, since {from} ({drawn_for})"),
        Some(until) => {
            let until = spoken(until.since_start());
            format!("it stood there for {lasted}, from {from} to {until} ({drawn_for})")
        }
    }
}

pub(super) fn last_lines(lines: usize, last: &[String]) -> String {
    match last {
        [] => "there was none".to_owned(),
        [last] => format!("there was one, {last:?}"),
        last => {
            let told: Vec<String> = last.iter().map(|line| format!("{line:?}")).collect();
            format!("of {lines} the last {} were {}", last.len(), told.join(", "))
        }
    }
}

pub(super) fn first_line(first: Option<&str>) -> String {
    first.map_or_else(String::new, |first| format!("; the first of its kind was {first:?}"))
}

pub(super) fn listed(lines: &[String]) -> String {
    const SHOWN: usize = 30;
    let mut text: Vec<String> = lines.iter().take(SHOWN).map(|line| format!("{line:?}")).collect();
    if lines.len() > SHOWN {
        text.push(format!("and {} more", lines.len() - SHOWN));
    }
    if text.is_empty() { "no lines".to_owned() } else { text.join(", ") }
}

pub(super) fn tone_found(found: ToneFound) -> String {
    match found {
        ToneFound::Nothing => "there was none".to_owned(),
        ToneFound::Sounds(span) => format!("it sounds still, for {} by then", spoken(span)),
        ToneFound::Lasted(span) => format!("the last one lasted {}", spoken(span)),
    }
}

pub(super) fn tone_at_end(heard: Option<(u32, Option<Instant>)>) -> String {
    match heard {
        None => "the board has recorded more tones than it stores, and cannot tell".to_owned(),
        Some((hz, None)) => format!("{hz} Hz sounds"),
        Some((hz, Some(until))) => {
            format!("{hz} Hz sounded until {}", spoken(until.since_start()))
        }
    }
}

pub(super) fn tones_lost(history_full: bool) -> &'static str {
    if history_full { "; the board has recorded more tones than it stores" } else { "" }
}

pub(super) fn console_lost(history_full: bool) -> &'static str {
    if history_full { "; the board has received more than it keeps" } else { "" }
}

pub(super) fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

pub(super) fn led_state(check: &LedCheck, number: u16, state: LedState) -> String {
    match check.led.count() {
        1 => format!("it is {state}"),
        _ => format!("its LED {number} is {state}"),
    }
}

/// Names the colours that the program and the board file exchange.
pub(super) fn led_exchanged(check: &LedCheck, state: LedState) -> String {
    let Some([one, other]) = check.exchanged(state) else { return String::new() };
    let question = match check.led.kind() {
        LedKind::Chain { .. } => "is the `order` of the board file right?",
        LedKind::Plain | LedKind::Pwm | LedKind::Rgb => "are its pins right?",
    };
    format!("; {one} and {other} are exchanged: {question}")
}

pub(super) fn first_violation(first: Option<(Instant, Rule)>) -> String {
    first.map_or_else(String::new, |(at, rule)| {
        format!(
            "; the first is at {}: {rule} (section {})",
            spoken(at.since_start()),
            rule.section()
        )
    })
}

pub(super) fn heap_found(heap: &Heap) -> String {
    match heap {
        Heap::Absent => String::new(),
        Heap::Used { allocations, bytes } => {
            format!("; it has taken memory {allocations} times, {} in all", bytes_spoken(*bytes))
        }
        Heap::Present { symbol } => format!("; its program has an allocator in it: {symbol}"),
        Heap::Unknown(why) => format!(", but this board cannot tell: {why}"),
    }
}

pub(super) fn flash_cut(bytes_left: Option<u64>) -> String {
    bytes_left.map_or_else(String::new, |left| {
        format!(": the cut in the flash has not come, {left} bytes are left until then")
    })
}

/// Names the cause of a window that has the longer side of the panel in the direction of the shorter
/// one.
pub(super) fn turned_window(rule: Rule, bytes: &[u8], table: &Table) -> String {
    let (axis, [_, 0, 0, high, low]) = (rule, bytes) else { return String::new() };
    let axis = match axis {
        Rule::ColumnOutside => "columns",
        Rule::PageOutside => "lines",
        _ => return String::new(),
    };
    let last = u16::from_be_bytes([*high, *low]);
    let sides = [(table.columns, table.lines), (table.module.columns, table.module.lines)];
    let is_longer = |(one, other): (u16, u16)| one != other && one.max(other) == last + 1;
    if last == u16::MAX || !sides.into_iter().any(is_longer) {
        return String::new();
    }
    format!(
        "; 0 to {last} are the {axis} of this display turned by 90 degrees: is MV of MADCTL right, or \
         the size that the program has for the display?"
    )
}

pub(super) fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    bytes.join(" ")
}
