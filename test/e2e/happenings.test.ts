import type { APIMessage } from "discord-api-types/v10";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HappeningsAnswer } from "../../src/sandbox/platform/protocol.ts";
import { createSampleGuild } from "../../src/sandbox/platform/sample-guild.ts";
import type { PersonName } from "../../src/sandbox/types.ts";
import { readAsChannel } from "../support/page-walk.ts";
import { asMessage, openStage, type Stage, textOf } from "../support/stage.ts";

const patient = { timeout: 90_000 };

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
  stage.sandbox.platform.limitRequests(false);
});
afterEach(async () => {
  expect(await stage.violations()).toEqual([]);
  await stage.close();
});

const run = async (path: string, options = {}, who: PersonName = "owner") =>
  asMessage(await stage.sandbox.user(who).command(path, options));
const click = async (who: PersonName, message: APIMessage, label: string) =>
  asMessage(await stage.sandbox.user(who).click(message, label));

/** Requests the panel as the page does, or presses the button with this name, and finds rows in it. */
async function panel(name?: string, as: PersonName = "owner") {
  const { url } = stage.sandbox;
  const response = await fetch(`${url}/page/happenings?as=${as}`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json" },
    body: JSON.stringify(name === undefined ? {} : { name }),
  });
  expect(response.status).toBe(200);
  const { happenings } = (await response.json()) as HappeningsAnswer;
  return (shown: string) => {
    const { state, presses = [] } = happenings.find((one) => one.name === shown) ?? {};
    return { state, presses: presses.map(({ label }) => label) };
  };
}

function channelCalled(name: string): string {
  const found = stage.sandbox.platform.channels.find((channel) => channel.name === name);
  if (found === undefined) throw new Error(`no channel ${name}`);
  return found.id;
}

/** Waits for a message in the channel that matches, and returns the newest. */
async function said(wanted: string | RegExp, channel = "moderators"): Promise<APIMessage> {
  const look = () =>
    stage.sandbox
      .user("owner")
      .messages(channel)
      .findLast((message) => new RegExp(wanted, "u").test(textOf(message)));
  await expect.poll(look, patient).toBeDefined();
  return look() as APIMessage;
}

/** Watches held comments as single cards, and waits for the card of a new one. */
async function cardOf(text: string): Promise<APIMessage> {
  stage.sandbox.video.addComment({ text, status: "heldForReview" });
  const channel = channelCalled("moderators");
  await run("watch channel", { channel, states: "heldForReview", digest: 100 });
  return said(text);
}

interface Thread {
  readonly snippet: {
    readonly topLevelComment: { readonly snippet: { readonly authorDisplayName: string } };
  };
}

const spam = () => {
  const channel = stage.sandbox.video.ownChannelId;
  const query = `part=snippet&maxResults=100&allThreadsRelatedToChannelId=${channel}`;
  return readAsChannel<Thread>(
    stage.sandbox,
    `commentThreads?${query}&moderationStatus=likelySpam`,
  );
};

