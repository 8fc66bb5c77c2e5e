//! The words for styles. One row for each style; phrases are matched longest first.

use super::meaning::Word;
use crate::style::Style;

pub(super) const STYLES: &[(&str, Word)] = &[
    (
        "photo|photograph|photography|photorealistic|realistic|photo like|hyperrealistic|photorealism|35mm|dslr|\
            film still|realism",
        Word::Style(Style::Photo),
    ),
    (
        "watercolor|watercolour|aquarelle|watercolor painting|watercolour painting|wash",
        Word::Style(Style::Watercolor),
    ),
    (
        "oil|oil painting|oil on canvas|impressionist|impressionism|impasto|painting|van gogh|monet|painterly|\
            acrylic|post impressionist|expressionist|baroque|renaissance",
        Word::Style(Style::Oil),
    ),
    (
        "gouache|gouache painting|tempera|storybook|children's book|picture book|illustration|concept art|\
            digital art|digital painting|matte painting",
        Word::Style(Style::Gouache),
    ),
    (
        "pencil|pencil drawing|pencil sketch|sketch|graphite|drawing|drawn|colored pencil|crayon",
        Word::Style(Style::Pencil),
    ),
    ("charcoal|charcoal drawing|chalk", Word::Style(Style::Charcoal)),
    (
        "ink|ink drawing|pen and ink|line art|line drawing|etching|engraving|ink wash|sumi e|calligraphy|manga|\
            brush and ink|woodcut",
        Word::Style(Style::Ink),
    ),
    (
        "woodblock|woodblock print|ukiyo e|hokusai|japanese print|linocut|block print|hiroshige|screen print|\
            lithograph",
        Word::Style(Style::Woodblock),
    ),
    (
        "pixel art|pixel|pixelated|8 bit|16 bit|8bit|16bit|retro game|pixels|sprite",
        Word::Style(Style::Pixel),
    ),
    (
        "low poly|lowpoly|polygonal|low poly art|polygon|3d render|faceted",
        Word::Style(Style::LowPoly),
    ),
    (
        "flat vector|vector|flat|flat design|vector art|flat illustration|vector illustration|minimal vector|\
            art deco|travel poster|clip art|icon",
        Word::Style(Style::Vector),
    ),
    (
        "isometric|isometry|isometric view|diorama|voxel|voxel art|isometric art",
        Word::Style(Style::Isometric),
    ),
    (
        "stained glass|stained glass window|leaded glass|mosaic",
        Word::Style(Style::Glass),
    ),
    (
        "neon|neon lights|neon sign|glow in the dark|neon light|tron",
        Word::Style(Style::Neon),
    ),
    (
        "halftone|pop art|popart|warhol|lichtenstein|comic|comic book|risograph|riso|cartoon|graphic novel",
        Word::Style(Style::Halftone),
    ),
    (
        "noir|film noir|high contrast black and white|sin city",
        Word::Style(Style::Noir),
    ),
    (
        "papercut|paper cut|cut paper|paper art|layered paper|paper craft|origami|collage|kirigami|paper",
        Word::Style(Style::Papercut),
    ),
    (
        "blueprint|technical drawing|schematic|cyanotype|architectural drawing",
        Word::Style(Style::Blueprint),
    ),
    (
        "pointillism|pointillist|stippled|dots|seurat|stipple",
        Word::Style(Style::Points),
    ),
    (
        "pastel drawing|soft pastel|oil pastel|pastel painting|degas",
        Word::Style(Style::Pastel),
    ),
];
