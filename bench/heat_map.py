"""Heat maps as SVG, made of text alone; readable in light and dark, as the reader's system is set."""
import html

CELL_WIDTH, CELL_HEIGHT, LEFT, HEAD, GAP, PANEL_GAP = 15, 19, 196, 96, 6, 46
# Ten steps from nothing to all: dark blue on a light page, bright on a dark one; the numbers are those of a sequential scale in one hue.
LIGHT = ["#f4e1de", "#eef3f8", "#dfe9f3", "#cbdcec", "#b3cde4", "#97bbda", "#77a5cd", "#568dbd", "#3873a8", "#1f578c"]
DARK = ["#4a2a26", "#1d2733", "#1f3042", "#223b54", "#264a6b", "#2c5b85", "#356fa0", "#4486bb", "#5b9fd3", "#82bde9"]
# Of columns in which nothing should be found: from nothing, which is right, to all.
LIGHT_WRONG = ["#eef3f0", "#fbeee0", "#f8e2c9", "#f5d2a8", "#f1bf82", "#ecaa5c", "#e49339", "#d67c1f", "#bd6512", "#9c4f0a"]
DARK_WRONG = ["#1b2621", "#33281b", "#46331d", "#5c3f1d", "#744c1d", "#8d5a1f", "#a86a24", "#c37c2e", "#dd9140", "#f2ab5c"]


def step(share):
    """0 is only for what is not found at all, 9 only for 99 % and more."""
    if share <= 0:
        return 0
    return 9 if share >= 0.99 else 1 + min(7, int(share * 8))


def scale(light_and_dark):
    """The rules of both scales."""
    return "".join(f".{name}{i}{{fill:{colour}}}" for name, colours in zip("sw", light_and_dark) for i, colour in enumerate(colours))


def draw(title, panels, column_groups, wrong_groups, note):
    """`panels`: {name: {row name: {(group, column): share, or None}}}; `column_groups`: {group: [column]}. In the columns of `wrong_groups`
    less is better."""
    places, x = {}, LEFT
    for group, columns in column_groups.items():
        for column in columns:
            places[group, column] = x
            x += CELL_WIDTH
        x += GAP
    width = x + 10
    parts, y = [], 28

    def text(at_x, at_y, words, more=""):
        parts.append(f'<text x="{at_x:.0f}" y="{at_y:.0f}" {more}>{html.escape(words)}</text>')

    text(12, y, title, 'class="title"')
    legend = width - 12 - 10 * 22
    for i in range(10):
        parts.append(f'<rect class="s{i}" x="{legend + i * 22}" y="{y - 13}" width="21" height="14"/>')
    text(legend - 8, y, "0 %", 'text-anchor="end" class="small"')
    text(legend, y + 16, "none", 'class="small"')
    text(width - 12, y + 16, "99 % and more", 'text-anchor="end" class="small"')
    for name, rows in panels.items():
        y += HEAD
        text(12, y - 8, name, 'class="panel"')
        for group, columns in column_groups.items():
            first = places[group, columns[0]]
            text(first + CELL_WIDTH * len(columns) / 2 + 3, y - 34, group, f'transform="rotate(-32 {first + CELL_WIDTH * len(columns) / 2:.0f} {y - 34})" class="group"')
            for column in columns:
                at = places[group, column] + CELL_WIDTH / 2
                text(at + 3, y - 5, column, f'transform="rotate(-90 {at + 3:.0f} {y - 5})" class="column"')
        for row, cells in rows.items():
            text(LEFT - 8, y + CELL_HEIGHT - 6, row, 'text-anchor="end" class="row"')
            for place, at in places.items():
                share = cells.get(place)
                if share is None:
                    continue
                label = f"{row}, {place[0]} {place[1]}: {100 * share:.1f} %".replace("  ", " ")
                parts.append(f'<rect class="{"w" if place[0] in wrong_groups else "s"}{step(share)}" x="{at}" y="{y}" width="{CELL_WIDTH - 1}" height="{CELL_HEIGHT - 1}"><title>{html.escape(label)}</title></rect>')
            y += CELL_HEIGHT
        y += PANEL_GAP - 40
    y += 22
    for line in note:
        text(12, y, line, 'class="small"')
        y += 16
    style = ("<style>text{font-family:system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1f2328;font-size:12px}.page{fill:#ffffff}.title{font-size:16px;font-weight:600}"
             ".panel{font-size:14px;font-weight:600}.small,.column{fill:#59636e;font-size:11px}.column{font-size:10px}.row{font-family:ui-monospace,Menlo,Consolas,monospace}"
             f"{scale((LIGHT, LIGHT_WRONG))}@media (prefers-color-scheme:dark){{text{{fill:#e6edf3}}.page{{fill:#0d1117}}.small,.column{{fill:#9198a1}}{scale((DARK, DARK_WRONG))}}}</style>")
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}">', style,
                      f'<rect class="page" width="{width}" height="{y}" rx="6"/>', *parts, "</svg>", ""])
