//! The catalog of models as data: one TOML file per model gives validation, JSON Schema, price, the names
//! of its fields and their help. Pure: it reads files when it is loaded and nothing afterwards.

mod argument;
mod body;
mod check;
mod compile;
mod describe;
mod error;
mod file;
mod files;
mod input;
mod language;
mod load;
mod model;
mod openai;
mod origin;
mod parameter;
mod price;
mod price_table;
mod problem;
mod rule;
mod rule_check;
mod schema;
mod sentence;
mod similar;
mod standard;
mod task;
mod value;

pub use body::parse_body;
pub use check::Checked;
pub use describe::{Description, Summary};
pub use error::CatalogError;
pub use input::InputUrl;
pub use load::Catalog;
pub use model::{CatalogRoute, Limits, Model, ModelType, OpenAi};
pub use origin::{Commercial, Hosting, License, Place, Upstream};
pub use parameter::{FileRules, Format, Parameter, ParameterType, Role};
pub use price::{Pricing, Unit};
pub use price_table::PriceTable;
pub use problem::Problem;
pub use similar::{did_you_mean, similar};
pub use task::Task;
