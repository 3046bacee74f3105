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
    /// Where a value may lie.
    Open,
    /// What is allowed and not used.
    Unused,
    /// What is more than it should be.
    Excess,
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
            Style::Open => "open".to_owned(),
            Style::Unused => "unused".to_owned(),
            Style::Excess => "excess".to_owned(),
            Style::Plain(number) => format!("plain-{}", number % PLAIN),
        }
    }
}

/// Colours as variables, and how the parts of pictures use them. Paper is light whatever the screen is.
pub(super) const PICTURES: &str = include_str!("pictures.css");

/// The rest of a page: texts, tables, figures side by side, phones and paper.
pub(super) const PAGES: &str = include_str!("pages.css");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_has_a_line_and_a_filling_and_braces_are_balanced() {
        let named = [Style::Ours, Style::Baseline, Style::Bound, Style::Open, Style::Unused, Style::Excess];
        let styles = named.into_iter().chain((0..PLAIN + 2).map(Style::Plain));
        for class in styles.map(Style::class) {
            for part in ["line", "dot", "bar"] {
                let has = |end: &str| PICTURES.contains(&format!(".{part}.{class}{end}"));
                assert!(has(" {") || has(","), "{part} {class}");
            }
        }
        for sheet in [PICTURES, PAGES] {
            let count = |brace: char| sheet.matches(brace).count();
            assert!(count('{') == count('}') && !sheet.contains("url(") && !sheet.contains("@import"));
            assert!(!sheet.contains('<') && !sheet.contains('&'), "it stands in XML as it is");
        }
    }
}
