/* tapegrad: operations. Elementwise functions, comparisons, where; reductions, extremes and sorting; views; copies;
 * matrix products, linear layers and adapters; softmax, norms, rotary positions; embedding and other indices; dropout;
 * losses; attention.
 *
 * Operands are floating tensors of one tape unless it is said otherwise, and so does every operation that returns
 * floating values have a gradient. All may fail with TG_ERR_ARGUMENT (null tensor, two tapes, wrong dtype),
 * TG_ERR_STALE, TG_ERR_SHAPE and TG_ERR_MEMORY. */
#ifndef TAPEGRAD_API_OPERATIONS_H
#define TAPEGRAD_API_OPERATIONS_H

#include "core/tapegrad/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Elementwise ---- */

/* Elementwise, with broadcasting: a of shape (3, 1) and b of (2) give (3, 2). "keeps" names the tensors that the
 * gradient reads; where it is missing, they are those in the gradient's formula. Modifying one before backward is an
 * error. */
TG_API tg_tensor tg_add(tg_tensor a, tg_tensor b);     /* a + b       da = dy            db = dy            */
TG_API tg_tensor tg_sub(tg_tensor a, tg_tensor b);     /* a - b       da = dy            db = -dy           */
TG_API tg_tensor tg_mul(tg_tensor a, tg_tensor b);     /* a b         da = dy b          db = dy a          */
TG_API tg_tensor tg_div(tg_tensor a, tg_tensor b);     /* a / b       da = dy / b        db = -dy (a/b) / b */
TG_API tg_tensor tg_maximum(tg_tensor a, tg_tensor b); /* a tie gives each half of dy */
TG_API tg_tensor tg_minimum(tg_tensor a, tg_tensor b);

TG_API tg_tensor tg_neg(tg_tensor x);      /* -x             dx = -dy                                    */
TG_API tg_tensor tg_exp(tg_tensor x);      /* e^x            dx = dy y                     keeps y       */
TG_API tg_tensor tg_log(tg_tensor x);      /* ln x           dx = dy / x                   keeps x       */
TG_API tg_tensor tg_log1p(tg_tensor x);    /* ln(1 + x)      dx = dy / (1 + x)             keeps x       */
TG_API tg_tensor tg_expm1(tg_tensor x);    /* e^x - 1        dx = dy (y + 1)               keeps y       */
TG_API tg_tensor tg_sqrt(tg_tensor x);     /* sqrt x         dx = dy / (2 y)               keeps y       */
TG_API tg_tensor tg_rsqrt(tg_tensor x);    /* 1/sqrt x       dx = -dy y^3 / 2              keeps y       */
TG_API tg_tensor tg_sin(tg_tensor x);      /* sin x          dx = dy cos x                 keeps x       */
TG_API tg_tensor tg_cos(tg_tensor x);      /* cos x          dx = -dy sin x                keeps x       */
TG_API tg_tensor tg_erf(tg_tensor x);      /* erf x          dx = dy 2/sqrt(pi) e^(-x^2)   keeps x       */
TG_API tg_tensor tg_square(tg_tensor x);   /* x^2            dx = 2 x dy                   keeps x       */
TG_API tg_tensor tg_abs(tg_tensor x);      /* |x|            dx = dy sign(x), 0 at 0       keeps x       */
TG_API tg_tensor tg_tanh(tg_tensor x);     /* tanh x         dx = dy (1 - y^2)             keeps y       */
TG_API tg_tensor tg_sigmoid(tg_tensor x);  /* 1/(1+e^-x)     dx = dy y (1 - y)             keeps y       */
TG_API tg_tensor tg_relu(tg_tensor x);     /* max(x, 0)      dx = dy where y > 0           keeps y       */
TG_API tg_tensor tg_softplus(tg_tensor x); /* ln(1 + e^x)    dx = dy sigmoid(x)            keeps x       */
TG_API tg_tensor tg_leaky_relu(tg_tensor x, double slope); /* x where x > 0, else slope x                */
TG_API tg_tensor tg_elu(tg_tensor x, double alpha);        /* x where x > 0, else alpha (e^x - 1)        */
TG_API tg_tensor tg_silu(tg_tensor x);      /* x sigmoid(x)   with s = sigmoid(x): dx = dy s (1 + x (1 - s)) */
TG_API tg_tensor tg_gelu(tg_tensor x);      /* x Phi(x), Phi = (1 + erf(x / sqrt 2)) / 2 (Hendrycks, Gimpel 2016) */
TG_API tg_tensor tg_gelu_tanh(tg_tensor x); /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))            */
TG_API tg_tensor tg_pow(tg_tensor x, double exponent);           /* dx = dy p x^(p-1), 0 for p = 0      */
TG_API tg_tensor tg_clamp(tg_tensor x, double low, double high); /* dx = dy where low <= x <= high, low < high */
/* pow_tensor: a^b, da = dy b a^(b-1), db = dy y ln a. clamp_tensor: x between the tensors low and high; the gradient
 * goes to the selected operand, half to each where x equals one of two different bounds; low > high gives high. */
