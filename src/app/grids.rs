//! Heat maps: what a frame has time for is computed at once, the rest on a thread that is told when nobody waits for it.
use crate::model::sweep::grid::{GridResult, Task, Work};
use crate::ui::mapped::Mapped;
use egui::Context;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What a frame may spend on it.
const AT_ONCE: Duration = Duration::from_millis(5);
/// How many cells are computed between two looks at the clock or at whether to stop.
const CELLS: usize = 16;

/// The heat map under way, if there is one.
#[derive(Default)]
pub(super) struct Grids {
    job: Option<Job>,
}

struct Job {
    task: Task,
    all: usize,
    done: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    receiver: mpsc::Receiver<GridResult>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Grids {
    /// Takes what has finished, begins what is wanted now and stops what no longer is.
    pub fn update(&mut self, ctx: &Context, map: &mut Mapped) {
        if let Some(result) = self
            .job
            .as_ref()
            .and_then(|job| job.receiver.try_recv().ok())
        {
            self.job = None;
            map.take(result);
        }
        let Some(task) = map.missing().filter(|_| !map.stopped) else {
            self.job = None;
            return;
        };
        if self.job.as_ref().is_none_or(|job| job.task != *task) {
            let mut work = Work::new(task.clone());
            let began = Instant::now();
            while began.elapsed() < AT_ONCE && work.step(CELLS) < work.all() {}
            if work.is_done() {
                self.job = None;
                work.finish()
                    .into_iter()
                    .for_each(|result| map.take(result));
            } else {
                self.job = Job::start(ctx, work, task.clone());
            }
        }
        map.progress = self.job.as_ref().map(Job::progress);
        if self.job.is_some() {
            // Often enough for a number that grows.
            ctx.request_repaint_after(Duration::from_millis(100));
        }
    }

    /// Whether one is under way.
    pub fn busy(&self) -> bool {
        self.job.is_some()
    }
}

impl Job {
    fn start(ctx: &Context, mut work: Work, task: Task) -> Option<Self> {
        let (sender, receiver) = mpsc::channel();
        let (done, stop) = (
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicBool::new(false)),
        );
        let all = work.all();
        let job = Self {
            task,
            all,
            done: done.clone(),
            stop: stop.clone(),
            receiver,
        };
        let ctx = ctx.clone();
        let run = move || {
            while !stop.load(Ordering::Relaxed) {
                let computed = work.step(CELLS);
                done.store(computed, Ordering::Relaxed);
                if computed == all {
                    break;
                }
            }
            if let Some(result) = work.finish() {
                // Nobody may wait for it any more.
                sender.send(result).ok();
                ctx.request_repaint();
            }
        };
        match std::thread::Builder::new()
            .name("heat map".to_owned())
            .spawn(run)
        {
            Ok(_) => Some(job),
            Err(error) => {
                log::error!("cannot start a thread: {error}");
                None
            }
        }
    }

    fn progress(&self) -> f32 {
        self.done.load(Ordering::Relaxed) as f32 / self.all.max(1) as f32
    }
}
