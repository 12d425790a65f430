//! `[CASE] N...`: the arguments of `approve` and `deny`.

use crate::cli::error::Error;

/// Which proposals are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    /// The case (id or unique prefix) that restricts them.
    pub case: Option<String>,
    /// Their numbers, in the order given, each once.
    pub numbers: Vec<u64>,
}

/// Reads `[CASE] N...`: a first argument that is not a number is a case.
///
/// # Errors
/// A later argument that is not a number, or no number where `numbers_required`.
pub fn read(arguments: &[String], numbers_required: bool) -> Result<Targets, Error> {
    let mut case = None;
    let mut numbers = Vec::new();
    for (i, argument) in arguments.iter().enumerate() {
        let plain = argument.strip_prefix('#').unwrap_or(argument);
        match plain.parse::<u64>() {
            Ok(n) if !numbers.contains(&n) => numbers.push(n),
            Ok(_) => {}
            Err(_) if i == 0 && !argument.is_empty() => case = Some(argument.clone()),
            Err(_) => {
                return Err(
                    Error::user(format!("`{argument}` is not the number of a proposal")).hint(
                        "the case goes first, then numbers; `rmm-analyst proposals` shows them",
                    ),
                );
            }
        }
    }
    if numbers_required && numbers.is_empty() {
        return Err(Error::user("no proposal is named")
            .hint("give the numbers that `rmm-analyst proposals` shows, or a case with --all"));
    }
    Ok(Targets { case, numbers })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(args: &[&str]) -> Vec<String> {
        args.iter().map(|s| (*s).to_owned()).collect()
    }

    #[test]
    fn a_first_argument_that_is_no_number_is_a_case() {
        let t = read(&strings(&["0198f2ab", "17", "#18", "17"]), true).unwrap();
        assert_eq!(
            t,
            Targets {
                case: Some("0198f2ab".into()),
                numbers: vec![17, 18]
            }
        );
        let t = read(&strings(&["0198", "17"]), true).unwrap();
        assert_eq!(
            t,
            Targets {
                case: None,
                numbers: vec![198, 17]
            }
        );
        assert_eq!(
            read(&strings(&["0198f2"]), false).unwrap().numbers,
            Vec::<u64>::new()
        );
    }

    #[test]
    fn anything_else_is_refused() {
        assert!(read(&strings(&["17", "x"]), true).is_err());
        assert!(read(&strings(&["0198f2"]), true).is_err());
        assert!(read(&strings(&["", "1"]), true).is_err());
        assert!(read(&strings(&["-3", "-4"]), true).is_err());
    }
}
