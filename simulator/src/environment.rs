//! What the environment says about who reads the results.

use std::env;

use runner::Github;

/// GitHub's variables, if a workflow of GitHub runs this.
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

/// Whether a workflow of GitHub runs this, whose log obeys commands.
pub fn on_github() -> bool {
    variable("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// An environment variable that is set and not empty.
pub fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