describe("the panel", () => {
  it("sends a wave of spam from a few accounts, which the next check shows", async () => {
    const before = await spam();
    await run("watch channel", { channel: channelCalled("moderators"), states: "likelySpam" });
    await said("likely spam");

    const shown = await panel("spam");
    await panel("later");

    const wave = (await spam()).slice(0, -before.length);
    const authors = wave.map(({ snippet }) => snippet.topLevelComment.snippet.authorDisplayName);
    expect(wave).toHaveLength(20);
    expect(new Set(authors).size).toBeLessThanOrEqual(4);
    expect(shown("spam").state).toBe("20 comments sent so far.");
    await said("20 new comments");
  });

  it("publishes a video, which is announced", async () => {
    const { channels, ownChannelId } = stage.sandbox.video;
    const uploads = channelCalled("moderators");
    await run("announce add", { channel: channels.get(ownChannelId)?.handle, uploads });
    await expect.poll(() => stage.sandbox.hub.subscriptions.length, patient).toBe(1);

    const shown = await panel("publish");

    await said("A day at the harbour");
    expect(shown("publish").state).toContain("A day at the harbour");
  });

  it("publishes a Short, and plans, moves, begins and ends a premiere and a stream", async () => {
    const { channels, ownChannelId } = stage.sandbox.video;
    const post = channelCalled("moderators");
    const handle = channels.get(ownChannelId)?.handle;
    await run("announce add", { channel: handle, shorts: post, live: post });
    await expect.poll(() => stage.sandbox.hub.subscriptions.length, patient).toBe(1);

    await panel("short");
    await said("Short 1");
    for (const [name, title] of [
      ["premiere", "The harbour at night"],
      ["stream", "Live from the harbour"],
    ] as const) {
      const row = async (press: string) => (await panel(press))(name);
      expect((await row(name)).state).toMatch(`Planned: “${title}” starts <t:`);
      const put = await row(`${name} later`);
      expect(put.presses).toEqual(
        expect.arrayContaining(["Put it off an hour", "Half an hour earlier", "Cancel it"]),
      );
      await row(`${name} begin`);
      await said(title);
      expect(await row(`${name} viewers`)).toEqual({
        state: `Live: “${title}”, 60 viewers`,
        presses: ["More viewers", `End the ${name}`, "Make it private"],
      });
      const over = await row(`${name} end`);
      const isReady = over.state === `Recorded: “${title}”`;
      expect(isReady).toBe(name === "premiere");
      const ready = isReady ? over : await row(`${name} ready`);
      expect(ready).toEqual({
        state: `Recorded: “${title}”`,
        presses: ["Make it private", "Delete the recording", `Plan a ${name}`],
      });
      expect((await row(`${name} privacy`)).state).toBe(`Recorded: “${title}” (private)`);
      expect(await row(`${name} delete`)).toEqual({
        state: `Deleted: “${title}”`,
        presses: [`Plan a ${name}`],
      });
    }
  });

  it("starts a premiere at its time, but no stream, and cancels one", async () => {
    for (const name of ["premiere", "stream"]) await panel(name);
    for (const name of ["premiere", "stream"]) await panel(`${name} earlier`);
    const shown = await panel("later hour");
    const cancelled = await panel("stream delete");

    expect(shown("premiere").state).toMatch(/^Recorded: /u);
    expect(shown("stream").state).toMatch(
      /^Late: “Live from the harbour” was to start <t:\d+:R>$/u,
    );
    expect(shown("stream").presses).not.toContain("Half an hour earlier");
    expect(cancelled("stream").state).toBe("Deleted: “Live from the harbour”");
  });

  it("ends the link, and says how to link again", async () => {
    const shown = await panel("link");

    expect(textOf(await run("comments held"))).toContain("is broken");
    expect(shown("link").state).toContain("No channel is linked");
    expect(shown("link").presses).toEqual([]);
  });

  it("empties the quota, and refills it by going on to the next day", async () => {
    const empty = await panel("quota");
    const refused = textOf(await run("search", { query: "coffee" }));
    const full = await panel("refill");
    const found = textOf(await run("search", { query: "coffee" }));

    expect(empty("quota")).toMatchObject({ state: "Today’s quota is used up." });
    expect(empty("quota").presses).toEqual([]);
    expect(empty("refill").presses).toEqual(["Refill the quota"]);
    expect(refused).toContain("YouTube quota is used up");
    expect(full("quota").presses).toEqual(["Empty the quota"]);
    expect(full("later").state).toMatch(/^The clock is .+ ahead\.$/u);
    expect(found).toMatch(/coffee/iu);
  });

  it("takes YouTube down and brings it back, while the bot tries again", async () => {
    const down = await panel("youtube");
    const listing = run("regions list");
    const failed = () => stage.videoRequests.filter(({ status }) => status === 503).length;
    await expect.poll(failed, patient).toBeGreaterThan(0);
    const up = await panel("youtube");

    expect(textOf(await listing)).toContain("Algeria · DZ");
    expect(down("youtube")).toEqual({ state: "YouTube is down.", presses: ["Bring it back"] });
    expect(up("youtube").presses).toEqual(["Take it down"]);
  });

  it("takes remove.bg down and brings it back", async () => {
    const { url, key, faults } = stage.sandbox.background;
    const account = () => fetch(`${url}/account`, { headers: { "x-api-key": key } });

    await panel("background");
    const { status: whileDown } = await account();
    const isDown = faults.isDown();
    await panel("background");

    expect([whileDown, isDown, (await account()).status]).toEqual([503, true, 200]);
  });

  it("lets ten minutes pass, so that what was snoozed for an hour comes back", async () => {
    const card = await cardOf("snoozed for an hour");
    const more = await click("moderator", card, "More");
    const later = await click("moderator", more, "Snooze");
    await stage.sandbox.user("moderator").choose(later, ["In 1 hour"]);
    await said(/snoozed for an hour[\s\S]*Snoozed by/u);

    const cardNow = () =>
      stage.sandbox
        .user("owner")
        .messages("moderators")
        .find((message) => textOf(message).includes("snoozed for an hour"));
    for (const _ of Array(5)) await panel("later");
    const shown = await panel("later");
    await expect
      .poll(() => cardNow()?.id !== card.id && cardNow() !== undefined, patient)
      .toBe(true);

    expect(textOf(cardNow() as APIMessage)).toContain("Waiting for a decision");
    expect(shown("later").state).toBe("The clock is 1 h ahead.");
  });

  it("lets somebody else press first, once", async () => {
    const card = await cardOf("wanted by two people");

    const armed = await panel("overtake");
    const second = await click("owner", card, "Approve");
    const after = await panel();

    expect(armed("overtake").presses).toEqual(["Cancel"]);
    expect(textOf(second)).toMatch(/Already handled\nApproved by <@\d+>/u);
    expect(textOf(second)).toContain(`<@${createSampleGuild().people.moderator.user.id}>`);
    expect(after("overtake").state).toBeUndefined();
  });

  it("leaves private messages to who sees them, and can be taken back", async () => {
    const more = await click("owner", await cardOf("asked about in private"), "More");
    await panel("overtake");
    await click("owner", more, "Snooze");
    const isStill = stage.sandbox.platform.isOvertaken("owner");
    const cancelled = await panel("overtake");

    expect(isStill).toBe(true);
    expect(cancelled("overtake").state).toBeUndefined();
  });

  it("refuses what it does not have", async () => {
    const { url } = stage.sandbox;
    const response = await fetch(`${url}/page/happenings?as=owner`, {
      method: "POST",
      headers: { origin: url, "content-type": "application/json" },
      body: JSON.stringify({ name: "constructor" }),
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: '"constructor" can\'t happen now.' });
  });
});
