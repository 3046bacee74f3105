//! The page of `lookalike report` in a real browser: headless Chromium.
//!
//! `make browser` installs one. It keeps a log of its network, which says who asked for what; a proxy that does not
//! exist keeps everything on this machine. Console messages are read from its standard error.

use crate::common::{Folder, example};
use lookalike::audit::{Family, Seen, epsilon_bound, shares};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

/// What a browser did with a page.
struct Visit {
    /// The document once it had loaded.
    dom: String,
    /// What the page wrote to the console; the browser writes refused requests there, too.
    console: Vec<String>,
    /// What the page asked for, whether it would have got it or not.
    requests: Vec<String>,
}

/// The browser's program.
fn chromium() -> String {
    let named = std::env::var("CHROMIUM").ok();
    let known = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(String::from);
    let runs = |program: &String| {
        let version = Command::new(program).arg("--version").stdin(Stdio::null()).output();
        version.is_ok_and(|output| output.status.success())
    };
    named.into_iter().chain(known).find(runs).expect(
        "no Chromium found, which the test of the report needs: `make browser` installs it \
         (apt-get install -y --no-install-recommends chromium), or CHROMIUM=/path/to/it names one",
    )
}

/// Opens a page, with more options if any.
fn visit(page: &Path, more: &[&str]) -> Visit {
    let profile = tempfile::tempdir().unwrap();
    let network = profile.path().join("network.json");
    let output = Command::new(chromium())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
        .args(["--hide-scrollbars", "--disable-background-networking", "--disable-component-update"])
        // The port of discard, where nobody listens.
        .args(["--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--log-net-log={}", network.display()))
        .args(["--enable-logging=stderr", "--log-level=0", "--dump-dom"])
        .args(more)
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{log}");
    let console = log.lines().filter(|line| line.contains(":CONSOLE")).map(str::to_owned).collect();
    let network = serde_json::from_str(&std::fs::read_to_string(network).unwrap()).expect("a whole log of the network");
    Visit { dom: String::from_utf8(output.stdout).unwrap(), console, requests: requests(&network) }
}

/// The addresses that a page asked for. The browser asks for things of its own, too, which have no origin.
fn requests(network: &Value) -> Vec<String> {
    let start = &network["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"];
    assert!(start.is_number(), "the log of this browser calls a request something else");
    let events = network["events"].as_array().unwrap().iter().filter(|event| event["type"] == *start);
    let from_page = |event: &&Value| event["params"]["initiator"].as_str().is_some_and(|who| who != "not an origin");
    events.filter(from_page).filter_map(|event| event["params"]["url"].as_str().map(str::to_owned)).collect()
}

#[test]
fn the_page_of_the_example_loads_in_silence_and_asks_for_nothing() {
    let folder = Folder::new();
    folder.design(&example("workstations/spec.toml"));
    folder.words("report m.json").exits(0);
    let source = folder.read("report.html");
    let visit = visit(&folder.path("report.html"), &[]);
    assert!(visit.dom.contains("<h1>Privacy report: 12 profiles that must look alike"), "{}", visit.dom);
    for element in ["<svg", "<rect", "<path", "<section", "<td"] {
        // The browser adds what is missing and drops what is wrong; here it finds neither.
        assert_eq!(visit.dom.matches(element).count(), source.matches(element).count(), "{element}");
    }
    assert_eq!(visit.console, [""; 0]);
    assert_eq!(visit.requests, [""; 0]);
}

#[test]
fn the_page_and_the_maps_of_places_load_in_silence() {
    let folder = Folder::new();
    folder.words("geo design --origin 57.2,19.5 --extent 10km --epsilon ln(4)/200 -o m.json").exits(0);
    let cells = "--cells 4x3 --step 800m --epsilon ln(2)/800m --mechanism planar";
    folder.words(&format!("geo design --origin 57.2,19.5 {cells} -o cells.json")).exits(0);
    folder.words("report m.json").exits(0);
    folder.words("geo map m.json -o noise.svg").exits(0);
    folder.words("geo map cells.json -o cells.svg").exits(0);
    let trip = example("places/trip.csv").display().to_string();
    folder.words(&format!("geo map --track {trip} {trip} -o tracks.svg")).exits(0);
    for name in ["report.html", "noise.svg", "cells.svg", "tracks.svg"] {
        let (source, visit) = (folder.read(name), visit(&folder.path(name), &[]));
        for element in ["<svg", "<rect", "<path", "<section", "<td"] {
            assert_eq!(visit.dom.matches(element).count(), source.matches(element).count(), "{name}: {element}");
        }
        assert_eq!((visit.console, visit.requests), (vec![], vec![]), "{name}");
    }
}

