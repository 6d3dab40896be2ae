import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS, ROLES } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { MESSAGE_TOKENS } from "./constants";
import { messagesFrom } from "./rows";

/** The automatic summary of a history as a message, quotes apart. Source: golden `compact/none/0`, 90 with its "(No user messages)". */
const AUTOMATIC_TOKENS: Tokens = 86;
const NO_REQUESTS_TOKENS: Tokens = 4;
/** A quoted request's dash and line end, less the message's own envelope. */
const QUOTE_TOKENS: Tokens = 2 - MESSAGE_TOKENS - 1;
/** User messages that the automatic summary quotes, and how much of each. Source: systems/clawdcode.md §4. */
const QUOTED_REQUESTS = 5;
const QUOTED_CHARS: Chars = 200;
/** How much of a message the summarising model is shown. Source: as above. */
const SHOWN_CHARS: Chars = 5000;
/** The note that compaction failed, with an error of two words, as a message. Source: golden `compact/throws/4`. */
export const FAILURE_MESSAGE_TOKENS: Tokens = 64;

const CALL = KINDS.indexOf("tool_call");
const THINKING = KINDS.indexOf("thinking");
const RESULT = KINDS.indexOf("tool_result");
const USER = ROLES.indexOf("user");

/** Estimate of the summary that is made without a model: its frame, and the beginnings of the newest user messages. */
export function automaticSummaryTokens(view: ContextView): Tokens {
  const requests = messagesFrom(view, 0).filter(([first = -1]) => isUserMessage(view, first));
  const quoted = requests.slice(-QUOTED_REQUESTS).map((items) => QUOTE_TOKENS + cutTokens(view, items, QUOTED_CHARS));
  if (quoted.length === 0) return AUTOMATIC_TOKENS + NO_REQUESTS_TOKENS;
  return AUTOMATIC_TOKENS + quoted.reduce((sum, tokens) => sum + Math.max(1, tokens), 0);
}

/** A summary stands as a user message. */
function isUserMessage({ columns }: ContextView, item: ItemIndex): boolean {
  return item >= columns.length || (columns.role[item] === USER && columns.kind[item] !== RESULT);
}

/** Estimate of what the summarising model is sent of the history: contents, each cut, without calls. Files come on top. */
export function promptTokens(view: ContextView): Tokens {
  return messagesFrom(view, 0).reduce((sum, items) => sum + cutTokens(view, items, SHOWN_CHARS), 0);
}

/** Tokens of a message's content as far as so many characters go; those of a summary are taken to be four a token. */
function cutTokens(view: ContextView, items: readonly ItemIndex[], most: Chars): Tokens {
  const { columns } = view;
  let tokens = 0;
  let chars = 0;
  for (const item of items) {
    if (columns.kind[item] === CALL || columns.kind[item] === THINKING) continue;
    tokens += view.tokensOf(item);
    chars += item < columns.length ? (columns.chars[item] ?? 0) : view.tokensOf(item) * 4;
  }
  return chars <= most ? tokens : Math.ceil((tokens * most) / chars);
}

/** Tools whose files are looked at, and those that change them; in other agents' recordings whatever their case. */
const FILE_TOOLS = new Set(["read", "write", "edit", "glob", "grep", "notebookedit"]);
const MODIFYING_TOOLS = new Set(["write", "edit"]);

/** Files of the context's calls: changed ones first, then by mentions, then by the last. Those in texts are not known here. */
export function filesOf(view: ContextView, most: number): readonly string[] {
  const { columns, items } = view;
  const files = new Map<number, { file: number; mentions: number; last: number; modified: boolean }>();
  for (let position = 0; position < items.length; position++) {
    const item = items.at(position);
    const file = columns.file[item] ?? -1;
    const tool = columns.tables.tools[columns.tool[item] ?? -1]?.toLowerCase() ?? "";
    if (columns.kind[item] !== CALL || file < 0 || !FILE_TOOLS.has(tool)) continue;
    const known = files.get(file);
    const modified = MODIFYING_TOOLS.has(tool) || known?.modified === true;
    files.set(file, { file, mentions: (known?.mentions ?? 0) + 1, last: position, modified });
  }
  return [...files.values()]
    .sort((a, b) => Number(b.modified) - Number(a.modified) || b.mentions - a.mentions || b.last - a.last)
    .slice(0, most)
    .flatMap(({ file }) => columns.tables.files[file] ?? []);
}
