import type { Bytes, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, ORIGIN, recordedContext } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { tokensBetween } from "@/lib/core/compaction/selection";
import { tokensOfBytes } from "../base/constants";

/**
 * Position after the history at the time of Codex's decision. Before a turn, it is before the next prompt, which Codex records only after its
 * decision; within a turn it is the end. Source: README.md, "Presets".
 */
export function historyEnd(view: ContextView): number {
  const { length } = view.items;
  if (!view.turnStart) return length;
  const { columns } = view;
  const sent = columns.requests.firstItem[view.request - 1] ?? 0;
  for (let position = length - 1; position >= 0; position--) {
    const item = view.items.at(position);
    const origin = columns.origin[item];
    if (item >= columns.length || item < sent || origin === ORIGIN.response || origin === ORIGIN.tool) break;
    if (((columns.flags[item] ?? 0) & FLAG.TURN_START) !== 0) return position;
  }
  return length;
}

/** Tokens that enter only after Codex's decision. */
export function tokensEntering(view: ContextView): Tokens {
  return tokensBetween(view, historyEnd(view), view.items.length);
}

/** Input and output of the last response; the output is the recorded one while the replay follows the recording. */
export function lastTotal(view: ContextView): Tokens {
  return view.lastInput + (view.recordedOutput ?? view.lastOutput);
}

/**
 * Size of everything after the model's last item, by the program's own count; 0 if the model made nothing. After a response without items, the input
 * sent with it counts too, although the last input already includes it: the program does the same.
 * @param remote true if a service made earlier summaries: these count as the model's own
 */
export function afterResponse(view: ContextView, remote: boolean): Tokens {
  let tokens = 0;
  for (let position = historyEnd(view) - 1; position >= 0; position--) {
    const item = view.items.at(position);
    const isSummary = item >= view.columns.length;
    if (isSummary ? remote : view.columns.origin[item] === ORIGIN.response) return tokens;
    tokens += view.countOf(item);
  }
  return 0;
}

/** Maximum size after the response; `undefined` if the last response has no items. */
export function mostAfterResponse({ columns, request, addedCount }: ContextView): Tokens | undefined {
  return columns.origin[columns.requests.firstItem[request - 1] ?? -1] === ORIGIN.response ? addedCount : undefined;
}

/**
 * Encrypted reasoning before the last item at which the newest turn begins: it is sent, but the server does not count it. Given as the sum of its
 * bytes, and as the sum of its tokens, each rounded separately. Only the program's own estimate counts, and only if the last input was recorded: an
 * estimated input already includes it. Source: README.md, "Presets"; `get_total_token_usage`, for a server that does not say that it counts it.
 * @param begins true if the release reads an item as the beginning of a turn
 */
export function earlierReasoning(
  view: ContextView,
  begins: (view: ContextView, item: ItemIndex) => boolean,
): { readonly bytes: Bytes; readonly tokens: Tokens } {
  const sum = { bytes: 0, tokens: 0 };
  if (view.lastInput <= 0 || recordedContext(view.columns, view.request - 1) !== view.lastInput) return sum;
  let position = historyEnd(view) - 1;
  while (position >= 0 && !begins(view, view.items.at(position))) position -= 1;
  const { kind, measures, bytes } = view.columns;
  const hidden = measures["codex.hidden"] ?? bytes;
  for (position -= 1; position >= 0; position--) {
    const item = view.items.at(position);
    if (kind[item] !== KIND.thinking) continue;
    const size = hidden[item] ?? 0;
    sum.bytes += size;
    sum.tokens += tokensOfBytes(size);
  }
  return sum;
}
