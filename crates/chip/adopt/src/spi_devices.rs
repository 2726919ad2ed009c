//! Devices on the SPI bus of the display: memories and touch controllers, by the bytes that they get.

use rp2040_emulator::chip::SpiWord;

use crate::bytes::{BusByte, of_edges, of_frames};
use crate::finding::{Bus, Certainty, Findings, Signal, SpiDevice, SpiDeviceKind};
use crate::observation::{Observation, numbers};

/// CMD0 with its CRC, with which the program selects SPI mode (SD Physical Layer Simplified
/// Specification 9.10, 7.2.2).
const CMD0: [u8; 6] = [0x40, 0, 0, 0, 0, 0x95];
/// First bytes of messages to SPI flashes that each driver sends: JEDEC ID, manufacturer and device ID,
/// unique ID, release from power-down (W25Q16JV datasheet, 8.1.2).
const FLASH_IDENTIFICATION: [u8; 4] = [0x9F, 0x90, 0x4B, 0xAB];
/// Reads of status registers and of data, write enable (ibid.).
const FLASH_COMMANDS: [u8; 7] = [0x05, 0x35, 0x15, 0x03, 0x0B, 0x06, 0x66];
/// Number of bytes of a conversion of an XPT2046, the number after which the control byte of the next one
/// can follow, and the start bit of that byte (XPT2046 data sheet, "Control Byte", "Digital Interface").
const CONVERSION: usize = 3;
const NEXT_CONVERSION: usize = 2;
const CONVERSION_START: u8 = 0x80;
/// Number of messages that are read.
const MESSAGES_MAX: usize = 64;

/// Finds the devices: outputs that are low during bytes which are for no display.
pub(crate) fn find(seen: &Observation, findings: &mut Findings) {
    let Some(display) = &findings.display else { return };
    let Bus::Spi { sck, mosi, chip_select: Some(select), .. } = &display.bus else { return };
    let bytes = bytes_of(seen, usize::from(sck.pin), usize::from(mosi.pin));
    let select = usize::from(select.pin);
    let outputs = seen.mask(|pin| pin.is_output() && pin.falls > 0) & !findings.pins();
    for pin in numbers(outputs) {
        let messages = messages(&seen.edges(pin), &bytes, pin, select);
        let sent: usize = messages.iter().map(Vec::len).sum();
        let low = bytes.iter().filter(|byte| byte.levels >> pin & 1 == 0).count();
        // The pin is low for these bytes; before the program drives it, also for some of the display's.
        if sent == 0 || low * 9 > sent * 10 {
            continue;
        }
        let (kind, what) = kind_of(&messages);
        let evidence = format!("it is low during {sent} bytes on the display's bus, {what}");
        let certainty = match kind {
            SpiDeviceKind::SdCard => Certainty::Sure,
            SpiDeviceKind::Flash | SpiDeviceKind::Touch => Certainty::Likely,
            SpiDeviceKind::Unknown => Certainty::Unsure,
        };
        let chip_select = Signal { pin: pin as u8, certainty, evidence };
        findings.devices.push(SpiDevice { kind, chip_select, interrupt: None });
    }
}

/// Returns all bytes of a bus as far as the levels of the pins are recorded.
fn bytes_of(seen: &Observation, sck: usize, mosi: usize) -> Vec<BusByte> {
    // SCK of controller 0 is at GP2, 6, 18, 22; that of controller 1 at GP10, 14, 26.
    let frames: &[SpiWord] = &seen.frames[sck / 8 % 2];
    if frames.is_empty() {
        return of_edges((1 << sck, 1 << mosi, 0), seen.first_levels, &seen.changes);
    }
    let last_ns = seen.changes.last().map_or(0, |change| change.ns);
    let mut bytes = of_frames(frames, seen.first_levels, &seen.changes);
    bytes.retain(|byte| byte.ns <= last_ns);
    bytes
}

/// Returns whether these are messages to an XPT2046.
pub(crate) fn is_touch(messages: &[Vec<u8>]) -> bool {
    !messages.is_empty() && kind_of(messages).0 == SpiDeviceKind::Touch
}

