import { CURRENT_DEFAULT_WINDOW, IMAGE_TOKENS } from "@/lib/agents/qwen-code/base/constants";
import { listingOf, type SkillListing } from "@/lib/agents/qwen-code/estimator";
import {
  answerOf,
  type Content,
  callOf,
  mediaOf,
  nestedParts,
  partsOf,
  responseOf,
} from "@/lib/agents/qwen-code/messages/content";
import { contextTextTokens } from "@/lib/agents/qwen-code/messages/estimates";
import type { Skill } from "@/lib/agents/qwen-code/report/context-report";
import {
  CONTEXT_ANSWER,
  type CurrentReport,
  isReminder,
  SKILL_BODY_HEAD,
  type SkillRow,
} from "@/lib/agents/qwen-code/report/context-report-current";
import { type CurrentSizes, currentShares } from "@/lib/agents/qwen-code/report/context-shares-current";
import { jsonOf, textOf } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import { type ContextInputs, type OverheadSizes, overheadSizes, sum } from "./context-report";
import { mergedListings, NO_LISTING, tailListings } from "./skill-listing";

/** `/context` of 0.24.4. Source: README.md, "Context report, current". */

interface CurrentInputs extends ContextInputs {
  /** Number of prompt tokens that the provider read from its cache. */
  readonly cachedTokens?: Tokens | undefined;
  readonly history: readonly Content[];
  readonly loadedSkills: readonly string[];
  /** Tools that are declared only on demand, and so omitted from the rows. */
  readonly hidden: readonly string[];
  readonly autoMemory?: string | undefined;
  readonly imageTokens?: Tokens | undefined;
}

/** Makes the report, with every detail. */
export function currentContextReport(inputs: CurrentInputs): CurrentReport {
  const window = inputs.window ?? CURRENT_DEFAULT_WINDOW;
  const sizes = contextSizes(inputs);
  const api = inputs.apiTokens > 0 ? inputs.apiTokens : 0;
  const { scale, unknown: _none, ...shares } = currentShares(sizes, { window, threshold: inputs.threshold, api });
  return {
    modelName: inputs.model,
    totalTokens: api,
    contextWindowSize: window,
    breakdown: { ...shares, cachedTokens: api > 0 ? (inputs.cachedTokens ?? 0) : 0 },
    ...detailRows(sizes, scale),
    isEstimated: api === 0,
  };
}

interface ContextSizes extends OverheadSizes, CurrentSizes {
  readonly skillRows: readonly SkillRow[];
}

/** Hidden tools are declared like the others but have no rows, and hidden MCP tools do not count as MCP tools. */
function shownTools(inputs: CurrentInputs): CurrentInputs {
  const { builtin, mcp, skillTool, hidden } = inputs;
  const every = [...builtin, ...mcp, ...(skillTool === undefined ? [] : [skillTool])];
  const isShown = ({ name }: { readonly name: string }) => !hidden.includes(name);
  return {
    ...inputs,
    declarations: inputs.declarations ?? every.map(({ schema }) => schema),
    builtin: builtin.filter(isShown),
    mcp: mcp.filter(isShown),
  };
}

function contextSizes(inputs: CurrentInputs): ContextSizes {
  const overhead = overheadSizes(shownTools(inputs));
  const auto = inputs.autoMemory ?? "";
  const memoryItems =
    auto === ""
      ? overhead.memoryItems
      : [...overhead.memoryItems, { path: "auto memory", tokens: contextTextTokens(auto) }];
  const prelude = inputs.history.slice(0, preludeLength(inputs.history));
  const tail = inputs.history.slice(prelude.length);
  const inTail = tailListings(tail);
  const startup = preludeSizes(prelude);
  const listing = mergedListings(startup.listing, inTail.listing);
  const bodies = inputs.skills.flatMap((skill) => loadedBody(inputs, skill) ?? []);
  const memory = sum(memoryItems);
  const bodyTokens = bodies.reduce((total, body) => total + contextTextTokens(body), 0);
  return {
    ...overhead,
    memory,
    memoryItems,
    listing: listing.tokens,
    bodies: bodyTokens,
    startup: startup.tokens,
    conversation: conversationTokens(tail, inputs.imageTokens ?? IMAGE_TOKENS, bodies, inTail.texts),
    skillRows: skillRows(inputs, listing),
  };
}

