//! Judgements and summaries as JSON on one line of ASCII; `protocol.md` describes the fields. All
//! values are numbers and names of points, so nothing has to be escaped.

use super::class::MoveClass;
use super::judgement::Judgement;
use super::summary::{Counts, Summary};
use tengen::types::{Color, Point};

/// Most moves of a line: a manager has room for about 1,000 bytes.
const MAX_LINE: usize = 24;

impl Judgement {
    /// One JSON object.
    pub fn json(&self) -> String {
        let label = |p: &Point| format!("\"{}\"", p.label(self.height));
        let point = |p: Option<Point>| p.as_ref().map_or("null".to_string(), label);
        let line = |points: &[Point]| {
            let labels: Vec<String> = points.iter().take(MAX_LINE).map(label).collect();
            labels.join(",")
        };
        format!(
            "{{\"move\":{},\"point\":{},\"side\":\"{}\",\"win_rate\":{:.4},\"score\":\"{}\",\
             \"best\":{},\"best_win_rate\":{:.4},\"best_score\":\"{}\",\"line\":[{}],\"reply\":[{}],\
             \"depth\":{},\"loss\":{:.4},\"move_accuracy\":{:.1},\"class\":\"{}\"}}",
            self.number,
            point(self.made.point),
            self.made.color,
            self.value.win_rate,
            self.value.score,
            point(self.best),
            self.best_value.win_rate,
            self.best_value.score,
            line(&self.best_value.line),
            line(&self.value.line),
            self.depth,
            self.loss(),
            self.accuracy(),
            self.class.name(),
        )
    }
}

impl Summary {
    /// One JSON object.
    pub fn json(&self) -> String {
        let accuracy = |value: Option<f64>| match value {
            Some(value) => format!("{value:.1}"),
            None => "null".to_string(),
        };
        format!(
            "{{\"accuracy\":{},\"counts\":{},\"moves\":{},\"reviewed\":{},\"nodes\":{},\"ms\":{}}}",
            by_side(self.accuracy.map(accuracy)),
            by_side(self.counts.map(counts)),
            self.moves,
            self.reviewed,
            self.nodes,
            self.elapsed.as_millis(),
        )
    }
}

fn counts(counts: Counts) -> String {
    let fields =
        MoveClass::JUDGED.map(|class| format!("\"{}\":{}", class.name(), counts.of(class)));
    format!("{{{}}}", fields.join(","))
}

/// The values of both sides, in the order of [`Color::BOTH`].
fn by_side(values: [String; 2]) -> String {
    let [first, second] = values;
    let [a, b] = Color::BOTH;
    format!("{{\"{a}\":{first},\"{b}\":{second}}}")
}
