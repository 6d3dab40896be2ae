import { posix } from "node:path";
import { computeThresholds, summaryBudget } from "@/lib/agents/qwen-code/base/constants";
import { qwenCodePreset } from "@/lib/agents/qwen-code/base/presets";
import { answerOf, type Content, partsOf, responseOf } from "@/lib/agents/qwen-code/messages/content";
import { contentTokens, contextTextTokens } from "@/lib/agents/qwen-code/messages/estimates";
import type { Skill } from "@/lib/agents/qwen-code/report/context-report";
import { reportText } from "@/lib/agents/qwen-code/report/report-text";
import { type Keep, truncateOutput } from "@/lib/agents/qwen-code/sent/truncate-output";
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import { AnswerWithCalls, type Conformance, type GoldenContext } from "@/verify/golden";
import type { FileSource } from "./attachments";
import { compressCurrent, type SummaryCall } from "./compress-current";
import { compressDocumented } from "./compress-documented";
import { type ContextInputs, contextReport, type DeclaredTool } from "./context-report";
import { currentContextReport } from "./context-report-current";
import { outputTokens, promptTokens } from "./estimates";
import { microcompact } from "./microcompact";
import { recoverObjects } from "./recovery";
import { requestTokens } from "./request-tokens";
import { replaySession } from "./session-replay";
import { findSplitPoint } from "./split-point";
import type { SummaryAnswer } from "./summary";
import { tokenLimit } from "./token-limits";

/** Golden cases for our functions: this file translates names and shapes, and holds no rule. */
export const conformance: Conformance = {
  estimateContextTextTokens: (input) => contextTextTokens(textOf(input)),
  estimateContentTokens: (input) => contentTokens(contentsOf(input, "contents"), numberOf(input, "imageTokenEstimate")),
  estimatePromptTokens: (input) => promptEstimate(objectOf(input)),
  computeThresholds: (input) => thresholds(objectOf(input)),
  requestTokenizer: (input) => requestTokens(objectOf(input).contents),
  tokenLimit: (input, { preset }) => ({
    input: tokenLimit(textOf(input), "input", qwenCodePreset(preset)),
    output: tokenLimit(textOf(input), "output", qwenCodePreset(preset)),
  }),
  findCompressSplitPoint: (input) => findSplitPoint(contentsOf(input, "contents"), numberOf(input, "fraction") ?? NaN),
  compress: (input, { preset }) =>
    qwenCodePreset(preset) === "current" ? currentCompression(objectOf(input)) : documentedCompression(objectOf(input)),
  contextCommand: contextCommand,
  truncateAndSaveToFile: (input) => truncation(objectOf(input)),
  microcompactHistory: (input) => clearing(objectOf(input)),
  sessionReplay: (input) => {
    const { records, options } = objectOf(input);
    const leaf = objectOf(options).leafUuid;
    return replaySession(records, typeof leaf === "string" ? leaf : undefined);
  },
  jsonlRecovery: (input) => recoverObjects(textOf(input)),
};

/** Window of the cases that do not name one. */
const CASE_WINDOW = 131_072;
const CASE_MODEL = "glm-5";
const CASE_SUMMARY = "<state_snapshot>S</state_snapshot>";

function contentsOf(input: unknown, key: string): readonly Content[] {
  return objectsOf(objectOf(input)[key]);
}

/** Numbers may also come as strings (`"NaN"`), and absent ones as null. */
function numberOf(input: unknown, key: string): number | undefined {
  const value = objectOf(input)[key];
  return typeof value === "number" || typeof value === "string" ? Number(value) : undefined;
}

function promptEstimate(input: JsonObject): unknown {
  if ("usage" in input) return outputTokens(isObject(input.usage) ? input.usage : undefined);
  const imageTokens = numberOf(input, "imageTokenEstimate");
  return promptTokens({
    history: contentsOf(input, "history"),
    userMessage: objectOf(input.userMessage),
    lastPrompt: numberOf(input, "lastPromptTokenCount") ?? 0,
    lastOutput: numberOf(input, "lastOutputTokenCount") ?? 0,
    conservative: input.conservative === true,
    ...(imageTokens === undefined ? {} : { imageTokens }),
  });
}

