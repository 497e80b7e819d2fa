/* Private: reductions over dims. core/frameworks/reduce.c gathers the elements that are reduced to one into a
 * contiguous row, whatever their dims. An operation gives two row kernels; `node` is its result, from which they read
 * tg_reduce_parameter():
 *   static void FN(forward_row)(int64_t n, real *y, const real *x, const tg_node *node);
 *   static void FN(vjp_row)(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node);
 *                                                                            -- dx[j] = (not +=)
 * TG_WIDE_REDUCED_ROWS compiles both again for wider vectors (core/wide_rows.h). */
#ifndef TAPEGRAD_REDUCE_H
#define TAPEGRAD_REDUCE_H

#include "core/op.h"

/* x is floating, or bool where op makes bools. parameter: a number for the kernels (var's correction). */
tg_tensor tg_reduce(const tg_op *op, tg_tensor x, tg_dims dims, bool keepdim, double parameter);
double tg_reduce_parameter(const tg_node *y);
/* The result's strides along its input's dims: 0 along those reduced over. */
void tg_reduce_strides(const tg_node *y, int64_t *stride);
/* For a reduction's gradient in operations: */
tg_tensor tg_reduced_along(const tg_node *y, tg_tensor v); /* v, of y's shape, repeated along the dims reduced over */
tg_dims tg_reduced_dims(const tg_node *y);                 /* those dims */
double tg_reduced_count(const tg_node *y);                 /* the number of elements reduced to one */
tg_kernel tg_reduce_forward_f32, tg_reduce_forward_f64, tg_reduce_vjp_f32, tg_reduce_vjp_f64;
/* sum's, over any dims: where the kept elements are contiguous, whole rows are added to one another.
 * dx = dy / divisor */
tg_kernel tg_sum_forward_f32, tg_sum_forward_f64;
tg_status tg_sum_vjp_f32(tg_node *y, float divisor), tg_sum_vjp_f64(tg_node *y, double divisor);
double tg_reduce_flops(const tg_node *y, int i);
#define TG_REDUCTION .forward = TG_BOTH(tg_reduce_forward), .vjp = TG_BOTH(tg_reduce_vjp), .flops = tg_reduce_flops

#endif