/** Number of contents at the front that came from the client: only reminders, or the pair that older versions wrote. */
function preludeLength(history: readonly Content[]): number {
  const [first, second] = history;
  if (first?.role !== "user") return 0;
  const parts = partsOf(first);
  if (parts.length > 0 && parts.every((part) => isReminder(textOf(part.text)))) return 1;
  const answer = second?.role === "model" ? partsOf(second)[0]?.text : undefined;
  return answer === CONTEXT_ANSWER ? 2 : 0;
}

function preludeSizes(prelude: readonly Content[]): { readonly listing: SkillListing; readonly tokens: Tokens } {
  let listing = NO_LISTING;
  let tokens = 0;
  for (const { text } of prelude.flatMap(partsOf)) {
    if (typeof text !== "string") continue;
    const skills = listingOf(text);
    if (skills !== undefined) listing = mergedListings(listing, skills);
    else tokens += contextTextTokens(text);
  }
  return { listing, tokens };
}

/** The body of a loaded skill, as its tool result holds it. */
function loadedBody(inputs: CurrentInputs, { name, body, filePath }: Skill): string | undefined {
  if (!inputs.loadedSkills.includes(name) || body === undefined || body === "") return undefined;
  const path = filePath ?? "";
  const folder =
    path === "" ? "" : path.slice(0, Math.max(0, path.lastIndexOf("/"))) || (path.startsWith("/") ? "/" : ".");
  return `${SKILL_BODY_HEAD}${folder}\nImportant: ALWAYS resolve absolute paths from this base directory when working with skills.\n\n${body}\n`;
}

function skillRows(inputs: CurrentInputs, listing: SkillListing): readonly SkillRow[] {
  const rows = inputs.skills.map((skill) => {
    const body = loadedBody(inputs, skill);
    return {
      name: skill.name,
      tokens: listing.byName.get(skill.name.toLowerCase())?.tokens ?? 0,
      loaded: inputs.loadedSkills.includes(skill.name),
      bodyTokens: body === undefined ? undefined : contextTextTokens(body),
    };
  });
  const named = new Set(inputs.skills.map(({ name }) => name.toLowerCase()));
  return [...rows, ...[...listing.byName].filter(([key]) => !named.has(key)).map(([, entry]) => entry)];
}

/** Tokens of the conversation, part by part. Skill bodies and lists of skills are billed as skills, so they are not counted here. */
function conversationTokens(
  contents: readonly Content[],
  imageTokens: Tokens,
  bodies: readonly string[],
  listings: ReadonlySet<string>,
): Tokens {
  let tokens = 0;
  for (const part of contents.flatMap(partsOf)) {
    const response = responseOf(part);
    const call = callOf(part);
    if (typeof part.text === "string") tokens += listings.has(part.text) ? 0 : contextTextTokens(part.text);
    else if (mediaOf(part) !== undefined) tokens += imageTokens;
    else if (call !== undefined) tokens += contextTextTokens(jsonOf(call));
    else if (response !== undefined && !(response.name === "skill" && isBody(answerOf(response).output, bodies))) {
      const { id, name } = response;
      tokens += contextTextTokens(jsonOf({ id, name, response: response.response }));
      for (const inner of nestedParts(part)) {
        tokens += mediaOf(inner) === undefined ? contextTextTokens(textOf(inner.text)) : imageTokens;
      }
    }
  }
  return tokens;
}

function isBody(output: unknown, bodies: readonly string[]): boolean {
  return typeof output === "string" && bodies.some((body) => output === body || output.startsWith(`${body}\n`));
}

function detailRows(sizes: ContextSizes, scale: number) {
  const scaled = (tokens: Tokens) => Math.round(tokens * scale);
  const rows = <T extends { readonly tokens: Tokens }>(items: readonly T[]): readonly T[] =>
    scale < 1 ? items.map((item) => ({ ...item, tokens: scaled(item.tokens) })) : items;
  return {
    builtinTools: rows(sizes.builtinItems),
    mcpTools: rows(sizes.mcpItems),
    memoryFiles: rows(sizes.memoryItems),
    skills: rows(sizes.skillRows).map((row) =>
      scale < 1 && row.loaded !== undefined
        ? { ...row, bodyTokens: row.bodyTokens ? scaled(row.bodyTokens) : undefined }
        : row,
    ),
  };
}
