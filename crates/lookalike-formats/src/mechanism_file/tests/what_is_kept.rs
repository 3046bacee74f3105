use super::*;

#[test]
fn a_file_reads_and_writes_to_the_same_bytes() {
    let file = read(AWARE);
    assert_eq!(file.to_json(), AWARE);
    let mechanism = &file.mechanism;
    assert_eq!((mechanism.kind(), file.name.as_deref()), (Kind::Aware, Some("cluster")));
    assert_eq!(mechanism.assignment(), [0, 1, 1]);
    assert_eq!(mechanism.channel(0).probability(0, 1).to_string(), "1/2");
    assert_eq!(mechanism.profiles()[2].probability(1).to_string(), "2/3");
    assert_eq!(mechanism.graph().epsilon_between(1, 2).unwrap().to_string(), "1/3*ln(2)");
    assert_eq!(file.epsilon().to_string(), "1/2");
    assert_eq!(file.objective.unwrap()["lower_bound"].to_string(), "1e-3", "numbers are passed on as written");
}

#[test]
fn what_is_optional_may_be_left_out() {
    let file = read(POINT);
    assert_eq!((file.name, file.objective, file.certificate), (None, None, None));
    assert_eq!(read(&POINT.replace("\"edges\": [],", "")).mechanism, file.mechanism);
    let bare = AWARE.replace("\"mechanism\": \"cluster\",", "");
    assert_eq!(read(&bare).mechanism, read(AWARE).mechanism);
}

#[test]
fn every_kind_survives() {
    let bits = || Categories::new(["no", "yes"]).unwrap();
    let profiles = || laws(&[&["1/2", "1/2"], &["1e-30", "0.999999999999999999999999999999"]]);
    let keep = Channel::keep(vec![TOTAL, HALF], vec![0, TOTAL]).unwrap();
    let graph = || chain(people(), "1/2*sqrt(2)*ln(3)");
    let channels = vec![flip(QUARTER), keep.clone()];
    let aware = Mechanism::aware(bits(), bits(), graph(), profiles(), channels, vec![1, 0]).unwrap();
    assert!(round_trip(&aware).contains("\"epsilon\": \"1/2*sqrt(2)*ln(3)\""));
    let shared = Mechanism::shared(bits(), bits(), graph(), profiles(), keep).unwrap();
    assert!(!round_trip(&shared).contains("\"profiles\": ["), "one channel serves all");
    let values = chain(bits().names().clone(), "ln(3)");
    let point = Mechanism::point(bits(), bits(), values, flip(QUARTER)).unwrap();
    assert!(!round_trip(&point).contains("profiles"));
}

/// A file with limits of two profiles, one of them a law.
fn with_limits(ana: &str, bo: &str) -> String {
    let profiles = "\"cleo\": [\"1/3\", \"2/3\"]\n  },";
    let cleo = "[[\"1/3\", \"1/3\"], [\"2/3\", \"2/3\"]]";
    let limits =
        format!("{profiles}\n  \"limits\": {{\n    \"ana\": {ana},\n    \"bo\": {bo},\n    \"cleo\": {cleo}\n  }},");
    AWARE.replace(profiles, &limits)
}

#[test]
fn limits_survive_tightened() {
    let bo = "[[\"1/4\", \"1/2\"], [\"1/2\", \"3/4\"]]";
    let text = with_limits("[[\"1/3\", \"1/2\"], [\"1/2\", \"2/3\"]]", bo);
    let file = read(&text);
    assert_eq!(file.to_json(), text);
    assert_eq!(file.mechanism.limits()[0].ends(1).map(|end| end.to_string()), ["1/2", "2/3"]);
    assert!(file.mechanism.limits()[2].is_point());
    let loose = read(&with_limits("[[\"1/3\", \"1\"], [\"0.5\", \"2/3\"]]", bo));
    assert_eq!(loose.mechanism, file.mechanism, "limits are tightened");
    assert_ne!(fingerprint(&file.mechanism), fingerprint(&read(AWARE).mechanism), "limits are content");
    let points = "[[\"1/2\", \"1/2\"], [\"1/2\", \"1/2\"]]";
    let known = read(&with_limits(points, "[[\"1/3\", \"1/3\"], [\"2/3\", \"2/3\"]]"));
    assert_eq!(known.mechanism, read(AWARE).mechanism, "points are laws");
}

#[test]
fn limits_that_do_not_fit_are_refused() {
    let all = "[[\"0\", \"1\"], [\"0\", \"1\"]]";
    for (ana, expected) in [
        ("[[\"0\", \"1/3\"], [\"0\", \"1\"]]", "profile \"ana\": its law is not within its limits"),
        ("[[\"0\", \"1\"]]", "limits: profile \"ana\": limits of 1 categories, expected 2"),
        ("[[\"1\", \"0\"], [\"0\", \"1\"]]", "limits: profile \"ana\": category 1: its limits are not in order"),
        ("[[\"0\", \"1/3\"], [\"0\", \"1/3\"]]", "the upper ones sum to less than 1"),
    ] {
        let error = MechanismFile::from_json(&with_limits(ana, all)).unwrap_err().to_string();
        assert!(error.contains(expected), "{ana}: {error}");
    }
    let missing = with_limits(all, all).replace("\"bo\": [[\"0\", \"1\"], [\"0\", \"1\"]],\n", "");
    let error = MechanismFile::from_json(&missing).unwrap_err().to_string();
    assert!(error.contains("limits: profile \"bo\" has no limits, expected those of each profile"), "{error}");
    let foreign = with_limits(all, all).replace("\"bo\": [[", "\"eve\": [[");
    let error = MechanismFile::from_json(&foreign).unwrap_err().to_string();
    assert!(error.contains("limits: \"eve\" is not one of the secrets of this file"), "{error}");
}

