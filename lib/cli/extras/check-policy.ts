import type { CheckedInvariant } from "@/lib/policy-check/check-policy";
import { PoolRunner } from "@/lib/server/threads/pool";
import { splitPreset } from "../input/arguments";
import { givenPolicies } from "../input/own-policy-files";
import { EXIT, type ExitCode } from "../process/exit";
import { programRoot } from "../process/root";
import { write } from "../text/output";
import { printable } from "../text/printable";

export interface CheckPolicyOptions {
  readonly seed: number;
  readonly json?: boolean;
}

/** `check-policy FILE`: checks a policy's invariants on generated sessions. Exits with 1 if one fails. */
export async function checkPolicy(policy: string, { seed, json }: CheckPolicyOptions): Promise<ExitCode> {
  const { id } = splitPreset(policy);
  const threads = new PoolRunner(programRoot(), { policies: givenPolicies, threads: 1 });
  try {
    const invariants = await threads.run("checkPolicy", { policy: id, seed });
    const passed = invariants.every(({ failure }) => failure === undefined);
    await write(json ? `${JSON.stringify({ policy: id, seed, passed, invariants })}\n` : textOf(id, invariants));
    return passed ? EXIT.done : EXIT.failed;
  } finally {
    await threads.close();
  }
}

function textOf(id: string, invariants: readonly CheckedInvariant[]): string {
  const compactions = invariants.reduce((sum, one) => sum + one.compactions, 0);
  const never = `${id} never compacted in any of them, so little was checked.`;
  const lines = [...invariants.flatMap(linesOf), ...(compactions === 0 ? [never] : [])];
  return `${lines.map(printable).join("\n")}\n`;
}

function linesOf({ name, preset, runs, compactions, failure }: CheckedInvariant): readonly string[] {
  const of = preset === "default" ? "" : `@${preset} `;
  if (failure === undefined) return [`ok      ${of}${name}: ${runs} generated sessions, ${compactions} compactions`];
  const { message, drawing, window, counting, settings } = failure;
  return [
    `failed  ${of}${name}`,
    `        ${message}`,
    `        session: ${drawing}`,
    `        window ${window}, counted by ${counting}, settings ${JSON.stringify(settings)}`,
  ];
}
