import type { APIMessage } from "discord-api-types/v10";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type MethodSpec, methods } from "../../src/video/index.ts";
import { fetchBytes, isEphemeral, photo, type Stage, textOf } from "../support/stage.ts";
import { expectPrivate, expectText, useStage } from "../support/use-stage.ts";

const dayMs = 24 * 3_600_000;
/** The clock starts at noon of a summer's day in Los Angeles, runs by itself, and can be moved ahead. */
let ahead = Date.parse("2026-07-15T19:00:00Z") - Date.now();
const now = () => Date.now() + ahead;

const { stage, as, owner, moderator, member } = useStage({ now });

type Who = "owner" | "moderator" | "member";
type Options = Parameters<ReturnType<Stage["sandbox"]["user"]>["command"]>[1];
const history = (who: Who) => as(who).run("usage", { days: "30" });
const idOf = async (who: Who): Promise<string> =>
  (await as(who).run("usage")).interaction_metadata?.user.id ?? "";

/** The value of the field whose name begins with this. */
function field(message: APIMessage, name: string): string | undefined {
  return message.embeds[0]?.fields?.find((one) => one.name.startsWith(name))?.value;
}

interface Row {
  readonly day: string;
  readonly of: string;
  readonly kind: "units" | "searches" | "uploads" | "credits";
  readonly command?: string;
  readonly userId?: string;
  readonly amount: number;
}

async function rows(who: Who, options: Options = {}): Promise<readonly Row[]> {
  const message = await as(who).run("usage", { output: "json", ...options });
  return JSON.parse(`${await fetchBytes(message.attachments[0]?.url ?? "")}`);
}

function sum(lines: readonly Row[], matches: (row: Row) => boolean): number {
  return lines.filter(matches).reduce((total, { amount }) => total + amount, 0);
}

/** What the requests to YouTube's stand-in since then cost; searches and uploads count only if they succeeded. */
function charged(from: number) {
  const sums = { units: 0, searches: 0, uploads: 0 };
  for (const { method, path, status } of stage.videoRequests.slice(from)) {
    // With a fault, the stand-in answers before it finds out which method was called.
    const asked = method ?? (path.endsWith("/playlists") ? "playlists.list" : undefined);
    if (asked === undefined) continue;
    const { bucket, cost }: MethodSpec = methods[asked];
    if (bucket === "units" || status === 200) sums[bucket] += cost;
  }
  return sums;
}

describe("/usage before anything was spent", () => {
  it("shows what is left and that nothing was spent, to the person alone", async () => {
    const message = await member.run("usage");

    expectPrivate(message, "nothing");
    expect(message.embeds[0]?.description).toMatch(/^Resets <t:\d+:R>, at <t:\d+:t>\.$/u);
    expect(field(message, "YouTube API key")).toBe(
      "▰▰▰▰▰▰▰▰ **10,000** of 10,000 units left\n2,000 units are reserved for moderation\n▰▰▰▰▰▰▰▰ **100** of 100 searches left",
    );
    expect(field(message, "Linked channel")).toContain("**100** of 100 uploads left");
    expect(field(message, "Used today by this server")).toBe("nothing");
    expect(message.embeds[0]?.image).toBeUndefined();
  });
});

