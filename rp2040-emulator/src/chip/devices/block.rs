//! The address map: which block of registers an address selects.

use crate::chip::peripherals::bus_control::BusPort;

// The address map: RP2040 datasheet 2.2.
const SYSINFO_BASE: u32 = 0x4000_0000;
const SYSCFG_BASE: u32 = 0x4000_4000;
const CLOCKS_BASE: u32 = 0x4000_8000;
const RESETS_BASE: u32 = 0x4000_C000;
const PSM_BASE: u32 = 0x4001_0000;
pub(super) const IO_BANK0_BASE: u32 = 0x4001_4000;
pub(super) const IO_QSPI_BASE: u32 = 0x4001_8000;
const PADS_BANK0_BASE: u32 = 0x4001_C000;
const PADS_QSPI_BASE: u32 = 0x4002_0000;
pub(super) const XOSC_BASE: u32 = 0x4002_4000;
const PLL_SYS_BASE: u32 = 0x4002_8000;
const PLL_USB_BASE: u32 = 0x4002_C000;
const BUSCTRL_BASE: u32 = 0x4003_0000;
pub(super) const UART0_BASE: u32 = 0x4003_4000;
pub(super) const UART1_BASE: u32 = 0x4003_8000;
pub(super) const SPI0_BASE: u32 = 0x4003_C000;
pub(super) const SPI1_BASE: u32 = 0x4004_0000;
const I2C0_BASE: u32 = 0x4004_4000;
const I2C1_BASE: u32 = 0x4004_8000;
pub(super) const ADC_BASE: u32 = 0x4004_C000;
pub(super) const PWM_BASE: u32 = 0x4005_0000;
pub(super) const TIMER_BASE: u32 = 0x4005_4000;
const WATCHDOG_BASE: u32 = 0x4005_8000;
const RTC_BASE: u32 = 0x4005_C000;
pub(super) const ROSC_BASE: u32 = 0x4006_0000;
pub(super) const VREG_AND_CHIP_RESET_BASE: u32 = 0x4006_4000;
const TBMAN_BASE: u32 = 0x4006_C000;
pub(super) const DMA_BASE: u32 = 0x5000_0000;
pub(super) const PIO0_BASE: u32 = 0x5020_0000;
pub(super) const PIO1_BASE: u32 = 0x5030_0000;
const XIP_AUX_BASE: u32 = 0x5040_0000;
const XIP_CTRL_BASE: u32 = 0x1400_0000;
const XIP_SRAM_BASE: u32 = 0x1500_0000;
const XIP_SSI_BASE: u32 = 0x1800_0000;
const USBCTRL_DPRAM_BASE: u32 = 0x5010_0000;
const USBCTRL_DPRAM_END: u32 = 0x5010_FFFF;
const USBCTRL_REGS_BASE: u32 = 0x5011_0000;
const USBCTRL_REGS_END: u32 = 0x5011_FFFF;
/// Base of the single-cycle I/O block, which only the cores can access.
pub(super) const SIO_BASE: u32 = 0xD000_0000;

/// Bits of an address that select its block.
pub(super) const BLOCK_BITS: u32 = 0xFFFF_C000;
/// Bits of an address that select set, clear and flip (datasheet section 2.1.2).
pub(super) const ALIAS_BITS: u32 = 0x3000;

/// A block of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    SystemInfo,
    SystemConfig,
    Clocks,
    Resets,
    Power,
    IoBank,
    Pads,
    Xosc,
    PllSys,
    PllUsb,
    Uart(usize),
    Spi(usize),
    I2c(usize),
    Pwm,
    Pio(usize),
    Dma,
    IoQspi,
    PadsQspi,
    Timer,
    Watchdog,
    Rosc,
    Voltage,
    Adc,
    Rtc,
    BusControl,
    TestBench,
    XipControl,
    /// The FIFO of the XIP stream, on the bus of the fast peripherals.
    XipStream,
    /// The cache's memory, used as RAM.
    XipMemory,
    Ssi,
    /// The USB controller's RAM of 4 KiB; narrow transfers change part of a word.
    UsbRam,
    Usb,
}

