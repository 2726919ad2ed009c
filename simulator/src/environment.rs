//! Reads the environment variables that describe the reader of the results.

use std::env;

use runner::Github;

/// Returns GitHub's variables if a GitHub workflow runs this process.
pub fn github() -> Option<Github> {
    if !on_github() {
        return None;
    }
    Some(Github {
        here: env::current_dir().unwrap_or_default(),
        workspace: variable("GITHUB_WORKSPACE").map(Into::into),
        summary: variable("GITHUB_STEP_SUMMARY").map(Into::into),
    })
}

/// Returns whether a GitHub workflow runs this process. Its log executes commands in the output.
pub fn on_github() -> bool {
    variable("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Returns an environment variable that is set and not empty.
pub fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Returns whether a CI runs this process. All of them set the variable `CI`.
pub fn is_ci() -> bool {
    variable("CI").is_some_and(|value| value != "false")
}
