import { agentPolicies, serverProfileOf } from "@/lib/agents/registry";
import { MAX_CONTEXT, type Tokens } from "@/lib/core/base/units";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { firstPreset, requirePreset, sessionlessSettings } from "@/lib/queries/session/session-context";
import { type CurrentSetting, currentSettings, type ShownSettingsFile, shownFile } from "./current-settings";
import { commonSettingsFiles, type Environment, settingsFilesOf } from "./settings-files";

/** A settings file as the list of sources shows it, with its agent's name. */
export interface AgentSettingsFile extends ShownSettingsFile {
  readonly agent: string;
}

/** The existing settings files of every agent, the user's and the administrator's, without projects' files. */
export async function agentSettingsFiles(around: Environment): Promise<readonly AgentSettingsFile[]> {
  const ofAgents = agentPolicies().map(async ({ id, label, presets, settings }) => {
    const rule = await serverProfileOf(id)?.settingsFiles?.();
    if (rule === undefined) return [];
    // Releases read different keys.
    const specs = presets.flatMap((preset) => settings(preset, contextOf(id)));
    return (await commonSettingsFiles(rule, around)).map((file) => ({ agent: label, ...shownFile(specs, rule, file) }));
  });
  return (await Promise.all(ofAgents)).flat();
}

/** Present settings of a policy, and the files that cannot be read, each with a clause. */
interface SettingsNow {
  readonly settings: readonly CurrentSetting[];
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
}

const NO_SETTINGS: SettingsNow = { settings: [], problems: [] };

/**
 * Present settings of an agent's policy for recordings in its own folders, by the user's and the administrator's files; empty if a recording is
 * elsewhere, or the policy is not an agent's.
 */
export async function settingsNow(
  policy: string,
  preset: string | undefined,
  recordings: readonly string[],
  around: Environment,
): Promise<SettingsNow> {
  const own = agentPolicies().find(({ id }) => id === policy);
  const rule = own === undefined ? undefined : await serverProfileOf(policy)?.settingsFiles?.();
  if (own === undefined || rule === undefined) return NO_SETTINGS;
  const found = await Promise.all(
    recordings.map((path) => settingsFilesOf(rule, { path, project: undefined }, around)),
  );
  if (found.some((files) => files.length === 0)) return NO_SETTINGS;
  const [files = []] = found;
  return {
    settings: currentSettings(own.settings(preset ?? firstPreset(own), contextOf(policy)), rule, files),
    problems: files.flatMap(({ name, settings: { problem } }) =>
      problem === undefined ? [] : [{ file: name, problem }],
    ),
  };
}

/** A session whose settings are asked for, and the policy and window of its replay. */
export interface SettingsRequest {
  readonly policy: string;
  readonly preset?: string | undefined;
  readonly window: Tokens;
  /** Path of the session's file. */
  readonly path: string;
  readonly session: Pick<SessionSummary, "project" | "models">;
}

/** Present settings of an agent's policy by the files that apply to a session, a project's included; empty as in `settingsNow`. */
export async function settingsOfSession(
  { policy: id, preset, window, path, session }: SettingsRequest,
  around: Environment,
): Promise<readonly CurrentSetting[]> {
  const policy = agentPolicies().find((one) => one.id === id);
  const rule = policy === undefined ? undefined : await serverProfileOf(id)?.settingsFiles?.();
  if (policy === undefined || rule === undefined) return [];
  const files = await settingsFilesOf(rule, { path, project: session.project ?? undefined }, around);
  return currentSettings(
    sessionlessSettings(policy, requirePreset(policy, preset), window),
    rule,
    files,
    session.models.at(-1),
  );
}

function contextOf(agent: string) {
  return { window: MAX_CONTEXT, agent };
}
