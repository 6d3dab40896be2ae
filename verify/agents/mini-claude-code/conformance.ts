import {
  COMPRESS_THRESHOLD,
  compressionLimit,
  MODEL_CONTEXT_LIMIT,
  SYSTEM_PROMPT_RESERVE,
  TOOL_OUTPUT_CHARS,
} from "@/lib/agents/mini-claude-code/base/constants";
import { type MiniPreset, miniPreset } from "@/lib/agents/mini-claude-code/base/presets";
import { type CoreMessage, estimateTokens, messageTokens } from "@/lib/agents/mini-claude-code/messages/message";
import { truncateOutput } from "@/lib/agents/mini-claude-code/policy/tool-output";
import { COMPRESSION_SYSTEM, compressionPrompt } from "@/lib/agents/mini-claude-code/summary/compression";
import { isObject, type JsonObject } from "@/lib/agents/shared/json";
import type { Conformance, GoldenContext } from "@/verify/golden";
import {
  assembleSystemPrompt,
  COMPRESSION_STEPS,
  estimateMessagesTokens,
  rebuild,
  shouldCompress,
  turnPromptTokens,
} from "./compression";

type Case = (input: JsonObject, preset: MiniPreset, id: string) => unknown;

/**
 * Golden cases for our functions. A case's id names the function within the file and the rule: `/doc/` or `/current/` in the id decides, whatever
 * folder holds the case.
 */
export const conformance: Conformance = {
  estimator: onFunction({
    estimateTokens: ({ text }) => estimateTokens(String(text)),
    estimateMessagesTokens: ({ messages }) => {
      const all = messagesOf(messages);
      return { total: estimateMessagesTokens(all), perMessage: all.map(messageTokens) };
    },
    shouldCompress: compressCase,
    constants: () => ({
      MODEL_CONTEXT_LIMIT,
      COMPRESS_THRESHOLD,
      threshold: compressionLimit(MODEL_CONTEXT_LIMIT, COMPRESS_THRESHOLD),
      SYSTEM_PROMPT_RESERVE,
      note: "SYSTEM_PROMPT_RESERVE is declared but unused",
    }),
  }),
  compression: onFunction({
    compressHistory: ({ history }, preset) => ({
      prompt: compressionPrompt(messagesOf(history)),
      maxSteps: COMPRESSION_STEPS,
      system: COMPRESSION_SYSTEM[preset],
    }),
    rebuild: (input, preset) => {
      const { history, hint, system, tokens } = rebuild(
        String(input.originalQuestion ?? ""),
        String(input.summary),
        staticPrompt(input),
        preset,
      );
      return { history, hint, newSystem: system, postTokens: tokens };
    },
    assemble: (input, preset) =>
      assembleSystemPrompt(staticPrompt(input), Array.isArray(input.hints) ? input.hints.map(String) : [], preset),
  }),
  "tool-truncation": onFunction({ truncateOutput: truncationCase }),
  "usage-accumulation": onFunction({ usage: usageCase }),
};

function onFunction(functions: Readonly<Record<string, Case>>) {
  return (input: unknown, { id, preset }: GoldenContext): unknown => {
    const [name = "", rule] = id.split("/");
    const run = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (run === undefined) throw new Error(`no function ${name}`);
    return run(
      isObject(input) ? input : {},
      rule === "doc" ? "as-documented" : miniPreset(rule === "current" ? rule : preset),
      id,
    );
  };
}

/** The document compares an estimate, `current` compares the reported usage. */
function compressCase(input: JsonObject, preset: MiniPreset): unknown {
  if (preset === "current") return shouldCompress(Number(input.promptTokens));
  const historyTokens = estimateMessagesTokens([{ role: "user", content: "x".repeat(Number(input.historyChars)) }]);
  const systemTokens = estimateTokens("y".repeat(Number(input.systemChars)));
  const total = historyTokens + systemTokens;
  return { historyTokens, systemTokens, total, shouldCompress: shouldCompress(total) };
}

function truncationCase(input: JsonObject, preset: MiniPreset, id: string): unknown {
  const tool = String(input.tool);
  // This case only describes its text: 4,001 emoji, none of which the limit splits.
  if (id.endsWith("/emoji_split")) {
    const kept = truncateOutput(tool, "😀".repeat(4001), preset).slice(0, TOOL_OUTPUT_CHARS);
    return { doc_kept_units: kept.length, kept_last_code: kept.charCodeAt(kept.length - 1).toString(16) };
  }
  const text = truncateOutput(tool, "x".repeat(Number(input.outputChars)), preset);
  return { length: text.length, suffix: text.slice(Math.min(Number(input.outputChars), TOOL_OUTPUT_CHARS)) };
}

/** Every step but the last calls a tool. */
function usageCase({ stepPromptTokens }: JsonObject): unknown {
  const steps = Array.isArray(stepPromptTokens) ? stepPromptTokens.map(Number) : [];
  const tokens = turnPromptTokens(steps);
  return {
    usagePromptTokens: tokens,
    lastStepPromptTokens: steps.at(-1),
    shouldCompress: shouldCompress(tokens),
    responseMessageRoles: steps.flatMap((_, index) => (index === 0 ? ["assistant"] : ["tool", "assistant"])),
  };
}

/** The static prompt that the cases use. */
function staticPrompt(input: JsonObject): string {
  return String(input.staticPrompt ?? "STATIC");
}

function messagesOf(value: unknown): readonly CoreMessage[] {
  const messages = Array.isArray(value) ? value.filter(isObject) : [];
  return messages.map(({ role, content }) => ({ role, content }));
}
