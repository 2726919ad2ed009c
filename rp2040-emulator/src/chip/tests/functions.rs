//! The pins of UARTs, SPIs, PWM and CLK_GPOUT as levels, and wires between pins.

use super::*;

fn function(pin: u32, function: u32) -> Do {
    Write(0x4001_4004 + 8 * pin, function)
}

/// Sets up a UART at 115,200 baud, 8N1, in both directions; a bit lasts 8,680 ns.
fn uart(base: u32) -> [Do; 4] {
    [
        Write(base + 0x24, 67),
        Write(base + 0x28, 52),
        Write(base + 0x2C, 0x70),
        Write(base + 0x30, 0x301),
    ]
}

/// Returns the changes of one pin: nanoseconds since the first, and the level.
fn changes(chip: &mut Chip, pin: u32) -> Vec<(u64, u32)> {
    let changes = chip.take_changes();
    let first = changes.first().map_or(0, |change| change.ns);
    changes.iter().map(|change| (change.ns - first, change.levels >> pin & 1)).collect()
}

/// Creates a chip that runs a script for a millisecond, with its pins observed from the end of its
/// setup on.
fn looked_at(script: &[Do], pin: u32) -> Chip {
    let mut chip = chip(&after_clocks(script));
    instead_of_the_end(&mut chip, ENDLESS);
    chip.watch(1 << pin);
    chip.observe_functions();
    chip.run(1_000_000);
    chip
}

#[test]
fn a_uarts_bits_are_on_its_pin() {
    let script = [&uart(0x4003_4000)[..], &[function(0, 2), Write(0x4003_4000, 0x55)]].concat();
    let mut chip = looked_at(&script, 0);
    // The pin rises to the idle line, then start bit, eight data bits, stop bit in turn.
    let bits: Vec<_> = changes(&mut chip, 0).into_iter().skip(1).collect();
    let start = bits[0].0;
    let expected: Vec<_> = (0..10).map(|bit| (start + bit * 8_680, bit as u32 & 1)).collect();
    assert_eq!(bits, expected);
}

#[test]
fn pins_that_are_not_observed_do_not_move() {
    let script = [&uart(0x4003_4000)[..], &[function(0, 2), Write(0x4003_4000, 0x55)]].concat();
    let mut chip = chip(&after_clocks(&script));
    instead_of_the_end(&mut chip, ENDLESS);
    chip.watch(1);
    chip.run(1_000_000);
    assert_eq!((chip.take_changes().len(), chip.take_sent(0).len()), (0, 1));
}

#[test]
fn a_wire_carries_bytes_from_one_uart_to_the_other() {
    let text = *b"wire";
    let bytes = text.map(|byte| Write(0x4003_4000, byte.into()));
    let script = [
        &uart(0x4003_4000)[..],
        &uart(0x4003_8000)[..],
        &[function(0, 2), function(5, 2)],
        &bytes[..],
    ]
    .concat();
    let mut chip = chip(&after_clocks(&script));
    instead_of_the_end(&mut chip, ENDLESS);
    assert!(chip.wire([0, 5]));
    chip.run(1_000_000);
    let found = text.map(|_| chip.devices.uarts[1].read(0, 1_000_000).unwrap());
    assert_eq!(found, text.map(u32::from));
}

#[test]
fn a_wire_from_tx_to_rx_is_a_loop_of_an_spi() {
    for control in [0x00C7, 0x0007, 0x0087, 0x0047] {
        let script = [
            Write(0x4003_C010, 16),
            Write(0x4003_C000, control),
            Write(0x4003_C004, 2),
            function(19, 1),
            function(16, 1),
            function(18, 1),
            Write(0x4003_C008, 0xA7),
        ];
        let mut chip = chip(&after_clocks(&script));
        instead_of_the_end(&mut chip, ENDLESS);
        assert!(chip.wire([16, 19]));
        chip.watch(1 << 18);
        chip.run(1_000_000);
        assert_eq!(chip.devices.spis[0].read(8, 1_000_000), Some(0xA7), "{control:#x}");
        let clocks = changes(&mut chip, 18).len();
        // A clock that rests high rises when its pin gets its function.
        assert_eq!(clocks, 16 + usize::from(control & 0x40 != 0), "{control:#x}");
    }
}

