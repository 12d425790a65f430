//! A person confirms what is done to machines by typing how many there are; without a terminal the number is
//! given with `--count`, and `--yes` says that nobody is to be asked.

use crate::cli::error::Error;
use crate::cli::fleet_table::cell;
use crate::cli::output::{Output, Own, Text};
use crate::engine::by_hand::devices::Named;
use clap::Args;
use std::io::{self, IsTerminal as _};

/// How many devices are shown before the question.
const SHOWN: usize = 20;

/// How an act is confirmed.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Confirm {
    /// How many devices it is about: what is done when the number is another one is nothing
    #[arg(long, value_name = "K", requires = "yes")]
    pub count: Option<usize>,

    /// Do not ask; needs --count
    #[arg(long, requires = "count")]
    pub yes: bool,
}

impl Confirm {
    /// The number that was confirmed. `what` is what happens to the devices, as in `moved to s-4`.
    ///
    /// # Errors
    /// Nobody is there to be asked, or another number was typed: nothing is to be done.
    pub fn ask(self, what: &str, devices: &[Named], out: &mut Output) -> Result<usize, Error> {
        if let (Some(count), true) = (self.count, self.yes) {
            return Ok(count);
        }
        let n = devices.len();
        let are = match n {
            1 => "1 device would be".to_owned(),
            n => format!("{n} devices would be"),
        };
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Err(Error::user(format!("{are} {what}: nothing was changed"))
                .why("there is no terminal to confirm it at")
                .hint(format!("if that is right, add --count {n} --yes")));
        }
        for device in devices.iter().take(SHOWN) {
            let line = Text::new()
                .then(Own(cell(&device.label)))
                .then("  ")
                .then(Own(cell(&device.place)));
            out.ask(line.then("\n"));
        }
        if let Some(more) = n.checked_sub(SHOWN).filter(|m| *m > 0) {
            out.ask(Own(format!("and {more} more\n")));
        }
        out.ask(Own(format!("{are} {what}. Type {n} to do it: ")));
        let mut line = String::new();
        io::stdin()
            .read_line(&mut line)
            .map_err(|e| crate::cli::input::read_error(&e))?;
        match line.trim().parse::<usize>() {
            Ok(typed) if typed == n => Ok(n),
            _ => Err(Error::user("it was not confirmed: nothing was changed")
                .hint(format!("type the number of devices, {n}, to do it"))),
        }
    }
}
