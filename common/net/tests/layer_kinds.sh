#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A new kind of layer is a compile error in each file that distinguishes kinds,
# until its switch handles the new one: no default hides it.
set -u
. .ci/check.sh
softcc=${BUILD:-build}
softcc=${softcc%/san}/softcc

mkdir -p "$tmp/new/common" "$tmp/old/common"
cp -r common/net "$tmp/new/common/net"
cp -r common/net "$tmp/old/common/net"
sed -i 's/^    LAYER_DENSE .*/    LAYER_DENSE,\n    LAYER_NEW/' \
    "$tmp/new/common/net/network.h"
labs=$(printf -- '-Ilabs/%s ' 03_transpose 08_fast_gemm 11_conv_layer \
    12_layers 15_optimizers 16_cnn_trainer)

# The code itself need not be fast.
compile() { # folder of common/net, file
    local path=$2
    case $2 in
    common/net/*) path=$1/$2 ;;
    esac
    case $2 in
    *.cu)
        $softcc -O0 -I"$1" -I. -Icommon/include $labs -Xcompiler \
            -Werror=switch-enum -c -o "$tmp/object" "$path" 2>&1
        ;;
    *) ${CC:-cc} -std=c11 -D_GNU_SOURCE -Werror=switch-enum -fsyntax-only \
        -I"$1" -I. "$path" 2>&1 ;;
    esac
}
names_new_kind() {
    compile "$tmp/new" "$1" |
        grep -qE "LAYER_NEW.* not (explicitly )?handled in switch"
}

for file in common/net/{network,network_shapes,reference_layers,step}.c \
    common/train/checkpoint.c solutions/16_cnn_trainer/[1-3]_*.cu; do
    check "$file compiles" compile "$tmp/old" "$file"
    check "$file must handle a new kind of layer" names_new_kind "$file"
done
finish
