//! What this node knows of attempts on remote workers beyond the store: whether they wait for their engines to load,
//! and partial images, which are only sent and kept while somebody follows the job on this node.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use atelier_domain::GenerationId;
use atelier_engines::{Loading, PartialImage};
use tokio::time::Instant;

use crate::attempts::lock;

/// What a worker said is true for this long. It renews its leases, and says it again, more than once a second.
const TRUE_FOR: Duration = Duration::from_secs(10);

/// The attempts that wait for their engines to load, and when that was said last.
#[derive(Debug, Default)]
pub(crate) struct Loads(Mutex<HashMap<(GenerationId, i64), (Instant, Loading)>>);

impl Loads {
    pub(crate) fn note(&self, attempt: (GenerationId, i64), loading: Option<Loading>, now: Instant) {
        let mut loads = lock(&self.0);
        match loading {
            Some(loading) => {
                loads.retain(|_, (at, _)| now - *at < TRUE_FOR);
                loads.insert(attempt, (now, loading));
            }
            None => {
                loads.remove(&attempt);
            }
        }
    }

    pub(crate) fn of(&self, attempt: (GenerationId, i64), now: Instant) -> Option<Loading> {
        let loads = lock(&self.0);
        let (at, loading) = loads.get(&attempt)?;
        (now - *at < TRUE_FOR).then_some(*loading)
    }
}

/// The jobs that are followed on this node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Followed(Arc<Mutex<HashMap<GenerationId, Shown>>>);

#[derive(Debug, Default)]
struct Shown {
    followers: usize,
    /// How many pictures came, and the last one with the epoch of its attempt.
    count: u64,
    last: Option<(i64, Arc<PartialImage>)>,
}

impl Followed {
    /// Follows a generation until the result is dropped.
    pub(crate) fn follow(&self, id: GenerationId) -> Following {
        lock(&self.0).entry(id).or_default().followers += 1;
        Following {
            followed: self.clone(),
            id,
        }
    }

    pub(crate) fn contains(&self, id: GenerationId) -> bool {
        lock(&self.0).contains_key(&id)
    }

    /// Keeps a picture of an attempt, if anybody follows the generation.
    pub(crate) fn show(&self, id: GenerationId, epoch: i64, image: PartialImage) {
        if let Some(shown) = lock(&self.0).get_mut(&id) {
            shown.count += 1;
            shown.last = Some((epoch, Arc::new(image)));
        }
    }

    /// The last picture of the attempt. Its number rises with every picture of the generation.
    pub(crate) fn last(&self, id: GenerationId, epoch: i64) -> Option<(u64, Arc<PartialImage>)> {
        let followed = lock(&self.0);
        let shown = followed.get(&id)?;
        let (of, image) = shown.last.as_ref()?;
        (*of == epoch).then(|| (shown.count, Arc::clone(image)))
    }
}

/// One follower of a generation, until dropped.
#[derive(Debug)]
pub(crate) struct Following {
    followed: Followed,
    id: GenerationId,
}

impl Drop for Following {
    fn drop(&mut self) {
        let mut followed = lock(&self.followed.0);
        if let Some(shown) = followed.get_mut(&self.id) {
            shown.followers -= 1;
            if shown.followers == 0 {
                followed.remove(&self.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head of a PNG file: enough to be one.
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

    #[test]
    fn a_load_is_known_until_the_worker_says_otherwise_or_falls_silent() {
        let loads = Loads::default();
        let id = GenerationId(uuid::Uuid::from_u128(1));
        let loading = Loading {
            estimate: Some(Duration::from_secs(40)),
        };
        let now = Instant::now();
        loads.note((id, 1), Some(loading), now);
        assert_eq!(
            (loads.of((id, 1), now), loads.of((id, 2), now)),
            (Some(loading), None)
        );
        loads.note((id, 1), None, now);
        assert_eq!(loads.of((id, 1), now), None);
        loads.note((id, 2), Some(loading), now);
        assert_eq!(loads.of((id, 2), now + TRUE_FOR), None);
    }

    #[test]
    fn pictures_are_kept_while_somebody_follows_and_only_of_the_current_attempt() {
        let followed = Followed::default();
        let id = GenerationId(uuid::Uuid::from_u128(1));
        let image = || PartialImage::new(PNG).unwrap();
        followed.show(id, 1, image());
        assert_eq!((followed.contains(id), followed.last(id, 1)), (false, None));

        let (one, other) = (followed.follow(id), followed.follow(id));
        followed.show(id, 1, image());
        followed.show(id, 1, image());
        assert_eq!(followed.last(id, 1).unwrap().0, 2);
        assert_eq!(
            followed.last(id, 2),
            None,
            "the next attempt has shown nothing yet"
        );

        drop(one);
        assert!(followed.contains(id));
        drop(other);
        assert_eq!((followed.contains(id), followed.last(id, 1)), (false, None));
    }
}
