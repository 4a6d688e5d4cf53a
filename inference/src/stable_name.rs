//! Names of logical locks that are the same in another run and another build.
//!
//! A name says what is locked, where the code shows it: a field (`Registry.lock`), the mirror
//! of a class (`Registry.class`), the object itself (`BoundedBuffer`); else where it is locked
//! (`Journal.append`). It holds no bci, no line and no number a compiler or the JVM made up.
//! A static field is one object: its name is no name for a lock that has others too.
//! Locks of two recordings are the same if their [`Signature`]s overlap enough, whatever they
//! are called.

use crate::effects::is_platform_name;
use crate::lockclass::{ClassKey, Group};
use crate::program::Program;
use crate::region::subject::Subject;
use crate::region::{Region, RegionId, RegionPlace, RegionTable};
use locklens_trace::ClassId;
use locklens_trace::code::MemberRef;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What a logical lock is known by in any recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Names of its classes.
    pub classes: BTreeSet<String>,
    /// Its regions: class, method, descriptor, ordinal.
    pub regions: BTreeSet<String>,
}

impl Signature {
    /// How much two logical locks have in common, 0 to 1: the share of the smaller one's regions
    /// that are the other's (a run sees only some of a lock's regions), or of its classes if one
    /// has no region.
    #[must_use]
    pub fn overlap(&self, other: &Self) -> f64 {
        if self.regions.is_empty() || other.regions.is_empty() {
            return share(&self.classes, &other.classes);
        }
        share(&self.regions, &other.regions)
    }
}

fn share(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let smaller = a.len().min(b.len());
    if smaller == 0 {
        return 0.0;
    }
    a.intersection(b).count() as f64 / smaller as f64
}

/// The signature of a logical lock with these regions.
#[must_use]
pub fn signature(
    program: &Program<'_>,
    table: &RegionTable,
    group: &Group,
    regions: &BTreeSet<RegionId>,
) -> Signature {
    let regions = regions.iter().filter_map(|&id| table.get(id));
    Signature {
        classes: group
            .classes
            .iter()
            .map(|&c| class_name(program, c))
            .collect(),
        regions: regions.map(|r| region_name(program, r)).collect(),
    }
}

fn class_name(program: &Program<'_>, key: ClassKey) -> String {
    match key {
        ClassKey::Of(id) => stable_class(&program.catalog.class_name(id)),
        ClassKey::Mirror(id) => stable_class(&program.catalog.class_name(id)) + ".class",
        ClassKey::Lost(_) => String::new(),
    }
}

/// Class, method, descriptor and ordinal of a region.
#[must_use]
pub fn region_name(program: &Program<'_>, region: &Region) -> String {
    let class = stable_class(&program.catalog.class_name(region.class));
    let Some(method) = program.method(region.method) else {
        return class;
    };
    let name = stable_method(&method.name);
    match region.place {
        RegionPlace::Block { ordinal, .. } => {
            format!("{class}.{name}{}#{ordinal}", method.descriptor)
        }
        RegionPlace::Method | RegionPlace::Unknown { .. } => {
            format!("{class}.{name}{}", method.descriptor)
        }
    }
}

/// A class name without what is numbered or drawn at run time: hidden classes, lambdas, proxies, generated accessors and subclasses.
#[must_use]
pub fn stable_class(name: &str) -> String {
    const CUT_BEHIND: [&str; 4] = [
        "$$Lambda",
        "$ByteBuddy$",
        "$HibernateProxy$",
        "$MockitoMock$",
    ];
    const NUMBERED: [&str; 4] = [
        "$Proxy",
        "GeneratedMethodAccessor",
        "GeneratedConstructorAccessor",
        "GeneratedSerializationConstructorAccessor",
    ];
    let name = name.split_once('/').map_or(name, |(stable, _)| stable);
    for marker in CUT_BEHIND {
        if let Some(at) = name.find(marker) {
            return name[..at + marker.len()].trim_end_matches('$').to_owned();
        }
    }
    let stem = without_number(name);
    let (package, simple) = stem.rsplit_once('.').unwrap_or(("", stem));
    match NUMBERED.contains(&simple) && stem.len() < name.len() {
        // `jdk.proxy2`: the JVM makes such a package for each class loader.
        true if package.starts_with("jdk.proxy") => {
            format!("{}.{simple}", without_number(package))
        }
        true => stem.to_owned(),
        false => name.to_owned(),
    }
}

fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// A method name without the numbers that javac, kotlinc and scalac give the bodies of lambdas.
#[must_use]
pub fn stable_method(name: &str) -> Cow<'_, str> {
    let is_lambda = ["lambda$", "$anonfun$"]
        .iter()
        .any(|begin| name.starts_with(begin))
        || name.contains("$lambda");
    if !is_lambda {
        return Cow::Borrowed(name);
    }
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let kept = name.split('$').filter(|part| !is_number(part));
    // Some kotlinc write `work$lambda-0`.
    let kept = kept.map(|part| match part.split_once('-') {
        Some(("lambda", number)) if is_number(&number) => "lambda",
        _ => part,
    });
    Cow::Owned(kept.collect::<Vec<_>>().join("$"))
}

/// A class name without its package, nested classes with dots.
pub(crate) fn short(name: &str) -> String {
    let stable = stable_class(name);
    let simple = stable.rsplit('.').next().unwrap_or(&stable);
    let nested = simple
        .split("$$")
        .next()
        .unwrap_or(simple)
        .replace('$', ".");
    match simple.split_once("$$") {
        Some((_, rest)) => format!("{nested}$${rest}"),
        None => nested,
    }
}

/// What a logical lock is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name, which goes by no class that this run alone has met.
    pub name: String,
    /// Where that is the name of a class which those of its objects extend: these.
    pub concrete: BTreeSet<String>,
}

/// Readable, stable names for logical locks (each with all its regions), unique among them.
#[must_use]
pub fn names(
    program: &Program<'_>,
    table: &RegionTable,
    locks: &[(&Group, &BTreeSet<RegionId>)],
) -> Vec<Named> {
    let own = locking_themselves(program, table);
    let candidates: Vec<([String; 3], BTreeSet<String>)> = locks
        .iter()
        .map(|(group, regions)| {
            let subject = subject_name((program, &own), table, group, regions);
            let (subject, class) = subject.map_or((None, None), |s| (Some(s.name), s.class));
            let concrete = class.map_or_else(BTreeSet::new, |class| below(program, group, class));
            let place = place_name(program, table, regions);
            let best = subject.clone().or(place.clone());
            let best = best.unwrap_or_else(|| fallback(program, group));
            let told_apart = match (subject, place) {
                (Some(s), Some(p)) => format!("{s} in {p}"),
                _ => best.clone(),
            };
            let whole = signature(program, table, group, regions);
            let first = whole.regions.first().or(whole.classes.first());
            let whole = first.map_or(told_apart.clone(), |f| format!("{best} in {f}"));
            ([best, told_apart, whole], concrete)
        })
        .collect();
    let (candidates, concrete): (Vec<_>, Vec<_>) = candidates.into_iter().unzip();
    let names = unique(&candidates).into_iter().zip(concrete);
    names
        .map(|(name, concrete)| Named { name, concrete })
        .collect()
}

/// Classes of the objects that are this one or extend it, if any does.
fn below(program: &Program<'_>, group: &Group, class: ClassId) -> BTreeSet<String> {
    let classes = group.classes.iter().filter_map(|key| match key {
        ClassKey::Of(id) => program.hierarchy.extends(*id, class)?.then_some(*id),
        ClassKey::Mirror(_) | ClassKey::Lost(_) => None,
    });
    let classes: Vec<ClassId> = classes.collect();
    match classes.iter().all(|id| *id == class) {
        true => BTreeSet::new(),
        false => { classes.into_iter() }
            .map(|id| program.catalog.class_name(id))
            .collect(),
    }
}

/// For each the first candidate nobody else has; numbered if there is none.
fn unique(candidates: &[[String; 3]]) -> Vec<String> {
    let mut counts: [BTreeMap<&str, u32>; 3] = Default::default();
    for names in candidates {
        for (level, name) in names.iter().enumerate() {
            *counts[level].entry(name).or_default() += 1;
        }
    }
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut next: BTreeMap<&str, u32> = BTreeMap::new();
    let mut chosen = Vec::with_capacity(candidates.len());
    for names in candidates {
        let free = (0..3).find(|&level| {
            counts[level][names[level].as_str()] == 1 && !used.contains(&names[level])
        });
        let name = match free {
            Some(level) => names[level].clone(),
            None => numbered(&names[0], next.entry(&names[0]).or_default(), &used),
        };
        used.insert(name.clone());
        chosen.push(name);
    }
    chosen
}

