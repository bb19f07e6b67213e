//! Which shape the marks of each workload have.
use crate::model::session::Session;

/// The shape of each workload, in the session's order: by the order in which they came to be, so that none changes
/// when another is added or moved.
pub fn shapes(session: &Session) -> Vec<usize> {
    let ids = || session.workloads.iter().map(|workload| workload.id);
    let mut by_age: Vec<_> = ids().collect();
    by_age.sort();
    ids()
        .map(|id| by_age.binary_search(&id).unwrap_or(0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::session::Workload;
    use crate::model::workload::Kind;

    #[test]
    fn a_newcomer_and_a_move_change_no_shape() {
        let mut session = Session::empty("s");
        let mut kinds = Kind::examples().into_iter();
        let mut add = |session: &mut Session, after| {
            session.add_workload(Workload::new("w", kinds.next().unwrap()), after)
        };
        let first = add(&mut session, None);
        add(&mut session, None);
        assert_eq!(shapes(&session), [0, 1]);
        let middle = add(&mut session, Some(first));
        assert_eq!(shapes(&session), [0, 2, 1]);
        session.move_workload(middle, -1);
        assert_eq!(shapes(&session), [2, 0, 1]);
    }
}
