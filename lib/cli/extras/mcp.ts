import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { policyById } from "@/lib/agents/registry";
import {
  breakdownOfSession,
  compactNowOfSession,
  contributorsOfSession,
  ledgerOfSession,
  toBreakdownAnswer,
} from "@/lib/queries/answers/session-answers";
import { presetOfVersion } from "@/lib/queries/session/session-context";
import { isInputError } from "@/lib/server/base/input-error";
import { VERSION } from "@/lib/server/base/version";
import type { OpenedSession } from "@/lib/server/sessions/opened-session";
import { withSession } from "../input/session-file";
import { isStandardInput } from "../input/standard-input";
import { printable } from "../text/printable";

const FILE = z
  .string()
  .describe("path of the session's file on this machine, as Claude Code, Codex and other agents write it");
const KINDS =
  "Every number states its source: recorded (by the provider), estimated (by a token rule from the text), or inferred.";
/** Tools only read local files. */
const READS = { readOnlyHint: true, openWorldHint: false } as const;

const ANSWER = {
  says: z.string(),
  figures: z.array(
    z.object({
      name: z.string(),
      value: z.number(),
      unit: z.enum(["tokens", "dollars", "count"]),
      kind: z.enum(["recorded", "estimated", "inferred"]),
    }),
  ),
};

/** `mcp`: answers agents over standard input and output until the input ends. */
export async function mcp(): Promise<void> {
  const server = new McpServer({ name: "context-replay", version: VERSION });
  const common = { inputSchema: { file: FILE }, outputSchema: ANSWER, annotations: READS };
  server.registerTool(
    "what_fills_my_context",
    { ...common, description: `Contents of a session's context window at its last request. ${KINDS}` },
    ({ file }) => answered(file, whatFillsContext),
  );
  server.registerTool(
    "what_would_compacting_now_cost",
    {
      ...common,
      inputSchema: { file: FILE, policy: z.string().optional().describe("policy id; by default the agent's own") },
      description: `Cost and remaining context if a compaction policy compacted a session now. ${KINDS}`,
    },
    ({ file, policy }) => answered(file, (session) => whatCompactingCosts(session, policy)),
  );
  server.registerTool(
    "what_did_the_last_compaction_lose",
    { ...common, description: `Content that a session re-fetched after its last compaction had dropped it. ${KINDS}` },
    ({ file }) => answered(file, whatCompactionLost),
  );
  // Standard output is reserved for the protocol.
  console.log = console.error;
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => process.stdin.once("end", resolve));
  await server.connect(transport);
  await ended;
  await server.close();
}

/** The answer as structure and as text; errors are one sentence, marked as an error. */
async function answered(file: string, query: (session: OpenedSession) => Promise<ToolAnswer>) {
  // Standard input carries requests, so a session read from it would never end.
  if (isStandardInput(file)) return refused("Standard input carries the protocol: name the session's file.");
  try {
    const answer = await withSession(file, {}, query);
    return { content: [{ type: "text" as const, text: JSON.stringify(answer) }], structuredContent: { ...answer } };
  } catch (error) {
    const isExpected = isInputError(error) || (error instanceof Error && EXPECTED.has(error.name));
    return refused(isExpected && error instanceof Error ? error.message : "The request failed.");
  }
}

function refused(text: string) {
  return { content: [{ type: "text" as const, text }], isError: true };
}

/** Errors whose message is a sentence for the caller. */
const EXPECTED = new Set(["ChoiceError", "SettingError", "PolicyError", "UnknownEstimatorError"]);

/** Sources of numbers: docs/method.md, "Counting". */
type Kind = "recorded" | "estimated" | "inferred";

/** One number of an answer. */
interface Metric {
  readonly name: string;
  readonly value: number;
  readonly unit: "tokens" | "dollars" | "count";
  readonly kind: Kind;
}

/** The answer to a tool: short, because it fills the context that it describes. */
interface ToolAnswer {
  readonly says: string;
  readonly figures: readonly Metric[];
}

/** Maximum lines of each list in an answer. */
const ROWS = 8;
const NAME_CHARS = 120;

