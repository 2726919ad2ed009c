//! Reports of registers that are not modelled, and faults.

use super::*;
use crate::image::Symbols;

#[test]
fn what_is_not_modelled_is_reported_once_with_its_instruction() {
    let chip = check(&[Read(0x1400_0020), Read(0x1400_0020), Write(0x1400_0024, 1)], &[0, 0]);
    let reports: Vec<_> = chip.not_modelled().iter().map(ToString::to_string).collect();
    assert_eq!(reports.len(), 2, "{reports:#?}");
    assert!(
        reports[0].starts_with(
            "XIP control register is not modelled: core 0 reads 0x14000020 at 0x10000222"
        ),
        "{reports:#?}"
    );
    assert!(
        reports[1].starts_with("XIP control register is not modelled: core 0 writes 0x14000024"),
        "{reports:#?}"
    );
}

#[test]
fn a_report_has_the_datasheets_name_of_the_register() {
    let chip = check(&[Write(0x5011_0040, 3), Write(0x1400_0024, 1)], &[]);
    let reports: Vec<_> = chip.not_modelled().iter().map(ToString::to_string).collect();
    assert_eq!(reports.len(), 2, "{reports:#?}");
    assert!(reports[0].ends_with(", USBCTRL_REGS.MAIN_CTRL"), "{reports:#?}");
    let (_, cycle) = reports[1].split_once("cycle ").expect("a cycle");
    assert!(cycle.parse::<u64>().is_ok(), "it has no name: {reports:#?}");
}

#[test]
fn an_unmapped_address_is_a_fault() {
    let mut chip = chip(&[Read(0x6000_0000)]);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception(), Some(crate::cpu::Exception::HARD_FAULT));
}

#[test]
fn a_report_of_a_fault_names_the_function_that_it_happened_in() {
    let mut chip = chip(&[Read(0x6000_0000)]);
    assert_eq!(chip.fault_report(0, &Symbols::default()), None);
    chip.run(SECOND_NS);
    let report = chip.fault_report(0, &Symbols::new([(CODE, 0, "player")])).unwrap();
    assert!(report.contains("bus error reading 0x60000000"), "{report}");
    assert!(report.ends_with("in 0x10000222 player+0x22"), "{report}");
}
