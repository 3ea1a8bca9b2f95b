# SPDX-License-Identifier: MIT
# Completion of softcc, warpbook and train for bash.  Verbs and options come
# from the programs' own --help, so nothing here can be out of date.

_warpbook_options() { # PROGRAM [VERB]: the long options of its help
    "$@" --help 2>/dev/null | grep -oE '(^| )--[a-z][a-z-]*' | sort -u
}

_warpbook_verbs() {
    "$1" --help 2>/dev/null | awk '/^  [a-z]/ { print $1 }'
}

_warpbook_labs() {
    "$1" list 2>/dev/null | grep -oE '^[0-9]{2}'
}

# The words that the help of a verb begins with for an option, as in "auto, gpu
# or soft; default auto": _warpbook_values PROGRAM VERB --OPTION
_warpbook_values() {
    "$1" "$2" --help 2>/dev/null | awk -v option="$3" '
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

_warpbook() {
    local program=$1 word=$2 previous=$3 verb=${COMP_WORDS[1]} values
    [[ $previous != --* ]] ||
        values=$(_warpbook_values "$program" "$verb" "$previous")
    case $previous in
    --device | --format) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word") ;;
    --from | --late) mapfile -t COMPREPLY < <(compgen -W "$values" -f -- "$word") ;;
    --json | --html | --output | --calibration | -o | --roster | --course | --seed-file) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    *)
        if ((COMP_CWORD == 1)); then
            mapfile -t COMPREPLY < <(compgen -W "$(_warpbook_verbs "$program")" -- "$word")
        elif [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W \
                "$(_warpbook_options "$program" "$verb")" -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -W "$(_warpbook_labs "$program")" -f -- "$word")
        fi
        ;;
    esac
}

_softcc() {
    if [[ $2 == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_warpbook_options "$1")" -- "$2")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$2")
    fi
}

# train_values PROGRAM --OPTION: the words that its help lists for the option, up
# to the first that is none: "softmax, mlp, or a .net file"
_train_values() {
    "$1" --help 2>/dev/null | sed -nE "s/^  $2 +(NAME|0\|1) +//p" |
        sed -E 's/ \([^)]*\)//g' | tr ',' '\n' |
        sed -nE 's/^ *(or )?([a-z][a-z0-9-]*)$/\2/p'
}

_train() {
    local values
    [[ $3 != --* ]] || values=$(_train_values "$1" "$3")
    if [[ $3 == --* && -n $values ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -f -- "$2")
    elif ((COMP_CWORD == 1)) && [[ $2 != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$1" --help 2>/dev/null |
            sed -nE 's/^ +train ([a-z-]+) .*/\1/p')" -- "$2")
    else
        _softcc "$@"
    fi
}

complete -F _warpbook warpbook
complete -o filenames -F _softcc softcc
complete -o filenames -F _train train
