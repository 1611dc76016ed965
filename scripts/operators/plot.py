"""A bar plot of the results as SVG text: one panel a unit, one group of bars a case, a line at the measured ceiling."""
from xml.sax.saxutils import escape

COLOURS = {"polymend": "#d1495b", "polymend --fp=approx": "#edae49"}
PEERS = ["#30638e", "#5f9fc4", "#8d99ae", "#3f7d5a", "#86b89a", "#7a5c86", "#b79ac0", "#8a6d3b",
         "#c2a878", "#4d4d4d", "#2a9d8f", "#a3b18a"]
LEFT, WIDTH, BAR, GAP, VALUE = 250, 560, 13, 10, 110


def colours(results):
    """One colour a contender, over all cases."""
    chosen = dict(COLOURS)
    for result in results:
        for name in result["contenders"]:
            if name not in chosen:
                family = name.removesuffix(" tuned")
                chosen[name] = chosen.get(family, PEERS[(len(chosen) - len(COLOURS)) % len(PEERS)])
                chosen[family] = chosen[name]
    return chosen


def bar(y, length, colour, text):
    return (f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR - 2}" fill="{colour}"/>'
            f'<text x="{LEFT + length + 5:.1f}" y="{y + BAR - 4}" class="value">{escape(text)}</text>')


def panel(y, unit, results, ceiling, chosen):
    """The text of one panel from height y on, and where it ends."""
    timed = [c["rate"] for r in results for c in r["contenders"].values() if "rate" in c]
    scale = WIDTH / max([*timed, ceiling or 1])
    parts, top = [f'<text x="{LEFT}" y="{y + 12}" class="head">{unit}</text>'], y + 22
    y = top
    for result in results:
        bars = [(n, c) for n, c in result["contenders"].items() if "rate" in c]
        if not bars:
            continue
        middle = y + len(bars) * BAR / 2 + 4
        parts.append(f'<text x="{LEFT - 8}" y="{middle:.1f}" class="label">{escape(result["label"])}</text>')
        for name, got in bars:
            ratio = f" ({got['ratio']:.2f}×)" if "ratio" in got else ""
            parts.append(bar(y, got["rate"] * scale, chosen[name], f"{got['rate']:.0f}{ratio}"))
            y += BAR
        y += GAP
    if ceiling:
        x = LEFT + ceiling * scale
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 4}" y2="{y - GAP}" class="ceiling"/>')
        parts.append(f'<text x="{x:.1f}" y="{top - 8}" class="end">{"copy" if unit == "GB/s" else "cuBLAS product"} {ceiling:.0f}</text>')
    return "\n".join(parts), y + 12


def legend(y, names, chosen):
    """The text of the legend from height y on, in lines as wide as the plot, and where it ends."""
    parts, x = [], 16
    for name in names:
        if x > 16 and x + 34 + 7 * len(name) > LEFT + WIDTH + VALUE:
            x, y = 16, y + 18
        parts.append(f'<rect x="{x}" y="{y}" width="11" height="11" fill="{chosen[name]}"/>'
                     f'<text x="{x + 16}" y="{y + 10}" class="value">{escape(name)}</text>')
        x += 34 + 7 * len(name)
    return "\n".join(parts), y + 26


def svg(about, results):
    chosen, names = colours(results), []
    for result in results:
        names += [n for n, c in result["contenders"].items() if "rate" in c and n not in names]
    text, y = legend(40, names, chosen)
    body = [text]
    for unit, ceiling in (("TFLOP/s", about.get("product_tflops")), ("GB/s", about.get("copy_gbs"))):
        here = [r for r in results if r.get("unit") == unit]
        if here:
            text, y = panel(y, unit, here, ceiling, chosen)
            body.append(text)
    width = LEFT + WIDTH + VALUE
    jax = f", JAX {about['jax']}" if "jax" in about else ""
    title = (f"{about.get('device')}: printed kernels beside the libraries "
             f"(PyTorch {about.get('torch')}, CUDA {about.get('cuda')}, cuDNN {about.get('cudnn')}{jax})")
    style = ("text{font-family:sans-serif;font-size:11px;fill:#222}.label{text-anchor:end}.head{font-weight:bold}.end{text-anchor:end;fill:#666}"
             ".title{font-size:14px;font-weight:bold}.ceiling{stroke:#666;stroke-dasharray:4 3}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}">\n<style>{style}</style>\n'
            f'<rect width="{width}" height="{y}" fill="#fff"/>\n<text x="16" y="24" class="title">{escape(title)}</text>\n'
            + "\n".join(body) + "\n</svg>\n")