/// The next free name with a number; the first has none.
fn numbered(name: &str, last: &mut u32, used: &BTreeSet<String>) -> String {
    loop {
        *last = last.saturating_add(1);
        let candidate = match *last {
            1 => name.to_owned(),
            n => format!("{name} ({n})"),
        };
        if !used.contains(&candidate) || *last == u32::MAX {
            return candidate;
        }
    }
}

/// What is locked.
struct What {
    name: String,
    /// The class that it is called by, if it is.
    class: Option<ClassId>,
}

impl From<String> for What {
    fn from(name: String) -> Self {
        Self { name, class: None }
    }
}

/// What is locked, if the regions show it.
fn subject_name(
    (program, own): (&Program<'_>, &BTreeSet<ClassId>),
    table: &RegionTable,
    group: &Group,
    regions: &BTreeSet<RegionId>,
) -> Option<What> {
    let placed = || regions.iter().filter_map(|&id| table.get(id));
    let named = placed().filter_map(|r| Some((rank(program, r)?, r)));
    let named = named.min_by_key(|&(rank, r)| (rank, region_name(program, r)));
    match singular(program, table, group, regions) {
        Singular::Name(name) => return Some(name.into()),
        Singular::None => {}
        Singular::OfSome => {
            let mut all = placed().filter(|r| program.subject(r) == Subject::This);
            let itself = || Some(itself((program, own), group, all.next()?));
            return own_class(program, group)
                .map(What::from)
                .or_else(itself)
                .or_else(|| place_of_any(program, table, regions).map(What::from));
        }
    }
    let (_, region) = named?;
    Some(match program.subject(region) {
        Subject::Field { field, .. } => field_name(&field).into(),
        _ => itself((program, own), group, region),
    })
}

/// What the name of a static field or of a mirror says of the objects of a logical lock.
enum Singular {
    /// No region locks either.
    None,
    /// It is true of all of them.
    Name(String),
    /// Such names are true of some of them only, or perhaps.
    OfSome,
}

/// A static field and a mirror are one object each. Where the code locks several of them, or others besides them,
/// one of their names is true only of objects that were seen nowhere else.
fn singular(
    program: &Program<'_>,
    table: &RegionTable,
    group: &Group,
    regions: &BTreeSet<RegionId>,
) -> Singular {
    let names = |regions: &BTreeSet<RegionId>| -> BTreeSet<Option<String>> {
        let placed = regions.iter().filter_map(|&id| table.get(id));
        let placed = placed.filter(|region| region.is_placed());
        placed
            .map(|region| singular_name(program, region))
            .collect()
    };
    let all = names(regions);
    let mut known: Vec<_> = all.iter().flatten().collect();
    match (known.pop(), known.is_empty()) {
        (None, _) => return Singular::None,
        (Some(only), true) if group.locks.len() < 2 || all.len() == 1 => {
            return Singular::Name(only.clone());
        }
        _ => {}
    }
    let seen = names(&group.regions);
    match (seen.len(), seen.into_iter().next().flatten()) {
        (1, Some(only)) => Singular::Name(only),
        _ => Singular::OfSome,
    }
}

/// The one static field, or the mirror, that a logical lock is.
pub(crate) fn single_object(
    program: &Program<'_>,
    table: &RegionTable,
    group: &Group,
    regions: &BTreeSet<RegionId>,
) -> Option<String> {
    match singular(program, table, group, regions) {
        Singular::Name(name) => Some(name),
        Singular::None | Singular::OfSome => None,
    }
}

/// Where an object is kept, as the code of a region that locks it shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kept {
    /// In a static field of this name, or it is a mirror.
    Single(String),
    /// In this field of objects.
    Field(String),
    /// It locks itself.
    Itself,
}

/// Where a region shows that its object is kept; none if it may be handed any.
pub(crate) fn kept_in(program: &Program<'_>, region: &Region) -> Option<Kept> {
    let single = singular_name(program, region).map(Kept::Single);
    let other = || {
        rank(program, region)?;
        Some(match program.subject(region) {
            Subject::Field { field, .. } => Kept::Field(field_name(&field)),
            _ => Kept::Itself,
        })
    };
    single.or_else(other)
}

