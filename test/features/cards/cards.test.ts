import { describe, expect, it } from "vitest";
import {
  channelCard,
  commentCard,
  commentItem,
  playlistCard,
  videoCard,
} from "../../../src/features/cards/index.ts";
import type { Channel, Comment, Video } from "../../../src/video/index.ts";
import { words } from "../../support/words.ts";

const labelsOf = ({ buttons = [] }: ReturnType<typeof videoCard>) =>
  buttons.map(({ label }) => label);
const fieldsOf = ({ fields = [] }: ReturnType<typeof videoCard>) => fields.map(({ name }) => name);

describe("videoCard", () => {
  const video: Video = {
    id: "abcdefghijk",
    snippet: { title: "A film", channelId: "UCown", publishedAt: "2026-01-02T03:04:05Z" },
    status: { privacyStatus: "public", uploadStatus: "processed" },
    processingDetails: { processingStatus: "succeeded" },
  };

  it("says nothing of processing once it is done", () => {
    const running = { ...video, processingDetails: { processingStatus: "processing" } } as const;

    expect(fieldsOf(videoCard(video, { words: words() }))).not.toContain("Processing");
    expect(fieldsOf(videoCard(running, { words: words() }))).toContain("Processing");
  });

  it("says when a premiere starts, and no length before", () => {
    const snippet = { ...video.snippet, liveBroadcastContent: "upcoming" } as const;
    const liveStreamingDetails = { scheduledStartTime: "2026-02-01T18:00:00Z" };
    const contentDetails = { duration: "P0D" };
    const waits = { ...video, snippet, liveStreamingDetails, contentDetails };
    const { fields = [] } = videoCard(waits, { words: words() });

    const starts = fields.find(({ name }) => name === "Starts")?.value;
    expect(starts).toEqual({ markup: "<t:1769968800:f> (<t:1769968800:R>)" });
    expect(fields.map(({ name }) => name)).not.toContain("Length");
  });

  it("does not say of a stream that it is processed before it is over", () => {
    const status = { uploadStatus: "uploaded" } as const;
    const saysSo = ["upcoming", "live", "none"].map((live) => {
      const stream = { ...video, status, snippet: { liveBroadcastContent: live } } as Video;
      return fieldsOf(videoCard(stream, { words: words() })).includes("Upload");
    });

    expect(saysSo).toEqual([false, false, true]);
  });

  it("does not call published what is private", () => {
    const hidden = { ...video, status: { privacyStatus: "private" } } as const;

    expect(fieldsOf(videoCard(video, { words: words() }))).toContain("Published");
    expect(fieldsOf(videoCard(hidden, { words: words() }))).not.toContain("Published");
  });
});

describe("channelCard", () => {
  const channel: Channel = { id: "UCown", snippet: { title: "Mine" } };

  it("offers to subscribe to any channel but the linked one", () => {
    const at = { words: words(), isManager: true };

    expect(labelsOf(channelCard(channel, { ...at, channelId: "UCother" }))).toContain("Subscribe");
    expect(labelsOf(channelCard(channel, { ...at, channelId: "UCown" }))).not.toContain(
      "Subscribe",
    );
  });
});

describe("a comment with a picture", () => {
  const at = { words: words(), rank: "member", channelId: undefined } as const;
  const url = "https://example.com/a.png";
  const comment: Comment = { id: "c1", snippet: { textDisplay: "Look", imageUrl: url } };

  it("shows it, small among others and large alone", () => {
    expect(commentItem(comment, at).thumbnail?.url).toBe(url);
    expect(commentCard(comment, "Posted", at).image).toBe(url);
  });

  it("shows none from an address that is no web page's", () => {
    const odd = { ...comment, snippet: { imageUrl: "javascript:alert(1)" } };

    expect(commentItem(odd, at).thumbnail).toBeUndefined();
    expect(commentCard(odd, "Posted", at).image).toBeUndefined();
  });
});

describe("playlistCard", () => {
  it("says of a podcast that it is one, and of other playlists nothing", () => {
    const named = (podcastStatus: "enabled" | "disabled") =>
      fieldsOf(playlistCard({ id: "PL1", status: { podcastStatus } }, { words: words() }));

    expect(named("enabled")).toContain("Podcast");
    expect(named("disabled")).not.toContain("Podcast");
  });
});
