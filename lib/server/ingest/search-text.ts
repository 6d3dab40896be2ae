import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { isInputError } from "./input-error";
import { RecordLoader } from "./record-loader";
import type { SourceFile } from "./source-file";

/** How many characters of a session can be searched: of what was asked, of one prompt, and of the names of files and tools. */
const PROMPT_CHARS = 6000;
const ONE_PROMPT_CHARS = 1000;
const NAME_CHARS = 3000;
/** How many prompts are loaded at most: those of a large file lie far apart, and each takes a read. */
const PROMPTS = 60;

/** What a session is found by beside what its list row shows: the beginnings of its prompts, and the files and tools of its calls. */
export function searchText(file: SourceFile, reader: Reader, transcript: Transcript): string {
  const { files, tools } = transcript.list.blocks;
  return [...prompts(file, reader, transcript), clipped([...tools, ...files], NAME_CHARS)].join("\n");
}

function prompts(file: SourceFile, reader: Reader, { list }: Transcript): string[] {
  const loader = new RecordLoader(file, reader);
  const found: string[] = [];
  let chars = 0;
  const isFull = () => found.length >= PROMPTS || chars >= PROMPT_CHARS;
  for (let index = 0; index < list.length && !isFull(); index++) {
    if (list.origin(index) !== "typed") continue;
    for (let row = list.firstBlock(index); row < list.firstBlock(index + 1) && !isFull(); row++) {
      const block = list.blocks.block(row);
      if (block.kind !== "text" || block.text.chars === 0) continue;
      const text = (block.text.value ?? textAt(loader, block.source)).slice(0, ONE_PROMPT_CHARS);
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

/** The names that fit, one a line. */
function clipped(names: readonly string[], most: number): string {
  let text = "";
  for (const name of names) {
    if (text.length + name.length > most) break;
    text += `${name}\n`;
  }
  return text;
}
