import {
  type InAgent,
  isInRange,
  type SettingSpec,
  type SettingValue,
  type Source,
  type StoredSetting,
} from "./settings";

/** A setting in a JSON settings file: the text to paste and the place to read follow from one key path. @param older paths that are read too */
export function inJsonFile(
  file: string,
  path: readonly string[],
  source: Source,
  older: readonly (readonly string[])[] = [],
): InAgent {
  const outer = path.slice(0, -1);
  const text = `${outer.map((key) => `"${key}": { `).join("")}"${path.at(-1)}": <value>${" }".repeat(outer.length)}`;
  return { text, file, source, stored: { paths: [path, ...older] } };
}

/** A top-level key of a TOML settings file. @param value written in place of the setting's own */
export function inTomlFile(file: string, key: string, source: Source, value = "<value>"): InAgent {
  return { text: `${key} = ${value}`, file, source, stored: { paths: [[key]] } };
}

/** An environment variable, which some agents also read from their settings files. */
export function inVariable(variable: string, source: Source): InAgent {
  return { text: `${variable}=<value>`, source, stored: { paths: [], variable } };
}

/** The place of a setting in its agent's settings files; `undefined` if it has none. */
export function storedSetting({ inAgent }: Pick<SettingSpec, "inAgent">): StoredSetting | undefined {
  return inAgent != null && "stored" in inAgent ? inAgent.stored : undefined;
}

/**
 * Value of a setting as its agent takes it from a file or a variable; `undefined` for a wrong type and for a number out of range.
 * @param isVariable true for an environment variable, whose numbers are texts such as `200_000` and `2e5`
 */
export function takenValue(spec: SettingSpec, raw: unknown, isVariable: boolean): SettingValue | undefined {
  if (spec.type === "boolean") return typeof raw === "boolean" ? raw : undefined;
  if (spec.type === "choice") return typeof raw === "string" && spec.choices.includes(raw) ? raw : undefined;
  const number = isVariable && typeof raw === "string" ? numberIn(raw) : raw;
  if (storedSetting(spec)?.clamps !== true) return isInRange(spec, number) ? number : undefined;
  if (typeof number !== "number" || !Number.isFinite(number) || number <= 0) return undefined;
  return Math.min(Math.max(Math.floor(number), spec.min), spec.max);
}

/** The number at the beginning of a text; NaN if there is none. */
function numberIn(text: string): number {
  const plain = text.replaceAll("_", "").trim();
  const number = plain === "" ? Number.NaN : Number(plain);
  return Number.isNaN(number) ? Number.parseInt(plain, 10) : number;
}
