//! What the interpreter knows of library methods: collections as counters, boxes, clocks,
//! the current thread.
//!
//! These are names of published interfaces, not of the program under study. Methods missing
//! here are opaque.

use super::texts::TEXT;
use locklens_trace::code::{InvokeKind, MemberRef};

/// What a library method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Returns the current thread.
    Current,
    /// Reads a clock.
    Clock,
    /// Whether its receiver, a thread, is alive.
    Alive,
    /// Number of elements.
    Size,
    /// Whether there is no element (or, negated, whether there is one).
    IsEmpty(bool),
    /// One element more; returns `true` if it returns anything.
    Add,
    /// A text grows by what is put at its end; returns the text.
    Append,
    /// One element more if it was not in already; returns whether it was not.
    AddToSet,
    /// Whether an element is in.
    SetHas,
    /// An element is in no more; returns whether it was.
    RemoveFromSet,
    /// One element less, which is returned; fails when there is none.
    Remove,
    /// One element less, which is returned, or `null` when there is none.
    Poll,
    /// Returns an element or `null`; removes nothing.
    Peek,
    /// Returns an element; removes nothing.
    Element,
    /// Removes an element if it is there; returns whether it was.
    RemoveThis,
    /// No element is left.
    Clear,
    /// So much is left as the argument says.
    Shorten,
    /// The number of elements is not known afterwards.
    Bulk,
    /// Value at a key of a map, or `null`.
    MapGet,
    /// Sets the value at a key of a map.
    MapPut,
    /// Removes a key of a map.
    MapRemove,
    /// Whether a key is in a map.
    MapHas,
    /// Content of an atomic variable, box or thread-local.
    CellGet,
    /// Sets the content.
    CellSet,
    /// Adds a constant and returns the new (true) or old (false) value.
    CellAdd(i64, bool),
    /// Adds the argument and returns the new (true) or old (false) value.
    CellAddArg(bool),
    /// Sets the content and returns the old one.
    CellSwap,
    /// Returns its only or first argument.
    Same,
    /// Returns the content of a box, which therefore is one.
    Unbox,
    /// Larger (true) or smaller of two numbers.
    Extreme(bool),
    /// Whether two references are equal.
    Equal,
    /// Always false, as far as locks are concerned.
    False,
    /// A new empty collection (constructor without arguments or with numbers only).
    NewEmpty,
    /// Another way of looking at its receiver: an iterator, the values of a map.
    View,
    /// One element less of what is looked at in another way: that which was seen last.
    RemoveSeen,
    /// A copy of its argument (constructor).
    NewCopy,
    /// A collection of the elements of an array.
    Listed,
    /// No effect worth following; any result is unknown.
    Nothing,
}

/// What a call does if it is of a known library method. `class` is the library class that the
/// receiver's class is or inherits from.
pub(super) fn effect(kind: InvokeKind, class: &str, method: &MemberRef) -> Option<Effect> {
    let (name, desc) = (method.name.as_str(), method.descriptor.as_str());
    match class {
        "java.lang.Thread" => thread(name, desc),
        "java.lang.System" => {
            matches!(name, "nanoTime" | "currentTimeMillis").then_some(Effect::Clock)
        }
        "java.lang.Math" => extreme(name),
        "java.util.Objects" => objects(name),
        "java.util.concurrent.TimeUnit" => {
            matches!(name, "toNanos" | "toMillis").then_some(Effect::Nothing)
        }
        "java.util.Arrays" => (name == "asList").then_some(Effect::Listed),
        "java.lang.ThreadLocal" => cell(name, desc),
        "java.lang.Object" => (name == "equals").then_some(Effect::Equal),
        _ if class.starts_with("java.util.concurrent.atomic.Atomic") => cell(name, desc),
        _ if is_text(class) => text(name, desc),
        TEXT => match (name, desc) {
            ("length", "()I") => Some(Effect::Size),
            ("isEmpty", _) => Some(Effect::IsEmpty(true)),
            ("intern", _) => Some(Effect::Same),
            _ => boxes(kind, name, desc),
        },
        _ if class.starts_with("java.lang.") => boxes(kind, name, desc),
        "java.util.BitSet" => bits(name, desc),
        "java.util.Iterator" | "java.util.ListIterator" => {
            (name == "remove").then_some(Effect::RemoveSeen)
        }
        _ if is_map(class) => map(name, desc),
        _ if is_collection(class) => collection(class, name, desc),
        _ => None,
    }
}

