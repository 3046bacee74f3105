//! A release in words.

use crate::ledger::charge::charged_text;
use crate::noise::width_text;
use crate::terminal::count;
use lookalike_engine::noise::Width;
use lookalike_engine::{Level, ReleaseOutcome, ReleasePromise};
use lookalike_formats::Result;

/// What was released, for the terminal of whoever has the records.
pub fn text(outcome: &ReleaseOutcome<'_>) -> Result<String> {
    let line = |said: Option<String>| said.map_or_else(String::new, |said| format!("{said}\n"));
    let mut text = line(outcome.unchanged());
    let rows = count(outcome.done.rows, "row");
    if let Some(promise) = &outcome.promise {
        text += &format!("Released {rows} at epsilon {} for {}.\n", promise.epsilon(), promise.secrets());
    }
    text += &line(outcome.repeated());
    if let Some(noise) = outcome.promise.as_ref().and_then(ReleasePromise::noise) {
        text += &(width_text(&Width::of(noise, &Level::usual())?) + "\n");
    }
    text += &outcome.charged.as_ref().map_or_else(String::new, |charged| charged_text(&charged.facts));
    if !outcome.in_clear.is_empty() {
        text += &format!("Released in clear, outside epsilon: {}.\n", outcome.in_clear.join(", "));
    }
    Ok(text)
}