#[test]
fn a_pwms_wave_is_on_its_pin_in_both_modes() {
    // Top 9: ten ticks of 8 ns, three of them high; phase-correct twenty, six of them high.
    for (mode, high, low) in [(1, 24, 56), (3, 48, 112)] {
        let script = [
            function(4, 4),
            Write(0x4005_0000 + 2 * 0x14 + 0x10, 9),
            Write(0x4005_0000 + 2 * 0x14 + 0x0C, 3),
            Write(0x4005_0000 + 2 * 0x14, mode),
        ];
        let mut chip = looked_at(&script, 4);
        let changes = changes(&mut chip, 4);
        assert!(changes.len() > 1_000, "{}", changes.len());
        for pair in changes[4..].windows(2) {
            let lasts = if pair[0].1 == 1 { high } else { low };
            assert_eq!(pair[1].0 - pair[0].0, lasts, "mode {mode}, {pair:?}");
        }
    }
}

#[test]
fn a_clock_is_on_its_pin() {
    // The crystal divided by 12: 1 MHz.
    let script =
        [function(21, 8), Write(0x4000_8004, 12 << 8), Write(0x4000_8000, 5 << 5 | 1 << 11)];
    let mut chip = looked_at(&script, 21);
    let changes = changes(&mut chip, 21);
    assert!(changes.len() > 1_800, "{}", changes.len());
    assert!(changes[2..].windows(2).all(|pair| pair[1].0 - pair[0].0 == 500), "{changes:?}");
}

#[test]
fn wired_pins_have_one_level() {
    let mut chip = chip(&after_clocks(&[
        function(2, 5),
        Write(0xD000_0024, 1 << 2),
        Write(0xD000_0014, 1 << 2),
        Read(0xD000_0004),
        Write(0xD000_001C, 1 << 2),
        Read(0xD000_0004),
    ]));
    assert!(chip.wire([2, 3]) && chip.wire([3, 7]));
    assert!(!chip.wire([3, 30]), "there is no such pin");
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    let word = |n: u32| chip.memory().word(RESULTS + 4 * n).unwrap() & 0xFF;
    assert_eq!([0, 1].map(word), [0b1000_1100, 0]);
    // Without an output the caller's level counts, and a reset of the chip retains the wires.
    chip.power_on().unwrap();
    chip.drive(7, Drive::High);
    assert_eq!(chip.levels() & 0xFF, 0b1000_1100);
}

/// Runs a script on a chip with a wire from GPIO 5 to GPIO 7, once as it is and once with all
/// functions observed from power-on. Checks that both pins have the same edges in both runs, and at
/// least `edges`. Returns whether the functions were observed without that request.
#[track_caller]
fn has_observed(script: &[Do], edges: usize) -> bool {
    let [one, other] = [false, true].map(|observed| {
        let mut chip = chip(&after_clocks(script));
        instead_of_the_end(&mut chip, ENDLESS);
        if observed {
            chip.observe_functions();
        }
        assert!(chip.wire([5, 7]));
        chip.watch(1 << 5 | 1 << 7);
        chip.run(1_000_000);
        (chip.take_changes(), chip.devices.has_observed_functions())
    });
    let of_wire = |(changes, _): &(Vec<PinChange>, bool)| -> Vec<(u64, u32)> {
        changes.iter().map(|change| (change.ns, change.levels & (1 << 5 | 1 << 7))).collect()
    };
    assert_eq!(of_wire(&one), of_wire(&other));
    assert!(one.0.len() >= edges, "{:?}", one.0);
    one.1
}

/// Toggles GPIO 5 by SIO, four times high and low.
fn by_sio() -> Vec<Do> {
    let edges = [Write(0xD000_0014, 1 << 5), Write(0xD000_0018, 1 << 5)].repeat(4);
    [vec![function(5, 5), function(7, 5), Write(0xD000_0024, 1 << 5)], edges].concat()
}

/// Starts a wave of 1,000 cycles in channel A of slice 1 on GPIO 2, which has no wire.
fn wave() -> [Do; 4] {
    let slice = [(0x10, 999), (0x0C, 500), (0, 1)];
    let [top, level, start] = slice.map(|(register, value)| Write(0x4005_0014 + register, value));
    [function(2, 4), top, level, start]
}

