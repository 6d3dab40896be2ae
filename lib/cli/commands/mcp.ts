import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { isInputError } from "@/lib/server/ingest/input-error";
import type { OpenedSession } from "@/lib/server/session/opened-session";
import { VERSION } from "@/lib/server/version";
import { withSession } from "../input/session-file";
import { isStandardInput } from "../input/standard-input";
import { type ToolAnswer, whatCompactingCosts, whatCompactionLost, whatFillsContext } from "./mcp-answers";

const FILE = z
  .string()
  .describe("path of the session's file on this machine, as Claude Code, Codex and other agents write it");
const KINDS =
  "Every figure says how it is known: recorded (by the provider), estimated (a token rule on the text), or inferred.";
/** Tools only read files of this machine. */
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
    { ...common, description: `What fills the context window of a session at its last request. ${KINDS}` },
    ({ file }) => answered(file, whatFillsContext),
  );
  server.registerTool(
    "what_would_compacting_now_cost",
    {
      ...common,
      inputSchema: { file: FILE, policy: z.string().optional().describe("policy id; by default the agent's own") },
      description: `What compacting a session now would leave and cost, by a compaction policy. ${KINDS}`,
    },
    ({ file, policy }) => answered(file, (session) => whatCompactingCosts(session, policy)),
  );
  server.registerTool(
    "what_did_the_last_compaction_lose",
    { ...common, description: `What a session needed again after its last compaction had dropped it. ${KINDS}` },
    ({ file }) => answered(file, whatCompactionLost),
  );
  // Standard output is for the protocol alone.
  console.log = console.error;
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => process.stdin.once("end", resolve));
  await server.connect(transport);
  await ended;
  await server.close();
}

/** The answer as structure and as text; what cannot be read or asked is a sentence, marked as an error. */
async function answered(file: string, question: (session: OpenedSession) => Promise<ToolAnswer>) {
  // Questions come there, so a session would be waited for until the input ends.
  if (isStandardInput(file)) return refused("Standard input is for questions alone: name the session's file.");
  try {
    const answer = await withSession(file, {}, question);
    return { content: [{ type: "text" as const, text: JSON.stringify(answer) }], structuredContent: { ...answer } };
  } catch (error) {
    const isExpected = isInputError(error) || (error instanceof Error && EXPECTED.has(error.name));
    return refused(isExpected && error instanceof Error ? error.message : "The question could not be answered.");
  }
}

function refused(text: string) {
  return { content: [{ type: "text" as const, text }], isError: true };
}

/** Errors whose message is a sentence for whoever asked. */
const EXPECTED = new Set(["ChoiceError", "SettingError", "PolicyError", "UnknownEstimatorError"]);
