//! The rules of the example `coin_dash`: their tests stand beside it.

#[path = "../examples/coin_dash.rs"]
#[allow(dead_code, reason = "the tests open no window")]
mod coin_dash;
