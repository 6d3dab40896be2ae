import type { Compilable } from "kysely";
import type { Statement } from "./statement";

/** A statement that was built: where a value of the next one goes stands its name. */
interface Built {
  readonly sql: string;
  readonly parameters: readonly ({ readonly name: string } | { readonly constant: unknown })[];
}

/** Leads the stand-in of a value. No text that is written holds a zero character. */
const STAND_IN = "\0";

/** Writes that differ in their values alone: each is built once, which takes longer than all else that the server's thread does for it. */
export class RepeatedWrites {
  readonly #built = new Map<string, Built>();

  /**
   * The write of these values.
   * @param what names the write; its values always have the same names
   * @param build makes it of such values
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
  // A query takes any value as a parameter, and looks at none.
  const { sql, parameters } = build(standIns as Values).compile();
  const isStandIn = (value: unknown): value is string => typeof value === "string" && value.startsWith(STAND_IN);
  return {
    sql,
    parameters: parameters.map((value) =>
      isStandIn(value) ? { name: value.slice(STAND_IN.length) } : { constant: value },
    ),
  };
}