/// A class whose methods are looked up in this table.
pub(super) fn is_library(class: &str) -> bool {
    class.starts_with("java.")
        || class.starts_with("kotlin.")
        || class.starts_with("scala.collection.mutable.")
}

/// A text that grows, or bytes: kept in a field it is a buffer of what has been put into it and not been taken out yet.
pub(super) fn is_text(class: &str) -> bool {
    matches!(
        class,
        "java.lang.StringBuilder"
            | "java.lang.StringBuffer"
            | "java.io.ByteArrayOutputStream"
            | "java.io.CharArrayWriter"
    )
}

fn text(name: &str, desc: &str) -> Option<Effect> {
    Some(match (name, desc) {
        ("<init>", "()V" | "(I)V") => Effect::NewEmpty,
        ("<init>", _) => return None,
        ("length" | "size", "()I") => Effect::Size,
        ("isEmpty", _) => Effect::IsEmpty(true),
        ("append" | "insert" | "write" | "writeBytes", _) => Effect::Append,
        ("setLength", _) => Effect::Shorten,
        ("reset", _) => Effect::Clear,
        ("deleteCharAt", _) => Effect::Remove,
        ("toString" | "toByteArray" | "toCharArray", "()Ljava/lang/String;" | "()[B" | "()[C") => {
            Effect::Element
        }
        ("delete" | "replace", _) => Effect::Bulk,
        _ => Effect::Nothing,
    })
}

fn is_map(class: &str) -> bool {
    let package = class.starts_with("java.util.") || class.starts_with("scala.collection.mutable.");
    let kind =
        class.ends_with("Map") || class == "java.util.Hashtable" || class == "java.util.Dictionary";
    package && kind
}

fn is_collection(class: &str) -> bool {
    is_library(class)
        && [
            "Collection",
            "List",
            "Set",
            "Queue",
            "Deque",
            "Vector",
            "Stack",
            "Buffer",
            "Builder",
        ]
        .iter()
        .any(|end| class.ends_with(end))
}

fn thread(name: &str, desc: &str) -> Option<Effect> {
    match (name, desc) {
        ("currentThread", _) => Some(Effect::Current),
        ("isAlive", "()Z") => Some(Effect::Alive),
        // Whoever asks for names of threads takes them for the threads.
        ("getName", "()Ljava/lang/String;") => Some(Effect::Same),
        ("interrupted" | "isInterrupted", _) => Some(Effect::False),
        ("equals", _) => Some(Effect::Equal),
        ("join" | "run", _) => None,
        _ => Some(Effect::Nothing),
    }
}

fn extreme(name: &str) -> Option<Effect> {
    match name {
        "max" => Some(Effect::Extreme(true)),
        "min" => Some(Effect::Extreme(false)),
        _ => None,
    }
}

fn objects(name: &str) -> Option<Effect> {
    match name {
        "requireNonNull" => Some(Effect::Same),
        "equals" => Some(Effect::Equal),
        _ => None,
    }
}

fn boxes(kind: InvokeKind, name: &str, desc: &str) -> Option<Effect> {
    match (kind, name) {
        (InvokeKind::Static, "valueOf") if !desc.starts_with("(L") => Some(Effect::Same),
        (_, "intValue" | "longValue" | "booleanValue" | "shortValue") => Some(Effect::Unbox),
        (_, "equals") => Some(Effect::Equal),
        _ => None,
    }
}

fn cell(name: &str, desc: &str) -> Option<Effect> {
    match name {
        "get" | "getPlain" | "getAcquire" | "intValue" | "longValue" if desc.starts_with("()") => {
            Some(Effect::CellGet)
        }
        "set" | "lazySet" | "setRelease" | "setPlain" if desc.ends_with(")V") => {
            Some(Effect::CellSet)
        }
        "incrementAndGet" => Some(Effect::CellAdd(1, true)),
        "decrementAndGet" => Some(Effect::CellAdd(-1, true)),
        "getAndIncrement" => Some(Effect::CellAdd(1, false)),
        "getAndDecrement" => Some(Effect::CellAdd(-1, false)),
        "addAndGet" => Some(Effect::CellAddArg(true)),
        "getAndAdd" => Some(Effect::CellAddArg(false)),
        "getAndSet" => Some(Effect::CellSwap),
        "<init>" if desc == "()V" => Some(Effect::NewEmpty),
        "<init>" => Some(Effect::CellSet),
        _ => None,
    }
}

