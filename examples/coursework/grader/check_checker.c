/* 18: the gradient check. */
#include "harnessed.h"

enum { ELEMENTS = 12 };

typedef enum { NO_MISTAKE, SIGN, HUNDREDTH, ZERO, NOT_A_NUMBER, TWO_MISTAKES, SHIFTED, MISTAKES } planted;
static const char *const planted_words[] = {"right",
                                            "one element with the wrong sign",
                                            "one element a hundredth too large",
                                            "one element 0",
                                            "one element not a number",
                                            "two elements wrong",
                                            "the smallest element wrong"};

static void gradient_of(int f, const double *x, const double *w, double *g) {
    double sum = 0;
    for (int i = 0; i < ELEMENTS; i++)
        sum += exp(x[i]);
    for (int i = 0; i < ELEMENTS; i++) {
        int before = (i + ELEMENTS - 1) % ELEMENTS;
        g[i] = f == F_SQUARES     ? 2 * w[i] * x[i]
               : f == F_LOGSUMEXP ? exp(x[i]) / sum
               : f == F_WAVES     ? w[i] * cos(w[i] * x[i]) * x[(i + 1) % ELEMENTS] + sin(w[before] * x[before])
                                  : -w[i] / x[i] / x[i];
    }
}

/* A gradient with this mistake; the answer that the variant asks for. */
static double plant(planted mistake, int at, double *g, int variant) {
    int other = (at + 5) % ELEMENTS, small = 0;
    for (int i = 1; i < ELEMENTS; i++)
        small = fabs(g[i]) < fabs(g[small]) ? i : small;
    if (mistake == SHIFTED)
        at = small;
    switch (mistake) {
    case SIGN: g[at] = -g[at]; break;
    case HUNDREDTH: g[at] *= 1.01; break;
    case ZERO: g[at] = 0; break;
    case NOT_A_NUMBER: g[at] = NAN; break;
    case TWO_MISTAKES: g[at] *= 2, g[other] = -g[other]; break;
    case SHIFTED: g[at] *= 1.5; break;
    default: return variant ? 0 : -1;
    }
    if (mistake == TWO_MISTAKES)
        return variant ? 2 : at < other ? at : other;
    return variant ? 1 : at;
}

/* A gradient of the function f, with a mistake. */
typedef struct question {
    int f;
    planted mistake;
} question;
enum { TIMES = 3, QUESTIONS = TIMES * N_FUNCTIONS * MISTAKES };

/* Every mistake in every function, three times, in an order that nobody can count on. */
static int draw_questions(tg_tape *t, int first, int last, int mistakes, question *list) {
    int n = 0;
    for (int f = first; f <= last; f++)
        for (int k = 0; k < TIMES * mistakes; k++)
            list[n++] = (question){f, (planted)(k % mistakes)};
    for (int i = n - 1; i > 0; i--) {
        int other = below(t, i + 1);
        question q = list[i];
        list[i] = list[other];
        list[other] = q;
    }
    return n;
}

/* Of the element that the answer calls wrong: why a check may do so, when its gradient is right. */
static void tell_element(const double *x, const double *g, double answer, verdict *v) {
    int k = answer >= 0 && answer < ELEMENTS ? (int)answer : -1;
    if (k < 0)
        return;
    if (fabs(g[k]) < 1e-9)
        snprintf(v->why, sizeof v->why,
                 "element %d is called wrong: x is %.4g there, and the gradient %.3g, right: a difference of f is 0 or "
                 "rounding, which no relative bound allows",
                 k, x[k], g[k]);
    else
        snprintf(v->why, sizeof v->why,
                 "element %d is called wrong: x is %.4g there, and the gradient %.6g, right: the step is too "
                 "large for f's bend, or the bound too narrow for rounding",
                 k, x[k], g[k]);
}

static verdict put_question(session *s, tg_tape *t, question q) {
    double x[ELEMENTS], w[ELEMENTS], g[ELEMENTS], answer[1] = {-3};
    int variant = s->variant[s->task];
    if (!normals(t, x, ELEMENTS) || !normals(t, w, ELEMENTS))
        return wrong("grader", "grader", "out of memory");
    for (int i = 0; i < ELEMENTS; i++) {
        w[i] = (w[i] < 0 ? -1 : 1) * (0.5 + fabs(w[i])) * (q.f == F_SQUARES ? 50 : 1);
        x[i] = (x[i] < 0 ? -1 : 1) * (0.05 + fabs(x[i])) * (q.f == F_WAVES ? 5 : q.f == F_SQUARES ? 20 : 1);
    }
    if (q.f == F_LOGSUMEXP && q.mistake == NO_MISTAKE)
        x[0] -= 30; /* an element that has next to no effect: its gradient is below what differences can tell */
    gradient_of(q.f, x, w, g);
    double wanted = plant(q.mistake, below(t, ELEMENTS), g, variant);
    sent a[] = {{x, ELEMENTS, false}, {g, ELEMENTS, false}, {w, ELEMENTS, false}, {answer, 1, true}};
    if (!ask(s, (double[]){0, q.f}, 2, a, 4))
        return failed(s, "judge_gradient");
    if (answer[0] == wanted)
        return fine;
    verdict v = wrong("judge_gradient",
                      variant && answer[0] == -1        ? "the page's operation"
                      : q.mistake == NO_MISTAKE         ? "calls a right gradient wrong"
                      : answer[0] == (variant ? 0 : -1) ? "a mistake passes"
                                                        : "another answer",
                      "%s", planted_words[q.mistake]);
    static const char *const f[] = {"sum of w x^2", "logsumexp", "sum of sin(w x) x", "sum of w / x"};
    at_element(&v, answer[0], wanted, "for f = %s and a gradient with %s: the answer", f[q.f],
               q.mistake == NO_MISTAKE ? "no mistake" : planted_words[q.mistake]);
    if (q.mistake == NO_MISTAKE)
        tell_element(x, g, answer[0], &v);
    v.untouched = answer[0] == -2;
    return v;
}

/* What is said is of the simplest question with a wrong answer. */
static verdict check_checker(session *s, int first, int last, int mistakes) {
    question list[QUESTIONS];
    tg_tape *t = random_tape(s, 11);
    int n = draw_questions(t, first, last, mistakes, list), simplest = MISTAKES;
    verdict v = fine;
    for (int i = 0; i < n && !s->student->failure[0]; i++) {
        verdict one = put_question(s, t, list[i]);
        bool tells = !one.right && ((int)list[i].mistake < simplest || s->student->failure[0]);
        simplest = tells ? (int)list[i].mistake : simplest;
        v = tells ? one : v;
    }
    tg_tape_free(t);
    return says(s, "gradients with and without mistakes", v);
}

verdict check_plain_checker(session *s) { return check_checker(s, F_SQUARES, F_LOGSUMEXP, SIGN + 1); }
verdict check_fine_checker(session *s) { return check_checker(s, F_SQUARES, F_INVERSE, MISTAKES); }
