"""Plots on two logarithmic scales as SVG, made of text alone."""
import math

COLOURS = ["#1b6ca8", "#c8553d", "#2a7f62", "#7d5ba6"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 440, 78, 196, 44, 56


def decades(values):
    return math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)


def ticks(low, high):
    """(value, whether it has a label): 1, 2 and 5 of every power of ten."""
    for power in range(low, high + 1):
        for digit in (1, 2, 5):
            if power < high or digit == 1:
                yield digit * 10.0**power, digit == 1


def number(value):
    for least, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= least:
            return f"{value / least:g}{unit}"
    return f"{value:g}"


def log_log(title, x_name, y_name, series):
    """`series`: {name: [(x, y)]}. The first point of each is continued in proportion to x by a thin line."""
    points = [point for each in series.values() for point in each]
    x_low, x_high = decades([x for x, _ in points])
    y_low, y_high = decades([y for _, y in points])
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def at(x, y):
        return (LEFT + (math.log10(x) - x_low) / max(1, x_high - x_low) * (right - LEFT),
                bottom - (math.log10(y) - y_low) / max(1, y_high - y_low) * (bottom - TOP))

    def text(x, y, words, more=""):
        return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'

    def line(a, b, more):
        return f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" {more}/>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" fill="#222">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', text(LEFT, 24, title, 'font-size="16" font-weight="bold"')]
    for value, labelled in ticks(x_low, x_high):
        x, _ = at(value, 10.0**y_low)
        parts.append(line((x, TOP), (x, bottom), f'stroke="{"#ccc" if labelled else "#eee"}"'))
        if labelled:
            parts.append(text(x, bottom + 20, number(value), 'text-anchor="middle"'))
    for value, labelled in ticks(y_low, y_high):
        _, y = at(10.0**x_low, value)
        parts.append(line((LEFT, y), (right, y), f'stroke="{"#ccc" if labelled else "#eee"}"'))
        if labelled:
            parts.append(text(LEFT - 8, y + 4, number(value), 'text-anchor="end"'))
    parts.append(text((LEFT + right) / 2, HEIGHT - 12, x_name, 'text-anchor="middle"'))
    parts.append(text(0, 0, y_name, f'text-anchor="middle" transform="translate(20 {(TOP + bottom) / 2:.0f}) rotate(-90)"'))
    ends = sorted((at(*each[-1])[1], name) for name, each in series.items())
    label_y = {}
    for y, name in ends:  # names at the right that do not cover one another
        label_y[name] = max(y, *(other + 17 for other in label_y.values())) if label_y else y
    for i, (name, each) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        (x0, y0), (x1, _) = each[0], each[-1]
        if (end := y0 * x1 / x0) <= 10.0**y_high:
            parts.append(line(at(x0, y0), at(x1, end), f'stroke="{colour}" stroke-dasharray="2 4"'))
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in each))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in (at(*point) for point in each)]
        parts.append(text(right + 10, label_y[name] + 4, name, f'fill="{colour}"'))
    return "\n".join([*parts, "</svg>", ""])
