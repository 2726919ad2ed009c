//! Results of a run and their exit codes.

use std::process::ExitCode;

/// How a run ended. The greater result counts: 130 beats 2 beats 1 beats 3 beats 42 beats 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything was as expected: 0.
    #[default]
    Passed,
    /// The firmware reached the limit of virtual time: 42.
    LimitReached,
    /// The bench that a real board is on failed, so nothing is known about the firmware: 3.
    Bench,
    /// An expectation failed: 1.
    Failed,
    /// The program of `nudge emulate` exited with this code, which is not 0.
    Program(u8),
    /// Wrong usage, or a file that cannot be read or written: 2.
    Usage,
    /// Ctrl-C interrupted the run: 130, as shells number that signal.
    Interrupted,
}

impl Exit {
    /// Returns the exit code for the shell.
    pub const fn code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::LimitReached => 42,
            Self::Bench => 3,
            Self::Failed => 1,
            Self::Program(code) => code,
            Self::Usage => 2,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_beats_one_beats_three_beats_forty_two() {
        let worst = |exits: [Exit; 2]| exits.into_iter().max().map(Exit::code);
        assert_eq!(worst([Exit::Passed, Exit::LimitReached]), Some(42));
        assert_eq!(worst([Exit::Failed, Exit::LimitReached]), Some(1));
        assert_eq!(worst([Exit::Bench, Exit::LimitReached]), Some(3));
        assert_eq!(worst([Exit::Bench, Exit::Failed]), Some(1));
        assert_eq!(worst([Exit::Usage, Exit::Failed]), Some(2));
    }
}
