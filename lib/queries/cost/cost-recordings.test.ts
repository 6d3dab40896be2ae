import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import type { Cost } from "@/lib/queries/contract/types";
import { RECORDINGS, readSession } from "../testing/sessions";
import { toCost } from "./cost";

/**
 * Recordings beside the project, and their cost by an independent program: `null` is not judged, `{ "na": true }` must be absent, `{ "oneOf": [...]
 * }` is any of these. The test skips if the folder is absent.
 */
const FOLDER = join(process.cwd(), "..", "shared", "transcripts");
const TRUTH = join(FOLDER, "expected-cost.jsonl");

interface Row {
  readonly sha256: string;
  readonly file: string;
  readonly cost?: {
    readonly sessionId: unknown;
    readonly requests: { readonly priced: number; readonly unpriced: number };
    readonly microUsd: Readonly<Record<string, unknown>>;
    readonly lowerBound: unknown;
    readonly byModel: Readonly<Record<string, { readonly requests: unknown; readonly microUsd: object }>>;
    readonly breaks: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
    readonly growth: unknown;
    readonly cacheRule: unknown;
  };
}

function rows(): readonly (Row & { readonly path: string })[] {
  if (!existsSync(TRUTH)) return [];
  const byHash = new Map<string, string>();
  for (const path of RECORDINGS) byHash.set(createHash("sha256").update(readFileSync(path)).digest("hex"), path);
  const lines = readFileSync(TRUTH, "utf8").split("\n");
  // The rows are in the recordings' folder and have this shape.
  const all = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
  return all.flatMap((row) => {
    const path = byHash.get(row.sha256);
    return path === undefined || row.cost === undefined ? [] : [{ ...row, path }];
  });
}

function costOf(path: string): Cost {
  const { session, columns } = readSession(path);
  return toCost(session, columns, LISTED_PRICES);
}

/** Printed dollars as micro-dollars; `null` stays. */
function micro(usd: number | null | undefined): number | null {
  return usd === null || usd === undefined ? null : Math.round(usd * 1e6);
}

/** The judged fields of a row, each with the expected and our value. */
function fieldsOf(
  { cost, path }: Row & { readonly path: string },
  actual: Cost,
): readonly (readonly [string, unknown, unknown])[] {
  if (cost === undefined) return [];
  const { own, inherited } = actual.bill;
  // The independent amounts cover all requests of the file, also those that another session made.
  if (inherited !== null) {
    const parts = (["read", "write", "plain", "output", "total"] as const).map((part) => {
      const sum = (micro(inherited.costUsd[part]) ?? 0) + (micro(own?.costUsd[part]) ?? 0);
      return [part, cost.microUsd[part], sum] as const;
    });
    return [["sessionId", cost.sessionId, actual.sessionId], ...parts];
  }
  // The independent program calls every Claude Code file a lower bound, even if each response states its final output.
  const text = readFileSync(path, "utf8");
  const isComplete = /"stop_reason": ?"/.test(text) && !/"stop_reason": ?null/.test(text);
  const { priced, unpriced } = cost.requests;
  const share = priced + unpriced === 0 ? null : priced / (priced + unpriced);
  const fields: [string, unknown, unknown][] = [
    ["sessionId", cost.sessionId, actual.sessionId],
    ["priced", share === null ? { na: true } : share, actual.priced],
    ["lowerBound", cost.lowerBound && !isComplete, actual.costUsd.lowerBound],
    ["growth", cost.growth, actual.breaksByCause?.growth.tokens],
    ["models", Object.keys(cost.byModel).sort().join(), Object.keys(actual.byModel).sort().join()],
  ];
  for (const part of ["read", "write", "plain", "output", "total"] as const) {
    fields.push([part, cost.microUsd[part], micro(actual.costUsd[part])]);
    for (const [model, one] of Object.entries(cost.byModel)) {
      const expected = (one.microUsd as Record<string, unknown>)[part];
      fields.push([`${model}.${part}`, expected, micro(actual.byModel[model]?.[part])]);
    }
  }
  for (const [model, one] of Object.entries(cost.byModel))
    fields.push([`${model}.requests`, one.requests, actual.byModel[model]?.requests]);
  for (const [cause, one] of Object.entries(cost.breaks ?? {})) {
    const sum = actual.breaksByCause?.[cause as "idle"];
    fields.push([`${cause}.count`, one.count, sum?.count ?? 0]);
    fields.push([`${cause}.tokens`, one.tokens, sum?.tokens ?? 0]);
    fields.push([`${cause}.usd`, one.microUsd, sum === undefined ? 0 : micro(sum.usd)]);
  }
  const rule = cost.cacheRule as Record<string, unknown> | null;
  if (rule !== null && "na" in rule) fields.push(["cacheRule", rule, actual.cacheRule]);
  else if (rule !== null)
    for (const name of ["pairs", "exact", "within2"] as const)
      fields.push([`cacheRule.${name}`, rule[name], actual.cacheRule?.[name]]);
  return fields.filter(([, expected]) => expected !== null && expected !== undefined);
}

function agrees(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return expected === actual;
  if ("na" in expected) return actual === null || actual === undefined;
  return "oneOf" in expected && Array.isArray(expected.oneOf) && expected.oneOf.includes(actual);
}

describe.skipIf(!existsSync(TRUTH))("recordings with known cost", () => {
  it.each(rows().map((row) => [row.file, row] as const))("%s: every judged field agrees", (_file, row) => {
    const wrong = fieldsOf(row, costOf(row.path))
      .filter(([, expected, actual]) => !agrees(expected, actual))
      .map(([field, expected, actual]) => `${field}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
    expect(wrong).toEqual([]);
  });

  it("have rows in the table", () => {
    expect(rows().length).toBeGreaterThan(0);
  });
});
