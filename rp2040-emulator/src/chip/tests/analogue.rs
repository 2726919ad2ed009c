//! The ADC, used by a program: 48 MHz from the USB PLL, 2 µs a conversion.

use super::*;

const ADC_CS: u32 = 0x4004_C000;
const ADC_RESULT: u32 = 0x4004_C004;
const ADC_FCS: u32 = 0x4004_C008;
const ADC_FIFO: u32 = 0x4004_C00C;

/// Precedes a script with the setup of PLL_USB at 48 MHz, and clk_adc from it.
fn after_adc_clock(script: &[Do]) -> Vec<Do> {
    let clock = [
        Write(0x4002_C008, 100),
        Write(0x4002_C004, 0),
        Write(0x4002_C00C, 5 << 16 | 5 << 12),
        Write(0x4000_8060, 1 << 11),
    ];
    after_clocks(&[&clock, script].concat())
}

#[test]
fn a_conversion_has_the_voltage_of_its_time() {
    let script = after_adc_clock(&[Write(ADC_CS, 1 | 1 << 2), Wfi]);
    let mut chip = chip(&script);
    // The voltage at GPIO 26 falls while the conversion runs.
    chip.set_analog_input(
        0,
        AnalogInput::Function(std::sync::Arc::new(|ns| if ns < 60_000 { 3.0 } else { 1.0 })),
    );
    chip.run(58_500);
    chip.run(70_000);
    assert_eq!(chip.devices.adc.read(4, 70_000), Some((3.0 / 3.3 * 4096.0) as u32));
    let quiet: Vec<_> = chip.not_modelled().iter().map(ToString::to_string).collect();
    assert!(quiet.is_empty(), "{quiet:#?}");
}

#[test]
fn the_dma_takes_results_as_they_come() {
    let script = after_adc_clock(&[
        Write(0x5000_0000, ADC_FIFO),
        Write(0x5000_0004, 0x2000_2000),
        Write(0x5000_0008, 5),
        // Halfwords, write address incremented, paced by request 36; chained to itself.
        Write(0x5000_000C, 36 << 15 | 1 << 5 | 1 << 2 | 1),
        Write(0xE000_E100, 1 << 11),
        Write(0x5000_0404, 1),
        Write(ADC_FCS, 1 | 1 << 3 | 1 << 24),
        Write(ADC_CS, 1 | 1 << 3),
        Wfi,
        Read(ADC_RESULT),
    ]);
    let mut chip = chip(&script);
    chip.set_analog_input(0, AnalogInput::Volts(3.3));
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    let bytes: [u8; 12] = chip.memory().bytes(0x2000_2000).unwrap();
    assert_eq!(bytes, [0xFF, 0x0F, 0xFF, 0x0F, 0xFF, 0x0F, 0xFF, 0x0F, 0xFF, 0x0F, 0, 0]);
}

#[test]
fn a_filled_fifo_interrupts() {
    let script = after_adc_clock(&[
        Write(0xE000_E100, 1 << 22),
        Write(ADC_FCS, 1 | 3 << 24),
        Write(0x4004_C018, 1),
        Write(ADC_CS, 1 | 1 << 3),
        Wfi,
    ]);
    let mut chip = chip(&script);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception().map(|e| e.number()), Some(16 + 22));
}
