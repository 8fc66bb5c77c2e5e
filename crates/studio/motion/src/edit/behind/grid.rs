//! The cheapest cut through a grid of pixels with eight neighbours each, by Boykov and Kolmogorov's augmenting
//! paths (2004, "An experimental comparison of min-cut/max-flow algorithms").

use std::collections::VecDeque;

/// The neighbours of a pixel: right, left, down, up, and the diagonals; each next to its opposite.
const STEPS: [(isize, isize); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (-1, 1),
    (1, -1),
];

const FREE: u8 = 0;
const SOURCE: u8 = 1;
const SINK: u8 = 2;

/// The parent of a root, and of a pixel without one.
const ROOT: u8 = 8;
const NONE: u8 = 9;

/// A graph over a grid, being cut.
#[derive(Debug)]
pub(super) struct Grid {
    width: usize,
    height: usize,
    /// The remaining capacity from the source (positive) or to the sink (negative).
    terminal: Vec<f32>,
    /// The remaining capacity to the eight neighbours.
    ways: Vec<[f32; 8]>,
    tree: Vec<u8>,
    /// The neighbour that is nearer to the root.
    parent: Vec<u8>,
    active: VecDeque<usize>,
    orphans: VecDeque<usize>,
    /// When a pixel's path to its root was last known to be complete, and its length then.
    stamp: Vec<u32>,
    distance: Vec<u32>,
    time: u32,
}

impl Grid {
    /// `terminal` is the cost of being background minus the cost of being subject; `link` is the cost of separating a
    /// pixel from its neighbour in a direction.
    pub(super) fn new(
        width: usize,
        height: usize,
        terminal: Vec<f32>,
        link: impl Fn(usize, usize) -> f32,
    ) -> Self {
        let mut ways = vec![[0.0; 8]; width * height];
        for (i, ways) in ways.iter_mut().enumerate() {
            for (d, way) in ways.iter_mut().enumerate() {
                if let Some(j) = neighbour(width, height, i, d) {
                    *way = link(i, j);
                }
            }
        }
        let count = width * height;
        Self {
            width,
            height,
            terminal,
            ways,
            tree: vec![FREE; count],
            parent: vec![NONE; count],
            active: VecDeque::new(),
            orphans: VecDeque::new(),
            stamp: vec![0; count],
            distance: vec![0; count],
            time: 0,
        }
    }

    /// Cuts; true is the subject's side.
    pub(super) fn cut(mut self) -> Vec<bool> {
        for i in 0..self.terminal.len() {
            if self.terminal[i] != 0.0 {
                self.tree[i] = if self.terminal[i] > 0.0 { SOURCE } else { SINK };
                self.parent[i] = ROOT;
                self.distance[i] = 1;
                self.active.push_back(i);
            }
        }
        while let Some(&i) = self.active.front() {
            if self.tree[i] == FREE || self.parent[i] == NONE {
                self.active.pop_front();
                continue;
            }
            match self.grow(i) {
                Some((from, d, to)) => {
                    self.time += 1;
                    self.augment(from, d, to);
                    while let Some(orphan) = self.orphans.pop_front() {
                        self.adopt(orphan);
                    }
                }
                None => {
                    self.active.pop_front();
                }
            }
        }
        self.tree.iter().map(|tree| *tree == SOURCE).collect()
    }

    /// Lets a tree take free neighbours; returns the path where it meets the other tree.
    fn grow(&mut self, i: usize) -> Option<(usize, usize, usize)> {
        for d in 0..8 {
            let Some(j) = neighbour(self.width, self.height, i, d) else {
                continue;
            };
            let open = if self.tree[i] == SOURCE {
                self.ways[i][d]
            } else {
                self.ways[j][d ^ 1]
            };
            if open <= 0.0 {
                continue;
            }
            if self.tree[j] == FREE {
                self.tree[j] = self.tree[i];
                self.parent[j] = (d ^ 1) as u8;
                self.stamp[j] = self.stamp[i];
                self.distance[j] = self.distance[i] + 1;
                self.active.push_back(j);
            } else if self.tree[j] != self.tree[i] {
                return Some(if self.tree[i] == SOURCE {
                    (i, d, j)
                } else {
                    (j, d ^ 1, i)
                });
            } else if self.stamp[j] <= self.stamp[i] && self.distance[j] > self.distance[i] {
                // A shorter way to the root.
                self.parent[j] = (d ^ 1) as u8;
                self.stamp[j] = self.stamp[i];
                self.distance[j] = self.distance[i] + 1;
            }
        }
        None
    }

