//! Programs on rp2040-hal's own, unmodified API run in the emulator, and every line that they
//! report on UART0 must be as expected.
//!
//! `scripts/on-target.sh` builds them from `rp2040-emulator/on-target`, then
//! `cargo test -p rp2040-emulator --test on_target` runs them.

mod board;
mod debug_information;
mod i2c;
mod pio;
mod usb;

use board::{check, check_both_loops, nothing, run};
use rp2040_emulator::chip::{AnalogInput, Chip, Drive};

#[test]
fn uarts_send_receive_and_interrupt() {
    let mut begun = false;
    let outside = |chip: &mut Chip| {
        // UART0 receives from the report's beginning on, which the pin's function shows.
        if !begun && chip.function(1) == Some(2) && chip.function(8) == Some(2) {
            begun = true;
            for byte in *b"report" {
                chip.send(0, byte);
            }
        }
        for (_, byte) in chip.take_sent(1) {
            let count = if byte == b'!' { 40 } else { 1 };
            for _ in 0..count {
                chip.send(1, byte.to_ascii_uppercase());
            }
        }
    };
    check(
        "uart",
        outside,
        &[
            "polled bytes come back",
            "embedded-io reads and writes",
            "bytes take their time on the line",
            "the FIFO takes 32 bytes",
            "a full receiver tells of an overrun",
            "the receiver interrupts",
            "the transmitter interrupts",
            "split halves work",
            "UART0 receives",
        ],
    );
}

#[test]
fn spi_masters_exchange_frames_at_their_rates() {
    let mut answers = 1..=u16::MAX;
    let mut waiting: Option<u16> = None;
    let outside = |chip: &mut Chip| {
        chip.set_spi_idle_level(1, true);
        while let Some(word) = waiting.take().or_else(|| answers.next()) {
            if !chip.answer_spi(0, word) {
                waiting = Some(word);
                break;
            }
        }
        chip.take_spi_sent(0);
    };
    let mut run = check(
        "spi",
        outside,
        &[
            "a transfer reads what is answered",
            "frames follow one by one",
            "rates are those that it says",
            "frames of sixteen bits",
            "an undriven input keeps its level",
            "in a loop it reads what it writes",
            "the receiver interrupts",
        ],
    );
    let (sent, dropped) = run.chip.take_spi_sent(1);
    assert_eq!((sent.len(), dropped), (5 + 11 + 7, 0));
}

#[test]
fn timer_alarms_and_systick_keep_time() {
    check(
        "timer",
        nothing,
        &[
            "the counter counts microseconds",
            "delays last as long as they say",
            "a countdown comes round",
            "an alarm interrupts at its time",
            "an alarm at a time that was",
            "an alarm that is cancelled stays silent",
            "an alarm is seen without an interrupt",
            "every alarm has its own time",
            "SysTick interrupts",
            "SysTick's delay",
        ],
    );
}

#[test]
fn pins_go_out_come_in_and_interrupt() {
    let outside = |chip: &mut Chip| {
        let high = |pin: u32| chip.levels() >> pin & 1 != 0;
        let wire = if high(2) { Drive::High } else { Drive::Low };
        let button = if high(4) { Drive::Low } else { Drive::Open };
        chip.drive(3, wire);
        chip.drive(5, button);
    };
    check(
        "gpio",
        outside,
        &[
            "a level goes out and comes back in",
            "overrides turn levels round",
            "pads keep what they are set to",
            "edges interrupt",
            "a level interrupts while it lasts",
            "pulls decide where nothing drives",
            "an output reads itself",
            "a group of pins moves at once",
        ],
    );
}

#[test]
fn pwm_slices_count_wrap_and_put_out_waves() {
    let mut run = check(
        "pwm",
        nothing,
        &[
            "a counter counts to its top",
            "a phase is moved by one",
            "a wrap is seen and cleared",
            "phase-correct counts up and down",
            "slices begin together",
            "wraps interrupt",
            "an input is counted",
            "outputs are waves",
        ],
    );
    assert_eq!(run.chip.square_wave(7, 0), Some((1_000.0, 0.25)));
    assert_eq!(run.chip.square_wave(7, 1), Some((1_000.0, 0.75)));
    assert_eq!([14, 15].map(|pin| run.chip.function(pin)), [Some(4), Some(4)]);
}

#[test]
fn dma_copies_chains_paces_and_interrupts() {
    let mut answers = 1..=255;
    let mut waiting = None;
    let outside = |chip: &mut Chip| {
        while let Some(word) = waiting.take().or_else(|| answers.next()) {
            if !chip.answer_spi(0, word) {
                waiting = Some(word);
                break;
            }
        }
        for (_, byte) in chip.take_sent(1) {
            chip.send(1, byte.to_ascii_uppercase());
        }
    };
    let mut run = check(
        "dma",
        outside,
        &[
            "memory is copied and its bytes turned",
            "a finished transfer is reported at once",
            "the end interrupts",
            "the other line interrupts as well",
            "SPI both ways",
            "buffers follow each other without a pause",
            "UART out and in",
            "a wrap of the PWM paces",
        ],
    );
    let (sent, _) = run.chip.take_spi_sent(0);
    let buffers: Vec<u16> = sent[20..].iter().map(|word| word.word).collect();
    assert_eq!(buffers, [[1; 100], [2; 100], [3; 100]].concat());
    for pair in sent[20..].windows(2) {
        assert_eq!(pair[1].ns - pair[0].ns, 640, "a pause between two bytes");
    }
}

