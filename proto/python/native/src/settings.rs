//! The settings of games.

use std::sync::Arc;

use gamekeeper_learn::{Settings, Space};
use gamekeeper_rules::starts::Start;
use gamekeeper_rules::table::Detail;
use pyo3::exceptions::PyValueError;
use pyo3::{PyResult, pyclass, pymethods};

/// The settings of games.
#[pyclass(frozen, name = "Settings", module = "gamekeeper_native")]
pub(crate) struct NativeSettings {
    settings: Settings,
}

impl NativeSettings {
    /// Returns the settings of games of this space; without any, those of the plain game.
    pub(crate) fn settings_for(settings: Option<&Self>, space: &Space) -> Arc<Settings> {
        let settings = settings.map(|native| native.settings.clone());
        Arc::new(Settings {
            seats: space.seats(),
            ..settings.unwrap_or_default()
        })
    }
}

#[pymethods]
impl NativeSettings {
    #[new]
    #[pyo3(signature = (*, options=None, start="set_up", positions=None, detail="moves", max_versions=0, recall=false))]
    fn new(
        options: Option<&[u8]>,
        start: &str,
        positions: Option<Vec<Vec<u8>>>,
        detail: &str,
        max_versions: u64,
        recall: bool,
    ) -> PyResult<Self> {
        let start = match start {
            "set_up" => Start::SetUp,
            "rich" => Start::Rich,
            "late" => Start::Late,
            _ => return Err(unknown_name("start", start, "set_up, rich and late")),
        };
        let positions = positions.unwrap_or_default();
        if start != Start::SetUp && !positions.is_empty() {
            let text = "games begin on positions, or rich or late: not both";
            return Err(PyValueError::new_err(text));
        }
        let detail = match detail {
            "moves" => Detail::Moves,
            "all_payments" => Detail::AllPayments,
            _ => return Err(unknown_name("detail", detail, "moves and all_payments")),
        };
        let settings = Settings {
            seats: 0,
            options: options.unwrap_or_default().to_vec(),
            start,
            positions,
            detail,
            max_versions,
            recall,
        };
        Ok(Self { settings })
    }
}

fn unknown_name(what: &str, name: &str, available: &str) -> pyo3::PyErr {
    PyValueError::new_err(format!("no {what} {name:?}; there are {available}"))
}
