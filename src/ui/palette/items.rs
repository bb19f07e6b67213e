//! What the palette offers: commands, what is in the session, kinds of workload, presets, recent files.
use crate::document::Document;
use crate::files::presets;
use crate::files::session_file;
use crate::files::settings::Settings;
use crate::model::gpu::Gpu;
use crate::model::session::Workload;
use crate::model::workload::Kind;
use crate::ui::command::{COMMANDS, Command, is_on, name_now, unavailable};
use crate::ui::dialogs::picker;
use crate::ui::request::Request;
use egui::KeyboardShortcut;

/// One line of the palette.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What it is remembered by, whatever its name says at the moment.
    pub key: String,
    pub name: String,
    /// A few words after the name.
    pub about: String,
    /// What sort of thing it is: `command`, `GPU preset`.
    pub sort: &'static str,
    pub keys: Option<KeyboardShortcut>,
    /// Further words it is found by.
    pub words: String,
    pub request: Request,
    /// Why it cannot be used now.
    pub unavailable: Option<&'static str>,
}

impl Item {
    fn new(sort: &'static str, name: &str, about: String, words: &str, request: Request) -> Self {
        Self {
            key: format!("{sort}: {name}"),
            name: name.to_owned(),
            words: format!("{sort} {words} {about}"),
            about,
            sort,
            keys: None,
            request,
            unavailable: None,
        }
    }
}

/// Everything there is, commands first.
pub(super) fn all(
    document: &Document,
    settings: &Settings,
    dark: bool,
    own: Vec<Gpu>,
) -> Vec<Item> {
    let mut items: Vec<_> = COMMANDS
        .iter()
        .filter(|entry| entry.command != Command::Palette)
        .map(|entry| command(entry.command, document, settings, dark))
        .collect();
    items.extend(of_session(document));
    items.extend(
        Kind::by_category()
            .into_iter()
            .flat_map(|(category, kinds)| {
                kinds
                    .into_iter()
                    .map(move |kind| new_workload(category, kind))
            }),
    );
    items.extend(devices(own));
    items.extend(models_and_sessions());
    items.extend(settings.recent.iter().map(|path| {
        let name = path
            .file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy();
        let about = path.display().to_string();
        Item::new(
            "recent file",
            &name,
            about,
            "open",
            Request::Open(path.clone()),
        )
    }));
    items
}

fn command(command: Command, document: &Document, settings: &Settings, dark: bool) -> Item {
    let entry = command.entry();
    let name = name_now(command, document);
    let on = is_on(command, document, settings, dark);
    let about = entry.tooltip.to_owned();
    let item = Item::new(
        "command",
        entry.name,
        about,
        entry.menu.name(),
        Request::Do(command),
    );
    Item {
        name: if on { format!("{name} ●") } else { name },
        keys: entry.shortcut,
        unavailable: unavailable(command, document),
        ..item
    }
}

fn of_session(document: &Document) -> Vec<Item> {
    let (session, view) = (&document.session, &document.view);
    let workloads = session.workloads.iter().map(|workload| {
        let title = workload.kind.title().to_owned();
        let select = Request::Select(workload.id);
        let here = view.selected == Some(workload.id);
        let item = Item::new("workload", &workload.name, title, "select", select);
        Item {
            unavailable: here.then_some("it is selected"),
            ..item
        }
    });
    let gpus = session.gpus.iter().map(|gpu| {
        let about = "of this session".to_owned();
        let here = view.active == Some(gpu.id);
        let item = Item::new(
            "GPU",
            &gpu.name,
            about,
            "activate",
            Request::Activate(gpu.id),
        );
        Item {
            unavailable: here.then_some("it is the active one"),
            ..item
        }
    });
    let views = session.views.iter().map(|saved| {
        let show = Request::ShowView(saved.id);
        Item::new("view", &saved.title, saved.caption.clone(), "show", show)
    });
    workloads.chain(gpus).chain(views).collect()
}

fn new_workload(category: &str, kind: Kind) -> Item {
    let title = kind.title();
    let workload = Workload::new(title, kind);
    let request = Request::AddWorkload(Box::new(workload));
    Item::new("new workload", title, category.to_owned(), "add", request)
}

fn devices(own: Vec<Gpu>) -> impl Iterator<Item = Item> {
    let own = own.into_iter().map(|gpu| {
        let name = gpu.name.clone();
        let about = "add it to the session".to_owned();
        Item::new(
            "your device",
            &name,
            about,
            "add GPU",
            Request::AddGpu(Box::new(gpu)),
        )
    });
    let built_in = presets::all_gpus().into_iter().map(|device| {
        let request = Request::AddGpuPreset(device.id.to_owned());
        let words = format!("add {}", device.keywords);
        Item::new(
            "GPU preset",
            &device.gpu.name,
            picker::about(&device),
            &words,
            request,
        )
    });
    own.chain(built_in)
}

fn models_and_sessions() -> impl Iterator<Item = Item> {
    let models = presets::all_models().into_iter().map(|model| {
        let request = Request::AddModelPreset(model.id.to_owned());
        let words = format!("add {}", model.keywords);
        let about = format!("{} · {}", model.vendor, model.year);
        Item::new(
            "language model",
            &model.architecture.name,
            about,
            &words,
            request,
        )
    });
    let sessions = presets::sessions().iter().map(|preset| {
        let title = session_file::read(preset.text).map(|read| read.session.title);
        let title = title.unwrap_or_else(|_| preset.id.to_owned());
        let request = Request::OpenExample(preset.id.to_owned());
        Item::new(
            match presets::lessons()
                .iter()
                .any(|lesson| lesson.id == preset.id)
            {
                true => "lesson",
                false => "example",
            },
            &title,
            format!("@{}", preset.id),
            "open session",
            request,
        )
    });
    models.chain(sessions)
}
