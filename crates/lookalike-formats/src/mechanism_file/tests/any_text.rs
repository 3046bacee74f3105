use super::*;
use proptest::prelude::*;

/// What must hold for a text that is read at all: written again it is the same mechanism, and then the same bytes.
fn holds(text: &str) -> std::result::Result<(), TestCaseError> {
    if let Some(file) = streamed_parts::read(text) {
        let tree = crate::text::Tree::from_json(text).unwrap();
        let fields = crate::text::Fields::of(&tree).unwrap();
        let slowly = read::finite(&fields, streamed_parts::StreamedParts::default()).unwrap();
        prop_assert_eq!(&slowly.mechanism, &file.mechanism);
        prop_assert_eq!((slowly.name, slowly.objective), (file.name, file.objective));
        prop_assert_eq!(slowly.certificate, file.certificate);
    }
    match MechanismFile::from_json(text) {
        Err(error) => prop_assert!(!error.to_string().is_empty()),
        Ok(file) => {
            let written = file.to_json();
            prop_assert!(streamed_parts::read(&written).is_some(), "what is written is read as it comes: {}", written);
            let again = MechanismFile::from_json(&written);
            prop_assert!(again.is_ok(), "{:?} in {}", again.err(), written);
            let again = again.unwrap();
            prop_assert_eq!(&again.mechanism, &file.mechanism);
            prop_assert_eq!(again.to_json(), written);
        }
    }
    Ok(())
}

/// A row of the given length that sums to 2^53.
fn row(length: usize) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(prop_oneof![Just(0), 0..=TOTAL], length - 1).prop_map(|mut cuts| {
        cuts.sort_unstable();
        cuts.push(TOTAL);
        let mut before = 0;
        cuts.into_iter().map(|cut| cut - std::mem::replace(&mut before, cut)).collect()
    })
}

fn channel(inputs: usize, outputs: usize) -> BoxedStrategy<Channel> {
    let rows = prop::collection::vec(row(outputs), inputs).prop_map(|rows| Channel::rows(rows).unwrap());
    if inputs != outputs {
        return rows.boxed();
    }
    let keep = prop::collection::vec(0..=TOTAL, inputs);
    let keep = (keep, row(inputs)).prop_map(|(keep, redraw)| Channel::keep(keep, redraw).unwrap());
    prop_oneof![rows, keep].boxed()
}

fn categories(size: usize) -> BoxedStrategy<Categories> {
    let named = prop::collection::hash_set(".{1,4}", size).prop_map(|names| Categories::new(names).unwrap());
    let edges =
        prop::collection::btree_set((-50i64..50, 1i64..9).prop_map(|(n, d)| Rational::new(n.into(), d.into())), size);
    let bins = edges.prop_map(|edges| Categories::from_bins(edges.into_iter().collect()).unwrap());
    prop_oneof![named, bins].boxed()
}

/// At least one pair, some twice, with several forms of ε, and groups of any size from one.
fn graph(names: Names) -> impl Strategy<Value = SecretGraph> {
    let count = names.len();
    let epsilon = || prop::sample::select(vec!["1/2", "ln(3)", "2*ln(5/2)", "1/3*sqrt(2)", "1/7", "2*sqrt(3)*ln(2)"]);
    let edges = prop::collection::vec((0..count, 1..count, epsilon()), 1..5);
    let members = prop::sample::subsequence((0..count as u32).collect::<Vec<_>>(), 1..=count);
    let groups = prop::collection::vec((".{0,3}", members, epsilon()), 0..3);
    (edges, groups).prop_map(move |(edges, groups)| {
        let mut builder = SecretGraph::builder(names.clone());
        for (a, step, epsilon) in edges {
            builder.edge(a as u32, ((a + step) % count) as u32, epsilon.parse().unwrap()).unwrap();
        }
        for (name, members, epsilon) in groups {
            builder.group(&name, members, epsilon.parse().unwrap()).unwrap();
        }
        builder.build().unwrap()
    })
}

fn law(size: usize) -> impl Strategy<Value = Distribution> {
    prop::collection::vec(prop_oneof![0u64..9, any::<u64>()], size).prop_filter_map("zero sum", |weights| {
        let weights: Vec<_> = weights.into_iter().map(|weight| Rational::from_integer(weight.into())).collect();
        Distribution::normalized(&weights).ok()
    })
}

fn mechanism() -> impl Strategy<Value = Mechanism> {
    (prop::sample::select(vec![Kind::Aware, Kind::Shared, Kind::Point]), 2usize..5, 2usize..5, 1usize..3)
        .prop_flat_map(|(kind, size, secrets, distinct)| {
            let outputs = prop_oneof![Just(None), prop::collection::hash_set(".{1,4}", 1..4).prop_map(Some)];
            let people = prop::collection::hash_set(".{1,4}", secrets);
            (Just((kind, distinct)), categories(size), outputs, people, prop::collection::vec(law(size), secrets))
        })
        .prop_flat_map(|((kind, distinct), inputs, outputs, people, laws)| {
            let outputs = outputs.map_or(inputs.clone(), |names| Categories::new(names).unwrap());
            let people = Names::new("profile", people).unwrap();
            let names = if kind == Kind::Point { inputs.names().clone() } else { people };
            let channels = prop::collection::vec(channel(inputs.len(), outputs.len()), distinct);
            let assignment = prop::collection::vec(0..distinct as u32, laws.len());
            (Just((kind, inputs, outputs, laws)), graph(names), channels, assignment)
        })
        .prop_map(|((kind, inputs, outputs, laws), graph, mut channels, assignment)| {
            let made = match kind {
                Kind::Point => Mechanism::point(inputs, outputs, graph, channels.remove(0)),
                Kind::Shared => Mechanism::shared(inputs, outputs, graph, laws, channels.remove(0)),
                _ => Mechanism::aware(inputs, outputs, graph, laws, channels, assignment),
            };
            made.unwrap()
        })
}

proptest! {
    #[test]
    fn every_valid_mechanism_survives(mechanism in mechanism()) {
        let text = file(mechanism.clone()).to_json();
        prop_assert_eq!(read(&text).mechanism, mechanism);
        holds(&text)?;
    }

    #[test]
    fn a_damaged_file_is_refused_or_means_one_thing(
        aware in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0usize..3, 0usize..3, any::<u8>()), 1..4),
    ) {
        let mut bytes = if aware { AWARE } else { POINT }.as_bytes().to_vec();
        for (at, cut, put, byte) in changes {
            let at = at.index(bytes.len());
            let end = (at + cut).min(bytes.len());
            // Mostly the bytes of a file: a digit or a bracket gets further than a random byte.
            let byte = if byte < 200 { b"0123456789-/.e\"[]{},: lnsqrt()*"[usize::from(byte) % 31] } else { byte };
            bytes.splice(at..end, vec![byte; put]);
        }
        holds(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        prop_assert!(MechanismFile::from_json(&text).is_err());
    }
}
