//! Official programs for the chip, built by their own SDK: their output with nothing on their pins
//! but the wires that they require. README.md describes their origin.

use rp2040_emulator::chip::{Chip, Halt};

#[path = "../images/mod.rs"]
mod images;
mod usb;

const MS: u64 = 1_000_000;

/// Runs the image `name` with `wires` between pins until UART0 has sent `text`, for at most
/// `limit_ms` of virtual time, and checks that it accesses nothing that is not modelled.
#[track_caller]
fn check(name: &str, wires: &[[usize; 2]], limit_ms: u64, text: &str) -> Chip {
    let mut chip = images::loaded("pico_examples", name, wires);
    if name == "flash_cache_perfctr" {
        chip.start_cache_counters();
    }
    chip.power_on().expect("it boots");
    chip.set_debugged(true);
    let mut sent = String::new();
    for ms in 1..=limit_ms {
        let halt = chip.run(ms * MS);
        if halt != Halt::Time {
            chip.drain_uart(0);
        }
        sent.extend(chip.take_sent(0).iter().map(|(_, byte)| char::from(*byte)));
        assert!(chip.fault().is_none(), "{name}: {:?}\n{sent}", chip.fault());
        if sent.contains(text) {
            images::all_is_modelled(&chip);
            return chip;
        }
        assert_eq!(halt, Halt::Time, "{name} has ended without {text:?}:\n{sent}");
    }
    panic!("{name} has not sent {text:?} within {limit_ms} ms:\n{sent}");
}

#[test]
fn two_i2c_controllers_talk_over_two_wires() {
    let wires = [[4, 6], [5, 7]];
    check("slave_mem_i2c", &wires, 2_300, "Read  at 0x25: ', I2C slave! - 0x20'");
    check("slave_mem_i2c_burst", &wires, 2_300, "Read  at 0x20: 'Hello, I2C slave! - 0x20'");
}

#[test]
fn the_caches_counters_are_right() {
    check("flash_cache_perfctr", &[], 100, "Hit/miss check passed");
}

#[test]
fn the_flash_is_read_through_the_ssi_by_dma() {
    check("flash_ssi_dma", &[], 1_000, "Data check ok");
}

#[test]
fn the_sniffer_computes_a_crc() {
    check("sniff_crc", &[], 1_000, "CRC32 check is good");
}

#[test]
fn alarms_come_once() {
    let mut chip = check("timer_lowlevel", &[], 5_000, "Alarm IRQ fired\r\nAlarm IRQ fired");
    // They are two seconds apart, so in the second after the second one there is none.
    let now_ms = chip.now_ns() / MS;
    chip.run((now_ms + 1_000) * MS);
    let more: Vec<u8> = chip.take_sent(0).iter().map(|(_, byte)| *byte).collect();
    assert_eq!(String::from_utf8_lossy(&more).trim(), "", "at {now_ms} ms");
    check("rtc_alarm", &[], 8_000, "Alarm Fired At Wednesday 13 January 11:20:05 2020");
}

#[test]
fn a_stopped_system_clock_is_resuscitated() {
    check("hello_resus", &[], 3_000, "Resus event fired");
}

#[test]
fn the_watchdog_resets_the_chip() {
    check("hello_watchdog", &[], 3_000, "Rebooted by Watchdog!");
}

#[test]
fn core_1_runs_functions() {
    check("multicore_runner", &[], 3_000, "Fibonacci 10 is 55");
}

/// Runs two tasks on two cores, a worker and the delays: PendSV, SysTick, spinlocks, and each core
/// that interrupts the other through the FIFO.
#[test]
fn freertos_runs_tasks_on_both_cores() {
    let mut chip = check("hello_freertos_two_cores", &[], 200, "blink task is on core 1");
    let now_ms = chip.now_ns() / MS;
    assert_eq!(chip.run((now_ms + 3_000) * MS), Halt::Time);
    let later: Vec<u8> = chip.take_sent(0).iter().map(|(_, byte)| *byte).collect();
    assert_eq!(String::from_utf8_lossy(&later).trim(), "Hello from main task count=1");
    images::all_is_modelled(&chip);
}

#[test]
fn pios_communicate_over_wires_and_read_pwm() {
    check(
        "pio_spi_loopback",
        &[[16, 19]],
        3_000,
        "RX: f3 48 eb 11 e5 41 70 b4 69 89 9a ba 6d e3 9e b9",
    );
    check("pio_uart_dma", &[[4, 5]], 3_000, "Test passed");
    // No address is answered; the first and the last eight are not scanned.
    check(
        "pio_i2c_bus_scan",
        &[],
        3_000,
        "70 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .\r\nDone.",
    );
    check(
        "pio_logic_analyser",
        &[],
        3_000,
        "17: -------------____-------------___------------_____",
    );
}

#[test]
fn a_slice_measures_the_duty_of_another() {
    let expected = "Output duty cycle = 50.0%, measured input duty cycle = 50.0%";
    check("pwm_measure_duty_cycle", &[[2, 5]], 3_000, expected);
}
