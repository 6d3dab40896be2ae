import { z } from "zod";
import { calibration, instant, sessionContextWindow, tokens } from "./basics";
import { bill, costUsd, ownPriceList, priceEntry, usageSums } from "./cost";
import { fidelity } from "./fidelity";

/** A session: its summary, its row in the list, its texts. */

export const damage = z.object({
  line: z.int().positive(),
  bytes: z.int().nonnegative(),
  reason: z.enum(["not JSON", "not an object", "cut off", "too long", "too deep"]),
});

export const problem = z.object({
  code: z.string(),
  line: z.int().positive().nullable(),
  detail: z.string().nullable(),
  count: z.int().positive(),
});

const compactionTrigger = z.enum(["auto", "manual", "overflow", "unknown", "idle"]);

export const recordedCompaction = z.object({
  line: z.int().positive(),
  /** By its own record; `unknown` if that states none. */
  trigger: compactionTrigger,
  /** By neighbouring records, if its own states none; null if they show none either. */
  inferredTrigger: compactionTrigger.nullable().optional(),
  tokensBefore: tokens.nullable(),
  tokensAfter: tokens.nullable(),
  summaryTokens: tokens.nullable(),
  summaryLine: z.int().positive().nullable(),
  /** Time of its record. */
  at: instant.optional(),
  /** Duration in milliseconds; null if its record does not state it. */
  durationMs: z.int().nonnegative().nullable().optional(),
  /** Paths of the files that its record lists as inputs of the summary; null if it lists none. */
  filesIncluded: z.array(z.string()).nullable().optional(),
  /** Id of the preceding record, by its own record; null if it names none. */
  parentUuid: z.string().nullable().optional(),
});

/** An estimator compared with the recorded usage. Shares are of the recorded amount: -0.2 is a fifth too low. */
export const accuracyRow = z.object({
  estimator: z.string(),
  /** Number of pairs of neighbouring requests, without a boundary between them, that `bias` and `mape` are taken over. */
  pairs: z.int().positive(),
  bias: z.number(),
  mape: z.number(),
  /** Number of requests by which the estimate is late at the agent's threshold; null if either side never reaches it. */
  triggerShift: z.int().nullable(),
  /** Tokenizer of the counts: the tokenizer of the session's models, another model's, or sizes only. */
  tokenizer: z.enum(["model", "other-model", "rule"]),
  /** Errors over whole contexts, overhead included. */
  context: z.object({ requests: z.int(), bias: z.number(), mape: z.number() }),
  trigger: z.object({ threshold: tokens, recorded: z.int().nullable(), estimated: z.int().nullable() }).nullable(),
  /** Null with fewer than eight pairs. */
  calibration: calibration.nullable(),
});

export const loadedItems = z.object({ items: z.int(), tokens });

/** A session that another one names as its origin. */
const parentLink = z.object({ session: z.string(), kind: z.enum(["fork", "resume", "subagent"]) });

/** A session in a file that holds several. */
export const fileSessionRow = z.object({
  /** Its name within the file: `--session KEY`, and `ID~~KEY` in place of the id of the file's session. */
  key: z.string(),
  sessionId: z.string().nullable(),
  /** Title and time from its first records. */
  title: z.string().nullable(),
  startedAt: instant,
  /** Line of its first record. */
  line: z.int().positive(),
  records: z.int(),
  /** The sessions that it came from, by its first records. */
  parents: z.array(parentLink),
});

