/* SPDX-License-Identifier: MIT */
/** @file
 *  Former names of the labs' contracts.  A file that was written with them
 *  still compiles; new files use the names on the right.  Members of structs
 *  whose former name is a common word have both names, in a union.
 */
#ifndef FORMER_NAMES_H
#define FORMER_NAMES_H

/** @cond the table itself is the documentation */
/* lab 10 */
#define CONVOLUTION_SIDE_MAX CONVOLUTION_MAX_FILTER_SIDE
/* lab 11 */
#define CONV_SIDE_MAX CONV_MAX_FILTER_SIDE
#define conv_rows conv_output_rows
#define conv_columns conv_output_columns
/* lab 12 */
#define POOL_OUT POOL_OUTPUT_SIZE
#define softmax_loss softmax_cross_entropy
/* labs 15 and 16 */
#define d_first d_moment1
#define d_second d_moment2
#define d_rate d_learning_rate
/* lab 15 */
#define CLIP_WORK CLIP_WORKSPACE
#define clip_norm clip_grad_norm
#define next_step schedule_next_step
#define SCHEDULE_STEPS SCHEDULE_STEP
/* lab 16 */
#define NETWORK_LAYERS NETWORK_MAX_LAYERS
#define layer_elements shape_elements
#define d_running d_running_stats
#define d_back d_out_grad
#define d_which d_argmax
#define d_chosen d_predicted
#define weight_at weight_offset
#define bias_at bias_offset
#define step_running_at step_running_stats_offset
#define step_running step_running_stats_count
/** @endcond */

#endif
