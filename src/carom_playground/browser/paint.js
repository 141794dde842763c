// Items painted on a canvas, by the styles that all of Carom's pictures have, on light paper or on dark.
//
// In: items in world coordinates, and a view of them. Out: pixels.

import * as carom from "./carom.js";

// On dark paper the strokes and words are light; fills, which carry green and red, stay as they are.
const DARK = { "#1A1A1A": "#F2F0EB", "#5F5F5F": "#B9B6AE", "#FFFFFF": "#1C1E21", "#0072B2": "#56B4E9", "#B07C00": "#F0B429", "#6E4A00": "#F0B429", "#8A2F6B": "#E79AC9", "#B8B8B8": "#55575B", "#F0E9C8": "#3D3A2A", "#D9D6CE": "#55575B" }; // biome-ignore format: a table

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
  const places = points.map((point) => view.place(point));
  if (places.length === 1) context.arc(...places[0], reach, 0, 2 * Math.PI);
  places.forEach(([x, y], k) => {
    if (places.length === 1) return;
    const [px, py] = places.at(k - 1);
    const [nx, ny] = places[(k + 1) % places.length];
    const [from, to] = [Math.atan2(y - py, x - px), Math.atan2(ny - y, nx - x)].map(
      (turn) => turn + Math.PI / 2,
    );
    if (reach === 0) context.lineTo(x, y);
    else context.arc(x, y, reach, from, to, true);
  });
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
    const style = styles.get(item.role);
    context.beginPath();
    if (item instanceof carom.Text) {
      context.font = `${style.bold ? "bold " : ""}${style.size * view.size}px Helvetica, Arial, sans-serif`;
      context.fillStyle = colour(style.fill);
      context.textAlign = item.align === "middle" ? "center" : item.align;
      context.textBaseline = "middle";
      context.fillText(item.text, ...view.place(item.at));
    } else if (item instanceof carom.Line || item instanceof carom.Arrow) {
      const [start, end] = [view.place(item.start), view.place(item.end)];
      const width = style.width * view.size;
      const [head, shaftEnd] =
        item instanceof carom.Arrow ? carom.arrow_head(start, end, width) : [null, end];
      context.moveTo(...start);
      context.lineTo(...(shaftEnd ?? start));
      stroke(style);
      if (head === null) continue;
      context.beginPath();
      for (const corner of head) context.lineTo(...corner);
      fill(style, style.stroke);
    } else {
      if (item instanceof carom.Outline) trace(context, item, view);
      else context.arc(...view.place(item.at), style.size * view.size, 0, 2 * Math.PI);
      fill(style);
      if (style.hatched && item instanceof carom.Outline) {
        context.fillStyle = hatching(context);
        context.fill();
      }
      stroke(style);
    }
  }
}