/** Output of `inspect` and answer of `GET /api/sessions/:id`. Counting rules: docs/interfaces.md, "How inspect counts". */
export const sessionSummary = z.object({
  file: z.string(),
  format: z.string(),
  agent: z.string().nullable(),
  agentVersion: z.string().nullable(),
  /** Version of the file's format in its header (pi, OpenClaw: 1 if the header has none); null for other formats. */
  formatVersion: z.int().nullable(),
  sessionId: z.string().nullable(),
  title: z.string().nullable(),
  project: z.string().nullable(),
  branch: z.string().nullable(),
  startedAt: instant,
  endedAt: instant,
  models: z.array(z.string()),
  contextWindow: sessionContextWindow,
  records: z.object({
    total: z.int(),
    byType: z.record(z.string(), z.int()),
    unknown: z.record(z.string(), z.int()),
    /** The first hundred; `damagedTotal` is the number of all. */
    damaged: z.array(damage),
    damagedTotal: z.int(),
  }),
  messages: z.object({
    user: z.int(),
    assistant: z.int(),
    toolCalls: z.int(),
    toolResults: z.int(),
    orphanResults: z.int(),
    unansweredCalls: z.int(),
  }),
  requests: z.int(),
  /** Further responses of the main chain, which record no usage: a replay counts them as well. Absent in bundles of earlier releases. */
  requestsWithoutUsage: z.int().optional(),
  /** Tokens sent with all of them, those without usage estimated by the agent's own estimator; absent if no request has usage. */
  tokensSent: tokens.optional(),
  /** The estimated part of `tokensSent`; absent if every request has usage, or none. */
  estimatedSent: tokens.optional(),
  usage: usageSums,
  /** The session's own bill at list prices; absent if not computed. */
  costUsd: costUsd.optional(),
  /** The session's bill by class of request; absent if not computed. */
  bill: bill.optional(),
  peakContext: z.object({ tokens, request: z.int() }).nullable(),
  lastContext: tokens.nullable(),
  compactions: z.array(recordedCompaction),
  sidechains: z.int(),
  /** Other sessions that the file names: the origins of this one, and the subagents that it started. */
  links: z.object({
    /** The subagent's own id, if the file is a subagent's. */
    agentId: z.string().nullable(),
    parents: z.array(parentLink),
    subagents: z.array(
      z.object({
        agentId: z.string(),
        callId: z.string().nullable(),
        /** The item of that call; null if it is not in the session. */
        item: z.int().nullable().optional(),
        /** True if its own records are in this file too. */
        isInFile: z.boolean().optional(),
      }),
    ),
  }),
  problems: z.array(problem),
  /**
   * The sessions in the file, if it holds several, in file order: the first hundred. Without a chosen one, this summary covers all of them. Null if
   * the file is one session; copies at the beginning of a resumed session belong to it.
   */
  fileSessions: z
    .object({ total: z.int(), chosen: z.string().nullable(), sessions: z.array(fileSessionRow) })
    .nullable()
    .optional(),
  /**
   * Content that a resume of the file would load, without the overhead. `missing` is content that the session had at the file's end but a resume does
   * not load, `extra` the reverse. Sizes are the parts of the last request's composition, and calibrated estimates of what followed. Only `inspect` states
   * it. Null if the agent cannot resume a session from a file.
   */
  resume: loadedItems.extend({ messages: z.int(), missing: loadedItems, extra: loadedItems }).nullable().optional(),
  /** Null if it cannot be computed: no recorded compaction, or no policy of the agent's own. Omitted from lists. */
  fidelity: fidelity.nullable().optional(),
  /** Absent in lists; null if the recording has no usage to compare with. */
  accuracy: z.array(accuracyRow).nullable().optional(),
  /** True for a bundle: the session's numbers without its texts. */
  numbersOnly: z.boolean().optional(),
});

/** The context over the session for a list's sparkline: at most 60 points, as shares of the window in thousandths. */
export const sparkline = z.object({ share: z.array(z.int()), boundaries: z.array(z.number()) });

/** Relation of another listed session to this one. */
export const relatedSession = z.object({
  kind: z.enum([
    ...["copy-of", "has-copy", "continues", "continued-by"],
    ...["fork-of", "has-fork", "subagent-of", "has-subagent"],
  ] as const),
  id: z.string(),
  title: z.string(),
  /** The call that started the subagent, if known. */
  callId: z.string().nullable(),
  /** For `subagent-of`: the item of that call in the other session. */
  item: z.int().nullable().optional(),
});

/** Reason why a file cannot be read as a session. */
export const unreadableReason = z.enum([
  ...(["not-found", "not-a-file", "no-permission", "unreadable", "empty"] as const),
  ...(["too-large", "binary", "unknown-format", "other-program", "changed"] as const),
]);

