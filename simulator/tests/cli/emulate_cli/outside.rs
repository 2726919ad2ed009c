//! Tests the options of `nudge emulate` that connect something to the chip: voltages, wires,
//! stimuli, UART1, the log of the buses, a boot ROM.

use std::fs;

use super::program::{CLOCKS, Ends, code, elf};
use super::{ARM, check, folder, has};

/// Returns the writes that set up UART 1 at 115,200 baud with its pins, and send `bytes`.
fn uart1(bytes: &[u8]) -> Vec<(u32, u32)> {
    let set = [
        (0x4003_8024, 67),
        (0x4003_8028, 52),
        (0x4003_802C, 0x70),
        (0x4003_8030, 0x301),
        (0x4001_4024, 2),
        (0x4001_4004, 2),
        (0x4001_400C, 2),
    ];
    let sent = bytes.iter().map(|byte| (0x4003_8000, u32::from(*byte)));
    set.into_iter().chain(sent).collect()
}

#[test]
fn a_wire_from_uart1_to_uart0_is_an_echo() {
    let folder = folder(Ends::Echoes, &uart1(b"wire"));
    let line = "program.elf --until 20ms --wire gp4=gp1 --uart1 one.txt --vcd pins.vcd";
    let (out, _) = check(folder.path(), line, 0);
    // The program sends each byte back, increased by one.
    assert_eq!(out, "xjsf");
    assert_eq!(fs::read(folder.path().join("one.txt")).unwrap(), b"wire");
    let wave = fs::read_to_string(folder.path().join("pins.vcd")).unwrap();
    // Two wired pins and the echo: each byte has at least four edges.
    assert!(wave.lines().filter(|line| line.starts_with('#')).count() > 40, "{wave}");
}

/// Returns the number of changes of a pin in a waveform, without its first level.
fn edges(wave: &str, pin: &str) -> usize {
    let name = format!(" {pin} $end");
    let wire = wave.lines().find(|line| line.ends_with(&name)).expect("every pin is a wire");
    let id = wire.split_whitespace().nth(3).unwrap();
    wave.lines().filter(|line| line.len() > 1 && line[1..] == *id).count() - 1
}

/// Only `--vcd` observes the pins; peripherals (a UART, PWM, SPI, I2C and a clock) drive them
/// nevertheless.
#[test]
fn a_waveform_alone_has_what_peripherals_drive() {
    let writes = [
        // 0x55 has an edge at each of its ten bits; the pin goes high when UART1 is connected to
        // it.
        uart1(b"UU"),
        vec![
            // PWM slice 3 wraps each 65,536 cycles: on GPIO6.
            (0x4001_4034, 4),
            (0x4005_0040, 1 << 4),
            (0x4005_0048, 0x8000),
            (0x4005_004C, 0xFFFF),
            (0x4005_003C, 1),
            // SPI 0: its clock on GPIO2, for eight bits.
            (0x4001_4014, 1),
            (0x4003_C010, 16),
            (0x4003_C000, 7),
            (0x4003_C004, 2),
            (0x4003_C008, 0x9F),
            // I2C 0 on GPIO8 and 9, which are pulled up; no device answers.
            (0x4001_C024, 0x4A),
            (0x4001_C028, 0x4A),
            (0x4001_4044, 3),
            (0x4001_404C, 3),
            (0x4004_4004, 0x3C),
            (0x4004_406C, 1),
            (0x4004_4010, 0x200),
            // CLK_GPOUT0 on GPIO21: the PLL's 125 MHz by 65,535.
            (0x4000_8004, 0xFFFF << 8),
            (0x4000_8000, 1 << 11),
            (0x4001_40AC, 8),
        ],
    ]
    .concat();
    let folder = folder(Ends::Sleeps, &writes);
    check(folder.path(), "program.elf --until 5ms --vcd pins.vcd", 0);
    let wave = fs::read_to_string(folder.path().join("pins.vcd")).unwrap();
    let counts =
        ["gpio4", "gpio2", "gpio6", "gpio8", "gpio9", "gpio21"].map(|pin| edges(&wave, pin));
    let [uart, spi, pwm, data, clock, gpout] = counts;
    assert_eq!((uart, spi), (21, 16), "{counts:?}");
    // 5 ms are 9.5 periods of 65,536 cycles.
    assert!((18..=20).contains(&pwm) && (18..=20).contains(&gpout), "{counts:?}");
    // Eight bits and the missing acknowledgement.
    assert!((18..=22).contains(&clock) && data >= 4, "{counts:?}");
}

