// Charts by uPlot, each with its numbers as a table for those who cannot see it, and for builds without uPlot.
const has_uplot = typeof uPlot === "function";
const CHART_FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';
const charts = [];  // those on the page: {box, make, plot}

const resized = typeof ResizeObserver === "function" && new ResizeObserver((entries) => {
  for (const entry of entries) {
    const chart = charts.find((each) => each.box === entry.target);
    const width = Math.floor(entry.contentRect.width);
    if (chart && chart.plot && width > 0 && width !== chart.plot.width) chart.plot.setSize({ width, height: height_for(width) });
  }
});

const height_for = (width) => Math.round(Math.min(320, Math.max(220, width * 0.4)));

// make() gives uPlot's options and data; `alternative` says in a sentence what the chart shows; the table has its numbers.
function chart(id, make, alternative, table) {
  const numbers = element("details", { class: "numbers", open: !has_uplot }, element("summary", {}, say("as_table")), table);
  if (!has_uplot) return element("figure", { id: `${id}-chart` }, element("figcaption", {}, alternative), numbers);
  const box = element("div", { class: "chart", role: "img", tabindex: "0", "aria-label": `${alternative} ${say("chart_keys")}` });
  charts.push({ box, make, plot: null });
  return element("figure", { id: `${id}-chart` }, box, numbers);
}

// Draws all charts of the page: at first, and when its colours change.
function draw_charts() {
  for (const chart of charts) {
    if (chart.plot) chart.plot.destroy();
    const width = Math.floor(chart.box.clientWidth) || 600;
    const { options, data } = chart.make(chart_colors());
    chart.plot = new uPlot({ ...options, width, height: height_for(width) }, data, chart.box);
    if (resized) resized.observe(chart.box);
  }
}

function forget_charts() {
  if (resized) resized.disconnect();
  for (const { plot } of charts) if (plot) plot.destroy();
  charts.length = 0;
}

function chart_colors() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  return { text: color("soft"), line: color("line"), near: color("near"), near_fill: color("near-fill"), curve: color("accent"), threshold: color("strong") };
}

// What the charts have in common. `describe(index)`: what the tooltip says about a point.
function chart_options(colors, { x, y, series, describe, hooks = {} }) {
  const axis = { stroke: colors.text, grid: { stroke: colors.line, width: 1 }, ticks: { stroke: colors.line, width: 1 }, font: CHART_FONT, labelFont: CHART_FONT };
  return {
    padding: [16, 16, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: false, ...x.scale }, y: { ...y.scale } },
    axes: [
      { ...axis, label: x.label, labelSize: 20, size: 32, ...x.axis },
      { ...axis, label: y.label, labelSize: 20, size: axis_width, ...y.axis },
    ],
    series: [{}, ...series],
    hooks,
    plugins: [reading(describe)],
  };
}

// The room that the longest number of the y axis takes.
function axis_width(plot, values) {
  const longest = (values || []).reduce((length, value) => Math.max(length, String(value ?? "").length), 0);
  return 26 + 7 * longest;
}

// The tooltip, and the arrow keys.
function reading(describe) {
  let box;
  let described = "";
  function init(plot) {
    box = element("div", { class: "reading", "aria-hidden": "true", hidden: true });
    plot.over.append(box);
    plot.root.parentElement.onkeydown = (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      move(plot, step);
    };
  }
  function move(plot, step) {
    const [xs, ...ys] = plot.data;
    let index = plot.cursor.idx ?? (step > 0 ? -1 : xs.length);
    do index += step; while (index >= 0 && index < xs.length && ys.every((values) => values[index] === null || values[index] === undefined));
    if (index < 0 || index >= xs.length) return;
    const left = plot.valToPos(xs[index], "x");
    plot.setCursor({ left, top: plot.over.clientHeight / 2 });
    announce(describe(index));
  }
  function setCursor(plot) {
    const { left, idx } = plot.cursor;
    described = left >= 0 && idx !== null && idx !== undefined ? describe(idx) : "";
    box.hidden = !described;
    box.textContent = described;
    if (!described) return;
    const over = plot.over.clientWidth;
    const place = plot.valToPos(plot.data[0][idx], "x");
    box.style.left = `${Math.min(Math.max(place - box.offsetWidth / 2, 0), over - box.offsetWidth)}px`;
  }
  return { hooks: { init, setCursor } };
}

// A dashed vertical line at a value of x, with a text next to it: to be drawn over the series.
function threshold_line(colors, value, text) {
  return (plot) => {
    if (!Number.isFinite(value)) return;
    const { ctx } = plot;
    const { left, top, width, height } = plot.bbox;
    const at = plot.valToPos(value, "x", true);
    if (at < left - 1 || at > left + width + 1) return;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colors.threshold;
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash([5 * ratio, 4 * ratio]);
    ctx.beginPath();
    ctx.moveTo(at, top);
    ctx.lineTo(at, top + height);
    ctx.stroke();
    ctx.font = CHART_FONT.replace("12px", `${12 * ratio}px`);
    ctx.textBaseline = "bottom";
    const wide = ctx.measureText(text).width;
    ctx.textAlign = "left";
    ctx.fillText(text, Math.min(Math.max(at - wide / 2, left), left + width - wide), top - 2 * ratio);
    ctx.restore();
  };
}

// Bars from the lower edge, [from, to, share of the height] each: drawn below the series.
function shade(colors, bars) {
  return (plot) => {
    const { ctx } = plot;
    const { top, height, left, width } = plot.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.fillStyle = colors.near_fill;
    for (const [from, to, share] of bars) {
      const [a, b] = [plot.valToPos(from, "x", true), plot.valToPos(to, "x", true)];
      ctx.fillRect(a, top + height * (1 - share), Math.max(b - a - 1, 1), height * share);
    }
    ctx.restore();
  };
}
