//! JSON-RPC 2.0 (<https://www.jsonrpc.org/specification>): requests, notifications and batches.

use serde_json::{Map, Value, json};

use crate::fault::{Fault, FaultKind};

/// Executes a method with its parameters.
pub type Call<'a> = dyn FnMut(&str, Option<Value>) -> Result<Value, Fault> + 'a;

/// Returns the answer to `message`, a request or a batch of them, which `call` executes; `None`
/// if there is nothing to answer.
pub fn answer(message: &[u8], call: &mut Call<'_>) -> Option<Value> {
    let message = match serde_json::from_slice(message) {
        Ok(message) => message,
        Err(error) => {
            let fault = Fault::new(FaultKind::Parse, format!("this is no JSON: {error}"));
            return Some(refusal(&fault, Value::Null));
        }
    };
    let Value::Array(batch) = message else { return single(message, call) };
    if batch.is_empty() {
        return Some(refusal(&no_request("a batch has at least one request"), Value::Null));
    }
    let answers: Vec<Value> =
        batch.into_iter().filter_map(|request| single(request, call)).collect();
    (!answers.is_empty()).then(|| answers.into())
}

fn single(request: Value, call: &mut Call<'_>) -> Option<Value> {
    let Value::Object(mut fields) = request else {
        return Some(refusal(&no_request("a request is an object"), Value::Null));
    };
    let id = fields.remove("id");
    let answered_to = match &id {
        Some(id @ (Value::String(_) | Value::Number(_) | Value::Null)) => id.clone(),
        Some(_) => {
            let fault = no_request("an `id` is a text or a number");
            return Some(refusal(&fault, Value::Null));
        }
        None => Value::Null,
    };
    let method = match checked(&fields) {
        Ok(method) => method.to_owned(),
        Err(fault) => return Some(refusal(&fault, answered_to)),
    };
    let result = call(&method, fields.remove("params"));
    // A notification is never answered.
    id.as_ref()?;
    Some(match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": answered_to, "result": result}),
        Err(fault) => refusal(&fault, answered_to),
    })
}

/// Returns the method of a valid request.
fn checked(fields: &Map<String, Value>) -> Result<&str, Fault> {
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(no_request("`jsonrpc` is \"2.0\""));
    }
    let method = fields.get("method").and_then(Value::as_str);
    let method = method.ok_or_else(|| no_request("`method` is a text"))?;
    match fields.get("params") {
        None | Some(Value::Object(_) | Value::Array(_)) => Ok(method),
        Some(_) => Err(no_request("`params` is an object")),
    }
}

fn no_request(message: &str) -> Fault {
    Fault::new(FaultKind::Request, format!("this is no request: {message}"))
}

/// Returns an answer that is an error.
pub(crate) fn refusal(fault: &Fault, id: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": fault.error()})
}