#[test]
fn a_wire_between_pins_of_sio_and_pio_needs_no_edges_of_other_pins() {
    let sio = [&wave()[..], &by_sio()].concat();
    assert!(!has_observed(&sio, 8));
    let pio = 0x5020_0000;
    let then_pio = [
        Write(pio + 0x48, 0xE001),           // INSTR_MEM0: set pins, 1
        Write(pio + 0x4C, 0xE000),           // set pins, 0
        Write(pio + 0xC8, 500 << 16),        // SM0_CLKDIV: 4 us an instruction
        Write(pio + 0xCC, 1 << 12),          // SM0_EXECCTRL: wrap at 1
        Write(pio + 0xDC, 1 << 26 | 5 << 5), // SM0_PINCTRL: one pin from 5 on
        Write(pio + 0xD8, 0xE081),           // set pindirs, 1
        Write(pio, 1),
        function(5, 6),
    ];
    assert!(!has_observed(&[&sio[..], &then_pio].concat(), 100));
}

#[test]
fn a_wire_follows_a_pin_that_becomes_one_of_another_function() {
    // GPIO 5 is B of slice 2, and CSn of SPI 0; GPIO 7 is TX of SPI 0.
    let slice_2 = [
        Write(0x4005_0028 + 0x10, 999),
        Write(0x4005_0028 + 0x0C, 500 << 16),
        Write(0x4005_0028, 1),
        function(5, 4),
    ];
    let spi = [
        Write(0x4003_C010, 16),
        Write(0x4003_C000, 7),
        Write(0x4003_C004, 2),
        function(7, 1),
        Write(0x4003_C008, 0x55),
    ];
    // GPIO 5 is RX of UART 1; its TX is GPIO 4, which has no wire. GPIO 7 is driven by SIO.
    let uart_1 = [&uart(0x4003_8000)[..], &[function(5, 2)]].concat();
    // GPIO 5 releases the wire to the pin that takes it over.
    let release = [Write(0xD000_0028, 1 << 5)];
    assert!(has_observed(&[&wave()[..], &by_sio(), &slice_2].concat(), 200));
    assert!(has_observed(&[&wave()[..], &by_sio(), &release, &spi].concat(), 14));
    assert!(has_observed(&[&wave()[..], &by_sio(), &uart_1].concat(), 8));
}

#[test]
fn a_contact_to_a_wired_pin_carries_the_wave_of_a_function() {
    let mut chip = chip(&after_clocks(&wave()));
    instead_of_the_end(&mut chip, ENDLESS);
    assert!(chip.wire([5, 7]));
    chip.watch(1 << 7);
    chip.run(1_000_000);
    assert_eq!(chip.take_changes().len(), 0);
    chip.connect(&[[2, 5]], &[]);
    chip.run(2_000_000);
    assert!(chip.take_changes().len() > 200);
}

/// Returns a register of a slice of the PWM: CSR at 0, CTR at 8, CC at 0x0C, TOP at 0x10.
fn slice(number: u32, register: u32) -> u32 {
    0x4005_0000 + number * 0x14 + register
}

#[test]
fn a_slice_counts_edges_of_its_input_pin() {
    // Slice 4: GPIO 9 and GPIO 25, whose pin is low.
    let script = [function(9, 4), function(25, 4), Write(slice(4, 0), 1 | 2 << 4)];
    let mut chip = chip(&after_clocks(&script));
    instead_of_the_end(&mut chip, ENDLESS);
    chip.run(1_000_000);
    for n in 1..=5 {
        chip.drive(9, Drive::High);
        chip.run(1_000_000 + n * 2_000);
        // The input is high if either pin is.
        chip.drive(25, Drive::High);
        chip.drive(9, Drive::Low);
        chip.drive(9, Drive::High);
        chip.run(1_001_000 + n * 2_000);
        chip.drive(25, Drive::Open);
        chip.drive(9, Drive::Low);
        assert_eq!(chip.peek(0, slice(4, 8)), Some(n as u32));
    }
    chip.observe_functions();
    assert_eq!(chip.levels() >> 9 & 1, 0);
}

#[test]
fn a_wire_from_one_slice_to_another_measures_a_duty_cycle() {
    // A of slice 1 is high for 30 of 100 cycles; slice 3 counts cycles during that time.
    let script = [
        function(2, 4),
        function(7, 4),
        Write(slice(1, 0x10), 99),
        Write(slice(1, 0x0C), 30),
        Write(slice(3, 0), 1 | 1 << 4),
        Write(slice(1, 0), 1),
    ];
    let mut chip = chip(&after_clocks(&script));
    instead_of_the_end(&mut chip, ENDLESS);
    assert!(chip.wire([2, 7]));
    chip.run(1_000_000);
    let before = chip.peek(0, slice(3, 8)).unwrap();
    chip.run(1_400_000);
    let counted = chip.peek(0, slice(3, 8)).unwrap() - before;
    assert!(counted.abs_diff(50_000 * 3 / 10) <= 30, "{counted} of 50,000 cycles");
}

