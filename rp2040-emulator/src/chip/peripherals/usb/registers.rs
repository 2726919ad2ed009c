//! Offsets and fields of the USB controller's registers and of its RAM (datasheet sections 4.1.2.5
//! and 4.1.4).

// Registers: RP2040 datasheet 4.1.4.
pub(super) const ADDR_ENDP: u32 = 0x00; // device address, 4.1.4
pub(super) const ADDR_ENDP1: u32 = 0x04; // first of the host's interrupt endpoints, 4.1.4
pub(super) const ADDR_ENDP15: u32 = 0x3C; // last of the host's interrupt endpoints, 4.1.4
pub(super) const MAIN_CTRL: u32 = 0x40; // main control, 4.1.4
pub(super) const SOF_WR: u32 = 0x44; // the host's frame number, 4.1.4
pub(super) const SOF_RD: u32 = 0x48; // last frame number, 4.1.4
pub(super) const SIE_CTRL: u32 = 0x4C; // serial interface engine, 4.1.4
pub(super) const SIE_STATUS: u32 = 0x50; // its status, 4.1.4
pub(super) const INT_EP_CTRL: u32 = 0x54; // the host's interrupt endpoints, 4.1.4
pub(super) const BUFF_STATUS: u32 = 0x58; // completed buffers, 4.1.4
pub(super) const BUFF_CPU_SHOULD_HANDLE: u32 = 0x5C; // which of two buffers, 4.1.4
pub(super) const EP_ABORT: u32 = 0x60; // endpoints whose buffer control is ignored, 4.1.4
pub(super) const EP_ABORT_DONE: u32 = 0x64; // endpoints that are idle since, 4.1.4
pub(super) const EP_STALL_ARM: u32 = 0x68; // lets endpoint 0 stall, 4.1.4
pub(super) const NAK_POLL: u32 = 0x6C; // the host's polling, 4.1.4
pub(super) const EP_STATUS_STALL_NAK: u32 = 0x70; // endpoints that stalled or were not ready, 4.1.4
pub(super) const USB_MUXING: u32 = 0x74; // where the controller is connected, 4.1.4
pub(super) const USB_PWR: u32 = 0x78; // power signals, 4.1.4
pub(super) const USBPHY_DIRECT: u32 = 0x7C; // direct control of the transceiver, 4.1.4
pub(super) const USBPHY_DIRECT_OVERRIDE: u32 = 0x80; // enables it, 4.1.4
pub(super) const USBPHY_TRIM: u32 = 0x84; // trims pulls, 4.1.4
/// A gap between two registers without a name in the datasheet. The SDK's memset clears it.
pub(super) const UNUSED: u32 = 0x88;
pub(super) const INTR: u32 = 0x8C; // raw interrupts, 4.1.4
pub(super) const INTE: u32 = 0x90; // interrupt enable, 4.1.4
pub(super) const INTF: u32 = 0x94; // interrupt force, 4.1.4
pub(super) const INTS: u32 = 0x98; // interrupt status, 4.1.4

