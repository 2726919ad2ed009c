//! Numbers of the requests that pace the DMA: RP2040 datasheet 2.5.3.1.
//!
//! SPI, UART and I2C each have two requests: that to receive follows that to transmit.

pub(in crate::chip) const DREQ_SPI0_TX: u32 = 16;
pub(in crate::chip) const DREQ_SPI1_TX: u32 = 18;
pub(in crate::chip) const DREQ_UART0_TX: u32 = 20;
pub(in crate::chip) const DREQ_UART1_TX: u32 = 22;
pub(in crate::chip) const DREQ_PWM_WRAP0: usize = 24;
const DREQ_PWM_WRAP7: usize = 31;
pub(in crate::chip) const DREQ_I2C0_TX: u32 = 32;
pub(in crate::chip) const DREQ_I2C1_TX: u32 = 34;
pub(in crate::chip) const DREQ_ADC: u32 = 36;
pub(in crate::chip) const DREQ_XIP_STREAM: u32 = 37;
pub(in crate::chip) const DREQ_XIP_SSIRX: u32 = 39;
/// First of the requests of the DMA's four pacing timers.
pub(in crate::chip) const DREQ_DMA_TIMER0: usize = 59;
/// Request that is always active: an unpaced transfer.
pub(in crate::chip) const DREQ_FORCE: usize = 63;

/// Returns whether a request is a pulse that permits one transfer, and not a level.
pub(in crate::chip) fn is_pulse(request: usize) -> bool {
    (DREQ_PWM_WRAP0..=DREQ_PWM_WRAP7).contains(&request)
        || (DREQ_DMA_TIMER0..DREQ_FORCE).contains(&request)
}
