import { OF_MODEL } from "@/lib/core/compaction/policy/settings";
import { spellingsOf } from "@/lib/core/prices/model-id";
import type { SettingsTree, StatedValue } from "./json-text";

/** A parsed settings file. */
export interface SettingsText {
  /** The values at a key path; several where the path names the session's model and the file has several spellings of it. */
  readonly at: (path: readonly string[], model?: string) => readonly StatedValue[];
  /** The first error as a clause with its line. A file with an error states nothing. */
  readonly problem: string | undefined;
}

/** Parses a settings file by its name: TOML, else JSON with comments and trailing commas. Never rejects; loads the parser at its first use. */
export async function parseSettings(text: string, name: string): Promise<SettingsText> {
  const tree = name.endsWith(".toml")
    ? (await import("./toml-text")).tomlTree(text)
    : (await import("./json-text")).jsonTree(text);
  if (typeof tree === "string") return { at: () => [], problem: tree };
  return {
    problem: undefined,
    at: (path, model) => pathsOfModel(path, model, tree.keysAt).flatMap((own) => tree.valueAt(own) ?? []),
  };
}

/** A key path for each spelling of the session's model under which the file has an entry; the path itself if it names no model. */
function pathsOfModel(
  path: readonly string[],
  model: string | undefined,
  keysAt: SettingsTree["keysAt"],
): readonly (readonly string[])[] {
  const place = path.indexOf(OF_MODEL);
  if (place < 0) return [path];
  if (model === undefined) return [];
  const spellings = spellingsOf(model);
  const keys = keysAt(path.slice(0, place)).filter((key) => spellingsOf(key).some((one) => spellings.includes(one)));
  return keys.map((key) => path.with(place, key));
}
