//! Which frame of a call chain is the place somebody cares for: the innermost that is not the JDK's.

use super::Location;
use locklens_trace::pattern::matches;

/// Packages of the JDK: nobody who reads a report can change what is in them.
const JDK: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];

/// One frame of a call chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// `package.Class.method`.
    pub method: String,
    /// `File.java:42`, or what else is known; may be empty.
    pub source: String,
}

/// Which frames count.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Frames of these methods count whatever else is said: patterns with `*`, of `package.Class.method`.
    pub include: Vec<String>,
    /// Frames of these do not, like those of the JDK.
    pub exclude: Vec<String>,
}

impl Filter {
    /// Whether a frame of this method counts.
    #[must_use]
    pub fn shows(&self, method: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, method));
        let is_jdk = || JDK.iter().any(|package| method.starts_with(package));
        any(&self.include) || !any(&self.exclude) && !is_jdk()
    }

    /// The place a call chain stands at, innermost frame first, and how many of its frames do not count.
    #[must_use]
    pub fn locate(&self, frames: &[Frame]) -> (Location, u64) {
        let mut place = None;
        let mut filtered = 0;
        for frame in frames {
            match self.shows(&frame.method) {
                true => place = place.or(Some(frame)),
                false => filtered += 1,
            }
        }
        let location = match place {
            Some(frame) => Location::At(frame.text()),
            None if frames.is_empty() => Location::Unknown,
            None => Location::Filtered,
        };
        (location, filtered)
    }
}

impl Frame {
    fn text(&self) -> String {
        match self.source.is_empty() {
            true => self.method.clone(),
            false => format!("{}({})", self.method, self.source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(methods: &[&str]) -> Vec<Frame> {
        let frame = |method: &&str| Frame {
            method: (*method).to_owned(),
            source: "F.java:1".to_owned(),
        };
        methods.iter().map(frame).collect()
    }

    fn at(text: &str) -> Location {
        Location::At(text.to_owned())
    }

    #[test]
    fn the_place_is_the_innermost_frame_outside_the_jdk() {
        let chain = frames(&["java.lang.Object.wait", "app.Queue.take", "app.Main.run"]);
        let filter = Filter::default();
        assert_eq!(filter.locate(&chain), (at("app.Queue.take(F.java:1)"), 1));
        assert_eq!(filter.locate(&chain[..1]), (Location::Filtered, 1));
        assert_eq!(filter.locate(&[]), (Location::Unknown, 0));
        assert!(
            filter.shows("javassist.Loader.load"),
            "no package of the JDK"
        );
    }

    #[test]
    fn more_can_be_filtered_and_the_jdk_shown() {
        let chain = frames(&["java.lang.Object.wait", "app.Queue.take", "app.Main.run"]);
        let pattern = |text: &str| vec![text.to_owned()];
        let filter = Filter {
            include: Vec::new(),
            exclude: pattern("app.Queue.*"),
        };
        assert_eq!(filter.locate(&chain), (at("app.Main.run(F.java:1)"), 2));
        let filter = Filter {
            include: pattern("java.lang.*"),
            exclude: pattern("*"),
        };
        assert_eq!(
            filter.locate(&chain),
            (at("java.lang.Object.wait(F.java:1)"), 2)
        );
    }
}
