//! Tests of fitting: counts, specs that read back, limits that contain, and what is refused.

use super::*;
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::{Channel, Mechanism};
use lookalike_formats::records::{CsvOptions, Format};
use lookalike_formats::{Alone, Spec};
use lookalike_records::RecordFile;
use proptest::prelude::*;
use std::collections::BTreeMap;

const RECORDS: &str =
    "user,load,role,site\nana,idle,dev,x\nbo,busy,dev,y\nana,busy,dev,x\nana,idle,dev,x\ncleo,idle,ops,y\n";

fn options(domain: Domain) -> FitOptions {
    FitOptions { minimum: 1, ..FitOptions::new("user", vec!["load".into()], domain) }
}

fn known(names: &[&str]) -> Domain {
    Domain::Known(Categories::new(names).unwrap())
}

fn fitted(text: &str, options: &FitOptions) -> Result<Fitted> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let input = RecordFile { path: file.path(), format: Format::Csv, csv: &CsvOptions::default() };
    FitRequest { records: Records::File(input), options }.run(&mut |_| {})
}

/// The error without the name of the file.
fn refusal(text: &str, options: &FitOptions) -> String {
    let error = fitted(text, options).unwrap_err().to_string();
    let without = error.split_once(": ").filter(|(file, _)| file.starts_with('/')).map(|(_, rest)| rest.to_owned());
    without.unwrap_or(error)
}

fn laws(fitted: &Fitted) -> Vec<(String, Vec<String>)> {
    let law = |profile: &FittedProfile| profile.law.probabilities().map(|p| p.to_string()).collect();
    fitted.profiles.iter().map(|profile| (profile.name.clone(), law(profile))).collect()
}

fn law(name: &str, texts: [&str; 2]) -> (String, Vec<String>) {
    (name.into(), texts.map(str::to_owned).to_vec())
}

#[test]
fn profiles_are_exact_fractions_of_counts_by_name() {
    let fit = fitted(RECORDS, &options(known(&["idle", "busy"]))).unwrap();
    assert_eq!(laws(&fit), [law("ana", ["2/3", "1/3"]), law("bo", ["0", "1"]), law("cleo", ["1", "0"])]);
    assert_eq!((fit.rows, fit.records_per_profile()), (5, (1, 3)));
    assert_eq!(fit.profiles[1].never().collect::<Vec<_>>(), [0]);
    let half = FitOptions { pseudo_count: parse_rational("1/2").unwrap(), ..options(known(&["idle", "busy"])) };
    let fit = fitted(RECORDS, &half).unwrap();
    assert_eq!(laws(&fit), [law("ana", ["5/8", "3/8"]), law("bo", ["1/4", "3/4"]), law("cleo", ["3/4", "1/4"])]);
    assert_eq!(fit.profiles[1].counts, [0, 1], "counts stay as they are, and so do the limits");
}

#[test]
fn roles_pool_their_records_and_categories_can_be_found() {
    let roles = FitOptions { profile_by: Some("role".into()), ..options(Domain::Found) };
    let fit = fitted(RECORDS, &roles).unwrap();
    assert_eq!(fit.categories.names().iter().collect::<Vec<_>>(), ["busy", "idle"]);
    assert_eq!(laws(&fit), [law("dev", ["1/2", "1/2"]), law("ops", ["0", "1"])]);
    let levels = fit.granularity().unwrap();
    let facts: Vec<_> =
        levels.iter().map(|level| (level.column.as_deref(), level.profiles, level.least_records)).collect();
    assert_eq!(facts, [(Some("user"), 3, 1), (Some("role"), 2, 1), (None, 1, 5)]);
    let values: Vec<f64> = levels.iter().map(|level| level.value.unwrap()).collect();
    assert!(values[0] >= values[1] && values[1] > 0.0 && values[2] == 0.0, "{values:?}");
    // Two users who never do the same need all the noise of local DP, and no more.
    assert!((fit.local_dp().unwrap() - values[0]).abs() < 1e-6);
    assert!(fitted(RECORDS, &options(Domain::Found)).unwrap().granularity().unwrap().is_empty());
}

