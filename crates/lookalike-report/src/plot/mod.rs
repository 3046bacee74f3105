//! Plots as inline SVG, and the skeleton of a self-contained HTML page.
//!
//! Colours are CSS classes only, so that one picture serves light screens, dark ones and paper. The same plot gives the
//! same bytes: coordinates are rounded to two decimals, and nothing depends on a clock or on the order of a hash map.
//! Widths of texts are estimated from above, and what would not fit is shortened, so no two texts overlap.

mod bars;
mod cell_map;
mod frame;
mod graph_layout;
mod graph_picture;
mod heat_map;
mod line_chart;
mod page;
mod scale;
mod scale_bar;
mod stretches;
mod style;
mod text;
mod track_map;

pub use bars::{Bar, BarRow, Bars};
pub use cell_map::CellMap;
pub use graph_picture::{GraphEdge, GraphGroup, GraphPicture};
pub use heat_map::HeatMap;
pub use line_chart::{LineChart, Mark, Series};
pub use page::{page, standalone};
pub use scale::Axis;
pub use stretches::{Stretch, Stretches};
pub use style::Style;
pub(crate) use text::allowed;
pub use track_map::{Track, TrackMap};
