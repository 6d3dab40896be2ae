import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { useWholeText } from "./item-text";

const shown = vi.hoisted(() => ({ session: { id: "s", version: "1", texts: 0 } }));
vi.mock("../state/stores", () => ({ useSession: () => shown.session }));

const Text = () => useWholeText(7, true).data?.text ?? "loading";

test("a full text is no longer shown once its item has changed", () => {
  const client = new QueryClient();
  const rendered = () =>
    renderToStaticMarkup(
      <QueryClientProvider client={client}>
        <Text />
      </QueryClientProvider>,
    );
  rendered();
  for (const { queryKey } of client.getQueryCache().getAll()) client.setQueryData(queryKey, { text: "the old text" });
  expect(rendered()).toBe("the old text");
  shown.session = { id: "s", version: "2", texts: 1 };
  expect(rendered()).toBe("loading");
});
