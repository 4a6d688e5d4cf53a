//! What the viewer is told of our markers: categories and the fields of each kind.

use super::marks::What;
use serde_json::{Value, json};

/// Category of frames.
pub(super) const JAVA: usize = 5;

/// Categories; markers refer to them by place.
pub(super) fn categories() -> Value {
    let all = [
        ("Other", "grey"),
        ("Blocked", "red"),
        ("Waiting", "yellow"),
        ("Parked", "orange"),
        ("Holding", "green"),
        ("Java", "blue"),
    ];
    let told =
        all.map(|(name, color)| json!({"name": name, "color": color, "subcategories": ["Other"]}));
    json!(told)
}

impl What {
    const ALL: [Self; 5] = [
        Self::Blocked,
        Self::Waiting,
        Self::Parked,
        Self::Held,
        Self::Used,
    ];

    pub(super) fn category(self) -> usize {
        match self {
            Self::Used => 0,
            Self::Blocked => 1,
            Self::Waiting => 2,
            Self::Parked => 3,
            Self::Held => 4,
        }
    }

    /// The name of its markers, and of their schema.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Waiting => "waiting",
            Self::Parked => "parked",
            Self::Held => "holding",
            Self::Used => "operation",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Blocked => "The thread wanted a lock that it did not get at once",
            Self::Waiting => "The thread was in Object.wait",
            Self::Parked => "The thread was parked",
            Self::Held => "The thread held a lock",
            Self::Used => "The thread used a lock of java.util.concurrent",
        }
    }

    /// Key and label of each field, all of them texts.
    fn fields(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Blocked => &[
                ("lock", "Lock"),
                ("by", "Held by"),
                ("there", "Held at"),
                ("region", "Region"),
                ("length", "Length"),
            ],
            Self::Waiting => &[
                ("lock", "Lock"),
                ("by", "Ended by"),
                ("there", "Ended at"),
                ("region", "Region"),
                ("length", "Length"),
            ],
            Self::Parked => &[
                ("lock", "Blocker"),
                ("region", "Region"),
                ("length", "Length"),
            ],
            Self::Held => &[("lock", "Lock")],
            Self::Used => &[("lock", "Lock"), ("act", "Operation")],
        }
    }
}

/// `meta.markerSchema`.
pub(super) fn markers() -> Value {
    json!(What::ALL.map(schema))
}

fn schema(of: What) -> Value {
    let fields = of.fields().iter();
    let fields =
        fields.map(|(key, label)| json!({"key": key, "label": label, "format": "unique-string"}));
    json!({
        "name": of.title(),
        "tooltipLabel": format!("{}: {{marker.data.lock}}", of.title()),
        "tableLabel": "{marker.data.lock}",
        "chartLabel": "{marker.data.lock}",
        "description": of.description(),
        "display": ["marker-chart", "marker-table", "timeline-overview"],
        "fields": fields.collect::<Vec<_>>(),
    })
}