fn singular_name(program: &Program<'_>, region: &Region) -> Option<String> {
    match program.subject(region) {
        Subject::Static(field) => Some(field_name(&field)),
        Subject::Class(name) => Some(format!("{}.class", short(&name))),
        _ => None,
    }
}

pub(crate) fn field_name(field: &MemberRef) -> String {
    format!("{}.{}", short(&field.class), field.name)
}

/// Where whichever object is locked.
fn place_of_any(
    program: &Program<'_>,
    table: &RegionTable,
    regions: &BTreeSet<RegionId>,
) -> Option<String> {
    let any = regions.iter().filter(|&&id| {
        let region = table.get(id);
        region.is_some_and(|region| singular_name(program, region).is_none())
    });
    place_name(program, table, &any.copied().collect())
}

/// The class of all objects, if it is one of the program's own.
fn own_class(program: &Program<'_>, group: &Group) -> Option<String> {
    match group.classes.first() {
        Some(&ClassKey::Of(id)) if group.classes.len() == 1 => {
            let name = program.catalog.class_name(id);
            (!is_platform_name(&name)).then(|| short(&name))
        }
        _ => None,
    }
}

/// Which subjects that are no single object make the better names; none for those that make none.
fn rank(program: &Program<'_>, region: &Region) -> Option<u8> {
    match program.subject(region) {
        Subject::This => Some(0),
        // javac's own fields name an enclosing instance or a captured variable, not a lock.
        Subject::Field { field, .. } if !field.name.contains('$') => Some(1),
        _ => None,
    }
}

/// Classes of which some method locks its own object.
fn locking_themselves(program: &Program<'_>, table: &RegionTable) -> BTreeSet<ClassId> {
    let regions = table.iter().map(|(_, region)| region);
    let own = regions.filter(|region| program.subject(region) == Subject::This);
    own.map(|region| region.class).collect()
}

/// An object locked by its own methods is called by the class that has those: of several above each other by the uppermost, since
/// which of them are met is another in the next run. Where none is known it is called by its own class, or, where several classes
/// share the lock, by the one that declares the method. A thread waited for by `join` is called just that.
fn itself(
    (program, own): (&Program<'_>, &BTreeSet<ClassId>),
    group: &Group,
    region: &Region,
) -> What {
    let declaring = program.catalog.class_name(region.class);
    if declaring == "java.lang.Thread" {
        let method = program.method(region.method).map_or("", |m| &m.name);
        return format!("Thread.{method}").into();
    }
    let class = match group.classes.first() {
        Some(&ClassKey::Of(id)) if group.classes.len() == 1 => id,
        _ => region.class,
    };
    // What a program has made of a class of the JDK's is called by what is the program's.
    let is_platform = |id: ClassId| is_platform_name(&program.catalog.class_name(id));
    let above = program.hierarchy.ancestry(class);
    let above = above.iter().copied();
    let locking = above.filter(|id| own.contains(id) && is_platform(*id) == is_platform(class));
    let uppermost = locking.max_by_key(|&id| {
        let supertypes = program.hierarchy.ancestry(id).len();
        (
            std::cmp::Reverse(supertypes),
            program.catalog.class_name(id),
        )
    });
    let class = uppermost.unwrap_or(class);
    What {
        name: short(&program.catalog.class_name(class)),
        class: Some(class),
    }
}

/// Where it is locked: the first of its places by name.
fn place_name(
    program: &Program<'_>,
    table: &RegionTable,
    regions: &BTreeSet<RegionId>,
) -> Option<String> {
    let placed = regions
        .iter()
        .filter_map(|&id| table.get(id))
        .filter(|r| r.is_placed());
    let first = placed.min_by_key(|r| region_name(program, r))?;
    let class = short(&program.catalog.class_name(first.class));
    let method = program.method(first.method)?;
    Some(format!("{class}.{}", stable_method(&method.name)))
}

fn fallback(program: &Program<'_>, group: &Group) -> String {
    let first = group.classes.first().map(|&c| class_name(program, c));
    first
        .filter(|n| !n.is_empty())
        .map_or_else(|| "<unknown>".to_owned(), |n| short(&n))
}

/// FNV-1a over names in order, after a letter that says of what: an id that another run gives too.
pub(crate) fn short_id<'n>(letter: char, names: impl Iterator<Item = &'n str>) -> String {
    let bytes = names.flat_map(|name| name.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{letter}{:08x}", (hash >> 32) as u32 ^ hash as u32)
}

#[cfg(test)]
mod tests;