pub(super) const ADDR_ENDP_ADDRESS: u32 = 0x7F;
pub(super) const ADDR_ENDP_BITS: u32 = 0x000F_007F;
pub(super) const ADDR_ENDPN_BITS: u32 = 0x060F_007F;
pub(super) const MAIN_CTRL_CONTROLLER_EN: u32 = 1;
pub(super) const MAIN_CTRL_HOST_NDEVICE: u32 = 1 << 1;
pub(super) const MAIN_CTRL_BITS: u32 = 0x8000_0003;
pub(super) const SOF_BITS: u32 = 0x7FF;
pub(super) const SIE_CTRL_EP0_INT_STALL: u32 = 1 << 31;
pub(super) const SIE_CTRL_EP0_DOUBLE_BUF: u32 = 1 << 30;
pub(super) const SIE_CTRL_EP0_INT_1BUF: u32 = 1 << 29;
pub(super) const SIE_CTRL_EP0_INT_2BUF: u32 = 1 << 28;
pub(super) const SIE_CTRL_EP0_INT_NAK: u32 = 1 << 27;
pub(super) const SIE_CTRL_PULLUP_EN: u32 = 1 << 16;
pub(super) const SIE_CTRL_RESUME: u32 = 1 << 12;
/// Fields that store what is written; RESET_BUS, RESUME, STOP_TRANS and START_TRANS clear
/// themselves.
pub(super) const SIE_CTRL_BITS: u32 = 0xFF07_8F4E;
pub(super) const SIE_STATUS_DATA_SEQ_ERROR: u32 = 1 << 31;
pub(super) const SIE_STATUS_ACK_REC: u32 = 1 << 30;
pub(super) const SIE_STATUS_RX_OVERFLOW: u32 = 1 << 26;
pub(super) const SIE_STATUS_BUS_RESET: u32 = 1 << 19;
pub(super) const SIE_STATUS_TRANS_COMPLETE: u32 = 1 << 18;
pub(super) const SIE_STATUS_SETUP_REC: u32 = 1 << 17;
pub(super) const SIE_STATUS_CONNECTED: u32 = 1 << 16;
pub(super) const SIE_STATUS_RESUME: u32 = 1 << 11;
pub(super) const SIE_STATUS_SUSPENDED: u32 = 1 << 4;
pub(super) const SIE_STATUS_LINE_STATE_J: u32 = 1 << 2;
pub(super) const SIE_STATUS_VBUS_DETECTED: u32 = 1;
/// Fields that a write of 1 clears. SPEED and VBUS_OVER_CURR belong to the host mode.
pub(super) const SIE_STATUS_CLEARED: u32 = 0xFF0F_0810;
pub(super) const INT_EP_CTRL_BITS: u32 = 0xFFFE;
pub(super) const EP_STALL_ARM_BITS: u32 = 3;
pub(super) const NAK_POLL_RESET: u32 = 0x0010_0010;
pub(super) const NAK_POLL_BITS: u32 = 0x03FF_03FF;
pub(super) const USB_MUXING_BITS: u32 = 0xF;
pub(super) const USB_PWR_VBUS_DETECT_OVERRIDE_EN: u32 = 1 << 3;
pub(super) const USB_PWR_VBUS_DETECT: u32 = 1 << 2;
pub(super) const USB_PWR_BITS: u32 = 0x3F;
pub(super) const USBPHY_DIRECT_BITS: u32 = 0x0000_FF77;
pub(super) const USBPHY_DIRECT_OVERRIDE_BITS: u32 = 0x0000_9FFF;
pub(super) const USBPHY_TRIM_RESET: u32 = 0x0000_1F1F;
pub(super) const INT_TRANS_COMPLETE: u32 = 1 << 3;
pub(super) const INT_BUFF_STATUS: u32 = 1 << 4;
pub(super) const INT_ERROR_DATA_SEQ: u32 = 1 << 5;
pub(super) const INT_ERROR_RX_OVERFLOW: u32 = 1 << 7;
pub(super) const INT_VBUS_DETECT: u32 = 1 << 11;
pub(super) const INT_BUS_RESET: u32 = 1 << 12;
pub(super) const INT_DEV_CONN_DIS: u32 = 1 << 13;
pub(super) const INT_DEV_SUSPEND: u32 = 1 << 14;
pub(super) const INT_DEV_RESUME_FROM_HOST: u32 = 1 << 15;
pub(super) const INT_SETUP_REQ: u32 = 1 << 16;
pub(super) const INT_DEV_SOF: u32 = 1 << 17;
pub(super) const INT_ABORT_DONE: u32 = 1 << 18;
pub(super) const INT_EP_STALL_NAK: u32 = 1 << 19;
pub(super) const INT_BITS: u32 = 0x000F_FFFF;

// The RAM: RP2040 datasheet 4.1.2.5.1.
pub(super) const RAM_SIZE: usize = 4096;
/// Offset of the endpoint control of index 0, which does not exist: two words for each endpoint, IN
/// and OUT.
pub(super) const EP_CONTROL: usize = 0x00;
pub(super) const BUFFER_CONTROL: usize = 0x80;
pub(super) const EP0_BUFFER: usize = 0x100;
pub(super) const BUFFER_SIZE: usize = 64;

// Endpoint control: RP2040 datasheet 4.1.2.5.2.
pub(super) const EP_ENABLE: u32 = 1 << 31;
pub(super) const EP_DOUBLE: u32 = 1 << 30;
pub(super) const EP_INT_1BUF: u32 = 1 << 29;
pub(super) const EP_INT_2BUF: u32 = 1 << 28;
pub(super) const EP_TYPE_LSB: u32 = 26;
pub(super) const EP_TYPE_ISOCHRONOUS: u32 = 1;
pub(super) const EP_TYPE_BULK: u32 = 2;
pub(super) const EP_INT_STALL: u32 = 1 << 17;
pub(super) const EP_INT_NAK: u32 = 1 << 16;
pub(super) const EP_ADDRESS: u32 = 0x0FC0;

// Bits of buffer control for buffer 0; those of buffer 1 are 16 bits higher: RP2040 datasheet
// 4.1.2.5.3.
pub(super) const BUFFER_FULL: u32 = 1 << 15;
pub(super) const BUFFER_LAST: u32 = 1 << 14;
pub(super) const BUFFER_DATA1: u32 = 1 << 13;
/// RESET, for buffer 0 only.
pub(super) const BUFFER_RESET: u32 = 1 << 12;
/// STALL, for buffer 0 only.
pub(super) const BUFFER_STALL: u32 = 1 << 11;
pub(super) const BUFFER_AVAILABLE: u32 = 1 << 10;
pub(super) const BUFFER_LENGTH: u32 = 0x3FF;
/// Position of the distance of buffer 1 from buffer 0 of an isochronous endpoint: 128 shifted by
/// this field.
pub(super) const ISOCHRONOUS_OFFSET_LSB: u32 = 27;
