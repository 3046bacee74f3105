//! An independent check of every optimal design: the problems written out as dense linear programs, one variable for
//! each entry of each channel, and solved by another library's simplex. Nothing here looks into the solvers.

#![allow(missing_docs, reason = "test helpers")]

pub mod formulation;
pub mod instance;
pub mod program;
pub mod strategy;

use instance::Instance;
use lookalike::certify::certify;
use lookalike::design::{Design, Flips, MechanismName, Options, Problem, design, smooth_one_bit};
use lookalike::exact::{Direction, Rational, to_f64};

/// The mechanism of this name: the one place that knows how the library is called.
pub fn designed(problem: &Problem, name: &str) -> Design {
    let name: MechanismName = name.parse().unwrap();
    design(problem, &Options::named(name)).unwrap()
}

/// Smooth One Bit with a flip probability of its own for each bit.
pub fn designed_with_asymmetric_flips(problem: &Problem) -> Design {
    smooth_one_bit(problem, Flips::Asymmetric).unwrap()
}

/// The optimum over all mechanisms of the problem's kind.
pub fn designed_optimally(problem: &Problem) -> Design {
    designed(problem, "smooth-categorical")
}

/// How far a value may be from the optimum.
pub const AGREEMENT: f64 = 1e-7;

/// What the repair may have added to the value.
pub fn repair_allowance(instance: &Instance, design: &Design) -> f64 {
    design.solution.repair_cost * instance.largest_cost()
}

/// Whether the oracle knows the optimum well enough to judge by it.
pub fn assert_narrow(optimum: &formulation::Optimum) {
    let (lower, upper) = (optimum.lower, optimum.upper);
    assert!(lower <= upper + 1e-12 && upper - lower <= 1e-9, "the oracle knows no more than {lower}..{upper}");
}

/// Everything that must hold of an optimal design, whatever its kind and objective.
pub fn assert_optimal(instance: &Instance, design: &Design, optimum: &formulation::Optimum) {
    assert_narrow(optimum);
    assert_sound(instance, design);
    let (value, allowance) = (design.objective.value, repair_allowance(instance, design));
    assert!(value >= optimum.lower - 1e-9, "value {value} below the optimum {}", optimum.lower);
    assert!(value <= optimum.upper + AGREEMENT + allowance, "value {value} above the optimum {}", optimum.upper);
}

/// The proven bound is one, and tells the value to 1e-6.
pub fn assert_bound(instance: &Instance, design: &Design, bound: f64, optimum: &formulation::Optimum) {
    assert!(bound <= optimum.upper + 1e-9, "bound {bound} above the optimum {}", optimum.upper);
    let value = design.objective.value;
    assert!(bound >= value - 1e-6 - repair_allowance(instance, design), "bound {bound} far below the value {value}");
}

/// Certified at the claim that was asked for, with the value it says it has, and repaired at little cost.
pub fn assert_sound(instance: &Instance, design: &Design) {
    let mechanism = &design.mechanism;
    assert_eq!(mechanism.graph(), instance.problem().graph());
    assert_eq!(mechanism.kind(), instance.kind);
    if let Err(violation) = certify(mechanism.clone()) {
        panic!("{violation}");
    }
    let entry = |s: usize, x, y| float(&mechanism.channel(s as u32).probability(x, y));
    let value = instance.value_of(entry);
    assert!((design.objective.value - value).abs() <= 1e-12, "says {}, has {value}", design.objective.value);
    let (cost, smallest) = (design.solution.repair_cost, instance.smallest_budget().1);
    let limit = if smallest >= 0.1 { 1e-8 } else { 1e-6 };
    assert!(cost < limit, "a repair of {cost} at epsilon {smallest}");
}

/// The nearest double.
pub fn float(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}
