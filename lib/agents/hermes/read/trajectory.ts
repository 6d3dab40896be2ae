import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Block, Message } from "@/lib/core/transcript/model";

/** A message as it was read, before compactions and rewinds are applied. */
export interface Row {
  readonly role: "user" | "assistant";
  readonly origin: Message["origin"];
  readonly line: number;
  readonly at: number | undefined;
  readonly model: string | undefined;
  readonly blocks: readonly Block[];
  /** Recognises copies of the message. */
  readonly key: MessageKey;
  /** True if a rewind removed it. */
  readonly isRewound: boolean;
}

/** Calls and results are known by the ids of calls, since a compaction may shorten their texts; anything else by its text. */
export interface MessageKey {
  readonly kind: "calls" | "result" | "text";
  /** Ids of the calls; absent if one of them is masked. */
  readonly ids?: string;
  readonly text: string;
}

/** True if two messages are copies. A publisher's tool may have masked the ids of one: then the position decides. */
function isCopy(one: MessageKey | undefined, other: MessageKey | undefined): boolean {
  if (one === undefined || other === undefined || one.kind !== other.kind) return false;
  if (one.kind === "text") return one.text === other.text;
  return one.ids === undefined || other.ids === undefined || one.ids === other.ids;
}

interface Live {
  readonly key: MessageKey;
  readonly message: number;
}

/** Number of messages kept before the summary at the first compaction. Source: README.md, "Traps". */
const HEAD_ROWS = 4;

/**
 * Writes the messages in order. A compaction writes its whole result again: copies of the messages in front, the summary, copies of the newest messages.
 * The copies are the messages that it kept, and are not written twice.
 */
export function writeTrajectory(builder: TranscriptBuilder, rows: readonly Row[]): void {
  let live: readonly Live[] = [];
  let rewound = new Set<number>();
  for (let at = 0; at < rows.length; ) {
    const row = rows[at];
    if (row === undefined) break;
    if (!row.isRewound && rewound.size > 0) {
      live = live.filter(({ message }) => !rewound.has(message));
      rollback(builder, row, live);
      rewound = new Set();
    }
    const compacted = compactionAt(rows, at, live);
    if (compacted !== undefined) {
      const { summary, kept, next } = compacted;
      const when = timed(summary);
      const ids = kept.map(({ message }) => message);
      const message = builder.messageCount;
      builder.boundary({ kind: "compaction", ...when, summaryLine: summary.line, kept: ids });
      builder.message({ role: summary.role, origin: "summary", recordedOnly: true, ...when, blocks: summary.blocks });
      live = [...kept, { key: summary.key, message }];
      at = next;
      continue;
    }
    const message = builder.messageCount;
    const { role, origin, blocks, model } = row;
    if (origin === "response") builder.request({ ...timed(row), model });
    if (blocks.length > 0) {
      builder.message({ role, origin, ...timed(row), blocks });
      live = [...live, { key: row.key, message }];
      if (row.isRewound) rewound.add(message);
    }
    at += 1;
  }
  const last = rows.at(-1);
  if (last !== undefined && rewound.size > 0)
    rollback(
      builder,
      last,
      live.filter(({ message }) => !rewound.has(message)),
    );
}

function timed({ line, at }: Row): Pick<Message, "line" | "at"> {
  return { line, at };
}

function rollback(builder: TranscriptBuilder, row: Row, kept: readonly Live[]): void {
  builder.boundary({ kind: "rollback", ...timed(row), trigger: "manual", kept: kept.map(({ message }) => message) });
}

interface Compacted {
  readonly summary: Row;
  readonly kept: readonly Live[];
  /** The first row after the result of the compaction. */
  readonly next: number;
}

/** The compaction whose result begins at a row: with copies of the messages in front, or with the summary. */
function compactionAt(rows: readonly Row[], at: number, live: readonly Live[]): Compacted | undefined {
  let head = 0;
  while (head < HEAD_ROWS && isCopy(live[head]?.key, rows[at + head]?.key)) head += 1;
  const summary = rows[at + head];
  if (summary?.origin !== "summary") return undefined;
  const after = at + head + 1;
  // A file that begins with the result of a compaction holds nothing that was dropped.
  if (head === 0 && at <= HEAD_ROWS && live.length === at) return { summary, kept: live, next: after };
  for (let from = head; from < live.length; from++) {
    const isCopied = live.slice(from).every(({ key }, index) => isCopy(rows[after + index]?.key, key));
    if (isCopied)
      return { summary, kept: [...live.slice(0, head), ...live.slice(from)], next: after + live.length - from };
  }
  return { summary, kept: live.slice(0, head), next: after };
}
