#!/bin/sh
# Grades a folder of submissions: grade_all.sh tools compiler submissions csv [seed [variants [class]]]
set -eu
tools=$1 compiler=$2 submissions=$3 csv=$4 seed=${5:-} variants=${6:-} class=${7:-}
if [ -z "$submissions" ] || [ -z "$csv" ]; then
    echo "grade-all: say what and where to: make grade-all SUBMISSIONS=folder CSV=file [SEED=number] [VARIANTS=1 CLASS=text]" >&2
    exit 2
fi
sh "$(dirname "$0")/unpack.sh" "$submissions"
exec "$tools/grade" --tools "$tools" --compiler "$compiler" --submissions "$submissions" --csv "$csv" \
    --seed "${seed:-1}" --variants "$variants" --class "$class"
