//! Speech: text to spoken words with their times, and voices that sing.
