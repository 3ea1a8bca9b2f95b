# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# To be sourced: a folder $tmp for temporary files that goes with this process,
# as temp_dir.h says of programs.  Descriptor 9 has its lock, which the kernel
# releases when the process is killed; the next one removes the folder then.
for tmp in "${TMPDIR:-/tmp}"/warpbook.*; do
    if [ -d "$tmp" ] && [ ! -L "$tmp" ] && [ -O "$tmp" ]; then
        flock -n "$tmp" rm -rf "$tmp" || true # locked: in use
    fi
done
# Another process may take the new folder for one of a killed process.
while :; do
    tmp=$(mktemp -d "${TMPDIR:-/tmp}/warpbook.XXXXXX") || exit
    if command exec 9<"$tmp" && flock -n 9 && [ -d "$tmp" ]; then
        break
    fi
done
trap 'rm -rf "$tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
