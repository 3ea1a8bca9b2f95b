#!/bin/sh
# SPDX-License-Identifier: MIT
# Slurm starts this for each task of an array of warpbook autograde --slurm:
#
#     task.sh WARPBOOK ARGUMENT...
#
# Builds and temporary files need locks that a network file system may not have:
# unless the program lies on a local disk, they go to a folder of the node.
set -u

case $(stat -f -c %T "$1") in
ext2/ext3 | xfs | btrfs | tmpfs | overlayfs | zfs) exec "$@" ;;
esac
. "${0%/*}/../../common/base/temp_dir.sh"
export WARPBOOK_CACHE="$tmp"
chmod 711 "$WARPBOOK_CACHE" # a submission has another user id when root grades
trap 'kill -TERM "$task"' TERM INT
"$@" &
task=$!
wait "$task"
status=$?
wait "$task" 2>/dev/null # again, when a signal ended the first wait
exit "$status"
