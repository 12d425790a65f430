//! runner

/// Every look-up module of the program, in name order.
#[must_use]
pub fn registry() -> &'static [&'static dyn kit::Module] {
    intel::registry()
}
