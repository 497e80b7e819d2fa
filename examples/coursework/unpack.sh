#!/bin/sh
# Hand-ins as they come: unpack.sh submissions. NAME.zip (or .tar, .tar.gz, .tgz) becomes the folder NAME, and a folder in which
# the task files lie deeper, or in an archive, gets a folder tasks with them. Only the task files and predictions.txt are taken, at
# most 1 MB and one byte of each, no link is followed, nothing that is there is changed, and what is unpacked is said.
set -eu
submissions=$1
from=$(dirname "$0")
files=$(ls "$from"/tasks/*.c | sed 's|.*/||')
taken="$files
predictions.txt"
here=$(mktemp -d) || exit 2
trap 'rm -rf "$here"' EXIT
trap 'exit 2' INT TERM

is_task() { printf '%s\n' "$taken" | grep -qxF -e "${1##*/}"; }
has_tasks() { # folder
    for file in $files; do
        for place in "$1/$file" "$1/tasks/$file"; do [ ! -e "$place" ] && [ ! -L "$place" ] || return 0; done
    done
    [ -L "$1/tasks" ] # a link is the grader's to refuse
}
list() { # archive
    case $1 in
        *.zip) unzip -Z "$1" | awk '/^-/ { for (i = 0; i < 8; i++) sub(/^[^ ]+ +/, ""); print }' ;; # no folders, no links
        *) tar -tf "$1" ;;
    esac 2> /dev/null
}
# unzip reads a name as a pattern
show() { # archive, name
    case $1 in
        *.zip) unzip -p "$1" "$(printf '%s' "$2" | sed 's/[][*?\\]/\\&/g')" ;;
        *) tar -xOf "$1" "$2" ;;
    esac 2> /dev/null
}
# What was built is not what was handed in; of several the one least deep.
choose() { grep -v -e '^build/' -e '/build/' | awk -F/ '{ print NF, $0 }' | sort -n | cut -d ' ' -f 2-; }
from_archive() { # archive, folder
    list "$1" | choose > "$here/names"
    while read -r name; do
        is_task "$name" && [ ! -e "$2/tasks/${name##*/}" ] || continue
        mkdir -p "$2/tasks"
        show "$1" "$name" | head -c 1048577 > "$2/tasks/${name##*/}" || true
        [ -s "$2/tasks/${name##*/}" ] || rm "$2/tasks/${name##*/}" # a link
    done < "$here/names"
}
from_below() { # folder
    find "$1" -mindepth 2 -maxdepth 8 -type f \( -name '*.c' -o -name predictions.txt \) | choose > "$here/names"
    while read -r name; do
        is_task "$name" && [ ! -e "$1/tasks/${name##*/}" ] || continue
        mkdir -p "$1/tasks"
        head -c 1048577 "$name" > "$1/tasks/${name##*/}"
    done < "$here/names"
}
archives() { find "$1" -maxdepth "$2" -type f \( -name '*.zip' -o -name '*.tar' -o -name '*.tar.gz' -o -name '*.tgz' \) | sort; }
say() { printf 'unpacked: %s\n' "${1##*/}" | LC_ALL=C tr -c '\n -~' '?'; }

[ -d "$submissions" ] || exit 0
archives "$submissions" 1 | while read -r archive; do
    name=$(printf '%s\n' "$archive" | sed 's/\.zip$//; s/\.tar\.gz$//; s/\.tgz$//; s/\.tar$//')
    [ ! -e "$name" ] && [ ! -L "$name" ] || continue
    mkdir "$name"
    from_archive "$archive" "$name"
    say "$archive"
done
for folder in "$submissions"/*/; do
    folder=${folder%/}
    [ -d "$folder" ] && [ ! -L "$folder" ] && ! has_tasks "$folder" || continue
    archives "$folder" 4 > "$here/archives"
    while read -r archive; do from_archive "$archive" "$folder"; done < "$here/archives"
    [ -d "$folder/tasks" ] || from_below "$folder"
    [ ! -d "$folder/tasks" ] || say "$folder"
done
