//! A command line that is wrong, told without the values in it: numbers for `noise add` are private.

use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use lookalike_formats::shown;

/// The command line; a wrong one is told on standard error and ends the process.
pub fn parse<C: Parser>() -> C {
    C::try_parse().unwrap_or_else(|error| without_values(error).exit())
}

/// The error without arguments that are neither an option nor a word. Values that an option expected and could not read are
/// told by the option's own words; those that are private are read after the command line.
fn without_values(mut error: clap::Error) -> clap::Error {
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidSubcommand] {
        let Some(ContextValue::String(found)) = error.get(kind) else { continue };
        let is_told = match kind {
            ContextKind::InvalidSubcommand => is_word(found),
            // Where a known argument is wrong, clap writes it as in the usage.
            _ if error.kind() != clap::error::ErrorKind::UnknownArgument => true,
            _ => found.strip_prefix("--").or_else(|| found.strip_prefix('-')).is_some_and(is_word),
        };
        if !is_told {
            error.insert(kind, ContextValue::String("…".to_owned()));
            // How to pass it as a value, with the value.
            error.remove(ContextKind::Suggested);
        }
    }
    // What a terminal acts on is written out, as everywhere.
    if let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidValue) {
        let written_out = shown(found).into_owned();
        error.insert(ContextKind::InvalidValue, ContextValue::String(written_out));
    }
    error
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(subcommand)]
        verb: Verb,
    }

    #[derive(Debug, clap::Subcommand)]
    enum Verb {
        Add(Add),
    }

    #[derive(Debug, Args)]
    struct Add {
        #[arg(allow_negative_numbers = true)]
        value: String,
        #[arg(long)]
        epsilon: u8,
    }

    fn message(line: &str) -> String {
        without_values(Command::try_parse_from(line.split(' ')).unwrap_err()).to_string()
    }

    /// On a terminal nothing strips it.
    #[test]
    fn a_value_that_is_told_does_nothing_to_a_terminal() {
        let line = ["l", "add", "1", "--epsilon", "\u{1b}]0;owned\u{7}"];
        let error = without_values(Command::try_parse_from(line).unwrap_err());
        let text = error.render().ansi().to_string();
        assert!(text.contains("\\u{1b}]0;owned\\u{7}") && !text.contains("\u{1b}]0;"), "{text:?}");
    }

    #[test]
    fn values_are_not_shown_and_misspelt_options_are() {
        for line in ["l add 1 777", "l add -777x", "l add 1 --777", "l 777", "l add 1 -777,5", "l add 1 ana=777"] {
            let message = message(line);
            assert!(message.contains("'…'") && !message.contains("777"), "{line}: {message}");
        }
        for (line, part) in [
            ("l add 1 --epsilom 2", "'--epsilom'"),
            ("l ad 1", "'ad'"),
            ("l add 1 --epsilon much", "'much'"),
            ("l add --epsilon 1", "<VALUE>"),
        ] {
            assert!(message(line).contains(part), "{line}: {}", message(line));
        }
    }
}
