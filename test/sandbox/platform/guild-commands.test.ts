import { beforeEach, describe, expect, it } from "vitest";
import type { Platform } from "../../../src/sandbox/platform/index.ts";
import type { Answered, RawBot } from "../../support/raw-bot.ts";
import { asMessage } from "../../support/stage.ts";
import { observePlatform } from "./observed-platform.ts";

describe("commands of one server", () => {
  const observed = observePlatform({ extraGuilds: 1, hasLimits: false, checks: "exchanges" });
  let platform: Platform;
  let bot: RawBot;

  beforeEach(async () => {
    ({ platform } = observed);
    bot = await observed.startBot();
  });

  const global = () => `/applications/${platform.applicationId}/commands`;
  const path = (id = platform.guildId) =>
    `/applications/${platform.applicationId}/guilds/${id}/commands`;
  const idOf = ({ json }: Answered) => (json as { id: string }).id;
  const names = async (base: string) =>
    ((await bot.send("GET", base)).json as { name: string }[]).map(({ name }) => name);
  const here = { name: "here", description: "Only here" };

  it("are made, read, changed, replaced and deleted apart from those of all", async () => {
    await bot.send("PUT", global(), { body: [{ name: "all", description: "Everywhere" }] });

    const made = await bot.send("POST", path(), { body: here });
    const again = await bot.send("POST", path(), { body: { ...here, description: "Again" } });
    const one = `${path()}/${idOf(made)}`;
    const changed = await bot.send("PATCH", one, { body: { description: "Changed" } });
    const elsewhere = await bot.send("GET", `${global()}/${idOf(made)}`);
    const replaced = await bot.send("PUT", path(), {
      body: [here, { name: "b", description: "B" }],
    });

    expect([made.status, again.status, changed.status]).toEqual([201, 200, 200]);
    expect(changed.json).toMatchObject({ description: "Changed", guild_id: platform.guildId });
    expect(elsewhere).toMatchObject({ status: 404, json: { code: 10_063 } });
    expect((replaced.json as { id: string }[])[0]?.id).toBe(idOf(made));
    expect((await bot.send("DELETE", one)).status).toBe(204);
    expect([await names(global()), await names(path())]).toEqual([["all"], ["b"]]);
  });

  it("are used there, in place of one of all with the same name", async () => {
    const everywhere = await bot.send("POST", global(), { body: { ...here, description: "All" } });
    const own = await bot.send("POST", path(), { body: here });
    bot.answer(({ interaction, callback }) =>
      callback({ type: 4, data: { content: JSON.stringify(interaction.data) } }),
    );

    const { content } = asMessage(await platform.people("member").command("here"));
    await bot.send("DELETE", `${path()}/${idOf(own)}`);
    const after = asMessage(await platform.people("member").command("here"));

    expect(JSON.parse(content)).toMatchObject({ id: idOf(own), guild_id: platform.guildId });
    expect(JSON.parse(after.content)).toEqual({
      id: idOf(everywhere),
      name: "here",
      type: 1,
      options: [],
    });
  });

  it("of another server are not there", async () => {
    const guilds = (await bot.send("GET", "/users/@me/guilds")).json as { id: string }[];
    const other = guilds.find(({ id }) => id !== platform.guildId)?.id;

    await bot.send("POST", path(other), { body: here });

    expect(await names(path())).toEqual([]);
    await expect(platform.people("owner").command("here")).rejects.toThrow(/sees no command/);
  });

  it("are refused in servers where the bot is not, and beyond a hundred", async () => {
    const many = Array.from({ length: 100 }, (_, at) => ({ ...here, name: `c${at}` }));
    await bot.send("PUT", path(), { body: many });

    expect(await bot.send("POST", path(), { body: here })).toMatchObject({
      status: 400,
      json: { code: 30_032 },
    });
    expect(await bot.send("GET", path("1"))).toMatchObject({ status: 403, json: { code: 50_001 } });
  });

  it("have permissions that only people change", async () => {
    const made = await bot.send("POST", path(), { body: here });
    const one = `${path()}/${idOf(made)}/permissions`;

    const all = await bot.send("GET", `${path()}/permissions`);
    const read = await bot.send("GET", one);
    const written = await bot.send("PUT", one, { body: { permissions: [] } });

    expect(all.json).toEqual([]);
    expect(read).toMatchObject({ status: 404, json: { code: 10_066 } });
    expect(written).toMatchObject({ status: 403, json: { code: 20_001 } });
  });
});
