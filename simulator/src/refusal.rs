//! The reason why a verb has written nothing: the exit code, and the messages for the user.

use host::Exit;

/// The exit code and messages of a verb that has written nothing.
pub type Refusal = (Exit, Vec<String>);

pub fn interrupted() -> Refusal {
    (Exit::Interrupted, vec!["interrupted; nothing is written".into()])
}

pub fn usage(message: impl ToString) -> Refusal {
    (Exit::Usage, vec![message.to_string()])
}
