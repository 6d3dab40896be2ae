/** The arguments of a call as an object; `undefined` where they are not one, or not whole. */
export function callArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // A JSON object is a record of unknown values, whatever else it is.
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // the arguments are not JSON, or cut off
  }
}

/** The value of the first of some arguments that is a text. */
export function textOf(args: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}
