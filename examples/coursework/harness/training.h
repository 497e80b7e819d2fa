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
    int variants;     /* of 08, 09 and 11 for the library's stand-ins: 08's + 10 times 09's + 100 times 11's */
    double factor[3]; /* by which the stand-ins multiply what they give */
} training;

#define TRAINING_GREW "the tape grew"

typedef int course_training(const course_code *code, training *t, char *text, size_t size);

#endif
