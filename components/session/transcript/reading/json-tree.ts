/** A list or an object with more values than this has them in groups. */
const MOST_TOGETHER = 100;
/** How many values are in sight at first, how deep they stand, and of how many values an open one may consist. */
const OPEN = { values: 300, levels: 3, size: 40 };
/** Deeper values stay as they are: each of them is opened by a press of its own. */
const MOST_DEEP = 100;

type Holder = Readonly<Record<string, unknown>>;

/**
 * A value of JSON for a tree that is drawn as it is opened: where a list or an object holds many values they stand in groups by their places, such as `0 … 99`, so
 * that opening one never draws more than those.
 */
export function grouped(value: object, depth = 0): object {
  if (depth > MOST_DEEP) return value;
  const inner = (one: unknown): unknown => (typeof one === "object" && one !== null ? grouped(one, depth + 1) : one);
  const keys = Object.keys(value);
  if (keys.length <= MOST_TOGETHER) {
    if (Array.isArray(value)) return value.map(inner);
    return fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
  }
  return groups(Object.entries(value).map(([key, one]) => [key, inner(one)] as const));
}

type Entry = readonly [key: string, value: unknown];

function groups(entries: readonly Entry[], all = entries.length, each = 1): object {
  if (entries.length <= MOST_TOGETHER) return fromEntries(entries);
  const parts: Entry[] = [];
  for (let at = 0; at < entries.length; at += MOST_TOGETHER) {
    const end = Math.min(all, (at + MOST_TOGETHER) * each);
    parts.push([`${at * each} … ${end - 1}`, fromEntries(entries.slice(at, at + MOST_TOGETHER))]);
  }
  return groups(parts, all, each * MOST_TOGETHER);
}

/** Also of keys that an assignment would take for something else, such as `__proto__`. */
function fromEntries(entries: readonly Entry[]): Holder {
  return Object.fromEntries(entries);
}

/** The objects and lists that are open at first: the outer ones, as long as few values come into sight. */
export function openAtFirst(value: object): ReadonlySet<object> {
  const open = new Set<object>();
  let level: object[] = [value];
  let left = OPEN.values;
  for (let depth = 0; depth < OPEN.levels; depth += 1) {
    const next: object[] = [];
    for (const one of level) {
      const values = Object.values(one);
      if (values.length > OPEN.size || values.length > left) continue;
      left -= values.length;
      open.add(one);
      next.push(...values.filter((inner) => typeof inner === "object" && inner !== null));
    }
    level = next;
  }
  return open;
}