describe("a mixed day of three people", () => {
  let from: number;
  beforeAll(async () => {
    from = stage.videoRequests.length;
    const { faults } = stage.sandbox.video;
    await member.run("search", { query: "light" });
    faults.add({ kind: "answer", status: 500, path: /\/playlists/u, times: 2 });
    await member.run("playlists list");
    faults.add({ kind: "answer", status: 500, path: /\/search/u, times: 1 });
    await moderator.run("search", { query: "coffee" });
    await moderator.run("comments held");
    await owner.run("playlists create", { title: "Kept" });
    await owner.run("videos show", { video: "no" });
    await owner.run("background remove", { image: await photo("cat"), size: "preview" });
  });

  it("adds up to what the stand-ins were asked, by kind", async () => {
    const lines = await rows("owner", { days: "today" });

    const counted = charged(from);
    expect(counted.units).toBeGreaterThan(53);
    expect(counted.searches).toBe(2);
    for (const kind of ["units", "searches", "uploads"] as const) {
      expect(sum(lines, (row) => row.kind === kind)).toBe(counted[kind]);
    }
    expect(sum(lines, ({ kind }) => kind === "credits")).toBe(0.25);
  });

  it("distinguishes the key's project from the channels', and shows who spent with which command", async () => {
    const lines = await rows("owner", { days: "today" });
    const [owner, moderator, member] = [
      await idOf("owner"),
      await idOf("moderator"),
      await idOf("member"),
    ];

    expect(new Set(lines.map((row) => row.of))).toEqual(
      new Set(["video-key", "channel", "background-key"]),
    );
    const create = lines.filter(({ command }) => command === "playlists create");
    expect(create.map((row) => [row.of, row.userId, row.amount])).toEqual([["channel", owner, 50]]);
    const searches = lines.filter(({ kind }) => kind === "searches");
    expect(searches.map(({ userId }) => userId).sort()).toEqual([moderator, member].sort());
    // Every attempt counts.
    expect(sum(lines, (row) => row.command === "playlists list")).toBeGreaterThanOrEqual(3);
  });

  it("shows everybody the sums and their own part, moderators commands, managers people", async () => {
    const [member, moderator, owner] = [
      await history("member"),
      await history("moderator"),
      await history("owner"),
    ];

    const total = field(owner, "Used by this server");
    expect(total).toMatch(/^\*\*Today:\*\* \d+ units, 2 searches, and 0\.25 credits\n/u);
    expect(field(member, "Used by this server")).toBe(total);
    expect(field(member, "Used by you")).toMatch(/^\*\*Today:\*\* \d+ units and 1 search\n/u);
    expect(field(member, "By command")).toBeUndefined();
    expect(field(member, "By person")).toBeUndefined();
    expect(field(moderator, "By command")).toContain("/playlists create: 50 units");
    expect(field(moderator, "By person")).toBeUndefined();
    expect(field(owner, "By person")?.split("\n")).toHaveLength(3);
    expect(field(owner, "By person")).toMatch(/^1\. <@\d+>: /u);
    expect([member, moderator, owner].every(isEphemeral)).toBe(true);
  });

  it("shows today first, and the rest on demand", async () => {
    const today = await owner.run("usage");
    const opened = await owner.click(today, "History");
    const back = await owner.click(opened, "Today");

    expect(today.embeds[0]?.title).toBe("Today’s quota");
    expect(today.embeds[0]?.fields?.map(({ name }) => name)).toEqual([
      "YouTube API key",
      "Linked channel",
      "Used today by this server",
      "Used today by you",
    ]);
    expect(opened.embeds[0]?.title).toBe("Usage history");
    expect(field(opened, "By person")).toMatch(/^1\. <@\d+>: /u);
    expect(back.embeds[0]?.title).toBe("Today’s quota");
  });

  it("draws what it shows, by day, command or person", async () => {
    const shown = await owner.run("usage", { by: "command", days: "7" });

    const byPerson = await owner.choose(shown, ["by person"]);
    const ofCredits = await owner.choose(byPerson, ["what credits"]);
    const today = await owner.choose(ofCredits, ["days today"]);

    for (const message of [shown, byPerson, ofCredits, today]) {
      const { image } = message.embeds[0] ?? {};
      const { width, height } = await sharp(await fetchBytes(image?.url ?? "")).metadata();
      expect([width, height]).toEqual([800, 320]);
    }
    expect(field(today, "By command, today")).toContain("/background remove: 0.25 credits");
  });

  it("refuses what is not for the person's rank", async () => {
    expectText(await member.run("usage", { by: "command" }), "Only moderators can do this");
    expectText(await moderator.run("usage", { by: "person" }), "Only managers can do this");
    expect((await rows("member")).some((row) => "command" in row || "userId" in row)).toBe(false);
    const ofModerator = await rows("moderator");
    expect(ofModerator.every((row) => "command" in row && !("userId" in row))).toBe(true);
  });

  it("writes a table whose columns are the same", async () => {
    const message = await owner.run("usage", { output: "csv" });
    const text = `${await fetchBytes(message.attachments[0]?.url ?? "")}`;

    expect(text.split("\n")[0]).toBe("\ufeffday,of,kind,command,method,userId,amount");
    expect(text).toMatch(
      /^"2026-07-15","channel","units","playlists create","playlists\.insert","\d+",50$/mu,
    );
  });

  it("speaks German", async () => {
    moderator.speak("de");
    const today = await moderator.run("usage");
    const message = await history("moderator");

    expect(textOf(message)).toContain("Bisheriger Verbrauch");
    expect(field(message, "Nach Befehl, letzte 30 Tage")).toContain("/suche: ");
    expect(textOf(today)).toContain("2.000 Einheiten sind für die Moderation reserviert");
  });

  it("is yesterday after midnight in Los Angeles, and gone after thirty days", async () => {
    const before = await rows("owner", { days: "today" });
    ahead += dayMs;
    stage.sandbox.video.quota.refill();
    await member.run("search", { query: "rain" });

    const today = await rows("owner", { days: "today" });
    const week = await rows("owner", { days: "7" });
    ahead += 31 * dayMs;
    const later = await rows("owner");

    expect(sum(today, ({ kind }) => kind === "searches")).toBe(1);
    expect(sum(week, ({ kind }) => kind === "units")).toBe(
      sum(before, ({ kind }) => kind === "units") + sum(today, ({ kind }) => kind === "units"),
    );
    expect(later).toEqual([]);
  });
});

