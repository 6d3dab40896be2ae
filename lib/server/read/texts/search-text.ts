import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import type { IndexedText } from "../../base/config";
import { isInputError } from "../../base/input-error";
import type { SourceFile } from "../source-file";
import { RecordLoader } from "./record-loader";

interface Bounds {
  /** Maximum searchable characters of a session, and of one text in it. */
  readonly chars: number;
  readonly textChars: number;
  /** Maximum loaded texts: prompts of a large file are far apart, and each takes a read. */
  readonly texts: number;
}

const BOUNDS: Readonly<Record<IndexedText, Bounds>> = {
  prompts: { chars: 6000, textChars: 1000, texts: 60 },
  messages: { chars: 400_000, textChars: 20_000, texts: Number.POSITIVE_INFINITY },
};
/** Maximum characters of the names of files and tools. */
const NAME_CHARS = 3000;

/**
 * Searched text of a session besides its list row: files and tools of its calls, and the beginnings of its prompts or, on request, the texts of all
 * messages. Inputs and outputs of tools and thoughts of the model are excluded.
 */
export function searchText(file: SourceFile, reader: Reader, transcript: Transcript, indexed: IndexedText): string {
  const { files, tools } = transcript.list.blocks;
  const texts = textsOf(new RecordLoader(file, reader), transcript, indexed);
  return [...texts, clipped([...tools, ...files], NAME_CHARS)].join("\n");
}

function textsOf(loader: RecordLoader, { list }: Transcript, indexed: IndexedText): string[] {
  const most = BOUNDS[indexed];
  const found: string[] = [];
  let chars = 0;
  const isFull = () => found.length >= most.texts || chars >= most.chars;
  for (let index = 0; index < list.length && !isFull(); index++) {
    if (indexed === "prompts" && list.origin(index) !== "typed") continue;
    for (let row = list.firstBlock(index); row < list.firstBlock(index + 1) && !isFull(); row++) {
      const block = list.blocks.block(row);
      if (block.kind !== "text" || block.text.chars === 0) continue;
      const text = (block.text.value ?? textAt(loader, block.source)).slice(0, most.textChars);
      chars += text.length;
      found.push(text);
    }
  }
  return found;
}

function textAt(loader: RecordLoader, source: Parameters<RecordLoader["content"]>[0]): string {
  try {
    return loader.content(source).text;
  } catch (error) {
    // The file was rewritten meanwhile, and is read again.
    if (isInputError(error)) return "";
    throw error;
  }
}

/** The names that fit, one per line. */
function clipped(names: readonly string[], most: number): string {
  let text = "";
  for (const name of names) {
    if (text.length + name.length > most) break;
    text += `${name}\n`;
  }
  return text;
}
