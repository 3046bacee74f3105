use super::*;

fn edge(text: &str) -> String {
    read(text).mechanism.graph().edges()[0].epsilon().to_string()
}

#[test]
fn it_is_the_default_of_an_edge_and_of_a_group() {
    let text = AWARE.replace(",\n      \"epsilon\": \"1/2\"", "").replace(",\n      \"epsilon\": \"1/3*ln(2)\"", "");
    let file = read(&text);
    let epsilons: Vec<_> = file.mechanism.graph().constraints().map(|one| one.epsilon.to_string()).collect();
    assert_eq!(epsilons, ["1/2", "1/2"]);
}

#[test]
fn it_caps_every_edge_and_group() {
    let capped =
        AWARE.replace("\"kind\": \"aware\",\n  \"epsilon\": \"1/2\"", "\"kind\": \"aware\",\n  \"epsilon\": \"1/10\"");
    let file = read(&capped);
    assert!(file.mechanism.graph().constraints().all(|one| one.epsilon.to_string() == "1/10"));
    assert_eq!(file.epsilon().to_string(), "1/10");
}

/// The file says 1/2 where nothing above 1/4 is claimed: the claim stays, and the next writing says so.
#[test]
fn it_raises_no_edge() {
    let text = AWARE.replace("      \"epsilon\": \"1/2\"", "      \"epsilon\": \"1/4\"");
    assert_eq!((edge(&text), read(&text).epsilon().to_string()), ("1/4".into(), "1/4".into()));
    assert!(read(&text).to_json().contains("\"kind\": \"aware\",\n  \"epsilon\": \"1/4\""));
}

/// Warner's flip of 1/4 is exactly ln(3)-private, so a file that says less must fail.
#[test]
fn it_is_what_certifying_decides_on() {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let graph = chain(bits.names().clone(), "ln(3)");
    let text = file(Mechanism::point(bits.clone(), bits, graph, flip(QUARTER)).unwrap()).to_json();
    assert!(certify(read(&text).mechanism).is_ok());
    let top = "\"kind\": \"point\",\n  \"epsilon\": \"ln(3)\"";
    assert!(text.contains(top));
    let boast = text.replace(top, "\"kind\": \"point\",\n  \"epsilon\": \"1\"");
    assert!(certify(read(&boast).mechanism).is_err(), "the edge still says ln(3) and must not count");
}

#[test]
fn it_may_be_written_in_several_ways() {
    let graph = |text: &str| read(text).mechanism.graph().clone();
    let same = POINT.replace("\"2*ln(2)\"", "\"ln(4)\"");
    assert_eq!(graph(&same), graph(POINT), "ln(4) is 2*ln(2)");
}
