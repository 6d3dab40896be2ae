import { type AgentPlaces, lastParts, type Placed } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";

/** A session is `sessions/<project>/<session>.jsonl`. Source: README.md, "Where sessions are stored". */
const droidPlaces: AgentPlaces = {
  roots: [{ folder: ".factory/sessions" }],
  files: ["**/*.jsonl"],
  projectFolder,
  subagents: () => [{ folder: ".", files: /\.jsonl$/, depth: 0, isShared: true }],
  placed,
};

/** The path with every `/` replaced by a dash. */
function projectFolder(project: string): string {
  return project.replaceAll("/", "-");
}

function placed(path: string): Placed {
  const [folder = "", name = ""] = lastParts(path, 2);
  const sessionId = name.replace(/\.jsonl$/, "");
  return {
    ...(sessionId === "" || sessionId === name ? {} : { sessionId }),
    ...(folder.startsWith("-") ? { projectFolder: folder } : {}),
  };
}

/** The browser profile of Factory Droid. Its compaction rules are not published. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "files record no window: 200,000 is that of most models",
  }),
  places: droidPlaces,
  constants: {} satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
