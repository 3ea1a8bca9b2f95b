# SPDX-License-Identifier: MIT
# Completion of softcc, warpbook and train for fish.  Verbs and options come
# from the programs' own --help, so nothing here can be out of date.

function __warpbook_options
    $argv --help 2>/dev/null | string match -ar -- '(?<=^| )--[a-z][a-z-]*' | sort -u
end

function __warpbook_verbs
    warpbook --help 2>/dev/null | string match -r '^  [a-z][a-z-]*' | string trim
end

function __warpbook_labs
    warpbook list 2>/dev/null | string match -r '^[0-9]{2}'
end

# The words that the help of a verb begins with for the option before the cursor.
function __warpbook_values
    set -l typed (commandline -opc)
    warpbook $typed[2] --help 2>/dev/null | awk -v option=$typed[-1] '
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
end

function __train_commands
    train --help 2>/dev/null | sed -nE 's/^ +train ([a-z-]+) .*/\1/p'
end

# The words that train's help lists for the option before the cursor.
function __train_values
    set -l option (commandline -opc)[-1]
    train --help 2>/dev/null | sed -nE "s/^  $option +(NAME|0\|1) +//p" |
        sed -E 's/ \([^)]*\)//g' | tr ',' '\n' |
        sed -nE 's/^ *(or )?([a-z][a-z0-9-]*)$/\2/p'
end

complete -c warpbook -n __fish_use_subcommand -f -a '(__warpbook_verbs)'
complete -c warpbook -n 'not __fish_use_subcommand; and not string match -q -- "--*" (commandline -opc)[-1]' \
    -a '(__warpbook_labs)'
complete -c warpbook -n 'string match -q -- "--*" (commandline -opc)[-1]' -a '(__warpbook_values)'
complete -c warpbook -n 'string match -q -- "-*" (commandline -ct)' \
    -a '(__warpbook_options (commandline -opc)[1..2])'
complete -c softcc -n 'string match -q -- "-*" (commandline -ct)' -a '(__warpbook_options softcc)'
complete -c train -n 'string match -q -- "-*" (commandline -ct)' -a '(__warpbook_options train)'
complete -c train -n __fish_use_subcommand -a '(__train_commands)'
complete -c train -n 'string match -q -- "--*" (commandline -opc)[-1]' -a '(__train_values)'
