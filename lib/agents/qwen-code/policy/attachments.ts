import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy";
import { CHARS_PER_TOKEN } from "../constants";
import { lastTouchedFiles } from "./files";
import { newestPictures, type PicturedHistory, picturesPutBack } from "./pictures";

/** How many files and pictures are restored at most. */
export interface MostAttachments {
  readonly files: number;
  readonly pictures: number;
}

/** The files that were touched last and the newest pictures, as one content after the acknowledgement. Source: README.md, "What is put back". */
export function attachments(
  view: ContextView,
  history: PicturedHistory,
  most: MostAttachments,
): { readonly items: readonly SyntheticItem[]; readonly pictures: number } {
  const files = lastTouchedFiles(view.columns, history.items, most.files);
  const pictures = newestPictures(view, history, most.pictures);
  const filesTokens = Math.ceil(files.chars / CHARS_PER_TOKEN);
  // The texts are rounded up once, together.
  const textTokens = Math.ceil((files.chars + pictures.chars) / CHARS_PER_TOKEN);
  const items: SyntheticItem[] = [];
  if (files.chars > 0) items.push(filesPutBack(files.paths, filesTokens));
  if (pictures.count > 0) {
    items.push(picturesPutBack(pictures.count, pictures.tokens + textTokens - filesTokens));
  }
  return { items, pictures: pictures.count };
}

function filesPutBack(files: readonly string[], tokens: number): SyntheticItem {
  return {
    kind: "attachment",
    name: "filesPutBack",
    category: "attachments",
    tokens,
    label: "files put back",
    files,
  };
}
