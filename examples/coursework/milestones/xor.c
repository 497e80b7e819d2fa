/* XOR by your engine of task A2: no line separates the two classes, two layers do. */
#include "coursework.h"

enum { HIDDEN = 4, STEPS = 1000, EVERY = 100 };
static const double points[] = {0, 0, 0, 1, 1, 0, 1, 1}, target[] = {0, 1, 1, 0};

static struct parameter {
    int rows, columns, at;
    double value[2 * HIDDEN];
} W1 = {2, HIDDEN, 0, {1.2, -0.8, 0.5, -1.5, -1.1, 0.9, 1.4, -0.4}}, b1 = {1, HIDDEN, 0, {0.1, 0.6, -0.5, 0.3}},
  W2 = {HIDDEN, 1, 0, {0.7, 1.1, -0.9, 0.4}}, b2 = {1, 1, 0, {0}};

static int leaf_of(const course_engine *my, struct parameter *p) {
    return p->at = my->leaf(p->rows, p->columns, p->value);
}

static void descend(const course_engine *my, struct parameter *p, double lr) {
    for (int i = 0; i < p->rows * p->columns; i++)
        p->value[i] -= lr * my->grad(p->at)[i];
}

/* guess = curve(points W1 + b1) W2 + b2 */
static int guess(const course_engine *my) {
    int x = my->leaf(4, 2, points);
    int hidden = my->curve(my->add(my->matmul(x, leaf_of(my, &W1)), leaf_of(my, &b1)));
    return my->add(my->matmul(hidden, leaf_of(my, &W2)), leaf_of(my, &b2));
}

int main(void) {
    const course_engine *my = &my_engine;
    bool right = true;
    for (int step = 0; step <= STEPS; step++) {
        my->clear();
        int off = my->add(guess(my), my->scale(my->leaf(4, 1, target), -1));
        int loss = my->scale(my->sum(my->mul(off, off)), 0.25);
        my->backward(loss);
        if (step % EVERY == 0)
            printf("step %4d: loss %.6f\n", step, my->value(loss)[0]);
        descend(my, &W1, 0.2);
        descend(my, &b1, 0.2);
        descend(my, &W2, 0.2);
        descend(my, &b2, 0.2);
    }
    my->clear();
    const double *y = my->value(guess(my));
    for (int i = 0; i < 4; i++) {
        printf("%g xor %g = %7.4f\n", points[2 * i], points[2 * i + 1], y[i]);
        right &= fabs(y[i] - target[i]) < 0.1;
    }
    puts(right ? "\nYour engine has learnt XOR."
               : "\nIt has not learnt XOR: `make grade TASK=A2` says what your engine lacks.");
    return !right;
}
