// Methods of Python's own types, by Python's names: the whole list of those that the page has.
//
// The translator reads this file. It writes a method whose name any of Python's types has as a `called`, which asks the
// value for its type; so it lets a name through only if each of Python's types that has this method has it here. Tuples
// are lists, frozensets are sets; an array is NumPy's. Each does what Python's does, or throws.

import { ValueError } from "./builtins.js";
import { each, equal, Group, rows, Tuple, unsupported } from "./python.js";

function placeIn(all, one) {
  const place = all.findIndex((value) => equal(value, one));
  if (place < 0) throw new ValueError("it is not in the list");
  return place;
}

// Of a dict or a set: the value of a key, or what stands in its place; None of an undefined one.
const orElse = (value, otherwise) => (value === undefined ? otherwise : value);

// A key taken out of a dict or a set: it must be there.
function taken(all, key, what) {
  if (!all.has(key)) return unsupported(`${what} of what is not there`, all);
  const value = all instanceof Map ? all.get(key) : key;
  all.delete(key);
  return value;
}

const cutStart = (text, letters) => {
  if (letters === null) return text.trimStart();
  let start = 0;
  while (start < text.length && letters.includes(text[start])) start++;
  return text.slice(start);
};
const cutEnd = (text, letters) => {
  if (letters === null) return text.trimEnd();
  let end = text.length;
  while (end > 0 && letters.includes(text[end - 1])) end--;
  return text.slice(0, end);
};

export const METHODS = {
  str: {
    join: (between, all) => each(all).join(between),
    split: (text, sep = null) =>
      sep === null
        ? text
            .trim()
            .split(/\s+/)
            .filter((word) => word)
        : text.split(sep),
    strip: (text, chars = null) => cutEnd(cutStart(text, chars), chars),
    rstrip: (text, chars = null) => cutEnd(text, chars),
    upper: (text) => text.toUpperCase(),
    lower: (text) => text.toLowerCase(),
    startswith: (text, prefix) => [prefix].flat().some((one) => text.startsWith(one)),
    endswith: (text, suffix) => [suffix].flat().some((one) => text.endsWith(one)),
    replace: (text, old, made) => text.split(old).join(made),
    index: (text, part) => (text.includes(part) ? text.indexOf(part) : placeIn([], part)),
    count: (text, part) => text.split(part).length - 1,
  },
  list: {
    append: (all, one) => void all.push(one),
    extend: (all, more) => void all.push(...each(more)),
    insert: (all, at, one) => void all.splice(at, 0, one),
    pop: (all, at = -1, ..._) =>
      at in [...all] || -at <= all.length ? all.splice(at, 1)[0] : unsupported("pop", all),
    remove: (all, one) => void all.splice(placeIn(all, one), 1),
    clear: (all) => void all.splice(0),
    copy: (all) => [...all],
    index: (all, one) => placeIn(all, one),
    count: (all, one) => all.filter((value) => equal(value, one)).length,
  },
  dict: {
    get: (all, key, otherwise = null) => orElse(all.get(key), otherwise),
    setdefault(all, key, otherwise = null) {
      if (!all.has(key)) all.set(key, otherwise);
      return all.get(key);
    },
    pop: (all, key = undefined, otherwise = undefined) =>
      all.has(key) || otherwise === undefined ? taken(all, key, "pop") : otherwise,
    keys: (all) => [...all.keys()],
    values: (all) => [...all.values()],
    items: (all) => [...all.entries()],
    update(all, more) {
      for (const [key, value] of more instanceof Map ? more : each(more)) all.set(key, value);
    },
    clear: (all) => void all.clear(),
    copy: (all) => new all.constructor(all),
  },
  set: {
    add: (all, one) => void all.add(one),
    remove: (all, one) => void taken(all, one, "remove"),
    discard: (all, one) => void all.delete(one),
    pop: (all, ..._) => taken(all, [...all][0], "pop"),
    update(all, more) {
      for (const one of each(more)) all.add(one);
    },
    union: (all, ...more) => new Group([...all, ...more.flatMap((some) => each(some))]),
    clear: (all) => void all.clear(),
    copy: (all) => new Group(all),
  },
  array: {
    tolist: (all) => rows(all),
    item: (all, at) => (ArrayBuffer.isView(all) ? all[at] : unsupported("item", all)),
  },
};

function typeOf(owner) {
  if (typeof owner === "string") return "str";
  if (Array.isArray(owner)) return "list";
  if (owner instanceof Map) return "dict";
  if (owner instanceof Set) return "set";
  return ArrayBuffer.isView(owner?.data ?? owner) ? "array" : "";
}

// A call of a method that Python's types have, and perhaps classes of Carom, too: these come first.
export function called(owner, name, ...given) {
  if ((owner instanceof Tuple || typeOf(owner) === "") && name in owner && !(name in Array.prototype))
    return owner[name](...given);
  const found = METHODS[typeOf(owner)]?.[name] ?? (() => unsupported(`.${name}()`, owner));
  return found(owner, ...given) ?? null;
}
