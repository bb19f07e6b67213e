//! Language models: from a `config.json`, from how one is quantised, or built in.
use super::App;
use crate::files::import::hf_config::{self, ImportedModel};
use crate::files::import::model_file::{Incomplete, ModelFile};
use crate::files::presets;
use crate::model::llm::{Architecture, Formats, Serving};
use crate::model::session::Workload;
use crate::model::workload::Kind;
use crate::ui::state::{Dialog, ModelRead};

impl App {
    pub(super) fn add_model(&mut self, file: ModelFile) {
        match file {
            ModelFile::Config(model) => {
                self.add_served(model.architecture.clone(), model.formats.clone());
                self.tell_of_model(*model);
            }
            ModelFile::Incomplete(config) => {
                self.state.dialog = Some(Dialog::CompleteModel(Box::new(config)));
            }
            ModelFile::Quantisation(text) => self.quantise(&text),
        }
    }

    /// Reads a config again, with what was missing answered.
    pub(super) fn complete_model(&mut self, config: &Incomplete) {
        match config.read() {
            Ok(file) => self.add_model(file),
            Err(error) => self.state.complain(format!("Not opened: {error}")),
        }
    }

    /// Puts the selected language model, wherever it came from, into the formats of a quantisation.
    fn quantise(&mut self, quantisation: &str) {
        let (session, view) = (&mut self.document.session, &self.document.view);
        let selected = view.selected.and_then(|id| session.workload_mut(id));
        let Some(Kind::LanguageModel(serving)) = selected.map(|workload| &mut workload.kind) else {
            self.state.complain(
                "This file says only how a model is quantised: select the language model it belongs to, then open it again.",
            );
            return;
        };
        match hf_config::quantise(quantisation, &serving.model, &serving.formats) {
            Ok(model) => {
                serving.formats = model.formats.clone();
                self.tell_of_model(model);
            }
            Err(error) => self.state.complain(format!("Not opened: {error}")),
        }
    }

    /// Adds a decode step of a model and selects it.
    fn add_served(&mut self, architecture: Architecture, formats: Formats) {
        let (session, view) = (&mut self.document.session, &mut self.document.view);
        let name = format!("{}, decode", architecture.name);
        let kind = Kind::LanguageModel(Serving::new(architecture, formats));
        let id = session.add_workload(Workload::new(name, kind), view.selected);
        view.select(Some(id));
    }

    fn tell_of_model(&mut self, model: ImportedModel) {
        self.state.dialog = Some(Dialog::ModelRead(Box::new(ModelRead {
            name: model.architecture.name,
            read: model.read,
            assumed: model.assumed,
            ignored: model.ignored,
            warnings: model.warnings,
        })));
    }

    pub(super) fn add_model_preset(&mut self, id: &str) {
        match presets::model(id) {
            Some(Ok(preset)) => self.add_served(preset.architecture, preset.formats),
            Some(Err(error)) => self.state.complain(error.to_string()),
            None => self
                .state
                .complain(format!("No built-in model is called {id:?}.")),
        }
    }
}
