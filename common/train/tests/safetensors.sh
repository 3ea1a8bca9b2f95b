#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A checkpoint read, and weights written, by another program than ours: the
# Python package safetensors where it is, else a few lines of Python here.
set -u
. .ci/check.sh
build=${BUILD:-build}
train=${build%/san}/train
command -v python3 >"$tmp/log" || {
    echo "no python3 here"
    exit 77
}

cat >"$tmp/other.py" <<'END'
import json, struct, sys

def deserialize(content):
    length, = struct.unpack("<Q", content[:8])
    header = json.loads(content[8:8 + length])
    return [(name, {"dtype": about["dtype"], "shape": about["shape"],
                    "data": content[8 + length + about["data_offsets"][0]:
                                    8 + length + about["data_offsets"][1]]})
            for name, about in header.items() if name != "__metadata__"]

def serialize(arrays):
    header, body = {}, b""
    for name, about in arrays.items():
        end = len(body) + len(about["data"])
        header[name] = {"dtype": "F32", "shape": about["shape"],
                        "data_offsets": [len(body), end]}
        body += about["data"]
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body

def show(word, data):
    print(word, *("%.9g" % x for x, in struct.iter_unpack("<f", data)))

try:
    from safetensors import deserialize
    print("by the package safetensors")
except ImportError:
    print("by a reader of our own")
first, then = sys.argv[1:]
arrays = dict(deserialize(open(first, "rb").read()))
assert list(arrays["conv1.weight"]["shape"]) == [6, 1, 5, 5]
assert list(arrays["dense3.weight"]["shape"]) == [10, 84]
assert struct.unpack("<3q", bytes(arrays["train.place"]["data"])) == (1, 0, 1)
weights = {}
for name, about in sorted(arrays.items()):
    if name[:5] not in ("train", "data."):
        numbers = struct.iter_unpack("<f", bytes(about["data"]))
        weights[name] = {"shape": list(about["shape"]),
                         "data": b"".join(struct.pack("<f", -2 * x)
                                          for x, in numbers)}
show("read", bytes(arrays["conv1.bias"]["data"]))
show("wrote", weights["conv1.bias"]["data"])
open(then, "wb").write(serialize(weights))
END

# Train one step at a rate of 0: weights stay as they were.
step() {
    "$train" --net lenet --data lookalike --limit 16 --batch 8 --steps 1 \
        --lr 0 --device soft --out "$tmp/$1" "${@:2}" >>"$tmp/log" 2>&1 ||
        cat "$tmp/log"
}
other() {
    python3 "$tmp/other.py" "$tmp/$1/checkpoint.safetensors" "$tmp/$1.out"
}

step one
check "another reader reads a checkpoint" other one >"$tmp/one.txt"
step two --weights "$tmp/one.out"
check "what another wrote is read" other two >"$tmp/two.txt"
check "its numbers are those" test "$(sed -n 's/^wrote //p' "$tmp/one.txt")" = \
    "$(sed -n 's/^read //p' "$tmp/two.txt")"
head -n 1 "$tmp/one.txt"
head -c 5000 "$tmp/one.out" >"$tmp/short.out"
"$train" --net lenet --data lookalike --device soft --out "$tmp/no" --weights \
    "$tmp/short.out" >"$tmp/said" 2>&1
check "a short file is refused" test $? = 3
check "in one line" grep -qx \
    "train: .*/short.out: .*: needs bytes .*, but there are .*" \
    "$tmp/said"
check "and no more" test "$(wc -l <"$tmp/said")" = 1
finish
