//! The values that a template asks for from a job.

use serde::Deserialize;
use serde_json::Value;

/// How a file reaches the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum As {
    /// The field's value: for a file, the address that the client gave.
    #[default]
    Value,
    /// A data URL with the file's bytes.
    Data,
    /// The file's bytes in Base64.
    Base64,
    /// A part of the form.
    File,
    /// The address that the provider returned for the upload.
    Upload,
}

/// The source of a template's values.
pub trait Source {
    /// The value of a parameter, or of a derived field, whose name starts with `$`.
    fn field(&self, name: &str) -> Option<Value>;
    /// The names of the parameters that the job has.
    fn names(&self) -> Vec<String>;
    /// The file at `index` of a field, in the form that a request takes. `None` if the field has fewer files.
    fn file(&self, name: &str, index: usize, form: As) -> Option<Value>;
    /// The size or the shape that the job asks for, or that of its first picture.
    fn shape(&self) -> Option<Shape> {
        None
    }
    /// Whether the client chose the value of a field, which is more than the model's default.
    fn is_chosen(&self, _name: &str) -> bool {
        true
    }
    /// Notes that another value is sent than the job asks for.
    fn changed(&self, _name: &str, _asked: &Value, _sent: &Value) {}
}

/// A part of a job that a template takes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Taken<'a> {
    Field(&'a str),
    /// All files of a field.
    Files(&'a str),
    /// One file of a field.
    FileAt(&'a str, usize),
    /// Its size.
    Size,
}

/// The size or the shape that a job asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Width and height in pixels.
    Exact(u64, u64),
    /// Width divided by height.
    Ratio(f64),
}
