import { type AgentPlaces, lastParts, type Placed } from "./places";

/** Folders below the home folder that hold the data of VS Code and its forks on Linux, macOS, Windows and remote machines. */
const HOMES = [".config", "Library/Application Support", "AppData/Roaming"];
const PROGRAMS = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];
const USER_FOLDERS = [
  ...HOMES.flatMap((home) => PROGRAMS.map((program) => `${home}/${program}/User`)),
  ".vscode-server/data/User",
];

/**
 * Places of an extension that keeps each task in a folder of its own.
 * @param extensions ids of the extension and its forks
 * @param others further folders below the home folder
 */
export function taskPlaces(extensions: readonly string[], others: readonly string[] = []): AgentPlaces {
  const folders = USER_FOLDERS.flatMap((user) => extensions.map((id) => `${user}/globalStorage/${id}`));
  return {
    roots: [...folders, ...others].map((folder) => ({ folder })),
    files: ["tasks/*/api_conversation_history.json"],
    placed,
  };
}

/** The task's folder is its id, which is the time of its beginning in some releases. */
function placed(path: string): Placed {
  const [sessionId = ""] = lastParts(path, 2);
  return {
    ...(sessionId === "" ? {} : { sessionId }),
    ...(/^1\d{12}$/.test(sessionId) ? { startedAt: Number(sessionId) } : {}),
  };
}