fn map(name: &str, desc: &str) -> Option<Effect> {
    match name {
        "get" => Some(Effect::MapGet),
        "put" => Some(Effect::MapPut),
        "remove" => Some(Effect::MapRemove),
        "containsKey" => Some(Effect::MapHas),
        "size" => Some(Effect::Size),
        "isEmpty" => Some(Effect::IsEmpty(true)),
        "nonEmpty" => Some(Effect::IsEmpty(false)),
        "clear" => Some(Effect::Clear),
        "pollFirstEntry" | "pollLastEntry" => Some(Effect::Poll),
        "firstKey" | "lastKey" => Some(Effect::Element),
        "firstEntry" | "lastEntry" => Some(Effect::Peek),
        "entrySet" | "keySet" | "values" => Some(Effect::View),
        "<init>" => constructor(desc),
        "merge" | "compute" | "computeIfAbsent" | "computeIfPresent" | "putIfAbsent" | "putAll" => {
            Some(Effect::Bulk)
        }
        _ => Some(Effect::Nothing),
    }
}

fn bits(name: &str, desc: &str) -> Option<Effect> {
    Some(match (name, desc) {
        ("cardinality", _) => Effect::Size,
        ("isEmpty", _) => Effect::IsEmpty(true),
        ("set", "(I)V") => Effect::Add,
        ("clear", "(I)V") => Effect::Remove,
        ("clear", "()V") => Effect::Clear,
        ("<init>", _) => Effect::NewEmpty,
        ("set" | "flip" | "and" | "or" | "xor" | "andNot" | "clear", _) => Effect::Bulk,
        _ => Effect::Nothing,
    })
}

fn constructor(desc: &str) -> Option<Effect> {
    let copies = desc.starts_with("(Ljava/util/") && !desc.starts_with("(Ljava/util/Comparator");
    Some(if copies {
        Effect::NewCopy
    } else {
        Effect::NewEmpty
    })
}

fn collection(class: &str, name: &str, desc: &str) -> Option<Effect> {
    let indexed = desc.starts_with("(I)");
    let no_arguments = desc.starts_with("()");
    let set = class.ends_with("Set");
    Some(match name {
        "size" | "length" | "elementCount" | "getSize" => Effect::Size,
        "isEmpty" | "empty" => Effect::IsEmpty(true),
        "nonEmpty" => Effect::IsEmpty(false),
        "add" if set => Effect::AddToSet,
        "contains" if set => Effect::SetHas,
        "remove" if set => Effect::RemoveFromSet,
        "add" | "addLast" | "addFirst" | "offer" | "offerLast" | "offerFirst" | "push"
        | "addElement" | "enqueue" | "append" | "prepend" | "addOne" | "$plus$eq"
        | "insertElementAt" => Effect::Add,
        "poll" | "pollFirst" | "pollLast" | "removeFirstOrNull" | "removeLastOrNull" => {
            Effect::Poll
        }
        "remove" if no_arguments || indexed && !set => Effect::Remove,
        "removeFirst" | "removeLast" | "pop" | "dequeue" | "removeHead" | "removeAt"
        | "removeElementAt" => Effect::Remove,
        "remove" | "removeElement" | "removeFirstOccurrence" | "removeLastOccurrence" => {
            Effect::RemoveThis
        }
        "peek" | "peekFirst" | "peekLast" | "firstOrNull" | "lastOrNull"
            if !class.ends_with("Stack") =>
        {
            Effect::Peek
        }
        "peek" | "element" | "getFirst" | "getLast" | "get" | "first" | "last" | "elementAt"
        | "firstElement" | "lastElement" | "head" | "apply" => Effect::Element,
        "clear" | "removeAllElements" => Effect::Clear,
        "<init>" => constructor(desc)?,
        "iterator" | "listIterator" | "descendingIterator" => Effect::View,
        "addAll" | "removeAll" | "retainAll" | "removeIf" | "drainTo" => Effect::Bulk,
        _ => Effect::Nothing,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(class: &str, name: &str, descriptor: &str) -> Option<Effect> {
        let method = MemberRef {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        };
        effect(InvokeKind::Virtual, class, &method)
    }

    #[test]
    fn removal_by_index_and_by_value_differ() {
        let by_index = of("java.util.ArrayList", "remove", "(I)Ljava/lang/Object;");
        assert_eq!(by_index, Some(Effect::Remove));
        let by_value = of("java.util.ArrayList", "remove", "(Ljava/lang/Object;)Z");
        assert_eq!(by_value, Some(Effect::RemoveThis));
        assert_eq!(of("app.Basket", "remove", "(I)V"), None);
    }
}
