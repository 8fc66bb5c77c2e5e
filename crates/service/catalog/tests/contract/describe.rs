//! Models as clients see them, in full: those of the service's own contract.

#[test]
fn the_description_of_every_contract_model_equals_its_snapshot() {
    assert_eq!(crate::of_the_contract().count(), 14);
    for model in crate::of_the_contract() {
        insta::assert_json_snapshot!(model.slug.as_str(), model.describe());
    }
}

#[test]
fn a_description_names_the_vendor_and_the_licence() {
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