#[test]
fn groups_are_those_of_a_column_in_which_each_profile_has_one_value() {
    let by = |column: &str| FitOptions { graph: FitGraph::GroupBy(column.into()), ..options(Domain::Found) };
    let fit = fitted(RECORDS, &by("site")).unwrap();
    assert_eq!(fit.groups(), [("x".into(), vec![0]), ("y".into(), vec![1, 2])]);
    let spec = Spec::from_toml(&fit.spec_toml(), &Alone).unwrap();
    assert_eq!(spec.problem.graph(), fit.problem().unwrap().unwrap().graph());
    assert_eq!(spec.unprotected, ["ana"]);
    let moved = RECORDS.to_owned() + "ana,idle,dev,y\n";
    assert_eq!(
        refusal(&moved, &by("site")),
        "column \"site\": rows 1 and 6 are of one profile and have two values, expected one"
    );
    let alone = refusal(RECORDS, &by("user"));
    assert!(alone.starts_with("column \"user\": each of the 3 groups has one profile, so nothing"), "{alone}");
    // A user in two groups only matters where users are the profiles.
    let roles = FitOptions {
        profile_by: Some("role".into()),
        graph: FitGraph::GroupBy("site".into()),
        ..options(Domain::Found)
    };
    let two = "user,load,role,site\nana,idle,dev,x\nana,busy,ops,x\nana,busy,hr,y\n";
    let values: Vec<_> = fitted(two, &roles).unwrap().granularity().unwrap().iter().map(|level| level.value).collect();
    assert!(matches!(values[..], [None, Some(_), Some(0.0)]), "{values:?}");
}

#[test]
fn small_profiles_are_refused_dropped_or_pooled() {
    let with = |small| FitOptions { minimum: 2, small, ..options(Domain::Found) };
    assert_eq!(
        refusal(RECORDS, &with(Small::Refuse)),
        "2 of 3 profiles have fewer than 2 records, the least 1 (expected a lower `minimum`, `drop-small` to leave them \
         out, or `pool-small NAME` to make them one profile)"
    );
    let dropped = fitted(RECORDS, &with(Small::Drop)).unwrap();
    assert_eq!((laws(&dropped), dropped.small), (vec![law("ana", ["1/3", "2/3"])], vec!["bo".into(), "cleo".into()]));
    let pooled = fitted(RECORDS, &with(Small::Pool("rest".into()))).unwrap();
    assert_eq!(laws(&pooled), [law("ana", ["1/3", "2/3"]), law("rest", ["1/2", "1/2"])]);
    assert!(pooled.spec_toml().contains("\n# Profiles with few records, 2, were made one, \"rest\": "));
    let taken = refusal(RECORDS, &with(Small::Pool("ana".into())));
    assert_eq!(taken, "`pool-small \"ana\"`: a profile has this name already, expected another");
    let groups =
        |column: &str| FitOptions { graph: FitGraph::GroupBy(column.into()), ..with(Small::Pool("rest".into())) };
    let site = fitted(&(RECORDS.to_owned() + "dan,idle,hr,x\ndan,idle,hr,x\n"), &groups("site")).unwrap();
    assert_eq!(site.groups(), [("x".into(), vec![0, 1]), ("y".into(), vec![2])]);
    assert_eq!(site.profiles[2].name, "rest (y)");
    assert!(
        refusal(RECORDS, &groups("role"))
            .starts_with("`pool-small \"rest\"`: all small profiles of a group together have 1")
    );
    let none = refusal(RECORDS, &FitOptions { minimum: 9, ..with(Small::Drop) });
    assert!(none.starts_with("no profile has 9 records, the most 3 (expected a lower `minimum`"), "{none}");
}

#[test]
fn what_cannot_be_meant_is_refused_before_anything_is_read() {
    let check = |change: &dyn Fn(&mut FitOptions)| {
        let mut options = options(known(&["idle", "busy"]));
        change(&mut options);
        let nowhere = RecordFile { path: Path::new("nowhere"), format: Format::Csv, csv: &CsvOptions::default() };
        let request = FitRequest { records: Records::File(nowhere), options: &options };
        request.run(&mut |_| {}).unwrap_err().to_string()
    };
    let number = |text: &str| parse_rational(text).unwrap();
    assert_eq!(check(&|o| o.pseudo_count = number("-1")), "a pseudo-count of -1, expected at least 0");
    for confidence in ["0", "1", "95"] {
        let expected = format!("a confidence of {confidence}, expected more than 0 and at most 0.999999999");
        assert_eq!(check(&|o| o.confidence = number(confidence)), expected);
    }
    assert_eq!(check(&|o| o.profile = "load".into()), "column \"load\": this is the value, expected another column");
    assert_eq!(check(&|o| o.domain = Domain::Quantiles(1)), "quantiles: expected at least 2");
    let unknown = check(&|o| (o.domain, o.unknown) = (Domain::Found, Some("idle".into())));
    assert_eq!(unknown, "`unknown` needs `categories` or `bins`: else every value has its place");
    let unknown = check(&|o| o.unknown = Some("off".into()));
    assert_eq!(unknown, "`unknown \"off\"` is not a category, expected error or one of idle, busy");
    assert!(check(&|_| {}).starts_with("nowhere: cannot read: "));
}