function thresholds(input: JsonObject): unknown {
  const estimated = numberOf(input, "estimatedInputTokens");
  if (estimated !== undefined) return summaryBudget(estimated, numberOf(input, "contextLimit") ?? NaN);
  return computeThresholds(numberOf(input, "window") ?? NaN, { share: numberOf(input, "pct") });
}

/** A fake of the summarising model: it answers what the case says, and notes its calls. */
function fakeSummary(input: JsonObject): SummaryAnswer {
  if (input.apiError === true) throw new Error("the call failed, as the case asks");
  const text = typeof input.summary === "string" ? input.summary : CASE_SUMMARY;
  return { text, usage: isObject(input.usage) ? input.usage : undefined };
}

async function documentedCompression(input: JsonObject): Promise<unknown> {
  const history = contentsOf(input, "history");
  let calls = 0;
  const result = await compressDocumented({
    history,
    originalTokens: numberOf(input, "originalTokenCount") ?? 0,
    window: numberOf(input, "window") ?? CASE_WINDOW,
    threshold: numberOf(input, "threshold"),
    force: input.force === true,
    failedBefore: input.hasFailed === true,
    summarise: () => {
      calls += 1;
      return fakeSummary(input);
    },
  });
  const { split, newHistory, ...counts } = result;
  const answer = { ...counts, compressedContents: split ?? null, newHistory: asIndices(newHistory, history) };
  return new AnswerWithCalls(answer, calls);
}

async function currentCompression(given: JsonObject): Promise<unknown> {
  const input = objectOf(replacedIn(given, "$WS", CASE_FOLDER));
  const history = contentsOf(input, "history");
  const calls: unknown[] = [];
  const { newHistory, ...result } = await compressCurrent({
    history,
    originalTokens: numberOf(input, "originalTokenCount") ?? 0,
    window: numberOf(input, "window") ?? CASE_WINDOW,
    share: numberOf(input, "pct"),
    effectiveTokens: numberOf(input, "effectiveTokens"),
    pendingUserMessage: isObject(input.pendingUserMessage) ? input.pendingUserMessage : undefined,
    consecutiveFailures: numberOf(input, "consecutiveFailures") ?? 0,
    force: input.force === true,
    payloadTooLarge: input.requestPayloadTooLarge === true,
    trigger: input.trigger === "manual" || input.trigger === "auto" ? input.trigger : undefined,
    planMode: input.planMode === true,
    files: CASE_FILES,
    summarise: ({ contents, maxOutputTokens }: SummaryCall) => {
      calls.push({ contents: contents.length, maxOutputTokens });
      return fakeSummary(input);
    },
  });
  const answer = { ...result, newHistory: asIndices(newHistory, history) };
  return new AnswerWithCalls(replacedIn(answer, CASE_FOLDER, "$WS"), calls);
}

/** The value with a text replaced in every string. */
function replacedIn(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string") return value.replaceAll(from, to);
  if (Array.isArray(value)) return value.map((entry) => replacedIn(entry, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, replacedIn(entry, from, to)]));
}

/** `$WS` stands for a temporary folder. The golden answers counted its path, which had this length. */
const CASE_FOLDER = "/tmp/workspace1";

/** The workspace that the golden file's note describes. */
const CASE_FILES: FileSource = {
  read: (path) => {
    const text = CASE_FILE_TEXTS.get(path);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  },
  insideWorkspace: (path) => path === CASE_FOLDER || path.startsWith(`${CASE_FOLDER}/`),
};
const CASE_FILE_TEXTS = new Map([
  [`${CASE_FOLDER}/small.ts`, "export const a = 1;\n"],
  [`${CASE_FOLDER}/big.ts`, "x".repeat(20_001)],
]);

function asIndices(newHistory: readonly Content[] | undefined, history: readonly Content[]): unknown {
  return newHistory?.map((content) => (history.includes(content) ? history.indexOf(content) : content)) ?? null;
}

