import type { HistoryMessage } from "@/lib/agents/shared/server-profile";
import { standInAfter, withStandIns } from "@/lib/agents/shared/stand-ins";
import { numberSetting, type Settings } from "@/lib/core/compaction/policy/settings";
import { CLEARED_PLACEHOLDER } from "../base/constants";
import { type OpenClawPreset, openClawPreset } from "../base/presets";
import { messageOfEntry } from "../messages/entry";
import { type AgentMessage, blocksOf, MISSING_RESULT } from "../messages/message";
import { nativeEntries } from "../messages/native";
import { repairedMessages } from "../messages/repair";
import { textOf } from "../messages/value";
import { pruning202621, pruning202696 } from "../policy/pruning";
import { trimmedText } from "./prune";
import { keptOutput } from "./tool-output";
import { truncateResultText } from "./truncate-result";

/**
 * Results as they enter (within its own tools' limits, and in 2026.9.6 within the limit of a result), after pruning or a prompt that did not fit, the
 * placeholder of a cleared one, and calls and results paired. Source: README.md, "Pruning", "Tool results" and "Pairs".
 */
export function sentTexts(preset: string, settings: Settings) {
  const rules = openClawPreset(preset);
  const { limits: limitsOf } = rules === "current" ? pruning202696 : pruning202621;
  return {
    entered: (text: string, tool: string | undefined) => {
      const output = keptOutput(text, tool);
      return rules === "current" ? truncateResultText(output, numberSetting(settings, "toolResultChars")) : output;
    },
    /** @param left remaining share of its size; pruning leaves a fixed size, a prompt that did not fit any other */
    truncated: (text: string, _tool: string | undefined, left: number) => {
      const limits = limitsOf(settings);
      const trimmed = trimmedText(text, rules, limits);
      const isPruned = rules !== "current" || Math.abs(trimmed.length - text.length * left) <= SLACK_CHARS;
      return isPruned ? trimmed : truncateResultText(text, Math.round(text.length * left));
    },
    cleared: () => CLEARED_PLACEHOLDER,
    paired: (messages: readonly HistoryMessage[], _preset: string, format: string) =>
      // In another agent's recording, every call without a result gets a stand-in; its results are unchanged.
      format === "openclaw" ? pairedOwn(messages, rules) : withStandIns(messages, MISSING_RESULT),
  };
}

/** The messages as the repair leaves them: results after their calls, stand-ins, and no other results. */
function pairedOwn(messages: readonly HistoryMessage[], preset: OpenClawPreset): readonly HistoryMessage[] {
  const byContent = new Map<unknown, HistoryMessage>();
  const natives = messages.map((one): AgentMessage => {
    const [{ entry } = { entry: {} }] = nativeEntries(one.message, one.contents, "openclaw");
    // A copy of the content identifies a result after the repair renames it.
    const found = messageOfEntry(entry, preset) ?? {};
    const native = { ...found, content: Array.isArray(found.content) ? [...found.content] : [found.content] };
    byContent.set(native.content, one);
    return native;
  });
  let call: HistoryMessage | undefined;
  return repairedMessages(natives, preset).flatMap((native) => {
    const given = byContent.get(native.content);
    if (given !== undefined && native.role === "assistant") call = given;
    if (given !== undefined) return [given];
    return call === undefined ? [] : [standInAfter(call, textOf(blocksOf(native)[0]?.text) ?? MISSING_RESULT)];
  });
}

/** Sizes are tokens of about four chars, rounded. */
const SLACK_CHARS = 8;
