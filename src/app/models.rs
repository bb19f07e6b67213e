//! Language models: from a `config.json`, from how one is quantised, or built in.
use super::App;
use crate::files::import::hf_config::ImportedModel;
use crate::files::import::model_file::{self, Incomplete, ModelFile};
use crate::files::presets;
use crate::model::ids::WorkloadId;
use crate::model::llm::{Architecture, Formats, Serving};
use crate::model::session::Workload;
use crate::model::workload::Kind;
use crate::ui::state::{Dialog, ModelRead};

/// The config read last: what a quantisation that is opened later belongs to.
pub struct LastConfig {
    workload: WorkloadId,
    text: String,
    name: String,
}

impl App {
    pub(super) fn add_model(&mut self, file: ModelFile) {
        match file {
            ModelFile::Config { model, text, name } => {
                let workload = self.add_served(model.architecture.clone(), model.formats.clone());
                self.last_config = Some(LastConfig {
                    workload,
                    text,
                    name,
                });
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

    /// Reads the config opened last again, now with its quantisation.
    fn quantise(&mut self, quantisation: &str) {
        let Some(last) = &self.last_config else {
            self.state.complain(
                "This file says only how a model is quantised: open the model's config.json first, or put both in one folder.",
            );
            return;
        };
        if self.document.view.selected != Some(last.workload) {
            self.state.complain(
                "This file says only how a model is quantised: select the model whose config.json was opened last, then open it again.",
            );
            return;
        }
        let read = model_file::read(last.text.clone(), Some(quantisation), &last.name);
        let workload = self.document.session.workload_mut(last.workload);
        match (read, workload.map(|workload| &mut workload.kind)) {
            (Ok(ModelFile::Config { model, .. }), Some(Kind::LanguageModel(serving))) => {
                serving.formats = model.formats.clone();
                self.tell_of_model(*model);
            }
            (Err(error), _) => self.state.complain(format!("Not opened: {error}")),
            _ => self.state.complain(
                "The model this quantisation would belong to is gone: open its config.json again.",
            ),
        }
    }

    /// Adds a decode step of a model and selects it.
    fn add_served(&mut self, architecture: Architecture, formats: Formats) -> WorkloadId {
        let (session, view) = (&mut self.document.session, &mut self.document.view);
        let name = format!("{}, decode", architecture.name);
        let kind = Kind::LanguageModel(Serving::new(architecture, formats));
        let id = session.add_workload(Workload::new(name, kind), view.selected);
        view.select(Some(id));
        id
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
            Some(Ok(preset)) => {
                self.add_served(preset.architecture, preset.formats);
            }
            Some(Err(error)) => self.state.complain(error.to_string()),
            None => self
                .state
                .complain(format!("No built-in model is called {id:?}.")),
        }
    }
}