describe("budgets", () => {
  const set = (options: Options) => owner.run("connect budget", options);
  const asked = () => stage.videoRequests.length;

  it("are there before anybody sets them, and are named where they are reached", async () => {
    const shown = await set({});
    for (let n = 0; n < 10; n += 1) await member.run("search", { query: `quiet ${n}` });
    const before = asked();
    const refused = await member.run("search", { query: "quiet at last" });
    const usage = await member.run("usage");
    const other = await moderator.run("search", { query: "quiet at last" });

    expect(field(shown, "By access level")).toContain(
      "200 units, 10 searches, and 3 credits (default)",
    );
    expect(textOf(refused)).toContain("Each member of this server may use 10 searches a day.");
    expectText(refused, /An owner of this server can change that with <?\/connect budget/u);
    expect(textOf(refused)).toMatch(/Try again <t:\d+:R>/u);
    expect(asked()).toBe(before + 1);
    expect(field(usage, "Used today by you")).toContain("0 of 10 searches left for you today");
    expect(textOf(other)).toContain("1 search");
    const removed = await set({ rank: "member", remove: true });
    expect(field(removed, "By access level")).toMatch(/no limit/u);
    expect(textOf(await member.run("search", { query: "quiet again" }))).toContain("1 search");
    // The next tests begin with a new day.
    ahead += dayMs;
  });

  it("stop a person with the amount and the time, before anything is spent", async () => {
    await set({ rank: "member", searches: 1, units: 20 });
    const first = await member.run("search", { query: "fog" });
    const before = asked();

    const second = await member.run("search", { query: "snow" });

    expect(textOf(first)).toContain("1 search · 0 searches left today for you");
    expect(asked()).toBe(before);
    expectPrivate(second, "Each member of this server may use 1 search a day.");
    expectText(second, /Try again <t:\d+:R> \(<t:\d+:f>\)\./u);
    expect(textOf(second)).not.toContain("Nothing was changed");
    expect(field(await member.run("usage"), "Used today by you")).toContain(
      "0 of 1 search left for you today",
    );
  });

  it("never limit owners, and others only by what is theirs", async () => {
    await set({ rank: "moderator", units: 0 });

    expect(textOf(await owner.run("search", { query: "snow" }))).toContain("1 search");
    const before = asked();
    const refused = await moderator.run("channels show", { channel: "@greenroom" });
    expect(textOf(refused)).toContain("Each moderator of this server may use 0 units a day.");
    expect(asked()).toBe(before);
    // Waiting comments can still be moderated.
    expectText(await moderator.run("comments held"), "Held comments");
  });

  it("are given to one person, shown, and removed", async () => {
    const person = await idOf("moderator");
    const shown = await set({ person, credits: 0.25, units: 100 });

    expect(field(shown, "By person")).toBe(`<@${person}>: 100 units and 0.25 credits`);
    const image = await photo("cat");
    const small = await moderator.run("background remove", { image, size: "preview" });
    expect(small.attachments).not.toEqual([]);
    const refused = await moderator.run("background remove", { image, size: "preview" });
    expect(textOf(refused)).toContain("limits you to 0.25 credits a day");

    const removed = await set({ person, remove: true });
    expect(textOf(removed)).toContain("Budget removed");
    expect(field(removed, "By person")).toBe("No personal limits.");
    expect(textOf(await set({ person, remove: true }))).toContain("No budget to remove");
    await set({ rank: "moderator", remove: true });
    await set({ rank: "member", remove: true });
  });

  it("take a quota and a reserve of the server's own key", async () => {
    await set({ "daily-units": 50_000, reserve: 40 });

    const left = field(await member.run("usage"), "YouTube API key");

    expect(left).toContain("of 50,000 units left");
    expect(left).toContain("20,000 units are reserved for moderation");
    await set({ "daily-units": 10_000, reserve: 20 });
  });

  it.each([
    ["an amount for nobody", { units: 1 }, "Choose whose budget to set"],
    ["a removal for nobody", { remove: true }, "Choose whose budget to set"],
    ["an amount and its removal", { rank: "member", remove: true, units: 1 }, "can’t be combined"],
  ])("refuse %s", async (_, options, title) => {
    expect(textOf(await set(options))).toContain(title);
  });

  it("refuse both a rank and a person", async () => {
    const both = { rank: "member", person: await idOf("member"), units: 1 };

    expect(textOf(await set(both))).toContain("Choose at most one of these: rank and person.");
  });

  it("are the owner's alone to set", async () => {
    expect(textOf(await moderator.run("connect budget", { rank: "member", units: 1 }))).toContain(
      "Only owners can do this",
    );
  });

  it("are named with the price where they are tighter, and hold before the question", async () => {
    const person = await idOf("moderator");
    const { id } = stage.sandbox.video.addComment({ text: "hello", status: "heldForReview" });
    const reject = () => moderator.run("comments moderate", { comments: id, decision: "rejected" });
    await set({ person, units: 60 });

    const question = await reject();
    await set({ person, units: 20 });
    const before = asked();
    const refused = await reject();

    expect(textOf(question)).toMatch(
      /This costs 51 units \(52 units in all with this question\); \d+ units left today for you \(linked channel’s project\)\./u,
    );
    expect(textOf(refused)).toContain("This needs 51, and");
    expect(asked()).toBe(before);
    await set({ person, remove: true });
  });
});

