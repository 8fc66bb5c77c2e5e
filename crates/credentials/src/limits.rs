//! Limits of the process, which reads untrusted files.

use rlimit::Resource;

/// Address space, CPU time, and the largest file that may be written.
const LIMITS: [(Resource, u64); 3] = [
    (Resource::AS, 4 << 30),
    (Resource::CPU, 60),
    (Resource::FSIZE, 8 << 30),
];

pub fn set() -> Result<(), String> {
    for (resource, most) in LIMITS {
        let (_, hard) = resource.get().map_err(text)?;
        let most = most.min(hard);
        resource.set(most, most).map_err(text)?;
    }
    Ok(())
}

fn text(error: std::io::Error) -> String {
    format!("the limits of the process cannot be set: {error}")
}
