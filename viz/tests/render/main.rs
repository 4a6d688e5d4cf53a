//! What people and programs are shown, as goldens: change the code, look at the difference.

mod doubts;
mod fixtures;
mod show;
mod stood;
mod stuck;
mod table;
