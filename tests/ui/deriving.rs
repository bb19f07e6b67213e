//! Roofs derived in the editor, what a device is built of, and measured figures put beside its peaks.
use crate::world::*;
use eframe::egui::{Key, accesskit::Role};
use ridgepoint::app::Dialogs;
use ridgepoint::document::Document;
use ridgepoint::files::{presets, session_file};
use ridgepoint::model::cost::Level;
use ridgepoint::model::gpu::{Basis, Gpu};
use ridgepoint::model::session::Session;
use ridgepoint::model::view::View;
use std::path::PathBuf;

fn with(ids: &[&str]) -> Start {
    let mut session = Session::empty("Devices");
    for id in ids {
        session.add_gpu(presets::gpu(id).unwrap().unwrap().gpu, None);
    }
    let view = View::of(&session);
    let mut start = start_with(session, view);
    // High enough for the whole editor.
    start.size = [1440.0, 1500.0];
    start
}

fn gpu(world: &World) -> &Gpu {
    &world.session().gpus[0]
}

fn bf16(world: &World) -> &ridgepoint::model::gpu::ComputeRoof {
    gpu(world)
        .compute_roof("BF16 matrix".parse().unwrap())
        .unwrap()
}

#[test]
fn a_peak_is_derived_from_what_the_device_knows() {
    let mut world = with(&["amd-mi300x"]).world();
    world.click_button("Derive BF16 matrix");
    world.expect("Derive BF16 matrix peak of MI300X");
    let factors = ["Compute units", "FLOP per clock", "Clock"];
    assert_eq!(factors.map(|f| world.field(f)), ["304", "2048", "2.1 GHz"]);
    world.expect("304 × 2048 × 2.1 GHz = 1.307 PFLOP/s");
    world.expect("now 1.307 PFLOP/s, theoretical");
    world.expect("AMD ROCm documentation");
    // Nothing is changed before it is used.
    world.type_into("Clock", "1.4 GHz");
    world.expect("304 × 2048 × 1.4 GHz = 871.6 TFLOP/s");
    assert!(!world.document().is_dirty());
    world.click_button("Use this number");
    let roof = bf16(&world);
    assert_eq!(roof.peak.value.get(), 304.0 * 2048.0 * 1.4e9);
    assert_eq!(roof.peak.basis, Basis::Own);
    world.expect("= 304 × 2048 × 1.4 GHz");
    assert_eq!(world.undo_name(), "edit peak of MI300X");
    assert_eq!(world.steps(), 1);
    world.click_button("Reset BF16 matrix");
    assert!(!world.document().is_dirty());
    assert!(!world.sees("= 304 × 2048 × 1.4 GHz"));
}

#[test]
fn deriving_works_by_keyboard_alone_and_escape_changes_nothing() {
    let mut world = with(&["amd-mi300x"]).world();
    let before = world.session().clone();
    let open = |world: &mut World| {
        world.focus(Role::Button, "Derive BF16 matrix");
        world.press(NONE, Key::Enter);
    };
    open(&mut world);
    assert_eq!(world.focused().as_deref(), Some("Compute units"));
    world.press(NONE, Key::Escape);
    assert!(!world.has(Role::TextInput, "FLOP per clock"));
    open(&mut world);
    world.press(NONE, Key::Tab);
    assert_eq!(world.focused().as_deref(), Some("FLOP per clock"));
    world.press(NONE, Key::Tab);
    assert_eq!(world.focused().as_deref(), Some("Clock"));
    world.press(CTRL, Key::A);
    world.text("fast");
    world.expect("Clock: \"fast\" cannot be read: write a clock such as 2.1 GHz");
    world.press(NONE, Key::Enter);
    assert_eq!(*world.session(), before, "what cannot be read is used");
    world.click(Role::TextInput, "Clock");
    world.press(CTRL, Key::A);
    world.text("1 GHz");
    world.press(NONE, Key::Enter);
    assert_eq!(bf16(&world).peak.value.get(), 304.0 * 2048.0 * 1e9);
    assert!(!world.has(Role::TextInput, "FLOP per clock"));
}

#[test]
fn a_cache_without_a_published_bandwidth_offers_to_be_derived() {
    let mut world = with(&["nvidia-t4"]).world();
    world.expect("L2, 4 MiB");
    world.click_button("Derive L2");
    world.expect("Bytes per clock is not known: write bytes such as 128 B");
    world.expect("no bandwidth yet");
    world.type_into("Bytes per clock", "1024 B");
    world.expect("1 × 1024 B × 1.59 GHz = 1.628 TB/s");
    world.click_button("Use this number");
    let roof = gpu(&world).memory_roof(Level::L2).unwrap();
    assert_eq!(roof.bandwidth.value.get(), 1024.0 * 1.59e9);
    assert!(!world.sees("L2, 4 MiB"));
    assert_eq!(world.undo_name(), "edit bandwidth of T4");
    world.press(CTRL, Key::Z);
    world.expect("L2, 4 MiB");
}

#[test]
fn a_bandwidth_is_derived_from_the_bus_and_a_link_from_its_lanes() {
    let mut world = with(&["amd-mi300x"]).world();
    world.click_button("Derive DRAM");
    world.type_into("Bus width", "8192");
    world.type_into("Memory clock", "2.6 GHz");
    world.expect("8192 bit × 2.6 GHz × 2 = 5.325 TB/s");
    world.click_button("Use this number");
    let dram = gpu(&world).memory_roof(Level::Dram).unwrap();
    assert_eq!(dram.bandwidth.value.get(), 8192.0 / 8.0 * 2.6e9 * 2.0);
    world.click_button("Derive scale-up link");
    assert_eq!(world.field("Links"), "7");
    world.expect("7 × 64 GB/s = 448 GB/s");
    world.click_button("Cancel");
}

