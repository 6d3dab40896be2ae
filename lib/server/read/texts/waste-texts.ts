import { createHash } from "node:crypto";
import { FRESH_MEASURE, mayRunForOutcome, type OutputUse, USED_MEASURE } from "@/lib/core/analysis/output-use";
import { MIN_OUTPUT } from "@/lib/core/analysis/waste";
import type { ItemIndex } from "@/lib/core/base/units";
import { FLAG, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { isInputError } from "../../base/input-error";
import { eachMessage, type LoadedFile } from "./each-message";
import { outputsPass } from "./outputs";
import { RecordLoader } from "./record-loader";

/** Signs of waste in texts. Absent parts are unknown. */
export interface WasteTexts {
  /** For a row of a result with a file, the number of its text; 0 for rows without an equal text. */
  readonly content?: Int32Array;
  readonly use?: OutputUse;
}

/** Maximum bytes of a growing file whose texts are all read: the index reads them again after every change. */
const MAX_GROWING = 8 << 20;

/**
 * Equal results of files, and the later use of large outputs, for the index. It loads few texts: results of one file with one size, and calls with a
 * large result. Only if one of these calls is run for its outcome, all texts are read. Empty if the file has changed.
 * @param grows true if the file may be growing
 */
export function wasteTexts(loaded: LoadedFile, columns: SessionColumns, grows: boolean): WasteTexts {
  try {
    const content = equalResults(loaded, columns);
    if (grows && loaded.file.size > MAX_GROWING) return { content };
    const use = hasLargeOutcome(loaded, columns) ? outputUse(loaded) : noUse(columns);
    return { content, ...(use === undefined ? {} : { use }) };
  } catch (error) {
    // The file was rewritten meanwhile, and is read again.
    if (!isInputError(error)) throw error;
    return {};
  }
}

function equalResults(loaded: LoadedFile, columns: SessionColumns): Int32Array {
  const { kind, file, chars, overheadRows, length } = columns;
  const alike = new Map<string, ItemIndex[]>();
  for (let row = overheadRows; row < length; row++) {
    if (kind[row] !== KIND.tool_result || (file[row] ?? -1) < 0 || (chars[row] ?? 0) === 0) continue;
    const key = `${file[row]} ${chars[row]}`;
    const rows = alike.get(key);
    if (rows === undefined) alike.set(key, [row]);
    else rows.push(row);
  }
  const wanted = [...alike.values()].flatMap((rows) => (rows.length > 1 ? rows : [])).sort((a, b) => a - b);
  const content = new Int32Array(length);
  const textOf = textsOf(loaded, columns);
  const numbers = new Map<string, number>();
  for (const row of wanted) {
    const digest = createHash("sha256").update(textOf(row)).digest("base64");
    const number = numbers.get(digest) ?? numbers.size + 1;
    numbers.set(digest, number);
    content[row] = number;
  }
  return content;
}

function hasLargeOutcome(loaded: LoadedFile, columns: SessionColumns): boolean {
  const { kind, flags, tool, pair, tables, overheadRows, length } = columns;
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const textOf = textsOf(loaded, columns);
  for (let row = overheadRows; row < length; row++) {
    const call = pair[row] ?? -1;
    if (kind[row] !== KIND.tool_result || call < 0 || (tokens[row] ?? 0) < MIN_OUTPUT) continue;
    if (((flags[row] ?? 0) & FLAG.ERROR) === 0 && mayRunForOutcome(tables.tools[tool[call] ?? -1] ?? "", textOf(call)))
      return true;
  }
  return false;
}

function textsOf({ file, reader, transcript: { list } }: LoadedFile, { overheadRows }: SessionColumns) {
  const loader = new RecordLoader(file, reader);
  return (row: ItemIndex): string => loader.content(list.blocks.block(row - overheadRows).source).text;
}

function outputUse(loaded: LoadedFile): OutputUse | undefined {
  const pass = outputsPass(loaded.transcript);
  eachMessage(loaded, pass);
  const { [FRESH_MEASURE]: fresh, [USED_MEASURE]: used } = pass.result();
  return fresh && used && { fresh, used };
}

function noUse({ length }: SessionColumns): OutputUse {
  return { fresh: new Int32Array(length), used: new Int32Array(length) };
}