/// What `audit --json` would print about the closest pair of the mechanism in the folder: counts whose bound is about
/// this share of the claim, drawn from the mechanism itself or from a program.
fn attack(folder: &Folder, share: f64, source: &str, event: &str) -> Value {
    let certificate = folder.json("m.json")["certificate"].clone();
    let (pair, epsilon) = (&certificate["worst"]["edge"], &certificate["epsilon"]);
    let claimed = epsilon["claimed"].as_f64().unwrap();
    let upper = folder.words("certify m.json --json").json()["epsilon"]["upper"].as_f64().unwrap();
    let other = if share > 5.0 { 100.0 } else { 20_000_000.0 };
    let seen = [other * (share * claimed).exp(), other].map(|hits| Seen { hits: hits as u64, draws: 250_000_000 });
    let families = [Family::Single, Family::Set, Family::Letter, Family::Letters];
    let bound = epsilon_bound(seen[0], seen[1], shares(&families, 0.999)[0]).max(0.0);
    let test = |family: Family| {
        json!({
            "family": family.name(), "pair": pair, "event": event, "hits": seen.map(|seen| seen.hits),
            "draws": seen.map(|seen| seen.draws), "bound": bound, "claimed": claimed,
        })
    };
    let drawn = source == "mechanism";
    let verdict = match bound {
        bound if bound > claimed => "evidence against",
        bound if drawn && bound > upper => "evidence against the proof",
        _ => "no evidence against",
    };
    let pairs = folder.words("certify m.json --json").json()["edges"].clone();
    json!({
        "verdict": verdict, "measure": "epsilon", "at_epsilon": null, "bound": bound, "claimed": claimed,
        "claimed_text": epsilon["claimed_text"],
        "certified": drawn.then(|| json!({ "lower": 0, "upper": upper })),
        "confidence": 0.999, "pair": pair, "event": event, "tests": families.map(test),
        "draws": { "choosing": 500_000_000, "testing": 500_000_000 }, "pairs": { "attacked": 1, "all": pairs },
        "source": source, "seed": null,
    })
}

#[test]
fn the_page_of_an_attack_loads_in_silence() {
    let folder = Folder::new();
    folder.design(&example("workstations/spec.toml"));
    folder.write("audit.json", attack(&folder, 1.25, "program", "the output is \"<script>\"").to_string());
    folder.words("report m.json --no-sweep --audit audit.json").exits(0);
    let (source, visit) = (folder.read("report.html"), visit(&folder.path("report.html"), &[]));
    assert!(visit.dom.contains("<h2>The attack</h2>") && visit.dom.contains("class=\"bar excess\""));
    for element in ["<svg", "<rect", "<path", "<section", "<td"] {
        assert_eq!(visit.dom.matches(element).count(), source.matches(element).count(), "{element}");
    }
    assert_eq!((visit.console, visit.requests), (vec![], vec![]));
}

/// Chains that look different: one that forgets fast, one with impossible steps and long names, one that never forgets.
const CHAINS: [&str; 3] = [
    "states = [\"sit\", \"walk\"]\ninitial = \"stationary\"\ntransition = [[0.9, 0.1], [0.4, 0.6]]\n",
    "states = [\"<i>a state with a very long name that goes on and on</i>\", \"WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW\", \"שלום עולם\"]\n\
     initial = [1, 0, 0]\ntransition = [[0.5, 0.5, 0], [0.1, 0.8, 0.1], [0, 0.5, 0.5]]\n",
    "states = [\"a\", \"b\"]\ninitial = \"arbitrary\"\ntransition = [[1, 0], [0, 1]]\n",
];

