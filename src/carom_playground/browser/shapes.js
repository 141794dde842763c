// Shapes as values: made, moved, turned and written out as Carom's classes do it, with their names.
//
// In: numbers, or what Python wrote of a shape. Out: a shape that holds the record every kernel reads and, as in Python,
// one detail: [width, height, angle] of a turned box, the vertex numbers of a polygon. A ValueError, whose message a user
// reads, is thrown where no shape comes out. World frame, y up.

import { ValueError } from "./builtins.js";
import * as carom from "./carom.js";
import { call } from "./kernels.js";
import { cos_sin, python } from "./numbers.js";
import { Vec } from "./python.js";

const [RADIUS, X, Y, POINTS, STRIDE] = [2, 3, 4, 10, 4];
const [LEAST, LARGEST] = [1e-60, 1e60]; // of sizes and places: sizes farther apart need whole numbers of any length

export class Compound {}
export const shape_of = (_where, _name, value) => value;
export const refuse = (..._) => {
  throw new ValueError("That is too large.");
};

const pair = (point) => `(${[...point].map(python).join(", ")})`;
const recordOf = (points) => new Float64Array(POINTS + STRIDE * points);

export class ConvexShape {
  constructor(record, detail = null) {
    if (!record.every((number) => Math.abs(number) <= LARGEST)) refuse();
    [this._record, this._detail] = [record, detail];
  }

  get radius() {
    return this._record[RADIUS];
  }

  get vertices() {
    const [x, y] = this._origin();
    this._vertices ??= this._points().map(([px, py]) => new Vec(x + px, y + py));
    return this._vertices;
  }

  get position() {
    return new Vec(...this._origin()).plus(this._middle());
  }

  _origin() {
    return [this._record[X], this._record[Y]];
  }

  _points() {
    if (this._core === undefined) {
      this._core = [];
      for (let k = POINTS; k < this._record.length; k += STRIDE)
        this._core.push([this._record[k], this._record[k + 1]]);
    }
    return this._core;
  }

  // The position relative to the origin.
  _middle() {
    if (this._local === undefined) {
      this._local = new Float64Array(2);
      const doubtful = new Uint8Array(1);
      call(
        "_find_positions",
        this._record,
        BigInt64Array.of(0n),
        { data: this._local, columns: 2 },
        doubtful,
      );
    }
    return this._local;
  }

  _placed(x, y) {
    const record = this._record.slice();
    [record[X], record[Y]] = [x, y];
    return restored({ type: this.constructor.name, record, detail: this._detail });
  }

  translated([dx, dy]) {
    const [x, y] = this._origin();
    return this._placed(x + dx, y + dy);
  }

  // Turned about its position.
  rotated(angle) {
    const [c, s] = cos_sin(angle);
    const [[mx, my], position] = [this._middle(), this.position];
    const made = this._of(
      this._points().map(([x, y]) => [c * (x - mx) - s * (y - my), s * (x - mx) + c * (y - my)]),
    );
    const [x, y] = made._origin();
    return made._placed(position.x + x, position.y + y);
  }

  // The expression that makes this very shape, to the last bit: where corners in the world are rounded, those about
  // the origin, moved there.
  repr() {
    try {
      if (this._of(this.vertices).equals(this)) return this._text(this.vertices);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error; // rounded, the corners may make no shape
    }
    return `${this._text(this._points())}.translated(${pair(this._origin())})`;
  }

  equals(other) {
    return (
      this.constructor === other.constructor &&
      String([this._detail, ...this._record]) === String([other._detail, ...other._record])
    );
  }
}

function disc([x, y], radius) {
  const record = recordOf(1);
  record.set([0, 1, radius, x, y]);
  return record;
}

export class Point extends ConvexShape {
  constructor(at) {
    super(disc(at, 0));
  }
  _of() {
    return new Point([0, 0]);
  }
  repr() {
    return `Point(${pair(this.position)})`;
  }
}

export class Circle extends ConvexShape {
  constructor(center, radius) {
    if (!(radius > 0)) throw new ValueError("A circle needs a radius.");
    super(disc(center, radius));
  }
  get center() {
    return this.position;
  }
  _of() {
    return new Circle([0, 0], this.radius);
  }
  repr() {
    return `Circle(${pair(this.position)}, ${python(this.radius)})`;
  }
}

function stadium(start, end, radius) {
  if (!(Math.max(Math.abs(end[0] - start[0]), Math.abs(end[1] - start[1])) >= LEAST))
    throw new ValueError("The two ends must differ.");
  const record = recordOf(2);
  call("_write_stadium", ...start, ...end, radius, record);
  return record;
}

