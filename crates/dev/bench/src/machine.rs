//! The kernel's report about the machine and its processes in `/proc`.

use std::{fs, time::Duration};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::error::{Error, Result};

/// The unit of times in `/proc`, `USER_HZ`, which is the same on every current Linux machine.
const TICK_MS: u64 = 10;

/// The processor time of all threads of a process.
pub(crate) fn cpu_time(pid: u32) -> Result<Duration> {
    // After the name, which may contain anything, utime and stime are the 12th and 13th.
    times(&format!("/proc/{pid}/stat"), 11, 2)
}

/// The processor time of a process and all its children, including those that have ended.
pub(crate) fn cpu_time_of_all(pid: u32) -> Result<Duration> {
    // After utime and stime come those of the children that it has waited for.
    let mut all = times(&format!("/proc/{pid}/stat"), 11, 4)?;
    for child in children(pid)? {
        // One may end meanwhile.
        all += cpu_time(child).unwrap_or_default();
    }
    Ok(all)
}

/// The process that started a process; `None` if there is none of this id here.
pub(crate) fn parent(pid: u32) -> Option<u32> {
    status_of(pid).map(|(_, parent)| parent)
}

/// The memory of a process, in bytes.
pub(crate) fn resident(pid: u32) -> Result<u64> {
    status(pid, "VmRSS:")
}

/// The peak memory of a process since the last [`reset_peak`], in bytes.
pub(crate) fn peak(pid: u32) -> Result<u64> {
    status(pid, "VmHWM:")
}

pub(crate) fn reset_peak(pid: u32) -> Result<()> {
    Ok(fs::write(format!("/proc/{pid}/clear_refs"), "5")?)
}

/// The child processes of a process that still exist.
pub(crate) fn children(pid: u32) -> Result<Vec<u32>> {
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let Some(child) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        // A process may end while the list is read.
        if status_of(child).is_some_and(|(_, parent)| parent == pid) {
            children.push(child);
        }
    }
    Ok(children)
}

/// Whether a process exists and has not ended.
pub(crate) fn is_running(pid: u32) -> bool {
    status_of(pid).is_some_and(|(state, _)| !matches!(state, 'Z' | 'X'))
}

/// A process's state and its parent.
fn status_of(pid: u32) -> Option<(char, u32)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((state, fields.next()?.parse().ok()?))
}

/// Limits this thread, and the processes that it starts, to a few processor cores until it is dropped.
#[derive(Debug)]
pub(crate) struct Cores(CpuSet);

impl Cores {
    pub(crate) fn only(count: usize) -> Result<Self> {
        let all = sched_getaffinity(None).map_err(std::io::Error::from)?;
        let mut few = CpuSet::new();
        let allowed = (0..CpuSet::MAX_CPU).filter(|core| all.is_set(*core));
        allowed.take(count).for_each(|core| few.set(core));
        sched_setaffinity(None, &few).map_err(std::io::Error::from)?;
        Ok(Self(all))
    }
}

impl Drop for Cores {
    fn drop(&mut self) {
        // The thread could use these cores before.
        let _ = sched_setaffinity(None, &self.0);
    }
}

/// The load average of the last minute.
pub(crate) fn load_average() -> Result<f64> {
    let text = fs::read_to_string("/proc/loadavg")?;
    text.split(' ')
        .next()
        .and_then(|first| first.parse().ok())
        .ok_or_else(|| unreadable("/proc/loadavg"))
}

/// The processor time of the machine, and the part of this program and the servers that it has started and stopped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Busy {
    used: Duration,
    all: Duration,
    own: Duration,
}

impl Busy {
    pub(crate) fn now() -> Result<Self> {
        let text = fs::read_to_string("/proc/stat")?;
        let line = text.lines().next().unwrap_or_default();
        let fields: Vec<u64> = line
            .split_ascii_whitespace()
            .skip(1)
            .filter_map(|tick| tick.parse().ok())
            .collect();
        if fields.len() < 8 {
            return Err(unreadable("/proc/stat"));
        }
        // user, nice, system, idle, iowait, irq, softirq, steal. Guest times are part of user.
        let all: u64 = fields[..8].iter().sum();
        Ok(Self {
            used: ticks(all - fields[3] - fields[4]),
            all: ticks(all),
            own: times("/proc/self/stat", 11, 4)?,
        })
    }

