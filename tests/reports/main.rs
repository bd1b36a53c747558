//! What users of other systems reported, each with the right value. The numbers are those of a
//! collection of public reports; a test says in its name what they saw. Tests without a file are in
//! this directory; `tests/readme.rs` sees to it that all of them exist.
//!
//! | Report | Symptom | Held by |
//! |---|---|---|
//! | 1 | exit lost when the collider goes right after the enter | `report_1_an_exit_right_after_the_enter`; `events.rs`: `each_way_to_leave_has_its_reason`, `a_handler_may_despawn_anything` |
//! | 3 | exit for a pair that never touched; wrong pair dropped in bulk | `events.rs`: `bounds_that_meet_are_no_event`, `bulk_removal_ends_exactly_the_removed` |
//! | 4 | exit without enter | `report_4_an_exit_without_an_enter`; `model/main.rs`: `random_games_agree_with_the_twin` |
//! | 6 | swapping the collider in one frame | `report_6_swapping_the_collider_in_one_frame` |
//! | 7 | resizing makes exit and enter for those inside | `events.rs`: `replacing_or_resizing_a_shape_keeps_the_contact` |
//! | 10 | a disabled collider fires after an edit | `report_10_a_disabled_collider_fires_after_an_edit` |
//! | 11 | the exit cannot be understood | `report_11_an_exit_that_cannot_be_understood`; `regressions.rs`: `an_end_tells_the_layers_and_solidity_of_the_contact_that_ended` |
//! | 12 | opting in after spawn does nothing | `events.rs`: `observers_hear_both_sides_that_opted_in` |
//! | 13 | crash when something hits what was just despawned | `report_13_hitting_what_was_just_despawned`; `model/main.rs`: `random_games_agree_with_the_twin` |
//! | 15 | a compound fires once a part, at every inner seam | `report_15_a_compound_fires_at_every_inner_seam` |
//! | 16 | lost or doubled between fixed and frame schedules | `schedules.rs`: `every_reader_sees_every_event_once_whatever_the_schedule`; `model/main.rs`: `random_games_agree_with_the_twin` |
//! | 17 | events while not touching | `report_17_events_while_not_touching` |
//! | 19 | parent's place ignored, or added twice | `transforms.rs`: `a_child_stands_where_its_parents_put_it_in_the_first_step` |
//! | 20 | ghost at the origin on the first step | `transforms.rs`: `nothing_is_ever_at_the_origin_first` |
//! | 21 | later change of the parent not followed | `transforms.rs`: `changes_of_any_ancestor_are_followed_in_the_same_step` |
//! | 23 | overlap one frame late | `transforms.rs`: `a_mover_of_update_is_seen_in_the_same_frame_by_a_step_in_post_update` |
//! | 24 | mirrored collider not mirrored | `transforms.rs`: `a_mirrored_collider_is_mirrored` |
//! | 25 | stretched circle | `transforms.rs`: `a_stretched_circle_is_a_circle_of_its_larger_half`; `bad_input.rs`: `warnings_come_for_circles_that_stretch_and_masses_that_make_no_sense` |
//! | 26 | turned child under a stretched parent | `transforms.rs`: `a_turned_child_of_a_stretched_parent_is_sheared` |
//! | 28 | clockwise polygons give nonsense | `space/reported.rs`: `clockwise_polygons_are_the_same_shapes` |
//! | 30 | sign of the push from centres or point counts | `symmetry/main.rs`: `reported_cases_have_the_right_push` |
//! | 31 | push not the shortest, or of a wrong face | `space/reported.rs`: `the_shortest_push_is_along_an_axis`; `symmetry/main.rs`: `reported_cases_have_the_right_push`, `the_push_parts_the_pair_and_no_shorter_one_does`, `both_orders_agree_to_the_bit` |
//! | 32 | contained shapes | `space/reported.rs`: `shapes_wholly_inside_others_leave_by_the_whole_way`; `regressions.rs`: `a_shared_centre_keeps_its_normal_from_step_to_step` |
//! | 33 | the solver gives up when just touching | `space/reported.rs`: `a_square_that_slides_along_a_wall_keeps_its_normal`, `a_round_end_just_touches` |
//! | 34 | degenerate polygons | `space/reported.rs`: `degenerate_polygons_are_refused_or_cleaned`; `fuzz/main.rs`: `polygons_of_any_points_are_sound_or_refused` |
//! | 37 | inner edges of a compound | `space/reported.rs`: `inner_edges_of_a_compound`, `a_box_over_the_seam_of_two_tiles_leaves_straight_up` |
//! | 39 | touching counts, or not, or both | `report_39_pushed_apart_and_still_overlapping`; `space/reported.rs`: `all_forms_of_two_shapes_that_touch_agree`; `pairs_once.rs`: `touching_boxes_agree_under_either_rule_in_all_forms` |
//! | 41 | NaN, infinite and zero scale | `report_41_a_rotation_that_is_not_normalized`; `bad_input.rs`: `one_bad_collider_is_left_out_warned_of_once_and_comes_back`, `points_segments_and_flat_z_are_sound` |
//! | 42 | far from the origin | `report_42_a_walker_far_from_the_origin`; `transforms.rs`: `far_from_the_origin_a_contact_is_the_same`; `space/reported.rs`: `the_push_is_the_same_far_from_the_origin` |
//! | 44 | ray that starts inside | `space/reported.rs`: `ray_that_starts_inside`, `a_ray_of_no_length_asks_about_its_point`, `rays_that_are_none`, `rays_along_an_edge_and_through_a_vertex` |
//! | 47 | layer change during an overlap | `report_47_a_layer_change_during_an_overlap` |
//! | 48 | thousands of still tiles | `report_48_thousands_of_still_tiles`; times in `benches/` |
//! | 49 | one huge collider in a grid | `pairs_once.rs`: `huge_colliders_among_small_ones_meet_each_once`; times in `benches/` |
//! | 52 | corner cases of slide | `report_52_a_corner_that_is_not_met`, `report_52_starting_inside_a_box`, `report_52_falling_flush_beside_tiles`; `push_out.rs`: `corners_hold_still` |
//! | 53 | tile seams | `report_53_tile_seams_push_sideways`; `push_out.rs`: `nothing_catches_on_a_row_of_tiles`; `push_out_stress.rs`: `seams_of_tiles_of_any_kind_catch_nothing` |
//! | 54 | tunnelling, and sensors that never end | `report_54_a_fast_sensor_that_never_ends`, `report_54_a_thing_faster_than_a_wall_is_thick`; `swept.rs`: `report_54_a_fast_sensor_has_one_enter_and_one_exit` |
//! | 56 | order and direction change the result | `report_56_the_mirrored_world_is_pushed_otherwise`; `push_out.rs`: `the_result_does_not_depend_on_the_order_of_spawning`; `determinism/main.rs`: `any_number_of_threads_gives_the_golden_bits`, `runs_spawn_orders_and_unrelated_entities_change_nothing` |
//! | 58 | cannot be seen or saved by the inspector | `reflect.rs`: `all_components_are_registered_with_what_tools_need`, `every_component_comes_back_from_a_file_as_it_was`, `an_edit_by_reflection_acts_in_the_next_step`; `bad_input.rs`: `an_unsound_edit_by_reflection_is_kept_out` |
//! | 59 | clicks, wheel and keys fall through the panel | `inspector/input.rs`: `clicks_and_the_wheel_belong_to_what_is_under_the_pointer`, `a_press_on_the_panel_dragged_out_stays_the_panels`, `a_drag_from_the_scene_goes_on_over_the_panel`, `the_first_frame_of_the_panel_takes_its_clicks`, `keys_typed_into_a_field_stay_there_until_they_are_up`, `input_is_left_as_it_is_for_others`, `without_egui_the_game_has_all_input` |

#![allow(clippy::float_cmp, reason = "these numbers come out exactly")]

#[path = "../common/mod.rs"]
mod common;

mod life;
mod moving;
mod space;
