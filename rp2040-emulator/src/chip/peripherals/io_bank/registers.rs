//! The registers and bits of IO_BANK0 and PADS_BANK0.

// IO_BANK0: RP2040 datasheet 2.19.6.1.
pub(super) const GPIO0_STATUS: u32 = 0x000; // status and control of 30 pins in turn, 2.19.6.1
#[cfg(test)]
pub(super) const GPIO0_CTRL: u32 = 0x004; // control of GPIO 0, 2.19.6.1
pub(super) const GPIO29_CTRL: u32 = 0x0EC; // control of the last pin, 2.19.6.1
pub(in crate::chip) const INTR0: u32 = 0x0F0; // raw interrupts of GPIO 0 to 7, 2.19.6.1
pub(in crate::chip) const INTR3: u32 = 0x0FC; // raw interrupts of GPIO 24 to 29, 2.19.6.1
pub(super) const PROC0_INTE0: u32 = 0x100; // interrupt enable of core 0, GPIO 0 to 7, 2.19.6.1
pub(super) const DORMANT_WAKE_INTS3: u32 = 0x18C; // the last interrupt status, 2.19.6.1

pub(super) const GPIO_STATUS_OUTFROMPERI_LSB: u32 = 8;
pub(super) const GPIO_STATUS_OUTTOPAD_LSB: u32 = 9;
pub(super) const GPIO_STATUS_OEFROMPERI_LSB: u32 = 12;
pub(super) const GPIO_STATUS_OETOPAD_LSB: u32 = 13;
pub(super) const GPIO_STATUS_INFROMPAD_LSB: u32 = 17;
pub(super) const GPIO_STATUS_INTOPERI_LSB: u32 = 19;
pub(super) const GPIO_CTRL_FUNCSEL: u32 = 0x1F;
pub(super) const GPIO_CTRL_FUNCSEL_PWM: u32 = 4;
pub(super) const GPIO_CTRL_FUNCSEL_SIO: u32 = 5;
pub(super) const GPIO_CTRL_FUNCSEL_PIO0: u32 = 6;
pub(super) const GPIO_CTRL_FUNCSEL_PIO1: u32 = 7;
pub(super) const GPIO_CTRL_FUNCSEL_NULL: u32 = 0x1F;
pub(super) const GPIO_CTRL_OUTOVER_LSB: u32 = 8;
pub(super) const GPIO_CTRL_OEOVER_LSB: u32 = 12;
pub(super) const GPIO_CTRL_INOVER_LSB: u32 = 16;
pub(super) const GPIO_CTRL_IRQOVER_LSB: u32 = 28;
pub(super) const GPIO_CTRL_BITS: u32 = GPIO_CTRL_FUNCSEL
    | 3 << GPIO_CTRL_OUTOVER_LSB
    | 3 << GPIO_CTRL_OEOVER_LSB
    | 3 << GPIO_CTRL_INOVER_LSB
    | 3 << GPIO_CTRL_IRQOVER_LSB;
/// Conditions of a pin, in its four bits of INTR, INTE, INTF and INTS.
pub(super) const LEVEL_LOW: u32 = 1;
pub(super) const EDGE_LOW: u32 = 1 << 2;
pub(super) const EDGE_HIGH: u32 = 1 << 3;
/// Both edges of each of a register's eight pins; they remain raised until they are cleared.
pub(super) const EDGES: u32 = (EDGE_LOW | EDGE_HIGH) * 0x1111_1111;

// PADS_BANK0: RP2040 datasheet 2.19.6.3.
pub(super) const VOLTAGE_SELECT: u32 = 0x00; // supply voltage, 2.19.6.3
pub(super) const PADS_GPIO0: u32 = 0x04; // GPIO0: the first of 30 pads, 2.19.6.3
pub(super) const SWCLK: u32 = 0x7C; // pad of the debug clock, 2.19.6.3
pub(super) const SWD: u32 = 0x80; // pad of the debug data, 2.19.6.3

pub(super) const VOLTAGE_SELECT_BITS: u32 = 1;
pub(super) const PADS_SCHMITT: u32 = 1 << 1;
pub(super) const PADS_PDE: u32 = 1 << 2;
pub(super) const PADS_PUE: u32 = 1 << 3;
pub(super) const PADS_DRIVE_VALUE_4MA: u32 = 1 << 4;
pub(super) const PADS_IE: u32 = 1 << 6;
pub(super) const PADS_OD: u32 = 1 << 7;
pub(super) const PADS_BITS: u32 = 0xFF;
/// Value of pads after reset: input on, 4 mA, pull-down, Schmitt trigger.
pub(super) const PADS_RESET: u32 = PADS_IE | PADS_DRIVE_VALUE_4MA | PADS_PDE | PADS_SCHMITT;
/// Value of SWD after reset: as other pads, with a pull-up.
pub(super) const SWD_RESET: u32 = PADS_IE | PADS_DRIVE_VALUE_4MA | PADS_PUE | PADS_SCHMITT;
/// Value of SWCLK after reset: as SWD, with its output disabled.
pub(super) const SWCLK_RESET: u32 = PADS_OD | SWD_RESET;
