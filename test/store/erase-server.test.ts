import { afterAll, expect, it } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { guild, otherGuild, rowsOf } from "../database/open.ts";
import { onEach } from "../support/databases/each-kind.ts";

onEach((kind) => {
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
    await kind().stop();
  });

  async function stage(onRevocation?: () => Promise<void>) {
    const place = await kind().fresh();
    const store = await openStore({
      url: place.url,
      keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }],
      ...(onRevocation && { onRevocation }),
    });
    closing.push(() => store.close());
    const link = (guildId: string, channelId: string) =>
      store.credentials.write(guildId, {
        kind: "channel",
        channelId,
        secret: `1//${channelId}`,
        addedBy: "1",
        addedAt: 0,
      });
    return { place, store, link };
  }

  it("writes down the consents of its channels as their links go", async () => {
    const made: number[] = [];
    const { place, store, link } = await stage(async () => void made.push(1));
    await link(guild, "UC-a");
    await link(guild, "UC-b");
    await link(otherGuild, "UC-c");

    await store.eraseServer(guild);
    await store.eraseServer(guild);

    const rows = await place.query("select channel_id from revocations order by channel_id");
    expect(rows.map(({ channel_id }) => channel_id)).toEqual(["UC-a", "UC-b"]);
    expect(made).toHaveLength(2);
    expect(await store.credentials.channels(guild)).toEqual({ state: "absent" });
    expect(await store.credentials.channels(otherGuild)).toMatchObject({ state: "found" });
  });

  it("keeps the links where their consents can't be written down", async () => {
    const { place, store, link } = await stage(async () => {
      throw new Error("no");
    });
    await link(guild, "UC-a");

    await expect(store.eraseServer(guild)).rejects.toMatchObject({ code: "store_unavailable" });

    expect(await store.credentials.channels(guild)).toMatchObject({ state: "found" });
    expect(await rowsOf(place, "revocations")).toBe(0);
  });
});