#[test]
fn a_waveform_of_one_run_is_the_stimulus_of_another() {
    let sender = folder(Ends::Sleeps, &uart1(b"pins"));
    check(sender.path(), "program.elf --until 5ms --wire gp4=gp1 --vcd pins.vcd", 0);
    let wave = fs::read_to_string(sender.path().join("pins.vcd")).unwrap();
    let receiver = folder(Ends::Echoes, &[(0x4001_400C, 2)]);
    // Only the receiver's pin is driven.
    let only: String = wave.lines().fold(String::new(), |text, line| {
        let other = line.contains(" gpio") && !line.contains(" gpio1 ");
        text + if other { "" } else { line } + "\n"
    });
    fs::write(receiver.path().join("pins.vcd"), only).unwrap();
    let (out, _) = check(receiver.path(), "program.elf --until 20ms --pins pins.vcd", 0);
    assert_eq!(out, "qjot");
}

#[test]
fn the_buttons_of_a_trace_are_stimuli_too() {
    // B1's pin is pulled up.
    let folder = folder(Ends::Sleeps, &[(0x4001_C00C, 0x4A)]);
    let trace = "trace 1\n500ms power on\n+10ms press B1\n+20ms release B1\n+1s end\n";
    fs::write(folder.path().join("b1.trace"), trace).unwrap();
    let line = "program.elf --until 50ms --pins b1.trace --vcd pins.vcd";
    check(folder.path(), line, 0);
    let wave = fs::read_to_string(folder.path().join("pins.vcd")).unwrap();
    let (mut at, mut edges) = ("", vec![]);
    for line in wave.lines() {
        match line {
            "0#" | "1#" => edges.push((at, &line[..1])),
            time if time.starts_with('#') => at = &time[1..],
            _ => {}
        }
    }
    // From power-on the pin is pulled up, and it is low while the button is pressed.
    let ms = |at: &str| at.parse::<u64>().expect("nanoseconds") / 1_000_000;
    let edges: Vec<_> = edges.iter().map(|(at, level)| (ms(at), *level)).collect();
    assert_eq!(edges, [(0, "0"), (0, "1"), (10, "0"), (30, "1")]);
}

#[test]
fn uart1_receives_a_file_and_the_log_has_the_buses() {
    let writes = [
        uart1(b""),
        // SPI 0 as a master sends a word; I2C 0 addresses a device that does not exist.
        vec![
            (0x4003_C010, 16),
            (0x4003_C000, 7),
            (0x4003_C004, 2),
            (0x4003_C008, 0x9F),
            (0x4004_4004, 0x3C),
            (0x4004_406C, 1),
            (0x4004_4010, 0x200),
        ],
    ]
    .concat();
    let folder = folder(Ends::Sleeps, &writes);
    fs::write(folder.path().join("in.txt"), "x").unwrap();
    let line = "program.elf --until 5ms --uart1-input in.txt --log-bus bus.log";
    check(folder.path(), line, 0);
    let log = fs::read_to_string(folder.path().join("bus.log")).unwrap();
    has(&log, &["SPI0 out 9f in 00", "I2C0 start 3c write nack"]);
    let line = "program.elf --until 5ms --log-bus bus.log";
    let (_, err) = check(folder.path(), line, 2);
    has(&err, &["bus.log is there already"]);
}

#[test]
fn the_bus_log_has_the_levels_of_chip_select_and_data_or_command() {
    const OUT_SET: u32 = 0xD000_0014;
    const OUT_CLR: u32 = 0xD000_0018;
    const DATA: u32 = 0x4003_C008;
    let (select, data) = (1 << 17, 1 << 20);
    let function = |pin: u32| (0x4001_4004 + 8 * pin, 5);
    let writes = [
        (0x4003_C010, 16),
        (0x4003_C000, 7),
        (0x4003_C004, 2),
        function(17),
        function(20),
        (0xD000_0024, select | data),
        (OUT_SET, select),
        (OUT_CLR, select),
        (DATA, 0x2A),
    ];
    // Frames take 2 us; the table's writes do not wait for them.
    let wait = [(0x4000_8000, 0); 64];
    let rest = [(OUT_SET, data), (DATA, 0x11), (DATA, 0x12)];
    let last = [(OUT_SET, select), (OUT_CLR, select), (OUT_CLR, data), (DATA, 0x2B)];
    let writes = [&writes[..], &wait, &rest, &wait, &wait, &last].concat();
    let folder = folder(Ends::Sleeps, &writes);
    check(folder.path(), "program.elf --until 5ms --log-bus bus.log --vcd pins.vcd", 0);
    let log = fs::read_to_string(folder.path().join("bus.log")).unwrap();
    let frames: Vec<_> = log.lines().filter_map(|line| Some(line.split_once("SPI0 ")?.1)).collect();
    let expected = [
        "out 2a in 00 GP17=0 GP20=0 GP25=0",
        "out 11 in 00 GP20=1",
        "out 12 in 00",
        "out 2b in 00 GP17=1,0 GP20=0",
    ];
    assert_eq!(frames, expected, "{log}");
    let vcd = fs::read_to_string(folder.path().join("pins.vcd")).unwrap();
    assert!(vcd.lines().count() > 60, "both have the changes");
}

