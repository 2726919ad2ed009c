//! Memory ranges that a debugger watches.

use gdbstub::target::ext::breakpoints::WatchKind;

use crate::touched::MemoryAccess;

/// A memory range that the debugger watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watchpoint {
    pub address: u32,
    pub length: u32,
    pub kind: WatchKind,
}

/// Returns the first watchpoint that overlaps `access`.
pub fn hit(watchpoints: &[Watchpoint], access: &Option<MemoryAccess>) -> Option<Watchpoint> {
    let access = (*access)?;
    let meets = |watchpoint: &&Watchpoint| {
        let wanted = match watchpoint.kind {
            WatchKind::Write => access.write,
            WatchKind::Read => !access.write,
            WatchKind::ReadWrite => true,
        };
        // Ranges may end at the end of the address space.
        let behind = |address: u32, length: u32| u64::from(address) + u64::from(length);
        wanted
            && u64::from(access.address) < behind(watchpoint.address, watchpoint.length)
            && u64::from(watchpoint.address) < behind(access.address, access.length)
    };
    watchpoints.iter().find(meets).copied()
}
