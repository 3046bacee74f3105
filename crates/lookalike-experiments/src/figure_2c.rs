//! Figure 2(c): Categorical-Chain under Smooth Categorical.

use crate::experiment::{Chart, Finding, Outcome};
use crate::figure_2b::{COST, LAST};
use crate::proved::{designed, float};
use crate::settings::{categorical_chain, twentieths};
use crate::table::{Cell, Table};
use crate::transition_range::{cost_range, costs};
use lookalike::design::MechanismName;
use lookalike::exact::{Direction, Rational, decimal};
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, LineChart, Series, Style};

/// The cost of one category at one ε.
struct Cost {
    epsilon: String,
    value: Rational,
    category: usize,
    /// In the stated solution.
    stated: Rational,
    /// The smallest and the largest over all optimal solutions.
    range: [Rational; 2],
    baseline: Rational,
}

/// For the profiles of Table 1 under the optimal transition matrices: how far each category's probability moves, in
/// the stated solution and in all of them.
pub(crate) fn run() -> Result<Outcome> {
    let (mut all, mut tie_break) = (Vec::new(), "");
    for (at, (text, epsilon)) in (1..).zip(twentieths(LAST)) {
        let problem = categorical_chain(&epsilon)?;
        let ours = designed(&problem, MechanismName::SmoothCategorical)?;
        let baseline = costs(designed(&problem, MechanismName::RandomizedResponse)?.mechanism());
        tie_break = ours.solution.tie_break.unwrap_or(tie_break);
        for (category, (stated, baseline)) in costs(ours.mechanism()).into_iter().zip(baseline).enumerate() {
            let range = cost_range(&problem, ours.objective.value, category)?;
            let value = Rational::new(at.into(), 20.into());
            all.push(Cost { epsilon: text.clone(), value, category, stated, range, baseline });
        }
    }
    Ok(Outcome {
        caption: "The three profiles of Table 1 under the transition matrices with the least possible largest entry \
                  off the diagonal, problem (6). Costs as in Figure 2(b). From ln 3 = 1.0986 on the records may be \
                  released as they are."
            .into(),
        table: table(&all),
        highlights: highlights(&all),
        charts: std::iter::once(paper_chart(&all)).chain((0..4).map(|category| range_chart(&all, category))).collect(),
        findings: findings(&all),
        open: vec![
            format!(
                "Which optimal solution is plotted: (6) has many. The stated one has the {tie_break}; beside it stand \
                 the smallest and the largest cost over all optimal solutions. Each end is reached by a certified \
                 mechanism, but not those of different categories by the same one."
            ),
            "The range of ε: shown is 0.05 to 1.2.".into(),
        ],
    })
}

fn table(all: &[Cost]) -> Table {
    let mut table = Table::new(["epsilon", "category", "cost", "smallest", "largest", "k_rr"]);
    for cost in all {
        let [smallest, largest] = &cost.range;
        table.row([
            Cell::from(&*cost.epsilon),
            (cost.category + 1).to_string().into(),
            (&cost.stated).into(),
            smallest.into(),
            largest.into(),
            (&cost.baseline).into(),
        ]);
    }
    table
}

fn highlights(all: &[Cost]) -> Table {
    let mut table = Table::new(["epsilon", "category 1", "category 2", "category 3", "category 4", "k-rr, each"]);
    for epsilon in ["0.05", "0.10", "0.20", "0.50", "1.00"] {
        let here: Vec<&Cost> = all.iter().filter(|cost| cost.epsilon == epsilon).collect();
        let cells = here.iter().map(|cost| Cell::from(&cost.stated));
        table.row(std::iter::once(Cell::from(epsilon)).chain(cells).chain([Cell::from(&here[0].baseline)]));
    }
    table
}

fn line(all: &[Cost], category: usize, name: &str, style: Style, of: impl Fn(&Cost) -> &Rational) -> Series {
    let here = all.iter().filter(|cost| cost.category == category);
    Series { name: name.into(), points: here.map(|cost| (float(&cost.value), float(of(cost)))).collect(), style }
}

fn chart(title: String, series: Vec<Series>) -> LineChart {
    LineChart {
        title,
        x: Axis::new("ε").from_to(0.0, 1.2),
        y: Axis::new("largest error of the category's probability").from_to(0.0, COST),
        series,
        marks: Vec::new(),
    }
}

/// The categories' looks; those after the first leave out the one that resembles the baseline's.
const LOOKS: [Style; 4] = [Style::Plain(0), Style::Plain(2), Style::Plain(3), Style::Plain(4)];

fn paper_chart(all: &[Cost]) -> Chart {
    let ours = (0..4).map(|category| {
        line(all, category, &format!("category {}", category + 1), LOOKS[category], |cost| &cost.stated)
    });
    let baseline = line(all, 0, "k-ary randomized response, each", Style::Baseline, |cost| &cost.baseline);
    Chart {
        suffix: String::new(),
        chart: chart("Cost of a category, Smooth Categorical".into(), ours.chain([baseline]).collect()).into(),
    }
}

fn range_chart(all: &[Cost], category: usize) -> Chart {
    let series = vec![
        line(all, category, "k-ary randomized response", Style::Baseline, |cost| &cost.baseline),
        line(all, category, "the stated solution", Style::Ours, |cost| &cost.stated),
        line(all, category, "smallest and largest over all optima", Style::Bound, |cost| &cost.range[0]),
        line(all, category, "", Style::Bound, |cost| &cost.range[1]),
    ];
    let title = format!("Cost of category {} over all optimal solutions", category + 1);
    Chart { suffix: format!("category-{}", category + 1), chart: chart(title, series).into() }
}

/// The categories from the least to the most telling: the largest ratio between neighbours is 1, 4/3, 3/2 and 3.
const BY_INFORMATION: [usize; 4] = [3, 1, 0, 2];

fn findings(all: &[Cost]) -> Vec<Finding> {
    let last = BY_INFORMATION[3];
    let levels: Vec<&[Cost]> = all.chunks(4).collect();
    let shown = |value: &Rational| decimal(value, 4, Direction::Nearest);
    let ordered = |costs: &&&[Cost]| {
        let noise = Rational::new(1.into(), 100_000_000.into());
        BY_INFORMATION.windows(2).all(|pair| costs[pair[0]].stated <= &costs[pair[1]].stated + &noise)
    };
    let worse: Vec<&Cost> = all.iter().filter(|cost| cost.stated > cost.baseline).collect();
    let list = |costs: &[&Cost]| {
        let one = |cost: &&Cost| {
            let (ours, theirs) = (shown(&cost.stated), shown(&cost.baseline));
            let extent = if cost.range[0] > cost.baseline { "every optimal" } else { "the stated" };
            let place = format!("category {} at ε = {}", cost.category + 1, cost.epsilon);
            format!("{place}: {ours} against {theirs}, above it in {extent} solution")
        };
        costs.iter().map(one).collect::<Vec<_>>().join("; ")
    };
    let most = |costs: &&&[Cost]| costs.iter().all(|cost| cost.stated <= costs[last].stated);
    vec![
        Finding {
            statement: "Categories less associated with the profiles cost less.".into(),
            holds: levels.iter().filter(ordered).count() == levels.len(),
            evidence: format!(
                "in the order 4, 2, 1, 3 at {} of {} ε; category 3 is the costliest at {}",
                levels.iter().filter(ordered).count(),
                levels.len(),
                levels.iter().filter(most).count()
            ),
        },
        Finding {
            statement: "The baseline costs more in every category.".into(),
            holds: worse.is_empty(),
            evidence: if worse.is_empty() { "at every ε".into() } else { list(&worse) },
        },
    ]
}
