//! How long hostile files take to be refused or borne: `cargo bench --bench hostile`. Each must be over within a second.
#[path = "../tests/hostile/files.rs"]
mod files;
#[path = "../tests/hostile/seeds.rs"]
mod seeds;

use ridgepoint::files::import;
use ridgepoint::files::import::profile::{self, Nothing};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let mut taken: Vec<(f64, String)> = Vec::new();
    for bomb in files::all(&seeds::all()) {
        let start = Instant::now();
        let read = profile::read(&mut &bomb.bytes[..], "bomb", &Nothing, &|_| true);
        let devices = import::read(&bomb.bytes[..], "bomb");
        let time = start.elapsed().as_secs_f64();
        drop(black_box((read, devices)));
        taken.push((time, bomb.what));
    }
    taken.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{} hostile files; those that took longest:", taken.len());
    for (time, what) in taken.iter().take(8) {
        println!("{:>8.1} ms  {what}", time * 1e3);
    }
    let slow = taken.iter().filter(|(time, _)| *time > 1.0).count();
    println!("{slow} took more than a second");
}