#[test]
fn the_page_about_a_chain_loads_in_silence() {
    let folder = Folder::new();
    folder.write("chain.toml", CHAINS[1]);
    folder.words("pufferfish report chain.toml --length 300 --epsilon 1").exits(0);
    let (source, visit) = (folder.read("report.html"), visit(&folder.path("report.html"), &[]));
    assert!(visit.dom.contains("<h1>Noise for 300 moments, ε = 1</h1>"), "{}", visit.dom);
    for element in ["<svg", "<rect", "<path", "<section", "<td"] {
        assert_eq!(visit.dom.matches(element).count(), source.matches(element).count(), "{element}");
    }
    assert_eq!((visit.console, visit.requests), (vec![], vec![]));
}

#[test]
fn a_page_that_talks_or_asks_is_caught() {
    let folder = Folder::new();
    let outside =
        "<img src=\"http://tracker.invalid/pixel.gif\"><link rel=stylesheet href=\"https://fonts.invalid/a.css\">";
    folder.write("asks.html", format!("<!DOCTYPE html><title>t</title>{outside}<p>hello"));
    let visit_of = |name: &str| visit(&folder.path(name), &[]);
    let asks = visit_of("asks.html");
    for address in ["http://tracker.invalid/pixel.gif", "https://fonts.invalid/a.css"] {
        assert!(asks.requests.iter().any(|request| request == address), "{:?}", asks.requests);
    }
    folder.write("talks.html", "<!DOCTYPE html><title>t</title><script>console.log('a word')</script>");
    assert!(visit_of("talks.html").console.iter().any(|line| line.contains("a word")));
    folder.write("fails.html", "<!DOCTYPE html><title>t</title><script>nothing.here()</script>");
    assert!(visit_of("fails.html").console.iter().any(|line| line.contains("ReferenceError")));
    // The page's own policy holds such things back, and the browser says so.
    folder.design(&example("commute/spec.toml"));
    folder.words("report m.json").exits(0);
    let page = folder.read("report.html").replace("</body>", &format!("{outside}<script>1</script></body>"));
    folder.write("report.html", page);
    let held = visit_of("report.html");
    assert_eq!(held.requests, [""; 0]);
    for refused in ["tracker.invalid", "fonts.invalid", "script"] {
        let says = |line: &String| line.contains("Content Security Policy") && line.contains(refused);
        assert!(held.console.iter().any(says), "{refused}: {:?}", held.console);
    }
}

/// Looks into a page of a given width from outside: how far it runs over, and which texts of pictures overlap.
const RULER: &str = r#"<!DOCTYPE html><title>t</title><iframe src="report.html" style="width:WIDTHpx;height:4000px;border:0"></iframe>
<pre id="found"></pre><script>
addEventListener('load', () => {
  const page = document.querySelector('iframe').contentDocument, found = [];
  found.push('over ' + (page.documentElement.scrollWidth - WIDTH));
  for (const picture of page.querySelectorAll('svg')) {
    const whole = picture.getBoundingClientRect();
    const texts = [...picture.querySelectorAll('text')].map(text => [text.firstChild.data, text.getBoundingClientRect()]);
    texts.forEach(([name, box], at) => {
      if (box.left < whole.left - 1 || box.right > whole.right + 1) found.push('outside ' + name);
      for (const [other, next] of texts.slice(at + 1)) {
        const x = Math.min(box.right, next.right) - Math.max(box.left, next.left);
        const y = Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top);
        if (x > 1 && y > 4) found.push('overlap ' + name + ' / ' + other);
      }
    });
  }
  found.push('texts ' + page.querySelectorAll('svg text').length);
  document.getElementById('found').textContent = found.join('\n');
});
</script>"#;

