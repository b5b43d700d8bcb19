import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import { beforeEach, describe, expect, it } from "vitest";
import type { Platform } from "../../../src/sandbox/platform/index.ts";
import { send } from "../../support/raw-bot.ts";
import { observePlatform } from "./observed-platform.ts";

interface Member {
  readonly user: { readonly id: string; readonly username: string };
  readonly nick: string | null;
  readonly roles: readonly string[];
}

describe("members", () => {
  const observed = observePlatform({ hasLimits: false, checks: "exchanges" });
  let platform: Platform;
  let alex: Member;
  let moderator: string;

  beforeEach(async () => {
    ({ platform } = observed);
    [alex] = (await call("GET", "/search?query=alex")).json as [Member];
    moderator = ((await call("GET", "/search?query=kim")).json as [Member])[0].roles[0] ?? "";
  });

  const call = (method: string, path: string, body?: unknown) =>
    send(platform, method, `/guilds/${platform.guildId}/members${path}`, { body });
  const codeOf = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await call(method, path, body);
    return [status, (json as { code?: number } | undefined)?.code];
  };

  /** Gives the bot these permissions, and a role above everyone's but the owner's. */
  function allow(held: bigint): void {
    platform.raiseBotRole();
    platform.setBotPermissions(held);
  }

  it("are listed by id, a page at a time", async () => {
    const names = async (query: string) =>
      ((await call("GET", query)).json as Member[]).map(({ user }) => user.username);
    const [first] = (await call("GET", "")).json as [Member];

    expect(await names("?limit=1000")).toEqual(["Greenroom", "robin", "kim", "alex"]);
    expect(await names(`?limit=2&after=${first.user.id}`)).toEqual(["robin", "kim"]);
  });

  it("are found by the beginning of a name, which has to be named", async () => {
    expect(alex.user.username).toBe("alex");
    expect(await codeOf("GET", "/search")).toEqual([400, 50_035]);
    expect(await codeOf("GET", `/search?query=${"x".repeat(101)}`)).toEqual([400, 50_035]);
    expect((await call("GET", "/search?query=lex")).json).toEqual([]);
  });

  it("are none of the platform's other users", async () => {
    expect(await codeOf("GET", "/1")).toEqual([404, 10_013]);
    expect(await codeOf("PATCH", "/1", { nick: "x" })).toEqual([404, 10_013]);
  });

  it("are named by whoever stands above them", async () => {
    const path = `/${alex.user.id}`;
    const before = await codeOf("PATCH", path, { nick: "Lex" });
    platform.setBotPermissions(bits.ManageNicknames);
    const below = await codeOf("PATCH", path, { nick: "Lex" });
    allow(bits.ManageNicknames);

    const named = await call("PATCH", path, { nick: " Lex " });
    const owner = await codeOf("PATCH", `/${platform.ownerId}`, { nick: "x" });

    expect([before, below, owner]).toEqual(Array(3).fill([403, 50_013]));
    expect(named.json).toMatchObject({ nick: "Lex" });
    expect((await call("GET", path)).json).toMatchObject({ nick: "Lex" });
    expect((await call("PATCH", path, { nick: "" })).json).toMatchObject({ nick: null });
    expect(await codeOf("PATCH", path, { nick: "x".repeat(33) })).toEqual([400, 50_035]);
  });

  it("name themselves", async () => {
    expect((await call("PATCH", "/@me", { nick: "Green" })).json).toMatchObject({ nick: "Green" });
    platform.setRolePermissions("everyone", bits.ViewChannel);
    platform.setBotPermissions(0n);
    expect(await codeOf("PATCH", "/@me", { nick: "Red" })).toEqual([403, 50_013]);
  });

  it("get and lose roles below that of the bot", async () => {
    const role = (method: string, id: string) => codeOf(method, `/${alex.user.id}/roles/${id}`);
    const before = await role("PUT", moderator);
    allow(bits.ManageRoles);
    const given = await role("PUT", moderator);
    const { roles } = (await call("GET", `/${alex.user.id}`)).json as Member;
    const held = platform.people("member").messages("moderators");

    expect(before).toEqual([403, 50_013]);
    expect(given).toEqual([204, undefined]);
    expect(roles).toContain(moderator);
    expect(held).toEqual([]);
    expect(await role("DELETE", moderator)).toEqual([204, undefined]);
    expect(() => platform.people("member").messages("moderators")).toThrow(/sees no channel/);
    expect(await role("PUT", "1")).toEqual([404, 10_011]);
  });

  it("get the roles of a whole list, none of them a bot's", async () => {
    allow(bits.ManageRoles);
    const roles = (ids: readonly string[]) => call("PATCH", `/${alex.user.id}`, { roles: ids });
    const [bot] = (await call("GET", "?limit=1")).json as [Member];

    expect((await roles([...alex.roles, moderator])).json).toMatchObject({
      roles: [...alex.roles, moderator],
    });
    expect(await roles([...alex.roles, ...bot.roles])).toMatchObject({ status: 403 });
    expect((await roles(alex.roles)).json).toMatchObject({ roles: alex.roles });
  });

  it("appear in interactions as they are", async () => {
    allow(bits.ManageNicknames);
    const bot = await observed.startBot();
    const commands = [{ name: "go", description: "Goes" }];
    await bot.send("PUT", `/applications/${platform.applicationId}/commands`, { body: commands });
    let member: unknown;
    bot.answer(({ interaction, callback }) => {
      member = interaction.member;
      return callback({ type: 4, data: { content: "x" } });
    });
    await call("PATCH", `/${alex.user.id}`, { nick: "Lex" });

    await platform.people("member").command("go");

    expect(member).toMatchObject({ nick: "Lex" });
  });
});
