//! The linter's rules of a file.

use virtual_time::Nanos;

use super::error::{Found, Problem, TableError};
use super::node::{Fields, Node};
use super::value;
use crate::rule::Rule;
use crate::table::{RuleText, Table};

pub(super) const KEYS: &[&str] = &["section", "limit", "text"];

pub(super) fn read(file: &Fields<'_>, table: &mut Table) -> Result<(), TableError> {
    let mut rules = Vec::new();
    for node in file.required("rules")?.open_fields()?.all() {
        let rule = named(&node, &node.key).map_err(|problem| node.key_error(problem))?;
        rules.push(text(&node, rule)?);
    }
    rules.sort_by_key(|text| text.rule);
    table.rule_bits = rules.iter().fold(0, |bits, text| bits | text.rule.bit());
    table.rules = rules.into();
    Ok(())
}

/// Returns the rule with this name.
pub(super) fn named(_: &Node<'_>, name: &str) -> Result<Rule, Problem> {
    Rule::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| {
        let known = Rule::ALL.iter().map(|rule| rule.name().to_owned()).collect();
        let found = Found { word: name.to_owned(), known };
        Problem::Word { key: "rules".to_owned(), found }
    })
}

fn text(node: &Node<'_>, rule: Rule) -> Result<RuleText, TableError> {
    let part = node.fields(KEYS)?;
    let limit = match part.optional("limit") {
        Some(limit) if rule.has_limit() => value::time(&limit, 0, limit.text()?)?,
        Some(limit) => return Err(limit.key_error(Problem::UselessLimit { rule: rule.name() })),
        None if rule.has_limit() => {
            return Err(node.key_error(Problem::NoLimit { rule: rule.name() }));
        }
        None => Nanos(0),
    };
    Ok(RuleText {
        rule,
        section: part.required("section")?.text()?.to_owned().into(),
        text: part.required("text")?.text()?.to_owned().into(),
        limit,
    })
}
