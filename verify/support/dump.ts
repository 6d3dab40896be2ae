import type { Milliseconds } from "@/lib/core/base/units";
import { writtenAs } from "@/lib/core/records/fields";
import type {
  Block,
  Boundary,
  ExtraRequest,
  Message,
  OverheadEntry,
  RequestPoint,
  RequestTerms,
  SessionLinks,
  TextMeasure,
  Transcript,
} from "@/lib/core/transcript/model";

/** Maximum characters of a text in a line. */
const HEAD_CHARS = 80;

/**
 * Transcript as readable text, for golden files and for people: facts, counts, problems, overhead, then the trajectory, with every message, block,
 * request point (`@`) and boundary (`=`) in order. Deterministic; does not contain our own version.
 */
export function dumpTranscript(transcript: Transcript): string {
  const sections = [
    facts(transcript),
    counted("records", transcript.records.byType, ` ${transcript.records.total}`),
    counted("unknown", transcript.records.unknown),
    listed(
      "damaged",
      transcript.damaged.map((one) => `line ${one.line}: ${one.reason}, ${one.bytes} bytes`),
    ),
    listed("problems", transcript.problems.map(problemLine)),
    listed("links", linkLines(transcript.links)),
    listed("overhead", transcript.overhead.map(overheadLine)),
    listed("trajectory", trajectoryLines(transcript)),
    listed("extra requests", transcript.extraRequests.map(extraLine)),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function facts(transcript: Transcript): string {
  const entries: readonly (readonly [string, string | number | undefined])[] = [
    ["format", transcript.format],
    ["agent", transcript.agent ?? "none"],
    ["agentVersion", transcript.agentVersion],
    ["formatVersion", transcript.formatVersion],
    ["session", transcript.sessionId],
    ["title", transcript.title],
    ["project", transcript.project],
    ["branch", transcript.branch],
    ["started", optionalTime(transcript.startedAt)],
    ["ended", optionalTime(transcript.endedAt)],
    ["models", transcript.models.length === 0 ? undefined : transcript.models.join(" ")],
    ["recordedWindow", transcript.recordedWindow],
    ["sidechains", transcript.sidechains === 0 ? undefined : transcript.sidechains],
  ];
  return entries
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${printable(writtenAs(value))}`]))
    .join("\n");
}

function counted(title: string, counts: ReadonlyMap<string, number>, total = ""): string {
  const names = [...counts.keys()].sort();
  return listed(
    `${title}${total}`,
    names.map((name) => `${printable(name)} ${counts.get(name) ?? 0}`),
  );
}

function listed(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function problemLine(problem: Transcript["problems"][number]): string {
  const where = problem.line === undefined ? "" : ` line ${problem.line}`;
  const detail = problem.detail === undefined ? "" : `: ${printable(problem.detail)}`;
  return `${problem.code}${problem.count === 1 ? "" : ` ×${problem.count}`}${where}${detail}`;
}

function overheadLine(entry: OverheadEntry): string {
  return `${entry.category} ${quoted(entry.name)} line ${entry.source.line}.${entry.source.part} ${measure(entry.text)}`;
}

/** Messages in order. Events before a message come above it. */
function trajectoryLines(transcript: Transcript): readonly string[] {
  const before = new Map<number, string[]>();
  const put = (message: number, line: string) => before.set(message, [...(before.get(message) ?? []), line]);
  for (const boundary of transcript.boundaries) put(boundary.message, boundaryLine(boundary));
  for (const [point, request] of transcript.requests.entries()) {
    const before = transcript.requests[point - 1];
    const isNew = before !== undefined && before.terms?.process !== request.terms?.process;
    put(request.message, `${requestLine(point, request)}${isNew ? " in another process" : ""}`);
  }
  const messages = transcript.messages.flatMap((message, index) => [
    ...(before.get(index) ?? []),
    messageLine(index, message),
    ...message.blocks.map((block) => blockLine(message, block)),
  ]);
  return [...messages, ...(before.get(transcript.messages.length) ?? [])];
}

function linkLines({ agentId, parents, subagents }: SessionLinks): readonly string[] {
  return [
    ...(agentId === undefined ? [] : [`agent ${agentId}`]),
    ...parents.map(({ session, kind }) => `${kind} of ${session}`),
    ...subagents.map(
      ({ agentId: started, callId, isInFile }) =>
        `started ${started}${callId === undefined ? "" : ` by ${callId}`}${isInFile === true ? " in this file" : ""}`,
    ),
  ];
}

function boundaryLine(boundary: Boundary): string {
  const parts = [
    `= ${boundary.kind} line ${boundary.line}`,
    boundary.trigger,
    boundary.inferredTrigger === undefined ? "" : `inferred ${boundary.inferredTrigger}`,
    named("before", boundary.tokensBefore),
    named("after", boundary.tokensAfter),
    named("summary line", boundary.summaryLine),
    boundary.kept.length === 0 ? "" : `kept ${boundary.kept.map((message) => `#${message}`).join(" ")}`,
    boundary.clearedCalls.length === 0 ? "" : `cleared ${boundary.clearedCalls.map(printable).join(" ")}`,
    optionalTime(boundary.at) ?? "",
    boundary.took === undefined ? "" : `took ${boundary.took} ms`,
    boundary.filesIncluded === undefined ? "" : `files ${boundary.filesIncluded.map(printable).join(" ")}`,
    boundary.parentUuid === undefined ? "" : `parent ${printable(boundary.parentUuid)}`,
  ];
  return joined(parts);
}

function requestLine(point: number, request: RequestPoint): string {
  const { usage } = request;
  const metrics =
    usage === undefined
      ? ["no usage"]
      : [
          named("input", usage.input),
          named("cacheRead", usage.cacheRead),
          named("cacheWrite", usage.cacheWrite),
          named("for an hour", usage.cacheWrite1h),
          named("output", usage.output),
          named("reasoning", usage.reasoning),
          named("searches", usage.webSearches),
          named("cost", usage.ownCost),
        ];
  const model = request.model === undefined ? "" : printable(request.model);
  const billed = request.billedAt === undefined ? "" : `billed ${optionalTime(request.billedAt)}`;
  return joined([
    `@${point} line ${request.line}`,
    model,
    ...metrics,
    ...termParts(request.terms),
    optionalTime(request.at) ?? "",
    billed,
    request.inherited === true ? "inherited" : "",
  ]);
}

function extraLine(request: ExtraRequest, index: number): string {
  const { kind, point, boundary } = request;
  return joined([
    request.furtherPass === true ? `${kind}, further pass` : kind,
    point === undefined ? "" : `of @${point}`,
    boundary === undefined ? "" : `of boundary ${boundary}`,
    requestLine(index, { message: 0, ...request }),
    request.partialOutput === true ? "partial-output" : "",
  ]);
}

/** Every term except the process: only its changes matter. */
function termParts(terms: RequestTerms | undefined): readonly string[] {
  if (terms === undefined) return [];
  const { process: _, ...named } = terms;
  return Object.entries(named).map(([name, value]) => `${name} ${printable(value)}`);
}

function messageLine(index: number, message: Message): string {
  return joined([
    `#${index} ${message.role} ${message.origin} line ${message.line}`,
    message.recordedOnly === true ? "recorded-only" : "",
    message.initialContext === true ? "initial-context" : "",
    message.notResumed === true ? "not-resumed" : "",
    message.partialOutput === true ? "partial-output" : "",
    optionalTime(message.at) ?? "",
  ]);
}

