//! The style sheet: every colour of every picture and page.

/// How a line or a bar looks, by what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// The mechanism that the picture is about.
    Ours,
    /// What it is compared with.
    Baseline,
    /// What nothing can go below.
    Bound,
    /// One of several equals, by number; the looks repeat after eight.
    Plain(usize),
}

/// How many looks the equals have.
const PLAIN: usize = 8;

impl Style {
    /// Its class in the style sheet.
    pub(super) fn class(self) -> String {
        match self {
            Style::Ours => "ours".to_owned(),
            Style::Baseline => "baseline".to_owned(),
            Style::Bound => "bound".to_owned(),
            Style::Plain(number) => format!("plain-{}", number % PLAIN),
        }
    }
}

/// Colours as variables, and how the parts of pictures use them. Paper is light whatever the screen is.
pub(super) const PICTURES: &str = "\
:root{--paper:#fff;--ink:#1b1f24;--soft:#5b6470;--rule:#d7dce2;--ours:#1b5e9e;--baseline:#b4541a;--bound:#1b1f24;\
--p0:#1b5e9e;--p1:#b4541a;--p2:#2c7a3f;--p3:#8a3ea8;--p4:#a3760a;--p5:#0f7b86;--p6:#b02a57;--p7:#5b6470;\
--t0:#9aa4b0;--t1:#6b8fb5;--t2:#c9a13b;--t3:#d97a26;--t4:#b3261e;--heat:#174a84;--inverse:#fff}\
@media screen and (prefers-color-scheme:dark){:root{--paper:#14171c;--ink:#e6e9ee;--soft:#a3adba;--rule:#363d47;\
--ours:#7db7f5;--baseline:#f0a068;--bound:#e6e9ee;--p0:#7db7f5;--p1:#f0a068;--p2:#79cf8e;--p3:#d59bf0;--p4:#e5c05a;\
--p5:#63ccd6;--p6:#f58fb0;--p7:#a3adba;--t0:#6b7683;--t1:#7ba3cf;--t2:#d9b95a;--t3:#f09a4f;--t4:#ff7a6b;\
--heat:#7db7f5;--inverse:#000}}\
.plot{font-family:system-ui,-apple-system,\"Segoe UI\",\"Noto Sans\",\"DejaVu Sans\",sans-serif;font-size:13px}\
.plot text{fill:var(--ink);unicode-bidi:isolate}.plot .title{font-size:15px;font-weight:600}.plot .soft{fill:var(--soft);stroke:var(--paper);stroke-width:3px;paint-order:stroke}\
.plot .middle{text-anchor:middle}.plot .end{text-anchor:end}\
.plot .grid{stroke:var(--rule);stroke-width:1}.plot .axis{fill:none;stroke:var(--soft);stroke-width:1}\
.plot .mark{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:2 3}\
.plot .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}\
.line.ours{stroke:var(--ours);stroke-width:3}.line.baseline{stroke:var(--baseline);stroke-dasharray:7 5}\
.line.bound{stroke:var(--bound);stroke-width:1.5;stroke-dasharray:1 4}\
.line.plain-0{stroke:var(--p0)}.line.plain-1{stroke:var(--p1);stroke-dasharray:8 4}\
.line.plain-2{stroke:var(--p2);stroke-dasharray:2 4}.line.plain-3{stroke:var(--p3);stroke-dasharray:8 3 2 3}\
.line.plain-4{stroke:var(--p4)}.line.plain-5{stroke:var(--p5);stroke-dasharray:8 4}\
.line.plain-6{stroke:var(--p6);stroke-dasharray:2 4}.line.plain-7{stroke:var(--p7);stroke-dasharray:8 3 2 3}\
.dot,.bar{stroke:var(--paper);stroke-width:1}.dot.ours,.bar.ours{fill:var(--ours)}\
.dot.baseline,.bar.baseline{fill:var(--baseline)}.dot.bound,.bar.bound{fill:var(--bound)}\
.dot.plain-0,.bar.plain-0{fill:var(--p0)}.dot.plain-1,.bar.plain-1{fill:var(--p1)}\
.dot.plain-2,.bar.plain-2{fill:var(--p2)}.dot.plain-3,.bar.plain-3{fill:var(--p3)}\
.dot.plain-4,.bar.plain-4{fill:var(--p4)}.dot.plain-5,.bar.plain-5{fill:var(--p5)}\
.dot.plain-6,.bar.plain-6{fill:var(--p6)}.dot.plain-7,.bar.plain-7{fill:var(--p7)}\
.whisker{fill:none;stroke:var(--ink);stroke-width:1.5}\
.cell{fill:var(--heat);stroke:var(--rule);stroke-width:.5}\
.h0{fill-opacity:0}.h1{fill-opacity:.1}.h2{fill-opacity:.2}.h3{fill-opacity:.3}.h4{fill-opacity:.4}.h5{fill-opacity:.5}.h6{fill-opacity:.6}.h7{fill-opacity:.7}.h8{fill-opacity:.8}.h9{fill-opacity:.9}.h10{fill-opacity:1}\
.plot .v8,.plot .v9,.plot .v10{fill:var(--inverse)}@media screen and (prefers-color-scheme:dark){.plot .v4,.plot .v5{fill:#fff}\
.plot .v6,.plot .v7{fill:var(--inverse)}}\
.edge{fill:none;stroke-linecap:round}.area{stroke-width:30;stroke-linejoin:round;opacity:.16}\
.t0{stroke:var(--t0)}.t1{stroke:var(--t1)}.t2{stroke:var(--t2)}.t3{stroke:var(--t3)}.t4{stroke:var(--t4)}\
.edge.t0{stroke-width:1.5}.edge.t1{stroke-width:2}.edge.t2{stroke-width:2.5}.edge.t3{stroke-width:3.5}.edge.t4{stroke-width:5}\
.area.t0{fill:var(--t0)}.area.t1{fill:var(--t1)}.area.t2{fill:var(--t2)}.area.t3{fill:var(--t3)}.area.t4{fill:var(--t4)}\
.node{fill:var(--ink);stroke:var(--paper);stroke-width:1.5}.leader{stroke:var(--rule);stroke-width:1}";

