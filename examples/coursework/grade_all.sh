#!/bin/sh
# Grades a folder of submissions: grade_all.sh tools compiler submissions csv
# From the environment: SEED (without it a secret one is drawn and printed), VARIANTS=1, CLASS, NAMES (a file), JOBS (2).
set -eu
tools=$1 compiler=$2 submissions=$3 csv=$4
if [ -z "$submissions" ] || [ -z "$csv" ]; then
    echo "grade-all: say what and where to: make grade-all SUBMISSIONS=folder CSV=file [SEED=number] [VARIANTS=1 CLASS=text NAMES=file] [JOBS=2]" >&2
    exit 2
fi
here=$(dirname "$0")
sh "$here/unpack.sh" "$submissions"
exec "$tools/grade" --tools "$tools" --compiler "$compiler" --submissions "$submissions" --csv "$csv" ${SEED:+--seed "$SEED"} \
    --variants "${VARIANTS:-}" --class "${CLASS:-}" --names "${NAMES:-}" --predictions "$here/predictions.txt" --jobs "${JOBS:-2}"
