#compdef softcc warpbook train
# SPDX-License-Identifier: MIT
# Completion of softcc, warpbook and train for zsh.  Verbs and options come from
# the programs' own --help, so nothing here can be out of date.

_warpbook_options() {
    "$@" --help 2>/dev/null | grep -oE '(^| )--[a-z][a-z-]*' | tr -d ' ' | sort -u
}

local program=$words[1]
local -a found

if [[ $PREFIX == -* && $service == warpbook && CURRENT -gt 2 ]]; then
    found=(${(f)"$(_warpbook_options $program $words[2])"})
elif [[ $PREFIX == -* ]]; then
    found=(${(f)"$(_warpbook_options $program)"})
elif [[ $service == warpbook && CURRENT -eq 2 ]]; then
    found=(${(f)"$($program --help 2>/dev/null | awk '/^  [a-z]/ { print $1 }')"})
elif [[ $service == warpbook ]]; then
    found=(${(f)"$($program list 2>/dev/null | grep -oE '^[0-9]{2}')"})
fi
compadd -a found
[[ $service == warpbook && CURRENT -le 2 ]] || _files
