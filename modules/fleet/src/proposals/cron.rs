//! Schedules of tasks as they are proposed: five fields (minute, hour, day of month, month, day of week) in UTC,
//! with numbers, `*`, ranges, lists and steps. A schedule that nothing could ever meet is refused too.

/// Why a text is no schedule.
pub(crate) fn check(text: &str) -> Result<(), String> {
    const FIELDS: [(&str, u32, u32); 5] = [
        ("minute", 0, 59),
        ("hour", 0, 23),
        ("day of month", 1, 31),
        ("month", 1, 12),
        ("day of week", 0, 7),
    ];
    let given: Vec<&str> = text.split(' ').filter(|f| !f.is_empty()).collect();
    if given.len() != FIELDS.len() {
        return Err(String::from(
            "five fields are expected: minute, hour, day of month, month, day of week, as in \"30 2 * * 1\"",
        ));
    }
    let mut values = Vec::new();
    for (field, (name, low, high)) in given.iter().zip(FIELDS) {
        let set = field_values(field, low, high).ok_or_else(|| {
            format!(
                "its {name} is not understood: *, numbers from {low} to {high}, ranges, lists and steps are taken"
            )
        })?;
        values.push(set);
    }
    let (days, months) = (values.get(2), values.get(3));
    if let (Some(days), Some(months), Some(&"*")) = (days, months, given.get(4)) {
        let longest = |month: &u32| match month {
            2 => 29,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let ever = months.iter().any(|m| days.iter().any(|d| *d <= longest(m)));
        if !ever {
            return Err(String::from("no month has that day"));
        }
    }
    Ok(())
}

fn field_values(field: &str, low: u32, high: u32) -> Option<Vec<u32>> {
    let mut out = Vec::new();
    for part in field.split(',') {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, Some(number(step)?)),
            None => (part, None),
        };
        let (from, to) = if range == "*" {
            (low, high)
        } else if let Some((from, to)) = range.split_once('-') {
            (number(from)?, number(to)?)
        } else {
            let n = number(range)?;
            (n, if step.is_some() { high } else { n })
        };
        let step = step.unwrap_or(1);
        if from < low || to > high || from > to || step == 0 || step > high {
            return None;
        }
        out.extend((from..=to).step_by(usize::try_from(step).ok()?));
    }
    Some(out)
}

fn number(text: &str) -> Option<u32> {
    let plain = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn schedules_are_read_strictly() {
        for good in [
            "* * * * *",
            "*/5 * * * *",
            "30 2 * * 1",
            "0 0 1,15 * *",
            "0 9-17/2 * 1-6 1-5",
            "0 0 29 2 *",
            "0 0 31 2 1",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for wrong in [
            "",
            "* * * *",
            "* * * * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * * 13 *",
            "* * * * 8",
            "*/0 * * * *",
            "5-1 * * * *",
            "a * * * *",
            "@daily",
            "* * * JAN *",
            "1,,2 * * * *",
            "-1 * * * *",
            "+1 * * * *",
            "0 0 31 2 *",
            "0 0 31 4,6 *",
            "1/ * * * *",
            "1;2 * * * *",
        ] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }
}
