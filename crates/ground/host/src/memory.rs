//! The memory that this process takes.

/// Bytes of a page of memory, at least.
#[cfg(target_os = "linux")]
const PAGE: u64 = 4_096;

/// Returns the number of bytes of this process that are in the computer's memory; `None` where the
/// operating system has no file for it.
pub fn resident() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        // proc(5): size and resident pages, separated by spaces.
        let text = std::fs::read_to_string("/proc/self/statm").ok()?;
        let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
        Some(pages * PAGE)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_written_is_resident() {
        let before = resident().unwrap();
        let held = std::hint::black_box(vec![1_u8; 64 << 20]);
        let after = resident().unwrap();
        assert!(before > 0 && after >= before + (held.len() as u64 / 2), "{before}, {after}");
    }
}
