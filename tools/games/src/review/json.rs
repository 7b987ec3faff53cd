//! Judgements and summaries as JSON; `protocol.md` describes the fields.

use serde_json::{Map, Value, json};

use super::class::MoveClass;
use super::judgement::Judgement;
use super::summary::{Counts, Summary};
use tengen::types::{Color, Point};

/// Most moves of a line: managers have room for about 1,000 bytes.
const MAX_LINE: usize = 60;

impl Judgement {
    /// One JSON object.
    pub fn json(&self) -> Value {
        let label = |p: &Point| p.label(self.height);
        let line =
            |points: &[Point]| -> Vec<String> { points.iter().take(MAX_LINE).map(label).collect() };
        json!({
            "move": self.number,
            "point": self.made.point.as_ref().map(label),
            "side": self.made.color.to_string(),
            "win_rate": rounded(self.value.win_rate, 4),
            "score": self.value.score.to_string(),
            "best": self.best.as_ref().map(label),
            "best_win_rate": rounded(self.best_value.win_rate, 4),
            "best_score": self.best_value.score.to_string(),
            "line": line(&self.best_value.line),
            "reply": line(&self.value.line),
            "depth": self.depth,
            "loss": rounded(self.loss(), 4),
            "move_accuracy": rounded(self.accuracy(), 1),
            "class": self.class.name(),
        })
    }
}

impl Summary {
    /// One JSON object.
    pub fn json(&self) -> Value {
        let accuracy = self
            .accuracy
            .map(|value| value.map(|value| rounded(value, 1)));
        json!({
            "accuracy": by_side(accuracy.map(Value::from)),
            "counts": by_side(self.counts.map(counts)),
            "moves": self.moves,
            "reviewed": self.reviewed,
            "nodes": self.nodes,
            "ms": self.elapsed.as_millis() as u64,
        })
    }
}

fn counts(counts: Counts) -> Value {
    let fields = MoveClass::JUDGED.map(|class| (class.name().to_string(), counts.of(class).into()));
    Value::Object(Map::from_iter(fields))
}

/// The values of both sides, in the order of [`Color::BOTH`].
fn by_side(values: [Value; 2]) -> Value {
    let names = Color::BOTH.map(|color| color.to_string());
    Value::Object(names.into_iter().zip(values).collect())
}

/// `value` with `decimals` decimals; more would only look exact.
fn rounded(value: f64, decimals: i32) -> f64 {
    let unit = 10_f64.powi(decimals);
    (value * unit).round() / unit
}
