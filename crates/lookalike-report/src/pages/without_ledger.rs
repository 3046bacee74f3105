//! What stands for a ledger in a build without the feature `ledger`: types without a value, so that no page can show one.

use super::Page;
use lookalike::account::Worst;
use lookalike_formats::Result;
use maud::{Markup, html};
use std::convert::Infallible;

/// A ledger: there is no such value.
#[derive(Debug, Clone)]
pub enum LedgerAt {}

impl LedgerAt {
    pub(super) fn open(&self) -> Result<&LedgerAt> {
        Ok(self)
    }

    pub(super) fn status(&self) -> Result<LedgerStatus> {
        match *self {}
    }
}

/// What a ledger adds up to: there is no such value.
pub struct LedgerStatus {
    pub(super) spent: Vec<(Worst, u64)>,
    never: Infallible,
}

pub(super) fn section(page: &Page<'_>) -> Markup {
    match page.account {
        Some(status) => match status.never {},
        None => html! {},
    }
}
