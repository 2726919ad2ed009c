//! Reads a crate's modules and their uses of each other's items.
//!
//! `crate::`, `super::` and `self::` are resolved, nested `use` groups are expanded, and a
//! re-export is followed to the module that defines the item. `#[cfg(test)]` items are ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// Maximum number of re-exports that are followed; a longer chain counts as unresolved.
const LONGEST_CHAIN: usize = 16;

/// A module: a file, or an inline `mod name { … }`.
pub struct Module {
    /// Path from the crate's root; empty for the root itself.
    pub path: Vec<String>,
    /// The file that contains the module.
    pub file: PathBuf,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    items: BTreeSet<String>,
    imports: Vec<Import>,
    paths: Vec<Mention>,
}

/// A leaf of a `use`: the name that it brings into scope. `None` is a glob.
struct Import {
    name: Option<String>,
    target: Mention,
}

/// A path as written, with its line.
#[derive(Clone)]
struct Mention {
    segments: Vec<String>,
    line: usize,
}

/// A use of an item in another module.
pub struct Use {
    /// Index of the using module.
    pub from: usize,
    /// Index of the defining module.
    pub to: usize,
    /// Line in the file of `from`, counted from 1.
    pub line: usize,
    /// The path as written.
    pub path: String,
}

/// The target of a path.
#[derive(Clone, Copy)]
enum Place {
    Module(usize),
    /// An item that this module defines.
    Item(usize),
}

/// The modules of one crate. Module 0 is the root.
pub struct Tree {
    /// The modules in the order of their declaration.
    pub modules: Vec<Module>,
}

/// Reads a file; returns `None` if it does not exist.
pub type Reader<'a> = &'a dyn Fn(&Path) -> Option<String>;

impl Tree {
    /// Reads the crate with the root file `root`, and all its modules.
    pub fn read(root: &Path, read: Reader<'_>) -> Tree {
        let mut tree = Tree { modules: Vec::new() };
        let folder = root.parent().expect("a crate's root lies in a folder");
        let text = read(root).unwrap_or_else(|| panic!("{}: cannot be read", root.display()));
        let file = parse(root, &text);
        let index = tree.add(None, "", root);
        tree.take(index, folder, &file.items, read);
        tree
    }

    /// Returns the number of files that contain the modules.
    pub fn files(&self) -> usize {
        self.modules.iter().map(|module| &module.file).collect::<BTreeSet<_>>().len()
    }

    fn add(&mut self, parent: Option<usize>, name: &str, file: &Path) -> usize {
        let index = self.modules.len();
        let mut path = Vec::new();
        if let Some(parent) = parent {
            path.clone_from(&self.modules[parent].path);
            path.push(name.to_owned());
            self.modules[parent].children.insert(name.to_owned(), index);
        }
        self.modules.push(Module {
            path,
            file: file.to_path_buf(),
            parent,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            imports: Vec::new(),
            paths: Vec::new(),
        });
        index
    }

    /// Adds a module's items; `folder` contains the files of its children.
    fn take(&mut self, index: usize, folder: &Path, items: &[syn::Item], read: Reader<'_>) {
        for item in items.iter().filter(|item| !is_for_tests(attributes(item))) {
            let syn::Item::Mod(declaration) = item else {
                self.modules[index].items.extend(defined_name(item));
                let mut collector = Collector { module: &mut self.modules[index] };
                collector.visit_item(item);
                continue;
            };
            let name = declaration.ident.to_string();
            if let Some((_, items)) = &declaration.content {
                let file = self.modules[index].file.clone();
                let child = self.add(Some(index), &name, &file);
                self.take(child, &folder.join(&name), items, read);
                continue;
            }
            let candidates = match path_attribute(&declaration.attrs) {
                Some(path) => {
                    let from = self.modules[index].file.parent().expect("a file has a folder");
                    vec![from.join(path)]
                }
                None => vec![folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")],
            };
            let found = candidates.iter().find_map(|path| Some((path, read(path)?)));
            let Some((path, text)) = found else {
                panic!(
                    "{}: there is no file for `mod {name};`",
                    self.modules[index].file.display()
                );
            };
            let file = parse(path, &text);
            let child = self.add(Some(index), &name, path);
            self.take(child, &folder.join(&name), &file.items, read);
        }
    }

    /// Returns every use of an item that another module of this crate defines.
    pub fn uses(&self) -> Vec<Use> {
        let mut uses = Vec::new();
        for (from, module) in self.modules.iter().enumerate() {
            let imports =
                module.imports.iter().map(|import| (&import.target, import.name.is_none()));
            let paths = module.paths.iter().map(|path| (path, false));
            for (mention, is_glob) in imports.chain(paths) {
                let to = match self.resolve(from, &mention.segments, 0) {
                    Some(Place::Item(to)) => to,
                    // A glob uses the module's items; a path to a module alone is only a name.
                    Some(Place::Module(to)) if is_glob => to,
                    _ => continue,
                };
                if to != from {
                    let mut path = mention.segments.join("::");
                    if is_glob {
                        path.push_str("::*");
                    }
                    uses.push(Use { from, to, line: mention.line, path });
                }
            }
        }
        uses
    }

    /// Returns the target of `segments`, written in the module `from`; `None` if it is outside the
    /// crate.
    fn resolve(&self, from: usize, segments: &[String], depth: usize) -> Option<Place> {
        let (first, mut rest) = segments.split_first()?;
        let mut place = match first.as_str() {
            "crate" => Place::Module(0),
            "self" => Place::Module(from),
            "super" => Place::Module(self.modules[from].parent?),
            name => self.look_up(from, name, depth)?,
        };
        while let (Place::Module(module), Some((name, after))) = (place, rest.split_first()) {
            rest = after;
            place = match name.as_str() {
                "self" => place,
                "super" => Place::Module(self.modules[module].parent?),
                // An item created by a macro is not in the module's list, so it is attributed to
                // the module.
                name => self.look_up(module, name, depth).unwrap_or(Place::Item(module)),
            };
        }
        Some(place)
    }

    /// Returns the target of `name` in the scope of a module.
    fn look_up(&self, module: usize, name: &str, depth: usize) -> Option<Place> {
        if depth > LONGEST_CHAIN {
            return None;
        }
        let scope = &self.modules[module];
        if let Some(child) = scope.children.get(name) {
            return Some(Place::Module(*child));
        }
        if scope.items.contains(name) {
            return Some(Place::Item(module));
        }
        let named = scope.imports.iter().filter(|import| import.name.as_deref() == Some(name));
        for import in named {
            // `use clap::Parser as clap;` would lead to itself.
            if import.target.segments.first().is_some_and(|first| first == name) {
                continue;
            }
            if let Some(place) = self.resolve(module, &import.target.segments, depth + 1) {
                return Some(place);
            }
        }
        for glob in scope.imports.iter().filter(|import| import.name.is_none()) {
            let target = self.resolve_glob(module, glob, name, depth + 1);
            if let Some(Place::Module(target)) = target
                && target != module
                && let Some(place) = self.look_up(target, name, depth + 1)
            {
                return Some(place);
            }
        }
        None
    }

    /// Returns the module of a glob, unless its own path begins with the name that is being
    /// resolved.
    fn resolve_glob(&self, from: usize, glob: &Import, name: &str, depth: usize) -> Option<Place> {
        if glob.target.segments.first().is_some_and(|first| first == name) {
            return None;
        }
        self.resolve(from, &glob.target.segments, depth)
    }
}

fn parse(path: &Path, text: &str) -> syn::File {
    syn::parse_file(text)
        .unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), error.span().start().line))
}