/// The rest of a page: texts, tables, figures side by side, phones and paper.
pub(super) const PAGES: &str = "\
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}\
body{margin:0 auto;padding:1rem 1rem 3rem;max-width:66rem;background:var(--paper);color:var(--ink);\
font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",\"Noto Sans\",\"DejaVu Sans\",sans-serif;overflow-wrap:anywhere}\
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.25rem;margin:2.2rem 0 .5rem;\
border-bottom:1px solid var(--rule);padding-bottom:.2rem}h3{font-size:1rem;margin:1.2rem 0 .3rem}p{margin:.5rem 0;max-width:46rem}\
.lead{font-size:1.15rem}.note{color:var(--soft)}.small{font-size:.85rem}\
code,pre{font-family:ui-monospace,\"SFMono-Regular\",Menlo,\"DejaVu Sans Mono\",monospace;font-size:.9em}\
p code{white-space:nowrap}pre{overflow-x:auto;border:1px solid var(--rule);border-radius:4px;padding:.6rem .8rem}\
figure{margin:1rem 0}figcaption{color:var(--soft);font-size:.9rem;max-width:46rem}\
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1rem 2rem}\
.tiles{display:flex;flex-wrap:wrap;gap:1rem 2rem}\
.tiles figure,.figures figure{margin:0}svg.plot{display:block;max-width:100%;height:auto}\
dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr));gap:.8rem;margin:1rem 0}\
dl.facts div{border:1px solid var(--rule);border-radius:6px;padding:.6rem .8rem}dt{color:var(--soft);font-size:.9rem}\
dd{margin:0;font-size:1.2rem;font-weight:600}dd small{display:block;font-size:.85rem;font-weight:400;color:var(--soft)}\
.scroll{overflow-x:auto}table{border-collapse:collapse;margin:.6rem 0;font-size:.92rem}\
caption{text-align:left;color:var(--soft);padding-bottom:.3rem}\
th,td{text-align:left;padding:.25rem .7rem .25rem 0;border-bottom:1px solid var(--rule);vertical-align:top;min-width:4rem;overflow-wrap:break-word}\
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;overflow-wrap:normal}\
@media (max-width:30rem){body{padding:.6rem .8rem 2rem;font-size:15px}h1{font-size:1.4rem}}\
@media print{body{max-width:none;padding:0;font-size:11pt}h2,h3{break-after:avoid}figure,tr,dl.facts div{break-inside:avoid}\
pre{white-space:pre-wrap}th,td{overflow-wrap:anywhere}.scroll{overflow:visible}@page{margin:18mm}}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_has_a_line_and_a_filling_and_braces_are_balanced() {
        let styles = [Style::Ours, Style::Baseline, Style::Bound].into_iter().chain((0..PLAIN + 2).map(Style::Plain));
        for class in styles.map(Style::class) {
            for part in ["line", "dot", "bar"] {
                let has = |end: char| PICTURES.contains(&format!(".{part}.{class}{end}"));
                assert!(has('{') || has(','), "{part} {class}");
            }
        }
        for sheet in [PICTURES, PAGES] {
            let count = |brace: char| sheet.matches(brace).count();
            assert!(count('{') == count('}') && !sheet.contains("url(") && !sheet.contains("@import"));
            assert!(!sheet.contains('<') && !sheet.contains('&'), "it stands in XML as it is");
        }
    }
}
