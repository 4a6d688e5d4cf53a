//! SEMAPHORE: permits; acquire waits while there are none, release adds one.
//!
//! Its guards are those of an unbounded queue. What tells the two apart is who gives back: a
//! permit is released by a thread that acquired one, an item is taken by another thread than put it.

use super::case::{Case, Checker, Explanation};
use super::log::Log;
use super::odds::DOUBTFUL;
use super::score::Score;
use super::search::{NONE, Roles};
use super::tokens::{self, ANY, FILL, GIVE, TAKE, TRY, TokensRun, amount, code, role};
use super::waiters::FAIR_COST;
use super::{Detail, LockType, Role};
use std::collections::BTreeSet;

/// The checker.
pub(super) struct Semaphore;

/// A semaphore need not be released by who acquired (signalling): never costs more than this.
const SIGNALLING: f64 = -1.5;

/// Filling up instead of giving back is a further assumption.
const FILL_COST: f64 = -4.0;
/// Somebody acquires all permits at once: that is a writer among readers, whom the lock of readers and writers
/// predicts as well, where it is neither fair nor not with a few steps less. The price: so much, and this share of the
/// evidence.
const TAKES_ALL: f64 = -20.0;
const TAKES_ALL_SHARE: f64 = -0.05;

/// Permits that a clock pours in: items are made when there is work for them. At least so many ticks, most of them off by no
/// more than this part of the usual time between two.
const REFILLED: f64 = 8.0;
const TICKS: usize = 20;
const JITTER: u64 = 5;

/// Share of releases by a thread that had acquired from which on they are pairs.
const PAIRED: f64 = 0.5;
/// … and nobody gives what he has not taken.
const ALL_PAIRED: f64 = 0.99;

impl Checker for Semaphore {
    fn lock_type(&self) -> LockType {
        LockType::Semaphore
    }

    fn roles_of(&self, code: u8) -> &'static [Role] {
        match role(code) {
            TAKE | TRY => &[Role::Acquire],
            GIVE | FILL => &[Role::Release],
            _ => &[],
        }
    }

    fn code_of(&self, roles: &BTreeSet<Role>) -> u8 {
        if roles.contains(&Role::Acquire) {
            TAKE
        } else if roles.contains(&Role::Release) {
            GIVE
        } else {
            NONE
        }
    }

    fn starts(&self, case: &Case) -> Vec<Roles> {
        starts(case)
    }

    fn options(&self, case: &Case, region: usize) -> Vec<u8> {
        options(case, region)
    }

    fn fit(&self, log: &Log, roles: &[u8]) -> Score {
        let has = |wanted| roles.iter().any(|&r| role(r) == wanted);
        let several = roles.iter().any(|&r| role(r) == TAKE && amount(r) > 1);
        if !has(TAKE) || !(has(GIVE) || has(FILL)) || has(FILL) && several {
            return Score::IMPOSSIBLE;
        }
        let refilled = if is_refilled(log, roles) {
            REFILLED
        } else {
            0.0
        };
        best(log, roles).0.plus(refilled)
    }

    fn explain(&self, log: &Log, roles: &[u8]) -> Explanation {
        let (_, run, fair) = best(log, roles);
        let mut out = Explanation::default();
        let paired = run.holders.share().unwrap_or(0.0);
        out.all_given_back = paired >= ALL_PAIRED;
        if paired >= PAIRED {
            out.pro.push(format!(
                "{:.0} % of releases are by a thread that had acquired",
                100.0 * paired
            ));
        }
        let exact = roles
            .iter()
            .all(|&r| role(r) != FILL && amount(r) != i64::from(ANY));
        if let Some(permits) = tokens::usual(&run.totals).filter(|_| exact && paired >= PAIRED) {
            out.details.insert("permits", Detail::Count(permits));
        }
        let refilled = is_refilled(log, roles);
        if refilled {
            out.pro
                .push("one thread releases, at regular times".to_owned());
        }
        if refilled || roles.iter().any(|&r| role(r) == FILL) {
            out.details
                .insert("form", Detail::Word("rate limiter".to_owned()));
        }
        if fair {
            out.details.insert("fair", Detail::Flag(true));
        }
        out
    }
}

/// First come, first served, or whoever is quickest: which explains more.
fn best(log: &Log, roles: &[u8]) -> (Score, TokensRun, bool) {
    let barging = tokens::run(log, roles, false);
    let a = rate(roles, &barging);
    if barging.score.contradicted == 0 {
        return (a, barging, false);
    }
    let fair = tokens::run(log, roles, true);
    let b = rate(roles, &fair).plus(-FAIR_COST);
    if b.llr > a.llr {
        // Who is served by rank is served neither in line nor by chance.
        (b, fair, b.failed() <= DOUBTFUL)
    } else {
        (a, barging, false)
    }
}

