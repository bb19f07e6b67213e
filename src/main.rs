//! Arguments in, exit code out.
fn main() -> std::process::ExitCode {
    ridgepoint::cli::run(std::env::args_os())
}
