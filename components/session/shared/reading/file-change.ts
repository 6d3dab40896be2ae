/** A line of a change: it stays, is added or removed, or heads a part of the file. */
export interface ChangedLine {
  readonly sign: " " | "+" | "-" | "@";
  readonly text: string;
}

/** What a call changes in one file. */
export interface FileChange {
  /** The file's path as the call gives it; empty where it names none. */
  readonly path: string;
  /** The path that the file is moved to. */
  readonly movedTo?: string;
  readonly what: "added" | "changed" | "removed";
  readonly lines: readonly ChangedLine[];
}
