//! Tools that propose: they write a row that does nothing until a person releases it, and say so.
