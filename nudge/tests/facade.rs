//! The public names of the library: a change of `facade.txt` is one that applications notice.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Type, UseTree, Visibility};

const MANIFEST: &str = env!("CARGO_MANIFEST_DIR");

/// Returns the public names: items of the crate, items that it exports of `linked`, and their methods,
/// fields and variants.
fn facade() -> BTreeSet<String> {
    let linked = Path::new(MANIFEST).join("../crates/board/linked/src");
    let mut names = BTreeSet::new();
    let mut files = vec![Path::new(MANIFEST).join("src/lib.rs"), linked.join("lib.rs")];
    for file in &files {
        for item in items(file) {
            names.extend(exported(&item));
        }
    }
    // The public module has its items.
    for item in items(&linked.join("simulator.rs")) {
        names.extend(exported(&item).into_iter().map(|name| format!("simulator::{name}")));
    }
    files.extend(sources(&linked));
    let types: BTreeSet<String> =
        names.iter().map(|name| name.rsplit("::").next().unwrap_or(name).to_owned()).collect();
    for file in &files {
        for item in items(file) {
            let parts = parts(&item);
            names.extend(
                parts
                    .into_iter()
                    .filter(|(name, _)| types.contains(name))
                    .map(|(name, part)| format!("{name}.{part}")),
            );
        }
    }
    names
}

fn items(file: &Path) -> Vec<Item> {
    let text = fs::read_to_string(file).unwrap();
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())).items
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

fn is_public(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    let is_hidden = attributes.iter().any(|attribute| {
        attribute.path().is_ident("doc")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "hidden")
    });
    matches!(visibility, Visibility::Public(_)) && !is_hidden
}

/// Returns the names that an item exports from its module.
fn exported(item: &Item) -> Vec<String> {
    let named = |visibility, attributes: &[Attribute], name: &syn::Ident| {
        if is_public(visibility, attributes) { vec![name.to_string()] } else { Vec::new() }
    };
    match item {
        Item::Fn(item) => named(&item.vis, &item.attrs, &item.sig.ident),
        Item::Struct(item) => named(&item.vis, &item.attrs, &item.ident),
        Item::Enum(item) => named(&item.vis, &item.attrs, &item.ident),
        Item::Trait(item) => named(&item.vis, &item.attrs, &item.ident),
        Item::Mod(item) => named(&item.vis, &item.attrs, &item.ident),
        Item::Const(item) => named(&item.vis, &item.attrs, &item.ident),
        Item::Type(item) => named(&item.vis, &item.attrs, &item.ident),
        Item::Macro(item) if item.attrs.iter().any(|own| own.path().is_ident("macro_export")) => {
            item.ident.iter().map(|name| format!("{name}!")).collect()
        }
        Item::Use(item) if is_public(&item.vis, &item.attrs) => used(&item.tree),
        _ => Vec::new(),
    }
}

fn used(tree: &UseTree) -> Vec<String> {
    match tree {
        UseTree::Path(path) => used(&path.tree),
        UseTree::Name(name) => vec![name.ident.to_string()],
        UseTree::Rename(name) => vec![name.rename.to_string()],
        UseTree::Group(group) => group.items.iter().flat_map(used).collect(),
        // `linked`, whose names are read from its source.
        UseTree::Glob(_) => Vec::new(),
    }
}

/// Returns the public parts of an item, each with the name of its type.
fn parts(item: &Item) -> Vec<(String, String)> {
    let fields = |fields: &Fields| -> Vec<String> {
        let public = fields.iter().filter(|field| is_public(&field.vis, &field.attrs));
        public.filter_map(|field| Some(field.ident.as_ref()?.to_string())).collect()
    };
    let (name, parts): (String, Vec<String>) = match item {
        Item::Struct(item) => (item.ident.to_string(), fields(&item.fields)),
        Item::Enum(item) => {
            let variants = item.variants.iter().map(|variant| variant.ident.to_string());
            (item.ident.to_string(), variants.collect())
        }
        Item::Trait(item) => {
            let methods = item.items.iter().filter_map(|own| match own {
                TraitItem::Fn(method) => Some(format!("{}()", method.sig.ident)),
                _ => None,
            });
            (item.ident.to_string(), methods.collect())
        }
        Item::Impl(item) if item.trait_.is_none() => {
            let Type::Path(path) = &*item.self_ty else { return Vec::new() };
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            let public = item.items.iter().filter_map(|own| match own {
                ImplItem::Fn(method) if is_public(&method.vis, &method.attrs) => {
                    Some(format!("{}()", method.sig.ident))
                }
                ImplItem::Const(own) if is_public(&own.vis, &own.attrs) => {
                    Some(own.ident.to_string())
                }
                _ => None,
            });
            (last.ident.to_string(), public.collect())
        }
        _ => return Vec::new(),
    };
    parts.into_iter().map(|part| (name.clone(), part)).collect()
}

#[test]
fn the_public_names_are_those_of_the_list() {
    let is = facade();
    let path = Path::new(MANIFEST).join("tests/facade.txt");
    let text = fs::read_to_string(path).unwrap();
    let listed: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    let added: Vec<_> = is.difference(&listed).collect();
    let removed: Vec<_> = listed.difference(&is).collect();
    assert!(
        added.is_empty() && removed.is_empty(),
        "the public names of `nudge` have changed: added {added:#?}, removed {removed:#?}; if that is meant, \
         change nudge/tests/facade.txt and CHANGELOG.md"
    );
    assert!(is.contains("Pins.button()") && is.contains("Wake.OnInput") && is.contains("main"));
}
