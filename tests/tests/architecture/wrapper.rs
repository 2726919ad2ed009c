//! Checks that a wrapped machine answers like the machine inside: the one implementation of `Machine` for all
//! wrappers has each method of the trait. One that has a default in the trait is not missed by the compiler.

use syn::{ImplItem, Item, TraitItem};

/// Methods that are built on the others.
const DERIVED: [&str; 1] = ["run_until"];

#[test]
fn wrappers_of_machines_forward_each_method() {
    let of = |path: &str| {
        let text = std::fs::read_to_string(super::root().join(path)).expect("a source file");
        syn::parse_file(&text).expect("Rust").items
    };
    let declared = of("hal-mock/src/machine.rs").into_iter().find_map(|item| match item {
        Item::Trait(item) if item.ident == "Machine" => Some(item.items),
        _ => None,
    });
    let forwarded = of("hal-mock/src/machine/wrapper.rs").into_iter().find_map(|item| match item {
        Item::Impl(item) if item.generics.type_params().count() == 1 => Some(item.items),
        _ => None,
    });
    let declared =
        declared.expect("the trait `Machine`").into_iter().filter_map(|item| match item {
            TraitItem::Fn(function) => Some(function.sig.ident.to_string()),
            _ => None,
        });
    let forwarded = forwarded.expect("an implementation for all wrappers").into_iter();
    let forwarded: Vec<String> = forwarded
        .filter_map(|item| match item {
            ImplItem::Fn(function) => Some(function.sig.ident.to_string()),
            _ => None,
        })
        .collect();
    let missing: Vec<String> = declared.filter(|name| !forwarded.contains(name)).collect();
    assert_eq!(
        missing, DERIVED,
        "missing in `impl Machine for T` of hal-mock/src/machine/wrapper.rs"
    );
}
