//! USB devices on rp2040-hal's UsbBus, and the host at the other end of the cable.

use super::board::{check, file};
use rp2040_emulator::chip::Chip;
use rp2040_emulator::image::Image;
use rp2040_emulator::usb_host::{Event, Host, LineCoding};

/// Returns the host of `chip`, which is connected before the program runs.
fn host(chip: &mut Chip) -> &mut Host {
    if chip.usb_host().is_none() {
        chip.attach_usb(Host::new().with_closed_ports());
    }
    chip.usb_host_mut().expect("it is connected")
}

#[test]
fn serial_ports_are_enumerated_opened_used_and_suspended() {
    let text: Vec<u8> = (0..1_000u32).map(|n| b'a' + (n % 26) as u8).collect();
    let mut echoed = vec![];
    let mut looks = 0;
    let outside = |chip: &mut Chip| {
        let now = chip.now_ns();
        let host = host(chip);
        if host.take_events() == [Event::Configured] {
            let device = host.device().expect("it is configured");
            assert_eq!(device.strings[1].as_deref(), Some("ports"));
            assert_eq!(device.serials.len(), 2);
            host.set_line_coding(1, LineCoding { baud: 9_600, ..LineCoding::default() });
            host.open_port(1, true);
            assert_eq!(host.send(1, &text), text.len());
        }
        echoed.extend(host.receive(1));
        if echoed.len() == text.len() {
            looks += 1;
            match looks {
                1 => host.open_port(1, false),
                1_000 => host.suspend(),
                2_000 => host.resume(),
                _ => {}
            }
        }
        assert!(now < 3_000_000_000, "{} bytes came back", echoed.len());
    };
    check(
        "usb_serial",
        outside,
        &[
            "a host configures it",
            "a port is opened",
            "the other one is not",
            "bytes go both ways",
            "a port is closed",
            "a quiet bus is suspended",
            "the host resumes it",
        ],
    );
    assert_eq!(echoed, text.to_ascii_uppercase());
}

#[test]
fn a_keyboard_and_a_mouse_report_and_the_lights_are_set() {
    let (mut keys, mut motions) = (vec![], vec![]);
    let outside = |chip: &mut Chip| {
        let host = host(chip);
        host.take_events();
        keys.extend(host.reports(0).into_iter().map(|packet| packet.bytes));
        let moved = host.reports(1);
        if !moved.is_empty() {
            assert!(host.send_report(0, &[2]), "Caps Lock");
        }
        motions.extend(moved.into_iter().map(|packet| packet.bytes));
    };
    check(
        "usb_hid",
        outside,
        &[
            "a host configures it",
            "a key is reported",
            "a key is reported",
            "a motion is reported",
            "the lights are set",
            "one byte for them",
            "Caps Lock",
            "interrupts did it",
        ],
    );
    assert_eq!(keys, [[2, 0, 4, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0]]);
    assert_eq!(motions, [[1, 5, 0xFD, 0, 0]]);
}

#[test]
fn the_quiz_prints_the_same_answers_on_the_uart_and_over_usb() {
    let image = Image::parse(&file("quiz")).expect("a program");
    let mut chip = Chip::new(2 << 20);
    chip.load(&image).expect("it fits");
    chip.power_on().expect("it boots");
    host(&mut chip);
    let (mut uart, mut usb) = (vec![], vec![]);
    let mut is_asked_again = false;
    for look in 1..500u64 {
        chip.run(look * 10_000_000);
        uart.extend(chip.take_sent(0).into_iter().map(|(_, byte)| byte));
        let host = host(&mut chip);
        if host.take_events() == [Event::Configured] {
            host.open_port(0, true);
        }
        usb.extend(host.receive(0));
        if uart.ends_with(b"answers\r\n") && usb.len() == uart.len() && !is_asked_again {
            // A byte asks for them once more.
            host.send(0, b"?");
            is_asked_again = true;
        }
        if is_asked_again && usb.len() == 2 * uart.len() {
            break;
        }
    }
    let text = String::from_utf8_lossy(&uart);
    assert!(text.lines().filter(|line| line.contains(" = ")).count() > 500, "{text}");
    assert_eq!(String::from_utf8_lossy(&usb), text.repeat(2));
}
