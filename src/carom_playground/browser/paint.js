// Items painted on a canvas, by the styles that all of Carom's pictures have, on light paper or on dark.
//
// In: items in world coordinates, and a view of them. Out: pixels.

// On dark paper the strokes and words are light; fills, which carry green and red, stay as they are.
const DARK = { "#1A1A1A": "#F2F0EB", "#5F5F5F": "#B9B6AE", "#FFFFFF": "#1C1E21", "#0072B2": "#56B4E9", "#B07C00": "#F0B429", "#6E4A00": "#F0B429", "#8A2F6B": "#E79AC9", "#B8B8B8": "#55575B", "#F0E9C8": "#3D3A2A", "#D9D6CE": "#55575B" }; // biome-ignore format: a table
const HEAD = 5; // length of an arrow's head, in widths of its line

// Where a window lies: the world's [lowX, highY] at pixel [left, top], y up.
export function fit([lowX, lowY, highX, highY], [left, top, wide, high], size) {
  const scale = Math.min(wide / (highX - lowX), high / (highY - lowY));
  const x = left + (wide - (highX - lowX) * scale) / 2;
  return { left: x, top: top + (high - (highY - lowY) * scale) / 2, lowX, highY, scale, size };
}

export const placeIn = (view, [x, y]) => [
  view.left + (x - view.lowX) * view.scale,
  view.top + (view.highY - y) * view.scale,
];
export const worldAt = (view, [x, y]) => [
  view.lowX + (x - view.left) / view.scale,
  view.highY - (y - view.top) / view.scale,
];

let hatch = null;

// Red is hatched, too: lines at 45 degrees that do not move with the shapes.
function hatching(context) {
  if (hatch) return hatch;
  const tile = new OffscreenCanvas(13, 13);
  const pen = tile.getContext("2d");
  pen.strokeStyle = "rgb(213 94 0 / 55%)";
  pen.lineWidth = 3;
  for (const shift of [-13, 0, 13]) {
    pen.moveTo(shift - 2, 15);
    pen.lineTo(shift + 15, -2);
  }
  pen.stroke();
  hatch = context.createPattern(tile, "repeat");
  return hatch;
}

function trace(context, { points, radius }, view) {
  const reach = radius * view.scale;
  const places = points.map((point) => placeIn(view, point));
  context.beginPath();
  if (places.length === 1) context.arc(...places[0], reach, 0, 2 * Math.PI);
  else {
    places.forEach(([x, y], k) => {
      const [px, py] = places[(k + places.length - 1) % places.length];
      const [nx, ny] = places[(k + 1) % places.length];
      if (reach === 0) context.lineTo(x, y);
      else
        context.arc(
          x,
          y,
          reach,
          Math.atan2(y - py, x - px) + Math.PI / 2,
          Math.atan2(ny - y, nx - x) + Math.PI / 2,
          true,
        );
    });
  }
  context.closePath();
}

export function paint(context, items, view, styles, dark) {
  const colour = (name) => (dark && DARK[name]) || name;
  const stroke = (style) => {
    if (!style.stroke) return;
    context.strokeStyle = colour(style.stroke);
    context.lineWidth = style.width * view.size;
    context.setLineDash(style.dash.map((part) => part * view.size));
    context.stroke();
  };
  const fill = (style, name = style.fill) => {
    if (!name) return;
    context.globalAlpha = style.opacity;
    context.fillStyle = colour(name);
    context.fill();
    context.globalAlpha = 1;
  };
  for (const item of items) {
    const style = styles[item.role];
    if (item.kind === "outline") {
      trace(context, item, view);
      fill(style);
      if (style.hatched) {
        context.fillStyle = hatching(context);
        context.fill();
      }
      stroke(style);
    } else if (item.kind === "dot") {
      context.beginPath();
      context.arc(...placeIn(view, item.at), style.size * view.size, 0, 2 * Math.PI);
      fill(style);
      stroke(style);
    } else if (item.kind === "text") {
      const [x, y] = placeIn(view, item.at);
      context.font = `${style.bold ? "bold " : ""}${style.size * view.size}px Helvetica, Arial, sans-serif`;
      context.fillStyle = colour(style.fill);
      context.textAlign = item.align === "middle" ? "center" : item.align;
      context.textBaseline = "middle";
      context.fillText(item.words, x, y);
    } else {
      const [start, end] = [placeIn(view, item.start), placeIn(view, item.end)];
      context.beginPath();
      context.moveTo(...start);
      context.lineTo(...(item.kind === "arrow" ? shaftEnd(start, end, style.width * view.size) : end));
      stroke(style);
      if (item.kind === "arrow") {
        head(context, start, end, style.width * view.size);
        fill(style, style.stroke);
      }
    }
  }
}

const headLength = (start, end, width) => Math.min(HEAD * width, Math.hypot(end[0] - start[0], end[1] - start[1]));

function shaftEnd(start, end, width) {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1;
  const share = headLength(start, end, width) / length;
  return [end[0] - (end[0] - start[0]) * share, end[1] - (end[1] - start[1]) * share];
}

function head(context, start, end, width) {
  const [x, y] = shaftEnd(start, end, width);
  const [dx, dy] = [(end[0] - x) / 2.4, (end[1] - y) / 2.4];
  context.beginPath();
  context.moveTo(...end);
  context.lineTo(x - dy, y + dx);
  context.lineTo(x + dy, y - dx);
  context.closePath();
}