#[test]
fn a_link_says_that_it_is_per_direction_and_what_one_peer_gets() {
    let mut world = with(&["amd-mi300x"]).world();
    world.expect("per direction, all lanes or links together");
    world.expect("per direction, aggregate over 7 links of 64 GB/s; to one peer 1 link, 64 GB/s");
    let parts = world.name_of(Role::DisclosureTriangle, "Parts: ");
    assert_eq!(parts, "Parts: 304 units · 2.1 GHz");
    world.click(Role::DisclosureTriangle, &parts);
    world.enter("Links per peer", "2");
    world.expect("to one peer 2 links, 128 GB/s");
    assert_eq!(world.undo_name(), "edit bandwidth of MI300X");
}

#[test]
fn parts_are_edited_marked_and_reset() {
    let mut world = with(&["nvidia-h100-sxm"]).world();
    let parts = world.name_of(Role::DisclosureTriangle, "Parts: ");
    world.click(Role::DisclosureTriangle, &parts);
    world.reach(Role::TextInput, "L2 size");
    assert_eq!(world.field("L2 size"), "50 MiB");
    world.enter("Clock", "1.755 GHz");
    let clock = gpu(&world).parts.clock.clone().unwrap();
    assert_eq!((clock.value.get(), clock.basis), (1.755e9, Basis::Own));
    assert_eq!(world.undo_name(), "edit parts of H100 SXM");
    world.click_button("Reset Clock");
    assert!(!world.document().is_dirty());
    world.enter("LLC size", "64 MiB");
    world.expect("LLC, 64 MiB");
    world.enter("LLC size", "");
    assert!(!world.document().is_dirty());
}

fn sample(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/import")).join(name)
}

#[test]
fn achievable_figures_of_a_file_go_beside_the_peaks_of_the_active_gpu() {
    let mut start = with(&["amd-mi300x"]);
    let session = &start.document.session;
    let (mut session, view) = (session.clone(), start.document.view.clone());
    let mut roofs = session.gpus[0].compute.iter_mut();
    let bf16_matrix = roofs.find(|roof| roof.path.to_string() == "BF16 matrix");
    bf16_matrix.unwrap().achievable = None;
    start.document = Document::new(session, view, None);
    start.dialogs = Dialogs::Scripted(vec![sample("arch_mi300x.json")]);
    let mut world = start.world();
    world.menu("Edit", "Achievable figures from a file…");
    world.wait(|world| world.sees("MI300X has achievable figures now: "));
    world.expect("it has no roof of FP16 vector, BF16 vector; kept, being better known: DRAM");
    assert_eq!(world.session().gpus.len(), 1);
    let roof = bf16(&world);
    assert_eq!(roof.peak.value.get(), 1307.4e12);
    assert_eq!(roof.achievable.as_ref().unwrap().value.get(), 708e12);
    assert_eq!(world.undo_name(), "edit peak of MI300X");
    assert_eq!(world.steps(), 1);
}

#[test]
fn a_file_of_no_use_changes_nothing_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("a.txt");
    std::fs::write(&text, "hello").unwrap();
    let declared = sample("hardware_config.json");
    for (path, reason) in [(text, "Not read: "), (declared, "is unchanged")] {
        let mut start = with(&["amd-mi300x"]);
        start.dialogs = Dialogs::Scripted(vec![path]);
        let mut world = start.world();
        world.press(CTRL, Key::I);
        world.wait(|world| world.sees(reason));
        assert!(!world.document().is_dirty());
    }
    let mut world = empty().world();
    world.press(CTRL, Key::I);
    world.expect("There is no GPU to put figures beside");
}

#[test]
fn opening_measured_figures_says_how_to_put_them_beside_peaks() {
    let mut start = with(&["amd-mi300x"]);
    start.dialogs = Dialogs::Scripted(vec![sample("arch_mi300x.json")]);
    let mut world = start.world();
    world.press(CTRL, Key::O);
    world.wait(|world| world.session().gpus.len() == 2);
    world.expect("Achievable figures from a file (Ctrl+I)");
    assert!(
        !world.sees("usually 1 or 2"),
        "measured figures are doubted as peaks"
    );
}

#[test]
fn the_built_in_path_dialog_reads_figures_too() {
    let mut start = with(&["amd-mi300x"]);
    start.dialogs = Dialogs::BuiltIn;
    let mut world = start.world();
    world.press(CTRL, Key::I);
    world.wait(|world| world.has(Role::TextInput, "Path"));
    world.expect("Achievable figures from a device's file");
    world.type_into("Path", "/no/such/file");
    world.press(NONE, Key::Enter);
    world.expect("There is no file at /no/such/file.");
    world.type_into("Path", sample("arch_mi300x.json").to_str().unwrap());
    world.press(NONE, Key::Enter);
    world.wait(|world| world.sees("MI300X has achievable figures now: "));
}

#[test]
fn a_session_with_derived_roofs_and_parts_reads_back_equal() {
    let mut world = with(&["nvidia-h100-sxm"]).world();
    world.click_button("Derive BF16 matrix");
    world.type_into("Clock", "1.5 GHz");
    world.press(NONE, Key::Enter);
    let (session, view) = (world.session().clone(), world.document().view.clone());
    let text = session_file::write(&session, &view);
    let loaded = session_file::read(&text).unwrap();
    assert_eq!(loaded.session, session);
    assert_eq!(session_file::write(&loaded.session, &loaded.view), text);
}
