/* Of linear_attention.c, for one type: real, EXP and FN(name) are defined by it. No include guard, it is read twice. */

/* What a sequence b is computed from. Kept for the VJP, behind one another: f(q), f(k) (B, T, d), w (B, T). */
typedef struct FN(job) {
    sizes z;
    const real *q, *k, *v, *start;
    real *y, *end, *fq, *fk, *w;
    const real *dy, *dend;
    real *dq, *dk, *dv, *dstart, *scratch; /* of the VJP; NULL where no gradient is wanted */
} FN(job);

static FN(job) FN(job_of)(const tg_call *c) {
    sizes z = sizes_of(&c->input_shape[0], &c->input_shape[2]);
    real *saved = c->saved;
    FN(job) j = {.z = z, .q = c->input[0], .k = c->input[1], .v = c->input[2], .start = c->input[3]};
    j.y = c->outputs[0];
    j.end = c->outputs[1];
    j.fq = saved;
    j.fk = saved + z.B * z.T * z.d;
    j.w = saved + 2 * z.B * z.T * z.d;
    return j;
}

static real FN(feature)(real x) { return x > 0 ? x + 1 : EXP(x); }

/* v'[j] of the row v */
static real FN(with_one)(const real *v, int64_t j, int64_t dv) { return j < dv ? v[j] : 1; }

/* S += a v'^T */
static void FN(add_outer)(const sizes *z, real *S, const real *a, const real *v) {
    for (int64_t i = 0; i < z->d; i++)
        for (int64_t j = 0; j < z->width; j++)
            S[i * z->width + j] += a[i] * FN(with_one)(v, j, z->dv);
}

static void FN(forward_one)(const FN(job) * j, int64_t b) {
    const sizes *z = &j->z;
    int64_t state = z->d * z->width;
    real *S = j->end + b * state;
    if (state)
        memcpy(S, j->start + b * state, (size_t)state * sizeof *S);
    for (int64_t t = b * z->T; t < (b + 1) * z->T; t++) {
        real *fq = j->fq + t * z->d, *fk = j->fk + t * z->d, *y = j->y + t * z->dv, w = 0;
        for (int64_t i = 0; i < z->d; i++) {
            fq[i] = FN(feature)(j->q[t * z->d + i]);
            fk[i] = FN(feature)(j->k[t * z->d + i]);
        }
        FN(add_outer)(z, S, fk, j->v + t * z->dv);
        for (int64_t n = 0; n < z->dv; n++)
            y[n] = 0;
        for (int64_t i = 0; i < z->d; i++) {
            for (int64_t n = 0; n < z->dv; n++)
                y[n] += fq[i] * S[i * z->width + n];
            w += fq[i] * S[i * z->width + z->dv];
        }
        for (int64_t n = 0; n < z->dv; n++)
            y[n] /= w;
        j->w[t] = w;
    }
}

/* (dn, dw) of token t */
static void FN(d_row)(const FN(job) * j, int64_t t, real *dn) {
    const real *y = j->y + t * j->z.dv, *dy = j->dy + t * j->z.dv;
    dn[j->z.dv] = 0;
    for (int64_t n = 0; n < j->z.dv; n++) {
        dn[n] = dy[n] / j->w[t];
        dn[j->z.dv] -= dn[n] * y[n];
    }
}

/* dx += df f'(x) */
static void FN(add_slope)(real *dx, real df, real x, real f) { *dx += df * (x > 0 ? 1 : f); }

static void FN(vjp_one)(const FN(job) * j, int64_t b) {
    const sizes *z = &j->z;
    int64_t state = z->d * z->width;
    real *S = j->scratch + b * (state + z->width), *dn = S + state;
    if (state)
        memcpy(S, j->start + b * state, (size_t)state * sizeof *S);
    for (int64_t t = b * z->T; t < (b + 1) * z->T && j->dq; t++) {
        FN(add_outer)(z, S, j->fk + t * z->d, j->v + t * z->dv);
        FN(d_row)(j, t, dn);
        for (int64_t i = 0; i < z->d; i++) {
            real df = 0;
            for (int64_t n = 0; n < z->width; n++)
                df += S[i * z->width + n] * dn[n];
            FN(add_slope)(&j->dq[t * z->d + i], df, j->q[t * z->d + i], j->fq[t * z->d + i]);
        }
    }
    real *dS = S;
    if (state)
        memcpy(dS, j->dend + b * state, (size_t)state * sizeof *dS);
    for (int64_t t = (b + 1) * z->T - 1; t >= b * z->T; t--) {
        const real *fk = j->fk + t * z->d, *v = j->v + t * z->dv;
        FN(d_row)(j, t, dn);
        for (int64_t i = 0; i < z->d; i++) {
            real df = 0;
            for (int64_t n = 0; n < z->width; n++) {
                dS[i * z->width + n] += j->fq[t * z->d + i] * dn[n];
                df += dS[i * z->width + n] * FN(with_one)(v, n, z->dv);
                if (j->dv && n < z->dv)
                    j->dv[t * z->dv + n] += dS[i * z->width + n] * fk[i];
            }
            if (j->dk)
                FN(add_slope)(&j->dk[t * z->d + i], df, j->k[t * z->d + i], fk[i]);
        }
    }
    for (int64_t i = 0; i < state && j->dstart; i++)
        j->dstart[b * state + i] += dS[i];
}

static void FN(forward_piece)(void *context, int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; b++)
        FN(forward_one)(context, b);
}

static void FN(vjp_piece)(void *context, int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; b++)
        FN(vjp_one)(context, b);
}

static int FN(forward)(const tg_call *c) {
    FN(job) j = FN(job_of)(c);
    tg_parallel_for(j.z.B, 1, FN(forward_piece), &j);
    return 0;
}

static int FN(vjp)(const tg_call *c) {
    FN(job) j = FN(job_of)(c);
    j.dy = c->output_grads[0];
    j.dend = c->output_grads[1];
    j.dq = c->input_grad[0];
    j.dk = c->input_grad[1];
    j.dv = c->input_grad[2];
    j.dstart = c->input_grad[3];
    j.scratch = malloc((size_t)(j.z.B * (j.z.d + 1) * j.z.width + 1) * sizeof *j.scratch);
    if (!j.scratch)
        return 1;
    tg_parallel_for(j.z.B, 1, FN(vjp_piece), &j);
    free(j.scratch);
    return 0;
}
