//! The section about counts: numbers from the formulas, and no curve where there is none to draw.

use super::tests::{chain, check, page};
use super::*;
use lookalike::certify::certify;
use lookalike::counts::{Alpha, categories, explicit_fair, geometric, uniform, weakly_honest};
use lookalike::model::{Channel, SecretGraph, TOTAL};
use proptest::prelude::*;

/// The section of a mechanism's page, if it has one.
fn section(mechanism: &Mechanism) -> Option<String> {
    let text = page(mechanism, mechanism, &[], None);
    check(&text);
    let (_, rest) = text.split_once("<h2>Counts</h2>")?;
    Some(rest.split("</section>").next().unwrap().to_owned())
}

/// The numbers of the row of a table with this name.
fn row(section: &str, table: &str, name: &str) -> Vec<f64> {
    let (_, rest) = section.split_once(table).unwrap_or_else(|| panic!("{table:?} is not in {section}"));
    let rows = rest.split("</table>").next().unwrap();
    let (_, row) = rows.split_once(&format!("<tr><td>{name}</td>")).unwrap_or_else(|| panic!("{name} in {rows}"));
    let cells = row.split("</tr>").next().unwrap().split("</td>");
    let number = |cell: &str| cell.rsplit_once('>').and_then(|(_, text)| text.parse().ok());
    cells.map(|cell| cell.trim_end_matches("</strong>")).filter_map(number).collect()
}

/// 2α/(1+α), and (1−y)(n+1)/n with the fair mechanism's y.
fn formulas(n: i32, alpha: f64) -> [f64; 2] {
    let y = match n % 2 {
        0 => (1.0 - alpha) / (1.0 + alpha - 2.0 * alpha.powi(n / 2 + 1)),
        _ => (1.0 - alpha) / ((1.0 + alpha) * (1.0 - alpha.powi((n + 1) / 2))),
    };
    [2.0 * alpha / (1.0 + alpha), (1.0 - y) * f64::from(n + 1) / f64::from(n)]
}

#[test]
fn tables_have_the_numbers_of_the_formulas_and_the_mechanism_at_its_place() {
    for (n, alpha) in [(2, "0.5"), (7, "0.76"), (9, "0.9"), (30, "0.99")] {
        let mechanism = explicit_fair(n, &alpha.parse().unwrap()).unwrap();
        let text = section(&mechanism).unwrap();
        let near = |found: &[f64], n: i32, alpha: f64| {
            let [gm, em] = formulas(n, alpha);
            let expected = [gm, em, 1.0];
            let found = [found[0], found[2], found[3]];
            assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 6e-6), "{found:?}");
        };
        let float: f64 = alpha.parse().unwrap();
        for size in [1, 2, 4, 24, n] {
            let found = row(&text, "</sub> over n", &size.to_string());
            near(&found, size as i32, float);
            assert_eq!(found.len(), if size == n { 5 } else { 4 }, "only its own row has the mechanism");
        }
        for part in ["0.1", "0.5", "0.9", alpha] {
            let found = row(&text, "</sub> over α", part);
            near(&found, n as i32, part.parse().unwrap());
            assert_eq!(found.len(), if part == alpha { 5 } else { 4 });
            assert!(part != alpha || found[4] == found[2], "it is EM");
        }
        assert!(text.contains(&format!("this mechanism: n = {n}")) && text.contains(&format!("α = {alpha}")), "{text}");
    }
}

#[test]
fn where_wm_leaves_gm_shows_in_the_table() {
    let text = section(&weakly_honest(8, &"0.9".parse().unwrap()).unwrap()).unwrap();
    let (at_16, at_20) = (row(&text, "</sub> over n", "16"), row(&text, "</sub> over n", "20"));
    // n = 2α/(1−α) is 18.
    assert!(at_16[1] > at_16[0] && at_20[1] == at_20[0], "{at_16:?} {at_20:?}");
}

#[test]
fn properties_are_said_with_the_cell_that_breaks_them() {
    let text = section(&geometric(4, &"0.9".parse().unwrap()).unwrap()).unwrap();
    for part in [
        "<td>row honesty (RH)</td><td>a release is most likely when it is the truth</td><td>yes</td>",
        "<td>no: P[1|1] is less than P[0|1] by 0.42105</td>",
        "<td>no: P[1|1] is less than 1/(n+1) by 0.14737</td>",
        "<strong>0.94737</strong>",
    ] {
        assert!(text.contains(part), "expected {part:?} in {text}");
    }
    let fair = section(&uniform(4, &"0.9".parse().unwrap()).unwrap()).unwrap();
    assert_eq!(fair.matches("<td>yes</td>").count(), 7);
}

