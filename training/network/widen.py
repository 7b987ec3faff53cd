"""Starting wide networks from narrower ones, without any effect on the output.

Further channels are random mixtures of a row's numbers, so that no two are alike and each can learn
something of its own; at first all weights from them are zero. Further outputs of a layer have the first
weights of a new network into them, and zero weights out of them. Weights out of what is new learn from the
first batch on, the rest from the second.

Source of the idea to widen without a change of the function: T. Chen, I. Goodfellow, J. Shlens, "Net2Net:
Accelerating learning via knowledge transfer" (2015), where further outputs are copies.
"""

import torch

from model import CHANNELS, HIDDEN, TOP, Net

#: Parts of a state that are rows of channels.
ROWS = ("arms", "residual")
#: Parts of layers, and over how many pools, the board and its regions, the channels are their inputs.
LAYERS = {
    "centre": 10, "w1": 10, "b1": 1, "w2": 1, "b2": 1, "w3": 1,
    "policy_w1": 10, "policy_b1": 1, "policy_w2": 1, "policy_b2": 1,
}


class WidthError(Exception):
    """A run cannot start from networks of their widths."""


def run_widths(starts, channels=None, hidden=None):
    """Channels and hidden outputs of a run: as asked for, else the most among the networks at the start,
    else the default. `starts` has their channels and outputs of the first two layers."""
    for _, first, second in starts:
        if first != second:
            raise WidthError(f"its layers are {first} and {second} wide, those of this trainer alike")
    found = []
    for name, asked, default, place in (("channels", channels, CHANNELS, 0), ("hidden", hidden, HIDDEN, 1)):
        most = max((widths[place] for widths in starts), default=default)
        if asked is not None and asked < most:
            raise WidthError(f"it has --{name} {most}, more than {asked}")
        found.append(most if asked is None else asked)
    return tuple(found)


def load_widened(net, state, batches, seed):
    """Loads `state`, perhaps of a narrower network, into the new `net`, and centres the inputs on the
    batches. With equal seeds equal rows stay equal."""
    channels, hidden = state["residual"].shape[1], len(state["b1"])
    if (channels, hidden) != (net.residual.shape[1], len(net.b1)):
        # The first biases of further outputs are meant for centred inputs.
        narrow = Net(seed, channels, hidden).to(net.residual.device)
        narrow.row_step = net.row_step
        narrow.load(state)
        narrow.recentre(batches)
        state = widened(narrow.state_dict(), net, seed)
    net.load(state)
    net.recentre(batches)


def widened(state, net, seed):
    """A state with the shapes of `net` that computes what the narrower `state` does. Its weights into what is
    new are those of `net`; `seed` is that of the mixtures."""
    first = {name: value.cpu() for name, value in net.state_dict().items()}
    wide = {name: value.cpu() for name, value in state.items()}
    channels, all_channels = (one["residual"].shape[1] for one in (wide, first))
    random = torch.Generator().manual_seed(seed)
    mixtures = torch.randn(channels, all_channels - channels, generator=random, dtype=torch.float64)
    for name in ROWS:
        rows = wide[name].double()
        # With this factor they are about as large as the numbers that they are mixed from.
        mixed = rows @ mixtures * channels**-0.5
        wide[name] = torch.cat([rows, mixed.clamp(-1, TOP)], dim=1)
    for name, pools in LAYERS.items():
        old, new = (_layer(one[name], pools) for one in (wide, first))
        _, inputs, outputs = old.shape
        new[:, inputs:] = 0
        new[:, :inputs, :outputs] = old
        wide[name] = new.view_as(first[name])
    return wide


def _layer(weights, pools):
    """A copy of weights or biases as [pools, inputs, outputs]; biases and the centre have one input."""
    outputs = weights.shape[1] if weights.dim() == 2 else weights.numel() // pools
    return weights.reshape(pools, -1, outputs).clone()
