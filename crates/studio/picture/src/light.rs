//! Light: the time of day, the weather and the season as colours. One light per picture; everything is lit by it.

use crate::chance::Rng;
use atelier_retouch::rgb::{Rgb, WHITE};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    Dawn,
    Morning,
    Day,
    Golden,
    Sunset,
    Dusk,
    Night,
}

impl Time {
    /// The name that metadata uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dawn => "dawn",
            Self::Morning => "morning",
            Self::Day => "day",
            Self::Golden => "golden",
            Self::Sunset => "sunset",
            Self::Dusk => "dusk",
            Self::Night => "night",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weather {
    Clear,
    Cloudy,
    Overcast,
    Rain,
    Storm,
    Snow,
    Fog,
}

impl Weather {
    /// The name that metadata uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Cloudy => "cloudy",
            Self::Overcast => "overcast",
            Self::Rain => "rain",
            Self::Storm => "storm",
            Self::Snow => "snow",
            Self::Fog => "fog",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

impl Season {
    /// The name that metadata uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spring => "spring",
            Self::Summer => "summer",
            Self::Autumn => "autumn",
            Self::Winter => "winter",
        }
    }
}

/// Everything that drawing a thing needs to know about the light at its place.
#[derive(Debug, Clone)]
pub struct Light {
    pub time: Time,
    pub weather: Weather,
    pub season: Season,
    /// The sky from the zenith to the horizon.
    pub sky: [Rgb; 4],
    pub sun: Rgb,
    /// The light on surfaces that face it, and the ambient light.
    pub key: Rgb,
    pub ambient: Rgb,
    pub haze: Rgb,
    /// How fast things fade into the haze.
    pub thickness: f32,
    /// 0 by day to 1 by night.
    pub dark: f32,
    /// Clouds, 0 to 1.
    pub cover: f32,
    /// The direction to the light: right, down, to the viewer.
    pub toward: (f32, f32, f32),
    /// The position of the sun or the moon, as shares of the frame's width and height.
    pub disc: (f32, f32),
    /// Plain colours without grain, in two tones: posters, paper, glass.
    pub flat: bool,
    /// Octaves beyond those of one megapixel.
    pub extra: u32,
}

impl Light {
    pub fn new(time: Time, weather: Weather, season: Season, rng: &mut Rng) -> Self {
        let h = Rgb::hex;
        let (sky, sun, key, ambient, haze, dark, height) = match time {
            Time::Dawn => (
                [h(0x4a_6a_9c), h(0x8f_9a_c4), h(0xe9_b9_ae), h(0xff_dd_b4)],
                h(0xff_e3_b0),
                Rgb(0.88, 0.64, 0.48),
                Rgb(0.52, 0.52, 0.64),
                h(0xe6_c3_bb),
                0.15,
                0.1,
            ),
            Time::Morning => (
                [h(0x47_83_c4), h(0x82_b2_de), h(0xbf_da_ea), h(0xf6_ec_d6)],
                h(0xff_f3_cc),
                Rgb(0.78, 0.7, 0.52),
                Rgb(0.5, 0.56, 0.66),
                h(0xd6_e2_e8),
                0.0,
                0.35,
            ),
            Time::Day => (
                [h(0x2b_6c_b6), h(0x56_96_d4), h(0x98_c5_e8), h(0xdc_ed_f3)],
                h(0xff_fa_e0),
                Rgb(0.7, 0.66, 0.56),
                Rgb(0.5, 0.55, 0.62),
                h(0xc4_da_e8),
                0.0,
                0.6,
            ),
            Time::Golden => (
                [h(0x5a_80_b0), h(0xa6_b2_ba), h(0xf2_c8_86), h(0xff_e0_9c)],
                h(0xff_ec_b0),
                Rgb(0.98, 0.7, 0.36),
                Rgb(0.48, 0.46, 0.52),
                h(0xf2_cd_96),
                0.1,
                0.16,
            ),
            Time::Sunset => (
                [h(0x33_3c_78), h(0x86_58_90), h(0xe8_74_5c), h(0xff_c0_6a)],
                h(0xff_dc_8c),
                Rgb(0.98, 0.54, 0.32),
                Rgb(0.42, 0.37, 0.48),
                h(0xe4_98_78),
                0.3,
                0.07,
            ),
            Time::Dusk => (
                [h(0x1e_2c_5c), h(0x45_4d_88), h(0x9a_72_9e), h(0xf0_ab_8e)],
                h(0xff_cf_a0),
                Rgb(0.52, 0.42, 0.5),
                Rgb(0.36, 0.37, 0.53),
                h(0xa8_88_a6),
                0.62,
                0.03,
            ),
            Time::Night => (
                [h(0x07_0e_26), h(0x0f_1d_42), h(0x1d_35_65), h(0x38_58_86)],
                h(0xf4_f2_e0),
                Rgb(0.3, 0.36, 0.5),
                Rgb(0.2, 0.25, 0.4),
                h(0x2c_48_76),
                1.0,
                0.6,
            ),
        };
        let side = rng.sign();
        let across = 0.5 + side * rng.range(0.14, 0.32);
        let low = height < 0.2;
        let mut light = Self {
            time,
            weather,
            season,
            sky,
            sun,
            key,
            ambient,
            haze,
            thickness: 0.55,
            dark,
            cover: rng.range(0.3, 0.5),
            toward: (
                side * if low { 0.78 } else { 0.62 },
                if low { -0.3 } else { -0.6 },
                0.5,
            ),
            disc: (across, height + rng.near(0.0, 0.04)),
            flat: false,
            extra: 0,
        };
        light.add_weather();
        light
    }