/**
 * The spending of a listed session, like `bill` of its summary, but over all listed files. `inherited`: requests that other sessions count, with the
 * ids of these sessions. `subagents` includes those with their own files, which are rows of the list. docs/method.md, "Every request counts once".
 */
export const rowBill = bill;

/** One row of the session list. `summary` is null until the file is indexed. */
export const sessionRow = z.object({
  /** Opaque; never a path. */
  id: z.string(),
  source: z.string(),
  sample: z.boolean(),
  upload: z.boolean(),
  name: z.string(),
  agent: z.string().nullable(),
  project: z.string().nullable(),
  /** Known from the file's first records, or from its folder, before the whole file is read; so are title and project. */
  title: z.string().nullable(),
  startedAt: instant,
  /** State of the file, by its place or name. */
  variant: z.enum(["archived", "deleted", "reset"]).nullable(),
  bytes: z.int(),
  modifiedAt: instant,
  summary: sessionSummary.nullable(),
  sparkline: sparkline.nullable(),
  /** One sentence, if the file could not be read. */
  error: z.string().nullable(),
  /** The kind of reason in that sentence; `null` without one. */
  errorCode: unreadableReason.nullable(),
  /** For `other-program`: the program that wrote the file. */
  errorProgram: z.string().optional(),
  /** Listed sessions that are related to this one; only the first ones if there are many. */
  related: z.array(relatedSession),
  /** Number of this session's requests that a copy or a continuation of it counts. */
  repeatedRequests: z.int(),
  /** Its spending, over all listed files; null until the file is indexed. */
  bill: rowBill.nullable().optional(),
});

export const sessionPage = z.object({
  sessions: z.array(sessionRow),
  nextCursor: z.string().nullable(),
  total: z.int(),
  bytes: z.int(),
  indexing: z.object({ done: z.int(), total: z.int() }),
  /** As in the events of `GET /api/indexing`. */
  revision: z.int(),
});

/** `GET /api/sessions/:id`: the row, and data of the session page besides the columns. */
export const sessionAnswer = sessionRow.extend({
  summary: sessionSummary,
  version: z.string(),
  /** Prices of the session's models, by the names that its requests give; models without a price are absent. */
  prices: z.record(z.string(), priceEntry),
});

/** Reason why something below a source is not listed. */
export const sourceProblem = z.object({
  /**
   * `vanished`: a folder that existed, or was requested; `cycle`: a link that leads back above itself; `outside`: one that leads out of all sources;
   * `unwritten`: the index cannot be saved for now.
   */
  code: z.enum(["no-permission", "vanished", "cycle", "outside", "too-many", "unreadable", "unwritten"]),
  /** Its path below the source, with `/`; empty for the source itself. */
  path: z.string(),
});

export const sourceEntry = z.object({
  id: z.string(),
  label: z.string(),
  path: z.string(),
  found: z.boolean(),
  sessions: z.int(),
  /** Present if it holds sessions that cannot be read here, with the agent's own command that writes one of them to a file. */
  store: z.object({ exportCommand: z.string().nullable() }).nullable(),
  /** Unreadable paths: the first twenty, and the number of all. */
  problems: z.array(sourceProblem),
  problemsTotal: z.int(),
  /** Files that could not be read as sessions: the first twenty by name, and the number of all. */
  failed: z.array(
    z.object({ id: z.string(), name: z.string(), reason: unreadableReason, program: z.string().optional() }),
  ),
  failedTotal: z.int(),
});
/** An agent's own settings file, which is read and never written. */
const settingsFileEntry = z.object({
  agent: z.string(),
  path: z.string(),
  /** Known settings in it, by line; other entries are not in the answer. */
  states: z.array(z.object({ name: z.string(), value: z.string(), line: z.int() })),
  /** Errors of the file, a clause each. */
  problems: z.array(z.string()),
});
/** `GET /api/sessions/:id/settings`: present values of a policy's settings, by the settings files of the session's agent. */
export const currentSettingsAnswer = z.object({
  settings: z.array(
    z.object({
      key: z.string(),
      value: z.union([z.number(), z.boolean(), z.string(), z.null()]),
      /** Name of the file that states it, and its line, from 1. */
      file: z.string(),
      line: z.int().positive(),
    }),
  ),
});