    fn augment(&mut self, from: usize, d: usize, to: usize) {
        let mut flow = self.ways[from][d];
        let mut i = from;
        while self.parent[i] != ROOT {
            let up = usize::from(self.parent[i]);
            let j = self.towards(i, up);
            flow = flow.min(self.ways[j][up ^ 1]);
            i = j;
        }
        flow = flow.min(self.terminal[i]);
        let mut i = to;
        while self.parent[i] != ROOT {
            let up = usize::from(self.parent[i]);
            flow = flow.min(self.ways[i][up]);
            i = self.towards(i, up);
        }
        flow = flow.min(-self.terminal[i]);

        self.ways[from][d] -= flow;
        self.ways[to][d ^ 1] += flow;
        let mut i = from;
        while self.parent[i] != ROOT {
            let up = usize::from(self.parent[i]);
            let j = self.towards(i, up);
            self.ways[i][up] += flow;
            self.ways[j][up ^ 1] -= flow;
            if self.ways[j][up ^ 1] <= 0.0 {
                self.orphan(i);
            }
            i = j;
        }
        self.terminal[i] -= flow;
        if self.terminal[i] <= 0.0 {
            self.orphan(i);
        }
        let mut i = to;
        while self.parent[i] != ROOT {
            let up = usize::from(self.parent[i]);
            let j = self.towards(i, up);
            self.ways[i][up] -= flow;
            self.ways[j][up ^ 1] += flow;
            if self.ways[i][up] <= 0.0 {
                self.orphan(i);
            }
            i = j;
        }
        self.terminal[i] += flow;
        if self.terminal[i] >= 0.0 {
            self.orphan(i);
        }
    }

    fn orphan(&mut self, i: usize) {
        self.parent[i] = NONE;
        self.orphans.push_front(i);
    }

    fn adopt(&mut self, i: usize) {
        let mut best: Option<(u32, usize)> = None;
        for d in 0..8 {
            let Some(j) = neighbour(self.width, self.height, i, d) else {
                continue;
            };
            let open = if self.tree[i] == SOURCE {
                self.ways[j][d ^ 1]
            } else {
                self.ways[i][d]
            };
            if open <= 0.0 || self.tree[j] != self.tree[i] {
                continue;
            }
            if let Some(length) = self.length(j)
                && best.is_none_or(|(shortest, _)| length < shortest)
            {
                best = Some((length, d));
            }
        }
        if let Some((length, d)) = best {
            self.parent[i] = d as u8;
            self.stamp[i] = self.time;
            self.distance[i] = length + 1;
            return;
        }
        for d in 0..8 {
            let Some(j) = neighbour(self.width, self.height, i, d) else {
                continue;
            };
            if self.tree[j] != self.tree[i] {
                continue;
            }
            let open = if self.tree[i] == SOURCE {
                self.ways[j][d ^ 1]
            } else {
                self.ways[i][d]
            };
            if open > 0.0 {
                self.active.push_back(j);
            }
            if self.parent[j] < 8 && usize::from(self.parent[j]) == (d ^ 1) {
                self.parent[j] = NONE;
                self.orphans.push_back(j);
            }
        }
        self.tree[i] = FREE;
    }

    /// The length of the path to the root; nothing if it is broken.
    fn length(&mut self, start: usize) -> Option<u32> {
        let mut i = start;
        let mut length = 0;
        loop {
            if self.stamp[i] == self.time && self.parent[i] != NONE {
                length += self.distance[i];
                break;
            }
            match self.parent[i] {
                NONE => return None,
                ROOT => {
                    self.stamp[i] = self.time;
                    self.distance[i] = 1;
                    length += 1;
                    break;
                }
                up => {
                    length += 1;
                    i = self.towards(i, usize::from(up));
                }
            }
        }
        let mut i = start;
        let mut left = length;
        while self.stamp[i] != self.time {
            self.stamp[i] = self.time;
            self.distance[i] = left;
            left -= 1;
            i = self.towards(i, usize::from(self.parent[i]));
        }
        Some(length)
    }

    fn towards(&self, i: usize, d: usize) -> usize {
        let (dx, dy) = STEPS[d];
        (i as isize + dx + dy * self.width as isize) as usize
    }
}

#[inline]
fn neighbour(width: usize, height: usize, i: usize, d: usize) -> Option<usize> {
    let (dx, dy) = STEPS[d];
    let x = (i % width) as isize + dx;
    let y = (i / width) as isize + dy;
    ((0..width as isize).contains(&x) && (0..height as isize).contains(&y))
        .then(|| y as usize * width + x as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use atelier_retouch::chance::Rng;

    fn energy(
        side: &[bool],
        w: usize,
        h: usize,
        terminal: &[f32],
        link: &impl Fn(usize, usize) -> f32,
    ) -> f32 {
        let mut sum = 0.0;
        for i in 0..w * h {
            sum += if side[i] {
                (-terminal[i]).max(0.0)
            } else {
                terminal[i].max(0.0)
            };
            for d in 0..8 {
                if let Some(j) = neighbour(w, h, i, d)
                    && side[i]
                    && !side[j]
                {
                    sum += link(i, j);
                }
            }
        }
        sum
    }

    #[test]
    fn no_other_cut_of_a_small_grid_is_cheaper() {
        let (w, h) = (4, 3);
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let terminal: Vec<f32> = (0..w * h).map(|_| rng.range(-4.0, 4.0).round()).collect();
            let weights: Vec<f32> = (0..w * h * w * h).map(|_| rng.range(0.0, 3.0).round()).collect();
            let link = |i: usize, j: usize| weights[i.min(j) * w * h + i.max(j)];
            let cut = Grid::new(w, h, terminal.clone(), link).cut();
            let found = energy(&cut, w, h, &terminal, &link);
            let best = (0..1_u32 << (w * h))
                .map(|bits| {
                    let side: Vec<bool> = (0..w * h).map(|i| bits >> i & 1 == 1).collect();
                    energy(&side, w, h, &terminal, &link)
                })
                .fold(f32::MAX, f32::min);
            assert!(
                (found - best).abs() < 1e-3,
                "seed {seed}: {found} instead of {best}"
            );
        }
    }
}