#[test]
fn two_cores_communicate_and_exclude_each_other() {
    check(
        "multicore",
        nothing,
        &[
            "core 1 is launched",
            "words go there and back",
            "each core has its number",
            "a full FIFO says so",
            "critical sections keep cores apart",
            "a spinlock is claimed by one",
            "a stack is taken once",
        ],
    );
}

#[test]
fn dividers_interpolators_and_the_rom_compute() {
    check(
        "arithmetic",
        nothing,
        &[
            "the dividers divide",
            "so do operators",
            "interpolator 0 steps and blends",
            "interpolator 1 clamps",
            "the ROM counts bits",
            "the ROM copies and fills",
            "the ROM tells who it is",
            "f32 is the ROM's",
            "f32 becomes whole and back",
            "f64 is the ROM's",
            "f64 becomes whole and back",
            "sines and logarithms",
        ],
    );
}

#[test]
fn clocks_run_at_the_rates_that_the_hal_computes() {
    check(
        "clocks",
        nothing,
        &[
            "clocks are what they should be",
            "the system runs at 125 MHz",
            "the crystal divided by two",
            "the ring oscillator",
            "its bits are random",
            "133 MHz",
        ],
    );
}

#[test]
fn the_watchdog_resets_and_scratch_registers_persist() {
    check(
        "watchdog",
        nothing,
        &[
            "fed, it waits",
            "scratch registers remember",
            "a reset begins anew",
            "unfed, it bites in time",
            "a reset lets it rest",
            "a core that asks is reset",
            "switched off, it rests",
        ],
    );
}

#[test]
fn the_adc_converts_voltages_in_turn_into_its_fifo_and_the_dma() {
    let mut begun = false;
    let outside = |chip: &mut Chip| {
        if !std::mem::replace(&mut begun, true) {
            let ramp = [(0, 0.0), (33_000_000, 3.3)];
            chip.set_analog_input(0, AnalogInput::Volts(1.1));
            chip.set_analog_input(1, AnalogInput::Volts(2.2));
            chip.set_analog_input(2, AnalogInput::Table(ramp.into()));
            chip.set_analog_input(4, AnalogInput::Volts(AnalogInput::sensor_volts(40.0)));
        }
    };
    check(
        "adc",
        outside,
        &[
            "voltages are converted",
            "a ramp rises",
            "the sensor has 40 degrees",
            "the FIFO fills at its rate",
            "the threshold interrupts",
            "the DMA takes results",
            "inputs take turns",
        ],
    );
}

#[test]
fn the_real_time_clock_keeps_the_date_and_its_alarm() {
    check(
        "rtc",
        nothing,
        &["it runs", "a day ends", "centuries can be told", "an alarm interrupts at its second"],
    );
}

#[test]
fn flash_is_erased_and_programmed_by_the_roms_functions() {
    let run = check(
        "flash",
        nothing,
        &[
            "a sector is erased in its time",
            "a page is programmed",
            "bits only fall",
            "the neighbours stay",
        ],
    );
    assert_eq!(run.chip.memory().word(0x101F_E000), Some(u32::MAX));
}

#[test]
fn unmodelled_registers_are_reported_once_with_their_place() {
    let run = run("not_modelled", nothing);
    assert_eq!(run.lines, ["ok what is not modelled reads as zero"]);
    let reports = run.chip.not_modelled();
    let found: Vec<_> = reports.iter().map(|r| (r.what, r.access.address, r.write)).collect();
    let expected = [
        ("DWT", 0xE000_1000, false),
        ("breakpoint unit", 0xE000_2000, false),
        ("breakpoint unit", 0xE000_2000, true),
    ];
    assert_eq!(found, expected);
    for report in reports {
        let text = report.to_string();
        assert!(text.contains(&format!("0x{:08x}", report.access.pc)), "{text}");
        assert!((0x1000_0100..0x1001_0000).contains(&report.access.pc), "{text}");
    }
}

#[test]
fn both_loops_of_the_core_give_the_same_states() {
    for name in [
        "adc",
        "arithmetic",
        "clocks",
        "dma",
        "flash",
        "gpio",
        "i2c",
        "multicore",
        "pio",
        "pwm",
        "rtc",
        "spi",
        "timer",
        "uart",
        "watchdog",
    ] {
        check_both_loops(name, 1_000);
    }
}
