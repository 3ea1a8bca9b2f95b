# SPDX-License-Identifier: MIT
"""The networks of common/net/nets as PyTorch modules, and the trainer's files.
train-torch and train-fixture use them."""
import collections
import json
import os
import struct
import sys

import torch
from torch import nn

TOP = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
CLASSES = 10
TYPES = {torch.float32: "F32", torch.uint8: "U8"}


# --- networks --------------------------------------------------------------

def read_net(path):
    """The layers, each a list of words, and the settings of the `train` line."""
    layers, training = [], {}
    for line in open(path):
        words = line.split("#")[0].split()
        if words and words[0] == "train":
            training = {key: float(value)
                        for key, value in zip(words[2::2], words[3::2])
                        if key != "schedule"}  # the learning rate is constant
            training["optimizer"] = words[1]
        elif words and words[0] != "augment":
            layers.append(words)
    return layers, training


def option(words, name, default):
    """The number after a key."""
    return int(words[words.index(name) + 1]) if name in words else default


def make_layer(words, shape):
    """The module of a line, and the shape of its output."""
    c, h, w = shape
    kind = words[0]
    if kind == "conv":
        size = tuple(map(int, words[2].split("x")))
        stride, pad = option(words, "stride", 1), option(words, "pad", 0)
        out = (int(words[1]), (h + 2 * pad - size[0]) // stride + 1,
               (w + 2 * pad - size[1]) // stride + 1)
        return nn.Conv2d(c, out[0], size, stride, pad), out
    if kind == "maxpool":
        size = int(words[1])
        stride = option(words, "stride", size)
        return (nn.MaxPool2d(size, stride),
                (c, (h - size) // stride + 1, (w - size) // stride + 1))
    if kind == "dense":
        units = int(words[1]) if len(words) > 1 else CLASSES
        return nn.Linear(c * h * w, units), (units, 1, 1)
    if kind == "batchnorm":
        return (nn.BatchNorm2d(c) if h * w > 1 else nn.BatchNorm1d(c)), shape
    if kind == "dropout":
        return nn.Dropout(float(words[1])), shape
    return nn.ReLU(), shape


def make_model(layers, shape):
    """Modules under the names that they have in checkpoints."""
    model, count = collections.OrderedDict(), collections.Counter()
    for words in layers:
        if words[0] == "dense" and "flatten" not in model:
            model["flatten"] = nn.Flatten()
        count[words[0]] += 1
        name = "%s%d" % (words[0], count[words[0]])
        model[name], shape = make_layer(words, shape)
    return nn.Sequential(model)


def make_optimizer(model, how, fast):
    """The optimizer of the file; `fast`: fused and capturable by a graph."""
    if how.get("decay") or how.get("clip"):
        sys.exit("train-torch: decay and clipping are not compared")
    rate, momentum = how["rate"], how.get("momentum", 0)
    if how["optimizer"] in ("adam", "adamw"):
        kind = torch.optim.Adam if how["optimizer"] == "adam" \
            else torch.optim.AdamW
        more = {"fused": True, "capturable": True} if fast else {}
        if how["optimizer"] == "adamw":
            more["weight_decay"] = 0
        return kind(model.parameters(), lr=rate, **more)
    more = {"momentum": 0 if how["optimizer"] == "sgd" else momentum,
            "nesterov": how["optimizer"] == "nesterov"}
    try:
        return torch.optim.SGD(model.parameters(), lr=rate, **more,
                               **({"fused": True} if fast else {}))
    except TypeError:  # PyTorch before 2.3
        return torch.optim.SGD(model.parameters(), lr=rate, **more)


# --- files -----------------------------------------------------------------

def save(path, tensors):
    """Write a safetensors file."""
    header, at = {}, 0
    for name, tensor in tensors.items():
        size = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": TYPES[tensor.dtype],
                        "shape": list(tensor.shape),
                        "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(tensor.detach().cpu().contiguous().numpy().tobytes())


def load(path):
    """The float arrays of a safetensors file."""
    content = open(path, "rb").read()
    length, = struct.unpack("<Q", content[:8])
    header, found = json.loads(content[8:8 + length]), {}
    for name, about in header.items():
        if name != "__metadata__" and about["dtype"] == "F32":
            first, end = (8 + length + at for at in about["data_offsets"])
            found[name] = torch.zeros(0) if first == end else torch.frombuffer(
                bytearray(content[first:end]),
                dtype=torch.float32).reshape(about["shape"])
    return found


def save_bytes(path, tensor):
    """Write an array of bytes in NumPy's format."""
    shape = "(%s,)" % ", ".join(map(str, tensor.shape))
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': %s, }" % shape
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
                   + header.encode() + tensor.numpy().tobytes())


def weights_of(model):
    """The tensors that a checkpoint holds for it."""
    return {name: value for name, value in model.state_dict().items()
            if value.dtype == torch.float32}
