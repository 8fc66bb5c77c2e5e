//! Music: composition, instruments, songs, and new sections for old recordings.
