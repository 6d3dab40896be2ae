import { messageStarts } from "@/lib/core/columns/from-transcript";
import type { BlockContent, ItemEstimator } from "@/lib/core/tokens/item-estimator";
import type { Block, Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { counters } from "../counters";
import { RecordLoader } from "./record-loader";
import type { SourceFile } from "./source-file";

/**
 * Tokens of every row of the columns under an estimator that needs the text: one more pass over the file, in its order.
 * The inferred overhead row stays 0. Throws `InputError` where the file has changed.
 */
export function countItems(
  file: SourceFile,
  transcript: Transcript,
  reader: Reader,
  estimator: ItemEstimator,
): Int32Array {
  counters.filesCounted += 1;
  const loader = new RecordLoader(file, reader);
  const overheadRows = transcript.overhead.length + 1;
  const starts = messageStarts(transcript.messages, overheadRows);
  const perItem = new Int32Array(starts[transcript.messages.length] ?? overheadRows);
  transcript.overhead.forEach((entry, row) => {
    perItem[row] = estimator.text(entry.text.value ?? loader.content(entry.source).text);
  });
  transcript.messages.forEach((message, index) => {
    const contents = message.blocks.map((block) => contentOf(block, loader));
    estimator.blocks(message, contents, transcript.format).forEach((tokens, part) => {
      perItem[(starts[index] ?? 0) + part] = tokens;
    });
  });
  return perItem;
}

function contentOf(block: Block, loader: RecordLoader): BlockContent {
  return loader.content(block.source);
}
