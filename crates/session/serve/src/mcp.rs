//! The Model Context Protocol (revision 2025-06-18): the methods as tools of an assistant, over
//! lines of JSON-RPC.
//!
//! The protocol is three requests beside `ping`. The official crate `rmcp` brings an asynchronous
//! runtime for them, 30 crates that are not here otherwise; `docs/serve.md` describes the check
//! against the official client.

use serde_json::{Value, json};

use crate::dispatcher::Dispatcher;
use crate::fault::{Fault, FaultKind};
use crate::methods::METHODS;
use crate::reading;

/// Revisions that are supported, the newest first. The parts in use are the same in each.
const REVISIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/// Returns the instructions for an assistant. `firmware` is what the LCD board's firmware does.
fn instructions(firmware: &str) -> String {
    format!(
        "A virtual LCD board (320 by 240 pixels, buttons B1 to B6, T1 to T6, RESET) that {firmware}, or \
         the board of a board file (`board` of `boot`; the answer has its buttons and size). `boot` \
         first, then `wait_text` or `advance`: virtual time does not pass between calls. `tap` presses \
         a button, `read` and `screenshot` show the LCD. All that is done is a trace, which `save` \
         writes as a test."
    )
}

/// Dispatcher of an assistant's requests.
pub struct McpDispatcher {
    dispatcher: Dispatcher,
    version: String,
    firmware: &'static str,
}

impl McpDispatcher {
    /// Returns a dispatcher whose tools are the methods of `dispatcher`. `firmware` is what the LCD
    /// board's firmware does, as the end of a sentence.
    pub fn new(dispatcher: Dispatcher, version: String, firmware: &'static str) -> Self {
        Self { dispatcher, version, firmware }
    }

    /// Executes a request of the protocol.
    ///
    /// # Errors
    /// If there is no request of that name, or its parameters are wrong. A tool's fault is no
    /// error of the protocol.
    pub fn call(&mut self, method: &str, params: Option<Value>) -> Result<Value, Fault> {
        let params = params.unwrap_or(Value::Null);
        match method {
            "initialize" => {
                let requested = params["protocolVersion"].as_str().unwrap_or_default();
                let revision = REVISIONS.into_iter().find(|revision| *revision == requested);
                Ok(json!({
                    "protocolVersion": revision.unwrap_or(REVISIONS[0]),
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "nudge", "version": self.version},
                    "instructions": instructions(self.firmware),
                }))
            }
            "ping" => Ok(json!({})),
            "tools/list" => {
                let tools = METHODS.iter().map(|method| {
                    json!({
                        "name": method.name,
                        "description": method.about,
                        "inputSchema": method.schema(),
                    })
                });
                Ok(json!({"tools": tools.collect::<Vec<_>>()}))
            }
            "tools/call" => {
                let name = params["name"].as_str().unwrap_or_default();
                if !METHODS.iter().any(|method| method.name == name) {
                    return Err(Fault::params(format!("there is no tool `{name}`")));
                }
                let arguments = Some(params["arguments"].clone());
                Ok(match self.tool(name, arguments) {
                    Ok(content) => json!({"content": content, "isError": false}),
                    Err(fault) => {
                        let mut text = fault.message.clone();
                        if let Some(data) = &fault.data {
                            text += &format!("\n{data}");
                        }
                        json!({"content": [{"type": "text", "text": text}], "isError": true})
                    }
                })
            }
            // Notifications of the protocol have no answer.
            name if name.starts_with("notifications/") => Ok(Value::Null),
            name => Err(Fault::new(FaultKind::Method, format!("there is no method `{name}`"))),
        }
    }

    /// Returns the answer of a tool. A screenshot without a file is an image.
    fn tool(&mut self, name: &str, arguments: Option<Value>) -> Result<Value, Fault> {
        let to_file = arguments.as_ref().is_some_and(|given| given.get("file").is_some());
        if name == "screenshot" && !to_file {
            let data = reading::as_text(&self.dispatcher.picture(arguments)?);
            return Ok(json!([{"type": "image", "data": data, "mimeType": "image/png"}]));
        }
        let answer = self.dispatcher.call(name, arguments)?;
        Ok(json!([{"type": "text", "text": answer.to_string()}]))
    }

    /// Ends all sessions.
    pub fn close(&mut self) {
        self.dispatcher.close();
    }
}
