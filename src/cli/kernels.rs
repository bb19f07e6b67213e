//! `ridgepoint kernels`: the measured kernels of a session, beside another profile, or beside a prediction.
use super::source::{self, Source};
use super::{Failure, output};
use crate::files::names::find;
use crate::files::{atomic, session_file};
use crate::model::ids::{GpuId, ProfileId};
use crate::model::join::{Match, join};
use crate::model::pairing::{Side, pair};
use crate::model::placement::Regime;
use crate::model::profile::{Analysis, Profile, Selector, pattern};
use crate::report::kernels::Told;
use crate::report::{self, Format};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print measured kernels, those with most time to recover first; or beside another profile, or a prediction
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The session: a file, or @NAME
    session: OsString,
    /// The profile; the first one if left out
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// The GPU that judges it: one of the session, else a built-in one; the profile's own if left out
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// Only kernels in whose name this regular expression is found
    #[arg(long, value_name = "REGEX")]
    name: Option<String>,
    /// Only kernels of this regime
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(Regime::ALL.map(Regime::name)))]
    regime: Option<String>,
    /// Only the heaviest kernels, which hold this part of the time, 0 to 1
    #[arg(long, value_name = "PART", value_parser = part)]
    heaviest: Option<f64>,
    /// Launch shapes of one name together
    #[arg(long)]
    by_name: bool,
    /// Pair the kernels with those of this profile, which came after
    #[arg(long, value_name = "PROFILE", conflicts_with = "join")]
    against: Option<String>,
    /// Put the kernels beside the predicted operators of this workload
    #[arg(long, value_name = "WORKLOAD")]
    join: Option<String>,
    /// Kernels that run operators, as REGEX=OPERATOR,OPERATOR; may be repeated; the session's own if left out
    #[arg(long = "match", value_name = "REGEX=OPERATORS", requires = "join")]
    matches: Vec<String>,
    /// How often the workload ran while it was measured
    #[arg(long, value_name = "TIMES", requires = "join", value_parser = positive)]
    executions: Option<f64>,
    /// Write the session with what was chosen here
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How the table is written
    #[arg(long, default_value = "text", value_parser = source::format())]
    format: Format,
}

fn part(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(part) if (0.0..=1.0).contains(&part) => Ok(part),
        _ => Err("write a number from 0 to 1".to_owned()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(times) if times.is_finite() && times > 0.0 => Ok(times),
        _ => Err("write a number above zero".to_owned()),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut source = Source::open(&arguments.session)?;
    let id = profile_named(&source, arguments.profile.as_deref())?;
    let gpu = arguments.gpu.as_deref();
    let gpu = gpu.map(|name| source.gpu(name)).transpose()?;
    choose(&mut source, id, gpu, arguments)?;
    let text = if let Some(name) = &arguments.against {
        against(&mut source, id, name, arguments.format)?
    } else if let Some(name) = &arguments.join {
        joined(&mut source, id, name, arguments)?
    } else {
        let judged = Judged::of(&source, id)?;
        report::kernels::write(judged.told(&source)?, arguments.format)
    };
    if let Some(output) = &arguments.output {
        source.view.repair(&source.session);
        let text = session_file::write(&source.session, &source.view);
        atomic::write(output, text.as_bytes())?;
    }
    output::print(&text)
}

/// The profile of this name, or the first one.
fn profile_named(source: &Source, name: Option<&str>) -> Result<ProfileId, Failure> {
    let profiles = &source.session.profiles;
    let names: Vec<_> = profiles.iter().map(|p| vec![p.name.as_str()]).collect();
    let index = name.map_or(Ok(0), |name| find("profile", name, &names))?;
    let profile = profiles.get(index).ok_or_else(|| {
        let label = &source.label;
        Failure::Error(format!(
            "{label} has no profile: put one in with `ridgepoint import PROFILE --onto {label} -o {label}`"
        ))
    })?;
    Ok(profile.id)
}

/// Takes what was asked for over the choices of the session.
fn choose(
    source: &mut Source,
    id: ProfileId,
    gpu: Option<GpuId>,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let Some(profile) = source.session.profile_mut(id) else {
        return Err(no_profile());
    };
    profile.gpu = gpu.or(profile.gpu);
    let choices = &mut profile.choices;
    if let Some(name) = &arguments.name {
        pattern(name).map_err(|error| Failure::Usage(error.to_string()))?;
        choices.filter.name.clone_from(name);
    }
    if let Some(regime) = &arguments.regime {
        choices.filter.regime = Regime::named(regime);
    }
    choices.filter.heaviest = arguments.heaviest.or(choices.filter.heaviest);
    choices.grouped |= arguments.by_name;
    Ok(())
}

fn no_profile() -> Failure {
    Failure::Error("the session has no such profile".to_owned())
}

/// A profile of a session with its kernels judged.
struct Judged {
    id: ProfileId,
    analysis: Analysis,
}

impl Judged {
    fn of(source: &Source, id: ProfileId) -> Result<Self, Failure> {
        let profile = source.session.profile(id).ok_or_else(no_profile)?;
        let gpu = profile.gpu.and_then(|id| source.session.gpu(id));
        let analysis = Analysis::of(profile, gpu, source.session.assumptions);
        for wrong in &analysis.problems {
            output::complain(&format!("{}: a fill gives nothing: {wrong}", profile.name));
        }
        Ok(Self { id, analysis })
    }

    fn profile<'a>(&self, source: &'a Source) -> Result<&'a Profile, Failure> {
        source.session.profile(self.id).ok_or_else(no_profile)
    }

    fn told<'a>(&'a self, source: &'a Source) -> Result<Told<'a>, Failure> {
        let profile = self.profile(source)?;
        Ok(Told {
            profile,
            analysis: &self.analysis,
            gpu: profile.gpu.and_then(|id| source.session.gpu(id)),
        })
    }
}

