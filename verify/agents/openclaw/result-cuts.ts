import { messageOfEntry, type SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import { charsBesideImages } from "@/lib/agents/openclaw/messages/estimate";
import { type AgentMessage, blocksOf } from "@/lib/agents/openclaw/messages/message";
import { stringChars } from "@/lib/agents/openclaw/messages/string-chars";
import { isObject, listOf, textOf } from "@/lib/agents/openclaw/messages/value";
import { tokensOf } from "@/lib/agents/openclaw/policy/sizes";
import { keptOutput } from "@/lib/agents/openclaw/sent/tool-output";
import { fitHead, truncateResultText } from "@/lib/agents/openclaw/sent/truncate-result";
import { sumOf } from "@/lib/core/base/numbers";
import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { Comparison } from "@/verify/support/cross-check";
import type { Placed, PlacedStep } from "./placed-session";
import { reducedResults } from "./result-budget";

const AT_LINE_ENDS = "a cut result ends at a line";
/** Tolerance of a marker's length in chars, including the rounding of the kept part before it. */
const MARKER_SLACK: Chars = 20;

/** Rule for cutting results. */
export interface CutRule {
  /** True if outputs are cut as they enter. */
  readonly entry: boolean;
  /** Weighted chars of one result; none before 2026.9. */
  readonly limit: Chars | undefined;
  readonly window: Tokens;
}

/** A result of the session, before and after the cut. */
export interface CutResult {
  readonly placed: Placed;
  readonly row: ItemIndex;
  readonly before: Chars;
  /** Its size without text and images, to which no limit applies. */
  readonly rest: Chars;
  /** The size without line ends. */
  readonly flat: Chars;
  readonly exact: Chars;
}

/**
 * Truncates tool results: as they enter, and if a prompt does not fit. The numbers know neither the positions of line ends nor the length of a
 * marker, so a text is truncated twice: unchanged, and with blanks instead of its line ends. Without line ends the numbers must be right to within
 * the marker; any further difference from line ends is noted. Both layers continue with the policy's number.
 */
export class ResultCuts {
  constructor(
    private readonly comparison: Comparison,
    private readonly rule: CutRule,
  ) {}

  /** A step with its results as they enter. */
  entered(step: PlacedStep): PlacedStep {
    if (!this.rule.entry) return step;
    const cut = (all: readonly Placed[]) =>
      all.map((placed) => withText(placed, (text, tool) => this.#given(text, tool)));
    return { ...step, response: cut(step.response), added: cut(step.added) };
  }

  #given(text: string, tool: string | undefined): string {
    const { limit } = this.rule;
    const given = keptOutput(text, tool);
    if (limit === undefined || stringChars(given) <= limit) {
      this.comparison.met("outputs cut to what a tool gives", given === text ? 0 : 1);
      return given;
    }
    const [exact, flat] = [given, withoutLineEnds(given)].map((one) => stringChars(truncateResultText(one, limit)));
    this.comparison.met("outputs cut to the limit as they enter");
    const slack = tokensOf(MARKER_SLACK);
    this.comparison.close("a result as it enters", tokensOf(limit), tokensOf(flat ?? 0), [0, slack], "a marker");
    this.comparison.allow(AT_LINE_ENDS, tokensOf(limit - (exact ?? 0)));
    return filled(given, limit);
  }

  /** Size of the results after truncation for a prompt that does not fit. */
  planned(session: readonly Placed[]): readonly CutResult[] {
    const results = session.filter(({ entry }) => messageOfEntry(entry, "current")?.role === "toolResult");
    const messages = results.map(({ entry }) => messageOfEntry(entry, "current") ?? {});
    const { window, limit } = this.rule;
    const exact = reducedResults(messages, window, limit);
    const flat = reducedResults(messages.map(withoutLines), window, limit);
    return results.map((placed, at) => {
      const message = messages[at] ?? {};
      const before = textChars(message);
      return {
        placed,
        row: placed.rows[0] ?? -1,
        before,
        rest: charsBesideImages(message) - before,
        flat: textChars(flat[at]?.after ?? {}),
        exact: textChars(exact[at]?.after ?? {}),
      };
    });
  }

  /** The session with its results shortened to the numbers' sizes, and the rows that became smaller. */
  shortened(
    where: string,
    session: readonly Placed[],
    numbers: ReadonlyMap<ItemIndex, Tokens>,
  ): { readonly session: readonly Placed[]; readonly rows: readonly ItemIndex[] } {
    const cuts = this.planned(session);
    const slack = tokensOf(MARKER_SLACK * cuts.filter(({ flat, before }) => flat < before).length) + 1;
    const texts = new Map<Placed, Chars>();
    const rows: ItemIndex[] = [];
    for (const { placed, row, before, rest, flat, exact } of cuts) {
      const size = numbers.get(row);
      const tokens = size ?? tokensOf(rest + before);
      if (size === undefined && flat === before) continue;
      this.comparison.close(`${where}, result ${row}`, tokens, tokensOf(rest + flat), [-slack, slack], "a marker");
      this.comparison.allow(AT_LINE_ENDS, Math.abs(tokens - tokensOf(rest + exact)));
      if (size === undefined) continue;
      rows.push(row);
      texts.set(placed, Math.max(0, Math.min(before, 4 * size - rest)));
    }
    this.comparison.met("results shortened before a prompt", rows.length);
    const shorter = (placed: Placed) => {
      const chars = texts.get(placed);
      return chars === undefined ? placed : withText(placed, (text) => filled(text, chars));
    };
    return { session: session.map(shorter), rows: rows.toSorted((a, b) => a - b) };
  }
}

/** Number of chars that results lose: ignoring line ends, and exactly. */
export function reducibleChars(cuts: readonly CutResult[]): { readonly flat: Chars; readonly exact: Chars } {
  return {
    flat: sumOf(cuts.map(({ before, flat }) => before - flat)),
    exact: sumOf(cuts.map(({ before, exact }) => before - exact)),
  };
}

function withoutLineEnds(text: string): string {
  return text.replaceAll("\n", " ");
}

function withoutLines(message: AgentMessage): AgentMessage {
  return mapText(message, withoutLineEnds);
}

/**
 * A text of the given number of weighted chars: its beginning, filled up. Wider characters in it are replaced, since the numbers do not know how many
 * of them a twice-truncated text still has.
 */
function filled(text: string, chars: Chars): string {
  const head = fitHead(text, chars);
  const isPlain = stringChars(head) === head.length;
  return (isPlain ? head : "") + "x".repeat(Math.max(0, chars - (isPlain ? head.length : 0)));
}

function textChars(message: AgentMessage): Chars {
  return sumOf(blocksOf(message).map((block) => (block.type === "text" ? stringChars(textOf(block.text) ?? "") : 0)));
}

function mapText(message: AgentMessage, map: (text: string) => string): AgentMessage {
  const content = listOf(message.content).map((block) =>
    isObject(block) && block.type === "text" ? { ...block, text: map(textOf(block.text) ?? "") } : block,
  );
  return { ...message, content };
}

function withText(placed: Placed, map: (text: string, tool: string | undefined) => string): Placed {
  const { entry } = placed;
  const { message } = entry;
  if (!isObject(message) || message.role !== "toolResult") return placed;
  const tool = textOf(message.toolName);
  const next: SessionEntry = { ...entry, message: mapText(message, (text) => map(text, tool)) };
  return { ...placed, entry: next };
}
