import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { policyById, serverProfileOf } from "@/lib/agents/registry";
import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import { MAX_CONTEXT } from "@/lib/core/base/units";
import type { PresetWindowSettings, WindowSettings } from "@/lib/core/context/window";
import type { Transcript } from "@/lib/core/transcript/model";
import { contextOf } from "@/lib/core/transcript/totals";
import { firstPreset, presetOfVersion } from "@/lib/queries/session/session-context";
import { instant } from "@/lib/queries/wire/instant";

/** Maximum bytes of a file next to a recording. */
const BESIDE_BYTES = 16 << 20;

/** Window facts in files around a session's own; `undefined` if its agent has no such files, or the file is elsewhere. */
export async function windowsBeside(path: string, transcript: Transcript): Promise<PresetWindowSettings | undefined> {
  const profile = serverProfileOf(transcript.agent);
  const settings = await profile?.settingsFiles?.();
  if (settings?.windowKey !== undefined) return settingsOf(settings, path, transcript);
  const rule = await profile?.windowsBeside?.();
  const folder = dirname(path);
  const policy = transcript.agent === null ? undefined : policyById(transcript.agent);
  if (rule === undefined || policy === undefined || basename(folder) !== rule.folder) return undefined;
  const names = Object.keys(rule.files);
  const texts = await Promise.all(names.map((name) => textOf(join(folder, rule.files[name] ?? ""))));
  const { agent, agentVersion = null, formatVersion = null, sessionId = null } = transcript;
  const written = { agent, agentVersion, formatVersion, endedAt: instant(transcript.endedAt) };
  const texted = Object.fromEntries(names.map((name, at) => [name, texts[at]]));
  const settingsUnder = rule.of(texted, { file: basename(path), sessionId });
  return {
    ...settingsUnder(presetOfVersion(policy, written)),
    byPreset: new Map(policy.presets.map((preset) => [preset, settingsUnder(preset)])),
  };
}

/** Window settings of a session. An auto-compaction window below a recorded context was set later, so it is ignored. */
async function settingsOf(
  settings: SettingsFiles,
  path: string,
  { agent, requests, project, models }: Transcript,
): Promise<WindowSettings | undefined> {
  // Loaded on first use: parsers of settings files are of no use to most recordings.
  const { windowOfSettings } = await import("./window-settings");
  const model = requests.findLast((point) => point.model !== undefined)?.model ?? models.at(-1);
  const policy = agent === null ? undefined : policyById(agent);
  const specs = policy?.settings(firstPreset(policy), { window: MAX_CONTEXT, agent }) ?? [];
  const cap = await windowOfSettings(settings, specs, { path, project, model }, { env: process.env });
  if (cap === undefined || requests.some((point) => contextOf(point) > cap.tokens)) return undefined;
  return { cap: cap.tokens, capFrom: cap.from };
}

/** Text of a file; `undefined` if there is no readable file of that name, or it is too large. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    const info = await stat(path);
    return !info.isFile() || info.size > BESIDE_BYTES ? undefined : await readFile(path, "utf8");
  } catch {
    // A recording that was copied from its folder has none of them.
    return undefined;
  }
}
