//! By what blocked time can be told apart.

/// One aspect of a blocked stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// What kind of synchronisation it is, see [`super::Group`].
    Group,
    /// Class of the lock object.
    LockClass,
    /// The logical lock.
    Lock,
    /// Types of the logical lock.
    Type,
    /// The thread that was blocked.
    WaiterThread,
    /// Its name without digits: what threads of one pool have in common.
    WaiterGroup,
    /// The method in which it blocked.
    WaiterMethod,
    /// The same with its line.
    WaiterSite,
    /// Its whole call chain.
    WaiterStack,
    /// The thread that held the lock meanwhile.
    OwnerThread,
    /// Its name without digits.
    OwnerGroup,
    /// The method in which it held the lock.
    OwnerMethod,
    /// The same with its line.
    OwnerSite,
    /// Its whole call chain.
    OwnerStack,
    /// The second of the recording.
    Time,
}

impl Key {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 15] = [
        Self::Group,
        Self::LockClass,
        Self::Lock,
        Self::Type,
        Self::WaiterThread,
        Self::WaiterGroup,
        Self::WaiterMethod,
        Self::WaiterSite,
        Self::WaiterStack,
        Self::OwnerThread,
        Self::OwnerGroup,
        Self::OwnerMethod,
        Self::OwnerSite,
        Self::OwnerStack,
        Self::Time,
    ];

    /// As it is written on the command line and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::LockClass => "lock-class",
            Self::Lock => "lock",
            Self::Type => "type",
            Self::WaiterThread => "waiter-thread",
            Self::WaiterGroup => "waiter-group",
            Self::WaiterMethod => "waiter-method",
            Self::WaiterSite => "waiter-site",
            Self::WaiterStack => "waiter-stack",
            Self::OwnerThread => "owner-thread",
            Self::OwnerGroup => "owner-group",
            Self::OwnerMethod => "owner-method",
            Self::OwnerSite => "owner-site",
            Self::OwnerStack => "owner-stack",
            Self::Time => "time",
        }
    }

    /// The key of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }

    /// It speaks of who held the lock.
    #[must_use]
    pub fn is_of_owner(self) -> bool {
        matches!(self, Self::OwnerThread | Self::OwnerGroup) || self.is_of_owner_chain()
    }

    /// It speaks of where that thread was.
    pub(super) fn is_of_owner_chain(self) -> bool {
        matches!(self, Self::OwnerMethod | Self::OwnerSite | Self::OwnerStack)
    }

    /// It speaks of where the blocked thread was.
    pub(super) fn is_of_waiter_chain(self) -> bool {
        matches!(
            self,
            Self::WaiterMethod | Self::WaiterSite | Self::WaiterStack
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_by_its_name() {
        for key in Key::ALL {
            assert_eq!(Key::parse(key.name()), Some(key));
        }
        assert_eq!(Key::parse("owner"), None);
    }
}
