//! Which block stands at an address: the datasheet's address map.

/// Where the single-cycle I/O block begins, which only the cores reach.
pub(super) const SIO_BASE: u32 = 0xD000_0000;

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
    XipControl,
    Ssi,
    /// Known, but not modelled: its name.
    NotModelled(&'static str),
}

impl Block {
    /// The block at `address`; `None` where the bus answers with an error.
    pub(super) fn at(address: u32) -> Option<Self> {
        Some(match address & 0xFFFF_C000 {
            0x4000_0000 => Self::SystemInfo,
            0x4000_4000 => Self::SystemConfig,
            0x4000_8000 => Self::Clocks,
            0x4000_C000 => Self::Resets,
            0x4001_0000 => Self::Power,
            0x4001_4000 => Self::IoBank,
            0x4001_8000 => Self::IoQspi,
            0x4001_C000 => Self::Pads,
            0x4002_0000 => Self::PadsQspi,
            0x4002_4000 => Self::Xosc,
            0x4002_8000 => Self::PllSys,
            0x4002_C000 => Self::PllUsb,
            0x4003_0000 => Self::NotModelled("BUSCTRL"),
            0x4003_4000 => Self::Uart(0),
            0x4003_8000 => Self::Uart(1),
            0x4003_C000 => Self::Spi(0),
            0x4004_0000 => Self::Spi(1),
            0x4004_4000 => Self::I2c(0),
            0x4004_8000 => Self::I2c(1),
            0x4004_C000 => Self::NotModelled("ADC"),
            0x4005_0000 => Self::Pwm,
            0x4005_4000 => Self::Timer,
            0x4005_8000 => Self::Watchdog,
            0x4005_C000 => Self::NotModelled("RTC"),
            0x4006_0000 => Self::Rosc,
            0x4006_4000 => Self::Voltage,
            0x4006_C000 => Self::NotModelled("TBMAN"),
            0x5000_0000 => Self::Dma,
            0x5010_0000..=0x5011_FFFF => Self::NotModelled("USB"),
            0x5020_0000 => Self::Pio(0),
            0x5030_0000 => Self::Pio(1),
            0x5040_0000 => Self::NotModelled("XIP stream"),
            0x1400_0000 => Self::XipControl,
            0x1500_0000 => Self::NotModelled("XIP cache as RAM"),
            0x1800_0000 => Self::Ssi,
            _ => return None,
        })
    }

    /// Whether bits 12 and 13 of an address choose set, clear and flip.
    pub(super) fn has_aliases(self) -> bool {
        !matches!(self, Self::XipControl | Self::Ssi)
    }

    /// The register that `address` means: narrow transfers reach the word around them.
    pub(super) fn offset(self, address: u32) -> u32 {
        address & if self.has_aliases() { 0xFFC } else { 0x3FFC }
    }

    /// For reports.
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
            Self::XipControl => "XIP control register",
            Self::Ssi => "SSI register",
            Self::NotModelled(name) => name,
        }
    }
}