#[test]
fn what_limits_rest_on_survives_and_is_no_content() {
    let all = "[[\"0\", \"1\"], [\"0\", \"1\"]]";
    let text = with_limits(all, all);
    let stated = |basis: &str| {
        let (secrets, own) = ("\"are\": \"profiles\"\n  },", "\n  \"limits_basis\": ");
        text.replace(secrets, &format!("{secrets}{own}{basis},"))
    };
    let basis = "{\n    \"confidence\": \"19/20\",\n    \"holds_for\": \"each pair\"\n  }";
    let file = read(&stated(basis));
    assert_eq!(file.limits_basis.as_ref().unwrap().to_string(), "95 % for each pair");
    assert_eq!(file.to_json(), stated(basis));
    let other = read(&stated("{\"holds_for\": \"all pairs\", \"confidence\": 0.5}"));
    assert_eq!(other.limits_basis.unwrap().to_string(), "50 % for all pairs");
    assert_eq!(
        (fingerprint(&file.mechanism), &file.mechanism),
        (fingerprint(&read(&text).mechanism), &other.mechanism)
    );
    for (basis, expected) in [
        ("{}", "limits_basis: confidence is missing"),
        (
            "{\"confidence\": \"1\", \"holds_for\": \"each pair\"}",
            "limits_basis: a confidence of 1, expected more than 0",
        ),
        (
            "{\"confidence\": \"0.9\", \"holds_for\": \"each\"}",
            "holds_for: \"each\", expected \"each pair\" or \"all pairs\"",
        ),
        ("{\"confidence\": \"0.9\", \"holds_for\": \"each pair\", \"by\": 1}", "limits_basis: key \"by\" is not known"),
    ] {
        let error = MechanismFile::from_json(&stated(basis)).unwrap_err().to_string();
        assert!(error.contains(expected), "{basis}: {error}");
    }
    let alone = AWARE
        .replace("\"are\": \"profiles\"\n  },", &format!("\"are\": \"profiles\"\n  }},\n  \"limits_basis\": {basis},"));
    let error = MechanismFile::from_json(&alone).unwrap_err().to_string();
    assert_eq!(error, "limits_basis without limits, expected both or none");
}

#[test]
fn bins_survive_by_their_edges() {
    let bins = Categories::from_bins(rationals(&["-1/2", "0", "1e3"])).unwrap();
    let graph = chain(bins.names().clone(), "1");
    let point = Mechanism::point(bins.clone(), bins, graph, Channel::identity(3).unwrap()).unwrap();
    let text = round_trip(&point);
    assert!(text.contains("\"bins\": [\"-1/2\", \"0\", \"1000\"]") && !text.contains("categories"));
}

#[test]
fn outputs_after_post_processing_survive() {
    let bins = Categories::from_bins(rationals(&["0", "1", "2"])).unwrap();
    let graph = chain(people(), "1");
    let profiles = laws(&[&["1/2", "1/4", "1/4"], &["1/4", "1/4", "1/2"]]);
    let channel = Channel::rows(vec![vec![HALF, QUARTER, QUARTER]; 3]).unwrap();
    let mechanism = Mechanism::shared(bins.clone(), bins, graph, profiles, channel).unwrap();
    let merge = Channel::rows(vec![vec![TOTAL, 0], vec![0, TOTAL], vec![0, TOTAL]]).unwrap();
    let merged = mechanism.then(&merge, Categories::new(["low", "high"]).unwrap()).unwrap();
    assert!(round_trip(&merged).contains("\"outputs\": [\"low\", \"high\"]"));
}

#[test]
fn names_of_any_text_survive() {
    let odd = ["\"", "\\n\n\u{0}", "ε/😀", " ", "$serde_json::private::Number"];
    let values = Categories::new(odd).unwrap();
    let graph = chain(values.names().clone(), "1");
    round_trip(&Mechanism::point(values.clone(), values.clone(), graph, Channel::identity(5).unwrap()).unwrap());
    let graph = chain(Names::new("profile", odd).unwrap(), "1");
    let profiles = vec![laws(&[&["1/5"; 5]]).remove(0); 5];
    let identity = Channel::identity(5).unwrap();
    round_trip(&Mechanism::shared(values.clone(), values, graph, profiles, identity).unwrap());
}

#[test]
fn a_device_file_holds_one_channel_and_nothing_of_the_others() {
    let mechanism = read(AWARE).mechanism;
    let expected = "{\n  \"format\": \"lookalike-device\",\n  \"version\": 1,\n  \"categories\": [\"no\", \"yes\"],\n  \
                    \"keep\": [9007199254740992, 4503599627370496],\n  \"redraw\": [9007199254740992, 0]\n}\n";
    assert_eq!(device_json(&mechanism, 1), expected);
    assert!(device_json(&mechanism, 0).contains("\"rows\": ["));
}
