//! The HTTP port of modules that never leave the machine.

use kit::ports::{Fut, HttpError, HttpPort, HttpRequest, HttpResponse};

/// Reaches nothing.
pub struct Nothing;

impl HttpPort for Nothing {
    fn send<'a>(&'a self, _request: HttpRequest) -> Fut<'a, Result<HttpResponse, HttpError>> {
        Box::pin(async {
            Err(HttpError::HostRefused(
                "(this module reaches no host)".into(),
            ))
        })
    }
}