function contextCommand(input: unknown, { preset }: GoldenContext): unknown {
  const given = objectOf(input);
  const inputs = contextInputs(given);
  if (qwenCodePreset(preset) !== "current") return { type: "context_usage", ...contextReport(inputs) };
  const report = currentContextReport({
    ...inputs,
    history: contentsOf(given, "history"),
    cachedTokens: numberOf(given, "cachedTokens"),
    loadedSkills: stringsOf(given.loadedSkills),
    hidden: stringsOf(given.hidden),
    autoMemory: textOf(given.autoMemory),
  });
  return { type: "context_usage", ...report, showDetails: true, text: reportText(report) };
}

function contextInputs(given: JsonObject): ContextInputs {
  return {
    model: textOf(given.model) || CASE_MODEL,
    window: numberOf(given, "contextWindowSize"),
    threshold: numberOf(given, "threshold"),
    apiTokens: numberOf(given, "promptTokenCount") ?? 0,
    systemPrompt: textOf(given.systemPrompt),
    builtin: objectsOf(given.builtin).map(toolOf),
    mcp: objectsOf(given.mcp).map(toolOf),
    skillTool: isObject(given.skillTool) ? toolOf(given.skillTool) : undefined,
    declarations: Array.isArray(given.declarations) ? given.declarations : undefined,
    memory: textOf(given.memory),
    skills: objectsOf(given.skills).map(skillOf),
  };
}

function toolOf(tool: JsonObject): DeclaredTool {
  const { serverName, serverToolName } = tool;
  return {
    name: textOf(tool.name),
    schema: tool.schema,
    serverName: typeof serverName === "string" ? serverName : undefined,
    serverToolName: typeof serverToolName === "string" ? serverToolName : undefined,
  };
}

function skillOf({ name, description, level, body, filePath }: JsonObject): Skill {
  return {
    name: textOf(name),
    description: textOf(description),
    level: textOf(level),
    body: textOf(body),
    filePath: textOf(filePath),
  };
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** `$DIR` stands for a folder whose path has the given length. */
function truncation(input: JsonObject): unknown {
  const folder = "/".padEnd(numberOf(input, "dirLength") ?? 1, "d");
  const keep: Keep = input.keep === "head" || input.keep === "tail" ? input.keep : "both";
  const limits = {
    threshold: numberOf(input, "threshold") ?? NaN,
    lines: numberOf(input, "truncateLines") ?? Number.POSITIVE_INFINITY,
    keep,
    previewChars: numberOf(input, "previewChars"),
  };
  const result = truncateOutput(
    textOf(input.content),
    limits,
    `${folder}/${posix.basename(textOf(input.fileName))}.output`,
  );
  return { ...result, content: result.truncated ? result.content.replace(folder, "$DIR") : result.content };
}

function clearing(input: JsonObject): unknown {
  const history = contentsOf(input, "history");
  const settings = objectOf(input.settings);
  const pending = input.pendingContent;
  const preserved = stringsOf(input.preserve);
  const { history: changed, meta } = microcompact({
    history,
    settings: {
      toolResultsThresholdMinutes: numberOf(settings, "toolResultsThresholdMinutes"),
      toolResultsNumToKeep: numberOf(settings, "toolResultsNumToKeep"),
      toolResultsTotalCharsThreshold: numberOf(settings, "toolResultsTotalCharsThreshold"),
    },
    gapMinutes: numberOf(input, "gapMinutes"),
    force: input.force === true,
    sizeOnly: input.sizeOnly === true,
    pending: isObject(pending) ? [pending] : objectsOf(pending),
    preserveRead: preserved.length === 0 ? undefined : (path) => preserved.includes(path),
  });
  return { changed: changedParts(history, changed), meta: meta ?? null };
}

/** `[content, part, new text]` for every part that changed. */
function changedParts(before: readonly Content[], after: readonly Content[]): unknown {
  return after.flatMap((content, index) => {
    const old = partsOf(before[index] ?? {});
    return partsOf(content).flatMap((part, at) =>
      part === old[at] ? [] : [[index, at, part.text ?? answerOf(responseOf(part)).output ?? null]],
    );
  });
}