    fn add_weather(&mut self) {
        let (grey, cover, thickness) = match self.weather {
            Weather::Clear => (0.0, self.cover, self.thickness),
            Weather::Cloudy => (0.12, 0.62, 0.6),
            Weather::Overcast => (0.6, 0.85, 0.75),
            Weather::Rain => (0.62, 0.8, 0.85),
            Weather::Storm => (0.72, 0.9, 0.75),
            Weather::Snow => (0.42, 0.72, 0.8),
            Weather::Fog => (0.45, 0.3, 1.35),
        };
        let veil = match self.weather {
            Weather::Storm => Rgb::hex(0x4a_52_60),
            Weather::Rain => Rgb::hex(0x7c_8a_98),
            Weather::Snow | Weather::Fog => Rgb::hex(0xc8_d0_d8),
            _ => Rgb::hex(0xa8_b2_bc),
        };
        // By night a veil is no brighter than the sky it hides.
        let veil = veil
            .times(WHITE.mix(Rgb(0.26, 0.32, 0.46), self.dark))
            .mix(self.sky[2], 0.25);
        for stop in &mut self.sky {
            *stop = stop.mix(veil, grey);
        }
        self.haze = self.haze.mix(veil, grey);
        self.key = self
            .key
            .mix(Rgb(0.42, 0.44, 0.48).scale(1.0 - 0.5 * self.dark), grey);
        self.ambient = self.ambient.mix(veil.scale(0.85), grey * 0.5);
        if self.weather == Weather::Storm {
            self.sky = self.sky.map(|stop| stop.scale(0.62));
            self.haze = self.haze.scale(0.66);
            self.ambient = self.ambient.scale(0.78);
            self.dark = self.dark.max(0.3);
        }
        self.cover = cover;
        self.thickness = thickness;
    }

    /// A surface of this colour, `facing` the light from 0 (turned away) to 1.
    #[inline]
    pub fn lit(&self, base: Rgb, facing: f32) -> Rgb {
        base.times(self.ambient.plus(self.key.scale(facing)))
    }

    /// A colour seen from a distance: `depth` 0 is here, 1 the horizon.
    #[inline]
    pub fn far(&self, color: Rgb, depth: f32) -> Rgb {
        let t = 1.0 - (-self.thickness * depth * depth * 2.6).exp();
        color.mix(self.haze, t.min(0.96))
    }

    /// Whether lamps are lit.
    pub fn lamps(&self) -> bool {
        self.dark > 0.25 || matches!(self.weather, Weather::Storm | Weather::Fog)
    }

    pub fn snowy(&self) -> bool {
        self.season == Season::Winter || self.weather == Weather::Snow
    }

    pub fn wet(&self) -> bool {
        matches!(self.weather, Weather::Rain | Weather::Storm)
    }

    /// Leaves of the season.
    pub fn leaf(&self, rng: &mut Rng) -> Rgb {
        let of: &[u32] = match self.season {
            Season::Spring => &[0x7f_b2_4a, 0x94_c1_5a, 0x6a_a5_4c],
            Season::Summer => &[0x4f_8a_3c, 0x5f_96_3e, 0x3f_7a_3c],
            Season::Autumn => &[0xd9_7b_29, 0xc8_4f_26, 0xe0_a0_33, 0xb8_3c_2a],
            Season::Winter => &[0x6f_7f_6a, 0x7d_86_70],
        };
        Rgb::hex(rng.pick(of)).shift(rng.near(0.0, 6.0), rng.near(0.0, 0.03))
    }

    /// Grass and open ground of the season.
    pub fn grass(&self) -> Rgb {
        if self.snowy() {
            return Rgb::hex(0xe8_ee_f4);
        }
        Rgb::hex(match self.season {
            Season::Spring => 0x8a_b8_52,
            Season::Summer => 0x79_a0_48,
            Season::Autumn => 0xb0_96_4c,
            Season::Winter => 0x98_98_70,
        })
    }
}
