import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { makeLarge } from "./large";

/** A file that is measured. */
export interface Input {
  readonly label: string;
  readonly path: string;
  readonly bytes: number;
}

/** Real recordings beside the project, where there are any. */
const RECORDINGS = join(process.cwd(), "..", "shared", "transcripts");
const SAMPLES = join(process.cwd(), "public", "samples");
const AGENTS = [
  { agent: "claude-code", sample: "claude-code-duplicate-shipments.jsonl" },
  { agent: "codex", sample: "codex-sliding-window.jsonl" },
] as const;

/**
 * The files that the benchmarks measure: of each agent the largest recording (without recordings, a sample repeated up to
 * 4 MB), and 100 MB made of the sample. Removed again after the work.
 */
export async function withInputs<T>(work: (inputs: readonly Input[]) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-bench-"));
  try {
    const inputs: Input[] = [];
    for (const { agent, sample } of AGENTS) {
      inputs.push(largestOf(agent) ?? (await repeated(folder, agent, sample, 4)));
      inputs.push(await repeated(folder, agent, sample, 100));
    }
    return await work(inputs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function repeated(folder: string, agent: string, sample: string, megabytes: number): Promise<Input> {
  const path = join(folder, `${agent}-${megabytes}.jsonl`);
  const { copies } = await makeLarge(join(SAMPLES, sample), path, megabytes * 1e6);
  return inputOf(`${agent}, sample × ${copies}`, path);
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
