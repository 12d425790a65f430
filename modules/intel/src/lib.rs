//! intel

use kit::Module;

/// Every module of the program, in name order.
#[must_use]
pub fn registry() -> &'static [&'static dyn Module] {
    &[]
}
