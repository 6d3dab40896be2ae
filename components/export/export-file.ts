import { imageOf } from "./image";
import { pngOf, saveFile } from "./save";
import { csvOf, type ExportWords, fileName, jsonOf, type TableData } from "./table-data";

const IMAGES = ["png", "svg"] as const;
const TABLES = ["csv", "json"] as const;
export type FileKind = (typeof IMAGES)[number] | (typeof TABLES)[number];

const TYPES = { svg: "image/svg+xml", csv: "text/csv;charset=utf-8", json: "application/json" } as const;

/** Content of an export: a drawing, rows, or both. */
export interface Exported {
  readonly words: ExportWords;
  readonly table?: (() => TableData | Promise<TableData>) | undefined;
  readonly image?: HTMLElement | null | undefined;
}

export async function pngFile({ words, image }: Exported): Promise<Blob> {
  if (image == null) throw new Error("There is nothing to draw.");
  return pngOf(await imageOf(image, words));
}

/** Makes the file of a kind and saves it. */
export async function exportFile(kind: FileKind, { words, table, image }: Exported): Promise<void> {
  const name = fileName(words.title, kind);
  if (kind === "csv" || kind === "json") {
    if (table === undefined) return;
    const text = kind === "csv" ? csvOf(await table()) : jsonOf(await table(), words);
    saveFile(name, new Blob([text], { type: TYPES[kind] }));
    return;
  }
  if (image == null) return;
  const svg = await imageOf(image, words);
  saveFile(name, kind === "png" ? await pngOf(svg) : new Blob([svg], { type: TYPES.svg }));
}
