/** Limits of reading, so that a hostile file costs time only in proportion to its size, and a bounded amount of memory. */
export const LIMITS = {
  /** A longer line counts as damaged ("too long") and is not read. This is below the longest string that the engine can hold. */
  maxLineBytes: 256 * 1024 * 1024,
  /** A larger file is read as lines, whatever it looks like, since a document has to be held whole. */
  documentBytes: 256 * 1024 * 1024,
  /** A packed file that unpacks to more is refused. */
  unpackedBytes: 1024 * 1024 * 1024,
  /** The largest window of a Zstandard frame: what `zstd -d` allows by default. */
  zstdWindowBytes: 128 * 1024 * 1024,
  /** How many bytes unpacking a Zstandard file may move within windows: some ten seconds of work. */
  zstdMovedBytes: 64 * 1024 * 1024 * 1024,
  /** How long the decoder of Zstandard may take for one piece of a file: what `zstdMovedBytes` allows, on a machine of a third of the speed. */
  zstdPieceMs: 30_000,
  /** How much of a file's beginning is read to tell whether it is a document. */
  documentHeadBytes: 64 * 1024,
  /** How much of a file is read to list it before it was read whole. */
  headBytes: 128 * 1024,
  /** How many damaged lines are listed; further ones are only counted. */
  damagedLines: 100_000,
  /** How many records a reader may look at before it says whether the file is its own. */
  sniffRecords: 50,
  /** How many bytes of records may wait for that decision. */
  sniffBytes: 64 * 1024 * 1024,
  /** A file with binary content that no reader has taken by then is given up. */
  binaryBytes: 8 * 1024 * 1024,
  /** How much of a file's beginning tells what a file without records is: the names of a SQLite database's tables stand there. */
  beginningBytes: 256 * 1024,
  /** Texts up to this length are kept in the transcript: only empty ones. In a file of 1 GB, short texts alone would take 50 MB. */
  keepChars: 0,
} as const;
