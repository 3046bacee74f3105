//! Lists of verbs: one line for each, which the command line reads and runs.

/// An enumeration of verbs by their words; each runs by itself.
macro_rules! verbs {
    ($all:ident { $($name:ident($words:ty),)* }) => {
        #[derive(clap::Subcommand)]
        enum $all {
            $($name($words),)*
        }

        impl $all {
            fn run(self, terminal: &crate::terminal::Terminal) -> lookalike_formats::Result<crate::Answer> {
                match self {
                    $($all::$name(words) => words.run(terminal),)*
                }
            }
        }
    };
}

/// The verbs below another one, which has them in its field `subverb`.
macro_rules! subverbs {
    ($verb:ident { $($list:tt)* }) => {
        verbs!(Subverb { $($list)* });

        impl $verb {
            pub fn run(self, terminal: &crate::terminal::Terminal) -> lookalike_formats::Result<crate::Answer> {
                self.subverb.run(terminal)
            }
        }
    };
}
