import { BundleError } from "@/lib/core/bundle/arrays";
import { type ContextOverhead, NO_OVERHEAD } from "@/lib/core/context/context-overhead";
import type { BundleHeader } from "@/lib/queries/contract/bundle";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { costOfSummary } from "@/lib/queries/cost/cost";
import { bytesInWords } from "../../base/byte-words";
import { changedError, InputError } from "../../base/input-error";
import { usablePrices } from "../../base/prices";
import { type IndexFacts, SCORES } from "../numbers/index-facts";
import type { MeasuresByPolicy } from "../numbers/measures";
import type { SessionFiles } from "../session-files";
import type { FileVersion, SourceFile } from "../source-file";
import { wholeText } from "../whole-text";
import { type Bundle, parseBundle } from "./bundle-file";
import { noTextsError } from "./is-bundle";

/** Maximum bytes of a bundle: a recording of 1 GB gives a bundle of half of that. */
const MAX_BYTES = 256 << 20;

/** The bundle in a file. Throws `InputError`. */
function readBundle(file: SourceFile, name: string): Bundle {
  if (file.size > MAX_BYTES)
    throw new InputError(
      "too-large",
      `${name} is a bundle of more than ${bytesInWords(MAX_BYTES)}, the most that is read.`,
    );
  try {
    return parseBundle(wholeText(file).text);
  } catch (error) {
    if (error instanceof BundleError)
      throw new InputError("unreadable", `${name} is not a readable bundle: ${error.message}.`);
    throw error;
  }
}

/** A parsed bundle, and the version of its file. */
export interface OpenBundle {
  readonly bundle: Bundle;
  readonly version: FileVersion;
}

/** The last bundle of this thread, since its columns are read one after another. */
export class Bundles {
  readonly #files: SessionFiles;
  #last: { readonly key: string; readonly bundle: Bundle } | undefined;

  constructor(files: SessionFiles) {
    this.#files = files;
  }

  /** Reads a bundle. Throws `InputError`. */
  open(file: SourceFile, name: string): OpenBundle {
    const { bytes, mtimeMs } = file.version;
    const key = `${bytes} ${mtimeMs} ${file.inode}`;
    if (this.#last?.key !== key) this.#last = { key, bundle: readBundle(file, name) };
    return { bundle: this.#last.bundle, version: { bytes, mtimeMs, isBundle: true } };
  }

  /** An estimator's counts in the bundle. Rejects with `InputError`. */
  async tokens(path: string, version: FileVersion, estimator: string): Promise<Int32Array> {
    const { tokens } = await this.#at(path, version);
    const counted = tokens.get(estimator);
    if (counted === undefined)
      throw noTextsError(path, `it cannot be counted by ${estimator}, which had not counted it before`);
    return counted;
  }

  async measures(path: string, version: FileVersion, policies: readonly string[]): Promise<MeasuresByPolicy> {
    const { measures } = await this.#at(path, version);
    return Object.fromEntries(policies.map((policy) => [policy, { ...measures.get(policy) }]));
  }

  /** Rejects with `InputError` if the file has been replaced. */
  #at(path: string, { bytes, mtimeMs }: FileVersion): Promise<Bundle> {
    return this.#files.use(path, (file) => {
      if (file.version.bytes !== bytes || file.version.mtimeMs !== mtimeMs) throw changedError(file.name);
      return this.open(file, file.name).bundle;
    });
  }
}

/** A session's summary without its texts. @param file name without folders */
export function bundleSummary({ header, columns }: Bundle, file: string): SessionSummary {
  const { format, agent, agentVersion, formatVersion, startedAt, endedAt, models, contextWindow, records } = header;
  const links = { agentId: null, parents: [], subagents: [] };
  return {
    file,
    format,
    agent,
    agentVersion,
    formatVersion,
    sessionId: null,
    title: null,
    project: null,
    branch: null,
    startedAt,
    endedAt,
    models: [...models],
    contextWindow,
    records: { ...records, byType: {}, unknown: {}, damaged: [] },
    messages: header.messages,
    requests: header.requests,
    requestsWithoutUsage: columns.requests.length - header.requests,
    usage: header.usage,
    ...costOfSummary({ links }, columns, usablePrices()),
    peakContext: header.peakContext,
    lastContext: header.lastContext,
    compactions: [...header.compactions],
    sidechains: header.subagents,
    links,
    problems: header.problems.map(({ code, count }) => ({ code, line: null, detail: null, count })),
    fileSessions: null,
    numbersOnly: true,
  };
}

/** A bundle's index facts of its texts; nothing if there were none. */
export function indexFactsOf({ told }: BundleHeader): Pick<IndexFacts, "needed" | "scores"> {
  const scores = (told?.scores ?? []).flatMap(({ score, ...counts }) => {
    const known = SCORES.find((one) => one === score);
    return known === undefined ? [] : [{ score: known, ...counts }];
  });
  return { needed: told?.needed ?? null, scores };
}

/** The agent's own report of its overhead. */
export function reportedBy({ overhead }: BundleHeader): ContextOverhead {
  if (overhead === null) return NO_OVERHEAD;
  const { categories, declaredTokens } = overhead;
  return { categories, ...(declaredTokens === undefined ? {} : { declaredTokens }) };
}
