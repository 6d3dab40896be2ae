import type { SqlDialect } from "./statement";

/** The tables, version by version: a later version is a further entry, and none is changed once it was released. */
type Migration = (dialect: SqlDialect) => readonly string[];

export const MIGRATIONS: readonly Migration[] = [
  firstTables,
  withFidelity,
  listColumns,
  withScores,
  keptInMemory,
  shortWords,
  textsInRows,
  ownRequests,
  unpricedModels,
];

interface Words {
  readonly text: string;
  readonly number: string;
  readonly bytes: string;
  readonly rowNumber: string;
}

const WORDS: Readonly<Record<SqlDialect, Words>> = {
  sqlite: { text: "text", number: "numeric", bytes: "blob", rowNumber: "integer primary key" },
  // Texts are ordered by their characters' codes, whatever language the server is set to.
  postgres: {
    text: 'text collate "C"',
    number: "double precision",
    bytes: "bytea",
    rowNumber: "bigint generated always as identity primary key",
  },
};

function firstTables(dialect: SqlDialect): readonly string[] {
  const { text, number, bytes, rowNumber } = WORDS[dialect];
  return [
    `create table files (id ${text} primary key, source ${text} not null, path ${text} not null, bytes ${number} not null,
      mtime ${number} not null, inode ${text} not null, listed_as ${text} not null, made_by ${text}, gone_at ${number})`,
    `create table sessions (number ${rowNumber}, id ${text} not null unique, source ${text} not null,
      sample ${number} not null, upload ${number} not null, shown ${number} not null, gone ${number} not null,
      agent ${text}, version ${text}, project ${text}, folder ${text}, day ${text}, started ${number}, modified ${number} not null,
      bytes ${number} not null, title ${text} not null, project_name ${text} not null, requests ${number}, compactions ${number},
      peak ${number}, cost ${number}, cost_is_least ${number}, input ${number}, cache_read ${number}, cache_write ${number},
      output ${number}, sent ${number}, damaged ${number}, problems ${number}, accuracy ${number},
      copy ${number} not null, repeated ${number} not null)`,
    "create index sessions_by_time on sessions (modified, id)",
    "create index sessions_by_folder on sessions (folder)",
    `create table session_rows (id ${text} primary key, row ${text} not null)`,
    `create table session_models (id ${text} not null, model ${text} not null, primary key (id, model))`,
    "create index sessions_by_model on session_models (model)",
    `create table session_breaks (id ${text} not null, cause ${text} not null, count ${number} not null,
      tokens ${number} not null, usd ${number}, primary key (id, cause))`,
    `create table session_links (id ${text} primary key, facts ${text} not null,
      exact ${bytes} not null, sizes ${bytes} not null, is_new ${number} not null)`,
    ...SEARCH[dialect],
  ];
}

/** What is not known yet is learnt when the recordings are next read: another code reads them all again. */
function withFidelity(dialect: SqlDialect): readonly string[] {
  const { number } = WORDS[dialect];
  return ["fidelity", "checked"].map((name) => `alter table sessions add column ${name} ${number}`);
}

/** What the list is sorted and narrowed by beyond the first tables. Files are read again, since what an earlier release kept lacks it. */
function listColumns(dialect: SqlDialect): readonly string[] {
  const { text, number } = WORDS[dialect];
  const columns = { state: text, ended: number, model: text, peak_share: number, compacted: number, faulty: number };
  return [
    ...Object.entries(columns).map(([name, type]) => `alter table sessions add column ${name} ${type}`),
    "update sessions set ended = modified, state = 'unread'",
    "update files set made_by = null",
  ];
}

/** What was needed again, and how far the figures can be trusted. Learnt when the recordings are next read: another code reads them all again. */
function withScores(dialect: SqlDialect): readonly string[] {
  const { text, number } = WORDS[dialect];
  return [
    ...["needed", "needed_tokens"].map((name) => `alter table sessions add column ${name} ${number}`),
    `create table session_scores (id ${text} not null, score ${text} not null, part ${number} not null,
      whole ${number} not null, primary key (id, score))`,
  ];
}

