//! The numbers of the interrupt lines: RP2040 datasheet 2.3.2.

// The timer's four lines begin at 0 (TIMER_IRQ_0).
pub(super) const PWM_IRQ_WRAP: u32 = 4;
pub(super) const USBCTRL_IRQ: u32 = 5;
/// First of four lines; PIO0_IRQ_1, PIO1_IRQ_0 and PIO1_IRQ_1 follow.
pub(super) const PIO0_IRQ_0: u32 = 7;
const DMA_IRQ_0: u32 = 11;
const DMA_IRQ_1: u32 = 12;
pub(super) const IO_IRQ_BANK0: u32 = 13;
pub(super) const IO_IRQ_QSPI: u32 = 14;
/// Line of core 0; SIO_IRQ_PROC1 follows.
pub(super) const SIO_IRQ_PROC0: u32 = 15;
pub(super) const CLOCKS_IRQ: u32 = 17;
const SPI0_IRQ: u32 = 18;
const SPI1_IRQ: u32 = 19;
const UART0_IRQ: u32 = 20;
const UART1_IRQ: u32 = 21;
pub(super) const ADC_IRQ_FIFO: u32 = 22;
const I2C0_IRQ: u32 = 23;
const I2C1_IRQ: u32 = 24;
pub(super) const RTC_IRQ: u32 = 25;

pub(super) const DMA_IRQS: [u32; 2] = [DMA_IRQ_0, DMA_IRQ_1];
pub(super) const SPI_IRQS: [u32; 2] = [SPI0_IRQ, SPI1_IRQ];
pub(super) const UART_IRQS: [u32; 2] = [UART0_IRQ, UART1_IRQ];
pub(super) const I2C_IRQS: [u32; 2] = [I2C0_IRQ, I2C1_IRQ];
