"""The large sums of the network, forward and backward as gathers only.

All of them are `embedding_bag` over lists that are part of the batch. Without scatters the results
do not depend on threads, and the kernels are fast on a CPU and on CUDA.
"""

import torch
from torch.nn.functional import embedding_bag


def _bags(table, items, starts, weights=None):
    return embedding_bag(
        items, table, starts, mode="sum", include_last_offset=True, per_sample_weights=weights
    )


class BoardSums(torch.autograd.Function):
    """From table rows to the inputs of the heads.

    `rows` f32[D, C] of the batch's distinct windows give:

    * sums f32[S, 9, C] of the features over each region of each sample,
    * features f32[G, C] of each cell state: the sum of its four windows' rows, clipped to 0 .. `top`.

    Most states do not change from one sample to the next, so the region sums are running sums of the
    states that enter and leave. Features are multiples of 1/128, so the sums are exact in any order.
    """

    @staticmethod
    def forward(ctx, rows, batch, top):
        features = embedding_bag(batch.state_windows, rows, mode="sum").clamp_(0, top)
        changes = _bags(features, batch.event_states, batch.event_from, batch.event_signs)
        ctx.save_for_backward(features)
        ctx.batch, ctx.top = batch, top
        return changes.view(len(batch), 9, -1).cumsum(0), features

    @staticmethod
    def backward(ctx, grad_sums, grad_features):
        (features,) = ctx.saved_tensors
        batch = ctx.batch
        # A state's gradient is the sum of the samples' gradients from its entry on, minus their sum
        # from its leaving on.
        later = grad_sums.flip(0).cumsum(0).flip(0).view(-1, features.shape[1])
        later = torch.cat([later, later.new_zeros(1, later.shape[1])])
        ends = torch.stack([batch.enter, batch.leave], dim=1)
        # Made where it is used: a copy from the host would be waited for.
        signs = torch.ones_like(ends, dtype=later.dtype)
        signs[:, 1] = -1
        grad = embedding_bag(ends, later, mode="sum", per_sample_weights=signs)
        grad += grad_features
        grad = torch.ops.aten.hardtanh_backward(grad, features, 0.0, ctx.top)
        return _bags(grad, batch.window_states, batch.window_from), None, None
