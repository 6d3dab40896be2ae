import type { HistoryMessage, SentMessage } from "@/lib/agents/shared/server-profile";
import { numberSetting, type Settings } from "@/lib/core/compaction/policy/settings";
import type { Block, Message } from "@/lib/core/transcript/model";
import { type CodexPreset, codexPreset } from "./base/presets";
import { nativeItems } from "./estimator";
import { type ContentItem, type ResponseItem, stringField } from "./messages/item";
import type { NativeItem } from "./messages/native";
import { isKnownKind } from "./messages/serialize";
import { TOOL_SEARCH } from "./policy/entry";
import { pairing } from "./sent/normalize";
import { entryPolicy, type TruncationPolicy, truncateContentItems, truncateText } from "./sent/truncate";

/**
 * The texts that Codex sends: outputs are cut as they enter, kept messages to the rest of their budget, and every call has its output. Source:
 * README.md, "Truncated texts", "Local compaction" and "History".
 */
export function sentTexts(presetName: string, settings: Settings) {
  const preset = codexPreset(presetName);
  const entry = entryPolicy({ mode: "tokens", limit: numberSetting(settings, "toolOutputTokens") });
  const enters = settings.entryTruncation === true;
  const isRemote = settings.remote === true;
  return {
    history: (messages: readonly SentMessage[], format: string): readonly HistoryMessage[] => {
      const parts = messages.flatMap((message) => itemParts(message, format));
      const known = parts.filter(({ item }) => isKnownKind(item, preset));
      const entered = enters ? paired(known, preset, format).map((part) => cutOutput(part, entry, preset)) : known;
      return messagesOf(entered.map((part) => cutMessage(part, isRemote)));
    },
  };
}

/** A Codex item with its part of a message. */
interface Part extends SentMessage {
  readonly item: ResponseItem;
  /** The whole message that the item belongs to. */
  readonly of: Message;
}

function itemParts({ message, contents, limits }: SentMessage, format: string): readonly Part[] {
  return nativeItems(message, contents, format).map(({ item, blocks }: NativeItem) => ({
    item,
    of: message,
    message: { ...message, blocks: blocks.flatMap((block) => message.blocks[block] ?? []) },
    contents: blocks.map((block) => contents[block] ?? NO_CONTENT),
    limits: blocks.map((block) => limits[block] ?? []),
  }));
}

const NO_CONTENT = { text: "", record: {} };

/** The parts with an output for every call, and without outputs whose call is missing. */
function paired(parts: readonly Part[], preset: CodexPreset, format: string): readonly Part[] {
  const linked = parts.filter(({ message }) => message.blocks[0]?.callId !== undefined);
  const { removed, added } = pairing(
    linked.map(({ item }) => item),
    preset,
    format,
  );
  return parts.flatMap((part) => {
    if (removed.has(part.item)) return [];
    const output = added.get(part.item);
    return output === undefined ? [part] : [part, madeUpPart(part, output)];
  });
}

function madeUpPart({ message, contents }: Part, output: ResponseItem): Part {
  const blocks = message.blocks.slice(0, 1).map((block): Block => ({ ...block, kind: "tool_result" }));
  const made: Message = { ...message, role: "user", origin: "tool", blocks };
  const text = stringField(output, "output") ?? JSON.stringify(output.tools ?? []);
  return {
    item: output,
    of: made,
    message: made,
    contents: contents.slice(0, 1).map((content) => ({ ...content, text })),
    limits: [[]],
  };
}

/** An output as it enters the history: its texts share one limit, and a line gives the number of texts beyond it. */
function cutOutput(part: Part, policy: TruncationPolicy, preset: CodexPreset): Part {
  const { item, message, contents } = part;
  const [first] = message.blocks;
  const isOutput = item.type === "function_call_output" || item.type === "custom_tool_call_output";
  if (!isOutput || first === undefined || first.tool === TOOL_SEARCH) return part;
  if (!Array.isArray(item.output)) {
    return { ...part, contents: contents.map((content) => ({ ...content, text: truncateText(content.text, policy) })) };
  }
  const entries = message.blocks.map(({ kind }, at): ContentItem => {
    const text = contents[at]?.text ?? "";
    return kind === "image" ? { type: "input_image", image_url: text, at } : { type: "input_text", text, at };
  });
  const kept = truncateContentItems(entries, policy, preset).map((entry) => {
    const at = entries.findIndex((one) => one.at === entry.at);
    const { text = "", record = {} } = contents[at] ?? contents[0] ?? {};
    return { block: message.blocks[at] ?? first, content: { record, text: stringField(entry, "text") ?? text } };
  });
  return {
    ...part,
    message: { ...message, blocks: kept.map(({ block }) => block) },
    contents: kept.map(({ content }) => content),
    limits: kept.map(() => []),
  };
}

/** A message after compactions: a server keeps its texts separate, a local one joins them. */
function cutMessage(part: Part, isRemote: boolean): Part {
  const { message, contents, limits } = part;
  const cut = limits.flatMap((of, at) => (of.length > 0 ? [at] : []));
  const [first] = cut;
  if (first === undefined) return part;
  const texts = contents.map(({ text }) => text);
  const whole = isRemote ? texts : texts.with(first, cut.map((at) => texts[at] ?? "").join(""));
  const stays = (at: number) => isRemote || at === first || !cut.includes(at);
  const left = contents.map((content, at) => ({
    ...content,
    text: (limits[at] ?? []).reduce((text, limit) => truncateText(text, { mode: "tokens", limit }), whole[at] ?? ""),
  }));
  return {
    ...part,
    message: { ...message, blocks: message.blocks.filter((_, at) => stays(at)) },
    contents: left.filter((_, at) => stays(at)),
  };
}

/** Joins the parts into messages again. */
function messagesOf(parts: readonly Part[]): readonly HistoryMessage[] {
  const messages: { of: Message; history: HistoryMessage }[] = [];
  for (const { of, message, contents } of parts) {
    const last = messages.at(-1);
    if (last?.of !== of) messages.push({ of, history: { message, contents } });
    else {
      const { history } = last;
      last.history = {
        message: { ...of, blocks: [...history.message.blocks, ...message.blocks] },
        contents: [...history.contents, ...contents],
      };
    }
  }
  return messages.map(({ history }) => history);
}
