/* Tasks of your own, after the others: what they are, and a line for each in OWN_TASKS. There are none here; own/ has
 * one, and README.md says how it came about. */
#ifndef TAPEGRAD_COURSEWORK_OWN_H
#define TAPEGRAD_COURSEWORK_OWN_H

#define OWN_TASKS

#endif
