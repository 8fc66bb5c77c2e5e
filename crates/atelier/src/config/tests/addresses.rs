//! Addresses: of proxies that are trusted, and of the listener for callbacks.

use super::Place;

#[test]
fn trusted_proxies_are_networks_and_addresses_and_none_by_default() {
    let config = Place::new().load(&[]).unwrap();
    assert_eq!(config.trusted_proxies, []);
    let place = Place::with_file("[server]\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\n");
    let config = place.load(&[]).unwrap();
    assert_eq!(
        config.trusted_proxies,
        ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()]
    );
    let problems = Place::with_file("[server]\ntrusted_proxies = [\"proxy\"]\n").problems(&[]);
    assert!(
        problems.contains("`server.trusted_proxies` is [\"proxy\"]; expected a list of networks"),
        "{problems}"
    );
}

#[test]
fn callbacks_have_an_address_of_their_own_that_engines_reach() {
    assert_eq!(Place::new().load(&[]).unwrap().callbacks, None);
    let listen = |address: &str| ("ATELIER_WORKERS__CALLBACK_LISTEN", address.to_owned());
    let url = |url: &str| ("ATELIER_WORKERS__CALLBACK_URL", url.to_owned());
    let told = |variables: &[(&'static str, String)]| {
        let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, &**value)).collect();
        let place = Place::new();
        match place.load(&variables) {
            Ok(config) => config.callbacks.unwrap().url("10.0.0.5:9700".parse().unwrap()),
            Err(_) => place.problems(&variables),
        }
    };
    assert_eq!(told(&[listen("10.0.0.5:9700")]), "http://10.0.0.5:9700");
    assert_eq!(
        told(&[listen("0.0.0.0:9700"), url("https://gpu-1.example.com/a/")]),
        "https://gpu-1.example.com/a"
    );
    let problem = told(&[listen("0.0.0.0:9700")]);
    assert!(
        problem.contains(
            "`workers.callback_listen` is every address of this machine: set `workers.callback_url`"
        ),
        "{problem}"
    );
    let problem = told(&[url("http://10.0.0.5:9700")]);
    assert!(
        problem.contains("`workers.callback_url` requires `workers.callback_listen`"),
        "{problem}"
    );
}
