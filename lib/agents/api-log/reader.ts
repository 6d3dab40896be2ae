import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Reader, RecordParser, SourceRecord } from "@/lib/core/transcript/reader";
import { nameOf } from "../ids";
import { type JsonObject, textOf } from "../json";
import { type Exchange, textsOf } from "./draft";
import { exchangesOf, isCounting, isHarEntry } from "./exchanges";
import { Log } from "./log";
import { sniffApiLog } from "./sniff";
import { writeTrajectory } from "./trajectory";

/**
 * Reads logs of requests to a model: bodies of Anthropic Messages, OpenAI Chat Completions and OpenAI Responses, with or without their responses.
 * Each request holds everything that the model saw, including its system prompt and tools.
 */
export const apiLogReader: Reader = {
  format: "api-log",
  sniff: sniffApiLog,
  parse: (builder) => new ApiLogParser(builder),
  texts: (record) => exchangesOf(record).flatMap(textsOf),
  // Where a HAR holds its records.
  documentList: ["log", "entries"],
  // An answer on a line of its own belongs to the request before it.
  sessionMarks:
    () =>
    ({ value }) => ({ session: exchangesOf(value).find(({ request }) => request !== undefined)?.request?.session }),
};

class ApiLogParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #log: Log;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#log = new Log(builder);
  }

  record(record: SourceRecord): void {
    const exchanges = exchangesOf(record.value, this.#builder.figures(record.line));
    const type = typeOf(record.value, exchanges);
    this.#builder.countRecord(type);
    const isOther = isCounting(record.value) || isHarEntry(record.value);
    if (exchanges.length === 0 && !isOther) this.#builder.unknownRecord(type, record.line);
    let part = 0;
    for (const exchange of exchanges) {
      this.#builder.time(exchange.at, record.line);
      this.#log.add(exchange, record, part);
      part += textsOf(exchange).length;
    }
  }

  end(): void {
    writeTrajectory(this.#builder, this.#log.threads);
  }
}

/** The type of a log's record. It rarely states one, so its content decides. */
function typeOf(record: JsonObject, exchanges: readonly Exchange[]): string {
  const type = nameOf(record.type);
  if (type !== undefined) return type;
  if (isCounting(record)) return "count_tokens";
  if (exchanges.length > 1) return "log";
  if (exchanges.length === 0 && isHarEntry(record)) return "other request";
  const [exchange] = exchanges;
  if (exchange?.message !== undefined) return textOf(record.role);
  if (exchange?.request === undefined) return exchange === undefined ? "(no type)" : "response";
  return exchange.response === undefined ? "request" : "request and response";
}
