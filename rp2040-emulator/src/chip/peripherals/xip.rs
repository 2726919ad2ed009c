//! The control registers of the XIP cache, which always hits here (datasheet section 2.6.3).

// Registers: RP2040 datasheet 2.6.3.6.
const CTRL: u32 = 0x0; // cache control, 2.6.3.6
const FLUSH: u32 = 0x4; // cache flush, 2.6.3.6
const STAT: u32 = 0x8; // cache status, 2.6.3.6

const CTRL_EN: u32 = 1;
const CTRL_ERR_BADWRITE: u32 = 1 << 1;
const STAT_FIFO_EMPTY: u32 = 1 << 1;

/// The cache is enabled and the stream's FIFO is empty.
pub(in crate::chip) fn read(offset: u32) -> Option<u32> {
    match offset {
        CTRL => Some(CTRL_EN | CTRL_ERR_BADWRITE),
        FLUSH => Some(0),
        STAT => Some(STAT_FIFO_EMPTY),
        _ => None,
    }
}

/// CTRL and FLUSH can be written without effect: the cache holds nothing.
pub(in crate::chip) fn write(offset: u32) -> Option<()> {
    matches!(offset, CTRL | FLUSH).then_some(())
}
