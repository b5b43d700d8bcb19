import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createWords } from "../../../src/discord/draw/words.ts";
import type { Ctx } from "../../../src/features/context/index.ts";
import { credits } from "../../../src/features/credits/index.ts";
import { createLanguages } from "../../../src/language/index.ts";
import type { SandboxFile } from "../../../src/sandbox/types.ts";
import { asMessage, fetchBytes, isEphemeral, photo, textOf } from "../../support/stage.ts";
import { expectText, useStage } from "../../support/use-stage.ts";

const dayMs = 24 * 3_600_000;

/** The clock runs by itself and can be moved ahead. */
let ahead = -4 * dayMs;
const now = () => Date.now() + ahead;

const { stage, as, owner } = useStage({
  now,
  background: { credits: 6.25, freeCalls: 0, matting: "ellipse" },
});

const person = (name: "owner" | "moderator" | "member") => stage.sandbox.user(name);
const account = (name: "owner" | "moderator" | "member") => as(name).run("background account");

/** A picture large enough to cost a whole credit. */
async function picture(): Promise<SandboxFile> {
  const { data } = await photo("cat");
  return { name: "cat.jpg", type: "image/jpeg", data: await sharp(data).resize(620).toBuffer() };
}

async function cutOut(name: "owner" | "moderator" | "member"): Promise<void> {
  const image = await picture();
  const answer = await person(name).command("background remove", { image, size: "auto" });
  expect(asMessage(answer).attachments).not.toEqual([]);
}

/** The value of the field whose name begins with this. */
function field(message: Awaited<ReturnType<typeof account>>, name: string): string | undefined {
  return message.embeds[0]?.fields?.find((one) => one.name.startsWith(name))?.value;
}

describe("/background account", () => {
  it("is not for members", async () => {
    const answer = await account("member");

    expect(isEphemeral(answer)).toBe(true);
    expect(textOf(answer)).toContain("Only moderators can do this");
  });

  it("shows a new server only its balance, in private", async () => {
    const answer = await account("owner");

    expect(isEphemeral(answer)).toBe(true);
    expect(field(answer, "Balance")).toBe(
      "**6.25 credits**\nSubscription: 0\nPay as you go: 6.25\nEnterprise: 0",
    );
    expect(field(answer, "Free pictures")).toBe("0 left this month");
    expect(field(answer, "Spent by this server")).toContain("Last 30 days: 0 credits, 0 pictures");
    expect(field(answer, "Rate limit")).toBe("Not known yet: it is reported with each picture.");
    expect(field(answer, "By command")).toBeUndefined();
    expect(answer.embeds[0]?.image).toBeUndefined();
    expect(textOf(answer)).not.toContain("pace");
    expect(textOf(answer)).toContain("The balance can be a few seconds behind.");
  });

  it("shows managers spending by day, command and person, a chart, and how long the credits last", async () => {
    await cutOut("owner");
    ahead += dayMs;
    await cutOut("member");
    ahead += dayMs;
    await cutOut("member");
    await cutOut("moderator");
    ahead += dayMs;
    await cutOut("owner");

    const answer = await account("owner");

    expect(field(answer, "Balance")).toContain("**1.25 credits**");
    expect(field(answer, "Spent by this server")).toBe(
      [
        "Today: 1 credit, 1 picture",
        "Last 7 days: 5 credits, 5 pictures",
        "Last 30 days: 5 credits, 5 pictures",
      ].join("\n"),
    );
    expect(field(answer, "By command")).toBe("/background remove: 5 credits, 5 pictures");
    expect(field(answer, "By person")?.split("\n")).toHaveLength(3);
    expect(field(answer, "By person")).toMatch(/^<@\d+>: 2 credits, 2 pictures\n/u);
    expect(textOf(answer)).toContain("At the current rate they’ll last about 1 day.");
    const chart = await sharp(await fetchBytes(answer.embeds[0]?.image?.url ?? "")).metadata();
    expect([chart.format, chart.width, chart.height]).toEqual(["png", 800, 320]);
  });

  it("shows moderators what was spent, but not by whom", async () => {
    const answer = await account("moderator");

    expect(field(answer, "By command")).toContain("5 credits");
    expect(field(answer, "By person")).toBeUndefined();
  });

  it("shows another period when chosen, and current figures when refreshed", async () => {
    const shown = await account("owner");
    ahead += dayMs;

    const week = await owner.choose(shown, ["7"]);
    await cutOut("owner");
    const refreshed = await owner.click(week, "Refresh");

    expect(week.id).toBe(shown.id);
    expect(field(week, "By command, last 7 days")).toContain("5 credits");
    expect(field(refreshed, "By command, last 7 days")).toContain("6 credits");
    expect(field(refreshed, "Spent by this server")).toContain("Today: 1 credit, 1 picture");
    expect(refreshed.attachments.length + refreshed.embeds.length).toBe(1);
  });

  it("says when credits run low, when none are left, and what to do", async () => {
    const low = await account("owner");
    await small();
    const gone = await account("owner");

    expect(field(low, "Balance")).toContain("**0.25 credits**");
    expect(textOf(low)).toContain("Credits are running low.");
    expect(field(gone, "Balance")).toContain("**0 credits**");
    expect(textOf(gone)).toContain("buy more in the account that the key belongs to");
    expect(textOf(gone)).not.toContain("pace");
  });

  it("speaks German, with German numbers", async () => {
    person("owner").speak("de");
    const answer = await account("owner");
    person("owner").speak("en-US");

    expectText(answer, "Credits zum Freistellen", "Es sind keine Credits mehr da.");
    expect(field(answer, "Nach Befehl")).toMatch(/^\/hintergrund entfernen: 6,25 Credits/u);
  });

  it("says who can connect a key when there is none", async () => {
    const question = await owner.run("connect disconnect", { what: "background-key" });
    await person("owner").click(question, "Disconnect");

    expect(textOf(await account("owner"))).toContain("/connect background-key");
    expect(textOf(await account("moderator"))).toContain("Manage Server");
  });

  /** Makes a preview, which uses the remaining part of a credit. */
  async function small() {
    await person("owner").command("background remove", {
      image: await photo("cat"),
      size: "preview",
    });
  }
});

