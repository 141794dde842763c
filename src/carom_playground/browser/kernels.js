// Carom's kernels, compiled to WebAssembly, called with numbers and arrays.
//
// In: the module's bytes. Out: call(name, ...). An array is a Float64Array, BigInt64Array or Int32Array, or
// { data, columns } for one of two dimensions; what a kernel writes into it is there after the call. The module's own
// section says what each kernel takes and gives, in letters as Python's struct has them; arrays lie as Numba's do.

import { cos_sin, frexp, ldexp, nextAfter } from "./numbers.js";

const SIZES = { d: 8, q: 8, i: 4, "?": 1 };
const HEAD = 24; // bytes of Numba's record before an array that a kernel makes for itself; its address stands at 16

let exported, kernels, memory, view, base, free;

function take(bytes) {
  const at = free;
  free = (at + bytes + 15) & -16;
  if (free > view.byteLength) {
    memory.grow(((free - view.byteLength) >> 16) + 1);
    view = new DataView(memory.buffer);
  }
  return at;
}

// What the kernels ask of the system. Arrays that they make are dropped all at once, after the call.
const system = {
  NRT_MemInfo_alloc_aligned(bytes) {
    const at = take(HEAD + 8 + Number(bytes));
    view.setUint32(at + 16, at + HEAD + 8, true);
    return at;
  },
  NRT_incref() {},
  NRT_decref() {},
  numba_frexp(x, at) {
    const [mantissa, exponent] = frexp(x);
    view.setInt32(at, exponent, true);
    return mantissa;
  },
  numba_ldexp: ldexp,
  numba_nextafter: nextAfter,
  cos: (x) => cos_sin(x)[0],
  sin: (x) => cos_sin(x)[1],
  atan2: Math.atan2,
};

export function load(bytes) {
  const module = new WebAssembly.Module(bytes);
  const told = WebAssembly.Module.customSections(module, "carom")[0];
  kernels = JSON.parse(new TextDecoder().decode(told)).kernels;
  exported = new WebAssembly.Instance(module, { env: system }).exports;
  memory = exported.memory;
  view = new DataView(memory.buffer);
  base = exported.__heap_base.value;
}

// The arguments that an array becomes: no owner, its length, its place, its shape and its steps in bytes.
function pushArray(array, letter, words, back) {
  const data = array.data ?? array;
  const size = SIZES[letter[0]];
  const at = take(data.byteLength);
  new data.constructor(memory.buffer, at, data.length).set(data);
  back.push([data, at]);
  const count = BigInt(data.length);
  words.push(0, 0, count, BigInt(size), at);
  if (letter[1] === "1") words.push(count, BigInt(size));
  else
    words.push(
      BigInt(data.length / array.columns),
      BigInt(array.columns),
      BigInt(size * array.columns),
      BigInt(size),
    );
}

export function call(name, ...given) {
  const { symbol, takes, gives } = kernels[name];
  free = base;
  const out = take(8 * gives.length + 8);
  const words = [out, take(8)];
  const back = [];
  takes.forEach((letter, k) => {
    if (letter.length > 1) pushArray(given[k], letter, words, back);
    else words.push(letter === "q" ? BigInt(given[k]) : Number(given[k]));
  });
  if (exported[symbol](...words) !== 0) throw new Error(`the kernel ${name} failed`);
  for (const [data, at] of back) data.set(new data.constructor(memory.buffer, at, data.length));
  let at = out;
  const answers = [...gives].map((letter) => {
    at = (at + SIZES[letter] - 1) & -SIZES[letter];
    const place = at;
    at += SIZES[letter];
    if (letter === "d") return view.getFloat64(place, true);
    return letter === "?" ? view.getUint8(place) !== 0 : Number(view.getBigInt64(place, true));
  });
  return answers.length > 1 ? answers : answers[0];
}