/// A guess over the counts 0 to n with these budgets of pairs.
fn guess(n: usize, edges: &[(u32, u32, &str)]) -> Mechanism {
    let counts = categories(n).unwrap();
    let mut builder = SecretGraph::builder(counts.names().clone());
    edges.iter().for_each(|&(a, b, epsilon)| builder.edge(a, b, epsilon.parse().unwrap()).unwrap());
    let (size, mut row) = (n as u64 + 1, vec![TOTAL / (n as u64 + 1); n + 1]);
    row[0] += TOTAL % size;
    let channel = Channel::rows(vec![row; n + 1]).unwrap();
    Mechanism::point(counts.clone(), counts, builder.build().unwrap(), channel).unwrap()
}

#[test]
fn there_are_no_curves_where_neighbours_differ_or_groups_are_large() {
    let differing = section(&guess(2, &[(0, 1, "1"), (1, 2, "1/2")])).unwrap();
    assert!(differing.contains("no curves over n and α: neighbours have different budgets here"), "{differing}");
    let large = section(&geometric(65, &"0.5".parse().unwrap()).unwrap()).unwrap();
    assert!(large.contains("no curves over n and α: for groups of more than 64"), "{large}");
    for text in [differing, large] {
        assert!(!text.contains("<svg") && text.contains("row honesty") && text.contains("lookalike counts compare"));
    }
    // So near to 1 that no closed form has room for it.
    let extreme = section(&guess(2, &[(0, 1, "1e-30"), (1, 2, "1e-30")])).unwrap();
    assert!(extreme.contains("no curves over n and α: GM: "), "{extreme}");
}

#[test]
fn budgets_of_counts_that_are_further_apart_are_named() {
    let neighbours = [(0, 1, "1"), (1, 2, "1")];
    let farther = [neighbours[0], neighbours[1], (0, 2, "1")];
    let has = |edges: &[(u32, u32, &str)]| section(&guess(2, edges)).unwrap().contains("by more than one person");
    assert!(has(&farther) && !has(&neighbours));
}

#[test]
fn an_irrational_alpha_is_shown_as_it_is_and_by_decimals() {
    let alpha = Alpha::from_epsilon("1/2".parse().unwrap());
    let text = section(&geometric(3, &alpha).unwrap()).unwrap();
    assert!(text.contains("at the same α = exp(-1/2)"), "{text}");
    let found = row(&text, "</sub> over α", "0.60653");
    let gm = 2.0 / (1.0 + 0.5f64.exp());
    assert!((found[0] - gm).abs() < 6e-6 && found[4] == found[0], "{found:?}");
}

#[test]
fn only_counts_have_the_section() {
    assert_eq!(section(&chain(9)), None);
    // A pair is not joined.
    assert_eq!(section(&guess(2, &[(0, 1, "1")])), None);
    // Two values may be bits; a loss of counts says that they are not.
    let one = geometric(1, &"0.9".parse().unwrap()).unwrap();
    assert_eq!(section(&one), None);
    let objective = Some(serde_json::json!({ "name": "l0", "value": 0.5 }));
    let file = MechanismFile { objective, ..MechanismFile::of(one.clone()) };
    let certified = certify(one.clone()).unwrap();
    let about = Page {
        file: &file,
        certified: &certified,
        baseline: &one,
        trade_off: &[],
        compared: None,
        estimates: &[],
        audit: None,
        account: None,
        priors: &[],
    };
    let text = about.html();
    check(&text);
    assert!(text.contains("<h2>Counts</h2>") && !text.contains("was not computed"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn any_counts_give_a_page_that_is_well_formed(
        n in 1usize..30, form in 0usize..4,
        epsilon in prop::sample::select(vec!["1e-6", "0.01", "ln(10/9)", "ln(3)/2", "sqrt(2)", "7/3", "40", "2000"]),
    ) {
        let (_, form) = lookalike::counts::CLOSED_FORMS[form];
        let mechanism = form(n, &Alpha::from_epsilon(epsilon.parse().unwrap())).unwrap();
        let text = section(&mechanism);
        prop_assert_eq!(text.is_some(), n > 1);
        let text = text.unwrap_or_default();
        prop_assert!(text.len() < 40_000 && !text.contains("NaN") && !text.contains("inf"), "{}", text);
        prop_assert_eq!(text.matches("<svg").count(), if n > 1 { 2 } else { 0 });
    }
}
