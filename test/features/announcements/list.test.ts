import { describe, expect, it } from "vitest";
import type { PlaceTrouble } from "../../../src/announcements/index.ts";
import { join } from "../../../src/discord/index.ts";
import { describePlaces } from "../../../src/features/announcements/list.ts";
import { words } from "../../support/words.ts";

const upload = {
  channelId: "1",
  isPublished: true,
  hasThread: true,
  tagIds: ["5"],
} as const;

describe("describePlaces", () => {
  it.each<[PlaceTrouble["what"], string, string]>([
    ["isPublished", "discord_publish_limit", "with a thread · 1 tag"],
    ["isPublished", "discord_not_publishable", "not an announcement channel any more"],
    [
      "hasThread",
      "discord_threads_forbidden",
      "published · without threads since <t:60:f>: I need",
    ],
    ["tagIds", "tags_left_out", "published · with a thread · tags missing since <t:60:f>: they"],
    ["hasThread", "discord_down", "without threads since <t:60:f>: Discord refused it"],
  ])("says what does not work in a place: %s, %s", (what, code, said) => {
    const troubles = [{ channelId: "1", what, code, since: 60_000 }];

    const { markup } = join(describePlaces({ places: { upload }, troubles }, words()));

    expect(markup).toContain(said);
  });

  it("says nothing of another channel, or of what is no longer wanted", () => {
    const troubles = [
      { channelId: "2", what: "isPublished", code: "discord_down", since: 0 },
      { channelId: "1", what: "tagIds", code: "tags_left_out", since: 0 },
    ] as const;
    const places = { upload: { ...upload, tagIds: undefined } };

    const { markup } = join(describePlaces({ places, troubles }, words()));

    expect(markup).toBe("Uploads: <#1> · published · with a thread");
  });
});
