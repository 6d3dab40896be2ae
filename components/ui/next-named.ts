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
