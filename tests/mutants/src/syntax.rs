//! Questions about the syntax of Rust that finding and rewriting mutants have in common.

use syn::{BinOp, Expr, Stmt};

/// Kind of an operator, which decides how its mutants are switched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Lazy,
    Compares,
    Bits,
    Computes,
    Assigns,
}

pub fn kind(operator: &BinOp) -> Kind {
    match operator {
        BinOp::And(_) | BinOp::Or(_) => Kind::Lazy,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
            Kind::Compares
        }
        BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_) => Kind::Bits,
        BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => {
            Kind::Computes
        }
        BinOp::Shl(_) | BinOp::Shr(_) => Kind::Computes,
        _ => Kind::Assigns,
    }
}

/// Returns whether code has `#[cfg(test)]` or `#[test]`.
pub fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

/// Returns whether an operator assigns, like `+=`.
pub fn is_assignment(operator: &BinOp) -> bool {
    kind(operator) == Kind::Assigns
}

/// Returns whether an expression binds names in a chain of `&&`.
pub fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// The state that a statement changes; without the statement it stays as it was.
pub enum Change<'a> {
    /// The place to which the statement assigns: a field, an element or what a reference refers to.
    Assigned(&'a Expr),
    /// A method call on `self`, or on a part of it, whose result is not used.
    Called(&'a syn::ExprMethodCall),
}

/// Returns what a statement changes, if that is state.
pub fn change(statement: &Stmt) -> Option<Change<'_>> {
    let Stmt::Expr(expression, Some(_)) = statement else { return None };
    let left = match expression {
        Expr::Assign(assign) => &assign.left,
        Expr::Binary(binary) if is_assignment(&binary.op) => &binary.left,
        other => return called(other).map(Change::Called),
    };
    is_state(left).then_some(Change::Assigned(left))
}

/// Returns the method call that a statement consists of, if it is one on `self`.
fn called(expression: &Expr) -> Option<&syn::ExprMethodCall> {
    match expression {
        Expr::MethodCall(call) => is_of_self(&call.receiver).then_some(call),
        Expr::Try(fallible) => called(&fallible.expr),
        _ => None,
    }
}

fn is_of_self(receiver: &Expr) -> bool {
    match receiver {
        Expr::Path(path) => path.path.is_ident("self"),
        Expr::Field(field) => is_of_self(&field.base),
        Expr::Index(index) => is_of_self(&index.expr),
        Expr::MethodCall(call) => is_of_self(&call.receiver),
        Expr::Paren(paren) => is_of_self(&paren.expr),
        _ => false,
    }
}

fn is_state(place: &Expr) -> bool {
    match place {
        Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_state),
        _ => false,
    }
}
