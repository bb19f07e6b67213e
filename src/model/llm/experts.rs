//! How many different experts of a mixture a batch of tokens touches: those are the weights a step reads.
use crate::model::quantity::Count;

/// A skew beyond this makes no difference any more; smaller powers could vanish in rounding.
const MOST_SKEW: f64 = 8.0;

/// More experts than this are taken to be equally popular, so that no number can make a step hang.
const MOST_SKEWED: f64 = 65_536.0;

/// Expected distinct experts, from `top_k` to min(`experts`, `top_k` × `tokens`); 0 without a whole token.
///
/// Each token picks `top_k` different experts, independently of the others: D = Σ (1 − (1 − qᵢ)ᵀ), where qᵢ is the
/// share of tokens that pick expert i. With skew 0 all are k/E and D = E·(1 − (1 − k/E)ᵀ). With skew s > 0, qᵢ falls
/// as i^−s, scaled so that Σ qᵢ = k, where no share exceeds 1. A skew that is negative or no number counts as 0,
/// one above 8 as 8.
pub fn expected_distinct(experts: Count, top_k: Count, tokens: f64, skew: f64) -> f64 {
    let experts = experts.get();
    let top_k = top_k.get().min(experts);
    if tokens.is_nan() || tokens < 1.0 {
        return 0.0;
    }
    let distinct = if skew > 0.0 && experts <= MOST_SKEWED {
        let shares = shares(experts as usize, top_k as usize, skew.min(MOST_SKEW));
        shares.map(|share| touched(share, tokens)).sum()
    } else {
        experts * touched(top_k / experts, tokens)
    };
    // Only rounding can lead out of the bounds.
    distinct.clamp(top_k, experts.min(top_k * tokens).max(top_k))
}

/// 1 − (1 − q)ᵀ, also right where q is tiny.
fn touched(share: f64, tokens: f64) -> f64 {
    -(tokens * (-share).ln_1p()).exp_m1()
}

/// The share of tokens that pick each expert, the most popular first.
fn shares(experts: usize, top_k: usize, skew: f64) -> impl Iterator<Item = f64> {
    let popularity: Vec<_> = (1..=experts).map(|i| (i as f64).powf(-skew)).collect();
    // The popularity of each expert and all behind it, added up from the least so that no small one is lost.
    let mut rest = popularity.clone();
    for i in (1..experts).rev() {
        rest[i - 1] += rest[i];
    }
    // Those that every token picks, since a share cannot be more than 1.
    let picked_always = (0..top_k).position(|i| popularity[i] * ((top_k - i) as f64) < rest[i]);
    let picked_always = picked_always.unwrap_or(top_k);
    let left = (top_k - picked_always) as f64;
    let scale = rest.get(picked_always).map_or(0.0, |rest| left / rest);
    let shares = popularity.into_iter().enumerate();
    shares.map(move |(i, popularity)| match i < picked_always {
        true => 1.0,
        false => (scale * popularity).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn distinct(experts: f64, top_k: f64, tokens: f64, skew: f64) -> f64 {
        let count = |value| Count::try_from(value).unwrap();
        expected_distinct(count(experts), count(top_k), tokens, skew)
    }

    #[test]
    fn equally_popular_experts_follow_the_closed_form() {
        let rows = [
            (8.0, 2.0, 1.0, 2.0),
            (8.0, 2.0, 4.0, 5.46875),
            (8.0, 2.0, 16.0, 7.919819233939052),
            (128.0, 8.0, 16.0, 82.42251130217052),
            (128.0, 8.0, 64.0, 125.94234926707806),
            (256.0, 8.0, 1.0, 8.0),
            (256.0, 8.0, 32.0, 163.31384595038296),
        ];
        for (experts, top_k, tokens, expected) in rows {
            let found = distinct(experts, top_k, tokens, 0.0);
            assert!((found / expected - 1.0).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn popularity_that_falls_off_touches_fewer() {
        let by_skew: Vec<_> = [0.0, 0.5, 1.0, 2.0, 8.0, 1e300]
            .map(|skew| distinct(128.0, 8.0, 16.0, skew))
            .into();
        assert!(by_skew.is_sorted_by(|a, b| a >= b), "{by_skew:?}");
        assert!(by_skew[4] < 16.0);
        assert_eq!(
            distinct(128.0, 8.0, 16.0, f64::NAN),
            distinct(128.0, 8.0, 16.0, 0.0)
        );
    }

    #[test]
    fn odd_numbers_give_numbers() {
        assert_eq!(distinct(8.0, 2.0, 0.0, 0.0), 0.0);
        assert_eq!(distinct(8.0, 2.0, f64::NAN, 1.0), 0.0);
        assert_eq!(distinct(8.0, 16.0, 3.0, 1.0), 8.0);
        assert_eq!(distinct(1e60, 1.0, 1.0, 2.0), 1.0);
        assert_eq!(distinct(4.0, 4.0, f64::INFINITY, 0.0), 4.0);
    }

    proptest! {
        #[test]
        fn distinct_experts_stay_in_bounds_and_grow_with_the_tokens(
            experts in 1u32..300, top_k in 1u32..20, tokens in 1u32..5000, skew in 0.0..9.0_f64,
        ) {
            let top_k = f64::from(top_k.min(experts));
            let (experts, tokens) = (f64::from(experts), f64::from(tokens));
            let now = distinct(experts, top_k, tokens, skew);
            prop_assert!(top_k <= now && now <= experts.min(top_k * tokens));
            let next = distinct(experts, top_k, tokens + 1.0, skew);
            prop_assert!(next >= now * (1.0 - 1e-13), "{now} {next}");
            if tokens == 1.0 {
                prop_assert_eq!(now, top_k);
            }
        }

        #[test]
        fn shares_add_up_to_those_a_token_picks(experts in 1usize..300, top_k in 1usize..20, skew in 0.0..8.0_f64) {
            let top_k = top_k.min(experts);
            let shares: Vec<_> = shares(experts, top_k, skew).collect();
            prop_assert!((shares.iter().sum::<f64>() / top_k as f64 - 1.0).abs() < 1e-9);
            prop_assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
        }
    }
}
