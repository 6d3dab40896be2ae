/**
 * Names of the tools that agents come with, in lower case: public words, which reveal nothing about a session. A bundle keeps these and numbers all
 * others. Must include every name that a policy checks; a test replays bundles to verify this. Source: the agent notes and recordings.
 */
export const SHIPPED_TOOLS: ReadonlySet<string> = new Set([
  ...["read", "write", "edit", "multiedit", "notebookedit", "bash", "bashoutput", "killshell", "grep", "glob", "ls"],
  ...["webfetch", "websearch", "task", "agent", "skill", "todowrite", "todoread", "lsp", "slashcommand"],
  ...["taskcreate", "taskupdate", "tasklist", "taskget", "taskstop", "taskoutput", "toolsearch"],
  ...["enterplanmode", "exitplanmode", "askuserquestion"],
  ...["shell", "exec", "exec_command", "write_stdin", "local_shell", "apply_patch", "update_plan", "view_image"],
  ...["web_search", "tool_search", "spawn_agent", "wait_agent", "send_input", "close_agent", "resume_agent"],
  ...["list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource", "request_user_input"],
  ...[
    "read_file",
    "read_many_files",
    "write_file",
    "replace",
    "list_directory",
    "run_shell_command",
    "search_file_content",
  ],
  ...["grep_search", "web_fetch", "google_web_search", "save_memory", "todo_write", "exit_plan_mode"],
  ...[
    "list",
    "patch",
    "batch",
    "question",
    "find",
    "process",
    "browser",
    "canvas",
    "nodes",
    "cron",
    "message",
    "gateway",
  ],
]);