#[test]
fn the_way_to_say_what_a_value_can_be_is_one() {
    let names = ["idle".to_owned()];
    let message = |result: Result<Domain>| result.unwrap_err().to_string();
    assert!(message(Domain::choose(None, None, None, false, false)).starts_with("what can a value be? Expected `cat"));
    assert!(message(Domain::choose(None, None, Some(5), false, false)).contains("they need `public-data`"));
    assert!(message(Domain::choose(Some(&names), None, Some(5), true, false)).starts_with("more than one of"));
    assert!(matches!(Domain::choose(None, None, Some(5), true, false), Ok(Domain::Quantiles(5))));
    assert!(matches!(Domain::choose(None, None, None, false, true), Ok(Domain::Found)));
}

/// Users with numbers: the second of each pair in hundredths.
fn numbers() -> impl Strategy<Value = Vec<(u8, i32)>> {
    prop::collection::vec((0..3u8, prop_oneof![-500..500i32, 0..4i32]), 1..60)
}

proptest! {
    #[test]
    fn quantiles_are_numbers_of_the_data_at_their_places(records in numbers(), count in 2u32..8) {
        let decimal = |number: i32| format!("{}{}.{:02}", if number < 0 { "-" } else { "" }, number.abs() / 100, number.abs() % 100);
        let rows: String = records.iter().map(|(user, number)| format!("u{user},{}\n", decimal(*number))).collect();
        let fit = fitted(&format!("user,load\n{rows}"), &options(Domain::Quantiles(count))).unwrap();
        let mut sorted: Vec<i32> = records.iter().map(|&(_, number)| number).collect();
        sorted.sort_unstable();
        let mut edges: Vec<i32> = (0..count as usize).map(|j| sorted[j * sorted.len() / count as usize]).collect();
        edges.dedup();
        let exact = |number: &i32| Rational::new((*number).into(), 100.into());
        prop_assert_eq!(fit.categories.bins().unwrap(), &edges.iter().map(exact).collect::<Vec<_>>()[..]);
        // And every record is counted in its bin.
        let mut counts: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        for (user, number) in &records {
            let bin = edges.partition_point(|edge| edge <= number) - 1;
            counts.entry(format!("u{user}")).or_insert_with(|| vec![0; edges.len()])[bin] += 1;
        }
        let found: BTreeMap<String, Vec<u64>> = fit.profiles.iter().map(|p| (p.name.clone(), p.counts.clone())).collect();
        prop_assert_eq!(found, counts);
        let open = Spec::from_toml(&fit.spec_toml(), &Alone).unwrap_err().to_string();
        prop_assert!(open.contains("the graph has no edge, so nothing would be protected"), "{}", open);
    }

    #[test]
    fn a_spec_reads_back_to_the_same_laws_and_graph(
        names in prop::collection::btree_set("[a-z.\"'#= \\\\\u{e9}\n\t]{1,6}", 2..6),
        values in prop::collection::btree_set("[A-Z,\"\\] \\\\]{1,4}", 1..4),
        counts in prop::collection::vec(0..50u64, 24), shape in 0..3usize, pseudo in 0..3u64,
    ) {
        let (names, values): (Vec<_>, Vec<_>) = (names.into_iter().collect(), values.into_iter().collect());
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["user", "load", "site"]).unwrap();
        let mut cells = counts.iter();
        for (at, name) in names.iter().enumerate() {
            for value in &values {
                // Each of them at least once, so that each is found.
                for _ in 0..1 + cells.next().unwrap() % 5 {
                    writer.write_record([name, value, &names[at % 2]]).unwrap();
                }
            }
        }
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let graph = [FitGraph::Complete, FitGraph::Chain, FitGraph::GroupBy("site".into())][shape].clone();
        let graph = if shape == 2 && names.len() < 4 { FitGraph::Complete } else { graph };
        let pseudo_count = Rational::new(pseudo.into(), 3.into());
        let fit = fitted(&text, &FitOptions { graph, pseudo_count, ..options(Domain::Found) }).unwrap();
        let spec = fit.spec_toml();
        let read = Spec::from_toml(&spec, &Alone).unwrap_or_else(|error| panic!("{error}\n{spec}")).problem;
        let problem = fit.problem().unwrap().unwrap();
        prop_assert_eq!(read.categories(), problem.categories());
        prop_assert_eq!(read.profile_laws(), problem.profile_laws());
        prop_assert_eq!(read.graph(), problem.graph());
        prop_assert_eq!(read.limits(), problem.limits());
    }

    #[test]
    fn limits_contain_the_counted_shares_and_read_back(rows in prop::collection::vec((0..3u8, 0..3u8), 3..80), simultaneous in any::<bool>()) {
        let text: String = rows.iter().map(|(user, value)| format!("u{user},\"v,{value}\"\n")).collect();
        let text = format!("user,load\nu0,\"v,0\"\nu1,\"v,1\"\n{text}");
        let domain = known(&["v,0", "v,1", "v,2"]);
        let fit = fitted(&text, &FitOptions { graph: FitGraph::Complete, simultaneous, ..options(domain) }).unwrap();
        let problem = fit.problem().unwrap().unwrap();
        let channel = Channel::identity(fit.categories.len()).unwrap();
        let categories = fit.categories.clone();
        let laws = problem.profile_laws().to_vec();
        let mechanism = Mechanism::shared(categories.clone(), categories, problem.graph().clone(), laws, channel).unwrap();
        let file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
        std::fs::write(file.path(), fit.limits_csv()).unwrap();
        let read = read_limits(file.path(), &mechanism).unwrap();
        prop_assert_eq!(read.confidence.as_deref(), Some(if simultaneous { "95 % for all pairs" } else { "95 % for each pair" }));
        for (profile, limits) in fit.profiles.iter().zip(&read.limits) {
            for (place, ([lower, upper], [low, high])) in limits.iter().zip(&profile.limits).enumerate() {
                let exactly = |x: &f64| Rational::from_float(*x).unwrap();
                prop_assert!(*lower <= exactly(low) && exactly(high) <= *upper);
                prop_assert!(*lower <= profile.law.probability(place) && profile.law.probability(place) <= *upper);
                let near = parse_rational("1e-11").unwrap();
                prop_assert!(exactly(low) - lower <= &near * exactly(low) && upper - exactly(high) <= &near * exactly(high));
            }
        }
        let worst = lookalike::certify::within(&mechanism, &read.limits).unwrap();
        prop_assert!(worst.ratio().is_none_or(|ratio| ratio >= Rational::from_integer(1.into())));
    }
}

