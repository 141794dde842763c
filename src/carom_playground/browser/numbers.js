// Numbers to the last bit and in Python's words: sine and cosine rounded correctly, lengths, and the texts of floats.
//
// In: float64. Out: float64, or text as Python's format(x, ".4g") and repr(x) give it.

const BITS = 320n; // behind the point of a fixed-point number: any angle up to 2**80 keeps more than 200 of them
const ONE = 1n << BITS;
export const EPSILON = 2 ** -52;

function fixed(x) {
  const exponent = Math.max(-1022, Math.floor(Math.log2(Math.abs(x) || 1)));
  const whole = BigInt((x / 2 ** (exponent - 26)) * 2 ** 27); // no digit is behind the point, even where log2 rounds
  const shift = BITS + BigInt(exponent - 53);
  return shift < 0n ? whole >> -shift : whole << shift;
}

const toFloat = (value) => Number(value) / 2 ** Number(BITS); // Number rounds correctly

// A Taylor series in r: each term is the one before times -r * r over the next two numbers.
function series(first, r, k) {
  const square = (r * r) >> BITS;
  let total = 0n;
  for (let term = first; term !== 0n; k += 2n) {
    total += term;
    term = -((term * square) >> BITS) / ((k + 1n) * (k + 2n));
  }
  return total;
}

// Machin's formula; BITS more than are kept, since large angles take many multiples.
function arctangentOfInverse(n) {
  let total = 0n;
  let term = ONE / n;
  for (let k = 1n; term !== 0n; k += 2n, term = -term / (n * n)) total += term / k;
  return total;
}

const HALF_PI = 2n * (4n * arctangentOfInverse(5n) - arctangentOfInverse(239n));

// Cosine and sine; exact where the angle is the float64 nearest to a multiple of pi / 2.
export function cos_sin(angle) {
  if (Math.abs(angle) < 1e-30) return [1, angle];
  const whole = fixed(angle);
  const quarters = (2n * whole + HALF_PI) / (2n * HALF_PI) - (2n * whole + HALF_PI < 0n ? 1n : 0n);
  const rest = toFloat(quarters * HALF_PI) === angle ? 0n : whole - quarters * HALF_PI;
  const c = toFloat(series(ONE, rest, 0n));
  const s = toFloat(series(rest, rest, 1n));
  const places = [c, -s, -c, s]; // of the cosine after so many quarter turns; the sine is one turn behind
  const turn = Number(((quarters % 4n) + 4n) % 4n);
  return [places[turn] + 0, places[(turn + 3) % 4] + 0];
}

// The sum of two numbers and its rounding error (D. E. Knuth).
function twoSum(a, b) {
  const sum = a + b;
  const back = sum - a;
  return [sum, a - (sum - back) + (b - back)];
}

export function sumOf(...terms) {
  let [total, error] = [0, 0];
  for (const term of terms) {
    const [next, lost] = twoSum(total, term);
    [total, error] = [next, error + lost];
  }
  return total + error;
}

// The length of a vector, to half a unit in the last place and hardly more: Math.hypot may be off by more.
export function hypot(x, y) {
  const [low, high] = [Math.abs(x), Math.abs(y)].sort((a, b) => a - b);
  if (low === 0) return high;
  const root = Math.sqrt(low * low + high * high);
  const [square, lost] = [low, high].map((v) => product(v, v)).reduce((a, b) => add(a, b));
  const [back, less] = product(root, root);
  return root + (square - back + (lost - less)) / (2 * root);
}

function product(a, b) {
  const [high, low] = split(a);
  const [top, rest] = split(b);
  const rounded = a * b;
  return [rounded, low * rest - (rounded - high * top - low * top - high * rest)];
}

function split(a) {
  const spread = 134217729 * a;
  const high = spread - (spread - a);
  return [high, a - high];
}

function add([a, more], [b, less]) {
  const [sum, error] = twoSum(a, b);
  return [sum, error + more + less];
}

export const roundedUp = (...terms) => {
  const total = sumOf(...terms);
  return sumOf(...terms, -total) > 0 ? nextAfter(total, Infinity) : total;
};

const view = new DataView(new ArrayBuffer(8));

export function nextAfter(x, y) {
  if (x === y || Number.isNaN(x) || Number.isNaN(y)) return y;
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + (x < y === x > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

// [mantissa in 0.5 to 1, exponent]; of zero, and of what is not finite, the number itself and 0, as Numba has it.
export function frexp(x) {
  if (x === 0 || !Number.isFinite(x)) return [x, 0];
  if (Math.abs(x) < 2 ** -1022) {
    const [mantissa, exponent] = frexp(x * 2 ** 54);
    return [mantissa, exponent - 54];
  }
  view.setFloat64(0, x);
  const high = view.getUint32(0);
  view.setUint32(0, (high & 0x800fffff) | 0x3fe00000);
  return [view.getFloat64(0), ((high >>> 20) & 0x7ff) - 1022];
}

export function ldexp(x, exponent) {
  if (x === 0 || !Number.isFinite(x)) return x;
  for (; exponent < -1022; exponent += 969) x *= 2 ** -969; // so that only the last step rounds
  for (; exponent > 1023; exponent -= 1023) x *= 2 ** 1023;
  return x * 2 ** exponent;
}

// Decimal digits and the exponent of the first, as Python lays them out.
function layOut(sign, digits, exponent, most) {
  if (exponent < -4 || exponent >= most) {
    const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-1 - exponent)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const rest = digits.slice(exponent + 1);
  return sign + whole + (rest ? `.${rest}` : "");
}

function partsOf(text) {
  const [mantissa, exponent] = text.split("e");
  return [mantissa.replace(".", ""), Number(exponent)];
}

// Digits cut to so many; a tie goes to the even digit, where JavaScript goes up. `longer` gives more digits of the number,
// all of them only where the first ones look like a tie: it takes time.
function cut(rounded, longer, kept) {
  const isTie = [20, 80].every((count) => /^50*$/.test(longer(count).slice(kept)));
  return isTie && Number(longer(80)[kept - 1]) % 2 === 0 ? longer(80).slice(0, kept) : rounded;
}

// As f"{x + 0.0:.{digits}g}".
export function general(x, digits) {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
  const size = Math.abs(x);
  const [rounded, exponent] = partsOf(size.toExponential(digits - 1));
  const found = cut(rounded, (count) => partsOf(size.toExponential(count))[0], digits);
  return layOut(x < 0 ? "-" : "", found.replace(/0+$/, ""), exponent, digits);
}

// As f"{x + 0.0:.{places}f}", for sizes below 1e15.
export function fixedPoint(x, places) {
  const digitsOf = (count) => Math.abs(x).toFixed(count).replace(".", "");
  const digits = cut(digitsOf(places), (more) => digitsOf(places + more), digitsOf(places).length);
  const sign = x < 0 && /[1-9]/.test(digits) ? "-" : "";
  return sign + (places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits);
}

export const withoutZeros = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

// As repr(x).
export function python(x) {
  if (x === 0) return Object.is(x, -0) ? "-0.0" : "0.0";
  const [digits, exponent] = partsOf(Math.abs(x).toExponential());
  const text = layOut(x < 0 ? "-" : "", digits, exponent, 16);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
