use tengen::board::Move;

/// Properties that change a position without a move: black, white, empty and blocked cells (`XB` is
/// our own), and the side to move.
pub const SET_UP: [&str; 5] = ["AB", "AW", "AE", "XB", "PL"];

/// A property with its values, unescaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name, in capitals.
    pub name: String,
    /// The values, at least one; a value may be empty.
    pub values: Vec<String>,
}

impl Property {
    /// A property with one value.
    pub fn new(name: &str, value: impl ToString) -> Property {
        Property {
            name: name.to_string(),
            values: vec![value.to_string()],
        }
    }

    /// The first value.
    pub fn value(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }
}

/// A node of a game tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The move made there.
    pub made: Option<Move>,
    /// All other properties: comments, labels, set-ups, those of other programs. A property `B` or
    /// `W` is a turn without a stone, such as `W[swap]`, and `made` then is a pass.
    pub properties: Vec<Property>,
    /// Places of other nodes; the root follows no node, so its place stands for none.
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
}

impl Node {
    /// The first property of that name.
    pub fn find(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|p| p.name == name)
    }

    /// True if the players exchange colours instead of a move.
    pub fn is_swap(&self) -> bool {
        self.made.is_some() && (self.find("B").is_some() || self.find("W").is_some())
    }
}

/// A game tree, held flat, so deep and long trees need no more stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            nodes: vec![Node::default()],
        }
    }
}

/// A step of a [walk](Tree::walk) through a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The node at this place; the node's replies follow.
    Node(usize),
    /// Begins one of several variations.
    Open,
    /// Ends a variation.
    Close,
}

impl Tree {
    /// Place of the root.
    pub const ROOT: usize = 0;

    /// The node at `place`.
    pub fn node(&self, place: usize) -> &Node {
        &self.nodes[place]
    }

    /// The node at `place`, to be changed.
    pub fn node_mut(&mut self, place: usize) -> &mut Node {
        &mut self.nodes[place]
    }

    /// Number of nodes, the root included.
    #[expect(clippy::len_without_is_empty, reason = "there always is a root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a reply to the node at `parent` and returns its place.
    ///
    /// # Panics
    /// When there are more than 2^32 nodes.
    pub fn add(&mut self, parent: usize, made: Option<Move>) -> usize {
        let place = self.nodes.len();
        let index = u32::try_from(place).expect("fewer nodes than memory has room for");
        self.nodes.push(Node {
            made,
            ..Node::default()
        });
        let last = self.nodes[parent].last_child;
        match known(last) {
            Some(last) => self.nodes[last].next_sibling = index,
            None => self.nodes[parent].first_child = index,
        }
        self.nodes[parent].last_child = index;
        place
    }

    /// Adds all replies of another tree's root to the node at `parent`.
    pub fn graft(&mut self, parent: usize, other: &Tree) {
        let mut open = vec![(Tree::ROOT, parent)];
        while let Some((from, to)) = open.pop() {
            for child in other.children(from) {
                let node = other.node(child);
                let place = self.add(to, node.made);
                self.nodes[place].properties.clone_from(&node.properties);
                open.push((child, place));
            }
        }
    }

    /// The replies to a node, in their order.
    pub fn children(&self, place: usize) -> impl Iterator<Item = usize> {
        let first = known(self.nodes[place].first_child);
        std::iter::successors(first, |&child| known(self.nodes[child].next_sibling))
    }

    /// The nodes from the root on along the first variations.
    pub fn main_line(&self) -> impl Iterator<Item = usize> {
        let first = |&place: &usize| known(self.nodes[place].first_child);
        std::iter::successors(Some(Tree::ROOT), first)
    }

    /// All nodes from `place` on, each before its replies, and the brackets around variations.
    pub fn walk(&self, place: usize) -> impl Iterator<Item = Step> {
        let mut waiting = vec![Step::Node(place)];
        std::iter::from_fn(move || {
            let step = waiting.pop()?;
            if let Step::Node(place) = step {
                let from = waiting.len();
                let is_branch = self.nodes[place].first_child != self.nodes[place].last_child;
                for child in self.children(place) {
                    match is_branch {
                        true => waiting.extend([Step::Open, Step::Node(child), Step::Close]),
                        false => waiting.push(Step::Node(child)),
                    }
                }
                waiting[from..].reverse();
            }
            Some(step)
        })
    }
}

fn known(index: u32) -> Option<usize> {
    (index != Tree::ROOT as u32).then_some(index as usize)
}
