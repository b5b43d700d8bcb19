import { describe, expect, it } from "vitest";
import { inviteLink } from "../../../src/discord/wire/invite.ts";

describe("inviteLink", () => {
  it("asks for the bot and its commands, with the permissions it needs and no more", () => {
    expect(inviteLink("123", "https://discord.com/api")).toBe(
      "https://discord.com/oauth2/authorize?client_id=123&scope=bot+applications.commands&permissions=26697516796928",
    );
  });

  it("leads to the platform that the bot is connected to", () => {
    expect(inviteLink("123", "http://127.0.0.1:4000/api")).toMatch(
      /^http:\/\/127\.0\.0\.1:4000\/oauth2\/authorize\?client_id=123&/,
    );
  });
});