fn against(
    source: &mut Source,
    id: ProfileId,
    name: &str,
    format: Format,
) -> Result<String, Failure> {
    let other = profile_named(source, Some(name))?;
    if let Some(profile) = source.session.profile_mut(id) {
        if profile.choices.against != Some(other) {
            profile.choices.pairs.clear();
        }
        profile.choices.against = Some(other);
    }
    let (before, after) = (Judged::of(source, id)?, Judged::of(source, other)?);
    let before_told = before.told(source)?;
    let after_told = after.told(source)?;
    let pairing = pair(
        Side {
            profile: before_told.profile,
            analysis: before_told.analysis,
        },
        Side {
            profile: after_told.profile,
            analysis: after_told.analysis,
        },
        &before_told.profile.choices.pairs,
    );
    Ok(report::pairs::write(
        before_told,
        after_told,
        &pairing,
        format,
    ))
}

fn joined(
    source: &mut Source,
    id: ProfileId,
    name: &str,
    arguments: &Arguments,
) -> Result<String, Failure> {
    let workload = source.workload(Some(name))?.id;
    let judged = Judged::of(source, id)?;
    let profile = judged.profile(source)?;
    let mut mapping = profile
        .choices
        .mapping(workload)
        .cloned()
        .unwrap_or_default();
    if !arguments.matches.is_empty() {
        let groups = arguments.matches.iter().map(|text| matched(text));
        mapping.groups = groups.collect::<Result<_, _>>()?;
    }
    mapping.executions = arguments.executions.unwrap_or(mapping.executions);
    if let Some(profile) = source.session.profile_mut(id) {
        profile.choices.set_mapping(workload, mapping.clone());
    }
    let told = judged.told(source)?;
    let gpu = match told.gpu {
        Some(gpu) => gpu,
        None => {
            let active = source.session.gpu(source.active_gpu()?);
            active.ok_or_else(source::no_gpu)?
        }
    };
    let workload = source.session.workload(workload);
    let workload =
        workload.ok_or_else(|| Failure::Error("the session has no such workload".to_owned()))?;
    let placement = workload.place_on(gpu, source.session.assumptions)?;
    let joined = join(
        &placement,
        &workload.name,
        told.profile,
        told.analysis,
        &mapping,
    );
    // What the session holds may have become unknown; what was just typed is a slip.
    if let Some(unknown) = joined.unknown_operators.first()
        && !arguments.matches.is_empty()
    {
        let known: Vec<_> = placement.operators.iter().map(|o| &*o.name).collect();
        let known = match known.is_empty() {
            true => workload.name.clone(),
            false => known.join(", "),
        };
        return Err(Failure::Error(format!(
            "{} has no operator {unknown:?}: name one of {known}",
            workload.name
        )));
    }
    Ok(report::joined::write(
        &workload.name,
        told,
        &joined,
        arguments.format,
    ))
}

/// `REGEX=OPERATOR,OPERATOR`; the last equals sign divides, since a pattern may hold one.
fn matched(text: &str) -> Result<Match, Failure> {
    let Some((kernels, operators)) = text.rsplit_once('=') else {
        let message = format!("{text:?} names no operators: write REGEX=OPERATOR,OPERATOR");
        return Err(Failure::Usage(message));
    };
    pattern(kernels).map_err(|error| Failure::Usage(error.to_string()))?;
    let operators = operators.split(',').map(|name| name.trim().to_owned());
    Ok(Match {
        kernels: vec![Selector::Pattern(kernels.to_owned())],
        operators: operators.filter(|name| !name.is_empty()).collect(),
    })
}