#[test]
fn the_radio_of_a_pico_w_is_named_at_the_first_access() {
    // GP23 is WL_REG_ON, an output of SIO.
    let on: Vec<_> =
        CLOCKS.iter().copied().chain([(0x4001_40BC, 5), (0xD000_0024, 1 << 23)]).collect();
    let folder = folder(Ends::Sleeps, &on);
    let driver = [&code(Ends::Sleeps, &on), &b"43439a0-roml/sdio-g-pool"[..]].concat();
    fs::write(folder.path().join("driver.elf"), elf(&driver, ARM)).unwrap();
    let (_, err) = check(folder.path(), "program.elf --until 5ms", 0);
    assert!(!err.contains("CYW43"), "{err}");
    let (_, err) = check(folder.path(), "driver.elf --until 5ms", 0);
    has(
        &err,
        &[
            "nudge: the program switches on the CYW43439 of a Pico W (GP23 to GP25 and GP29)",
            "  the CYW43439 of a Pico W was switched on at ",
        ],
    );
}

#[test]
fn an_adc_input_has_the_voltage_of_the_option_or_the_table() {
    let adc = [
        (0x4002_C008, 100),
        (0x4002_C004, 0),
        (0x4002_C00C, 5 << 16 | 5 << 12),
        (0x4000_8060, 1 << 11),
        // FIFO with bytes, and the DMA copies one to the UART.
        (0x4004_C008, 1 | 1 << 1 | 1 << 3 | 1 << 24),
        (0x5000_0000, 0x4004_C00C),
        (0x5000_0004, 0x4003_4000),
        (0x5000_0008, 1),
        (0x5000_000C, 36 << 15 | 1),
        (0x4004_C000, 1 | 1 << 2 | 1 << 12),
    ];
    let folder = folder(Ends::Sleeps, &adc);
    // 'A' is 65: 65.5 / 256 * 3.3 V.
    let (out, _) = check(folder.path(), "program.elf --until 1ms --adc 1=0.8443", 0);
    assert_eq!(out, "A");
    fs::write(folder.path().join("volts.csv"), "s,V\n0,0.8572\n").unwrap();
    let (out, _) = check(folder.path(), "program.elf --until 1ms --adc 1=volts.csv", 0);
    assert_eq!(out, "B");
}

#[test]
fn impossible_connections_are_refused_with_a_message() {
    let folder = folder(Ends::Breakpoint, &[]);
    fs::write(folder.path().join("text.csv"), "0,0\nhello\n").unwrap();
    fs::write(folder.path().join("bytes.csv"), [0xFF, 0xFE]).unwrap();
    let typed = "trace 1\n0s power on\n+1s type \"help\"\n+1s end\n";
    fs::write(folder.path().join("typed.trace"), typed).unwrap();
    for (options, error) in [
        ("--adc 7=1", "there is no input \"7\""),
        ("--adc 1=text.csv", "--adc text.csv: line 2: it is not SECONDS,VOLTS"),
        ("--adc 1=bytes.csv", "--adc bytes.csv: it is no text"),
        ("--adc 1=missing.csv", "--adc missing.csv: "),
        ("--wire gp4=gp99", "there is no pin \"gp99\""),
        ("--pins text.csv", "--pins text.csv: it is no value change dump"),
        ("--pins missing.trace", "missing.trace"),
        ("--pins typed.trace", "typed.trace: line 3: type is nothing that a pin does"),
        ("--boot-rom text.csv", "--boot-rom text.csv: a boot ROM has 16384 bytes, this has 10"),
        ("--uart 1 --uart1 a.txt", "cannot be used with"),
    ] {
        let (_, err) = check(folder.path(), &format!("program.elf {options}"), 2);
        has(&err, &[error]);
    }
}
