//! Commands that look at what is stored. (The rest of the tree is written elsewhere.)

pub mod case;
pub mod db;
pub mod evidence;
pub mod proposals;
pub mod view;
