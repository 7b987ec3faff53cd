//! The order of the modules in each package's `lib.rs` holds: a module uses only modules above it.
//! Inside a folder no modules import each other in a circle, directly or indirectly.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemFn, ItemImpl, ItemMod, ItemUse, Macro, UseTree, Visibility};

/// Names from the crate's root: `["search", "node"]`.
type ModulePath = Vec<String>;

/// One module: its children, and the names made known by its `use` items under its own path.
#[derive(Default)]
struct Module {
    children: BTreeSet<String>,
    reexports: BTreeMap<String, ModulePath>,
}

/// All modules of the library but those of tests, with all paths in each.
#[derive(Default)]
struct Library {
    modules: BTreeMap<ModulePath, Module>,
    mentions: BTreeSet<(ModulePath, ModulePath)>,
    /// The modules of `lib.rs` in their order.
    layers: Vec<String>,
}

impl Library {
    /// All packages whose modules need an order.
    fn all() -> Vec<(&'static str, Library)> {
        let sources = ["../src", "src", "games/src", "database/src"];
        sources.map(|src| (src, Library::read(src))).into()
    }

    fn read(src: &str) -> Library {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join(src);
        let mut library = Library::default();
        library.add(&src.join("lib.rs"), &src, Vec::new());
        let root = &library.modules[&Vec::new()];
        assert_eq!(root.children.len(), library.layers.len());
        assert!(library.modules.len() > 10, "the modules were not found");
        library
    }

    /// Reads the module `path` from `file`, and its children from `folder`.
    fn add(&mut self, file: &Path, folder: &Path, path: ModulePath) {
        let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        self.add_items(&parsed.items, folder, path);
    }

    fn add_items(&mut self, items: &[Item], folder: &Path, path: ModulePath) {
        self.modules.insert(path.clone(), Module::default());
        for item in items {
            match item {
                Item::Mod(module) if !is_test(&module.attrs) => {
                    let name = module.ident.to_string();
                    if path.is_empty() {
                        self.layers.push(name.clone());
                    }
                    let child: ModulePath = path.iter().cloned().chain([name.clone()]).collect();
                    let parent = self.modules.get_mut(&path).expect("inserted above");
                    parent.children.insert(name.clone());
                    match &module.content {
                        Some((_, items)) => self.add_items(items, &folder.join(&name), child),
                        None => self.add(&source_of(folder, &name), &folder.join(&name), child),
                    }
                }
                item => {
                    let mut mentions = Mentions {
                        module: &path,
                        found: Vec::new(),
                    };
                    mentions.visit_item(item);
                    for (name, target, public) in mentions.found {
                        if public {
                            let module = self.modules.get_mut(&path).expect("inserted above");
                            module.reexports.insert(name, target.clone());
                        }
                        self.mentions.insert((path.clone(), target));
                    }
                }
            }
        }
    }

    /// The module that defines the item at `path`, through any re-exports.
    fn definer(&self, path: &[String]) -> ModulePath {
        let mut at = ModulePath::new();
        for (i, name) in path.iter().enumerate() {
            let Some(module) = self.modules.get(&at) else {
                break;
            };
            if module.children.contains(name) {
                at.push(name.clone());
            } else if let Some(target) = module.reexports.get(name) {
                let rest = target.iter().chain(&path[i + 1..]).cloned();
                return self.definer(&rest.collect::<ModulePath>());
            } else {
                break;
            }
        }
        at
    }

    /// For each folder the imports between its modules.
    fn imports(&self) -> BTreeMap<ModulePath, BTreeMap<String, BTreeSet<String>>> {
        let mut imports: BTreeMap<_, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (from, mentioned) in &self.mentions {
            let to = self.definer(mentioned);
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if let (Some(user), Some(used)) = (from.get(shared), to.get(shared)) {
                let folder = imports.entry(from[..shared].to_vec()).or_default();
                folder.entry(user.clone()).or_default().insert(used.clone());
            }
        }
        imports
    }
}

/// The path of a child module's text.
fn source_of(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(format!("{name}.rs"));
    if file.exists() {
        file
    } else {
        folder.join(name).join("mod.rs")
    }
}

/// True if the item exists in tests alone: `cfg(test)`, or `cfg(all(test, …))`.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && matches!(&attribute.meta, syn::Meta::List(list)
                if needs_test(&list.tokens.to_string()))
    })
}

fn needs_test(condition: &str) -> bool {
    let condition = condition.replace(' ', "");
    let all = condition
        .strip_prefix("all(")
        .and_then(|rest| rest.strip_suffix(')'));
    condition == "test" || all.is_some_and(|all| all.split(',').any(|part| part == "test"))
}

/// Collects the paths of one item that begin with `crate`, `super` or `self`: the name in the
/// module, the path from the root, and true if other modules may use the name.
struct Mentions<'a> {
    module: &'a ModulePath,
    found: Vec<(String, ModulePath, bool)>,
}

