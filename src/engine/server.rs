//! What a screen says about the model server before anything is asked.

use super::Engine;
use super::connect::ModelWish;
use crate::model::ModelClient;

/// The model server, as it answered just now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerLine {
    /// Model in use; `None`: the rules plan.
    pub model: Option<String>,
    /// Context window in tokens, where known.
    pub context: Option<u32>,
    /// The model runs on another machine.
    pub remote: bool,
    /// What is missing, with what to do about it.
    pub missing: Option<String>,
    /// Every model that the server offers.
    pub offered: Vec<String>,
    /// The server's address.
    pub base_url: Option<String>,
}

impl Engine {
    /// Looks for the model server and asks it what it offers. Sends no prompt.
    pub async fn server(&self, wish: &ModelWish) -> ServerLine {
        let mut line = ServerLine::default();
        if wish.no_model {
            return line;
        }
        let mut settings = self.config.model.clone();
        if wish.name.is_some() {
            settings.name.clone_from(&wish.name);
        }
        if settings.base_url.is_none() {
            match ModelClient::discover(&settings, &self.config.network).await {
                Some(found) => {
                    line.offered.clone_from(&found.models);
                    settings.base_url = Some(found.base_url);
                }
                None => {
                    line.missing = Some(
                        "no model server answers on this machine; rules choose the look-ups. Start one (ollama serve, llama-server) or set [model] base_url"
                            .to_owned(),
                    );
                    return line;
                }
            }
        }
        line.base_url.clone_from(&settings.base_url);
        let name = settings.api_key.as_deref().unwrap_or("model");
        let key = self.secrets.get(name).ok().flatten().map(|(k, _)| k);
        match ModelClient::connect(&settings, key, &self.config.network).await {
            Ok(client) => {
                let info = client.info();
                line.model = Some(info.model.clone());
                line.remote = info.remote;
                line.context = client.context();
                if let Ok(models) = client.list_models().await {
                    line.offered = models;
                }
            }
            Err(e) => {
                line.missing = Some(
                    self.redacted(&format!("{e}. {}", e.hint()))
                        .as_str()
                        .to_owned(),
                );
            }
        }
        line
    }
}
