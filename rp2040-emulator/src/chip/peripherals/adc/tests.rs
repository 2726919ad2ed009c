//! Tests of the converter at 48 MHz, where a conversion takes 2 µs.

use super::*;

const CONVERSION_NS: u64 = 2_000;

fn adc() -> Adc {
    let mut adc = Adc::default();
    adc.set_clock(Some(48_000_000), 0);
    for number in 0..4 {
        adc.set_input(number, AnalogInput::Volts(3.3 * number as f64 / 4.0 + 0.0001));
    }
    adc
}

#[test]
fn one_conversion_takes_96_cycles_of_its_clock() {
    let mut adc = adc();
    adc.write(CS, CS_EN | CS_START_ONCE | 2 << CS_AINSEL_LSB, 0);
    assert_eq!(adc.read(CS, CONVERSION_NS - 1).unwrap() & CS_READY, 0);
    assert_eq!(adc.read(RESULT, CONVERSION_NS - 1), Some(0));
    assert_eq!(adc.read(CS, CONVERSION_NS), Some(CS_EN | CS_READY | 2 << CS_AINSEL_LSB));
    assert_eq!(adc.read(RESULT, CONVERSION_NS), Some(2048));
}

/// Checks the result of a conversion of a voltage at the first input.
#[track_caller]
fn check(volts: f64, result: u32) {
    let mut adc = adc();
    adc.set_input(0, AnalogInput::Volts(volts));
    adc.write(CS, CS_EN | CS_START_ONCE, 0);
    assert_eq!(adc.read(RESULT, CONVERSION_NS), Some(result), "{volts} V");
}

#[test]
fn results_stay_within_twelve_bits() {
    check(-1.0, 0);
    check(0.0009, 1);
    check(1.65, 2048);
    check(3.3, 4095);
    check(1e9, 4095);
    check(f64::NAN, 0);
}

#[test]
fn the_sensor_has_27_degrees_and_needs_its_current() {
    let mut adc = adc();
    let select = 4 << CS_AINSEL_LSB;
    adc.write(CS, CS_EN | CS_TS_EN | CS_START_ONCE | select, 0);
    let result = adc.read(RESULT, CONVERSION_NS).unwrap();
    let celsius = 27.0 - (f64::from(result) * 3.3 / 4096.0 - 0.706) / 0.001_721;
    assert!((celsius - 27.0).abs() < 0.5, "{celsius}");
    adc.write(CS, CS_EN | CS_START_ONCE | select, 10_000);
    assert_eq!(adc.read(RESULT, 20_000), Some(0));
    adc.set_input(4, AnalogInput::Volts(AnalogInput::sensor_volts(100.0)));
    adc.write(CS, CS_EN | CS_TS_EN | CS_START_ONCE | select, 20_000);
    assert_eq!(adc.read(RESULT, 30_000), Some(720));
}

#[test]
fn repeated_conversions_keep_their_interval_or_have_no_pause() {
    // 47,999 cycles and one are 1 ms. Less than 96 cycles is not possible.
    for (divider, interval) in [(0, 2_000), (50 << 8, 2_000), (47_999 << 8, 1_000_000)] {
        let mut adc = adc();
        adc.write(FCS, FCS_EN | FCS_DREQ_EN | 1 << FCS_THRESH_LSB, 0);
        adc.write(DIV, divider, 0);
        adc.write(CS, CS_EN | CS_START_MANY, 0);
        let mut times = vec![];
        while times.len() < 3 {
            let next = adc.next();
            adc.advance(next);
            if adc.request() {
                adc.read(FIFO, next);
                times.push(next);
            }
        }
        let first = CONVERSION_NS;
        assert_eq!(times, [first, first + interval, first + 2 * interval], "{divider:#x}");
    }
}

#[test]
fn inputs_take_turns_from_the_selected_one_on() {
    let mut adc = adc();
    adc.write(FCS, FCS_EN | FCS_SHIFT, 0);
    adc.write(CS, CS_EN | CS_START_MANY | 0b1010 << CS_RROBIN_LSB | 2 << CS_AINSEL_LSB, 0);
    let end = 4 * CONVERSION_NS;
    let bytes: Vec<u32> = (0..4).filter_map(|_| adc.read(FIFO, end)).collect();
    assert_eq!(bytes, [128, 192, 64, 192]);
}

#[test]
fn a_full_fifo_loses_results_and_an_empty_one_has_none() {
    let mut adc = adc();
    adc.write(FCS, FCS_EN | 4 << FCS_THRESH_LSB, 0);
    adc.write(INTE, 1, 0);
    adc.write(CS, CS_EN | CS_START_MANY, 0);
    adc.advance(4 * CONVERSION_NS - 1);
    assert!(!adc.interrupt());
    adc.advance(4 * CONVERSION_NS);
    assert!(adc.interrupt());
    let status = |adc: &mut Adc| adc.read(FCS, 9 * CONVERSION_NS).unwrap() & !FCS_HELD;
    assert_eq!(status(&mut adc), FCS_FULL | FCS_OVER | 8 << FCS_LEVEL_LSB);
    adc.write(CS, CS_EN, 9 * CONVERSION_NS);
    adc.write(FCS, FCS_EN | FCS_OVER, 10 * CONVERSION_NS);
    for _ in 0..9 {
        adc.read(FIFO, 10 * CONVERSION_NS);
    }
    assert_eq!(status(&mut adc), FCS_EMPTY | FCS_UNDER);
}

#[test]
fn a_threshold_of_0_interrupts_but_requests_no_dma() {
    let mut adc = adc();
    adc.write(CS, 0, 0);
    adc.write(FCS, FCS_DREQ_EN, 0);
    adc.write(INTE, 1, 0);
    assert!(!adc.interrupt());
    adc.write(CS, CS_EN | CS_START_ONCE, 0);
    assert_eq!((adc.interrupt(), adc.request()), (true, false));
    adc.write(INTE, 0, 0);
    assert!(!adc.interrupt());
}

#[test]
fn a_table_has_straight_lines_between_its_points() {
    let table = AnalogInput::Table([(1_000, 1.0), (2_000, 2.0), (2_000, 0.5)].into());
    let volts = [0, 1_000, 1_500, 2_000, 9_000].map(|ns| table.volts(ns));
    assert_eq!(volts, [1.0, 1.0, 1.5, 0.5, 0.5]);
    assert_eq!(AnalogInput::Table([].into()).volts(7), 0.0);
    assert_eq!(AnalogInput::Function(std::sync::Arc::new(|ns| ns as f64)).volts(7), 7.0);
}

#[test]
fn without_its_clock_nothing_is_converted() {
    let mut adc = adc();
    adc.set_clock(None, 0);
    adc.write(INTE, 1, 0);
    adc.write(CS, CS_EN | CS_START_MANY, 0);
    adc.advance(1 << 40);
    assert_eq!((adc.next(), adc.read(RESULT, 1 << 40)), (u64::MAX, Some(0)));
}
