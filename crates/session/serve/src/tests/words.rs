//! The words of answers are those of requests: no option of the command line, no line of a file that is none.

use super::*;

#[test]
fn a_fault_has_no_word_of_the_command_line_and_no_line_zero() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({"header": {"seed": 3}}));
    ask(&mut dispatcher, "settle", json!({"within": "5s"}));
    ask(&mut dispatcher, "save", json!({"file": "a.trace"}));
    ask(&mut dispatcher, "screenshot", json!({"file": "a.png"}));
    ask(&mut dispatcher, "tap", json!({"button": "B3"}));
    for (method, params, part) in [
        ("save", json!({"file": "a.trace"}), "is there already; the parameter `force` replaces it"),
        (
            "screenshot",
            json!({"file": "a.png"}),
            "is there already; the parameter `force` replaces it",
        ),
        ("do", json!({"line": "expect tone 41Hz"}), "since tap of B3"),
        ("do", json!({"line": "expect console \"GAME\""}), "since tap of B3"),
        ("do", json!({"line": "expect no console \"move\""}), ""),
    ] {
        let fault = refused(&mut dispatcher, method, params.clone());
        let message = &fault.message;
        assert!(message.contains(part), "{method} {params}: {message}");
        for word in ["--", "line 0"] {
            assert!(!message.contains(word), "{method} {params}: {message}");
        }
    }
}

#[test]
fn read_has_the_lines_of_reports_and_on_request_the_texts_that_are_searched() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({"header": {"seed": 3}}));
    ask(&mut dispatcher, "settle", json!({"within": "5s"}));
    let fault = refused(&mut dispatcher, "expect_text", json!({"text": "GAME OVER"}));
    let read = ask(&mut dispatcher, "read", json!({}));
    assert_eq!(read["text"], fault.data.unwrap()["shown"]);
    assert_eq!(read["searched"], Value::Null);
    let read = ask(&mut dispatcher, "read", json!({"searched": true}));
    let count = |name: &str| read[name].as_array().unwrap().len();
    assert!(count("searched") > count("text"), "{read}");
}
