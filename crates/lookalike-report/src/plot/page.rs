//! The skeleton of a page, and pictures as files of their own.

use super::style::{PAGES, PICTURES};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// What a page may do: show its own style sheet. No script, no picture, no font, no request.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A self-contained HTML page: the style sheet inside, light and dark, for screens, phones and paper, and a policy by
/// which the browser itself refuses every request and every script.
pub fn page(title: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(PICTURES)) (PreEscaped(PAGES)) }
            }
            body { (body) }
        }
    };
    page.into_string() + "\n"
}

/// A picture as an SVG file of its own, with its style sheet, light and dark.
///
/// # Panics
/// If the markup is not one `svg` element.
pub fn standalone(svg: &Markup) -> String {
    assert!(svg.0.starts_with("<svg "), "the markup of one svg element");
    // Attribute values are escaped, so the first of these ends the opening tag.
    let (opening, rest) = svg.0.split_once('>').expect("an opening tag ends");
    format!("{opening}><style>{PICTURES}.plot{{background:var(--paper)}}</style>{rest}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_forbids_everything_from_outside_and_escapes_its_title() {
        let text = page("a <b> & \"c\"", html! { p { "hello" } });
        assert!(text.contains("content=\"default-src 'none'; style-src 'unsafe-inline'"));
        assert!(text.contains("<title>a &lt;b&gt; &amp; &quot;c&quot;</title>"));
        assert!(text.contains("<p>hello</p>") && !text.contains("<script"));
    }

    #[test]
    fn a_picture_alone_has_its_style_sheet_first() {
        let text = standalone(&html! { svg class="plot" aria-label="a > b" { text { "x" } } });
        assert!(text.starts_with("<svg class=\"plot\" aria-label=\"a &gt; b\"><style>/* Colours"), "{text}");
        assert!(text.ends_with("</style><text>x</text></svg>\n"));
    }
}