function blockLine(message: Message, block: Block): string {
  const line = block.source.line === message.line ? "" : `line ${block.source.line}`;
  return joined([
    `   .${block.source.part} ${block.kind}`,
    line,
    block.tool === undefined ? "" : printable(block.tool),
    block.callId === undefined ? "" : `(${printable(block.callId)})`,
    block.file === undefined ? "" : quoted(block.file),
    block.isError === true ? "error" : "",
    block.estimated === true ? "estimated" : "",
    measure(block.text),
  ]);
}

function measure(text: TextMeasure): string {
  const sizes = text.bytes - text.chars === 0 ? `${text.chars}c` : `${text.chars}c ${text.bytes}b`;
  return text.value === undefined ? sizes : `${sizes} ${quoted(head(text.value))}`;
}

/** Beginning of a text, never cut within a surrogate pair. */
function head(text: string): string {
  if (text.length <= HEAD_CHARS) return text;
  const cut = text.slice(0, HEAD_CHARS);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Text in quotes, on one line; control characters and lone surrogates are escaped as in JSON. */
function quoted(text: string): string {
  return JSON.stringify(text)
    .replaceAll("\u007f", "\\u007f")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** Text without quotes if it is plain to read: no spaces at the ends, no control characters. */
function printable(text: string): string {
  const json = quoted(text);
  return json === `"${text}"` && text.trim() === text && text !== "" ? text : json;
}

function named(name: string, value: number | undefined): string {
  return value === undefined ? "" : `${name} ${value}`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

/** ISO time; a time outside the calendar stays a number. */
function optionalTime(at: Milliseconds | undefined): string | undefined {
  if (at === undefined) return undefined;
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : `${at} ms`;
}
