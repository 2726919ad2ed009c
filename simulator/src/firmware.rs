//! Names for reports: the firmware, the board, and project files on another machine.

use std::env;
use std::path::Path;

use boards::identity::FirmwareIdentity;
use boards::{Board, BoardFactory};
use runner::{FirmwareId, Project};

use crate::environment::variable;

/// Returns the project of the traces; GitHub's and GitLab's variables name its root.
pub fn project() -> Project {
    let root = variable("CI_PROJECT_DIR").or_else(|| variable("GITHUB_WORKSPACE"));
    Project { here: env::current_dir().unwrap_or_default(), ci_root: root.map(Into::into) }
}

/// Returns the firmware that runs the traces; `None` if its file no longer exists.
pub fn firmware_id(board: &Board, boards: &BoardFactory, project: &Project) -> Option<FirmwareId> {
    let identity = FirmwareIdentity::of(board, boards).ok()?;
    let named = |file: &Path| project.named(file);
    Some(FirmwareId { name: identity.name(named), note: identity.note(named) })
}

/// Returns the name of the firmware that a board runs.
pub fn firmware_name(board: &Board, boards: &BoardFactory) -> String {
    firmware_id(board, boards, &project()).map_or_else(|| board.to_string(), |id| id.name)
}

/// Returns the board's name for a command on another machine; `None` for the default board.
pub fn board_named(board: &Board, project: &Project) -> Option<String> {
    match board {
        Board::Native => None,
        Board::Pico(Some(file)) => Some(format!("pico={}", project.named(file))),
        Board::Described(file) => Some(project.named(file)),
        board => Some(board.to_string()),
    }
}
