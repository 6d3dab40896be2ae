import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ADVISED_BY } from "@/lib/core/advice/recommend";
import { systemCode } from "../base/input-error";

const value = z.union([z.number(), z.boolean(), z.string(), z.null()]);

/** A recommendation that was written into an agent's settings, with its prediction. */
const applied = z.object({
  kind: z.literal("applied"),
  at: z.iso.datetime(),
  agent: z.string(),
  policy: z.string(),
  preset: z.string(),
  /** The settings file, and its changed settings; `null` where the file stated none before. */
  path: z.string(),
  settings: z
    .array(z.object({ key: z.string(), named: z.string(), from: value, to: value }))
    .min(1)
    .readonly(),
  /** The metric that the saving is of. */
  by: z.enum(ADVISED_BY),
  /** As a share, with its 95 % interval. */
  predicted: z.object({ estimate: z.number(), low: z.number(), high: z.number() }),
  /** Numbers of sessions and projects from which it was computed. */
  sessions: z.int(),
  projects: z.int(),
});

/** Taken back: `of` is the time of the change. */
const undone = z.object({ kind: z.literal("undone"), at: z.iso.datetime(), of: z.iso.datetime() });

const line = z.discriminatedUnion("kind", [applied, undone]);

export type AppliedSetting = z.infer<typeof applied>;
type Line = z.infer<typeof line>;

/** The applied settings of this machine, oldest first. */
export interface AppliedSettings {
  readonly path: string;
  /** With the time at which each was undone, if it was. */
  readonly applied: readonly (AppliedSetting & { readonly undoneAt?: string })[];
  /** Numbers of lines that cannot be read, from 1. */
  readonly damagedLines: readonly number[];
}

/** Name of the file in the data folder: one JSON object per line. Lines are only appended. */
const FILE = "applied-settings.jsonl";

/** Reads the applied settings; none without a file. Throws an error of the file system if it cannot be read. */
export function readApplied(dataDir: string): AppliedSettings {
  const path = join(dataDir, FILE);
  const lines = textOf(path)
    .split("\n")
    .map((text, index) => ({ text, number: index + 1 }))
    .filter(({ text }) => text.trim() !== "")
    .map(({ text, number }) => ({ number, entry: entryIn(text) }));
  const entries = lines.flatMap(({ entry }) => entry ?? []);
  const undoneAt = new Map(entries.flatMap((one) => (one.kind === "undone" ? [[one.of, one.at] as const] : [])));
  return {
    path,
    applied: entries
      .flatMap((one) => (one.kind === "applied" ? [one] : []))
      .map((one) => {
        const at = undoneAt.get(one.at);
        return at === undefined ? one : { ...one, undoneAt: at };
      }),
    damagedLines: lines.flatMap(({ entry, number }) => (entry === undefined ? [number] : [])),
  };
}

/** Adds a line. Throws an error of the file system if it cannot be written. */
export function addApplied(dataDir: string, entry: Line): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, FILE);
  // A line that was cut off must not swallow the next one.
  const before = textOf(path);
  const start = before === "" || before.endsWith("\n") ? "" : "\n";
  appendFileSync(path, `${start}${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  }
}

function entryIn(text: string): Line | undefined {
  try {
    return line.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