TG_API tg_tensor tg_pow_tensor(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_clamp_tensor(tg_tensor x, tg_tensor low, tg_tensor high);
/* silu(a) b, the gate of Llama's feed-forward layer: da = dy b s (1 + a (1 - s)), db = dy a s, s = sigmoid(a). */
TG_API tg_tensor tg_swiglu(tg_tensor a, tg_tensor b);
/* gelu(x + bias) in one pass, bias of shape (size of x's last dim). Keeps x and bias. */
TG_API tg_tensor tg_bias_gelu(tg_tensor x, tg_tensor bias);

TG_API tg_tensor tg_add_scalar(tg_tensor x, double c);  /* x + c */
TG_API tg_tensor tg_sub_scalar(tg_tensor x, double c);  /* x - c */
TG_API tg_tensor tg_rsub_scalar(double c, tg_tensor x); /* c - x */
TG_API tg_tensor tg_mul_scalar(tg_tensor x, double c);  /* c x   */
TG_API tg_tensor tg_div_scalar(tg_tensor x, double c);  /* x / c */
TG_API tg_tensor tg_rdiv_scalar(double c, tg_tensor x); /* c / x */

/* add, sub, mul and where (below), add_scalar, sub_scalar, rsub_scalar and mul_scalar take TG_I64 as well, to compute
 * indices: a and b both, c a whole number in its range. The result is TG_I64, without a gradient, and wraps on
 * overflow. */

/* ---- Comparisons, choices ---- */

/* Comparisons give TG_BOOL and have no gradient; either side broadcasts. Logical operations take TG_BOOL; tg_to_bool is
 * x != 0; tg_to_float turns bools and ints into floats. */
TG_API tg_tensor tg_eq(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_ne(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_lt(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_le(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_gt(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_ge(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_isnan(tg_tensor x);
TG_API tg_tensor tg_logical_not(tg_tensor a);
TG_API tg_tensor tg_logical_and(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_logical_or(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_to_bool(tg_tensor x);
TG_API tg_tensor tg_to_float(tg_tensor x);

/* where: a where condition (TG_BOOL) holds, b elsewhere; the three broadcast. masked_fill: value where mask
 * (TG_BOOL, broadcasts to x) holds, x elsewhere. The gradient goes to the selected operand. */
TG_API tg_tensor tg_where(tg_tensor condition, tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_masked_fill(tg_tensor x, tg_tensor mask, double value);

/* ---- Reductions ---- */

/* Reductions over one, several or all dims: tg_sum(x, TG_DIMS(-1), true). keepdim keeps each as size 1. Over no
 * elements: sum and norm 0, prod 1, mean, var and std NaN, logsumexp -inf, any false, all true; amax and amin an error.
 *   var: sum (x - mean)^2 / (n - correction);  dx = 2 (x - mean) dy / (n - correction)      keeps x
 *   std: sqrt var;  dx = (x - mean) dy / y / (n - correction), 0 where y = 0                keeps x, y
 *   prod: dx = dy times the product of all others                                           keeps x
 *   norm: (sum |x|^p)^(1/p), p > 0; p = INFINITY: the largest |x|; gradient 0 where y = 0   keeps x, y
 *   any, all: of elements that are not 0, as TG_BOOL; x of any dtype
 *   amax, amin: a tie shares dy equally (PyTorch's amax)                                    keeps x, y
 *   logsumexp: ln sum e^x, computed from the maximum; all -inf gives -inf with zero gradient keeps x, y */
TG_API tg_tensor tg_sum(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_mean(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_var(tg_tensor x, tg_dims dims, double correction, bool keepdim);
TG_API tg_tensor tg_std(tg_tensor x, tg_dims dims, double correction, bool keepdim);
TG_API tg_tensor tg_prod(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_norm(tg_tensor x, double p, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_any(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_all(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_amax(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_amin(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_logsumexp(tg_tensor x, tg_dims dims, bool keepdim);

/* ---- Extremes, sorting, running sums ---- */

/* The index of the (first) largest, smallest element along dim; the indices that sort x along dim (stable, a NaN
 * counts as larger than any number): TG_I64, no gradient. */
TG_API tg_tensor tg_argmax(tg_tensor x, int dim, bool keepdim);
TG_API tg_tensor tg_argmin(tg_tensor x, int dim, bool keepdim);
TG_API tg_tensor tg_argsort(tg_tensor x, int dim, bool descending);
/* The elements at these indices. max_dim, min_dim: the largest, the smallest; sort: all in order; topk: the k largest
 * or smallest in order. dx = dy where the elements came from. Their indices go to *index (may be NULL). */
TG_API tg_tensor tg_max_dim(tg_tensor x, int dim, bool keepdim, tg_tensor *index);
TG_API tg_tensor tg_min_dim(tg_tensor x, int dim, bool keepdim, tg_tensor *index);
TG_API tg_tensor tg_sort(tg_tensor x, int dim, bool descending, tg_tensor *index);
TG_API tg_tensor tg_topk(tg_tensor x, int64_t k, int dim, bool largest, tg_tensor *index);
/* x[0] + ... + x[j] along dim.    dx[j] = dy[j] + dy[j+1] + ... */
TG_API tg_tensor tg_cumsum(tg_tensor x, int dim);

/* ---- Views ---- */

/* Views: the same data and the same gradient through other strides; nothing is copied. reshape copies only when
 * strides cannot express it; one size may be -1. expand: -1 keeps a size; its gradient sums over the expanded dims.
 * slice: start, stop as in Python (negative from the end, clamped), step >= 1. */
TG_API tg_tensor tg_reshape(tg_tensor x, tg_shape shape);
TG_API tg_tensor tg_transpose(tg_tensor x, int dim0, int dim1);
TG_API tg_tensor tg_permute(tg_tensor x, tg_dims dims);
TG_API tg_tensor tg_slice(tg_tensor x, int dim, int64_t start, int64_t stop, int64_t step);
TG_API tg_tensor tg_select(tg_tensor x, int dim, int64_t index);
TG_API tg_tensor tg_squeeze(tg_tensor x, int dim); /* unchanged unless that size is 1 */
TG_API tg_tensor tg_unsqueeze(tg_tensor x, int dim);
TG_API tg_tensor tg_expand(tg_tensor x, tg_shape shape);
TG_API tg_tensor tg_detach(tg_tensor x); /* detached from the graph: no gradient flows through */
/* Pieces of `size` along dim (the last may be smaller) into parts[0..n-1]; n must be their number. */
TG_API TG_MUST_USE tg_status tg_split(tg_tensor x, int64_t size, int dim, tg_tensor *parts, int n);

/* ---- Copies ---- */

/* x itself when it is contiguous, else a copy; clone always copies. */
TG_API tg_tensor tg_contiguous(tg_tensor x);
TG_API tg_tensor tg_clone(tg_tensor x);
/* cat: n >= 1 parts one after another along a dim; stack: along a new one. */
TG_API tg_tensor tg_cat(const tg_tensor *parts, int n, int dim);
TG_API tg_tensor tg_stack(const tg_tensor *parts, int n, int dim);
/* Copies, of any dtype. flip: in reverse order along dims. roll: shifted by `shift` along dim; elements shifted past
 * one end reappear at the other. repeat: times[i] times along dim i; times may have extra dims in front, at most 7 in
 * all. */
TG_API tg_tensor tg_flip(tg_tensor x, tg_dims dims);
TG_API tg_tensor tg_roll(tg_tensor x, int64_t shift, int dim);
TG_API tg_tensor tg_repeat(tg_tensor x, tg_shape times);
/* Zero above (tril) or below (triu) the k-th diagonal of the last two dims; any dtype. */
TG_API tg_tensor tg_tril(tg_tensor x, int64_t k);
TG_API tg_tensor tg_triu(tg_tensor x, int64_t k);

/* ---- Products, linear layers ---- */

/* Matrix product with PyTorch's rules: (n,k)(k,m) -> (n,m); batch dims broadcast; a 1-D left operand is a row,
 * a 1-D right one a column, and the added dim is dropped again.  dA = dY B^T   dB = A^T dY   keeps A, B.
 * Transposed and sliced views are multiplied in place, without a copy. */
TG_API tg_tensor tg_matmul(tg_tensor a, tg_tensor b);
/* y = x W^T + b: x (..., in), weight (out, in), bias (out) or TG_NULL -> (..., out).
 * dx = dy W   dW = dy^T x   db = dy summed over all rows.   keeps x, W. */
TG_API tg_tensor tg_linear(tg_tensor x, tg_tensor weight, tg_tensor bias);
/* A low-rank adapter of a weight W (out, in), a leaf (Hu et al. 2022). Once it is set, tg_linear, whichever layer calls
 * it, computes
 *   y = x W^T + b + scaling dropout(x) A^T B^T        a: A (rank, in)    b: B (out, rank)
 * recorded as separate operations. For a slice of W's rows it takes the same rows of B; for tg_detach of W it gives A
 * and B no gradient. merged: W contains scaling B A already, and tg_linear leaves the adapter out. A null a removes the
 * adapter, and so does a rewind past A or B; W stays as it is then, merged and frozen if it was. No other operation
 * applies an adapter: tg_embedding of W is TG_ERR_STATE, and so is tg_linear of a view of W that is not a slice of
 * rows. So that no adapter counts twice, these are TG_ERR_STATE as well:
 *   - tg_replay of operations recorded with other adapters, or another a, b, scaling, dropout_p or merged (elements
 *     of A and B may change)
 *   - saving a merged W together with its A or B; loading W, A or B while W is merged
 *   - merged = false while A or B has other elements than when W was merged; nothing has changed then. They may change
 *     in between (tg_ema_swap), but must be put back, bit for bit. check_adapter finds this beforehand
 * adapter_of: a is null when W has no adapter. nn's tg_nn_lora_add makes adapters by the names of their weights. */
typedef struct tg_adapter {
    tg_tensor a, b;
    double scaling, dropout_p;
    bool merged;
} tg_adapter;
TG_API TG_MUST_USE tg_status tg_set_adapter(tg_tensor weight, tg_adapter adapter);
TG_API TG_MUST_USE tg_status tg_check_adapter(tg_tensor weight);
TG_API tg_adapter tg_adapter_of(tg_tensor weight);

/* ---- Softmax and norms ---- */

/* softmax: e^x / sum e^x along dim, from the maximum.   dx = y (dy - sum dy y)        keeps y
 * log_softmax: x - logsumexp x.                         dx = dy - e^y sum dy          keeps y
 * A row that is all -inf (everything masked) gives zeros (log_softmax: -inf) and a zero gradient, never NaN. */
TG_API tg_tensor tg_softmax(tg_tensor x, int dim);
TG_API tg_tensor tg_log_softmax(tg_tensor x, int dim);

/* y = (x - mean) / sqrt(var + eps) * weight + bias over the last dim, var biased (Ba, Kiros, Hinton 2016).
 * weight and bias: (size of the last dim), or TG_NULL; with more dims, over as many last dims together.
 * _over: over the last dims, which have this shape, with or without a weight. Keeps x, weight, 1/std and mean per row.
 */
TG_API tg_tensor tg_layer_norm(tg_tensor x, tg_tensor weight, tg_tensor bias, double eps);
TG_API tg_tensor tg_layer_norm_over(tg_tensor x, tg_shape normalized_shape, tg_tensor weight, tg_tensor bias,
                                    double eps);

/* y = x r weight with r = 1 / sqrt(mean x^2 + eps) over the last dim (Zhang, Sennrich 2019); weight (size of last dim)
 * or TG_NULL. Several dims as in layer_norm. Keeps x, weight and r per row. */
TG_API tg_tensor tg_rms_norm(tg_tensor x, tg_tensor weight, double eps);
TG_API tg_tensor tg_rms_norm_over(tg_tensor x, tg_shape normalized_shape, tg_tensor weight, double eps);

/* ---- Rotary positions ---- */

/* Rotary position embedding (Su et al. 2021) of x (..., T, d): the token at position p = offset + its index along T has
 * channel pair i rotated by the angle p base^(-2i / dims). Pairs are (i, i + dims / 2), as in Hugging Face's Llama, or
 * (2i, 2i + 1) when interleaved, as in Meta's. Channels from dims on are unchanged; dims is even, 0 means d. dx is dy
 * rotated back. offset may be negative. Keeps T dims / 2 cosines and as many sines. */
typedef struct tg_rope_config {
    double base;
    int64_t offset, dims;
    bool interleaved;
} tg_rope_config;
#define TG_ROPE_DEFAULTS (TG_LITERAL(tg_rope_config){10000, 0, 0, false})
TG_API tg_tensor tg_rope(tg_tensor x, tg_rope_config config);
/* The same with the frequencies f = base^(-2i / dims) scaled, for more positions than the pretraining's L, as in
 * models' configurations (transformers' rope_type; formulas in core/kernels/rope.c):
 *   linear  f / factor
 *   llama3  f / factor where L has fewer than low_freq_factor wavelengths, f where more than high_freq_factor
 *   yarn    f / factor where L has fewer than beta_slow wavelengths, f where more than beta_fast;
 *           truncate: from a whole pair to a whole pair; cosines and sines times attention_factor,
 *           where that is 0 times 0.1 ln factor + 1 or, if mscale and mscale_all_dim are both above 0,
 *           times (0.1 mscale ln factor + 1) / (0.1 mscale_all_dim ln factor + 1)
 * Fields that the type does not use are ignored. */
typedef enum { TG_ROPE_UNSCALED, TG_ROPE_LINEAR, TG_ROPE_LLAMA3, TG_ROPE_YARN } tg_rope_type;
typedef struct tg_rope_scaling {
    tg_rope_type type;
    double factor, original_max_position_embeddings; /* L */
    double low_freq_factor, high_freq_factor;
    double beta_fast, beta_slow, attention_factor, mscale, mscale_all_dim;
    bool truncate;
} tg_rope_scaling;
#define TG_ROPE_SCALING_DEFAULTS (TG_LITERAL(tg_rope_scaling){TG_ROPE_UNSCALED, 1, 8192, 1, 4, 32, 1, 0, 0, 0, true})
TG_API tg_tensor tg_rope_scaled(tg_tensor x, tg_rope_config config, tg_rope_scaling scaling);

/* ---- Embedding and other indices ---- */

/* Rows of weight (V, C) selected by ids (TG_I64, any shape) -> (ids..., C); dweight adds each row's dy. An id outside
 * [0, V) is TG_ERR_INDEX. index_select: slices of x along dim selected by a 1-D index.
 * gather: y[i][j] = x[i][index[i][j]] for dim 1; index has x's rank and is no larger in the other dims. */
TG_API tg_tensor tg_embedding(tg_tensor weight, tg_tensor ids);
TG_API tg_tensor tg_index_select(tg_tensor x, int dim, tg_tensor index);
TG_API tg_tensor tg_gather(tg_tensor x, int dim, tg_tensor index);
/* The transposes of index_select and gather. index_add: a copy of x to which the slices of source are added at a 1-D
 * index along dim. scatter_add: a copy to which source[i][j] is added at [i][index[i][j]], for dim 1; index and source
 * have one shape. dx = dy; dsource = dy at the index. */
TG_API tg_tensor tg_index_add(tg_tensor x, int dim, tg_tensor index, tg_tensor source);
TG_API tg_tensor tg_scatter_add(tg_tensor x, int dim, tg_tensor index, tg_tensor source);

/* ---- Dropout ---- */

/* In train mode each element is zeroed with probability p and the others scaled by 1/(1-p); the mask is kept.
 * In eval mode, or with p = 0, x itself. p outside [0, 1] is an error. */
TG_API tg_tensor tg_dropout(tg_tensor x, double p);

/* ---- Losses ---- */

typedef enum { TG_MEAN, TG_SUM, TG_NONE } tg_reduction;
/* -log softmax(logits)[target], in nats; logits (N, C), or (..., C), targets TG_I64 of shape (N) or (...).
 * Rows whose target is ignore_index are skipped (mean divides by the number of others; all ignored gives NaN, as in
 * PyTorch). A target outside [0, C) is TG_ERR_INDEX. dlogits = (softmax - onehot) dy / n. */
enum { TG_IGNORE_INDEX = -100 };
TG_API tg_tensor tg_cross_entropy(tg_tensor logits, tg_tensor targets, int64_t ignore_index, tg_reduction reduction);
/* The same with a weight for each class (floating (C), or TG_NULL; it gets no gradient; the mean divides by the
 * targets' weights) and label smoothing s within [0, 1]: each class has s / C of the target. */
typedef struct tg_cross_entropy_config {
    tg_tensor weight;
    double label_smoothing;
    int64_t ignore_index;
    tg_reduction reduction;
} tg_cross_entropy_config;
#define TG_CROSS_ENTROPY_DEFAULTS (TG_LITERAL(tg_cross_entropy_config){TG_NULL, 0, TG_IGNORE_INDEX, TG_MEAN})
TG_API tg_tensor tg_cross_entropy_with(tg_tensor logits, tg_tensor targets, tg_cross_entropy_config config);
/* Losses of x and a target z of its shape, averaged, summed or unreduced; z has a gradient too.
 *   mse_loss        (x - z)^2
 *   l1_loss         |x - z|
 *   huber_loss      (x - z)^2 / 2 where |x - z| <= delta, else delta (|x - z| - delta / 2)
 *   bce_with_logits -z ln sigmoid(x) - (1 - z) ln(1 - sigmoid(x))
 *   kl_div          z (ln z - x), 0 where z = 0: x are log-probabilities. PyTorch's "batchmean" is the sum / N. */
TG_API tg_tensor tg_mse_loss(tg_tensor x, tg_tensor z, tg_reduction reduction);
TG_API tg_tensor tg_l1_loss(tg_tensor x, tg_tensor z, tg_reduction reduction);
TG_API tg_tensor tg_huber_loss(tg_tensor x, tg_tensor z, double delta, tg_reduction reduction);
TG_API tg_tensor tg_bce_with_logits(tg_tensor x, tg_tensor z, tg_reduction reduction);
TG_API tg_tensor tg_kl_div(tg_tensor x, tg_tensor z, tg_reduction reduction);

/* ---- Attention ---- */

/* softmax(q k^T scale + mask) v: q (..., T, d), k (..., S, d), v (..., S, dv) -> (..., T, dv); leading dims broadcast.
 * mask (broadcasts to (..., T, S)): TG_NULL; TG_BOOL, true where attention is allowed; or floating, added to the
 * scores. causal: position i sees 0 .. i only. dropout_p acts on the attention weights in train mode. scale: 0 means
 * 1/sqrt(d). A query that sees no key gives zeros. Keeps q, k, v, mask, y and two numbers per query (Dao et al. 2022;
 * Milakov, Gimelshein 2018), from which the weights are recomputed accurately however large the scores are. It keeps a
 * (T, S) matrix only for wide heads (d + dv >= 768) with S <= d + dv, where it takes no more memory than q and y.
 * Weights are divided by their sum at the end: y may overflow where |v| is above the largest number / S. */
TG_API tg_tensor tg_scaled_dot_product_attention(tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor mask, bool causal,
                                                 double dropout_p, double scale);

/* The same with published models' extensions to the score s = scale q . k of a query at position i = offset + its index
 * along T and a key at position j, in this order:
 *   softcap    s becomes softcap tanh(s / softcap) (Gemma 2); 0: none
 *   alibi      s -= alibi[h] |i - j|, a slope for each of q's heads h, (H) (Press, Smith, Lewis 2022); no gradient
 *   mask       as above
 *   causal     hides keys unless j <= i
 *   window     hides keys unless |i - j| < window (causal: the last `window` keys are seen); 0: none
 *   documents  hides keys of other documents: TG_I64 (S), or (N, S) with q's first size N; adjacent keys of equal
 *              numbers are one document. T + offset <= S.
 *   sinks      e^sinks[h] is added to softmax's denominator, (H) (Xiao et al. 2024; gpt-oss)
 * Tiles that causal, window and documents hide are skipped.
 * enable_gqa: q (..., n H, T, d) and k, v (..., H, S, d): n heads of queries share a head of keys (Ainslie et al.
 * 2023). Leading dims broadcast. The VJP keeps alibi, sinks and documents too. tg_gradients through softcap, alibi,
 * sinks or documents records the composition of operations, with (T, S) matrices. */
typedef struct tg_attention_config {
    tg_tensor mask, alibi, sinks, documents; /* or TG_NULL */
    bool causal, enable_gqa;
    int64_t offset, window;
    double softcap, dropout_p, scale;
} tg_attention_config;
#define TG_ATTENTION_DEFAULTS \
    (TG_LITERAL(tg_attention_config){TG_NULL, TG_NULL, TG_NULL, TG_NULL, false, false, 0, 0, 0, 0, 0})
TG_API tg_tensor tg_scaled_dot_product_attention_with(tg_tensor q, tg_tensor k, tg_tensor v,
                                                      tg_attention_config config);

#ifdef __cplusplus
}
#endif
#endif
