import type { Random } from "./random";
import type { Call, Outcome, Step } from "./script";
import type { Workspace } from "./workspace";

/** Tool calls as Claude Code makes them, answered from the workspace. */

/** The file as its Read tool prints it. */
function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(first + index).padStart(6)}→${line}`).join("\n");
}

export function read(path: string, from = 1, count = 2000): Call {
  return call("Read", 0.3, (workspace) => {
    const all = workspace.content(path).split("\n");
    const lines = all.slice(from - 1, from - 1 + count);
    const file = workspace.path(path);
    const part = lines.length < all.length ? { offset: from, limit: count } : {};
    return {
      input: { file_path: file, ...part },
      text: numbered(lines, from),
      structured: {
        type: "text",
        file: { filePath: file, numLines: lines.length, startLine: from, totalLines: all.length },
      },
    };
  });
}

export function grep(pattern: RegExp, glob = "", where = /./): Call {
  return call("Grep", 0.4, (workspace) => {
    const found = workspace.search(pattern, where);
    const filter = glob === "" ? {} : { glob };
    return {
      input: { pattern: pattern.source, path: workspace.root, ...filter, output_mode: "content", "-n": true },
      text: found.length === 0 ? "No matches found" : found.join("\n"),
      structured: { mode: "content", numFiles: 0, filenames: [], numLines: found.length },
    };
  });
}

export function glob(pattern: string, where: RegExp): Call {
  return call("Glob", 0.2, (workspace) => {
    const names = workspace.paths(where).map((path) => workspace.path(path));
    return {
      input: { pattern },
      text: names.join("\n"),
      structured: { filenames: names, durationMs: 21, numFiles: names.length, truncated: false },
    };
  });
}

export function bash(
  command: string,
  description: string,
  output: (workspace: Workspace, random: Random) => string,
  seconds = 3,
  isError = false,
): Call {
  return call("Bash", seconds, (workspace, random) => {
    const text = output(workspace, random);
    return {
      input: { command, description },
      text: isError ? `Exit code 1\n${text}` : text,
      structured: {
        stdout: isError ? "" : text.slice(0, 400),
        stderr: isError ? text.slice(0, 400) : "",
        interrupted: false,
        isImage: false,
      },
      isError,
    };
  });
}

/** Adds lines behind the first that matches. */
export function edit(path: string, pattern: RegExp, added: readonly string[]): Call {
  return call("Edit", 0.2, (workspace) => {
    const file = workspace.path(path);
    const { before, after, line } = workspace.insertAfter(path, pattern, added);
    const shown = workspace
      .content(path)
      .split("\n")
      .slice(Math.max(0, line - 4), line + added.length + 4);
    return {
      input: { file_path: file, old_string: before, new_string: after, replace_all: false },
      text: `The file ${file} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${numbered(shown, Math.max(1, line - 3))}`,
      structured: {
        filePath: file,
        oldString: before,
        newString: after,
        structuredPatch: [
          {
            oldStart: line,
            oldLines: 2,
            newStart: line,
            newLines: 2 + added.length,
            lines: added.map((text) => `+${text}`),
          },
        ],
        userModified: false,
        replaceAll: false,
      },
    };
  });
}

export function write(path: string, content: string): Call {
  return call("Write", 0.2, (workspace) => {
    workspace.write(path, content);
    const file = workspace.path(path);
    return {
      input: { file_path: file, content },
      text: `File created successfully at: ${file}`,
      structured: { type: "create", filePath: file, content, structuredPatch: [], originalFile: null },
    };
  });
}

/** The list of what is to be done: the first ones done, one in progress, the rest waiting. */
export function todos(done: number, items: readonly string[]): Call {
  return call("TodoWrite", 0.1, () => {
    const list = items.map((content, index) => ({
      content,
      status: index < done ? "completed" : index === done ? "in_progress" : "pending",
      activeForm: content,
    }));
    return {
      input: { todos: list },
      text: "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable",
      structured: { newTodos: list },
    };
  });
}

/** A tool of an MCP server. */
export function mcp(name: string, input: Outcome["input"], result: (random: Random) => unknown): Call {
  return call(name, 1.4, (_workspace, random) => ({ input, text: JSON.stringify(result(random), null, 2) }));
}

export function fetchPage(url: string, prompt: string, answer: string): Call {
  return call("WebFetch", 5, () => ({
    input: { url, prompt },
    text: answer,
    structured: { bytes: answer.length * 40, code: 200, codeText: "OK", result: answer, durationMs: 4200, url },
  }));
}

export function task(description: string, prompt: string, kind: string, steps: readonly Step[], report: string): Call {
  return call("Task", 70, () => ({
    input: { description, prompt, subagent_type: kind },
    text: report,
    subagent: steps,
  }));
}

function call(tool: string, seconds: number, run: Call["run"]): Call {
  return { tool, seconds, run };
}
