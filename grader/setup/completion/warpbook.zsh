#compdef softcc warpbook train
# SPDX-License-Identifier: MIT
# Completion of softcc, warpbook and train for zsh.  Verbs and options come from
# the programs' own --help, so nothing here can be out of date.

_warpbook_options() {
    "$@" --help 2>/dev/null | grep -oE '(^| )--[a-z][a-z-]*' | tr -d ' ' | sort -u
}

# The words that train's help lists for an option: "softmax, mlp, or a file".
_train_values() {
    $1 --help 2>/dev/null | sed -nE "s/^  $2 +(NAME|0\|1) +//p" |
        sed -E 's/ \([^)]*\)//g' | tr ',' '\n' |
        sed -nE 's/^ *(or )?([a-z][a-z0-9-]*)$/\2/p'
}

# The words that the help of a verb begins with for an option.
_warpbook_values() {
    $1 $2 --help 2>/dev/null | awk -v option="$3" '
        inside && !/^      / { exit }
        inside { text = text $0 }
        $1 == option { inside = 1 }
        END {
            sub(/;.*/, "", text)
            gsub(/\([^)]*\)/, "", text)
            gsub(/ or /, ",", text)
            count = split(text, item, ",")
            for (i = 1; i <= count; i++) {
                gsub(/ /, "", item[i])
                if (item[i] !~ /^[a-z]+$/ || text ~ "^ *[a-z]+ [a-z]") exit
                print item[i]
            }
        }'
}

local program=$words[1]
local -a found

if [[ $PREFIX == -* && $service == warpbook && CURRENT -gt 2 ]]; then
    found=(${(f)"$(_warpbook_options $program $words[2])"})
elif [[ $PREFIX == -* ]]; then
    found=(${(f)"$(_warpbook_options $program)"})
elif [[ $service == warpbook && CURRENT -gt 2 && $words[CURRENT-1] == --* ]]; then
    found=(${(f)"$(_warpbook_values $program $words[2] $words[CURRENT-1])"})
elif [[ $service == warpbook && CURRENT -eq 2 ]]; then
    found=(${(f)"$($program --help 2>/dev/null | awk '/^  [a-z]/ { print $1 }')"})
elif [[ $service == train && $words[CURRENT-1] == --* ]]; then
    found=(${(f)"$(_train_values $program $words[CURRENT-1])"})
elif [[ $service == train && CURRENT -eq 2 ]]; then
    found=(${(f)"$($program --help 2>/dev/null | sed -nE 's/^ +train ([a-z-]+) .*/\1/p')"})
elif [[ $service == warpbook ]]; then
    found=(${(f)"$($program list 2>/dev/null | grep -oE '^[0-9]{2}')"})
fi
compadd -a found
# what follows an option is one of its values, where it has some
if [[ $words[CURRENT-1] == --* ]]; then
    (( $#found )) || _files
elif [[ $service != warpbook || CURRENT -gt 2 ]]; then
    _files
fi
