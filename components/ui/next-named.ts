/** Letters that follow each other within this time are one beginning. */
const TYPING_MS = 1000;

/** The value that a key on a closed list leads to, after the keys before it; `undefined` where the key is not for the list. */
export function typedValue<Value extends string>(
  typed: { text: string; at: number },
  { key, timeStamp }: { readonly key: string; readonly timeStamp: number },
  options: readonly (readonly [Value, string])[],
  value: Value | undefined,
): Value | undefined {
  const before = timeStamp - typed.at < TYPING_MS ? typed.text : "";
  // A space begins no name: it opens the list.
  const next = key === " " && before === "" ? undefined : nextNamed(options, value, before + key);
  if (next !== undefined) Object.assign(typed, { text: before + key, at: timeStamp });
  return next;
}

/**
 * The value whose name begins with what was typed: the chosen one while it does, else the next one after it and then from the start.
 * One letter, however often, goes on to the next value of that letter.
 */
export function nextNamed<Value extends string>(
  options: readonly (readonly [Value, string])[],
  value: Value | undefined,
  typed: string,
): Value | undefined {
  const [first = ""] = typed;
  const isOneLetter = typed === first.repeat(typed.length);
  const beginning = (isOneLetter ? first : typed).toLowerCase();
  const from = options.findIndex(([one]) => one === value) + (isOneLetter ? 1 : 0);
  const inTurn = [...options.slice(Math.max(0, from)), ...options.slice(0, Math.max(0, from))];
  return inTurn.find(([, name]) => name.toLowerCase().startsWith(beginning))?.[0];
}