export class Stadium extends ConvexShape {
  get start() {
    return this.vertices[0];
  }
  get end() {
    return this.vertices[1];
  }
}

export class Segment extends Stadium {
  constructor(start, end) {
    super(stadium(start, end, 0));
  }
  _of(points) {
    return new Segment(...points);
  }
  _text(points) {
    return `Segment(${points.map(pair).join(", ")})`;
  }
}

export class Capsule extends Stadium {
  constructor(start, end, radius) {
    super(stadium(start, end, radius));
  }
  _of(points) {
    return new Capsule(...points, this.radius);
  }
  _text(points) {
    return `Capsule(${points.map(pair).join(", ")}, ${python(this.radius)})`;
  }
}

const option = (radius) => (radius ? `, radius=${python(radius)}` : "");

export class Box extends ConvexShape {
  constructor([x, y], size = null, angle = 0, { radius = 0, half_extents = null } = {}) {
    const [wide, high] = size ?? half_extents.map((half) => 2 * half);
    const record = recordOf(4);
    const fits = Math.min(wide, high) >= LEAST;
    const form = fits ? call("write_given_box", x, y, wide, high, angle, radius, record) : 0;
    if (form === 0) throw new ValueError("A box needs a width and a height.");
    super(record, form === 1 ? null : [wide, high, angle]);
  }

  static from_corners(lower, upper, { radius = 0 } = {}) {
    const [record, refused] = [recordOf(4), new Uint8Array(1)];
    const corners = { data: Float64Array.of(...lower, ...upper), columns: 4 };
    call("_write_spans", corners, Float64Array.of(radius), record, refused);
    if (refused[0]) throw new ValueError("A box needs a width and a height.");
    return restored({ type: "Box", record });
  }

  get center() {
    return this.position;
  }

  get size() {
    if (this._detail !== null) return new Vec(...this._detail);
    const [[ax, ay], , [bx, by]] = this._points();
    return new Vec(bx - ax, by - ay);
  }

  get angle() {
    return this._detail?.[2] ?? 0;
  }

  translated(by) {
    if (this._detail !== null) return super.translated(by);
    const [lower, , upper] = this.vertices;
    return Box.from_corners(lower.plus(by), upper.plus(by), { radius: this.radius });
  }

  rotated(angle) {
    return new Box(this.position, this.size, this.angle + angle, { radius: this.radius });
  }

  repr() {
    const [{ center, size, radius }, [lower, , upper]] = [this, this.vertices];
    if (this._detail !== null)
      return `Box(${pair(center)}, ${pair(size)}, ${python(this.angle)}${option(radius)})`;
    const ends = [center.plus(size.times(-0.5)), center.plus(size.times(0.5))];
    if (String(ends) === String([lower, upper]))
      return `Box(${pair(center)}, ${pair(size)}${option(radius)})`;
    return `Box.from_corners(${pair(lower)}, ${pair(upper)}${option(radius)})`;
  }
}

export class Polygon extends ConvexShape {
  constructor(points, { radius = 0, vertex_ids: ids = points.map((_, k) => k) } = {}) {
    const record = recordOf(points.length);
    const table = { data: Float64Array.from(points.flatMap(([x, y]) => [x, y])), columns: 2 };
    const winding = call("_write_polygon", table, radius, record);
    if (winding === 0) throw new ValueError("A polygon has to stay convex.");
    super(record, winding > 0 ? ids : [ids[0], ...ids.slice(1).reverse()]);
  }

  get vertex_ids() {
    return this._detail;
  }

  _of(points) {
    return new Polygon(points, { radius: this.radius, vertex_ids: this._detail });
  }

  _text(points) {
    const own = this._detail.every((id, k) => id === k) ? "" : `, vertex_ids=(${this._detail.join(", ")})`;
    return `Polygon([${points.map(pair).join(", ")}]${option(this.radius)}${own})`;
  }
}

const KINDS = { Point, Circle, Segment, Capsule, Box, Polygon };

// The shape that Python, or `_placed`, wrote down.
export function restored({ type, record, detail }) {
  const shape = Object.create(KINDS[type].prototype);
  return Object.assign(shape, { _record: Float64Array.from(record), _detail: detail ?? null });
}

// Whether three points turn left: above 0.
export const orientation = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

export function hull(points) {
  const rows = carom.hull_rows(points);
  if (rows.length < 3) throw new ValueError("The points have no area.");
  return { vertices: rows.map((row) => points[row]) };
}
