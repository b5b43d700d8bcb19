import { PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { defineCommands } from "../../../src/discord/declare/definitions.ts";
import { loadCommands } from "../../../src/discord/index.ts";
import { languages } from "../../support/words.ts";

const definitions = defineCommands(
  await loadCommands(new URL("../../../commands/", import.meta.url)),
  languages,
);
const { ManageMessages, ManageChannels } = PermissionFlagsBits;

describe("who is shown a command", () => {
  it.each([
    ["search", undefined],
    ["usage", undefined],
    // Members may list what everyone can see.
    ["playlists", undefined],
    ["watch", ManageMessages],
    ["announce", ManageChannels],
    ["Add to playlist", ManageChannels],
    // Moderators may see what is connected.
    ["connect", ManageMessages],
  ])("is everyone who may use a part of /%s", (name, permission) => {
    const definition = definitions.find((one) => one.name === name);

    expect(definition?.default_member_permissions).toBe(permission && `${permission}`);
  });
});
