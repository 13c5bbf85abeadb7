//! Small policies that have learned nothing, for tests: their scores follow from a number and from what they see.

use std::io::Error;
use std::path::{Path, PathBuf};

use gamekeeper_learn::Space;

use crate::manifest::layout;

/// The element type of numbers of 4 bytes, in the words of the format.
const FLOAT: u64 = 1;

/// A policy to be written.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The number from which the scores follow: policies with different numbers choose differently.
    pub number: u32,
    /// The temperature.
    pub temperature: f32,
}

impl Sample {
    /// Writes the two files of this policy into a folder, for a space. Returns the path of the network.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(self, folder: &Path, name: &str, space: &Space) -> Result<PathBuf, Error> {
        let manifest = serde_json::json!({
            "ruleset": space.ruleset(),
            "seats": space.seats(),
            "layout": layout(space.version()),
            "temperature": self.temperature,
            "description": "Has learned nothing",
        });
        let path = folder.join(name).with_extension("onnx");
        std::fs::write(path.with_extension("json"), manifest.to_string())?;
        std::fs::write(
            &path,
            self.network(space.cells().len(), space.words().len()),
        )?;
        Ok(path)
    }

    /// Encodes the network: scores = (cells × seen) × said + habit, in the format ONNX.
    fn network(self, cells: usize, words: usize) -> Vec<u8> {
        let [seen, said, habit] = [1, 2, 3].map(|part| {
            let luck = self.number.wrapping_mul(3).wrapping_add(part);
            move |at: u32| noise(at, luck)
        });
        let graph = [
            field(1, &node("MatMul", ["cells", "seen"], "feeling")),
            field(1, &node("MatMul", ["feeling", "said"], "wish")),
            field(1, &node("Add", ["wish", "habit"], "scores")),
            field(2, b"sample"),
            field(5, &tensor("seen", [cells, 1], seen)),
            field(5, &tensor("said", [1, words], said)),
            field(5, &tensor("habit", [1, words], habit)),
            field(11, &value("cells", cells)),
            field(12, &value("scores", words)),
        ];
        let opset = [number(2, 13)].concat();
        [number(1, 8), field(7, &graph.concat()), field(8, &opset)].concat()
    }
}

/// Returns a number from -1 to 1 that looks random.
fn noise(at: u32, luck: u32) -> f32 {
    let mixed = (at ^ luck.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    let small = u16::try_from(mixed >> 16).unwrap_or(0);
    f32::from(small) / 32_768.0 - 1.0
}

fn node(operator: &str, inputs: [&str; 2], output: &str) -> Vec<u8> {
    let inputs = inputs.map(|input| field(1, input.as_bytes())).concat();
    [
        inputs,
        field(2, output.as_bytes()),
        field(4, operator.as_bytes()),
    ]
    .concat()
}

fn tensor(name: &str, shape: [usize; 2], entry: impl Fn(u32) -> f32) -> Vec<u8> {
    let count = u32::try_from(shape[0] * shape[1]).unwrap_or(0);
    let raw: Vec<u8> = (0..count).flat_map(|at| entry(at).to_le_bytes()).collect();
    let shape = shape.map(|size| number(1, size as u64)).concat();
    [
        shape,
        number(2, FLOAT),
        field(8, name.as_bytes()),
        field(9, &raw),
    ]
    .concat()
}

/// Encodes the type of an input or output: rows of numbers, as many as the caller likes.
fn value(name: &str, columns: usize) -> Vec<u8> {
    let rows = field(1, &field(2, b"rows"));
    let columns = field(1, &number(1, columns as u64));
    let shape = field(2, &[rows, columns].concat());
    let numbers = field(1, &[number(1, FLOAT), shape].concat());
    [field(1, name.as_bytes()), field(2, &numbers)].concat()
}

/// Encodes a field of a protobuf message that holds bytes.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    [
        vec![tag << 3 | 2],
        varint(bytes.len() as u64),
        bytes.to_vec(),
    ]
    .concat()
}

/// Encodes a field of a protobuf message that holds a number.
fn number(tag: u8, value: u64) -> Vec<u8> {
    [vec![tag << 3], varint(value)].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(value & 0x7f).unwrap_or(0);
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}
