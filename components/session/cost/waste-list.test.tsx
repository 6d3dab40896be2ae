import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, it } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { Servers } from "./waste-list";

function drawn(locale: "en" | "zh-CN"): string {
  const github = { name: "github", tools: 12, tokens: 3_200_000, usd: 1.6 };
  const off = { text: "[mcp_servers.github] enabled = false", file: "~/.codex/config.toml" };
  const html = renderToStaticMarkup(
    <IntlProvider locale={locale} timeZone="UTC" messages={MESSAGES[locale]}>
      <Servers
        servers={[
          { ...github, off },
          { name: "db", tools: 1, tokens: 900, usd: null, off: null },
        ]}
      />
    </IntlProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, "").replaceAll("\u00a0", " ");
}

it("each unused MCP server is listed with its tokens, its cost and how to turn it off", () => {
  const text = drawn("en");
  expect(text).toContain("MCP server github: 12 tools, none called, 3.20 M tokens sent");
  expect(text).toContain("Turn it off: [mcp_servers.github] enabled = false in ~/.codex/config.toml");
  expect(text).toMatch(/MCP server db: 1 tool, none called, 900 tokens sent$/);
  expect(drawn("zh-CN")).toContain("MCP 服务器 github：12 个工具均未调用");
});