/// Collects the paths of one item.
struct Collector<'a> {
    module: &'a mut Module,
}

impl Collector<'_> {
    fn import(&mut self, prefix: &[String], tree: &syn::UseTree) {
        let target = |last: Option<&proc_macro2::Ident>, span: proc_macro2::Span| {
            let mut segments = prefix.to_vec();
            // `use a::{self}` is `use a`.
            segments.extend(
                last.map(ToString::to_string).filter(|name| name != "self" || prefix.is_empty()),
            );
            Mention { segments, line: span.start().line }
        };
        match tree {
            syn::UseTree::Path(path) => {
                let mut prefix = prefix.to_vec();
                prefix.push(path.ident.to_string());
                self.import(&prefix, &path.tree);
            }
            syn::UseTree::Name(name) => {
                let target = target(Some(&name.ident), name.ident.span());
                let name = target.segments.last().cloned();
                self.module.imports.push(Import { name, target });
            }
            syn::UseTree::Rename(rename) => {
                let target = target(Some(&rename.ident), rename.ident.span());
                let name = Some(rename.rename.to_string());
                self.module.imports.push(Import { name, target });
            }
            syn::UseTree::Glob(glob) => {
                let target = target(None, glob.star_token.spans[0]);
                self.module.imports.push(Import { name: None, target });
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(prefix, tree);
                }
            }
        }
    }

    /// Collects the paths in a macro's input: words with `::` between them.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut segments: Vec<String> = Vec::new();
        let mut line = 0;
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.mention(&mut segments, line);
                        line = ident.span().start().line;
                    }
                    segments.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !segments.is_empty() => {
                    colons += 1;
                }
                TokenTree::Group(group) => {
                    self.mention(&mut segments, line);
                    colons = 0;
                    self.tokens(group.stream());
                }
                _ => {
                    self.mention(&mut segments, line);
                    colons = 0;
                }
            }
        }
        self.mention(&mut segments, line);
    }

    /// Records a path of two words or more and clears `segments`.
    fn mention(&mut self, segments: &mut Vec<String>, line: usize) {
        let segments = std::mem::take(segments);
        if segments.len() > 1 {
            self.module.paths.push(Mention { segments, line });
        }
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes = match item {
            syn::ImplItem::Fn(function) => &function.attrs,
            syn::ImplItem::Const(constant) => &constant.attrs,
            _ => &Vec::new(),
        };
        if !is_for_tests(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.import(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.module
                .paths
                .push(Mention { segments, line: path.segments[0].ident.span().start().line });
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        self.visit_path(&invocation.path);
        self.tokens(invocation.tokens.clone());
    }

    // `pub(in crate::a)` and attributes are not uses.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::ExternCrate(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::ForeignMod(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::TraitAlias(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Union(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns whether an item is compiled for tests only: `#[cfg(test)]`, or `#[test]` itself.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// Returns the file in `#[path = "…"]`.
fn path_attribute(attributes: &[syn::Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}

/// Returns the name of an item in its module.
fn defined_name(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::TraitAlias(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}