impl Block {
    /// Returns the block at `address`; `None` where the bus responds with an error.
    pub(super) fn at(address: u32) -> Option<Self> {
        Some(match address & BLOCK_BITS {
            SYSINFO_BASE => Self::SystemInfo,
            SYSCFG_BASE => Self::SystemConfig,
            CLOCKS_BASE => Self::Clocks,
            RESETS_BASE => Self::Resets,
            PSM_BASE => Self::Power,
            IO_BANK0_BASE => Self::IoBank,
            IO_QSPI_BASE => Self::IoQspi,
            PADS_BANK0_BASE => Self::Pads,
            PADS_QSPI_BASE => Self::PadsQspi,
            XOSC_BASE => Self::Xosc,
            PLL_SYS_BASE => Self::PllSys,
            PLL_USB_BASE => Self::PllUsb,
            BUSCTRL_BASE => Self::BusControl,
            UART0_BASE => Self::Uart(0),
            UART1_BASE => Self::Uart(1),
            SPI0_BASE => Self::Spi(0),
            SPI1_BASE => Self::Spi(1),
            I2C0_BASE => Self::I2c(0),
            I2C1_BASE => Self::I2c(1),
            ADC_BASE => Self::Adc,
            PWM_BASE => Self::Pwm,
            TIMER_BASE => Self::Timer,
            WATCHDOG_BASE => Self::Watchdog,
            RTC_BASE => Self::Rtc,
            ROSC_BASE => Self::Rosc,
            VREG_AND_CHIP_RESET_BASE => Self::Voltage,
            TBMAN_BASE => Self::TestBench,
            DMA_BASE => Self::Dma,
            USBCTRL_DPRAM_BASE..=USBCTRL_DPRAM_END => Self::UsbRam,
            USBCTRL_REGS_BASE..=USBCTRL_REGS_END => Self::Usb,
            PIO0_BASE => Self::Pio(0),
            PIO1_BASE => Self::Pio(1),
            XIP_AUX_BASE => Self::XipStream,
            XIP_CTRL_BASE => Self::XipControl,
            XIP_SRAM_BASE => Self::XipMemory,
            XIP_SSI_BASE => Self::Ssi,
            _ => return None,
        })
    }

    /// Returns whether bits 12 and 13 of an address select set, clear and flip.
    pub(super) fn has_aliases(self) -> bool {
        !matches!(self, Self::XipControl | Self::XipMemory | Self::Ssi | Self::UsbRam)
    }

    /// Returns the port of the bus whose accesses BUSCTRL can count.
    pub(super) fn port(self) -> BusPort {
        match self {
            Self::Dma | Self::Pio(_) | Self::Usb | Self::UsbRam | Self::XipStream => {
                BusPort::FastPeripherals
            }
            Self::XipControl | Self::XipMemory | Self::Ssi => BusPort::Xip,
            _ => BusPort::Apb,
        }
    }

    /// Returns the offset of the register at `address`; a narrow transfer accesses the whole word.
    pub(super) fn offset(self, address: u32) -> u32 {
        match self {
            Self::UsbRam => address & 0xFFC,
            _ => address & if self.has_aliases() { 0xFFC } else { 0x3FFC },
        }
    }

    /// Returns the block's name in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SystemInfo => "SYSINFO register",
            Self::SystemConfig => "SYSCFG register",
            Self::Clocks => "CLOCKS register",
            Self::Resets => "RESETS register",
            Self::Power => "PSM register",
            Self::IoBank => "IO_BANK0 register",
            Self::Pads => "PADS_BANK0 register",
            Self::Xosc => "XOSC register",
            Self::PllSys => "PLL_SYS register",
            Self::PllUsb => "PLL_USB register",
            Self::Uart(0) => "UART0 register",
            Self::Uart(_) => "UART1 register",
            Self::Spi(0) => "SPI0 register",
            Self::Spi(_) => "SPI1 register",
            Self::I2c(0) => "I2C0 register",
            Self::I2c(_) => "I2C1 register",
            Self::Pwm => "PWM register",
            Self::Pio(0) => "PIO0 register",
            Self::Pio(_) => "PIO1 register",
            Self::Dma => "DMA register",
            Self::IoQspi => "IO_QSPI register",
            Self::PadsQspi => "PADS_QSPI register",
            Self::Timer => "TIMER register",
            Self::Watchdog => "WATCHDOG register",
            Self::Rosc => "ROSC register",
            Self::Voltage => "VREG_AND_CHIP_RESET register",
            Self::Adc => "ADC register",
            Self::Rtc => "RTC register",
            Self::BusControl => "BUSCTRL register",
            Self::TestBench => "TBMAN register",
            Self::XipControl => "XIP control register",
            Self::XipStream => "XIP stream",
            Self::XipMemory => "XIP cache as RAM",
            Self::Ssi => "SSI register",
            Self::UsbRam => "USB RAM",
            Self::Usb => "USB register",
        }
    }
}
