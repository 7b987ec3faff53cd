"""Plots and tables of the training."""

import math

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

import log  # noqa: E402
from batches import NETS  # noqa: E402


def losses(file, path):
    """Held-out losses over the positions trained on, from the lines of the log `file`."""
    lines = log.read(file)
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4))
    for axis, name, title in zip(
        axes, ("value", "policy"), ("value: cross-entropy", "policy: cross-entropy")
    ):
        for net in NETS:
            points = [(line["positions"] / 1e6, line[net]) for line in lines if net in line]
            if points:
                x = [p for p, _ in points]
                # Markers, because one checkpoint alone makes no line.
                (drawn,) = axis.plot(x, [m[name] for _, m in points], ".-", label=net)
                axis.plot(x, [m[f"classical {name}"] for _, m in points], ".:", color=drawn.get_color())
        axis.set(title=title + " (dotted: classical)", xlabel="million positions")
        axis.grid(alpha=0.3)
    if axes[0].lines:
        axes[0].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def excess(measured):
    """By how much the value's cross-entropy is above the least possible one: targets differ."""
    return measured["value"] - measured["least possible"]


def curve(runs, path):
    """Losses on held-out and training games, and Elo where games were played, over the number of labels,
    from runs of `curve.py`."""
    boards = sorted({board for run in runs for board in run["games"]}, key=int)
    figure, axes = pyplot.subplots(1, 3 if boards else 2, figsize=(16 if boards else 11, 4))
    # The least possible values of held-out and training positions differ.
    value = ("value: cross-entropy above the least possible", excess)
    policy = ("policy: cross-entropy", lambda measured: measured["policy"])
    for axis, (title, loss) in zip(axes, (value, policy)):
        for net in NETS:
            found = [(run["labels"] / 1e6, run["results"][net]) for run in runs if net in run["results"]]
            if found:
                x = [labels for labels, _ in found]
                held_out, training = ([loss(m[on]) for _, m in found] for on in ("held-out", "training"))
                (drawn,) = axis.plot(x, held_out, ".-", label=net)
                axis.plot(x, training, ".:", color=drawn.get_color())
        axis.set(title=f"{title} (dotted: training)")
    for board in boards:
        played = [(run["labels"] / 1e6, run["games"][board]) for run in runs if board in run["games"]]
        # An infinite Elo, or one of an infinite error, has no place in the plot.
        played = [(labels, games) for labels, games in played if math.isfinite(games["error"])]
        elo, error = ([games[name] for _, games in played] for name in ("elo", "error"))
        axes[2].errorbar([x for x, _ in played], elo, error, marker=".", capsize=3, label=f"{board}x{board}")
        axes[2].set(title="games: Elo, two standard errors")
        axes[2].legend()
    labels = sorted({run["labels"] / 1e6 for run in runs})
    for axis in axes:
        axis.set(xlabel="million labels", xscale="log")
        axis.set_xticks(labels, [f"{x:.3g}" for x in labels])
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def calibration(metrics, path):
    """Mean result by predicted points."""
    figure, axis = pyplot.subplots(figsize=(5, 5))
    axis.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    for net, measured in zip(NETS, metrics):
        bins = measured.bins[measured.bins[:, 0] > 0]
        if len(bins):
            axis.plot(bins[:, 1] / bins[:, 0], bins[:, 2] / bins[:, 0], marker="o", label=net)
    axis.set(title="calibration", xlabel="predicted points", ylabel="mean result")
    axis.grid(alpha=0.3)
    axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def ruler_table(head, rows):
    """What networks know of deep searches and of results as a table in Markdown, from pairs of first cells
    and the means of a `Ruler`."""
    text = (
        f"| {head} | branches | cross-entropy with their searches | classical's | least possible "
        "| positions of games | cross-entropy with their results | classical's |\n"
        f"|{'---|' * (head.count('|') + 8)}\n"
    )
    for cells, m in rows:
        text += (
            f"| {cells} | {m['branches']} | {m['search']:.4f} | {m['classical search']:.4f} "
            f"| {m['least possible']:.4f} | {m['games']} | {m['result']:.4f} | {m['classical result']:.4f} |\n"
        )
    return text


def table(metrics):
    """Losses as a table in Markdown."""
    text = (
        "| network | held-out positions | value cross-entropy | classical's | least possible "
        "| sign agrees with result | classical's | policy cross-entropy | classical's | top 1 | top 3 |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n"
    )
    for net, measured in zip(NETS, metrics):
        if measured.values:
            m = measured.means()
            text += (
                f"| {net} | {m['positions']} | {m['value']:.4f} | {m['classical value']:.4f} "
                f"| {m['least possible']:.4f} | {m['sign']:.3f} | {m['classical sign']:.3f} "
                f"| {m['policy']:.3f} | {m['classical policy']:.3f} | {m['top 1']:.3f} | {m['top 3']:.3f} |\n"
            )
    return text
