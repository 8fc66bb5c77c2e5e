//! Building blocks of lines: families of rhymes, and lines that end on them. `{s}` is the subject with its article,
//! `{n}` without it, and `{a}` an adjective of the mood.

/// Rhyming words with lines that end on them.
pub(super) type Family = &'static [(&'static str, &'static [&'static str])];

#[rustfmt::skip]
pub(super) const FAMILIES: [Family; 10] = [
    &[
        ("night", &[
            "I can hear {s} in the night", "We were chasing {s} through the night",
            "There's a {a} wind blowing tonight",
        ]),
        ("light", &[
            "And {s} is turning to light", "Looking for {s} by candle light", "You and I and {s} in the light",
        ]),
        ("right", &["Something about {n} feels right", "Every {a} moment is right", "Nothing has ever felt so right"]),
        ("sight", &[
            "Oh, {s} is such a {a} sight", "I will not let you out of sight", "Never let {s} out of your sight",
        ]),
    ],
    &[
        ("day", &["I think of {s} every day", "It began with {s} one day", "I was waiting for this {a} day"]),
        ("away", &["Take me with {s}, far away", "All of my troubles drift away", "I will not let {s} slip away"]),
        ("stay", &[
            "Tell me that {s} is going to stay", "Something in {s} told me to stay",
            "Hold my hand and say you'll stay",
        ]),
        ("way", &["And {s} will show me the way", "Walking along on my {a} way", "Nothing can stand in our way"]),
    ],
    &[
        ("rain", &["I met {s} in the pouring rain", "Dancing with {s} in the rain", "Listen to the {a} rain"]),
        ("again", &["Bring me back to {s} again", "I want to feel {a} again", "Sing it for {s} once again"]),
        ("train", &[
            "Rolling along like a midnight train", "We followed {s} on the morning train",
            "I hear the call of a {a} train",
        ]),
        ("pain", &[
            "There's {n} even in the pain", "Nothing to lose and nothing but pain", "{s} will wash away the pain",
        ]),
    ],
    &[
        ("go", &["Everywhere that {s} may go", "Wherever you want, I will go", "It's a {a} place to go"]),
        ("know", &["There's one thing about {n} I know", "This is the only road I know", "Nobody else will ever know"]),
        ("slow", &[
            "The world around {s} turns slow", "Take my heart and take it slow", "Under {a} skies we move slow",
        ]),
        ("glow", &["I can see {s} start to glow", "All of the windows begin to glow", "Watching the {a} embers glow"]),
    ],
    &[
        ("fire", &[
            "There's {n} inside of the fire", "Your {a} eyes are full of fire", "We were dancing around the fire",
        ]),
        ("higher", &[
            "And {s} is lifting me higher", "Every step we are climbing higher", "Carry me up a little higher",
        ]),
        ("desire", &["{s} is all I desire", "A {a} and burning desire", "Nobody else knows my desire"]),
        ("wire", &["Walking with {s} on a wire", "My heart is a bird on a wire", "Singing along with the {a} wire"]),
    ],
    &[
        ("heart", &["I carry {s} in my heart", "You have a {a} kind of heart", "Listen to the beat of my heart"]),
        ("start", &[
            "Back to {s}, where we start", "Every end is a {a} start", "I knew that it was love from the start",
        ]),
        ("apart", &["Nothing can keep us apart", "{s} and I are never apart", "A {a} world is falling apart"]),
        ("part", &["And {n} was always a part", "You are my favorite part", "I never want us to part"]),
    ],
    &[
        ("sky", &["I saw {s} under the sky", "Paint your name across the sky", "Under a wide and {a} sky"]),
        ("high", &["We'll carry {s} up so high", "Hold your head up, hold it high", "On a {a} wind we're flying high"]),
        ("fly", &["Give {s} wings and it will fly", "Close your eyes and learn to fly", "A {a} heart is born to fly"]),
        ("goodbye", &["I never told {s} goodbye", "This isn't a {a} goodbye", "It's too soon to say goodbye"]),
    ],
    &[
        ("free", &["Oh, {s} has set me free", "A {a} heart is always free", "Open the door and let it be free"]),
        ("me", &["There's {s} waiting for me", "You were always there for me", "What a {a} feeling in me"]),
        ("see", &["And {s} is all that I see", "A {a} world for us to see", "Open your eyes and you will see"]),
        ("sea", &["Sailing with {s} out to sea", "Follow the river down to the sea", "Over the hills and the {a} sea"]),
    ],
    &[
        ("found", &["It was {s} that I found", "A {a} love that I found", "I was lost and now I am found"]),
        ("sound", &["I hear {s} in every sound", "Listen to that {a} sound", "The whole wide world is made of sound"]),
        ("around", &["With {s} always around", "Turn me, turn me, turn me around", "There's something {a} all around"]),
        ("ground", &[
            "With {s} I stand my ground", "My feet are barely touching the ground", "Footsteps on the {a} ground",
        ]),
    ],
    &[
        ("time", &["I dream of {s} all the time", "We are running out of time", "It was a {a} moment in time"]),
        ("mine", &["And {s} will always be mine", "I will be yours if you'll be mine", "A {a} heart just like mine"]),
        ("shine", &[
            "Let {s} rise up and shine", "Come out, come out, it's time to shine", "Even the {a} stars will shine",
        ]),
        ("line", &["There's {n} at the end of the line", "Meet me at the end of the line", "Living on a {a} line"]),
    ],
];

/// Adjectives by mood.
#[rustfmt::skip]
pub(super) const ADJECTIVES: [(&str, &[&str]); 15] = [
    ("happy", &["golden", "happy", "sunny"]),
    ("sad", &["lonely", "broken", "silent"]),
    ("dark", &["hollow", "bitter", "darker"]),
    ("calm", &["gentle", "quiet", "tender"]),
    ("energetic", &["electric", "burning", "restless"]),
    ("angry", &["furious", "bitter", "burning"]),
    ("romantic", &["tender", "velvet", "perfect"]),
    ("epic", &["mighty", "golden", "endless"]),
    ("mysterious", &["secret", "silver", "hidden"]),
    ("nostalgic", &["faded", "golden", "distant"]),
    ("dreamy", &["floating", "silver", "distant"]),
    ("playful", &["silly", "merry", "crazy"]),
    ("hopeful", &["brighter", "open", "golden"]),
    ("tense", &["restless", "breathless", "broken"]),
    ("", &["golden", "distant", "open"]),
];
