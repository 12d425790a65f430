//! Reading an answer without a server: for the fuzz targets, and for looking at a recording.

use super::error::ModelError;
use super::types::{ChatReply, Delta};
use super::{ollama, openai};

/// In which form a server answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI-compatible: server-sent events, or one object.
    OpenAi,
    /// Ollama's own: a JSON object a line, or one object.
    Ollama,
}

/// Reads the body of an answer that came in these pieces, exactly as the client reads one from a server.
///
/// # Errors
/// What the client would report of such an answer.
pub fn read_answer<'a>(
    dialect: Dialect,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    on: &mut (dyn FnMut(Delta) + Send),
) -> Result<ChatReply, ModelError> {
    match dialect {
        Dialect::OpenAi => {
            let mut reader = openai::Reader::new("model", None);
            for piece in pieces {
                reader.push(piece, on)?;
                if reader.done() {
                    break;
                }
            }
            reader.end(on)
        }
        Dialect::Ollama => {
            let mut reader = ollama::Reader::new("model", None, true);
            for piece in pieces {
                reader.push(piece, on)?;
                if reader.done() {
                    break;
                }
            }
            reader.end(on)
        }
    }
}
