//! Tiles of a GEMM: work done on what fills them up, waves of them, and what L2 sees.
use super::{Count, Gemm};
use crate::model::cost::{Cost, Level};
use crate::model::units;
use crate::model::workload::Parameter;
use crate::model::workload::common::in_flop;

/// How many tiles cover a length; one where there is no tile.
fn covering(length: Count, tile: Option<Count>) -> f64 {
    tile.map_or(1.0, |tile| (length.get() / tile.get()).ceil())
}

/// A length filled up to whole tiles.
fn filled(length: Count, tile: Option<Count>) -> f64 {
    tile.map_or(length.get(), |t| covering(length, Some(t)) * t.get())
}

/// The parameters of M, N, K and the multiprocessors.
pub(super) fn parameters(slots: [&mut Option<Count>; 4]) -> Vec<Parameter<'_>> {
    let [m, n, k, multiprocessors] = slots;
    let tile = "Work is done on whole tiles; with tiles in M and N, L2 traffic is counted too";
    let processors =
        "Take a tile each (132 on H100 SXM, 108 on A100): the last wave may leave some idle";
    let parameters = [
        Parameter::number("tile_m", "Tile in M", tile, m).within(16.0, 512.0),
        Parameter::number("tile_n", "Tile in N", tile, n).within(16.0, 512.0),
        Parameter::number("tile_k", "Tile in K", tile, k).within(8.0, 256.0),
        Parameter::number(
            "multiprocessors",
            "Multiprocessors",
            processors,
            multiprocessors,
        )
        .within(1.0, 304.0),
    ];
    parameters.into_iter().map(|p| p.under("Tiles")).collect()
}

impl Gemm {
    /// Tiles of C of the whole batch; `None` where no tile is given.
    pub fn tiles(&self) -> Option<f64> {
        self.tile_m.or(self.tile_n)?;
        let of_c = covering(self.m, self.tile_m) * covering(self.n, self.tile_n);
        Some(of_c * self.batch.get())
    }

    /// Rounds in which the multiprocessors take a tile each; `None` where tiles or multiprocessors are not given.
    pub fn waves(&self) -> Option<f64> {
        Some((self.tiles()? / self.multiprocessors?.get()).ceil())
    }

    /// Work that is of use, in FLOP.
    pub(super) fn useful(&self) -> f64 {
        let [m, n, k, batch] = [self.m, self.n, self.k, self.batch].map(Count::get);
        2.0 * m * n * k * batch
    }

    /// Work that takes the time of whole tiles and whole waves, in FLOP (NVIDIA's matrix multiplication guide).
    pub(super) fn performed(&self) -> f64 {
        let of_c = filled(self.m, self.tile_m) * filled(self.n, self.tile_n);
        let work = 2.0 * of_c * filled(self.k, self.tile_k) * self.batch.get();
        match (self.tiles(), self.waves(), self.multiprocessors) {
            (Some(tiles), Some(waves), Some(each)) => work / tiles * (waves * each.get()),
            _ => work,
        }
    }

    /// Bytes between L2 and the multiprocessors: A once for every column of tiles, B once for every row.
    pub(super) fn traffic_at_l2(&self) -> Option<f64> {
        let (m, n) = (self.tile_m?, self.tile_n?);
        let batch = self.batch.get();
        let [columns, rows] = [covering(self.n, Some(n)), covering(self.m, Some(m))];
        Some(self.moved(batch * columns, batch * rows))
    }

    /// What tiles add to the formula.
    pub(super) fn tiled_lines(&self, cost: &Cost) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(tiles) = self.tiles() {
            let tiles = units::count(tiles);
            lines.push(match (self.waves(), self.multiprocessors) {
                (Some(waves), Some(each)) => {
                    format!("tiles = {tiles}, waves of {each} = {}", units::count(waves))
                }
                _ => format!("tiles = {tiles}"),
            });
        }
        if self.tiles().is_some() || self.tile_k.is_some() {
            let share = units::percent(self.useful() / self.performed());
            let performed = in_flop(self.performed());
            lines.push(format!(
                "work with padding = {performed}, {share} of it useful"
            ));
        }
        if self.traffic_at_l2().is_some() {
            let traffic = cost.traffic_at(Level::L2);
            lines.push(format!(
                "traffic at L2 = ⌈N/Tn⌉·A + ⌈M/Tm⌉·B + C = {traffic}"
            ));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::workload::Family as _;

    fn tiled(n: f64) -> Gemm {
        Gemm {
            m: Count::constant(2304.0),
            n: Count::try_from(n).unwrap(),
            tile_m: Some(Count::constant(256.0)),
            tile_n: Some(Count::constant(128.0)),
            multiprocessors: Some(Count::constant(108.0)),
            ..Gemm::default()
        }
    }

    #[test]
    fn one_column_of_tiles_more_doubles_the_waves() {
        assert_eq!(
            (tiled(1536.0).tiles(), tiled(1536.0).waves()),
            (Some(108.0), Some(1.0))
        );
        assert_eq!(
            (tiled(1664.0).tiles(), tiled(1664.0).waves()),
            (Some(117.0), Some(2.0))
        );
        assert_eq!(tiled(1536.0).cost().unwrap().total_padding().get(), 0.0);
        let cost = tiled(1664.0).cost().unwrap();
        let performed = cost.total_work().get() + cost.total_padding().get();
        assert!((performed / tiled(1536.0).useful() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn l2_sees_operands_once_a_tile() {
        let cost = tiled(1536.0).cost().unwrap();
        let expected =
            12.0 * 2.0 * 2304.0 * 4096.0 + 9.0 * 2.0 * 4096.0 * 1536.0 + 2.0 * 2304.0 * 1536.0;
        assert_eq!(cost.traffic_at(Level::L2).get(), expected);
    }
}
