//! What users of other systems reported, each with the right value. The numbers are those of a
//! collection of public reports; a test says in its name what they saw.
//!
//! | Report | Symptom | Held by |
//! |---|---|---|
//! | 1 | exit lost when the collider goes right after the enter | `report_1_an_exit_right_after_the_enter`; `events.rs`: `each_way_to_leave_has_its_reason`, `a_handler_may_despawn_anything` |
//! | 3 | exit for a pair that never touched; wrong pair dropped in bulk | `events.rs`: `bounds_that_meet_are_no_event`, `bulk_removal_ends_exactly_the_removed` |
//! | 4 | exit without enter | `report_4_an_exit_without_an_enter`; the model test |
//! | 6 | swapping the collider in one frame | `report_6_swapping_the_collider_in_one_frame` |
//! | 7 | resizing makes exit and enter for those inside | `events.rs`: `replacing_or_resizing_a_shape_keeps_the_contact` |
//! | 10 | a disabled collider fires after an edit | `report_10_a_disabled_collider_fires_after_an_edit` |
//! | 11 | the exit cannot be understood | `report_11_an_exit_that_cannot_be_understood`; `regressions.rs`: `an_end_tells_the_layers_and_solidity_of_the_contact_that_ended` |
//! | 12 | opting in after spawn does nothing | `events.rs`: `observers_hear_both_sides_that_opted_in` |
//! | 13 | crash when something hits what was just despawned | `report_13_hitting_what_was_just_despawned`; the model test |
//! | 15 | a compound fires once a part, at every inner seam | `report_15_a_compound_fires_at_every_inner_seam` |
//! | 16 | lost or doubled between fixed and frame schedules | `schedules.rs`: `every_reader_sees_every_event_once`; the model test |
//! | 17 | events while not touching | `report_17_events_while_not_touching` |
//! | 19 | parent's place ignored, or added twice | `transforms.rs`: `a_child_stands_where_its_parents_put_it_in_the_first_step` |
//! | 20 | ghost at the origin on the first step | `transforms.rs`: `nothing_is_ever_at_the_origin_first` |
//! | 21 | later change of the parent not followed | `transforms.rs`: `changes_of_any_ancestor_are_followed_in_the_same_step` |
//! | 23 | overlap one frame late | `transforms.rs`: `a_mover_of_update_is_seen_in_the_same_frame_by_a_step_in_post_update` |
//! | 24 | mirrored collider not mirrored | `transforms.rs`: `a_mirrored_collider_is_mirrored` |
//! | 25 | stretched circle | `transforms.rs`: `a_stretched_circle_is_a_circle_of_its_larger_half`; `bad_input.rs`: `warnings_come_for_circles_that_stretch_and_masses_that_make_no_sense` |
//! | 26 | turned child under a stretched parent | `transforms.rs`: `a_turned_child_of_a_stretched_parent_is_sheared` |
//! | 28, 30 to 34, 37, 44 | geometry of single pairs, compounds and rays | `space/reported.rs`; `symmetry.rs`: `reported_cases_have_the_right_push` |
//! | 39 | touching counts, or not, or both | `pairs_once.rs`: `touching_boxes_agree_under_either_rule_in_all_forms`; `report_39_pushed_apart_and_still_overlapping` |
//! | 41 | NaN, infinite and zero scale | `bad_input.rs`: `one_bad_collider_is_left_out_warned_of_once_and_comes_back`, `points_segments_and_flat_z_are_sound`; `report_41_a_rotation_that_is_not_normalized` |
//! | 42 | far from the origin | `transforms.rs`: `far_from_the_origin_a_contact_is_the_same`; `report_42_a_walker_far_from_the_origin` |
//! | 47 | layer change during an overlap | `report_47_a_layer_change_during_an_overlap` |
//! | 48 | thousands of still tiles | `report_48_thousands_of_still_tiles`; times in `benches/` |
//! | 49 | one huge collider in a grid | `pairs_once.rs`: `huge_colliders_among_small_ones_meet_each_once`; times in `benches/` |
//! | 52 | corner cases of slide | `report_52_a_corner_that_is_not_met`, `report_52_starting_inside_a_box`, `report_52_falling_flush_beside_tiles`; `push_out.rs`: `corners_hold_still` |
//! | 53 | tile seams | `push_out.rs`: `nothing_catches_on_a_row_of_tiles`; `report_53_tile_seams_push_sideways` |
//! | 54 | tunnelling, and sensors that never end | `report_54_a_fast_sensor_that_never_ends`, `report_54_a_thing_faster_than_a_wall_is_thick`; `swept.rs`: `report_54_a_fast_sensor_has_one_enter_and_one_exit` |
//! | 56 | order and direction change the result | `push_out.rs`: `the_result_does_not_depend_on_the_order_of_spawning`; `determinism.rs`; `report_56_the_mirrored_world_is_pushed_otherwise` |
//! | 58 | cannot be seen or saved by the inspector | `reflect.rs`; `bad_input.rs`: `an_unsound_edit_by_reflection_is_kept_out` |
//! | 59 | clicks, wheel and keys fall through the panel | `inspector/input.rs` |

#![allow(clippy::float_cmp, reason = "these numbers come out exactly")]

#[path = "../common/mod.rs"]
mod common;

mod life;
mod moving;
mod space;
