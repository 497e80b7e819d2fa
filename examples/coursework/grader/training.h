/* Task 12: what the runner hands to the code linked to the student's (training.c). */
#ifndef TAPEGRAD_COURSEWORK_TRAINING_H
#define TAPEGRAD_COURSEWORK_TRAINING_H

#include "coursework.h"

enum { TRAINING_PARAMETERS = 6, TRAINING_ARRAYS = 9 };

/* The six parameters in course_layer's order (trained in place), x, y, and the losses to be filled. */
typedef struct training {
    double *array[TRAINING_ARRAYS];
    tg_shape shape[TRAINING_ARRAYS];
    int steps;
    double lr;
} training;

typedef int course_training(const course_code *code, training *t, char *text, size_t size);

#endif
