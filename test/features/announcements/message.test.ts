import { describe, expect, it } from "vitest";
import type { FeedNotifications } from "../../../src/announcements/index.ts";
import { render } from "../../../src/discord/draw/render.ts";
import type { NotificationContext } from "../../../src/discord/index.ts";
import { announcementEvent } from "../../../src/features/announcements/message.ts";
import { streamEvent } from "../../../src/features/announcements/stream-message.ts";
import { locales } from "../../../src/language/index.ts";
import { hostile } from "../../support/hostile.ts";
import { formattedTexts, liveIn } from "../../support/live-text.ts";
import { words } from "../../support/words.ts";

const source = `UC${"x".repeat(22)}`;
const handle = "h".repeat(22);

function factsWith(
  title: string,
  change: Partial<FeedNotifications["announcement"]["video"]> = {},
  template?: string,
): FeedNotifications["announcement"] {
  const place = { channelId: "1", ...(template && { template }) };
  return {
    guildId: "2",
    feed: {
      id: "f",
      source,
      title: "t",
      titleReadAt: 0,
      uploads: "UU",
      addedBy: "3",
      addedAt: 0,
      places: { upload: place, live: place, short: place },
    },
    announcement: {
      feedId: "f",
      videoId: "abcdefghijk",
      state: "due",
      at: 0,
      card: { state: "due", handle, since: 0 },
    },
    video: {
      id: "abcdefghijk",
      kind: "upload",
      title,
      channelTitle: "Channel",
      publishedAt: 1_000,
      seconds: 61,
      ...change,
    },
  };
}

async function drawn(facts: FeedNotifications["announcement"], locale = "en-US") {
  const said = words(locale);
  const ctx = { words: said, guildId: "2" } as unknown as NotificationContext;
  const reply = await announcementEvent.run(ctx, facts);
  return render(reply, { words: said, name: () => `g1:p:${handle}:0` }).payload;
}

async function drawnStream(facts: FeedNotifications["stream"]) {
  const said = words("en-US");
  const ctx = { words: said, guildId: "2" } as unknown as NotificationContext;
  return render(await streamEvent.run(ctx, facts), { words: said, name: () => `g1:p:${handle}:0` })
    .payload;
}

describe("an announcement", () => {
  it.each(hostile.map((text) => [text.slice(0, 40), text]))(
    "stays plain with %s",
    async (_, text) => {
      const plain = await drawn(factsWith(text, { channelTitle: text }));
      const templated = await drawn(factsWith(text, {}, `${text.slice(0, 400)} {title}`));

      for (const payload of [plain, templated]) {
        expect(payload.allowed_mentions).toEqual({ parse: [] });
        for (const shown of formattedTexts(payload)) {
          const { links, kinds } = liveIn(shown);
          expect(links).toEqual([]);
          for (const kind of ["mention", "role", "channel", "everyone", "emoji"]) {
            expect(kinds).not.toContain(kind);
          }
        }
      }
    },
  );

  it.each(locales)("says what came out in %s", async (locale) => {
    const upload = JSON.stringify(await drawn(factsWith("T"), locale));
    const live = JSON.stringify(await drawn(factsWith("T", { kind: "live" }), locale));
    const own = JSON.stringify(await drawn(factsWith("T", { kind: "live" }, "{title}"), locale));
    const over = JSON.stringify(
      await drawn(factsWith("T", { kind: "live", isOver: true }), locale),
    );

    const premiere = JSON.stringify(
      await drawn(factsWith("T", { kind: "premiere", isOver: true }), locale),
    );

    expect(new Set([upload, live, over, premiere]).size).toBe(4);
    // The default sentence says it already.
    expect(own).toContain(words(locale).say("announce.live_now"));
    expect(live).not.toContain(`**${words(locale).say("announce.live_now")}**`);
    expect(over).not.toContain(words(locale).say("announce.live_now"));
    expect(upload).toContain("1:01");
  });
});

describe("a message about a stream", () => {
  const newest = { channelId: "3", messageId: "4" };

  it.each([
    [{ startsAt: 1_000 }, "Was planned for <t:1:f>. [Newest message]"],
    [{ startedAt: 2_000 }, "Started <t:2:f>. [Newest message]"],
    [{}, "[Newest message]"],
  ])("with a newer one after it is one line: %j", async (times, line) => {
    const { isSample: _, ...facts } = factsWith("T", { kind: "live" });
    const notice = { what: "earlier", ...times, newest } as const;

    const { embeds, components } = await drawnStream({ ...facts, notice, handle });

    const [embed] = embeds ?? [];
    expect(embed?.description).toBe(`${line}(https://discord.com/channels/2/3/4)`);
    expect([embed?.fields, embed?.image, components]).toEqual([undefined, undefined, []]);
  });

  it.each([
    [{ what: "scheduled" }, 1],
    [{ what: "cancelled", lost: "gone" }, 0],
    [{ what: "over", lost: "private" }, 0],
  ] as const)("leads to the video unless that is lost: %j", async (notice, count) => {
    const { isSample: _, ...facts } = factsWith("T", { kind: "live" });

    const { components } = await drawnStream({ ...facts, notice, handle });

    expect(JSON.stringify(components).split("youtube.com/watch").length - 1).toBe(count);
  });
});

describe("an own text", () => {
  const facts = (template: string) =>
    factsWith(
      "T",
      {
        tags: ["bread", "oven"],
        categoryId: "20",
        topics: ["https://en.wikipedia.org/wiki/Role-playing_video_game"],
        startsAt: 1_700_000_000_000,
        thumbnailUrl: "https://i.ytimg.com/vi/abcdefghijk/maxresdefault.jpg",
      },
      template,
    );

  it.each([
    ["en-US", "Role-playing game"],
    ["de", "Rollenspiel"],
    ["ja", "ロールプレイングゲーム"],
  ])("says in %s what is known of a video", async (locale, genre) => {
    const template = "{title}|{channel}|{url}|{duration}|{starts}|{thumbnail}|{tags}|{game}";

    const { embeds } = await drawn(facts(template), locale);

    const [title, channel, url, duration, starts, thumbnail, tags, game] =
      embeds?.[0]?.description?.split("\\|") ?? [];
    expect([title, channel, duration, tags]).toEqual(["T", "Channel", "1:01", "bread, oven"]);
    expect(url).toBe("https://www.youtube.com/watch?v=abcdefghijk");
    expect(starts).toBe("<t:1700000000:f>");
    expect(thumbnail).toBe("https://i.ytimg.com/vi/abcdefghijk/maxresdefault.jpg");
    expect(game).toBe(genre);
  });

  it("always fits, however long the values are", async () => {
    const long = factsWith(
      "*".repeat(100),
      { tags: ["#".repeat(400)] },
      "{title}{tags}".repeat(10),
    );

    const { embeds } = await drawn(long);

    const text = embeds?.[0]?.description ?? "";
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text).toContain("…");
  });

  it("is the usual sentence where it has nothing to say", async () => {
    const { embeds } = await drawn(factsWith("T", {}, "{starts} {tags}"));

    expect(embeds?.[0]?.description).toContain("has uploaded a new video");
  });
});