#[test]
fn a_slice_counts_the_edges_that_a_pio_makes() {
    // GPIO 5 belongs to the PIO and is wired to GPIO 7, B of slice 3: set pins, 1 and set pins, 0
    // in turn.
    let pio = 0x5020_0000;
    let script = [
        function(5, 6),
        function(7, 4),
        Write(slice(3, 0), 1 | 2 << 4),
        Write(pio + 0x48, 0xE001),           // INSTR_MEM0: set pins, 1
        Write(pio + 0x4C, 0xE000),           // set pins, 0
        Write(pio + 0xC8, 500 << 16),        // SM0_CLKDIV: 4 us an instruction
        Write(pio + 0xCC, 1 << 12),          // SM0_EXECCTRL: wrap at 1
        Write(pio + 0xDC, 1 << 26 | 5 << 5), // SM0_PINCTRL: one pin from 5 on
        Write(pio + 0xD8, 0xE081),           // set pindirs, 1
        Write(pio, 1),
    ];
    let mut chip = chip(&after_clocks(&script));
    instead_of_the_end(&mut chip, ENDLESS);
    assert!(chip.wire([5, 7]));
    chip.run(1_000_000);
    let before = chip.peek(0, slice(3, 8)).unwrap();
    chip.run(2_000_000);
    assert_eq!(chip.peek(0, slice(3, 8)).unwrap() - before, 125);
}

#[test]
fn a_pio_sees_a_pwm_wave_without_an_observer() {
    // A of slice 0 on GPIO 16: high for 500 of 1,000 cycles. The PIO waits for both levels and
    // raises flag 0.
    let pio = 0x5020_0000;
    for first in [true, false] {
        let enable = Write(pio, 1);
        let select = function(16, 4);
        let mut script = vec![
            Write(slice(0, 0x10), 999),
            Write(slice(0, 0x0C), 500),
            Write(slice(0, 0), 1),
            Write(pio + 0x48, 0x2090),  // INSTR_MEM0: wait 1 gpio, 16
            Write(pio + 0x4C, 0x2010),  // wait 0 gpio, 16
            Write(pio + 0x50, 0xC000),  // irq 0
            Write(pio + 0xCC, 2 << 12), // SM0_EXECCTRL: wrap at 2
        ];
        script.extend(if first { [enable, select] } else { [select, enable] });
        let mut chip = chip(&after_clocks(&script));
        instead_of_the_end(&mut chip, ENDLESS);
        chip.run(1_000_000);
        assert_eq!(chip.peek(0, pio + 0x30), Some(1), "the PIO first: {first}");
    }
}

#[test]
fn changes_of_functions_are_recorded_for_watched_pins() {
    let script = [
        function(2, 1),
        function(3, 1),
        function(2, 5),
        // The same function again is no change.
        function(2, 5),
        // A reset of the block selects no function.
        Write(0x4000_E000, 1 << 5),
    ];
    let mut chip = chip(&after_clocks(&script));
    chip.watch_functions(1 << 2);
    chip.run(1_000_000);
    let changes = chip.take_function_changes();
    let found: Vec<_> = changes.iter().map(|change| (change.pin, change.function)).collect();
    assert_eq!(found, [(2, 1), (2, 5), (2, 31)]);
    assert!(changes.is_sorted_by(|one, other| one.ns < other.ns), "{changes:?}");
    assert_eq!(chip.take_function_changes(), []);
}

#[test]
fn the_chip_drives_the_pins_of_enabled_outputs() {
    let script = [
        // An SPI drives SCK and TX, not RX; SIO drives the pins that it enables.
        function(16, 1),
        function(18, 1),
        function(19, 1),
        function(4, 5),
        function(5, 5),
        Write(0xD000_0024, 1 << 4 | 1 << 6),
    ];
    let mut chip = chip(&after_clocks(&script));
    chip.run(1_000_000);
    assert_eq!(chip.driven(), 1 << 18 | 1 << 19 | 1 << 4);
}
