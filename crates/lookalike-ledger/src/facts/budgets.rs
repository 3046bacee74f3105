//! What a subject may lose, in total and in a period.

use lookalike::exact::EpsilonSum;
use lookalike_formats::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A stretch of the calendar, in Coordinated Universal Time.
///
/// Windows are fixed: a day's budget may be spent late on one day and again early on the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// From midnight to midnight.
    Day,
    /// From Monday to Sunday.
    Week,
    /// A month of the calendar.
    Month,
}

const DAY: i64 = 86_400;

impl Period {
    /// The number of the window that a time, in seconds since 1970, lies in.
    pub fn window(self, time: i64) -> i64 {
        let day = time.div_euclid(DAY);
        match self {
            Period::Day => day,
            // The first of January 1970 was a Thursday.
            Period::Week => (day + 3).div_euclid(7),
            Period::Month => {
                let (year, month, _) = civil(day);
                year * 12 + month - 1
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Period::Day => "day",
            Period::Week => "week",
            Period::Month => "month",
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Period {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = [Period::Day, Period::Week, Period::Month];
        known
            .into_iter()
            .find(|period| period.name() == text)
            .ok_or_else(|| Error::input(format!("period {text:?}, expected day, week or month")))
    }
}

/// What any one subject may lose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerBudgets {
    /// By all releases together.
    pub total: Option<EpsilonSum>,
    /// By the releases of each period.
    pub periodic: Option<(Period, EpsilonSum)>,
}

impl LedgerBudgets {
    /// The period that has a budget of its own.
    pub(crate) fn period(&self) -> Option<Period> {
        self.periodic.as_ref().map(|(period, _)| *period)
    }

    /// With no more in total than this.
    #[must_use]
    pub fn at_most(&self, total: Option<&EpsilonSum>) -> LedgerBudgets {
        let total = self.total.iter().chain(total).min().cloned();
        LedgerBudgets { total, periodic: self.periodic.clone() }
    }
}

/// The year, month and day of a day since 1970 in the Gregorian calendar.
///
/// # Reference
/// Years begin in March, so that the leap day is the last; 400 years have 146,097 days.
fn civil(day: i64) -> (i64, i64, i64) {
    let shifted = day + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_year - (153 * march_month + 2) / 5 + 1)
}

/// A time as people write it: `2026-03-01 14:05:09 UTC`.
pub fn time_text(time: i64) -> String {
    let ((year, month, day), second) = (civil(time.div_euclid(DAY)), time.rem_euclid(DAY));
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(time_text(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(time_text(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(time_text(4_107_542_399), "2100-02-28 23:59:59 UTC");
        assert_eq!(time_text(4_107_542_400), "2100-03-01 00:00:00 UTC");
        assert_eq!(time_text(-1), "1969-12-31 23:59:59 UTC");
        // Every day follows the one before it, over more than 400 years.
        let mut last = civil(-200_000);
        for day in -199_999..200_000 {
            let (next, (year, month, of_month)) = (civil(day), last);
            let follows = next == (year, month, of_month + 1)
                || of_month >= 28 && (next == (year, month + 1, 1) || month == 12 && next == (year + 1, 1, 1));
            assert!(follows, "{last:?} {next:?}");
            last = next;
        }
    }

    #[test]
    fn windows_change_at_their_ends_only() {
        // 2026-03-01 was a Sunday.
        let sunday = 1_772_323_200;
        assert_eq!(time_text(sunday), "2026-03-01 00:00:00 UTC");
        for (period, changes_at) in [(Period::Day, sunday), (Period::Week, sunday + DAY), (Period::Month, sunday)] {
            assert_eq!(period.window(changes_at - 1) + 1, period.window(changes_at), "{period}");
            assert_eq!(period.window(changes_at), period.window(changes_at + DAY - 1), "{period}");
            assert_eq!(period.to_string().parse::<Period>().unwrap(), period);
        }
        assert!("year".parse::<Period>().is_err());
    }

    #[test]
    fn a_run_can_ask_for_less_than_the_ledger_allows_and_never_for_more() {
        let sum = |text: &str| text.parse::<EpsilonSum>().unwrap();
        let budgets = LedgerBudgets { total: Some(sum("1")), periodic: None };
        assert_eq!(budgets.at_most(Some(&sum("1/2"))).total, Some(sum("1/2")));
        assert_eq!(budgets.at_most(Some(&sum("2"))).total, Some(sum("1")));
        assert_eq!(budgets.at_most(None), budgets);
        assert_eq!(LedgerBudgets::default().at_most(Some(&sum("2"))).total, Some(sum("2")));
    }
}
