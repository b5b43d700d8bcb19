import type { APIInteraction } from "discord.js";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import type { ServerRolesRead } from "../../../src/discord/access/roles/member-access.ts";
import { mayHaveMore, readRequester } from "../../../src/discord/run/requester.ts";
import { ServiceError } from "../../../src/errors.ts";
import { createLanguages } from "../../../src/language/index.ts";

const guildId = "1".repeat(18);
const userId = "2".repeat(18);
const ownerId = "3".repeat(18);
const roleId = "4".repeat(18);

/** The server's roles; one role has these permissions. */
function rolesWith(permissions: bigint, owner = ownerId): ServerRolesRead {
  const roles = { ownerId: owner, permissions: new Map([[roleId, permissions]]) };
  return { state: "found", roles };
}

const unread: ServerRolesRead = {
  state: "failed",
  error: new ServiceError("Discord is away", { code: "server_roles_unread" }),
  waitMs: 1000,
};

/** Reads the requester of an interaction that says nothing about permissions. */
async function ask(read: ServerRolesRead, member: object = {}) {
  const interaction = {
    guild_id: guildId,
    member: { user: { id: userId, username: "someone" }, roles: [roleId], ...member },
    locale: "en-US",
  } as unknown as APIInteraction;
  const requester = await readRequester(
    interaction,
    {
      services: { languages: createLanguages(), now: () => 0 },
      settings: { of: async () => ({ value: {} }) },
      serverRoles: { known: () => undefined, read: async () => read },
    } as never,
    () => 1000,
  );
  if (requester === undefined) throw new Error("there is nobody");
  const isAsked = mayHaveMore(requester);
  await requester.learnRoles();
  return { isAsked, requester };
}

describe("somebody whose interaction does not say what they may do", () => {
  it.each([
    ["ManageGuild", "owner"],
    ["Administrator", "owner"],
    ["ManageChannels", "manager"],
    ["ManageMessages", "moderator"],
    ["SendMessages", "member"],
  ] as const)("has what the server's roles give: %s", async (permission, rank) => {
    const { isAsked, requester } = await ask(rolesWith(PermissionFlagsBits[permission]));

    expect(isAsked).toBe(true);
    expect(requester.rank).toBe(rank);
  });

  it("may do everything as the owner, without any role", async () => {
    const { requester } = await ask(rolesWith(0n, userId), { roles: undefined });

    expect(requester.rank).toBe("owner");
  });

  it("is a member while the roles can't be read, and is told why", async () => {
    const { requester } = await ask(unread);

    expect(requester.rank).toBe("member");
    expect(requester.rolesUnread).toMatchObject({ code: "server_roles_unread" });
  });

  it("has no role that the server does not have", async () => {
    const { requester } = await ask(rolesWith(PermissionFlagsBits.Administrator), {
      roles: ["5".repeat(18)],
    });

    expect(requester.rank).toBe("member");
  });
});
