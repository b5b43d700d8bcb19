import type { APIMessage } from "discord-api-types/v10";
import { expect, it } from "vitest";
import { walkLink } from "../support/link-walk.ts";
import { textOf } from "../support/stage.ts";
import { buttonsOf, expectPrivate, expectText, useStage } from "../support/use-stage.ts";

const { stage, owner, moderator, member, channelCalled, until } = useStage();

const place = () => channelCalled("moderators");
const cards = () => moderator.person().in("moderators").messages("moderators");
const inPlace = (name: "owner" | "moderator") => stage.sandbox.user(name).in("moderators");
const press = async (name: "owner" | "moderator", message: APIMessage, label: string) =>
  (await inPlace(name).click(message, label)) as APIMessage;

/** A server that has a key and a rule, and no linked channel. */
async function watchByKey(): Promise<APIMessage> {
  const asked = await owner.run("connect disconnect", { what: "channel" });
  await owner.click(asked, "Disconnect");
  const rule = { kind: "words", name: "Prizes", does: "reject", what: "prize" };
  await owner.click(await owner.run("rules add", rule), "Switch on");
  const youtube = stage.sandbox.video.ownChannelId;
  return owner.run("watch channel", { channel: place(), youtube });
}

async function cardOf(text: string): Promise<APIMessage> {
  stage.sandbox.video.addComment({ text, status: "published", author: "Prize Pete" });
  await owner.run("watch resume", { watch: place() });
  return until(() => cards().find((one) => textOf(one).includes(text)));
}

it("says what is missing, who can add it, and what it costs", async () => {
  const set = await watchByKey();
  const unnamed = await owner.run("watch channel", { channel: channelCalled("greenroom") });
  const status = textOf(await owner.run("watch status"));

  expectText(
    set,
    "Now watching for published comments",
    "new comments that a rule finds",
    "1,464 quota units a day",
    "Missing: permission from the channel’s owner.",
    "held comments, likely spam, and new comments that a rule finds",
  );
  expect(buttonsOf(set)).toEqual(["Link a channel"]);
  expect(status.match(/becomes a full one/gu)).toHaveLength(1);
  expectText(unnamed, "Choose a YouTube channel", "“youtube”");
  expect(buttonsOf(unnamed)).toEqual(["Link a channel"]);
  expectText(
    await moderator.run("comments held"),
    "Held comments need a linked channel",
    "Someone with the Manage Server permission",
    "/watch channel",
  );
  expectText(await owner.run("connect status"), "🟡 **Comment review**", "with the API key");
});

it("subscribes to lists, which only suggest", async () => {
  const address = "https://lists.example/spam.txt";
  const tried = await owner.run("rules subscribe", { address, does: "hold" });
  const on = await owner.click(tried, "Subscribe");

  expectText(tried, "recent comments", "The channel is not linked, so the rule only suggests");
  expectText(await owner.run("rules list"), "The channel is not linked, so rules only suggest");
  const names = { kind: "names", name: "Names", does: "suggest_hold" };
  expectText(await owner.run("rules add", names), "Dry run: Names", "recent comments");
  expectText(on, "It marks matching new comments");
});

it("shows a suggestion that leads to Studio, and sends nothing to YouTube", async () => {
  const card = await cardOf("Claim your prize");

  const refused = await press("moderator", card, "Reject");
  const asked = await press("moderator", refused, "Ask an owner");
  const again = await press("moderator", refused, "Ask an owner");
  const handled = await press("moderator", card, "Dealt with in Studio");

  expect(buttonsOf(card)).toEqual([
    "Keep",
    "Dealt with in Studio",
    "Reject",
    "More",
    "Open in Studio",
  ]);
  expect(JSON.stringify(card)).toMatch(/studio\.youtube\.com\/video\/[\w-]+\/comments/u);
  expectPrivate(refused);
  expectText(
    refused,
    "Rejecting needs the channel owner’s permission",
    "who connected the API key",
  );
  expectText(asked, "Request sent");
  expectText(again, "Already asked");
  const told = await until(() => stage.sandbox.user("owner").directMessages().at(-1));
  expectText(told, "Moderators are asking to link", "Greenroom Studio");
  expectText(handled, /Marked as dealt with on YouTube by <@\d+>/u);
  expect(buttonsOf(handled)).toEqual(["Undo", "Open in Studio", "Open"]);
  expectText(await moderator.run("comments log"), "Dealt with on YouTube");
  const sent = stage.videoRequests.filter(
    ({ method }) => method === "comments.setModerationStatus",
  );
  expect(sent).toEqual([]);
  expect(() => member.person().in("moderators")).toThrow();
});

it("says whose comments a channel no longer shows", async () => {
  const { channels, ownChannelId } = stage.sandbox.video;
  const other = [...channels.keys()].find((id) => id !== ownChannelId) ?? "";

  const changed = await owner.run("watch channel", { channel: place(), youtube: other });
  const back = await owner.run("watch channel", { channel: place(), youtube: ownChannelId });

  expectText(changed, "Watch changed", "**Greenroom Studio** is no longer watched here");
  expectText(back, "** is no longer watched here");
});

it("says which rules begin to act once the channel is linked", async () => {
  const [account] = stage.sandbox.oauth.accounts;
  if (account === undefined) throw new Error("no account");
  const begun = await owner.run("connect channel");
  const address = /"url":"([^"]+)"/u.exec(JSON.stringify(begun.components))?.[1] ?? "";
  await walkLink(address, { account, permissions: ["read", "comments"] });

  const asked = owner.messages().find(({ id }) => id === begun.id) ?? begun;
  const linked = await owner.click(asked, "Yes");

  expectText(
    linked,
    "becomes a full one now",
    /rules? that only suggested now acts? automatically/u,
  );
});
