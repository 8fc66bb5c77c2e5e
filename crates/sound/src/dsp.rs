//! Signal processing that speech and music share.
