//! Full-text search over narrative, evidence and indicators of all cases.

use super::error::StoreError;
use super::id::CaseId;
use super::list::case_id;
use super::{Reader, redacted, small};
use kit::principal::Principal;
use kit::text::Redacted;
use rusqlite::params;

/// Where a search hit. `snippet` and `title` are stored text: through `ScreenText` before printing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Case.
    pub case: CaseId,
    /// Its title.
    pub title: Redacted,
    /// `title`, `human`, `attachment`, `answer`, `proposal`, `evidence` or `indicator`.
    pub kind: String,
    /// The number of the turn, evidence or proposal; 0 for titles and indicators.
    pub n: u32,
    /// Some words around the hit.
    pub snippet: Redacted,
    /// Byte ranges of the hits in `snippet`, in order.
    pub matched: Vec<(usize, usize)>,
}

/// Marks that FTS5 puts around a hit; taken out again before the snippet leaves this file.
const OPEN: char = '\u{1}';
const CLOSE: char = '\u{2}';

impl Reader<'_> {
    /// Text that holds every word of `query` (a word matches the beginning of one; `evil.example.com`
    /// matches as a whole), best first, at most 100. Nothing in `query` is syntax. Without deleted cases
    /// and those that the principal may not read. Of one evidence the first MiB is searched.
    ///
    /// # Errors
    /// The database failed.
    pub fn search(&self, query: &str, principal: &Principal) -> Result<Vec<Hit>, StoreError> {
        let Some(query) = fts_query(query) else {
            return Ok(Vec::new());
        };
        let owner = (!principal.reads_all_cases()).then_some(principal.name.as_str());
        let mut statement = self.conn.prepare_cached(
            "SELECT c.id, s.title, f.kind, f.n, snippet(search, 0, char(1), char(2), '…', 16)
             FROM search f JOIN cases c ON c.key = f.case_key JOIN summaries s ON s.case_key = c.key
             WHERE search MATCH ?1 AND s.deleted = 0 AND (?2 IS NULL OR c.principal = ?2)
             ORDER BY f.rank LIMIT 100",
        )?;
        let mut rows = statement.query(params![query, owner])?;
        let mut hits = Vec::new();
        while let Some(r) = rows.next()? {
            let (snippet, matched) = unmark(&r.get::<_, String>(4)?);
            hits.push(Hit {
                case: case_id(&r.get::<_, String>(0)?)?,
                title: redacted(r.get(1)?),
                kind: r.get(2)?,
                n: small(r.get(3)?),
                snippet: redacted(snippet),
                matched,
            });
        }
        Ok(hits)
    }
}

/// Every word as a quoted string of FTS5, so that nothing in it is an operator. Defanged values are
/// searched in the form in which indicators are stored.
fn fts_query(query: &str) -> Option<String> {
    let words: Vec<String> = query
        .split_whitespace()
        .take(32)
        .map(kit::refang::refang)
        .map(|w| {
            w.chars()
                .filter(|c| *c != '"' && *c != '\0')
                .collect::<String>()
        })
        .filter(|w| w.chars().any(char::is_alphanumeric))
        .map(|w| format!("\"{w}\"*"))
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn unmark(text: &str) -> (String, Vec<(usize, usize)>) {
    let mut plain = String::with_capacity(text.len());
    let mut matched = Vec::new();
    let mut open = None;
    for c in text.chars() {
        match c {
            OPEN => open = Some(plain.len()),
            CLOSE => {
                if let Some(start) = open.take() {
                    matched.push((start, plain.len()));
                }
            }
            _ => plain.push(c),
        }
    }
    (plain, matched)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_and_operators_are_words() {
        assert_eq!(
            fts_query("evil.com OR \"x\" NEAR(").as_deref(),
            Some("\"evil.com\"* \"OR\"* \"x\"* \"NEAR(\"*")
        );
        assert_eq!(fts_query(" \"*\" - "), None);
    }

    #[test]
    fn marks_become_ranges() {
        let (text, ranges) = unmark("a \u{1}bcd\u{2} e\u{2}");
        assert_eq!(text, "a bcd e");
        assert_eq!(ranges, vec![(2, 5)]);
    }
}
