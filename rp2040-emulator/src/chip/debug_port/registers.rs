//! Names, addresses and bits of the debug port's and the access port's registers.

/// TARGETSEL and TARGETID of both cores' debug ports (RP2040 datasheet 2.3.4.1), with the instance
/// in bits 31 to 28.
pub(super) const TARGETSEL: [u32; 2] = [0x0100_2927, 0x1100_2927];
/// TARGETID of both.
pub(super) const TARGETID: u32 = 0x0100_2927;

// Debug port, ADIv5.2 B2.2. Addresses are those of A[3:2].
pub(super) const DPIDR: u8 = 0x0; // read
pub(super) const ABORT: u8 = 0x0; // write
pub(super) const CTRL_STAT: u8 = 0x4; // DPBANKSEL 0
pub(super) const RESEND: u8 = 0x8; // read
pub(super) const SELECT: u8 = 0x8; // write
pub(super) const RDBUFF: u8 = 0xC; // read
pub(super) const TARGETSEL_ADDRESS: u8 = 0xC; // write

/// Banks of address 4: DPBANKSEL of SELECT.
pub(super) const BANK_CTRL_STAT: u32 = 0;
pub(super) const BANK_DLCR: u32 = 1;
pub(super) const BANK_TARGETID: u32 = 2;
pub(super) const BANK_DLPIDR: u32 = 3;

/// DPIDR of an RP2040: DPv2, MINDP, designer ARM.
pub(super) const DPIDR_VALUE: u32 = 0x0BC1_2477;
/// DLPIDR: protocol version 1; the instance is in bits 31 to 28.
pub(super) const DLPIDR_VALUE: u32 = 1;

pub(super) const SELECT_DPBANKSEL: u32 = 0xF;
pub(super) const SELECT_APBANKSEL: u32 = 0xF0;
pub(super) const SELECT_APSEL_LSB: u32 = 24;

// CTRL/STAT, ADIv5.2 B2.2.2.
pub(super) const STICKYORUN: u32 = 1 << 1;
pub(super) const STICKYCMP: u32 = 1 << 4;
pub(super) const STICKYERR: u32 = 1 << 5;
pub(super) const READOK: u32 = 1 << 6;
pub(super) const WDATAERR: u32 = 1 << 7;
pub(super) const STICKY: u32 = STICKYORUN | STICKYCMP | STICKYERR | WDATAERR;
pub(super) const CDBGPWRUPREQ: u32 = 1 << 28;
pub(super) const CDBGPWRUPACK: u32 = 1 << 29;
pub(super) const CSYSPWRUPREQ: u32 = 1 << 30;
pub(super) const CSYSPWRUPACK: u32 = 1 << 31;

// ABORT, ADIv5.2 B2.2.1.
pub(super) const STKCMPCLR: u32 = 1 << 1;
pub(super) const STKERRCLR: u32 = 1 << 2;
pub(super) const WDERRCLR: u32 = 1 << 3;
pub(super) const ORUNERRCLR: u32 = 1 << 4;

// Access port, ADIv5.2 C2.6: banks and A[3:2] together.
pub(super) const CSW: u8 = 0x00;
pub(super) const TAR: u8 = 0x04;
pub(super) const DRW: u8 = 0x0C;
pub(super) const BD0: u8 = 0x10;
pub(super) const BD3: u8 = 0x1C;
pub(super) const CFG: u8 = 0xF4;
pub(super) const BASE: u8 = 0xF8;
pub(super) const IDR: u8 = 0xFC;

pub(super) const CSW_SIZE: u32 = 7;
pub(super) const CSW_ADDRINC: u32 = 3 << 4;
pub(super) const CSW_ADDRINC_SINGLE: u32 = 1 << 4;
pub(super) const CSW_DEVICEEN: u32 = 1 << 6;
/// Bits of CSW that a write changes: HPROT, the increment, the size.
pub(super) const CSW_WRITABLE: u32 = 0x0F00_0000 | CSW_ADDRINC | CSW_SIZE;
pub(super) const CSW_RESET: u32 = 0x0300_0000 | CSW_DEVICEEN;
/// IDR of a Cortex-M0+'s AHB access port.
pub(super) const IDR_VALUE: u32 = 0x0477_0031;
/// BASE: the ROM table of a core (RP2040 datasheet 2.3.4).
pub(super) const BASE_VALUE: u32 = 0xE00F_F003;
/// The increment of TAR stays in a block of this size (ADIv5.2 C2.2.2).
pub(super) const TAR_BLOCK: u32 = 1024;