/** Contents of the window at the last request: categories, then the largest tools. */
async function whatFillsContext(session: OpenedSession): Promise<ToolAnswer> {
  const { request, window, total, categories } = toBreakdownAnswer(await breakdownOfSession(session, { at: "last" }));
  const policy = "recorded";
  const { contributors } = await contributorsOfSession(session, { by: "tool", at: "last", policy, limit: ROWS });
  const of = total === null ? "n/a" : `${total.tokens} tokens (${total.kind})`;
  return {
    says: `At request ${request} the context was ${of} of a window of ${window.tokens}. Tools follow the categories that they are part of.`,
    figures: [
      ...categories
        .filter(({ tokens }) => tokens !== 0)
        .map(({ id, tokens, kind }) => metric(id, tokens, "tokens", kind === "derived" ? "inferred" : kind)),
      ...contributors
        .filter(({ kind, tokens }) => kind === "tool" && tokens > 0)
        .map(({ name, tokens }) => metric(`tool ${name ?? "(own)"}`, tokens, "tokens", "estimated")),
    ],
  };
}

/** Effects and cost of compacting now, by the session's own policy in its agent's version if known, else by `custom`. */
async function whatCompactingCosts(session: OpenedSession, policyId: string | undefined): Promise<ToolAnswer> {
  const found = await compactNowOfSession(session, policyId === undefined ? ownPolicy(session) : { policy: policyId });
  if (found === undefined) return { says: "This policy has nothing to compact at the last request.", figures: [] };
  const { tokensBefore, tokensAfter, droppedItems, callUsd, rewritingUsd } = found;
  const dollars = (name: string, value: number | null) =>
    value === null ? [] : [metric(name, value, "dollars", "estimated")];
  return {
    says: `Compacting before the last request by ${found.policy}@${found.preset}${callUsd === null ? "; its cost is n/a, since a request has no price" : ", at list prices"}.`,
    figures: [
      metric("context before", tokensBefore, "tokens", "estimated"),
      metric("context after", tokensAfter, "tokens", "estimated"),
      metric("items dropped", droppedItems, "count", "estimated"),
      ...dollars("summary call", callUsd),
      ...dollars("sending the kept items uncached", rewritingUsd),
    ],
  };
}

function ownPolicy({ summary }: OpenedSession): { readonly policy: string; readonly preset?: string } {
  const own = summary.agent === null ? undefined : policyById(summary.agent);
  return own === undefined ? { policy: "custom" } : { policy: own.id, preset: presetOfVersion(own, summary) };
}

/** Content re-fetched after the last recorded compaction. */
async function whatCompactionLost(session: OpenedSession): Promise<ToolAnswer> {
  const { needs: refetches, unknown } = await ledgerOfSession(session, {});
  const last = refetches?.at(-1);
  if (last === undefined) {
    const why = unknown === null ? "No compaction is recorded." : `Unknown (${unknown}).`;
    return { says: why, figures: [] };
  }
  const { request, N3, N4, neededAgain, neededAgainTokens, usd } = last;
  const paths = last.needs.flatMap(({ path, requestsLater, tokens }) =>
    path === null ? [] : [metric(`${path}, ${requestsLater} requests later`, tokens, "tokens", "estimated")],
  );
  return {
    says: `The compaction before request ${request}: ${neededAgain} items were re-fetched, ${N3.count} paths and ${N4.count} edited texts.${paths.length > ROWS ? ` The first ${ROWS} paths follow.` : ""}`,
    figures: [
      metric("re-fetched", neededAgain, "count", "inferred"),
      metric("re-fetched tokens", neededAgainTokens, "tokens", "estimated"),
      ...(usd === null ? [] : [metric("cost of re-fetching", usd, "dollars", "estimated")]),
      ...paths.slice(0, ROWS),
    ],
  };
}

/** A number with its name, which may come from the recording: short, and without control characters. */
function metric(name: string, value: number, unit: Metric["unit"], kind: Kind): Metric {
  const shown = printable(name);
  return { name: shown.length > NAME_CHARS ? `…${shown.slice(1 - NAME_CHARS)}` : shown, value, unit, kind };
}