export const sourcesAnswer = z.object({
  sources: z.array(sourceEntry),
  settings: z.array(settingsFileEntry),
  /** The user's own price list, and its error; `null` without one. */
  prices: ownPriceList.nullable(),
});
export const uploadAnswer = z.object({ id: z.string(), bytes: z.int(), existed: z.boolean() });

export const itemText = z.object({
  index: z.int(),
  role: z.enum(["system", "user", "assistant"]),
  kind: z.enum(["overhead", "text", "thinking", "tool_call", "tool_result", "image"]),
  text: z.string(),
  /** Links a call and its result, and a call to the subagent that it started. */
  callId: z.string().nullable(),
  /** Number of characters omitted from `text`; 0 if it is whole. */
  truncated: z.int(),
});
export const itemsAnswer = z.object({ from: z.int(), to: z.int(), items: z.array(itemText) });

/** `GET /api/sessions/:id/search`: the places of a text, ignoring case. */
export const searchAnswer = z.object({
  /** Number of items that hold it. */
  total: z.int(),
  /** Number of occurrences in all of them. */
  matches: z.int(),
  /** The items, ascending: the first 50,000. */
  items: z.array(z.int()),
  /** Number of occurrences in each of them. */
  counts: z.array(z.int()),
});

/**
 * `GET /api/sessions/:id/events`: the session's file changed or is gone; it is being written (sent at the beginning and on change); or more sessions
 * of the list were read.
 */
export const sessionEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("changed"), bytes: z.int(), modifiedAt: instant }),
  z.object({ type: z.literal("live"), live: z.boolean() }),
  z.object({ type: z.literal("gone") }),
  z.object({ type: z.literal("indexing"), done: z.int(), total: z.int() }),
]);

/** Events of `GET /api/indexing`: progress of reading the found files. */
export const indexingEvent = z.object({
  type: z.literal("indexing"),
  done: z.int(),
  total: z.int(),
  bytesDone: z.number(),
  bytesTotal: z.number(),
  /** Rate over the last seconds, and the remaining time at that rate; null if nothing was read in them. */
  bytesPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** True if the user stopped it. */
  stopped: z.boolean(),
  /** Changes with the list. */
  revision: z.int(),
});

/** `POST /api/indexing`. `again` re-reads every file. */
export const indexingRequest = z.strictObject({ action: z.enum(["stop", "resume", "again"]) });

export type IndexingEvent = z.infer<typeof indexingEvent>;
export type IndexingRequest = z.infer<typeof indexingRequest>;
export type SourceProblem = z.infer<typeof sourceProblem>;
export type AccuracyRow = z.infer<typeof accuracyRow>;
export type FileSessionRow = z.infer<typeof fileSessionRow>;
export type SessionSummary = z.infer<typeof sessionSummary>;
export type Sparkline = z.infer<typeof sparkline>;
export type RelatedSession = z.infer<typeof relatedSession>;
export type SessionRow = z.infer<typeof sessionRow>;
export type RowBill = z.infer<typeof rowBill>;
export type SessionPage = z.infer<typeof sessionPage>;
export type SessionAnswer = z.infer<typeof sessionAnswer>;
export type SourceEntry = z.infer<typeof sourceEntry>;
export type CurrentSettingsAnswer = z.infer<typeof currentSettingsAnswer>;
export type SourcesAnswer = z.infer<typeof sourcesAnswer>;
export type UploadAnswer = z.infer<typeof uploadAnswer>;
export type ItemText = z.infer<typeof itemText>;
export type ItemsAnswer = z.infer<typeof itemsAnswer>;
export type SearchAnswer = z.infer<typeof searchAnswer>;
export type SessionEvent = z.infer<typeof sessionEvent>;
