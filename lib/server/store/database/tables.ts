import type { SqlDialect } from "./statement";

/**
 * Increases with every change of the tables. Everything in the index comes from recordings, so tables of an earlier version are dropped and
 * recreated, and all recordings are read again.
 */
export const TABLES_VERSION = 11;

interface Words {
  readonly text: string;
  readonly number: string;
  readonly bytes: string;
  readonly rowNumber: string;
}

const WORDS: Readonly<Record<SqlDialect, Words>> = {
  sqlite: { text: "text", number: "numeric", bytes: "blob", rowNumber: "integer primary key" },
  // Texts are ordered by their character codes, whatever the server's locale.
  postgres: {
    text: 'text collate "C"',
    number: "double precision",
    bytes: "bytea",
    rowNumber: "bigint generated always as identity primary key",
  },
};

/** Statements that drop the tables of any version and create those of this one. */
export function tablesOf(dialect: SqlDialect): readonly string[] {
  const { text, number, bytes, rowNumber } = WORDS[dialect];
  return [
    ...DROPPED.map((table) => `drop table if exists ${table}`),
    `create table files (id ${text} primary key, source ${text} not null, path ${text} not null, bytes ${number} not null,
      mtime ${number} not null, inode ${text} not null, listed_as ${text} not null, made_by ${text}, gone_at ${number})`,
    // The row comes last: it is long, and most queries need only the columns before it.
    `create table sessions (number ${rowNumber}, id ${text} not null unique, source ${text} not null,
      sample ${number} not null, gone ${number} not null, agent ${text}, project ${text}, folder ${text}, state ${text} not null,
      figures ${text} not null, facts ${text}, counted ${text}, row ${text} not null)`,
    "create index sessions_by_folder on sessions (folder)",
    `create table session_links (id ${text} primary key, facts ${text} not null, exact ${bytes} not null,
      sizes ${bytes} not null, figures ${bytes} not null, is_new ${number} not null)`,
    `create table session_changes (number ${dialect === "sqlite" ? "integer" : "bigint"} primary key, revision ${number} not null)`,
    "create index session_changes_in_order on session_changes (revision)",
    ...NOTES_OF_CHANGES[dialect],
    ...SEARCH[dialect],
  ];
}

/** Every table of any version. */
const DROPPED = [
  ...["files", "sessions", "session_links", "session_changes", "search", "short_words"],
  ...["session_rows", "session_models", "session_breaks", "session_scores"],
];

/** Records the last change of every session, including removed ones. Changes become visible in the order of their revisions. */
const NOTES_OF_CHANGES: Readonly<Record<SqlDialect, readonly string[]>> = {
  sqlite: (
    [
      ["insert", "new"],
      ["update", "new"],
      ["delete", "old"],
    ] as const
  ).map(
    ([change, row]) => `create trigger session_${change} after ${change} on sessions begin
      insert into session_changes (number, revision)
        values (${row}.number, (select coalesce(max(revision), 0) + 1 from session_changes))
        on conflict (number) do update set revision = excluded.revision;
    end`,
  ),
  postgres: [
    "drop sequence if exists session_revisions",
    "create sequence session_revisions",
    // A writer waits for the end of other transactions: revisions would otherwise become visible out of order.
    `create or replace function note_session_change() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(hashtext('session_changes'));
      insert into session_changes (number, revision)
        values (coalesce(new.number, old.number), nextval('session_revisions'))
        on conflict (number) do update set revision = excluded.revision;
      return null;
    end $$`,
    `create trigger session_changed after insert or update or delete on sessions
      for each row execute function note_session_change()`,
  ],
};

/**
 * Tables of texts with an index that finds any three characters, in any language, and an index of their words of one or two characters, which would otherwise
 * need a scan of all texts.
 */
const SEARCH: Readonly<Record<SqlDialect, readonly string[]>> = {
  sqlite: [
    "create virtual table search using fts5(text, tokenize = 'trigram case_sensitive 1')",
    // Without the words themselves and their positions: a byte or two per word of a session.
    "create virtual table short_words using fts5(words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')",
  ],
  postgres: [
    // PostgreSQL re-checks every text that the trigram index returns; with the text in its row, compressed by LZ4, that takes a third less time.
    "create table search (rowid bigint primary key, text text not null)",
    "alter table search alter column text set storage main",
    // A server without LZ4 uses its default compression; without the extension, or without the right to add it, it searches without an index.
    `do $$ begin
      alter table search alter column text set compression lz4;
    exception when others then null; end $$`,
    `do $$ begin
      create extension if not exists pg_trgm;
      create index search_by_text on search using gin (text gin_trgm_ops);
    exception when others then null; end $$`,
    "create table short_words (rowid bigint primary key, words text not null)",
    "create index short_words_by_word on short_words using gin (string_to_array(words, ' '))",
  ],
};
