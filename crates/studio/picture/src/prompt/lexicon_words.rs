//! The words themselves. One row for each meaning; phrases are matched longest first, singular and plural.

use super::meaning::{Camera, Mood, Palette, Place, Relation, Terrain, Word};
use crate::light::{Season, Time, Weather};

pub(super) const WORDS: &[(&str, Word)] = &[
    // Time of day.
    (
        "dawn|sunrise|daybreak|first light|at dawn|sun rises|rising sun",
        Word::Time(Time::Dawn),
    ),
    ("morning|early morning|midmorning", Word::Time(Time::Morning)),
    (
        "day|noon|midday|daylight|daytime|afternoon|sunlit|sunny day|sunshine",
        Word::Time(Time::Day),
    ),
    (
        "golden hour|late afternoon|golden light|evening sun|evening light|golden evening",
        Word::Time(Time::Golden),
    ),
    (
        "sunset|sundown|evening|setting sun|sun sets",
        Word::Time(Time::Sunset),
    ),
    (
        "dusk|twilight|blue hour|nightfall|gloaming",
        Word::Time(Time::Dusk),
    ),
    (
        "night|midnight|nighttime|starry night|at night|moonlit|moonlight|starry|starry sky|starlight|stars|\
            night sky|under the stars",
        Word::Time(Time::Night),
    ),
    // Weather.
    (
        "clear|clear sky|cloudless|sunny|bright sky|blue sky",
        Word::Weather(Weather::Clear),
    ),
    (
        "cloud|cloudy|clouds|cloudscape|windy|breezy|wind|fluffy clouds",
        Word::Weather(Weather::Cloudy),
    ),
    (
        "overcast|grey sky|gray sky|dull",
        Word::Weather(Weather::Overcast),
    ),
    (
        "rain|rainy|raining|drizzle|wet|downpour|in the rain|showers",
        Word::Weather(Weather::Rain),
    ),
    (
        "storm|stormy|thunder|thunderstorm|lightning|tempest|storm clouds",
        Word::Weather(Weather::Storm),
    ),
    (
        "snowing|snowfall|snowstorm|blizzard|falling snow|snowflakes",
        Word::Weather(Weather::Snow),
    ),
    (
        "fog|foggy|mist|misty|haze|hazy|in the fog|morning mist",
        Word::Weather(Weather::Fog),
    ),
    // Seasons.
    ("spring|springtime|blossoming", Word::Season(Season::Spring)),
    ("summer|summertime", Word::Season(Season::Summer)),
    (
        "autumn|fall|autumnal|october|fall colors|autumn leaves|fall foliage",
        Word::Season(Season::Autumn),
    ),
    (
        "winter|wintry|snowy|snow|snow covered|snow capped|frozen|icy|frost|frosty|december|christmas",
        Word::Season(Season::Winter),
    ),
    // Land and water.
    (
        "mountain|mountain range|alps|peak|summit|alpine|mountainous|mount|ridge|himalayas",
        Word::Terrain(Terrain::Mountains),
    ),
    (
        "hill|hillside|rolling hill|hilly|highland|hilltop|countryside|valley",
        Word::Terrain(Terrain::Hills),
    ),
    (
        "forest|wood|woods|woodland|jungle|grove|taiga|rainforest|pine forest",
        Word::Terrain(Terrain::Forest),
    ),
    (
        "meadow|grassland|prairie|pasture|grass|lawn|park|savanna|savannah|steppe",
        Word::Terrain(Terrain::Meadow),
    ),
    (
        "wildflower|flower field|flower meadow|field of flowers|lavender field|poppy field|tulip field|blooming meadow",
        Word::Terrain(Terrain::Flowers),
    ),
    (
        "field|farmland|wheat field|cornfield|plain|farm field|rice paddy|barley field",
        Word::Terrain(Terrain::Field),
    ),
    (
        "desert|dune|sand dune|sahara|sands|wasteland",
        Word::Terrain(Terrain::Desert),
    ),
    (
        "beach|shore|seashore|coast|coastline|sandy beach|seaside|bay",
        Word::Terrain(Terrain::Beach),
    ),
    (
        "harbor|harbour|marina|port|quay|pier|dock",
        Word::Terrain(Terrain::Harbor),
    ),
    (
        "sea|ocean|open sea|high seas|waves|wave|water|surf",
        Word::Terrain(Terrain::Sea),
    ),
    (
        "lake|pond|lagoon|reservoir|mountain lake|fjord|loch",
        Word::Terrain(Terrain::Lake),
    ),
    (
        "river|stream|creek|brook|canal|riverside",
        Word::Terrain(Terrain::River),
    ),
    ("waterfall|cascade|falls", Word::Terrain(Terrain::Waterfall)),
    (
        "cliff|sea cliff|crag|bluff|headland|cape|promontory|rocky coast",
        Word::Terrain(Terrain::Cliff),
    ),
    (
        "island|isle|islet|archipelago|atoll",
        Word::Terrain(Terrain::Island),
    ),
    ("volcano|erupting volcano", Word::Terrain(Terrain::Volcano)),
    ("canyon|gorge|mesa|badlands|butte", Word::Terrain(Terrain::Canyon)),
    (
        "city|skyline|cityscape|city skyline|downtown|metropolis|megacity|urban|skyscraper|city street|street|\
            neon city|manhattan|new york|tokyo",
        Word::Terrain(Terrain::City),
    ),
    (
        "village|town|hamlet|small town|old town",
        Word::Terrain(Terrain::Village),
    ),
    (
        "road|highway|country road|lane|route",
        Word::Terrain(Terrain::Road),
    ),
    (
        "path|trail|footpath|walkway|winding path|track",
        Word::Terrain(Terrain::Path),
    ),
    (
        "garden|yard|backyard|flower garden|orchard",
        Word::Terrain(Terrain::Garden),
    ),
    (
        "snowfield|tundra|arctic|antarctica|glacier|ice field|north pole|polar",
        Word::Terrain(Terrain::Snowfield),
    ),
    // Places.
    (
        "table|on a table|desk|tabletop|wooden table|still life|kitchen|counter|picnic|breakfast|dinner",
        Word::Place(Place::Table),
    ),
    (
        "room|indoors|interior|inside|living room|bedroom|studio|cafe|library|at home",
        Word::Place(Place::Room),
    ),
    (
        "wall|brick wall|against a wall|on a wall|alley",
        Word::Place(Place::Wall),
    ),
    (
        "space|outer space|deep space|cosmos|galaxy|universe|nebula|milky way|stars and planets|cosmic",
        Word::Place(Place::Space),
    ),
    (
        "lunar surface|on the moon|moonscape|lunar",
        Word::Place(Place::Moon),
    ),
    (
        "underwater|under the sea|undersea|coral reef|reef|seabed|deep sea|sea floor|aquarium",
        Word::Place(Place::Underwater),
    ),
    (
        "in the sky|sky|heaven|above the clouds|over the clouds|sea of clouds|among the clouds",
        Word::Place(Place::Sky),
    ),
    (
        "poster|title|book cover|logo|banner|sign|headline|typography|lettering|greeting card|card|cover",
        Word::Place(Place::Poster),
    ),
    (
        "abstract|abstraction|abstract art|nonfigurative|geometric|pattern|generative|swirl|shapes|fractal|flow",
        Word::Place(Place::Abstract),
    ),
    (
        "portrait|headshot|bust|face|portrait of",
        Word::Place(Place::Portrait),
    ),
    // Mood.
    (
        "calm|peaceful|serene|quiet|tranquil|sense of calm|serenity|gentle|soft|still|zen|minimal|minimalist|\
            relaxing|peace|silence",
        Word::Mood(Mood::Calm),
    ),
    (
        "happy|joyful|cheerful|playful|joy|cute|fun|happiness|lively|whimsical",
        Word::Mood(Mood::Joyful),
    ),
    (
        "gloomy|sad|melancholy|melancholic|lonely|bleak|somber|sombre|sorrow|desolate|loneliness|grief",
        Word::Mood(Mood::Gloomy),
    ),
    (
        "dramatic|epic|majestic|grand|powerful|cinematic|intense|awe",
        Word::Mood(Mood::Dramatic),
    ),
    (
        "dreamy|dreamlike|surreal|ethereal|magical|fantasy|enchanted|fairytale|romantic|dream|magic|hope",
        Word::Mood(Mood::Dreamy),
    ),
    (
        "mysterious|eerie|spooky|haunted|moody|creepy|mystery|scary|dark mood|fear",
        Word::Mood(Mood::Mysterious),
    ),
    (
        "cozy|cosy|homely|inviting|comfort|comfortable",
        Word::Mood(Mood::Cozy),
    ),
    (
        "energetic|dynamic|bold|energy|chaos|chaotic|wild|explosive|anger|motion|movement|speed|fast",
        Word::Mood(Mood::Energetic),
    ),
    // Camera.
    (
        "wide|wide angle|panorama|panoramic|landscape|vista|wide shot|establishing shot|distant|far away|\
            in the distance|scenery|view",
        Word::Camera(Camera::Wide),
    ),
    (
        "close up|closeup|close|macro|detail|close shot|detailed view|zoomed in",
        Word::Camera(Camera::Close),
    ),
    (
        "aerial|bird's eye|birds eye view|bird eye view|from above|top view|drone|drone shot|aerial view|overhead",
        Word::Camera(Camera::Aerial),
    ),
    (
        "low angle|from below|worm's eye|looking up|worms eye view",
        Word::Camera(Camera::Low),
    ),
    (
        "in profile|profile|side view|from the side",
        Word::Camera(Camera::Profile),
    ),
    // Palettes.
    (
        "pastel|pastels|pastel colors|pale|light colors|pastel palette",
        Word::Palette(Palette::Pastel),
    ),
    (
        "monochrome|monochromatic|black and white|b w|greyscale|grayscale|colorless|colourless|bw",
        Word::Palette(Palette::Monochrome),
    ),
    (
        "sepia|vintage|retro|old photograph|antique|nostalgic|aged|faded",
        Word::Palette(Palette::Sepia),
    ),
    (
        "vivid|vibrant|colorful|colourful|saturated|rainbow|bright colors|rich colors|psychedelic|multicolored",
        Word::Palette(Palette::Vivid),
    ),
    (
        "muted|desaturated|earthy|subdued|earth tones|neutral",
        Word::Palette(Palette::Muted),
    ),
    (
        "warm|warm colors|warm light|warm tones",
        Word::Palette(Palette::Warm),
    ),
    (
        "cool|cold|cool tones|cool colors|chilly|cold light",
        Word::Palette(Palette::Cool),
    ),
    (
        "dark|dim|shadowy|low key|dark colors",
        Word::Palette(Palette::Dark),
    ),
    (
        "bright|luminous|high key|light filled|radiant|airy|glowing",
        Word::Palette(Palette::Bright),
    ),
    (
        "vaporwave|synthwave|retrowave|outrun|cyberpunk|futuristic",
        Word::Palette(Palette::Vapor),
    ),
    // Counts.
    ("one|single|lone|solitary", Word::Count(1)),
    (
        "two|pair of|a pair of|couple of|a couple of|twin|both",
        Word::Count(2),
    ),
    ("three|trio of|few|a few|some|three of", Word::Count(3)),
    ("four", Word::Count(4)),
    ("five|several|group of|a group of|bunch of", Word::Count(5)),
    ("six|half a dozen", Word::Count(6)),
    ("seven", Word::Count(7)),
    (
        "eight|many|lots of|a lot of|row of|rows of|line of",
        Word::Count(8),
    ),
    (
        "nine|flock of|herd of|school of|fleet of|swarm of|crowd of|pack of",
        Word::Count(9),
    ),
    ("ten", Word::Count(10)),
    ("eleven", Word::Count(11)),
    (
        "twelve|dozen|a dozen|dozens of|countless|hundreds of",
        Word::Count(12),
    ),
    ("twenty", Word::Count(20)),
    // Sizes.
    ("tiny|miniature|minuscule", Word::Size(0.5)),
    ("small|little|short|young|baby", Word::Size(0.7)),
    ("big|large|tall|great|long|wide open|fat", Word::Size(1.35)),
    (
        "huge|giant|enormous|massive|towering|gigantic|colossal|immense",
        Word::Size(1.75),
    ),
    // Relations.
    (
        "on|upon|on top of|atop|sitting on|standing on|perched on|resting on|lying on",
        Word::Relation(Relation::On),
    ),
    (
        "in|into|within|at|among|through|inside of|amid|surrounded by|in the middle of",
        Word::Relation(Relation::In),
    ),
    ("under|below|beneath|underneath", Word::Relation(Relation::Under)),
    (
        "above|over|flying over|hovering over|flying above|hovering above|floating above|floating over",
        Word::Relation(Relation::Above),
    ),
    ("behind|in back of", Word::Relation(Relation::Behind)),
    (
        "in front of|before|in the foreground|standing in front of",
        Word::Relation(Relation::Before),
    ),
    (
        "left of|to the left of|on the left of|on the left",
        Word::Relation(Relation::Left),
    ),
    (
        "right of|to the right of|on the right of|on the right",
        Word::Relation(Relation::Right),
    ),
    (
        "beside|next to|near|by|alongside|close to|between|around|along",
        Word::Relation(Relation::Beside),
    ),
    (
        "reflected in|reflecting in|mirrored in|reflection|reflections|reflecting",
        Word::Relation(Relation::ReflectedIn),
    ),
    (
        "leaning on|leaning against|leaning at|against|propped against",
        Word::Relation(Relation::LeaningOn),
    ),
    // Negation.
    ("remove|delete|erase|take away|get rid of", Word::Not),
    ("add|insert|include|put in|adding", Word::Add),
    (
        "no|without|not|none|nor|never|excluding|free of|without any|minus",
        Word::Not,
    ),
    // Words without a visible meaning.
    (
        "a|an|the|of|and|or|with|that|this|is|are|says|saying|reading|reads|text|words|word|to|from|for|it|its|his|\
            her|their|my|our|i|we|you|he|she|they|there|as|like|very|really|image|picture|artwork|art|style|styled|\
            in the style of|print|scene|show|showing|shows|depicting|featuring|having|has|some of|all|both of|each|\
            so|just|only|please|make it|make|change|turn|turn it into|convert|restyle|edit|apply|this picture|\
            this image|it look|look|add to it|put|reference|first|second|create|generate|draw|paint|render|painted|\
            rendered|depict|beautiful|lovely|nice|pretty|stunning|amazing|gorgeous|masterpiece|best|quality|\
            high quality|highly detailed|detailed|intricate|4k|8k|hd|uhd|award winning|trending|sharp|focus|hour|\
            time|light|lights|lighting|color|colors|colour|colours|colored|coloured|palette|tones|tone|background|\
            foreground|backdrop|old|ancient|new|modern|classic|traditional|rustic|weathered|medieval|sense|feeling|\
            mood|atmosphere|atmospheric|being|floating|flying|sailing|swimming|running|walking|standing|sitting|\
            lying|sleeping|looking|playing|drifting|glowing softly|shining|growing|blooming|rising|falling|setting|\
            moving|riding|holding|wearing|driving|parked|moored|anchored|filled|full|full of|covered|made|lit|\
            which|while|where|when|who|out|up|down|off|away|across|toward|towards|onto|top|bottom|side|middle|\
            center|centre|edge|front|back|left|right|one of|branch of|branches of|branch|roof of|the roof|top of|\
            kind of|type|set|open|simple|elegant|fresh|ripe|delicious|tasty|hot|steaming|wild animal|animal|thing|\
            object|view of|distance|tall one|at the|composition|design|graphic|effect|version|variation|shot|angle|\
            lens|film|camera|exposure|shallow depth of field|depth of field|bokeh|hand drawn|beautifully|lots|bit|\
            against the|against a|same|other|another|every|any|no one|upon a|be|was|were|can|will|would|do|does|\
            not only|if|but|than|then|too|also|more|most|less|least|much|such|own",
        Word::Filler,
    ),
];
