import { afterAll, expect, it } from "vitest";
import { createRecordTable } from "../../src/database/index.ts";
import { onEach } from "../support/databases/each-kind.ts";
import { guild, openFor, otherGuild, rowsOf } from "./open.ts";

interface Watch {
  readonly source: string;
  readonly text?: string;
}

onEach((kind) => {
  afterAll(() => kind().stop());

  async function stage() {
    const place = await kind().fresh();
    const database = await openFor({ url: place.url });
    const watches = createRecordTable<"watches", Watch>(database, {
      table: "watches",
      key: ["id"],
      columnsOf: ({ source }) => ({
        source,
        is_paused: 0,
        added_at: 5,
        pace_ms: 60_000,
        poll_units: 1,
      }),
    });
    const progress = createRecordTable<"watches", { readonly n?: number }>(database, {
      table: "watches",
      key: ["id"],
      column: "progress",
    });
    return { place, database, watches, progress };
  }

  it("keeps a record by its server and its key, with its columns", async () => {
    const { place, watches } = await stage();

    await watches.change(guild, ["w1"], () => ({ source: "UC-a", text: "ä \u0001 \u{1f600}" }));
    await watches.change(otherGuild, ["w1"], () => ({ source: "UC-b" }));
    await watches.change(guild, ["w1"], (stored) => ({ ...stored, source: "UC-c" }));

    expect(await watches.read(guild, "w1")).toEqual({ source: "UC-c", text: "ä \u0001 \u{1f600}" });
    expect(await watches.read(otherGuild, "w1")).toEqual({ source: "UC-b" });
    expect(await watches.read(guild, "w2")).toBeUndefined();
    const rows = await place.query("select source from watches order by source");
    expect(rows.map(({ source }) => source)).toEqual(["UC-b", "UC-c"]);
  });

  it("writes nothing where the very same is made, and removes where nothing is", async () => {
    const { place, watches } = await stage();
    await watches.change(guild, ["w1"], () => ({ source: "UC-a" }));

    await watches.change(guild, ["w1"], (stored) => stored);
    await watches.change(otherGuild, ["w1"], () => undefined);
    expect(await rowsOf(place, "servers")).toBe(1);
    await watches.change(guild, ["w1"], () => undefined);

    expect(await watches.read(guild, "w1")).toBeUndefined();
    expect(await watches.remove(guild, "w1")).toBe(false);
  });

  it("leaves a record as it is when its change throws", async () => {
    const { watches } = await stage();
    await watches.change(guild, ["w1"], () => ({ source: "UC-a" }));

    const failing = watches.change(guild, ["w1"], () => {
      throw new Error("no");
    });

    await expect(failing).rejects.toThrow("no");
    expect(await watches.read(guild, "w1")).toEqual({ source: "UC-a" });
  });

  it("keeps a second record of a row, that comes and goes with it", async () => {
    const { watches, progress } = await stage();
    const count = (stored: { readonly n?: number } = {}) => ({ n: (stored.n ?? 0) + 1 });

    expect(await progress.change(guild, ["w1"], count)).toBeUndefined();
    await watches.change(guild, ["w1"], () => ({ source: "UC-a" }));
    await progress.change(guild, ["w1"], count);
    await watches.change(guild, ["w1"], () => ({ source: "UC-b" }));
    await progress.change(guild, ["w1"], count);

    expect(await progress.read(guild, "w1")).toEqual({ n: 2 });
    expect(await watches.read(guild, "w1")).toEqual({ source: "UC-b" });
  });

  it("refuses what is no server's id", async () => {
    const { watches } = await stage();

    const refused = expect.objectContaining({ code: "guild_id" });
    await expect(watches.read("x", "w1")).rejects.toEqual(refused);
    await expect(watches.change("1", ["w1"], () => ({ source: "" }))).rejects.toEqual(refused);
  });
});
