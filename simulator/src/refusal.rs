//! Why a verb has written nothing: the exit code, and the sentences for the user.

use host::Exit;

/// Why nothing was written.
pub type Refusal = (Exit, Vec<String>);

pub fn interrupted() -> Refusal {
    (Exit::Interrupted, vec!["interrupted; nothing is written".into()])
}

pub fn usage(message: impl ToString) -> Refusal {
    (Exit::Usage, vec![message.to_string()])
}
