import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import { beforeEach, describe, expect, it } from "vitest";
import type { Platform } from "../../../src/sandbox/platform/index.ts";
import { channelPermissions, guildPermissions } from "../../../src/sandbox/platform/permissions.ts";
import { send } from "../../support/raw-bot.ts";
import { observePlatform } from "./observed-platform.ts";

const { ViewChannel: view, SendMessages: write, ManageChannels: manage, Administrator } = bits;
const [guildId, first, second, userId] = ["1", "2", "3", "4"];

interface Overwrite {
  readonly id: string;
  readonly allow?: bigint;
  readonly deny?: bigint;
}

function inChannel(base: bigint, ...given: readonly Overwrite[]): bigint {
  const overwrites = given.map(({ id, allow = 0n, deny = 0n }) => ({
    id,
    allow: `${allow}`,
    deny: `${deny}`,
  }));
  const who = { guildId, roleIds: [first, second], userId, writing: write };
  return channelPermissions(base, { overwrites, ...who });
}

describe("base permissions", () => {
  it("are those of all roles together", () => {
    expect(guildPermissions([view, write, manage], false)).toBe(view | write | manage);
  });

  it.each([
    ["the owner", [view], true],
    ["an administrator", [view, Administrator], false],
  ] as const)("are all there are for %s", (_, roles, isOwner) => {
    expect(guildPermissions(roles, isOwner) & bits.ManageGuild).toBe(bits.ManageGuild);
  });
});

describe("permissions in a channel", () => {
  it.each<readonly [string, readonly Overwrite[], bigint]>([
    ["base permissions without overwrites", [], view | write],
    ["less where everyone is denied", [{ id: guildId, deny: write }], view],
    [
      "what a role allows, whatever everyone is denied",
      [
        { id: guildId, deny: write },
        { id: first, allow: write },
      ],
      view | write,
    ],
    [
      "what one role allows, whatever another is denied, in any order",
      [
        { id: second, allow: manage },
        { id: first, deny: manage },
      ],
      view | write | manage,
    ],
    [
      "what the person is denied, whatever the roles allow",
      [
        { id: userId, deny: write },
        { id: first, allow: write | manage },
      ],
      view | manage,
    ],
    ["more for the person alone", [{ id: userId, allow: manage }], view | write | manage],
    ["nothing from another's overwrite", [{ id: "9", allow: manage }], view | write],
    ["nothing at all unseen", [{ id: guildId, deny: view, allow: manage }], 0n],
  ])("are %s", (_, overwrites, held) => {
    expect(inChannel(view | write, ...overwrites)).toBe(held);
  });

  it("are no files, embeds and calls where nothing may be written", () => {
    const contents = bits.AttachFiles | bits.EmbedLinks | bits.MentionEveryone;

    expect(inChannel(view | write | contents)).toBe(view | write | contents);
    expect(inChannel(view | write | contents, { id: guildId, deny: write })).toBe(view);
  });

  it("are everything for an administrator, whom nobody denies anything", () => {
    const all = inChannel(Administrator, { id: userId, deny: view | manage });

    expect(all & (view | manage)).toBe(view | manage);
  });
});

describe("the server", () => {
  const observed = observePlatform({ hasLimits: false, checks: "exchanges" });
  const { events, startBot } = observed;
  let platform: Platform;

  beforeEach(() => {
    ({ platform } = observed);
  });

  interface GuildFacts {
    readonly owner_id: string;
    readonly roles: readonly { readonly id: string; readonly permissions: string }[];
  }
  const guild = async () =>
    (await send(platform, "GET", `/guilds/${platform.guildId}`)).json as GuildFacts;

  it("says who owns it and what its roles give", async () => {
    platform.setRolePermissions("everyone", view);
    const { owner_id, roles } = await guild();

    expect(owner_id).toBe(platform.ownerId);
    expect(roles.find(({ id }) => id === platform.guildId)?.permissions).toBe(`${view}`);
  });

  it("shows the overwrites of a channel in the interactions from there, and in it", async () => {
    const bot = await startBot();
    const body = [{ name: "ping", description: "Ping" }];
    await bot.send("PUT", `/applications/${platform.applicationId}/commands`, { body });
    bot.answer(({ callback }) => callback({ type: 4, data: { content: "ok" } }));
    platform.setOverwrite("greenroom", "member", { allow: manage });
    platform.setOverwrite("greenroom", "moderator", { deny: bits.ManageMessages });
    const held = async (name: "member" | "moderator" | "owner") => {
      await platform.people(name).command("ping");
      const data = events.at(-1)?.data as { readonly member: { permissions: string } } | undefined;
      return BigInt(data?.member.permissions ?? 0);
    };
    const [member, moderator, owner] = [
      await held("member"),
      await held("moderator"),
      await held("owner"),
    ];
    const channel = await send(platform, "GET", `/channels/${platform.channelId}`);

    expect(member & manage).toBe(manage);
    expect(moderator & bits.ManageMessages).toBe(0n);
    expect(moderator & bits.ModerateMembers).toBe(bits.ModerateMembers);
    expect(owner & bits.ManageGuild).toBe(bits.ManageGuild);
    expect((channel.json as { permission_overwrites: object[] }).permission_overwrites).toEqual([
      { id: expect.any(String), type: 1, allow: `${manage}`, deny: "0" },
      { id: expect.any(String), type: 1, allow: "0", deny: `${bits.ManageMessages}` },
    ]);
    const { roles } = await guild();
    expect(roles.filter(({ permissions }) => (BigInt(permissions) & manage) !== 0n)).toHaveLength(
      1,
    );
  });
});
