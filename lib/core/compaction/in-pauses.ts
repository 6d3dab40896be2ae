import type { Tokens } from "../base/units";
import type { PolicyRun } from "./policy/policy";
import type { Settings } from "./policy/settings";

/**
 * Makes a run act in pauses as the settings say: it compacts a context of at least `idleTokens` after `idleMinutes` without a prompt, and keeps the
 * cached context alive. A policy's own rules for pauses take precedence, and a run that cannot compact on demand does not compact while idle. Source:
 * docs/method.md, "Pauses".
 */
export function actingInPauses(run: PolicyRun, { idleMinutes, idleTokens, keepAliveMinutes }: Settings): PolicyRun {
  const [after, least, alive] = [positive(idleMinutes), Number(idleTokens ?? 0), positive(keepAliveMinutes)];
  const idle = after > 0 && run.compact !== undefined ? (run.idle ?? compactingAfter(run, after, least)) : run.idle;
  const keepAlive = alive > 0 ? (run.keepAlive ?? (() => alive)) : run.keepAlive;
  return {
    before: (view) => run.before(view),
    ...(idle && { idle: (view, minutes) => idle.call(run, view, minutes) }),
    ...(keepAlive && { keepAlive: (request, minutes) => keepAlive.call(run, request, minutes) }),
  };
}

function compactingAfter(run: PolicyRun, afterMinutes: number, least: Tokens): NonNullable<PolicyRun["idle"]> {
  return (view, minutes) => {
    if (minutes <= afterMinutes || view.history < least) return undefined;
    const compaction = run.compact?.(view);
    return compaction && { ...compaction, afterMinutes };
  };
}

function positive(value: Settings[string] | undefined): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
