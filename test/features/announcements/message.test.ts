import { describe, expect, it } from "vitest";
import type { FeedNotifications } from "../../../src/announcements/index.ts";
import { render } from "../../../src/discord/draw/render.ts";
import type { NotificationContext } from "../../../src/discord/index.ts";
import {
  announcementEvent,
  checkTemplate,
  fillTemplate,
} from "../../../src/features/announcements/message.ts";
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
    const over = JSON.stringify(
      await drawn(factsWith("T", { kind: "live", isOver: true }), locale),
    );

    expect(new Set([upload, live, over]).size).toBe(3);
    expect(live).toContain(words(locale).say("announce.live_now"));
    expect(over).not.toContain(words(locale).say("announce.live_now"));
    expect(upload).toContain("1:01");
  });
});

describe("a template", () => {
  it("is filled once, so that a title stays a title", () => {
    const values = { channel: "{title}", title: "{kind} $& $1", kind: "Short" };

    expect(fillTemplate("{channel}: {title} ({kind}) {x} {}", values)).toBe(
      "{title}: {kind} $& $1 (Short) {x} {}",
    );
  });

  it.each(["{url}", "{ title }", "{}", "a {Title} b", "{channel.name}", "{constructor}"])(
    "may not have %s",
    (template) => {
      expect(() => checkTemplate(template)).toThrow(
        expect.objectContaining({ code: "template_placeholder" }),
      );
    },
  );

  it.each(["", "{channel}{title}{kind}", "} {", "{{title}}", "{a\nb}"])(
    "may have %s",
    (template) => {
      expect(() => checkTemplate(template)).not.toThrow();
    },
  );
});
