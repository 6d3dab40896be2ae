import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import type { SettingSpec, SettingValue, StoredSetting } from "@/lib/core/compaction/policy/settings";
import { storedSetting, takenValue } from "@/lib/core/compaction/policy/stored-setting";
import type { StatedValue } from "./json-text";
import type { SettingsFile } from "./settings-files";

/** The present value of a policy's setting in the real agent. */
export interface CurrentSetting {
  /** Key of the policy's setting. */
  readonly key: string;
  readonly value: SettingValue;
  /** Name of the file that states it, for a reader. */
  readonly file: string;
  readonly line: number;
}

interface Candidate extends StatedValue {
  readonly file: SettingsFile;
  /** Key path, as in `env.NAME`. */
  readonly named: string;
  readonly isVariable: boolean;
}

/**
 * Values of a policy's settings in an agent's settings files; settings that no file states are left out, and so are values that the agent would not
 * take.
 * @param files highest precedence first
 * @param model of the session, for entries of one model
 */
export function currentSettings(
  specs: readonly SettingSpec[],
  rule: Pick<SettingsFiles, "variables">,
  files: readonly SettingsFile[],
  model?: string,
): readonly CurrentSetting[] {
  return specs.flatMap((spec): CurrentSetting[] => {
    const stored = storedSetting(spec);
    if (stored === undefined) return [];
    for (const { value: raw, file, line, isVariable } of candidates(stored, rule, files, model)) {
      if (stored.unset !== undefined && raw === stored.unset) return [];
      const value = takenValue(spec, raw, isVariable);
      if (value !== undefined) return [{ key: spec.key, value, file: file.name, line }];
    }
    return [];
  });
}

/** Statements of a setting in the agent's order of precedence: its variable in any file, then its keys file by file. */
function candidates(
  { variable, paths }: StoredSetting,
  { variables }: Pick<SettingsFiles, "variables">,
  files: readonly SettingsFile[],
  model: string | undefined,
): readonly Candidate[] {
  const at = (file: SettingsFile, path: readonly string[], isVariable: boolean) =>
    file.settings.at(path, model).map((stated): Candidate => ({ ...stated, file, named: path.join("."), isVariable }));
  const inVariables =
    variable === undefined || variables === undefined
      ? []
      : files.flatMap((file) => at(file, [...variables, variable], true));
  return [...inVariables, ...files.flatMap((file) => paths.flatMap((path) => at(file, path, false)))];
}

/** A settings file as the list of sources shows it. */
export interface ShownSettingsFile {
  readonly path: string;
  /** Known settings that it states, with numbers, switches and short words as values. */
  readonly states: readonly { readonly name: string; readonly value: string; readonly line: number }[];
  /** Clauses of one sentence each; empty if nothing is wrong. */
  readonly problems: readonly string[];
}

/** Maximum characters of a shown value: a longer text is not a known setting. */
const SHOWN_CHARS = 40;

/** The known settings of a file and its problems: an error in its text, or a value that the agent would not take. */
export function shownFile(specs: readonly SettingSpec[], rule: SettingsFiles, file: SettingsFile): ShownSettingsFile {
  const { path, settings } = file;
  if (settings.problem !== undefined) return { path, states: [], problems: [settings.problem] };
  const found = specs.flatMap((spec) => {
    const stored = storedSetting(spec);
    return stored === undefined
      ? []
      : candidates(stored, rule, [file], undefined).map((one) => ({ spec, stored, ...one }));
  });
  const others = rule.others.flatMap((own) => settings.at(own).map((one) => ({ ...one, named: own.join(".") })));
  const states = [...found, ...others].flatMap(({ named, value, line }) => {
    const text = typeof value === "object" ? "" : String(value);
    return text === "" || text.length > SHOWN_CHARS ? [] : [{ name: named, value: text, line }];
  });
  const problems = found
    .filter(
      ({ spec, stored, value, isVariable }) =>
        value !== stored.unset && takenValue(spec, value, isVariable) === undefined,
    )
    .map(({ named, line }) => `line ${line}: the value of ${named} is not one that the agent takes`);
  return { path, states: unique(states).sort((a, b) => a.line - b.line), problems: [...new Set(problems)] };
}

function unique<Row extends { readonly name: string; readonly line: number }>(rows: readonly Row[]): Row[] {
  return rows.filter(({ name, line }, at) => rows.findIndex((one) => one.name === name && one.line === line) === at);
}
