//! Finds the signals that the parent process has set to be ignored, as `nohup` does with a hangup.
#![cfg(unix)]

/// Returns whether this process ignores `signal`; `None` where the system does not report it. Only
/// Linux does: proc(5), `SigIgn`.
pub fn is_ignored(signal: i32) -> Option<bool> {
    ignores(&std::fs::read_to_string("/proc/self/status").ok()?, signal)
}

/// Returns whether the mask `SigIgn` of a process's status contains `signal`.
fn ignores(status: &str, signal: i32) -> Option<bool> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::ignores;

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        let status = "Name:\tnudge\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert_eq!((ignores(status, 1), ignores(status, 13)), (Some(true), Some(true)));
        assert_eq!((ignores(status, 3), ignores("", 1)), (Some(false), None));
    }
}