impl Mentions<'_> {
    fn absolute(&self, names: &[String]) -> Option<ModulePath> {
        let mut path = match names.first()?.as_str() {
            "crate" => return Some(names[1..].to_vec()),
            "self" => self.module.clone(),
            "super" => {
                let ups = names.iter().take_while(|name| *name == "super").count();
                let kept = self.module.len().checked_sub(ups)?;
                let mut path = self.module[..kept].to_vec();
                path.extend_from_slice(&names[ups..]);
                return Some(path);
            }
            _ => return None,
        };
        path.extend_from_slice(&names[1..]);
        Some(path)
    }

    /// Notes that `name` stands for `path`. In a module's own file a child may be named without
    /// `self`, so a path that begins with no keyword counts from the module as well.
    fn note(&mut self, name: String, path: &[String], public: bool) {
        let target = self.absolute(path).unwrap_or_else(|| {
            let below = self.module.iter().chain(path);
            below.cloned().collect()
        });
        self.found.push((name, target, public));
    }

    /// Notes what `tree` imports; `prefix` are the names before it.
    fn walk(&mut self, tree: &UseTree, prefix: &mut Vec<String>, public: bool) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.walk(&path.tree, prefix, public);
                prefix.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.walk(tree, prefix, public);
                }
            }
            UseTree::Name(name) if name.ident == "self" => {
                let last = prefix.last().cloned().unwrap_or_default();
                self.note(last, prefix, public);
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                prefix.push(name.clone());
                self.note(name, prefix, public);
                prefix.pop();
            }
            UseTree::Rename(rename) => {
                prefix.push(rename.ident.to_string());
                self.note(rename.rename.to_string(), prefix, public);
                prefix.pop();
            }
            UseTree::Glob(_) => self.note("*".to_string(), prefix, public),
        }
    }
}

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_test(&item.attrs) {
            let public = !matches!(item.vis, Visibility::Inherited);
            self.walk(&item.tree, &mut Vec::new(), public);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if let Some(target) = self.absolute(&names) {
            self.found.push((String::new(), target, false));
        }
        visit::visit_path(self, path);
    }

    /// The arguments of a macro are words, not syntax: only paths that begin with `crate` can be
    /// recognised.
    fn visit_macro(&mut self, call: &'ast Macro) {
        let text = call.tokens.to_string();
        let text = text.replace(" ::", "::").replace(":: ", "::");
        for path in text.split("crate::").skip(1) {
            let is_part = |c: char| c.is_alphanumeric() || "_:".contains(c);
            let path = path.split(|c| !is_part(c)).next().unwrap_or_default();
            let target = path.split("::").map(str::to_string).collect();
            self.found.push((String::new(), target, false));
        }
        visit::visit_macro(self, call);
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if !is_test(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}
}

/// A path along `imports` from a module back to it.
fn circle(imports: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn search<'a>(
        at: &'a str,
        imports: &'a BTreeMap<String, BTreeSet<String>>,
        way: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<Vec<String>> {
        if let Some(first) = way.iter().position(|name| *name == at) {
            let names = way[first..].iter().chain([&at]);
            return Some(names.map(|name| (*name).to_string()).collect());
        }
        if !done.insert(at) {
            return None;
        }
        way.push(at);
        let next = imports.get(at).into_iter().flatten();
        let found = next
            .into_iter()
            .find_map(|name| search(name, imports, way, done));
        way.pop();
        found
    }
    let mut done = BTreeSet::new();
    imports
        .keys()
        .find_map(|name| search(name, imports, &mut Vec::new(), &mut done))
}

#[test]
fn each_module_uses_only_those_above_it() {
    for (src, library) in Library::all() {
        let place = |name: &String| library.layers.iter().position(|layer| layer == name);
        for (user, used) in &library.imports()[&Vec::new()] {
            for used in used {
                assert!(
                    place(used) < place(user),
                    "`{user}` uses `{used}`, which stands below it in {src}/lib.rs"
                );
            }
        }
    }
}

#[test]
fn no_folder_has_an_import_circle() {
    let mut circles = Vec::new();
    for (src, library) in Library::all() {
        circles.extend(library.imports().iter().filter_map(|(folder, imports)| {
            let way = circle(imports)?;
            Some(format!("{src}/{}: {}", folder.join("/"), way.join(" -> ")))
        }));
    }
    assert!(
        circles.is_empty(),
        "import circles:\n{}",
        circles.join("\n")
    );
}

#[test]
fn a_circle_is_found_where_there_is_one() {
    let imports = |pairs: &[(&str, &str)]| {
        let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (user, used) in pairs {
            let of = imports.entry((*user).to_string()).or_default();
            of.insert((*used).to_string());
        }
        imports
    };
    assert_eq!(
        circle(&imports(&[("a", "b"), ("a", "c"), ("b", "c")])),
        None
    );
    let around = circle(&imports(&[("a", "b"), ("b", "c"), ("c", "b")])).unwrap();
    assert_eq!(around, ["b", "c", "b"]);
}

#[test]
fn paths_within_macros_are_seen() {
    let text = "fn f() -> String { format!(\"{}\", crate::a::b(vec![g, crate::c::D { x }])) }";
    let mut mentions = Mentions {
        module: &Vec::new(),
        found: Vec::new(),
    };
    mentions.visit_item(&syn::parse_str(text).unwrap());
    let found: Vec<String> = mentions
        .found
        .iter()
        .map(|(_, path, _)| path.join("::"))
        .collect();
    assert_eq!(found, ["a::b", "c::D"]);
}
