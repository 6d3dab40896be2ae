/** Purpose of a tool, for icons and for views of its calls. */
export type ToolKind =
  | ("shell" | "edit" | "read" | "search" | "web" | "tasks")
  | ("question" | "plan" | "subagent" | "skill" | "mcp" | "other");

/** Names of tools by purpose, in lower case. Source: the agent notes and recordings. */
const NAMES: Readonly<Record<Exclude<ToolKind, "mcp" | "other">, readonly string[]>> = {
  shell: [
    ...["bash", "bashoutput", "killshell", "shell", "exec", "exec_command", "write_stdin", "local_shell"],
    ...["run_shell_command", "process", "taskoutput", "taskstop"],
  ],
  edit: ["write", "edit", "multiedit", "notebookedit", "apply_patch", "patch", "write_file", "replace", "edit_file"],
  read: ["read", "read_file", "read_many_files", "view_image", "notebookread", "read_mcp_resource"],
  search: [
    ...["grep", "glob", "ls", "lsp", "list", "find", "grep_search", "search_file_content", "list_directory"],
    ...["toolsearch", "tool_search", "list_mcp_resources", "list_mcp_resource_templates"],
  ],
  web: ["webfetch", "websearch", "web_search", "web_fetch", "google_web_search", "browser"],
  tasks: ["todowrite", "todoread", "todo_write", "taskcreate", "taskupdate", "tasklist", "taskget", "update_plan"],
  question: ["askuserquestion", "question", "request_user_input"],
  plan: ["enterplanmode", "exitplanmode", "exit_plan_mode"],
  subagent: ["task", "agent", "spawn_agent", "wait_agent", "send_input", "close_agent", "resume_agent"],
  skill: ["skill", "slashcommand"],
};

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  // The keys of the record are its kinds.
  Object.entries(NAMES).flatMap(([kind, names]) => names.map((name) => [name, kind as ToolKind] as const)),
);

/** Purpose of a tool by its name, whatever the agent. Tools of MCP servers are known by the prefix `mcp__`; unknown tools are `other`. */
export function toolKind(tool: string): ToolKind {
  const name = tool.toLowerCase();
  return KINDS.get(name) ?? (name.startsWith("mcp__") ? "mcp" : "other");
}
