//! What a second number can be at most where a first one is given.

/// The upper concave envelope of points in the plane: over all mixes of them with a given mean of x, the largest mean of y.
#[derive(Debug, Clone)]
pub(super) struct Envelope {
    /// Corners from left to right.
    corners: Vec<(f64, f64)>,
}

impl Envelope {
    /// # Panics
    /// If there are no points.
    pub(super) fn over(points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut points: Vec<(f64, f64)> = points.into_iter().collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for point in points {
            if corners.last().is_some_and(|last| last.0 == point.0) {
                corners.pop();
            }
            while let [.., before, last] = corners[..]
                && (last.0 - before.0) * (point.1 - before.1) >= (last.1 - before.1) * (point.0 - before.0)
            {
                corners.pop();
            }
            corners.push(point);
        }
        assert!(!corners.is_empty(), "an envelope of no points");
        Envelope { corners }
    }

    /// The least and the largest x.
    pub(super) fn range(&self) -> [f64; 2] {
        [self.corners[0].0, self.corners[self.corners.len() - 1].0]
    }

    /// The largest y at x, which is taken into the range.
    pub(super) fn at(&self, x: f64) -> f64 {
        let right = self.corners.partition_point(|corner| corner.0 < x);
        match (right.checked_sub(1).map(|left| self.corners[left]), self.corners.get(right)) {
            (Some((x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * ((x - x0) / (x1 - x0)),
            (Some((_, y)), None) => y,
            (None, Some((_, y))) => *y,
            (None, None) => unreachable!("there are corners"),
        }
    }
}

impl Envelope {
    /// The largest y over a part of the range.
    pub(super) fn most(&self, [from, to]: [f64; 2]) -> f64 {
        let between = self.corners.iter().filter(|corner| from <= corner.0 && corner.0 <= to).map(|corner| corner.1);
        between.fold(self.at(from).max(self.at(to)), f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_best_of_all_pairs(points in proptest::collection::vec((0..5i32, -4..5i32), 1..9), at in 0.0..1.0) {
            let points: Vec<(f64, f64)> = points.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
            let envelope = Envelope::over(points.iter().copied());
            let [low, high] = envelope.range();
            let x = low + at * (high - low);
            let mut best = f64::NEG_INFINITY;
            for &(a, u) in &points {
                for &(b, v) in &points {
                    if a <= x && x <= b {
                        let value = if b > a { u + (v - u) * (x - a) / (b - a) } else { u.max(v) };
                        best = best.max(value);
                    }
                }
            }
            prop_assert!((envelope.at(x) - best).abs() < 1e-9, "{} {best}", envelope.at(x));
            let most = points.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
            prop_assert_eq!(envelope.most([low, high]), most);
        }
    }
}