describe("suggestions while typing", () => {
  it("are counted by that name, and said beside their limit", async () => {
    const offers = await owner.offered("videos show", "video", "");

    const today = await owner.run("usage");
    const lines = await rows("owner", { days: "today" });

    expect(offers.length).toBeGreaterThan(0);
    const cost = sum(lines, ({ command }) => command === "suggestions");
    expect(cost).toBeGreaterThan(0);
    const said = new RegExp(`${cost} units? of it for suggestions while typing`, "u");
    expect(field(today, "Used today by this server")).toMatch(said);
    expect(field(today, "Used today by you")).toMatch(said);
    expect(field(await history("owner"), "By command")).toContain("Suggestions while typing");
  });
});

describe("a server with nothing connected", () => {
  it("says how to begin, and what was spent before", async () => {
    for (const what of ["video-key", "channel", "background-key"]) {
      const question = await owner.run("connect disconnect", { what });
      await owner.click(question, "Disconnect");
    }

    const spent = await history("owner");
    ahead += 40 * dayMs;
    const asOwner = await owner.run("usage");
    const asMember = await member.run("usage");

    expect(field(spent, "By command")).toContain("/search");
    expectText(asOwner, "Nothing is connected yet", "/connect key");
    expect(textOf(asMember)).toContain("Manage Server permission");
  });
});
