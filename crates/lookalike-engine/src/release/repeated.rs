//! What the reports of one profile, or of one person, add up to.

use super::privatize::Privatized;
use lookalike::account::Secrets;
use lookalike::exact::{Epsilon, EpsilonSum};

/// n times ε, exactly.
pub fn sum_of(reports: u64, epsilon: &Epsilon) -> EpsilonSum {
    let mut sum = EpsilonSum::zero();
    sum.add(epsilon, reports);
    sum
}

/// What the reports of a release add up to if an observer can link those of one profile, or of one person; `None` where
/// nobody has two. For the terminal alone: the largest number of records of a profile is private.
///
/// The sum is n·ε by [`Theorem::IndependentObservations`](lookalike::account::Theorem) for profiles, which needs
/// observations that are independent given the profile, and by basic composition for values. Where the records do not
/// say whose they are, the sum of all of them is the only one that is known not to be exceeded.
pub fn repeated_reports(done: &Privatized, secrets: Secrets, epsilon: &Epsilon) -> Option<String> {
    let Some(most) = done.profile_rows.most() else {
        return all_reports(done.rows, secrets, epsilon);
    };
    let (whose, given, sum) = (whose(secrets), given(secrets), sum_of(most, epsilon));
    (most > 1).then(|| {
        format!("Up to {most} reports of one {whose}: epsilon {sum} in sum if an observer can link them{given}.")
    })
}

/// What so many reports add up to, of which nothing says whose they are; `None` for fewer than two.
pub fn all_reports(reports: u64, secrets: Secrets, epsilon: &Epsilon) -> Option<String> {
    let (whose, given, sum) = (whose(secrets), given(secrets), sum_of(reports, epsilon));
    (reports > 1).then(|| {
        format!(
            "The rows do not say whose they are: reports of one {whose} add up, all {reports} to epsilon {sum}, if an observer \
             can link them{given}."
        )
    })
}

fn whose(secrets: Secrets) -> &'static str {
    match secrets {
        Secrets::Laws => "profile",
        Secrets::Points => "person",
        Secrets::Moments => "sequence",
    }
}

/// On what a sum rests that no data can show.
fn given(secrets: Secrets) -> &'static str {
    if secrets == Secrets::Laws { " and they are independent given the profile" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::super::profile_rows::ProfileRows;
    use super::super::row_order::RowOrder;
    use super::*;

    fn done(rows: u64, profiles: &[u32]) -> Privatized {
        let mut profile_rows = ProfileRows::default();
        profile_rows.see(profiles);
        Privatized {
            rows,
            rows_read: rows,
            order: RowOrder::default(),
            profile_rows,
            kept_all_codes: false,
            restoring: Vec::new(),
        }
    }

    #[test]
    fn the_largest_number_is_what_counts() {
        let half: Epsilon = "1/2".parse().unwrap();
        let line = repeated_reports(&done(5, &[0, 1, 0, 0, 2]), Secrets::Laws, &half).unwrap();
        assert_eq!(
            line,
            "Up to 3 reports of one profile: epsilon 3/2 in sum if an observer can link them and they are independent given \
             the profile."
        );
        assert_eq!(repeated_reports(&done(3, &[0, 1, 2]), Secrets::Laws, &half), None);
    }

    #[test]
    fn rows_without_an_owner_have_the_sum_of_all() {
        let line = repeated_reports(&done(7, &[]), Secrets::Points, &"ln(3)".parse().unwrap()).unwrap();
        assert_eq!(
            line,
            "The rows do not say whose they are: reports of one person add up, all 7 to epsilon 7*ln(3), if an observer can \
             link them."
        );
        assert_eq!(repeated_reports(&done(1, &[]), Secrets::Points, &"1".parse().unwrap()), None);
    }
}
