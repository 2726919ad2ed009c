//! The command that builds an application, which is this program.

use std::path::{Path, PathBuf};

use boards::DescribedBoard;
use runner::quoted;

/// Variable in which cargo passes the folder of the package to a program that it runs.
const PACKAGE: &str = "CARGO_MANIFEST_DIR";

/// Returns the command of cargo that builds this program with its present profile.
pub(super) fn build_command(board: &DescribedBoard) -> String {
    let program = std::env::current_exe().unwrap_or_default();
    let package = std::env::var_os(PACKAGE).map(PathBuf::from);
    let package = package.or_else(|| package_of(board.path()));
    command(&program, package.as_deref())
}

/// Returns the nearest folder with a package around a file.
fn package_of(file: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(file).ok()?;
    let package = folder.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file());
    package.map(Path::to_owned)
}

fn command(program: &Path, package: Option<&Path>) -> String {
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    let mut command = format!("cargo build --bin {}", quoted(&name));
    if let Some(package) = package {
        let manifest = package.join("Cargo.toml").display().to_string();
        command += &format!(" --manifest-path {}", quoted(&manifest));
    }
    // The folder of a profile has its name, except that of `dev`.
    let folder = program.parent().and_then(Path::file_name).unwrap_or_default();
    match folder.to_string_lossy().as_ref() {
        "debug" | "" => {}
        profile => command += &format!(" --profile {}", quoted(profile)),
    }
    command + " --message-format=json"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_application_is_built_with_its_profile() {
        let of = |program: &str| command(Path::new(program), Some(Path::new("/home/me/my app")));
        assert_eq!(
            of("/home/me/target/debug/sim"),
            "cargo build --bin sim --manifest-path '/home/me/my app/Cargo.toml' --message-format=json"
        );
        assert_eq!(
            of("/home/me/target/release/sim"),
            "cargo build --bin sim --manifest-path '/home/me/my app/Cargo.toml' --profile release \
             --message-format=json"
        );
        let without = command(Path::new("sim"), None);
        assert_eq!(without, "cargo build --bin sim --message-format=json");
    }
}
