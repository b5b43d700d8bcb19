import { describe, expect, it } from "vitest";
import { inviteLink } from "../../../src/discord/wire/invite.ts";

describe("inviteLink", () => {
  it("asks for the bot and its commands, with the permissions it needs and no more", () => {
    expect(inviteLink("123")).toBe(
      "https://discord.com/oauth2/authorize?client_id=123&scope=bot+applications.commands&permissions=9070971014144",
    );
  });
});
