//! What every store must do, as tests. [`conformance_tests!`](crate::conformance_tests) stamps them for one
//! implementation.

#![expect(clippy::unwrap_used, reason = "these are tests")]
#![allow(missing_debug_implementations, reason = "these are tests")]

pub mod work;
pub mod world;

/// Makes a `#[tokio::test]` of every test of the suite.
///
/// The argument is an expression that makes a fresh, empty store and what must live as long as it:
/// `(Arc<dyn Store>, impl Sized)`.
#[macro_export]
macro_rules! conformance_tests {
    ($make:expr) => {
        $crate::conformance_tests! { $make;
            work: {
                an_accepted_generation_is_claimed_completed_and_charged,
            }
        }
    };
    ($make:expr; $($module:ident: { $($test:ident),* $(,)? })*) => {
        $(mod $module {
            use super::*;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    let (store, _guard) = $make;
                    $crate::conformance::$module::$test(&store).await;
                    store.close().await.unwrap();
                }
            )*
        })*
    };
}
