//! The XIP cache as the caller sees it: its counters, and the time of the DMA's misses.

use super::Chip;

impl Chip {
    /// Starts the XIP cache's counters, which continue through every reset. Without this call they
    /// start at zero when the program first reads or clears one. While they count, the cores
    /// execute one instruction at a time.
    pub fn start_cache_counters(&mut self) {
        self.devices.cache.start_counting();
    }

    /// Models the time of DMA reads of the flash that miss the XIP cache, through every reset: such
    /// a transfer waits until the SSI has read the line, and no other transfer takes place
    /// meanwhile (datasheet 2.5 and 2.6.3). Starts the cache's counters, because the cache's
    /// contents depend on every access. The cores' own misses take no time.
    pub fn model_dma_misses(&mut self) {
        self.start_cache_counters();
        self.devices.dma_misses = true;
    }

    /// Returns the number of reads of the flash by the DMA since power-on.
    pub fn dma_flash_reads(&self) -> u64 {
        self.devices.dma_flash_reads
    }
}
