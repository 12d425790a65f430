//! Markdown of an answer in words for a screen reader: no stars, no rules, tables as records.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The text without its markup. Tables become one line a row, `head: cell; head: cell`.
#[must_use]
pub fn render(text: &str) -> String {
    let mut r = Renderer::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        r.event(event);
    }
    r.line();
    let mut out = r.out;
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out.join("\n")
}

#[derive(Default)]
struct Renderer {
    out: Vec<String>,
    open: String,
    /// Next number of each open list; none: bullets.
    lists: Vec<Option<u64>>,
    /// Mark of the item that begins.
    mark: Option<String>,
    head: Vec<String>,
    row: Vec<String>,
    in_head: bool,
    link: Option<String>,
    code: bool,
}

impl Renderer {
    fn line(&mut self) {
        let open = std::mem::take(&mut self.open);
        if !open.trim().is_empty() || self.mark.is_some() {
            let depth = self.lists.len().saturating_sub(1);
            let mark = self.mark.take().unwrap_or_default();
            for (i, l) in open.lines().enumerate() {
                let mark = if i == 0 { mark.as_str() } else { "" };
                self.out.push(format!("{}{mark}{l}", "  ".repeat(depth)));
            }
        }
    }

    fn gap(&mut self) {
        self.line();
        if self.lists.is_empty() && self.out.last().is_some_and(|l| !l.is_empty()) {
            self.out.push(String::new());
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(t) if self.code => {
                for l in t.lines() {
                    self.out.push(format!("    {l}"));
                }
            }
            Event::Text(t) | Event::Code(t) | Event::Html(t) | Event::InlineHtml(t) => {
                self.open.push_str(&t);
            }
            Event::SoftBreak => self.open.push(' '),
            Event::HardBreak => self.open.push('\n'),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::List(first) => {
                self.line();
                self.lists.push(first);
            }
            Tag::Item => {
                self.line();
                self.mark = Some(match self.lists.last_mut() {
                    Some(Some(n)) => {
                        let mark = format!("{n}. ");
                        *n += 1;
                        mark
                    }
                    _ => "- ".to_owned(),
                });
            }
            Tag::CodeBlock(_) => {
                self.line();
                self.code = true;
            }
            Tag::Link { dest_url, .. } => self.link = Some(dest_url.to_string()),
            Tag::TableHead => {
                self.in_head = true;
                self.head.clear();
            }
            Tag::TableRow => self.row.clear(),
            Tag::TableCell => self.open.clear(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::BlockQuote(_) => self.gap(),
            TagEnd::Item => self.line(),
            TagEnd::List(_) => {
                self.line();
                self.lists.pop();
                self.gap();
            }
            TagEnd::CodeBlock => {
                self.code = false;
                self.gap();
            }
            TagEnd::Link => {
                // A link that says one thing and leads to another is said in full.
                if let Some(to) = self.link.take().filter(|to| !self.open.ends_with(to)) {
                    self.open.push_str(&format!(" ({to})"));
                }
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.open).trim().to_owned();
                if self.in_head {
                    self.head.push(cell);
                } else {
                    self.row.push(cell);
                }
            }
            TagEnd::TableHead => self.in_head = false,
            TagEnd::TableRow => {
                let cells: Vec<String> = self
                    .row
                    .iter()
                    .enumerate()
                    .filter(|(_, c)| !c.is_empty())
                    .map(|(i, c)| match self.head.get(i).filter(|h| !h.is_empty()) {
                        Some(h) => format!("{h}: {c}"),
                        None => c.clone(),
                    })
                    .collect();
                self.out.push(cells.join("; "));
            }
            TagEnd::Table => self.gap(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn markup_is_not_read_aloud() {
        let text = "# Head\n\nIt is **bad**, see `x`.\n\n- one\n- two\n  1. deep\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | |\n\n```\ncode\n```\n\n[here](http://203.0.113.7/)";
        assert_eq!(
            render(text),
            "Head\n\nIt is bad, see x.\n\n- one\n- two\n  1. deep\n\na: 1; b: 2\na: 3\n\n    code\n\nhere (http://203.0.113.7/)"
        );
    }
}
