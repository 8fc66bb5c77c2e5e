//! The contract of every store, as tests. [`conformance_tests!`](crate::conformance_tests) instantiates them for an
//! implementation.

#![expect(clippy::unwrap_used, reason = "these are tests")]
#![allow(missing_debug_implementations, reason = "these are tests")]

pub mod accepting;
pub mod accounts;
pub mod claims;
pub mod collections;
pub mod decisions;
pub mod ending;
pub mod endpoints;
pub mod erasure;
pub mod favourites;
pub mod hashes;
pub mod history;
pub mod identities;
pub mod keys;
pub mod limits;
pub mod links;
pub mod listing;
pub mod members;
pub mod origins;
pub mod outbox;
pub mod people;
pub mod places;
pub mod plans;
pub mod private;
pub mod races;
pub mod remote;
pub mod reports;
pub mod requests;
pub mod retention;
pub mod reviews;
pub mod second_factors;
pub mod service;
pub mod webhooks;
pub mod work;
pub mod world;

/// Makes a `#[tokio::test]` of every test of the suite.
///
/// The argument is an expression for a new, empty store and a value that must live as long as it:
/// `(Arc<dyn Store>, impl Sized)`.
#[macro_export]
macro_rules! conformance_tests {
    ($make:expr) => {
        $crate::conformance_tests! { $make;
            accounts: {
                a_new_account_has_its_credits_its_key_and_an_entry,
                an_account_without_credits_has_no_entry,
                a_taken_name_makes_no_account,
                accounts_are_listed_by_name,
                only_what_is_named_changes,
                a_rotated_secret_signs_beside_the_one_before_for_its_time,
                a_grant_and_a_change_are_made_together_or_not_at_all,
                grants_add_and_take_away_but_never_below_zero,
                held_credits_cannot_be_taken_away,
                a_grant_beyond_all_numbers_changes_nothing,
                a_key_leads_to_its_account_until_it_is_revoked,
                an_account_has_several_keys_oldest_first,
                a_key_for_no_account_is_not_made,
                keys_remember_when_they_were_last_used,
                the_api_is_switched_off_for_every_caller_and_on_again,
                tokens_run_out_and_come_back_with_time,
                an_accounts_own_limit_goes_before_the_default,
                a_clock_set_back_locks_nobody_out,
                limits_of_any_size_let_requests_pass,
            }
            service: {
                files_are_known_once_recorded,
                statistics_count_what_waits_and_what_runs,
                an_empty_store_is_sound_and_says_so,
                a_closed_store_takes_nothing_more,
            }
            people: {
                an_invitation_makes_one_user_of_its_account,
                a_late_or_unknown_link_makes_nobody,
                a_taken_login_leaves_the_link_open,
                the_first_operator_gets_an_account_of_their_own_and_is_created_once,
                a_session_leads_to_its_user_until_it_ends_or_expires,
                sessions_are_listed_newest_first_and_all_others_are_ended,
                a_new_password_and_disabling_a_user_end_sessions,
                a_key_is_revoked_only_by_its_own_account,
                every_change_is_written_down_and_what_changes_nothing_is_not,
            }
            links: {
                open_invitations_are_listed_newest_first_with_their_inviter,
                a_revoked_invitation_creates_nobody,
                an_invitation_is_revoked_only_by_its_own_account,
                invitations_end_when_their_inviter_is_disabled_or_demoted,
                nobody_invites_beyond_their_role_or_once_disabled,
                a_reset_link_sets_a_new_password_once_and_ends_sessions,
                a_newer_reset_link_and_a_new_password_end_the_older_link,
                reset_links_end_with_their_user_and_their_issuer,
                only_an_operator_or_the_command_line_creates_a_reset_link,
            }
            members: {
                an_invitation_names_the_role_in_the_account,
                an_account_keeps_an_owner_who_may_sign_in,
                who_owns_an_account_no_more_invites_nobody_to_it,
                a_user_belongs_to_several_accounts_and_a_session_shows_one,
                a_member_joins_an_account_once_and_an_operator_by_their_link,
            }
            identities: {
                an_identity_creates_a_user_with_roles_and_no_password,
                an_identity_belongs_to_one_user,
                an_identity_stands_for_a_member_of_the_account_joined_first,
            }
            second_factors: {
                a_second_factor_is_turned_on_once_and_off_again,
                the_code_of_a_period_works_once_and_no_earlier_one_after_it,
                a_recovery_code_works_once_until_it_is_replaced,
            }
            accepting: {
                an_accepted_generation_is_queued_as_it_came_and_held_for,
                another_accounts_generation_is_not_found,
                what_is_not_covered_is_not_accepted,
                an_unknown_account_gets_nothing_accepted,
                the_same_key_and_body_answer_the_first_generation,
                an_earlier_use_of_a_key_is_found_without_a_request,
                a_replay_needs_neither_credits_nor_tokens,
                the_same_key_with_another_body_is_refused,
                keys_of_two_accounts_do_not_meet,
                an_idempotency_key_is_forgotten_after_its_time,
                old_idempotency_keys_are_purged_and_young_ones_stay,
                the_rate_limit_refuses_before_the_balance_does,
                what_is_not_accepted_takes_no_token,
                an_id_is_accepted_once,
            }
            listing: {
                the_list_has_an_order_and_pages_meet_without_gap,
                the_list_is_filtered_by_status_model_and_kind,
                every_combination_of_filters_finds_its_own,
            }
            claims: {
                claims_go_round_the_accounts_and_take_the_oldest_of_each,
                a_claim_of_many_is_shared_among_the_accounts_that_wait,
                an_account_whose_work_is_not_due_misses_no_turn_of_others,
            }
            collections: {
                results_are_collected_listed_and_gone_with_their_generation,
                collections_have_names_of_their_own_and_a_limit,
            }
            favourites: {
                a_favourite_is_marked_listed_and_gone_with_its_generation,
            }
            reports: {
                usage_by_account_has_those_that_spent_most_first,
                changes_are_found_by_their_kind_and_account,
            }
            places: {
                a_place_in_the_queue_counts_what_comes_before_it_in_the_round_of_accounts,
                recent_runs_are_those_that_completed_in_one_attempt,
            }
            limits: {
                an_account_with_a_full_queue_gets_nothing_accepted_until_one_runs,
                claims_leave_what_is_beyond_the_running_generations_of_an_account,
                the_limit_of_a_queue_is_exact_under_concurrency,
                the_limit_of_running_generations_is_exact_under_concurrency,
                claims_of_two_lanes_meet_and_both_take_what_a_limited_account_has,
            }
            keys: {
                the_limits_of_a_key_are_kept_and_changed_one_by_one,
                a_rotated_key_works_with_both_texts_for_its_time,
                a_key_takes_no_more_credits_on_a_day_than_its_limit,
                a_month_ends_with_its_last_day,
                what_a_key_did_not_spend_in_the_end_can_be_spent_again,
                a_limit_counts_what_was_spent_before_it_was_set,
                a_budget_holds_for_all_keys_and_sessions_of_an_account,
                what_keys_spent_is_told_by_day_and_month,
                sixty_four_race_for_the_last_credits_of_a_key,
            }
            work: {
                a_claimed_generation_runs_under_a_new_epoch,
                claims_take_the_oldest_first_and_no_more_than_asked,
                a_lane_gets_only_its_own,
                queued_generations_move_to_the_lane_that_serves_their_model,
                a_heartbeat_renews_the_lease_and_notes_progress,
                a_heartbeat_tells_which_are_lost,
                progress_stays_between_none_and_all,
                a_retry_waits_for_its_time_and_counts_its_attempts,
                a_retry_can_go_to_another_lane,
                a_noted_request_outlives_a_lost_lease_and_is_fenced_by_the_epoch,
                a_noted_request_outlives_a_failure_that_resumes_it,
                what_is_given_back_is_next_and_has_lost_no_attempt,
                a_lost_lease_returns_to_the_queue_while_attempts_are_left,
                the_loser_of_a_lease_can_write_nothing_more,
                no_more_are_requeued_than_asked,
                a_generation_past_its_deadline_is_overdue_queued_or_running,
                two_workers_never_claim_the_same,
            }
            ending: {
                a_completed_generation_is_charged_and_the_rest_comes_back,
                a_failed_generation_releases_its_hold,
                a_charge_beyond_the_hold_takes_from_the_balance,
                a_charge_beyond_everything_ends_as_the_failure_given_for_it,
                a_charge_beyond_everything_with_no_failure_given_changes_nothing,
                finishing_twice_counts_once,
                only_a_running_generation_is_finished,
                a_queued_generation_is_ended_and_never_claimed,
                a_running_generation_is_ended_whoever_runs_it,
                only_the_owner_ends_what_is_asked_for_by_an_account,
                an_end_meant_for_an_earlier_epoch_does_nothing,
                the_delivery_is_leased_at_once_where_a_worker_asks_for_it,
            }
            webhooks: {
                a_delivery_is_claimed_with_its_bytes_and_its_secret,
                a_delivered_delivery_is_over,
                a_delivery_is_tried_again_when_it_is_due_and_given_up_at_last,
                a_delivery_whose_lease_ran_out_is_due_again,
                deliveries_are_claimed_oldest_first_and_no_more_than_asked,
                a_host_gets_no_more_than_it_has_room_for,
                a_host_with_hundreds_of_due_deliveries_starves_no_other,
                attempts_are_recorded_only_by_who_holds_the_delivery,
            }
            history: {
                a_deleted_generation_takes_its_files_and_deliveries_and_leaves_the_ledger,
                only_what_has_ended_is_deleted_and_only_by_its_account,
                a_file_stays_until_its_last_user_is_gone,
                a_deleted_file_comes_back_only_after_its_bytes_are_gone,
                a_generation_is_not_accepted_with_an_input_that_was_deleted,
                a_deleted_generation_still_answers_its_idempotency_key,
                an_input_deleted_at_once_with_the_job_that_uses_it_is_kept_or_refused,
                one_file_deleted_by_all_its_users_at_once_goes_once,
                old_generations_leave_their_sums_in_the_ledger,
                old_media_and_uploads_go_and_jobs_stay,
                old_bodies_of_deliveries_go_and_their_attempts_stay,
            }
            origins: {
                a_secret_is_made_once,
                what_made_a_file_is_found_by_the_file_and_by_a_range_of_ids,
                a_takedown_remembers_what_the_file_looked_like,
            }
            endpoints: {
                an_endpoint_is_kept_changed_and_deleted,
                an_account_has_so_many_endpoints_and_no_more,
                an_end_is_told_once_to_each_endpoint_and_signed_with_its_secret,
                a_low_balance_is_told_once_until_it_was_above,
                a_charge_beyond_the_hold_can_make_the_balance_low,
                sixty_four_race_below_the_threshold_and_one_event_is_told,
            }
            private: {
                a_file_is_private_if_all_its_owners_keep_their_media_private,
            }
            retention: {
                an_account_with_a_retention_of_its_own_is_left_to_it,
            }
            erasure: {
                an_erased_account_leaves_its_sums_and_nothing_of_its_people,
                an_account_of_operators_is_not_erased,
                an_export_has_every_row_once_and_no_secret,
                a_file_for_a_job_that_is_gone_goes,
            }
            requests: {
                requests_are_listed_newest_first_with_what_was_asked_and_answered,
                a_row_that_comes_again_counts_on,
                requests_are_filtered_by_status_key_and_time,
                old_requests_go_and_young_ones_stay,
            }
            hashes: {
                an_import_replaces_a_list_when_it_is_complete,
            }
            plans: {
                a_plan_is_set_changed_listed_and_removed,
                accounts_have_the_queue_and_the_rate_of_their_plan_unless_they_have_their_own,
                a_plan_limits_the_running_generations_of_each_of_its_accounts,
                the_limit_of_a_plan_is_exact_under_concurrency,
                an_account_has_as_many_turns_in_a_row_as_its_plan_weighs,
                a_claim_of_many_is_divided_by_the_weights,
                a_place_in_the_queue_goes_by_the_weights,
                claims_of_some_models_go_by_the_weights_too,
            }
            reviews: {
                a_held_generation_waits_for_a_person_and_returns_to_its_place,
                a_refused_or_cancelled_generation_waits_no_more_and_its_hold_is_released,
                a_review_is_decided_once_and_due_when_decided_or_when_its_time_is_up,
                a_refusal_is_overturned_once,
            }
            decisions: {
                decisions_are_written_once_listed_counted_and_removed,
                results_are_counted_by_model_engine_watermark_and_signature,
            }
            outbox: {
                a_test_belongs_to_no_generation_and_is_delivered_like_any_other,
                an_ended_delivery_is_sent_again_with_the_same_bytes,
                all_failed_deliveries_are_sent_again_up_to_a_limit,
                deliveries_are_listed_newest_first_and_filtered,
                a_day_counts_what_ended_on_it,
                pages_of_the_ledger_carry_the_balance_along,
                nodes_are_there_until_they_go_or_fall_silent,
                the_queue_is_counted_by_model,
            }
            remote: {
                a_worker_token_works_until_it_is_revoked,
                a_remote_worker_belongs_to_its_token_until_it_is_forgotten,
                a_claim_of_some_models_takes_only_those_in_turn,
                an_attempt_is_found_only_by_the_worker_that_holds_it,
            }
            races: {
                sixty_four_race_for_the_last_credits_and_none_is_spent_twice,
                one_idempotency_key_sent_at_once_makes_one_generation,
                the_rate_limit_is_exact_under_concurrency,
                a_cancellation_and_a_completion_at_once_end_it_once,
                many_finish_one_generation_at_once_and_one_does,
                one_of_many_gets_a_name,
                two_rotations_at_once_leave_both_new_secrets_valid,
                an_invitation_revoked_and_accepted_at_once_is_one_of_both,
                an_inviter_disabled_at_once_leaves_no_open_invitation,
                a_reset_link_used_many_times_at_once_works_once,
                a_caller_that_goes_away_takes_no_write_with_it,
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