#[test]
fn no_text_overlaps_and_nothing_runs_over_the_width_of_a_phone() {
    let folder = Folder::new();
    let measure = |width: u32| {
        folder.write("ruler.html", RULER.replace("WIDTH", &width.to_string()));
        let visit = visit(&folder.path("ruler.html"), &["--allow-file-access-from-files", "--window-size=1400,4200"]);
        let found = visit.dom.split("<pre id=\"found\">").nth(1).unwrap().split("</pre>").next().unwrap().to_owned();
        let (texts, rest): (Vec<String>, Vec<String>) =
            found.lines().map(str::to_owned).partition(|line| line.starts_with("texts "));
        assert!(texts.len() == 1 && texts[0] != "texts 0", "{found}");
        rest
    };
    let long = "a name that is much longer than the room that any picture has for it, and goes on";
    let odd = format!(
        "epsilon = 0.5\ncategories = [\"<i>\", \"{}\", \"שלום עולם\"]\n[profiles]\n\"{long}\" = [0.5, 0.25, 0.25]\n\
         \"مرحبا بالعالم\" = [0.2, 0.2, 0.6]\n\"WWWWWWWWWWWWWWWWWWWWWWWWWWWW\" = [0.25, 0.5, 0.25]\n\"&amp;\" = [0.1, 0.1, 0.8]\n\
         [graph]\nshape = \"complete\"\n",
        "W".repeat(80)
    );
    let values: Vec<String> = (0..32).map(|at| format!("\"value {at}\"")).collect();
    let many = format!(
        "epsilon = 1\ncategories = [{}]\nsecrets = \"values\"\ngraph.shape = \"complete\"\n",
        values.join(", ")
    );
    let (odd, many) = (folder.write("odd.toml", odd), folder.write("many.toml", many));
    let specs = [odd, many, example("workstations/spec.toml"), example("commute/spec.toml")];
    for spec in specs {
        folder.design(&spec);
        folder.words("report m.json --force").exits(0);
        for width in [390, 1200] {
            assert_eq!(measure(width), ["over 0"], "{} at {width}", spec.display());
        }
    }
    for kind in [
        r#""noise", "secrets": {"are": "numbers"}, "law": "discrete-laplace", "decay": "1/20000000", "sensitivity": "19", "grid": "1/1048576""#,
        r#""noise", "secrets": {"are": "numbers"}, "law": "discrete-laplace", "decay": "1/2", "sensitivity": "2", "grid": "1", "clamp": ["0", "9"]"#,
        r#""hadamard", "secrets": {"are": "values"}, "categories": ["a", "b", "c"], "plus": 4953959590107545"#,
    ] {
        let text = format!(r#"{{"format": "lookalike-mechanism", "version": 2, "epsilon": "1", "kind": {kind}}}"#);
        folder.write("m.json", &text);
        folder.words("report m.json --force").exits(0);
        for width in [390, 1200] {
            assert_eq!(measure(width), ["over 0"], "{kind} at {width}");
        }
    }
    for (chain, length) in [(CHAINS[0], "20000"), (CHAINS[1], "40"), (CHAINS[1], "1"), (CHAINS[2], "40")] {
        folder.write("chain.toml", chain);
        folder.run(["pufferfish", "report", "chain.toml", "--epsilon", "1", "--force", "--length", length]).exits(0);
        for width in [390, 1200] {
            assert_eq!(measure(width), ["over 0"], "{chain} {length} at {width}");
        }
    }
    // Bounds at either end, close to the claim and far beyond it, with a certified value and without.
    folder.design_with(&folder.path("odd.toml"), &["--epsilon", "12345/67891*ln(7919/104)"]);
    for (share, source) in
        [0.0, 0.02, 0.999, 1.01, 15.0].iter().flat_map(|&share| [(share, "mechanism"), (share, "program")])
    {
        let event = format!("the output is \"{}\"", "W".repeat(200));
        folder.write("audit.json", attack(&folder, share, source, &event).to_string());
        folder.words("report m.json --no-sweep --force --audit audit.json").exits(0);
        for width in [390, 1200] {
            assert_eq!(measure(width), ["over 0"], "{share} {source} at {width}");
        }
    }
    folder.write("report.html", "<p style='width:900px'>x<svg><text y=20>one</text><text y=20 x=5>two</text></svg>");
    let wrong = measure(390);
    assert!(
        wrong.iter().any(|line| line.starts_with("over 5")) && wrong.contains(&"overlap one / two".to_owned()),
        "{wrong:?}"
    );
}
