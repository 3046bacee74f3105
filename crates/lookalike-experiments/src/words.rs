//! Random draws that no privacy rests on.

/// SplitMix64.
pub(crate) struct Words(pub(crate) u64);

impl Words {
    /// A value of a law in floats.
    pub(crate) fn draw(&mut self, law: &[f64]) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mut left = ((word ^ (word >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        for (at, p) in law.iter().enumerate() {
            left -= p;
            if left < 0.0 {
                return at as u32;
            }
        }
        law.iter().rposition(|p| *p > 0.0).expect("a law") as u32
    }
}
