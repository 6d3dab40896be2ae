import type { AgentPlaces } from "../places";

/**
 * Sessions are rows of a database; earlier releases kept them as a tree of small files, one for each message part, which is not read: those sessions are
 * exported. Source: README.md, "Where the sessions lie".
 */
export const opencodePlaces: AgentPlaces = {
  roots: [{ folder: ".local/share/opencode", variables: [{ name: "XDG_DATA_HOME", below: "opencode" }] }],
  files: [],
  stores: [
    { file: "opencode.db", variable: "OPENCODE_DB", exportCommand: "opencode export SESSION > session.json" },
    { file: "opencode-*.db", exportCommand: "opencode export SESSION > session.json" },
    { file: "storage/session", exportCommand: "opencode export SESSION > session.json" },
  ],
};