    /// The share of the machine that other programs used since then, 0 to 1.
    pub(crate) fn others_since(self) -> Result<f64> {
        Ok(Self::now()?.others_after(self))
    }

    fn others_after(self, before: Self) -> f64 {
        let others = self
            .used
            .saturating_sub(before.used)
            .saturating_sub(self.own.saturating_sub(before.own));
        let all = self.all.saturating_sub(before.all).max(ticks(1));
        // The kernel's counts of waiting may fall: then more was used than time has passed.
        (others.as_secs_f64() / all.as_secs_f64()).min(1.0)
    }
}

/// The sum of `count` times in a `stat` file, `skip` fields after the name.
fn times(path: &str, skip: usize, count: usize) -> Result<Duration> {
    let text = fs::read_to_string(path)?;
    let (_, fields) = text.rsplit_once(')').ok_or_else(|| unreadable(path))?;
    let times = fields
        .split_ascii_whitespace()
        .skip(skip)
        .take(count)
        .map(str::parse::<u64>);
    let sum = times.sum::<std::result::Result<u64, _>>();
    Ok(ticks(sum.map_err(|_| unreadable(path))?))
}

const fn ticks(count: u64) -> Duration {
    Duration::from_millis(count * TICK_MS)
}

fn status(pid: u32, field: &str) -> Result<u64> {
    let path = format!("/proc/{pid}/status");
    let text = fs::read_to_string(&path)?;
    let kib = text.lines().find_map(|line| {
        line.strip_prefix(field)?
            .trim()
            .strip_suffix(" kB")?
            .parse::<u64>()
            .ok()
    });
    Ok(kib.ok_or_else(|| unreadable(&path))? << 10)
}

fn unreadable(path: &str) -> Error {
    Error::Unexpected(format!("{path} has an unknown format"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_others_is_at_most_one_even_if_counts_of_the_kernel_fall() {
        let busy = |used, all, own| Busy {
            used: ticks(used),
            all: ticks(all),
            own: ticks(own),
        };
        let share = |now: Busy| now.others_after(busy(100, 1_000, 50));
        assert!((share(busy(180, 1_100, 70)) - 0.6).abs() < 1e-9);
        assert!((share(busy(103, 999, 50)) - 1.0).abs() < 1e-9, "idle time fell");
        assert!(share(busy(100, 1_000, 50)).abs() < 1e-9, "no time has passed");
        // More ticks than 32 bits hold: two months of 64 cores.
        assert_eq!(ticks(5_400_000_000).as_secs(), 54_000_000);
    }

    #[test]
    fn this_process_has_memory_and_a_machine() {
        let pid = std::process::id();
        assert!(resident(pid).unwrap() > 100_000);
        reset_peak(pid).unwrap();
        assert!(peak(pid).unwrap() > 100_000);
        cpu_time(pid).unwrap();
        assert!(is_running(pid));
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        assert!(children(pid).unwrap().contains(&child.id()));
        assert_eq!(parent(child.id()), Some(pid));
        let own = cpu_time(pid).unwrap();
        assert!(cpu_time_of_all(pid).unwrap() >= own);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!children(pid).unwrap().contains(&child.id()));
        assert!((0.0..=1.0).contains(&Busy::now().unwrap().others_since().unwrap()));
        assert!(load_average().unwrap() >= 0.0);
        let before = sched_getaffinity(None).unwrap();
        let few = Cores::only(1).unwrap();
        assert_eq!(sched_getaffinity(None).unwrap().count(), 1);
        drop(few);
        assert_eq!(sched_getaffinity(None).unwrap(), before);
    }
}
