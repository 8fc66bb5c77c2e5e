//! Partial images that remote workers send of jobs that somebody follows on this node. They are kept no longer.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use atelier_domain::GenerationId;
use atelier_engines::PartialImage;

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
    /// Follows a generation until the answer is dropped.
    pub(crate) fn follow(&self, id: GenerationId) -> Following {
        self.lock().entry(id).or_default().followers += 1;
        Following {
            followed: self.clone(),
            id,
        }
    }

    pub(crate) fn contains(&self, id: GenerationId) -> bool {
        self.lock().contains_key(&id)
    }

    /// Keeps a picture of an attempt, if anybody follows the generation.
    pub(crate) fn show(&self, id: GenerationId, epoch: i64, image: PartialImage) {
        if let Some(shown) = self.lock().get_mut(&id) {
            shown.count += 1;
            shown.last = Some((epoch, Arc::new(image)));
        }
    }

    /// The last picture of the attempt. Its number rises with every picture of the generation.
    pub(crate) fn last(&self, id: GenerationId, epoch: i64) -> Option<(u64, Arc<PartialImage>)> {
        let followed = self.lock();
        let shown = followed.get(&id)?;
        let (of, image) = shown.last.as_ref()?;
        (*of == epoch).then(|| (shown.count, Arc::clone(image)))
    }

    /// The map is valid after a panic at any point, so a poisoned lock is no reason to stop.
    fn lock(&self) -> MutexGuard<'_, HashMap<GenerationId, Shown>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut followed = self.followed.lock();
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
