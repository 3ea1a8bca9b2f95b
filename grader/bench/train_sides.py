# SPDX-License-Identifier: MIT
"""The two sides of a comparison: the trainer's step, and PyTorch's.  train-torch
and train-cpu use them."""
import os
import subprocess
import sys
import time

import torch
from torch import nn

from torch_nets import make_optimizer


class Ours:
    """The trainer's step, in a process of its own."""

    def __init__(self, program, net, batch, weights, data, **environment):
        self.batch = batch
        self.process = subprocess.Popen(
            [program, net, str(batch), "1", weights, data], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, **environment})

    def run(self, steps):
        """@return seconds, mean loss, seconds of CPU time of all threads"""
        self.process.stdin.write("%d\n" % steps)
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit("train_steps failed")
        return tuple(map(float, line.split()))

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


class Theirs:
    """PyTorch's step."""

    def __init__(self, model, how, images, labels, batch, mode, amp):
        self.device = next(model.parameters()).device
        cuda = self.device.type == "cuda"
        pin = (lambda t: t.pin_memory()) if cuda else (lambda t: t)
        self.batches = [(pin(x), pin(y.long())) for x, y in zip(
            images.split(batch), labels.split(batch))]
        self.x, self.y = (t.to(self.device) for t in self.batches[0])
        self.batch, self.next, self.amp, self.graph = batch, 0, amp, None
        self.total = torch.zeros((), device=self.device)
        self.optimizer = make_optimizer(model, how, cuda and mode != "eager")
        self.parameters = list(model.parameters())
        self.loss = lambda x, y: nn.functional.cross_entropy(model(x), y)
        if "compile" in mode:
            self.loss = torch.compile(self.loss)
        if "graph" in mode:
            self.capture(model)

    def compute(self):
        """A step on the images already on the device."""
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.device.type, torch.bfloat16,
                            enabled=self.amp):
            loss = self.loss(self.x, self.y)
        loss.backward()
        self.optimizer.step()
        self.total += loss.detach()

    def capture(self, model):
        """Capture a step as a graph, and restore the initial weights."""
        before = {n: v.clone() for n, v in model.state_dict().items()}
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.compute()
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(self.graph):
            self.compute()
        with torch.no_grad():
            for name, value in model.state_dict().items():
                value.copy_(before[name])
            for state in self.optimizer.state.values():
                for value in state.values():
                    if torch.is_tensor(value):
                        value.zero_()

    def run(self, steps):
        """@return seconds, mean loss, seconds of CPU time of all threads"""
        self.total.zero_()
        self.wait()
        start, used = time.monotonic(), time.process_time()
        for _ in range(steps):
            x, y = self.batches[self.next]
            self.next = (self.next + 1) % len(self.batches)
            self.x.copy_(x, non_blocking=True)
            self.y.copy_(y, non_blocking=True)
            if self.graph:
                self.graph.replay()
            else:
                self.compute()
        loss = float(self.total) / steps
        self.wait()
        return time.monotonic() - start, loss, time.process_time() - used

    def wait(self):
        """Wait until the device is idle."""
        if self.device.type == "cuda":
            torch.cuda.synchronize()
