//! Loops: claim, run, finish, heartbeat, webhook delivery, reaper.
