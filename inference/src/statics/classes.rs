//! The classes of a recording and who inherits from whom.

use crate::collect::FastMap;
use locklens_trace::record::ClassDef;
use locklens_trace::{ClassId, LoaderId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Classes by id and name, with their hierarchy worked out once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    defs: BTreeMap<ClassId, ClassDef>,
    by_name: HashMap<String, Namesakes>,
    /// The class and its superclasses, nearest first.
    chains: FastMap<ClassId, Vec<ClassId>>,
    /// The same and then all interfaces.
    above: FastMap<ClassId, Vec<ClassId>>,
    below: FastMap<ClassId, BTreeSet<ClassId>>,
}

/// The classes of one name, each of another loader; of several that one loader has, the first.
#[derive(Clone, Debug)]
struct Namesakes {
    first: ClassId,
    of: BTreeMap<Option<LoaderId>, ClassId>,
}

/// Longest chain of superclasses believed; a damaged trace may hold a cycle.
const MAX_CHAIN: usize = 64;
/// Most supertypes looked at.
const MAX_ABOVE: usize = 256;

impl Classes {
    pub(crate) fn new(defs: &BTreeMap<ClassId, ClassDef>) -> Self {
        let mut classes = Self {
            defs: defs.clone(),
            ..Self::default()
        };
        for class in defs.values() {
            let same = classes.by_name.entry(class.name.clone());
            let same = same.or_insert_with(|| Namesakes {
                first: class.id,
                of: BTreeMap::new(),
            });
            same.of.entry(class.loader).or_insert(class.id);
        }
        for &id in defs.keys() {
            let chain = classes.find_chain(id);
            let above = classes.find_above(id, &chain);
            for &other in above.iter().skip(1) {
                classes.below.entry(other).or_default().insert(id);
            }
            classes.chains.insert(id, chain);
            classes.above.insert(id, above);
        }
        classes
    }

    /// A class that stands for something else than a class of the program; none if there is no number left for it.
    pub(super) fn add(&mut self, name: String, loader: Option<LoaderId>) -> Option<ClassId> {
        let last = self.defs.keys().next_back().map_or(0, |last| last.0);
        let id = ClassId(last.checked_add(1)?);
        let same = self.by_name.entry(name.clone());
        let same = same.or_insert_with(|| Namesakes {
            first: id,
            of: BTreeMap::new(),
        });
        same.of.entry(loader).or_insert(id);
        self.chains.insert(id, vec![id]);
        self.above.insert(id, vec![id]);
        let class = ClassDef {
            id,
            loader,
            name,
            super_name: None,
            interfaces: Vec::new(),
            flags: 0,
            source_file: None,
        };
        self.defs.insert(id, class);
        Some(id)
    }

    fn find_chain(&self, id: ClassId) -> Vec<ClassId> {
        let mut chain = vec![id];
        while let Some(above) = chain.last().and_then(|&c| self.superclass(c)) {
            if chain.len() >= MAX_CHAIN || chain.contains(&above) {
                break;
            }
            chain.push(above);
        }
        chain
    }

    fn find_above(&self, id: ClassId, chain: &[ClassId]) -> Vec<ClassId> {
        let mut all = chain.to_vec();
        let mut at = 0;
        while at < all.len() && all.len() < MAX_ABOVE {
            for name in &self.defs[&all[at]].interfaces {
                if let Some(found) = self.named(name, Some(id))
                    && !all.contains(&found)
                {
                    all.push(found);
                }
            }
            at += 1;
        }
        all
    }

    fn superclass(&self, id: ClassId) -> Option<ClassId> {
        let name = self.defs.get(&id)?.super_name.as_ref()?;
        self.named(name, Some(id))
    }

    /// A class by name, preferably of the loader of `from`.
    pub(crate) fn named(&self, name: &str, from: Option<ClassId>) -> Option<ClassId> {
        let candidates = self.by_name.get(name)?;
        let from = from.and_then(|id| self.defs.get(&id));
        let same = from.and_then(|from| candidates.of.get(&from.loader));
        Some(*same.unwrap_or(&candidates.first))
    }

    /// Whether a loader has a class of this name.
    pub(crate) fn has(&self, loader: Option<LoaderId>, name: &str) -> bool {
        let candidates = self.by_name.get(name);
        candidates.is_some_and(|all| all.of.contains_key(&loader))
    }

    /// What a class inherits from by name, itself included: `is_a` is true of these and no others.
    pub(crate) fn names_above(&self, id: ClassId) -> impl Iterator<Item = &str> {
        let above = self.above(id).iter().map(|class| &self.defs[class]);
        above.flat_map(|class| {
            let inherited = class.super_name.iter().chain(&class.interfaces);
            std::iter::once(&class.name)
                .chain(inherited)
                .map(String::as_str)
        })
    }

    /// Definition of a class.
    pub(crate) fn get(&self, id: ClassId) -> Option<&ClassDef> {
        self.defs.get(&id)
    }

    /// The class is `public`.
    pub(crate) fn is_public(&self, id: ClassId) -> bool {
        self.defs.get(&id).is_some_and(|c| c.flags & 0x0001 != 0)
    }

    /// Binary name of a class, empty if unknown.
    pub(crate) fn name(&self, id: ClassId) -> &str {
        self.defs.get(&id).map_or("", |c| &c.name)
    }

    /// The class and its known superclasses, nearest first; empty for an unknown class.
    pub(crate) fn chain(&self, id: ClassId) -> &[ClassId] {
        self.chains.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The class, its superclasses and all their interfaces, as far as known.
    pub(crate) fn above(&self, id: ClassId) -> &[ClassId] {
        self.above.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Known subtypes of a class, itself not included.
    pub(crate) fn below(&self, id: ClassId) -> impl Iterator<Item = ClassId> {
        self.below.get(&id).into_iter().flatten().copied()
    }

    /// How many known subtypes a class has.
    pub(crate) fn count_below(&self, id: ClassId) -> usize {
        self.below.get(&id).map_or(0, BTreeSet::len)
    }

    /// `sub` is `name` or inherits from it; superclasses outside the recording end the search.
    pub(crate) fn is_a(&self, sub: ClassId, name: &str) -> bool {
        self.above(sub).iter().any(|c| {
            let class = &self.defs[c];
            class.name == name
                || class.super_name.as_deref() == Some(name)
                || class.interfaces.iter().any(|i| i == name)
        })
    }
}