/// Returns the first messages: the bytes between an edge at which `pin` falls and the next one at which
/// it rises, while the display is not selected. `edges` are those of the pin.
pub(crate) fn messages(
    edges: &[(u64, bool)],
    bytes: &[BusByte],
    pin: usize,
    display: usize,
) -> Vec<Vec<u8>> {
    let mut messages: Vec<Vec<u8>> = Vec::new();
    let mut current = usize::MAX;
    for byte in bytes {
        if byte.levels >> pin & 1 != 0 || byte.levels >> display & 1 == 0 {
            continue;
        }
        let edge = edges.partition_point(|(ns, _)| *ns < byte.ns);
        if edge != current {
            current = edge;
            messages.push(Vec::new());
        }
        if let Some(message) = messages.last_mut() {
            message.push(byte.byte);
        }
    }
    messages
}

/// Returns whether a message is conversions of an XPT2046, in 24 or in 16 clocks each.
fn is_conversion(message: &[u8]) -> bool {
    let starts: Vec<usize> =
        (0..message.len()).filter(|at| message[*at] & CONVERSION_START != 0).collect();
    let ends = starts.iter().skip(1).copied();
    starts.first() == Some(&0)
        && starts
            .iter()
            .zip(ends)
            .all(|(at, next)| (NEXT_CONVERSION..=CONVERSION).contains(&(next - at)))
        && starts.last().is_some_and(|last| message.len() - last == CONVERSION)
}

/// Returns the kind of the device that gets these messages, and the end of a sentence about it.
fn kind_of(messages: &[Vec<u8>]) -> (SpiDeviceKind, &'static str) {
    let first = &messages[..messages.len().min(MESSAGES_MAX)];
    let begins = |codes: &[u8]| {
        first.iter().any(|message| message.first().is_some_and(|byte| codes.contains(byte)))
    };
    if first.iter().any(|message| message.windows(CMD0.len()).any(|bytes| bytes == CMD0)) {
        return (SpiDeviceKind::SdCard, "among them CMD0 of SD cards");
    }
    if begins(&FLASH_IDENTIFICATION) && !first.iter().all(|message| is_conversion(message)) {
        return (
            SpiDeviceKind::Flash,
            "among them a request for the identification of an SPI flash",
        );
    }
    if first.iter().all(|message| is_conversion(message)) {
        return (SpiDeviceKind::Touch, "each with the start bit of an XPT2046");
    }
    let is_flash = |message: &Vec<u8>| FLASH_COMMANDS.contains(&message[0]);
    if first.iter().all(is_flash) {
        return (SpiDeviceKind::Flash, "whose first bytes are commands of SPI flashes");
    }
    (SpiDeviceKind::Unknown, "which are of no device that is known here")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_recognised_by_their_first_messages() {
        let kind = |messages: &[&[u8]]| {
            let messages: Vec<Vec<u8>> = messages.iter().map(|bytes| bytes.to_vec()).collect();
            kind_of(&messages).0
        };
        assert_eq!(kind(&[&[0xFF, 0x40, 0, 0, 0, 0, 0x95, 0xFF]]), SpiDeviceKind::SdCard);
        assert_eq!(kind(&[&[0x9F, 0, 0, 0]]), SpiDeviceKind::Flash);
        assert_eq!(kind(&[&[0x05, 0], &[0x03, 0, 0, 0, 0]]), SpiDeviceKind::Flash);
        // X, Y and Z1 of an XPT2046; its control byte 90h is also a command of SPI flashes.
        assert_eq!(kind(&[&[0xD0, 0, 0], &[0x90, 0, 0, 0xB0, 0, 0]]), SpiDeviceKind::Touch);
        assert_eq!(kind(&[&[0x90, 0, 0, 0, 0, 0]]), SpiDeviceKind::Flash);
        // X and Y in 16 clocks each.
        assert_eq!(kind(&[&[0xD1, 0, 0x90, 0, 0]]), SpiDeviceKind::Touch);
        assert_eq!(kind(&[&[0xD1, 0x90, 0, 0]]), SpiDeviceKind::Unknown);
        assert_eq!(kind(&[&[0x12], &[0x34, 0x56]]), SpiDeviceKind::Unknown);
    }
}
