//! A USB device on embassy's driver and stack, with its executor, and the host at the other end of
//! the cable. README.md describes the origin of the program.

use rp2040_emulator::chip::{Chip, Halt};
use rp2040_emulator::image::Image;
use rp2040_emulator::usb_host::{Event, Host, LineCoding};

/// Interval at which the host's caller polls.
const LOOK_NS: u64 = 10_000;
/// Limit of a program's time; a program that has not ended by then hangs.
const LIMIT_NS: u64 = 5_000_000_000;

#[test]
fn an_embassy_serial_port_and_keyboard_work() {
    let image = Image::parse(include_bytes!("usb_embassy.elf")).expect("a program");
    let mut chip = Chip::new(2 << 20);
    chip.load(&image).expect("it fits");
    chip.power_on().expect("it boots");
    chip.attach_usb(Host::new().with_closed_ports());
    let text: Vec<u8> = (0..1_000u32).map(|n| b'a' + (n % 26) as u8).collect();
    let (mut echoed, mut keys, mut looks) = (vec![], vec![], 0);
    let mut report = String::new();
    while !report.ends_with("end\r\n") {
        let ns = chip.now_ns() + LOOK_NS;
        assert!(ns < LIMIT_NS, "it hangs:\n{report}");
        assert_eq!(chip.run(ns), Halt::Time, "{:?}\n{report}", chip.fault());
        report.extend(chip.take_sent(0).iter().map(|(_, byte)| char::from(*byte)));
        let host = chip.usb_host_mut().expect("it is attached");
        if host.take_events() == [Event::Configured] {
            let device = host.device().expect("it is configured");
            assert_eq!(device.strings[1].as_deref(), Some("embassy"));
            assert_eq!((device.serials.len(), host.hids().len()), (1, 1));
            host.set_line_coding(0, LineCoding { baud: 9_600, ..LineCoding::default() });
            host.open_port(0, true);
            assert_eq!(host.send(0, &text), text.len());
        }
        echoed.extend(host.receive(0));
        let pressed: Vec<_> = host.reports(0).into_iter().map(|packet| packet.bytes).collect();
        if !pressed.is_empty() && keys.is_empty() {
            assert!(host.send_report(0, &[2]), "Caps Lock");
        }
        keys.extend(pressed);
        if echoed.len() == text.len() {
            looks += 1;
            match looks {
                1 => host.open_port(0, false),
                10_000 => host.suspend(),
                12_000 => host.resume(),
                _ => {}
            }
        }
    }
    let expected = [
        "the executor sleeps until a time",
        "a host configures it",
        "the port is opened",
        "bytes go both ways",
        "the port is closed",
        "a key is reported",
        "a key is reported",
        "the lights are set",
        "a quiet bus is suspended",
        "the host resumes it",
    ];
    let lines: Vec<_> = report.lines().filter(|line| *line != "end").collect();
    assert_eq!(lines, expected.map(|name| format!("ok {name}")));
    assert_eq!(echoed, text.to_ascii_uppercase());
    assert_eq!(keys, [[2, 0, 4, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0]]);
    let unknown: Vec<_> = chip.not_modelled().iter().map(ToString::to_string).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}
