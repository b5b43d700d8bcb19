import type { APIMessage } from "discord-api-types/v10";
import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { OpenForm } from "../../src/sandbox/types.ts";
import { asForm, asMessage, offered, openStage, type Stage, textOf } from "../support/stage.ts";

/**
 * Bots for temporary channels and tickets give members permissions in one channel, which must not count in the whole
 * server.
 */

type Name = "owner" | "moderator" | "member";

let stage: Stage;
/** How far the clock is ahead of real time, so that what is cached for a minute can expire. */
let aheadMs = 0;

beforeAll(async () => {
  stage = await openStage({ now: () => Date.now() + aheadMs });
});
afterEach(() => {
  const { platform } = stage.sandbox;
  platform.faults.clear();
  for (const name of ["member", "moderator"] as const) platform.setOverwrite(here, name, {});
});
afterAll(async () => {
  expect(await stage.violations()).toEqual([]);
  await stage.close();
});

const here = "greenroom";
const refused = "You don’t have permission for this";
const person = (name: Name) => stage.sandbox.user(name);
const run = async (name: Name, path: string, options = {}) =>
  asMessage(await person(name).command(path, options));
const shown = (answer: APIMessage | OpenForm) => textOf(asMessage(answer));
const written = () =>
  stage.videoRequests.filter(({ method }) => !/\.(?:list|download)$/u.test(method ?? "")).length;

describe("a member who may manage this channel", () => {
  const allow = bits.ManageChannels | bits.ManageMessages | bits.ManageGuild;
  const everywhere = async () => {
    const { id } = stage.sandbox.video.addComment({ text: "held or not" });
    const comments = await run("moderator", "comments list", { comment: id });
    const videos = await run("owner", "videos list");
    const before = written();
    stage.sandbox.platform.setOverwrite(here, "member", { allow });
    const member = person("member");
    return { member, id, comments, videos, before };
  };

  it("creates no playlist", async () => {
    const { member, videos, before } = await everywhere();
    const answers = [
      shown(await member.command("playlists create", { title: "Mine now" })),
      shown(await member.click(videos, "Add to playlist")),
      // The upload's form is not opened either.
      shown(await member.command("videos upload")),
    ];

    for (const answer of answers) expect(answer).toContain(refused);
    expect(answers[0]).toContain("Manage Channels in the whole server");
    expect(await member.suggest("playlists edit", "playlist", "")).toEqual([]);
    expect(written()).toBe(before);
  });

  it("decides about no comment and answers none", async () => {
    const { member, id, comments, before } = await everywhere();
    const answers = [
      shown(await member.command("comments moderate", { comments: id, decision: "rejected" })),
      shown(await member.click(comments, "Reply")),
      shown(await member.click(comments, "Hold")),
    ];

    for (const answer of answers) expect(answer).toContain(refused);
    expect(written()).toBe(before);
  });

  it("reaches nothing of the connections", async () => {
    const { member, before } = await everywhere();
    for (const path of ["connect key", "connect erase"]) {
      expect(shown(await member.command(path))).toContain(refused);
    }
    expect(written()).toBe(before);
  });
});

describe("a moderator who may moderate everywhere but in this channel", () => {
  it("goes on doing so, on commands, buttons and forms", async () => {
    const { id } = stage.sandbox.video.addComment({ text: "a question" });
    const deny = bits.ManageMessages | bits.ModerateMembers;
    stage.sandbox.platform.setOverwrite(here, "moderator", { deny });
    const list = await run("moderator", "comments list", { comment: id });
    const form = asForm(await person("moderator").click(list, "Reply"));
    const sent = shown(await person("moderator").submit(form, { text: "An answer" }));
    const status = textOf(await run("moderator", "connect status"));

    expect(sent).toContain("An answer");
    expect(status).not.toContain(refused);
  });
});

describe("a server whose roles can't be read", () => {
  const fail = (status: number, code: number, times: number) =>
    stage.sandbox.platform.faults.add({
      method: "GET",
      path: /\/guilds\/\d+$/u,
      kind: "answer",
      status,
      times,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code, message: "x" }),
    });

  it("asks for the bot where only its commands are, for a minute, and serves everyone else", async () => {
    aheadMs += 60_000;
    fail(404, 10_004, 1);
    const first = await run("moderator", "connect status");
    const second = await run("moderator", "connect status");
    const free = textOf(await run("member", "usage"));
    aheadMs += 60_000;
    const later = textOf(await run("moderator", "connect status"));

    expect(textOf(first)).toContain("Add the bot to this server first");
    expect(JSON.stringify(first.components)).toContain("oauth2/authorize");
    expect(textOf(second)).toContain("Add the bot to this server first");
    expect(free).not.toContain("Add the bot");
    expect(later).not.toContain("Add the bot");
  });

  it("says so while Discord fails, and knows better a moment later", async () => {
    aheadMs += 60_000;
    fail(503, 0, 4);
    const during = textOf(await run("owner", "connect status"));
    const choices = await person("owner").suggest("playlists edit", "playlist", "");
    aheadMs += 3_000;
    const after = textOf(await run("owner", "connect status"));

    expect(during).toContain("Can’t read this server’s roles right now");
    expect(during).toContain("Try again in a minute");
    expect(choices).toEqual([]);
    expect(after).not.toContain("can’t be read");
    expect(
      (await offered(person("owner"), "playlists edit", "playlist", "")).length,
    ).toBeGreaterThan(0);
  });
});

describe("a permission that a role lost", () => {
  it("counts no more a minute later", async () => {
    const { platform } = stage.sandbox;
    aheadMs += 60_000;
    const before = textOf(await run("moderator", "connect status"));
    platform.setRolePermissions("moderator", bits.ViewChannel);
    aheadMs += 60_000;
    const after = textOf(await run("moderator", "connect status"));

    expect(before).not.toContain(refused);
    expect(after).toContain(refused);
  });
});
