/** Limits of reading, so that a hostile file takes time only in proportion to its size, and bounded memory. */
export const LIMITS = {
  /** A longer line counts as damaged ("too long") and is not read. Below the engine's maximum string length. */
  maxLineBytes: 256 * 1024 * 1024,
  /** A larger file is read as lines, since a document is held as a whole. */
  documentBytes: 256 * 1024 * 1024,
  /** Maximum bytes of an unpacked file. */
  unpackedBytes: 1024 * 1024 * 1024,
  /** Maximum window of a Zstandard frame: the default of `zstd -d`. */
  zstdWindowBytes: 128 * 1024 * 1024,
  /** Maximum bytes that unpacking a Zstandard file moves within windows: some ten seconds of work. */
  zstdMovedBytes: 64 * 1024 * 1024 * 1024,
  /** Maximum time of the Zstandard decoder for one piece of a file: `zstdMovedBytes` on a machine of a third of the speed. */
  zstdPieceMs: 30_000,
  /** Bytes read from a file's beginning to detect a document. */
  documentHeadBytes: 64 * 1024,
  /** Bytes read from a file to list it before it is read whole. */
  headBytes: 128 * 1024,
  /** Maximum listed damaged lines; further ones are only counted. */
  damagedLines: 100_000,
  /** Maximum records that a reader examines before it accepts or rejects the file. */
  sniffRecords: 50,
  /** Maximum bytes of records that wait for that decision. */
  sniffBytes: 64 * 1024 * 1024,
  /** A file with binary content that no reader has accepted by then is rejected. */
  binaryBytes: 8 * 1024 * 1024,
  /** Bytes of a file's beginning that identify a file without records, such as the table names of a SQLite database. */
  beginningBytes: 256 * 1024,
  /** Maximum length of texts that stay in the transcript: only empty ones. In a file of 1 GB, short texts would take 50 MB. */
  keepChars: 0,
} as const;