/**
 * Everything that lists are narrowed, sorted and summed by is a column of one table, since a server holds these columns in memory, and every change is noted, so
 * that it finds what to read anew whoever has written it. Files are read again, since what was in tables of its own is gone.
 */
function keptInMemory(dialect: SqlDialect): readonly string[] {
  const { text, number } = WORDS[dialect];
  return [
    ...["session_models", "session_breaks", "session_scores"].map((table) => `drop table ${table}`),
    "drop index sessions_by_time",
    ...["model", "project_name"].map((column) => `alter table sessions drop column ${column}`),
    ...["models", "breaks", "scores"].map((column) => `alter table sessions add column ${column} ${text}`),
    "update files set made_by = null",
    `create table session_changes (number ${dialect === "sqlite" ? "integer" : "bigint"} primary key, revision ${number} not null)`,
    "create index session_changes_in_order on session_changes (revision)",
    "insert into session_changes (number, revision) select number, number from sessions",
    ...NOTES_OF_CHANGES[dialect],
  ];
}

/**
 * Words of one or two characters, which would otherwise be looked for in all texts. They are written when the recordings are next read: another code reads them
 * all again.
 */
function shortWords(dialect: SqlDialect): readonly string[] {
  if (dialect === "sqlite") {
    // Without the words themselves and their places: a byte or two for a word of a session.
    const options = "content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'";
    return [`create virtual table short_words using fts5(words, ${options})`, "update files set made_by = null"];
  }
  return [
    "create table short_words (rowid bigint primary key, words text not null)",
    "create index short_words_by_word on short_words using gin (string_to_array(words, ' '))",
    "update files set made_by = null",
  ];
}

/**
 * PostgreSQL looks again at every text that the index of three characters gives. A text in its row, packed by LZ4, is there in two thirds of the time that one beside its row takes.
 * Texts move there when they are next written.
 */
function textsInRows(dialect: SqlDialect): readonly string[] {
  if (dialect === "sqlite") return [];
  return [
    "alter table search alter column text set storage main",
    // A server without LZ4, or older than the choice, packs as before.
    `do $$ begin
      execute 'alter table search alter column text set compression lz4';
    exception when others then null; end $$`,
  ];
}

/** Sums over the requests that a session counts, by quarters of an hour. Files are read again, since their requests were not kept one by one. */
function ownRequests(dialect: SqlDialect): readonly string[] {
  const { text, number, bytes } = WORDS[dialect];
  const numbers = ["counted_requests", "counted_compactions", "priced", "unpriced", "first_at", "last_at", "inherited"];
  return [
    ...numbers.map((name) => `alter table sessions add column ${name} ${number}`),
    `alter table sessions add column quarters ${text}`,
    "alter table sessions drop column day",
    "drop table session_links",
    `create table session_links (id ${text} primary key, facts ${text} not null, exact ${bytes} not null,
      sizes ${bytes} not null, figures ${bytes} not null, is_new ${number} not null)`,
    "update files set made_by = null",
  ];
}

/** Names of models without a price. All files are read again, since the figures of each request have one more number. */
function unpricedModels(dialect: SqlDialect): readonly string[] {
  return [
    `alter table sessions add column unpriced_models ${WORDS[dialect].text}`,
    "delete from session_links",
    "update files set made_by = null",
  ];
}

/** Notes the last change of every session, those included that were removed. A change that is seen is never followed by one with a smaller revision. */
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
    "create sequence session_revisions",
    "select setval('session_revisions', coalesce(max(revision), 0)::bigint + 1) from session_changes",
    // Whoever writes waits for the end of others' transactions: revisions would otherwise be seen in another order than that of their numbers.
    `create function note_session_change() returns trigger language plpgsql as $$ begin
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

/** Tables of texts in which any three characters are found by an index, of whatever language they are. */
const SEARCH: Readonly<Record<SqlDialect, readonly string[]>> = {
  sqlite: ["create virtual table search using fts5(text, tokenize = 'trigram case_sensitive 1')"],
  postgres: [
    "create table search (rowid bigint primary key, text text not null)",
    // A server without the extension, or that does not let us add it, searches without an index.
    `do $$ begin
      create extension if not exists pg_trgm;
      create index search_by_text on search using gin (text gin_trgm_ops);
    exception when others then null; end $$`,
  ],
};
