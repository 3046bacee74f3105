//! What the list of kinds becomes: the type of a file of whichever kind, and the one place where it is asked which.

/// Makes the type of a mechanism of any kind from the list of all kinds. What is done alike with each of them is a method of a
/// trait and is called through `of_kind!`, so that no other match over kinds exists: a kind that lacks an implementation is
/// named by the compiler.
macro_rules! kinds {
    ($dollar:tt $($(#[$about:meta])* $Kind:ident($Model:ty),)*) => {
        /// A mechanism of any kind, with what its file says of it.
        #[derive(Debug, Clone)]
        pub enum AnyMechanism {
            $($(#[$about])* $Kind(Box<MechanismFile<$Model>>),)*
        }

        $(impl kind::Sealed for $Model {})*

        impl AnyMechanism {
            /// What files of every kind have in common.
            pub fn file(&self) -> &dyn AnyFile {
                match self { $(AnyMechanism::$Kind(file) => &**file,)* }
            }

            /// The mechanism of a file whose `kind` is this.
            fn of_fields(fields: &Fields<'_>, kind: &str) -> Result<AnyMechanism> {
                $(if <$Model>::is_kind(fields, kind)? {
                    return Ok(AnyMechanism::$Kind(Box::new(<$Model>::from_fields(fields)?)));
                })*
                let names: Vec<&str> = [$(<$Model>::NAMES),*].concat();
                Err(kind::unknown_kind(kind, &names))
            }
        }

        /// What is done alike with a mechanism of every kind: `of_kind!(mechanism, file => …)` with the
        /// [`MechanismFile`](crate::MechanismFile) of its kind, by a method of a trait that each kind has.
        ///
        /// # Example
        /// ```
        /// use lookalike_formats::{AnyMechanism, MechanismFile, MechanismKind, of_kind};
        /// use lookalike::model::Noise;
        /// let noise = Noise::for_epsilon("1/2".parse()?, lookalike::exact::parse_rational("1")?, 0)?;
        /// let any = AnyMechanism::from(MechanismFile::of(noise));
        /// assert!(of_kind!(any, file => file.mechanism.prove().is_ok()));
        /// # Ok::<(), lookalike::Error>(())
        /// ```
        #[macro_export]
        macro_rules! of_kind {
            ($dollar any:expr, $dollar file:ident => $dollar done:expr) => {
                match $dollar any { $($crate::AnyMechanism::$Kind($dollar file) => $dollar done,)* }
            };
        }

        $(impl From<MechanismFile<$Model>> for AnyMechanism {
            fn from(file: MechanismFile<$Model>) -> Self {
                AnyMechanism::$Kind(Box::new(file))
            }
        })*
    };
}
