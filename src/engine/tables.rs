//! Tables in an answer: Markdown tables, and blocks of code marked as CSV. They hold what a model wrote; what
//! the database holds comes from an export.

use super::reports::{Csv, csv_rows};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::io::{self, Write};

/// A table of an answer, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerTable {
    /// Heads of the columns.
    pub head: Vec<String>,
    /// Rows, each with as many cells as there are heads or as it has.
    pub rows: Vec<Vec<String>>,
}

/// The tables of an answer, in their order.
#[must_use]
pub fn of(answer: &str) -> Vec<AnswerTable> {
    let mut found = Vec::new();
    let mut table: Option<AnswerTable> = None;
    let mut row: Vec<String> = Vec::new();
    let mut cell: Option<String> = None;
    let mut csv: Option<String> = None;
    for event in Parser::new_ext(answer, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Table(_)) => table = Some(AnswerTable::default()),
            Event::Start(Tag::TableHead | Tag::TableRow) => row.clear(),
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info)))
                if info.trim().eq_ignore_ascii_case("csv") =>
            {
                csv = Some(String::new());
            }
            Event::End(TagEnd::TableCell) => row.extend(cell.take()),
            Event::End(TagEnd::TableHead) => {
                if let Some(table) = &mut table {
                    table.head = std::mem::take(&mut row);
                }
            }
            Event::End(TagEnd::TableRow) => {
                if let Some(table) = &mut table {
                    table.rows.push(std::mem::take(&mut row));
                }
            }
            Event::End(TagEnd::Table) => found.extend(table.take()),
            Event::End(TagEnd::CodeBlock) => {
                if let Some(text) = csv.take() {
                    let (head, rows) = csv_rows(&text);
                    if !head.is_empty() {
                        found.push(AnswerTable { head, rows });
                    }
                }
            }
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                if let Some(csv) = &mut csv {
                    csv.push_str(&text);
                } else if let Some(cell) = &mut cell {
                    cell.push_str(&text);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(cell) = &mut cell {
                    cell.push(' ');
                }
            }
            _ => {}
        }
    }
    found
}

/// Writes a table as CSV; cells that a spreadsheet would run begin with an apostrophe.
///
/// # Errors
/// The output's.
pub fn write(table: &AnswerTable, out: &mut dyn Write) -> io::Result<()> {
    let mut csv = Csv::new(out, &table.head)?;
    for row in &table.rows {
        // As many cells as heads: a short row would shift nothing, but no reader likes it.
        let cells =
            (0..table.head.len().max(row.len())).map(|at| row.get(at).map_or("", String::as_str));
        csv.row(cells)?;
    }
    csv.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|t| (*t).to_owned()).collect()
    }

    #[test]
    fn tables_and_csv_blocks_are_found() {
        let answer = "Two devices:\n\n| device | `os` |\n|---|---|\n| d-1 **web** | =1+1 |\n| d-2 |\n\nand\n\n```csv\nname,count\n\"a, b\",2\n```\n\n```sh\nno,table\n```\n";
        let found = of(answer);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].head, words(&["device", "os"]));
        assert_eq!(
            found[0].rows,
            [words(&["d-1 web", "=1+1"]), words(&["d-2", ""])]
        );
        assert_eq!(found[1].head, words(&["name", "count"]));
        assert_eq!(found[1].rows, [words(&["a, b", "2"])]);
    }

    #[test]
    fn an_answer_without_a_table_has_none() {
        assert_eq!(of("No table | here.\n\n    | a |\n    |---|\n"), []);
        assert_eq!(of("```csv\n```\n"), []);
    }
}
