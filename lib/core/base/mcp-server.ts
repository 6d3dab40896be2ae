/**
 * Returns the MCP server in a tool's name, or `undefined` for an agent's own tool. Three conventions are known: `mcp__server__tool` (recordings of
 * Claude Code and Codex), `server__tool` (QwenLM/qwen-code 0.12.0, contextCommand.ts) and `mcp_server_tool` (recordings of Gemini CLI and pi). In the
 * last one the server's name ends at the next underscore.
 */
export function serverOfTool(tool: string): string | undefined {
  const prefixed = /^mcp__(.+?)(?:__|$)/.exec(tool);
  if (prefixed !== null) return prefixed[1];
  const single = /^mcp_([^_]+)_./.exec(tool);
  if (single !== null) return single[1];
  return /^([^_].*?)__./.exec(tool)?.[1];
}

/** MCP servers of a session's tools. */
interface ServerTable {
  readonly names: readonly string[];
  /** Index into `names` for each index into `tables.tools`; −1 for the agent's own tools. */
  readonly ofTool: Int32Array;
}

const cache = new WeakMap<readonly string[], ServerTable>();

/** Lists the servers of a tool table in order of first appearance. Computed once per table. */
export function serversOf(tools: readonly string[]): ServerTable {
  const known = cache.get(tools);
  if (known !== undefined) return known;
  const names: string[] = [];
  const ofTool = Int32Array.from(tools, (tool) => {
    const server = serverOfTool(tool);
    if (server === undefined) return -1;
    if (!names.includes(server)) names.push(server);
    return names.indexOf(server);
  });
  const table = { names, ofTool };
  cache.set(tools, table);
  return table;
}
