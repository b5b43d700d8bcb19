import { expect, it } from "vitest";
import { createTitleCache } from "../../../src/moderation/poll/titles.ts";
import type { VideoClient } from "../../../src/video/index.ts";

/** A server's own consent, which sees its videos by a title of their own. */
function clientOf(server: string) {
  const asked: unknown[] = [];
  const call = async (_: string, { id }: { readonly id: readonly string[] }) => {
    asked.push(...id);
    return { items: id.map((one) => ({ id: one, snippet: { title: `${one} of ${server}` } })) };
  };
  return { client: { call } as unknown as VideoClient, asked };
}

const { signal } = new AbortController();

it("shows no server what another one's consent has shown of the same channel", async () => {
  const titles = createTitleCache(() => 0);
  const asked = { source: "UC1", videoIds: ["v1"], signal };
  await titles(clientOf("A").client, { ...asked, guildId: "1" });

  const shown = await titles(clientOf("B").client, { ...asked, guildId: "2" });

  expect(shown.get("v1")).toEqual({ title: "v1 of B" });
});

it("asks once for what a server was told", async () => {
  const titles = createTitleCache(() => 0);
  const { client, asked } = clientOf("A");
  const options = { guildId: "1", source: "UC1", videoIds: ["v1"], signal };

  await titles(client, options);
  await titles(client, options);

  expect(asked).toEqual(["v1"]);
});