#[test]
fn simultaneous_limits_are_wider() {
    let limits = |simultaneous| {
        // The other two have one record each.
        let fit = fitted(RECORDS, &FitOptions { simultaneous, ..options(Domain::Found) }).unwrap();
        fit.profiles[0].limits.clone()
    };
    let (each, together) = (limits(false), limits(true));
    assert!(each.iter().zip(&together).all(|(one, all)| all[0] < one[0] && one[1] < all[1]), "{each:?} {together:?}");
}

fn complete(domain: Domain) -> FitOptions {
    FitOptions { graph: FitGraph::Complete, ..options(domain) }
}

#[test]
fn the_spec_has_public_limits_around_the_laws_and_what_they_rest_on() {
    let fit = fitted(RECORDS, &complete(known(&["idle", "busy"]))).unwrap();
    let text = fit.spec_toml();
    let spec = Spec::from_toml(&text, &Alone).unwrap();
    assert_eq!(spec.limits_basis.as_ref().unwrap().to_string(), "95 % for each pair");
    for (profile, limits) in fit.profiles.iter().zip(spec.problem.limits()) {
        assert!(limits.contains(&profile.law) && *limits == profile.within);
        for (place, [low, high]) in profile.limits.iter().enumerate() {
            let ends = limits.ends(place);
            assert!(ends.iter().all(|end| (end * Rational::from_integer(1024.into())).is_integer()), "{ends:?}");
            assert!(ends[0] <= Rational::from_float(*low).unwrap() && Rational::from_float(*high).unwrap() <= ends[1]);
        }
    }
    assert!(!text.contains("= 3") && !fit.limits_csv().is_empty(), "counts are in the private table alone");
    // bo was never seen idle, and may be: the limits of what was never seen begin at 0 and end above.
    let ends = spec.problem.limits()[1].ends(0);
    assert!(ends[0] == Rational::default() && ends[1] > Rational::default());
    let coarse = fitted(RECORDS, &FitOptions { limits_grid: 2, ..complete(known(&["idle", "busy"])) }).unwrap();
    assert_eq!(coarse.profiles[1].within.ends(1).map(|end| end.to_string()), ["0", "1"]);
    let wrong = FitOptions { limits_grid: 0, ..complete(known(&["idle", "busy"])) };
    assert_eq!(refusal(RECORDS, &wrong), "`limits-grid` 0, expected from 1 to 1073741824");
}

