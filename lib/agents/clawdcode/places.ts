import { type AgentPlaces, lastParts, type Placed } from "../places";
import { projectFolder } from "./storage";

/** Sessions are `projects/<project>/<session>.jsonl`. Source: README.md, "Where sessions lie". */
export const clawdcodePlaces: AgentPlaces = {
  roots: [{ folder: ".clawdcode" }],
  files: ["projects/*/*.jsonl"],
  projectFolder: (project) => projectFolder(project, "current"),
  placed,
};

function placed(path: string): Placed {
  const [folder = "", name = ""] = lastParts(path, 2);
  return { sessionId: name.replace(/\.jsonl$/, ""), ...(folder === "" ? {} : { projectFolder: folder }) };
}
