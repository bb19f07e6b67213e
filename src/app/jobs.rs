//! Work that may take time, on threads of its own: dialogs and files. Each reports back once.
use super::dialogs::Dialogs;
use super::done::Done;
use crate::files::import::profile::mapping::{
    Mapping, Remembered, Table, open_mapped, read_mapped, remembered,
};
use crate::files::import::profile::{self, ProfileError, ReadProfile};
use crate::files::import::{ImportError, model_file};
use crate::files::session_file::{self, OpenError};
use crate::files::{atomic, import, library};
use crate::model::gpu::Gpu;
use crate::model::ids::GpuId;
use crate::model::session::Session;
use crate::model::view::View;
use crate::ui::kernels::state::Origin;
use crate::ui::state::Purpose;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};

/// Jobs under way, and who answers "which file?".
pub struct Jobs {
    dialogs: Dialogs,
    sender: mpsc::Sender<Done>,
    receiver: mpsc::Receiver<Done>,
    /// What is shown while waiting, and how many jobs are waited for.
    working_on: Option<String>,
    running: usize,
    reading: Option<Reading>,
}

/// A profiler's file being read.
struct Reading {
    /// Bytes in the file; zero where that is not known.
    size: u64,
    done: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

impl Jobs {
    /// No jobs yet.
    pub fn new(dialogs: Dialogs) -> Self {
        let (sender, receiver) = mpsc::channel();
        Self {
            dialogs,
            sender,
            receiver,
            working_on: None,
            running: 0,
            reading: None,
        }
    }

    /// What has finished since.
    pub fn poll(&mut self) -> Vec<Done> {
        let done: Vec<_> = self.receiver.try_iter().collect();
        self.running = self.running.saturating_sub(done.len());
        if self.running == 0 {
            self.working_on = None;
            self.reading = None;
        }
        done
    }

    /// What is waited for, in words.
    pub fn working_on(&self) -> Option<&str> {
        self.working_on.as_deref()
    }

    /// How much of a profiler's file is read, 0–1.
    pub fn progress(&self) -> Option<f32> {
        let reading = self.reading.as_ref()?;
        let done = reading.done.load(Ordering::Relaxed) as f32;
        Some((done / reading.size.max(1) as f32).min(1.0))
    }

