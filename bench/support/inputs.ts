import { copyFileSync, existsSync, linkSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { writeDocument } from "./document";
import { makeLarge } from "./large";
import { RETOLD_AGENTS, type RetoldAgent, writeRetold } from "./retold";

/** A file to measure. */
export interface Input {
  readonly label: string;
  readonly path: string;
  readonly bytes: number;
}

/** Files to measure together. */
export interface InputGroup {
  readonly label: string;
  readonly files: readonly Input[];
}

/** The folder of real recordings beside the project, which may be absent. */
const RECORDINGS = join(process.cwd(), "..", "shared", "transcripts");
export const SAMPLES = join(process.cwd(), "public", "samples");
export const SAMPLES_BY_AGENT = [
  { agent: "claude-code", sample: "claude-code-duplicate-shipments.jsonl" },
  { agent: "codex", sample: "codex-sliding-window.jsonl" },
] as const;

/**
 * Makes the files that the benchmarks measure: for each agent the largest recording (or, without recordings, a sample repeated up to 4 MB)
 * and 100 MB made of the sample. Removes them again after the work.
 */
export async function withInputs<T>(work: (inputs: readonly Input[]) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-bench-"));
  try {
    const inputs: Input[] = [];
    for (const { agent, sample } of SAMPLES_BY_AGENT) {
      inputs.push(largestOf(agent) ?? (await repeated(folder, agent, sample, 4)));
      inputs.push(await repeated(folder, agent, sample, 100));
    }
    return await work(inputs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes the files to measure reading with: all recordings of each agent, 100 MB made of each sample, and 10 MB in the formats of the other
 * agents, which have few and small recordings. Removes them again after the work.
 */
export async function withInputGroups<T>(work: (groups: readonly InputGroup[]) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-bench-"));
  try {
    const groups = agentsWithRecordings().map(recordingsOf);
    for (const { agent, sample } of SAMPLES_BY_AGENT) {
      const input = await repeated(folder, agent, sample, 100);
      groups.push({ label: input.label, files: [input] });
    }
    for (const agent of RETOLD_AGENTS) {
      const input = await retold(folder, agent, 10);
      groups.push({ label: input.label, files: [input] });
    }
    return await work(groups);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every agent for which a file of any size can be made. */
export const AGENTS_AT_ANY_SIZE = [...SAMPLES_BY_AGENT.map(({ agent }) => agent), ...RETOLD_AGENTS] as const;

/** Makes a file of that many megabytes in an agent's format from a sample, and removes it again after the work. */
export async function withRepeated<T>(
  agent: (typeof AGENTS_AT_ANY_SIZE)[number],
  megabytes: number,
  work: (input: Input) => T,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-bench-"));
  try {
    return work(await made(folder, agent, megabytes));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a session of about that many megabytes as one JSON document from a sample, and removes it again after the work. */
export async function withDocument<T>(megabytes: number, work: (input: Input) => T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-bench-"));
  try {
    // The file of lines holds every response twice: without and with the results of its calls.
    const lines = await retold(folder, "gemini-cli", megabytes * 2);
    const path = join(folder, "document.json");
    await writeDocument(lines.path, path);
    return work(inputOf("gemini-cli, one document", path));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every real recording, if there are any. */
export function realRecordings(): readonly Input[] {
  return agentsWithRecordings().flatMap((agent) => recordingsOf(agent).files);
}

/** Links a file to a second place without copying its bytes, or copies it if the system cannot link. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // Another file system.
  }
}

function agentsWithRecordings(): readonly string[] {
  if (!existsSync(RECORDINGS)) return [];
  return readdirSync(RECORDINGS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith("-fixtures"))
    .map((entry) => entry.name);
}

function recordingsOf(agent: string): InputGroup {
  const folder = join(RECORDINGS, agent);
  const files = readdirSync(folder)
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => inputOf(name, join(folder, name)));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { label: `${agent}, ${files.length} recordings (${(bytes / 1e6).toFixed(1)} MB)`, files };
}

async function repeated(folder: string, agent: string, sample: string, megabytes: number): Promise<Input> {
  const path = join(folder, `${agent}-${megabytes}.jsonl`);
  const { copies } = await makeLarge(join(SAMPLES, sample), path, megabytes * 1e6);
  return inputOf(`${agent}, sample × ${copies}`, path);
}

async function made(folder: string, agent: (typeof AGENTS_AT_ANY_SIZE)[number], megabytes: number): Promise<Input> {
  for (const { agent: own, sample } of SAMPLES_BY_AGENT) {
    if (agent === own) return await repeated(folder, own, sample, megabytes);
  }
  return await retold(folder, agent as RetoldAgent, megabytes); // Every other agent is retold.
}

async function retold(folder: string, agent: RetoldAgent, megabytes: number): Promise<Input> {
  const path = join(folder, `${agent}-${megabytes}.jsonl`);
  const { copies } = await writeRetold(agent, join(SAMPLES, SAMPLES_BY_AGENT[0].sample), path, megabytes * 1e6);
  return inputOf(`${agent}, sample retold × ${copies}`, path);
}

function largestOf(agent: string): Input | undefined {
  const folder = join(RECORDINGS, agent);
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => inputOf(`${agent}, recording ${basename(name, ".jsonl").slice(-8)}`, join(folder, name)))
    .reduce<Input | undefined>((most, one) => (most === undefined || one.bytes > most.bytes ? one : most), undefined);
}

function inputOf(label: string, path: string): Input {
  const { size } = statSync(path);
  return { label: `${label} (${(size / 1e6).toFixed(1)} MB)`, path, bytes: size };
}
