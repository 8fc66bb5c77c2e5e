//! The request that some providers want before the actual one.

use std::collections::HashMap;

use atelier_domain::Failure;
use serde_json::Value;

use super::{
    HttpEngine,
    exchange::{ProviderRequest, Reply},
    fill,
    profile::{FollowUp, Method, Prepare},
};
use crate::{Context, Job, remote::unusable_answer};

impl HttpEngine {
    /// Does the request that must be done before, and returns the body of the actual one.
    pub(super) async fn prepared(
        &self,
        job: &Job,
        context: &Context,
        request: &ProviderRequest,
        how: &Prepare,
    ) -> Result<Value, Failure> {
        let [body, _] = self.templates(job)?;
        let (body, ..) = fill(job, request, None, HashMap::new(), [body, None, None]).await?;
        let mut first = ProviderRequest::new(request.request.clone());
        let not_json = || unusable_answer("the answer to its first request is not JSON");
        let Reply::Json(answer) = self.provider.prepare(&first, &how.path, body).await? else {
            return Err(not_json());
        };
        first.note(&self.provider.profile, &answer);
        self.wait(job, context, &first, Some(answer)).await?;
        let result = FollowUp {
            method: Method::Get,
            path: how.result.clone(),
        };
        let Reply::Json(result) = self.provider.result(&first, &result).await? else {
            return Err(not_json());
        };
        let body = result.pointer(&how.at).cloned();
        body.ok_or_else(|| unusable_answer("the result of its first request lacks the body of the next"))
    }
}
