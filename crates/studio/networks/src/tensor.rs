//! Numbers in a shape, as graphs take and give them.

use rten::{Value, ValueView};
use rten_tensor::prelude::*;

use crate::NetworkError;

/// The numbers of a tensor in row-major order.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    F32(Vec<f32>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
}

/// A tensor. The product of its shape is the number of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    pub shape: Vec<usize>,
    pub values: Values,
}

impl Tensor {
    pub fn f32(shape: &[usize], values: Vec<f32>) -> Self {
        Self {
            shape: shape.to_vec(),
            values: Values::F32(values),
        }
    }

    pub fn i64(shape: &[usize], values: Vec<i64>) -> Self {
        Self {
            shape: shape.to_vec(),
            values: Values::I64(values),
        }
    }

    pub fn u8(shape: &[usize], values: Vec<u8>) -> Self {
        Self {
            shape: shape.to_vec(),
            values: Values::U8(values),
        }
    }

    /// The values as 32-bit floats, whatever their type.
    pub fn into_f32(self) -> Vec<f32> {
        match self.values {
            Values::F32(values) => values,
            Values::I32(values) => values.into_iter().map(|v| v as f32).collect(),
            Values::I64(values) => values.into_iter().map(|v| v as f32).collect(),
            Values::U8(values) => values.into_iter().map(f32::from).collect(),
        }
    }

    /// As the runtime takes it. It has no 64-bit integers and uses 32-bit ones in their place.
    pub(crate) fn into_value(self, name: &str) -> Result<Value, NetworkError> {
        let (shape, wrong) = (&self.shape, || NetworkError::Shape {
            name: name.to_owned(),
            shape: self.shape.clone(),
        });
        match self.values {
            Values::F32(values) => Value::from_shape(shape, values).map_err(|_| wrong()),
            Values::I32(values) => Value::from_shape(shape, values).map_err(|_| wrong()),
            Values::U8(values) => Value::from_shape(shape, values).map_err(|_| wrong()),
            Values::I64(values) => {
                let narrow = |value: i64| {
                    i32::try_from(value).map_err(|_| NetworkError::Range {
                        name: name.to_owned(),
                        value,
                    })
                };
                let values = values.into_iter().map(narrow).collect::<Result<Vec<_>, _>>()?;
                Value::from_shape(shape, values).map_err(|_| wrong())
            }
        }
    }

    pub(crate) fn from_value(value: &Value, name: &str) -> Result<Self, NetworkError> {
        let (shape, values) = match value.as_view() {
            ValueView::FloatTensor(view) => (view.shape().to_vec(), Values::F32(view.to_vec())),
            ValueView::Int32Tensor(view) => (view.shape().to_vec(), Values::I32(view.to_vec())),
            ValueView::UInt8Tensor(view) => (view.shape().to_vec(), Values::U8(view.to_vec())),
            ValueView::Int8Tensor(view) => {
                let values = view.iter().map(|v| i32::from(*v)).collect();
                (view.shape().to_vec(), Values::I32(values))
            }
            _ => return Err(NetworkError::Sequence(name.to_owned())),
        };
        Ok(Self { shape, values })
    }
}
