import { PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import {
  isOpenToEveryone,
  permissionsInChannel,
} from "../../../src/discord/access/channel-permissions.ts";

const { ViewChannel: view, SendMessages: send, Administrator: admin } = PermissionFlagsBits;
const guildId = "1";
const overwrite = (id: string, { allow = 0n, deny = 0n }) => ({
  id,
  allow: `${allow}`,
  deny: `${deny}`,
});

describe("isOpenToEveryone", () => {
  it.each([
    ["everyone may view channels", view, [], true],
    ["nobody may", send, [], false],
    ["the channel is closed to everyone", view, [overwrite(guildId, { deny: view })], false],
    ["it is open to one role only", 0n, [overwrite("2", { allow: view })], false],
    ["the channel is opened to everyone", 0n, [overwrite(guildId, { allow: view })], true],
    ["it is closed to one role only", view, [overwrite("2", { deny: view })], true],
    ["everyone is an administrator", admin, [overwrite(guildId, { deny: view })], true],
  ])("is told by the role @everyone: %s", (_, everyone, overwrites, isOpen) => {
    expect(isOpenToEveryone({ guildId, overwrites }, everyone)).toBe(isOpen);
  });
});

describe("permissionsInChannel", () => {
  it("weighs the person over roles, and roles over everyone", () => {
    const overwrites = [
      overwrite(guildId, { deny: view | send }),
      overwrite("2", { allow: view | send }),
      overwrite("3", { deny: send }),
    ];
    const holder = { base: view | send, roleIds: ["2"], userId: "3" };

    expect(permissionsInChannel({ guildId, overwrites }, holder)).toBe(view);
  });
});
