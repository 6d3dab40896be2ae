import type { Compilable } from "kysely";
import type { Statement } from "./statement";

/** A compiled statement, with the names of its parameters in place of their values. */
interface Built {
  readonly sql: string;
  readonly parameters: readonly ({ readonly name: string } | { readonly constant: unknown })[];
}

/** Prefix of a parameter's placeholder. No written text holds a zero character. */
const STAND_IN = "\0";

/** Compiles each kind of write once: compiling takes longer than executing, and later writes differ only in their values. */
export class RepeatedWrites {
  readonly #built = new Map<string, Built>();

  /**
   * The write of these values.
   * @param what names the write; its values always have the same names
   * @param build makes it from such values
   */
  of<Values extends object>(
    what: string,
    values: Values,
    build: (values: Values) => Pick<Compilable, "compile">,
  ): { compile(): Statement } {
    const built = this.#built.get(what) ?? builtWith(values, build);
    this.#built.set(what, built);
    const given = new Map<string, unknown>(Object.entries(values));
    const parameters = built.parameters.map((one) => ("name" in one ? given.get(one.name) : one.constant));
    return { compile: () => ({ sql: built.sql, parameters }) };
  }
}

function builtWith<Values extends object>(
  values: Values,
  build: (values: Values) => Pick<Compilable, "compile">,
): Built {
  const standIns = Object.fromEntries(Object.keys(values).map((name) => [name, `${STAND_IN}${name}`]));
  // A query accepts any value as a parameter without checking it.
  const { sql, parameters } = build(standIns as Values).compile();
  const isStandIn = (value: unknown): value is string => typeof value === "string" && value.startsWith(STAND_IN);
  return {
    sql,
    parameters: parameters.map((value) =>
      isStandIn(value) ? { name: value.slice(STAND_IN.length) } : { constant: value },
    ),
  };
}
