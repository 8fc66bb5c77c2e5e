//! Models as clients see them, in full: those of the service's own contract.

#[test]
fn every_model_of_the_contract_is_described_as_its_snapshot_says() {
    assert_eq!(crate::of_the_contract().count(), 14);
    for model in crate::of_the_contract() {
        insta::assert_json_snapshot!(model.slug.as_str(), model.describe());
    }
}

#[test]
fn a_model_says_who_made_it_and_what_its_weights_may_be_used_for() {
    let described = serde_json::to_value(crate::model("flux-1-dev").describe()).unwrap();
    let [vendor, hosting, license, upstream] =
        ["vendor", "hosting", "license", "upstream"].map(|name| &described[name]);
    assert_eq!(
        (vendor.as_str(), hosting.as_str()),
        (Some("Black Forest Labs"), Some("open-weights"))
    );
    assert_eq!(license["id"], "LicenseRef-FLUX-1-dev-Non-Commercial");
    assert_eq!(license["commercial"], "no");
    assert_eq!(
        upstream["huggingface"],
        serde_json::json!(["black-forest-labs/FLUX.1-dev"])
    );
    assert_eq!(upstream["diffusers"][0], "FluxPipeline");
}