    /// Stops reading a profiler's file.
    pub fn cancel_reading(&self) {
        if let Some(reading) = &self.reading {
            reading.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whether something is waited for.
    pub fn busy(&self) -> bool {
        self.running > 0
    }

    /// Writes a session.
    pub fn save(&mut self, ctx: &egui::Context, path: PathBuf, session: Session, view: View) {
        self.spawn(ctx, named("Saving", &path), move || {
            let text = session_file::write(&session, &view);
            let written = atomic::write(&path, text.as_bytes()).map_err(|error| error.to_string());
            Done::Saved(written.map(|()| (path, Box::new(session))))
        });
    }

    /// Reads a session.
    pub fn open(&mut self, ctx: &egui::Context, path: PathBuf, mappings: Vec<Remembered>) {
        let watch = self.watch(&path);
        self.spawn(ctx, named("Opening", &path), move || {
            // A profile may be a gigabyte, which is not read as anything else first.
            if profile::is_of_a_profiler(&path) {
                return told(kernels(Origin::File(path), &mappings, &watch));
            }
            match session_file::open(&path) {
                Ok(loaded) => Done::Opened(Ok((path, Box::new(loaded)))),
                Err(error) => match model_file::open(&path) {
                    Some(read) => Done::Model(read.map_err(|error| error.to_string())),
                    None => devices(path, &error, &mappings, &watch),
                },
            }
        });
    }

    /// Reads measured kernels; of a table that was not seen before it is asked what its columns are.
    pub fn import(&mut self, ctx: &egui::Context, origin: Origin, mappings: Vec<Remembered>) {
        let watch = self.watch(origin.path());
        self.spawn(ctx, named("Reading", origin.path()), move || {
            told(kernels(origin, &mappings, &watch))
        });
    }

    /// Reads measured kernels of a table through a mapping of its columns.
    pub fn import_mapped(&mut self, ctx: &egui::Context, origin: Origin, mapping: Mapping) {
        let watch = self.watch(origin.path());
        self.spawn(ctx, named("Reading", origin.path()), move || {
            let read = mapped(&origin, &mapping, &watch);
            Done::Kernels(
                read.map(Box::new).map_err(|error| error.to_string()),
                origin,
            )
        });
    }

    /// Reads the beginning of a table, to ask what its columns are.
    pub fn read_table(&mut self, ctx: &egui::Context, origin: Origin, mappings: Vec<Remembered>) {
        self.spawn(ctx, named("Reading", origin.path()), move || {
            match table(&origin) {
                Some(table) => {
                    let as_before = remembered(&mappings, &table.columns).cloned();
                    Done::Table(Box::new(table), origin, as_before.map(Box::new))
                }
                None => {
                    let text = "the file is not there any more, or is no table any more";
                    Done::Kernels(Err(format!("{}: {text}", origin.label())), origin)
                }
            }
        });
    }

    /// What hears how far reading a file is, and says when to stop.
    fn watch(&mut self, path: &Path) -> impl Fn(u64) -> bool + use<> {
        let (done, stop) = (
            Arc::new(AtomicU64::new(0)),
            Arc::new(AtomicBool::new(false)),
        );
        self.reading = Some(Reading {
            size: std::fs::metadata(path).map_or(0, |file| file.len()),
            done: done.clone(),
            stop: stop.clone(),
        });
        move |read| {
            done.store(read, Ordering::Relaxed);
            !stop.load(Ordering::Relaxed)
        }
    }

    /// Reads the devices of a file, for their measured figures.
    pub fn read_achievable(&mut self, ctx: &egui::Context, path: PathBuf, gpu: GpuId) {
        self.spawn(ctx, named("Reading", &path), move || {
            let read = devices_of(&path).map_err(|error| error.to_string());
            Done::Achievable(gpu, read)
        });
    }

    /// Writes a figure that `draw` makes.
    pub fn export(
        &mut self,
        ctx: &egui::Context,
        path: PathBuf,
        draw: impl FnOnce() -> Result<Vec<u8>, String> + Send + 'static,
    ) {
        self.spawn(ctx, named("Exporting", &path), move || {
            let written = draw()
                .and_then(|bytes| atomic::write(&path, &bytes).map_err(|error| error.to_string()));
            Done::Exported(written.map(|()| path))
        });
    }

    /// Asks which file, with the system's dialog.
    pub fn pick(
        &mut self,
        ctx: &egui::Context,
        purpose: Purpose,
        beside: Option<&Path>,
        name: &str,
    ) {
        let ask = self.dialogs.ask(purpose, beside, name);
        self.spawn(ctx, "Waiting for the file dialog…".to_owned(), ask);
    }

    fn spawn(
        &mut self,
        ctx: &egui::Context,
        what: String,
        job: impl FnOnce() -> Done + Send + 'static,
    ) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let run = move || {
            // The window may be gone by now: then nobody waits for the answer.
            sender.send(job()).ok();
            ctx.request_repaint();
        };
        match std::thread::Builder::new().spawn(run) {
            Ok(_) => {
                self.running += 1;
                self.working_on = Some(what);
            }
            Err(error) => log::error!("cannot start a thread: {error}"),
        }
    }
}

/// What is done to a file, in words: `Reading trace.json…`.
fn named(what: &str, path: &Path) -> String {
    match path.file_name() {
        Some(name) => format!("{what} {}…", name.display()),
        None => format!("{what}…"),
    }
}

/// A file of devices, which is opened by adding them: one that somebody exported, or another program's.
fn devices(
    path: PathBuf,
    no_session: &OpenError,
    mappings: &[Remembered],
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Done {
    let no_device = match path.is_dir() {
        true => None,
        false => match devices_of(&path) {
            Ok((gpus, notices)) => return Done::Devices(gpus, notices),
            Err(error) => Some(error),
        },
    };
    let means_session = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("ron"));
    match (kernels(Origin::File(path), mappings, watch), no_device) {
        (Ok(done), _) => done,
        // What a session or a device has to say of it is nearer.
        (Err(_), _) if means_session => Done::Opened(Err(no_session.to_string())),
        (Err((ProfileError::Unknown { .. }, _)), Some(error)) if error.is_of_a_device() => {
            Done::Opened(Err(error.to_string()))
        }
        (Err((error, origin)), _) => Done::Kernels(Err(error.to_string()), origin),
    }
}

type Unread = (ProfileError, Origin);

/// The kernels of a file or text, or the table they are in; a table that is known is read as it was the last time.
fn kernels(
    origin: Origin,
    mappings: &[Remembered],
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Done, Unread> {
    let Some(table) = table(&origin).filter(|table| !table.is_known()) else {
        return match profile_of(&origin, watch) {
            Ok(read) => Ok(Done::Kernels(Ok(Box::new(read)), origin)),
            Err(error) => Err((error, origin)),
        };
    };
    let Some(mapping) = remembered(mappings, &table.columns) else {
        return Ok(Done::Table(Box::new(table), origin, None));
    };
    match mapped(&origin, mapping, watch) {
        Ok(read) => Ok(Done::Kernels(Ok(Box::new(read)), origin)),
        Err(error @ ProfileError::Cancelled { .. }) => Err((error, origin)),
        Err(_) => {
            let mapping = Box::new(mapping.clone());
            Ok(Done::Table(Box::new(table), origin, Some(mapping)))
        }
    }
}

fn told(done: Result<Done, Unread>) -> Done {
    done.unwrap_or_else(|(error, origin)| Done::Kernels(Err(error.to_string()), origin))
}

fn table(origin: &Origin) -> Option<Table> {
    match origin {
        Origin::File(path) => profile::table(path),
        Origin::Text(text) => profile::table_in(&mut text.as_bytes(), origin.label()),
    }
}

fn profile_of(
    origin: &Origin,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<ReadProfile, ProfileError> {
    match origin {
        Origin::File(path) => profile::open(path, watch),
        Origin::Text(text) => {
            let nothing = profile::Nothing;
            profile::read(&mut text.as_bytes(), origin.label(), &nothing, watch)
        }
    }
}

fn mapped(
    origin: &Origin,
    mapping: &Mapping,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<ReadProfile, ProfileError> {
    match origin {
        Origin::File(path) => open_mapped(path, watch, mapping),
        Origin::Text(text) => {
            let nothing = profile::Nothing;
            read_mapped(
                &mut text.as_bytes(),
                origin.label(),
                &nothing,
                watch,
                mapping,
            )
        }
    }
}

/// The devices of a file, and what is to be told of them.
fn devices_of(path: &Path) -> Result<(Vec<Gpu>, Vec<String>), ImportError> {
    if let Ok(gpu) = library::read(path) {
        return Ok((vec![gpu], Vec::new()));
    }
    let imported = import::open(path)?;
    let notices = imported.notices().cloned().collect();
    Ok((imported.gpus, notices))
}
