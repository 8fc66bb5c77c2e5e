//! The memory that programs on the CPU can get.

use std::{fs, path::Path};

/// The memory that programs can get without swapping, in bytes: what the machine has free, or what the control groups
/// of this process (version 2) leave of it, as in a container with a limit. `root` is `/`.
pub(super) fn free(root: &Path) -> Option<u64> {
    let read = |file: &str| fs::read_to_string(root.join(file)).ok();
    let machine = available(&read("proc/meminfo")?)?;
    let groups = read("proc/self/cgroup").unwrap_or_default();
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"));
    let left = own.into_iter().flat_map(|own| Path::new(own).ancestors());
    let left = left.filter_map(|group| {
        let number = |file: &str| -> Option<u64> {
            let file = Path::new("sys/fs/cgroup").join(group).join(file);
            // Without a limit it is `max`.
            read(file.to_str()?)?.trim().parse().ok()
        };
        Some(number("memory.max")?.saturating_sub(number("memory.current")?))
    });
    Some(left.fold(machine, u64::min))
}

fn available(facts: &str) -> Option<u64> {
    let line = facts
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_memory_is_that_of_the_machine_or_what_the_nearest_limit_leaves() {
        assert!(free(Path::new("/")).is_none_or(|free| free > 1 << 20));
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let write = |file: &str, text: &str| {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        assert_eq!(free(root), None, "nobody knows");
        write(
            "proc/meminfo",
            "MemTotal:       24538000 kB\nMemAvailable:   1000 kB\n",
        );
        assert_eq!(free(root), Some(1_024_000));
        write("proc/self/cgroup", "1:cpu:/x\n0::/a/b\n");
        write("sys/fs/cgroup/a/b/memory.max", "max\n");
        write("sys/fs/cgroup/a/b/memory.current", "300\n");
        assert_eq!(free(root), Some(1_024_000), "no limit");
        write("sys/fs/cgroup/a/memory.max", "1000\n");
        write("sys/fs/cgroup/a/memory.current", "400\n");
        assert_eq!(free(root), Some(600));
        // In a container with control groups of its own.
        write("proc/self/cgroup", "0::/\n");
        write("sys/fs/cgroup/memory.max", "500\n");
        write("sys/fs/cgroup/memory.current", "900\n");
        assert_eq!(free(root), Some(0));
    }
}