fn rate(roles: &[u8], run: &TokensRun) -> Score {
    let paired = run.holders.llr().max(SIGNALLING);
    let takes_all = if takes_all(roles, run) {
        TAKES_ALL + TAKES_ALL_SHARE * (run.score.llr + paired).max(0.0)
    } else {
        0.0
    };
    // Whatever is taken and given by whomever: that holds of anything.
    let any = roles.iter().any(|&r| amount(r) == i64::from(ANY));
    if any && run.holders.share().unwrap_or(0.0) < PAIRED {
        return Score::IMPOSSIBLE;
    }
    let fills = roles.iter().filter(|&&r| role(r) == FILL).count() as f64;
    run.score
        .plus(FILL_COST * fills)
        .plus(paired + takes_all - tokens::amounts_cost(roles))
}

/// Permits come from one thread that never takes any, at regular times: a clock pours them in.
fn is_refilled(log: &Log, roles: &[u8]) -> bool {
    let gives = |r: usize| matches!(role(roles[r]), GIVE | FILL);
    let takes = |r: usize| matches!(role(roles[r]), TAKE | TRY);
    let (givers, takers) = (threads(log, gives), threads(log, takes));
    if givers.len() != 1 || takers.len() < 2 || !givers.is_disjoint(&takers) {
        return false;
    }
    let mut gaps = Vec::new();
    for instance in &log.instances {
        let given = instance.stays().filter(|s| gives(usize::from(s.region)));
        let times: Vec<u64> = given.map(|s| s.at).collect();
        gaps.extend(times.windows(2).map(|t| t[1].saturating_sub(t[0])));
    }
    gaps.sort_unstable();
    let Some(&usual) = gaps.get(gaps.len() / 2).filter(|_| gaps.len() >= TICKS) else {
        return false;
    };
    let near = |gap: &&u64| gap.abs_diff(usual) <= usual / JITTER;
    usual > 0 && gaps.iter().filter(near).count() * 10 >= gaps.len() * 8
}

/// Who comes to some regions.
fn threads(log: &Log, wanted: impl Fn(usize) -> bool) -> BTreeSet<u32> {
    let regions = log.usage.iter().enumerate().filter(|(r, _)| wanted(*r));
    regions
        .flat_map(|(_, usage)| usage.threads.keys().copied())
        .collect()
}

fn takes_all(roles: &[u8], run: &TokensRun) -> bool {
    let most = roles
        .iter()
        .filter(|&&r| role(r) == TAKE)
        .map(|&r| amount(r))
        .max();
    let most = most.unwrap_or(0);
    (2..i64::from(ANY)).contains(&most)
        && tokens::usual(&run.totals).is_some_and(|all| all <= most.unsigned_abs())
}

/// Pairs of one region that waits and one that does not; everything at once; two pairs of
/// different amounts.
fn starts(case: &Case) -> Vec<Roles> {
    let (waiting, quiet) = (case.waiting(6), case.quiet(6));
    let mut all = vec![everything(case, &waiting, &quiet)];
    for &a in &waiting {
        for &b in &quiet {
            all.push(assign(case, &[(a, TAKE), (b, GIVE)]));
            all.push(assign(case, &[(a, TAKE), (b, FILL)]));
            all.push(assign(case, &[(a, code(TAKE, ANY)), (b, code(GIVE, ANY))]));
        }
    }
    all.extend(graded(case, &waiting, &quiet));
    all
}

fn everything(case: &Case, waiting: &[usize], quiet: &[usize]) -> Roles {
    let notifies = |&&r: &&usize| case.exact.usage[r].notifies > 0;
    let takes = waiting.iter().map(|&r| (r, TAKE));
    let gives = quiet.iter().filter(notifies).map(|&r| (r, GIVE));
    assign(case, &takes.chain(gives).collect::<Vec<_>>())
}

/// `acquire(n)` and `release(n)` beside single ones, paired by who follows whom.
fn graded(case: &Case, waiting: &[usize], quiet: &[usize]) -> Vec<Roles> {
    let mut all = Vec::new();
    let pairs: Vec<(usize, usize)> = waiting
        .iter()
        .filter_map(|&a| case.followers.best(a, quiet).map(|b| (a, b)))
        .collect();
    for &(a, b) in &pairs {
        for &(c, d) in pairs.iter().filter(|p| p.0 != a && p.1 != b) {
            for n in 1..=4 {
                let many = [(c, code(TAKE, n)), (d, code(GIVE, n))];
                all.push(assign(case, &[[(a, TAKE), (b, GIVE)], many].concat()));
            }
        }
    }
    all
}

fn assign(case: &Case, roles: &[(usize, u8)]) -> Roles {
    let mut out = case.nobody();
    roles.iter().for_each(|&(r, code)| out[r] = code);
    out
}

fn options(case: &Case, region: usize) -> Vec<u8> {
    let mut codes = Vec::new();
    if case.can_wait(region) {
        codes.extend([1, 2, 3, 4, ANY].map(|n| code(TAKE, n)));
    }
    if !case.waited(region) {
        codes.extend([1, 2, 3, 4, ANY].map(|n| code(GIVE, n)));
        codes.extend([TRY, FILL]);
    }
    codes
}
