//! Devices from files: added to the session, or their measured figures put beside the peaks of one.
use super::App;
use crate::model::achievable::described;
use crate::model::gpu::Gpu;
use crate::model::ids::GpuId;
use crate::model::plausibility::About;
use crate::ui::state::Purpose;
use egui::Context;
use std::path::PathBuf;

impl App {
    pub(super) fn add_devices(&mut self, gpus: Vec<Gpu>, notices: Vec<String>) {
        let (session, view) = (&mut self.document.session, &mut self.document.view);
        let here = view.active.is_some();
        let measured = gpus.iter().any(Gpu::has_measured_figures);
        let mut added = Vec::new();
        for gpu in gpus {
            let id = session.add_gpu(gpu, view.active);
            view.active = Some(id);
            added.push(id);
        }
        for notice in notices {
            self.state.tell(notice);
        }
        self.tell_doubts(added);
        if here && measured {
            self.state.tell(
                "To put these figures beside another GPU's peaks instead, make that GPU the active one and use \
                 Edit, Achievable figures from a file (Ctrl+I).",
            );
        }
    }

    /// Says which peaks that came from outside are likely not what they are taken for.
    pub(super) fn tell_doubts(&mut self, gpus: Vec<GpuId>) {
        let published = &self.derived.published;
        for id in gpus {
            let Some(gpu) = self.document.session.gpu(id) else {
                continue;
            };
            for doubt in gpu.doubts(published) {
                if matches!(doubt.about, About::Peak(_)) {
                    self.state.tell(format!("{}: {doubt}", gpu.name));
                }
            }
        }
    }

    pub(super) fn pick_achievable(&mut self, ctx: &Context) {
        match self.document.view.active {
            Some(_) => self.pick(ctx, Purpose::Achievable),
            None => self
                .state
                .complain("There is no GPU to put figures beside: add one first."),
        }
    }

    pub(super) fn read_achievable(&mut self, ctx: &Context, path: PathBuf) {
        if let Some(gpu) = self.document.view.active {
            self.jobs.read_achievable(ctx, path, gpu);
        }
    }

    /// Takes the figures of the device of the same name, else of the first.
    pub(super) fn take_achievable(
        &mut self,
        id: GpuId,
        read: Result<(Vec<Gpu>, Vec<String>), String>,
    ) {
        let (devices, notices) = match read {
            Ok(read) => read,
            Err(error) => return self.state.complain(format!("Not read: {error}")),
        };
        // The GPU may be gone since.
        let Some(gpu) = self.document.session.gpu_mut(id) else {
            return;
        };
        let Some(device) = described(gpu, &devices) else {
            return;
        };
        let merged = gpu.take_achievable(device);
        let told = merged.told(gpu, device, devices.len());
        match merged.taken.is_empty() {
            true => self.state.complain(told),
            false => self.state.tell(told),
        }
        for notice in notices {
            self.state.tell(notice);
        }
    }
}