#[test]
fn trusted_profiles_have_no_limits_in_the_spec() {
    let trusted = FitOptions { trust_profiles: true, ..complete(known(&["idle", "busy"])) };
    let fit = fitted(RECORDS, &trusted).unwrap();
    let spec = Spec::from_toml(&fit.spec_toml(), &Alone).unwrap();
    assert!(spec.problem.limits().is_empty() && spec.limits_basis.is_none());
    assert!(fit.problem().unwrap().unwrap().limits().is_empty());
    assert!(fit.limits_csv().contains("95 % for each pair"), "how wrong they may be is known all the same");
}

/// A confidence that could not be proved is not stated, and the limits are there all the same.
#[test]
fn no_confidence_is_stated_where_the_records_chose_what_the_limits_are_about() {
    let numbers = "user,load\nana,1\nana,2\nbo,2\nbo,3\n";
    let released = FitOptions { same_data: true, ..complete(known(&["idle", "busy"])) };
    for (text, options, why) in [
        (RECORDS, complete(Domain::Found), "the categories are those found in the same records"),
        (numbers, complete(Domain::Quantiles(2)), "the bins were chosen by the same records"),
        (RECORDS, released, "the same records are released"),
    ] {
        let fit = fitted(text, &options).unwrap();
        assert_eq!(fit.limits_basis(), Err(why));
        let spec = Spec::from_toml(&fit.spec_toml(), &Alone).unwrap();
        assert!(spec.limits_basis.is_none() && !spec.problem.limits().is_empty());
        assert!(fit.spec_toml().contains(&format!("# No confidence is stated: {why}.")));
        assert!(!fit.limits_csv().contains('%'));
        assert_eq!(fit.facts(None).no_confidence, Some(why));
    }
}

/// Limits come from the counts alone; a pseudo-count may push the law out of them, and then they reach as far as the law.
#[test]
fn a_law_that_a_pseudo_count_pushes_out_of_its_limits_widens_them() {
    let many: String = (0..400).map(|at| format!("ana,{}\nbo,busy\n", if at == 0 { "busy" } else { "idle" })).collect();
    let text = format!("user,load\n{many}");
    let with = |pseudo: &str| {
        let pseudo_count = parse_rational(pseudo).unwrap();
        let fit = fitted(&text, &FitOptions { pseudo_count, ..complete(known(&["idle", "busy"])) }).unwrap();
        let ana = fit.profiles[0].clone();
        assert!(ana.within.contains(&ana.law));
        (ana.limits, ana.law.probability(1), ana.within.ends(1)[1].clone())
    };
    let ((limits, _, end), (pushed, law, wider)) = (with("0"), with("300"));
    assert_eq!(limits, pushed, "the counts are the same");
    assert!(law > end && wider >= law && wider < law + Rational::new(1.into(), 1024.into()));
}

#[test]
fn one_category_and_many_records_are_no_exceptions() {
    let fit = fitted("user,load\nana,idle\nbo,idle\n", &complete(known(&["idle"]))).unwrap();
    assert!(fit.profiles.iter().all(|profile| profile.within.is_point()));
    let spec = Spec::from_toml(&fit.spec_toml(), &Alone).unwrap();
    assert!(spec.problem.limits().is_empty() && spec.limits_basis.is_none(), "one law rests on nothing");
}
