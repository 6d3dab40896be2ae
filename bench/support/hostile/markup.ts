import { call, claude, type Json, prompt, response, result, text, time } from "./records";

/** Sessions with one text in every field that holds text. */

/** Every script in `HOSTILE_TEXT` sets this if the page lets it run. */
export const RAN = "contextReplayRan";

/** Text that is harmful unless treated as text: HTML, Markdown, terminal escapes, bidirectional overrides. */
export const HOSTILE_TEXT = [
  `<script>window.${RAN}=1</script>`,
  `<img src=x onerror="window.${RAN}=1">`,
  `<svg/onload=window.${RAN}=1>`,
  `"><iframe srcdoc="<script>parent.${RAN}=1</script>"></iframe>`,
  `[click](javascript:window.${RAN}=1) ![pixel](http://192.0.2.1/pixel.png)`,
  "\u001b[31mred\u001b[0m \u001b]8;;http://192.0.2.1\u0007link\u001b]8;;\u0007 \u001b[2J",
  "\u202egnp.exe\u202c \u2066\u2069 \u200b",
  "{{constructor.constructor('return process')()}} <%= 7*7 %> #{7*7}",
  "</textarea></title></style><style>*{display:none}</style>",
  "'; drop table sessions; --",
].join("\n");

/** A session whose every text field holds the given text. */
export function hostileClaudeCode(hostile: string): Json[] {
  return [
    { type: "summary", summary: hostile, leafUuid: "u-5" },
    { ...prompt(0, hostile), cwd: hostile, gitBranch: hostile, version: hostile, slug: hostile },
    response(1, [
      { type: "thinking", thinking: hostile, signature: hostile },
      text(hostile),
      call("t-1", hostile, { file_path: hostile, command: hostile }),
    ]),
    claude(2, "user", { role: "user", content: [result("t-1", hostile)] }, { toolUseResult: { stdout: hostile } }),
    response(3, [text(hostile), call("t-2", "Read", { file_path: hostile })]),
    claude(4, "user", {
      role: "user",
      content: [
        result("t-2", [
          text(hostile),
          { type: "image", source: { type: "base64", media_type: hostile, data: hostile } },
        ]),
      ],
    }),
    response(5, [text(hostile)]),
    { ...prompt(6, hostile), type: "system", subtype: "local_command", content: hostile },
    { type: hostile, uuid: "u-7", parentUuid: "u-6", isSidechain: false, timestamp: hostile },
    { type: "custom-title", customTitle: hostile, sessionId: "hostile" },
  ];
}

/** A Codex rollout whose every text field holds the given text. */
export function hostileCodex(hostile: string): Json[] {
  const item = (step: number, payload: Json): Json => ({ timestamp: time(step), type: "response_item", payload });
  const message = (role: string, kind: string): Json => ({
    type: "message",
    role,
    content: [{ type: kind, text: hostile }],
  });
  const usage = {
    input_tokens: 20_000,
    cached_input_tokens: 128,
    output_tokens: 20,
    reasoning_output_tokens: 3,
    total_tokens: 20_020,
  };
  return [
    {
      timestamp: time(0),
      type: "session_meta",
      payload: {
        id: hostile,
        cwd: hostile,
        originator: hostile,
        cli_version: hostile,
        source: "cli",
        base_instructions: { text: hostile },
        git: { branch: hostile },
      },
    },
    { timestamp: time(1), type: "turn_context", payload: { cwd: hostile, model: hostile, summary: "auto" } },
    item(2, message("user", "input_text")),
    item(3, {
      type: "reasoning",
      summary: [{ type: "summary_text", text: hostile }],
      content: null,
      encrypted_content: hostile,
    }),
    item(4, message("assistant", "output_text")),
    item(5, { type: "function_call", name: hostile, arguments: hostile, call_id: "c-1" }),
    item(6, { type: "function_call_output", call_id: "c-1", output: hostile }),
    {
      timestamp: time(7),
      type: "event_msg",
      payload: {
        type: "token_count",
        info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 258_400 },
      },
    },
    { timestamp: time(8), type: "event_msg", payload: { type: hostile, message: hostile } },
    { timestamp: time(9), type: "compacted", payload: { message: hostile } },
  ];
}
