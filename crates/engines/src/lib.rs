//! Engines: what makes the media, behind one trait.
