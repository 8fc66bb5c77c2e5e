//! `GET /balance`.

use atelier_app::App;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{envelope::Data, error::ApiError, gate::Authenticated};

/// The credits that the account can still spend.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Balance {
    /// The total, minus the credits held for unfinished jobs.
    #[schema(example = 940)]
    pub credits: i64,
}

/// Returns the account's credits.
#[utoipa::path(get, path = "/balance", operation_id = "get_balance", tag = "Account", responses((status = 200,
    description = "The credits.", body = Data<Balance>)))]
pub(crate) async fn balance(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
) -> Result<Data<Balance>, ApiError> {
    let credits = app.balance(&caller)?;
    Ok(Data {
        data: Balance { credits },
    })
}
