//! Tests of the controller's answers.

use super::Host;

#[test]
fn identification_comes_after_a_dummy_byte() {
    let mut host = Host::ready(0x00);
    assert_eq!(host.read(0x04, 4), [0x00, 0x00, 0x80, 0x00]);
    assert_eq!(host.read(0xD3, 4), [0x00, 0x00, 0x93, 0x41]);
    assert_eq!(host.read(0xDA, 1), [0x00]);
    assert_eq!(host.read(0xDB, 1), [0x80]);
    assert_eq!(host.read(0xDC, 1), [0x00]);
    assert_eq!(host.rules(), []);
}

#[test]
fn an_answer_may_be_clocked_out_in_pieces_and_ends_in_zeros() {
    let mut host = Host::ready(0x00);
    host.command(0xD3);
    let pieces = [host.clock(2), host.clock(0), host.clock(1), host.clock(3)];
    assert_eq!(pieces.concat(), [0x00, 0x00, 0x93, 0x41, 0x00, 0x00]);
}

#[test]
fn the_vendors_read_index_reaches_single_bytes() {
    let mut host = Host::ready(0x00);
    for (index, byte) in [(1, 0x00), (2, 0x93), (3, 0x41)] {
        host.send(0xD9, &[0x10 + index]);
        assert_eq!(host.read(0xD3, 1), [byte]);
    }
    assert_eq!(host.read(0xD3, 4), [0x00, 0x00, 0x93, 0x41]);
}

#[test]
fn status_after_power_on_has_the_datasheets_defaults() {
    let mut host = Host::powered();
    host.wait_ms(5);
    assert_eq!(host.read(0x09, 5), [0x00, 0x00, 0x61, 0x00, 0x00]);
    assert_eq!(host.read(0x0A, 1), [0x08]);
    assert_eq!(host.read(0x0B, 1), [0x00]);
    assert_eq!(host.read(0x0C, 1), [0x06]);
    assert_eq!(host.read(0x0D, 1), [0x00]);
    assert_eq!(host.read(0x0E, 1), [0x00]);
    assert_eq!(host.read(0x0F, 1), [0x00]);
}

#[test]
fn status_follows_the_commands() {
    let mut host = Host::ready(0x68);
    host.send(0x35, &[0x01]);
    host.send(0x39, &[]);
    assert_eq!(host.read(0x0A, 1), [0xDC]);
    assert_eq!(host.read(0x0B, 1), [0x68]);
    assert_eq!(host.read(0x0C, 1), [0x55]);
    assert_eq!(host.read(0x0E, 1), [0xC0]);
    assert_eq!(host.read(0x0F, 1), [0xC0]);
    // Booster, MX, MV, BGR; 16 bits, idle, sleep out, normal; display, tearing; mode 2.
    assert_eq!(host.read(0x09, 5), [0x00, 0xB4, 0x5B, 0x06, 0x20]);
    assert!(host.lcd.is_tearing_line_on() && !host.lcd.is_inverted());
    host.send(0x21, &[]);
    assert!(host.lcd.is_inverted());
    host.send(0x20, &[]);
    host.send(0x12, &[]);
    host.send(0x34, &[]);
    assert!(!host.lcd.is_tearing_line_on() && !host.lcd.is_inverted());
    assert_eq!(host.read(0x0A, 1), [0xF4]);
    assert_eq!(host.read(0x0E, 1), [0x00]);
    assert_eq!(host.rules(), []);
}

#[test]
fn bits_that_a_register_does_not_have_read_back_as_zeros() {
    let mut host = Host::ready(0x00);
    for (tearing, mode) in [(0xFE, 0x80), (0xFF, 0xC0)] {
        host.send(0x35, &[tearing]);
        assert_eq!(host.read(0x0E, 1), [mode]);
    }
    host.send(0x36, &[0xFF]);
    assert_eq!(host.read(0x0B, 1), [0xFC]);
    host.send(0x3A, &[0xDD]);
    assert_eq!(host.read(0x0C, 1), [0x55]);
    assert_eq!(host.rules(), []);
}

#[test]
fn only_read_commands_are_answered() {
    for (code, answers) in [(0x09, true), (0x2E, true), (0x2C, false), (0x36, false), (0xAB, false)]
    {
        assert_eq!(crate::answers_command(code), answers, "{code:02X}");
    }
}

#[test]
fn brightness_registers_read_back() {
    let mut host = Host::ready(0x00);
    for (write, read, value) in
        [(0x51, 0x52, 0xA5), (0x53, 0x54, 0x2C), (0x55, 0x56, 0x03), (0x5E, 0x5F, 0x11)]
    {
        host.send(write, &[value]);
        assert_eq!(host.read(read, 1), [value]);
    }
    assert_eq!(host.lcd.brightness(), 0xA5);
}

#[test]
fn memory_reads_back_as_eighteen_bits_in_the_hosts_orientation() {
    for madctl in [0x00, 0x28, 0xE0] {
        let mut host = Host::ready(madctl);
        host.window(100, 101, 50, 51);
        host.pixels(&[0xF800, 0x07E0, 0x001F, 0x8410]);
        let answer = host.read(0x2E, 1 + 4 * 3);
        let pixels = [0xFC, 0, 0, 0, 0xFC, 0, 0, 0, 0xFC, 0x84, 0x80, 0x84];
        assert_eq!(answer[0], 0x00);
        assert_eq!(answer[1..], pixels);
        assert_eq!(host.rules(), []);
    }
}

#[test]
fn read_memory_continue_continues_after_the_last_pixel() {
    let mut host = Host::ready(0x00);
    host.window(0, 9, 0, 0);
    host.pixels(&[0xF800, 0x07E0, 0x001F]);
    assert_eq!(host.read(0x2E, 4), [0, 0xFC, 0, 0]);
    assert_eq!(host.read(0x3E, 4), [0, 0, 0xFC, 0]);
    assert_eq!(host.clock(3), [0, 0, 0xFC]);
}

#[test]
fn nothing_comes_back_while_the_host_writes() {
    let mut host = Host::ready(0x00);
    host.command(0x2C);
    let mut bytes = [0xFF, 0xFF];
    host.lcd.exchange(host.now, host.now.saturating_add(super::Nanos(512)), &mut bytes);
    assert_eq!(bytes, [0, 0]);
    assert_eq!(host.lcd.memory_pixel(0, 0), Some(0xFCFCFC));
}
