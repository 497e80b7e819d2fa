/* Every operation, as the Makefile found them in core/ops, for the suites that go through all of them. */
#ifndef TAPEGRAD_TEST_OPS_H
#define TAPEGRAD_TEST_OPS_H

#include "core/engine.h"

#define X(name) extern const tg_op name;
#include "ops_list.h"
#undef X

static const tg_op *const ops[] = {
#define X(name) &name,
#include "ops_list.h"
#undef X
};
enum { N_OPS = sizeof ops / sizeof *ops };

#endif