describe("an account", () => {
  const balance = {
    credits: { total: 0, subscription: 0, payg: 0, enterprise: 0 },
    api: { freeCalls: 12 },
  };

  /** Only what the function under test uses. */
  function ctxWith(parts: { readonly total?: number; readonly chart?: () => Promise<Buffer> }) {
    const { total = 40, chart = async () => Buffer.alloc(1) } = parts;
    const warned: string[] = [];
    const ctx = {
      words: createWords(createLanguages().of("en-US")),
      rank: "manager",
      signal: new AbortController().signal,
      now: () => Date.UTC(2026, 2, 1),
      background: {
        account: async () => ({ ...balance, credits: { ...balance.credits, total } }),
        rateLimit: () => undefined,
      },
      creditsSpent: async () =>
        Array.from({ length: 12 }, (_, at) => ({
          day: "2026-02-20",
          userId: `${at + 1}`,
          command: ["background remove", "Remove background", "background.full"][at % 3],
          credits: 0.01,
          pictures: 1,
        })),
      images: { chart },
      log: { warn: (message: string) => warned.push(message) },
    } as unknown as Ctx<unknown>;
    return { ctx, warned };
  }

  it("is shown even if the chart can't be drawn", async () => {
    const { ctx, warned } = ctxWith({ chart: () => Promise.reject(new Error("no worker")) });

    const reply = await credits.account(ctx);

    expect(reply).toMatchObject({
      kind: "card",
      title: "Background removal credits",
      preview: undefined,
    });
    expect(warned).toEqual(["the chart of credits could not be drawn"]);
  });

  it("names commands, menus and buttons as people know them, and sums up those that do not fit", async () => {
    const reply = await credits.account(ctxWith({}).ctx);
    const text = JSON.stringify(reply);

    expect(text).toContain("/background remove: 0.04 credits, 4 pictures");
    expect(text).toContain("Remove background: 0.04 credits, 4 pictures");
    expect(text).toContain("Buttons below results: 0.04 credits, 4 pictures");
    expect(text).toContain("4 others: 0.04 credits, 4 pictures");
    expect(text).toContain("At the current rate they’ll last more than a year.");
  });

  it("says so when only free calls are left", async () => {
    const reply = await credits.account(ctxWith({ total: 0 }).ctx);

    expect(JSON.stringify(reply)).toContain("only 12 free pictures this month");
  });
});
