import { describe, expect, it } from "vitest";
import { isEphemeral, textOf } from "../support/stage.ts";
import { expectPrivate, expectText, useStage } from "../support/use-stage.ts";

const { stage, as, moderator, member, units, videoAnswers } = useStage();

type Name = "owner" | "moderator" | "member";
const run = async (name: Name, options: Readonly<Record<string, string>> = {}) =>
  await as(name).run("activity", options);

let asked = 10;

/** Makes YouTube's stand-in answer with one such activity. */
function answer(snippet: object, contentDetails: object) {
  const items = [{ kind: "youtube#activity", snippet, contentDetails }];
  const body = { kind: "youtube#activityListResponse", items };
  videoAnswers(/\/activities/u, { status: 200, body, times: 1 });
}

describe("/activity", () => {
  it("shows everybody what the linked channel did, with links, but not what it liked", async () => {
    const message = await run("member");
    const text = textOf(message);

    expect(isEphemeral(message)).toBe(false);
    expectText(text, /Activity of .+/u, /Uploaded \[.+\]\(https:\/\/www\.youtube\.com\/watch\?v=/u);
    expect(text).toMatch(
      /Added \[.+\]\(.+\) to \[.+\]\(https:\/\/www\.youtube\.com\/playlist\?list=/u,
    );
    expect(text).not.toContain("Liked");
  });

  it("shows moderators the likes too, in private", async () => {
    const message = await run("moderator");
    const next = await moderator.click(message, "Next");

    expectPrivate(message, "Activity of your channel");
    expect(`${textOf(message)}${textOf(next)}`).toContain("Liked");
  });

  it("shows another channel, between two moments", async () => {
    const { channels, ownChannelId } = stage.sandbox.video;
    const other = [...channels.keys()].find((id) => id !== ownChannelId) ?? "";

    const all = await run("member", { channel: other });
    const none = await run("member", { channel: other, before: "2006-01-01" });

    expect(textOf(all)).toContain(`Activity of ${channels.get(other)?.title}`);
    expect(textOf(none)).toContain("No activity in this period");
  });

  it("asks nothing about what is still to come", async () => {
    const asked = stage.videoRequests.length;

    const message = await run("member", { after: "in 3 days" });

    expect(textOf(message)).toContain("“in 3 days” is in the future");
    expect(stage.videoRequests).toHaveLength(asked);
  });

  it.each([
    ["like", { like: { resourceId: { videoId: "aaaaaaaaaaa" } } }, "Liked [Pilot]"],
    ["favorite", { favorite: { resourceId: { videoId: "aaaaaaaaaaa" } } }, "[Pilot](https"],
    ["comment", { comment: { resourceId: { videoId: "aaaaaaaaaaa" } } }, "Commented on [Pilot]"],
    [
      "subscription",
      { subscription: { resourceId: { channelId: "UCaaaaaaaaaaaaaaaaaaaaaa" } } },
      "Subscribed to [Pilot](https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa)",
    ],
    [
      "recommendation",
      {
        recommendation: {
          resourceId: { videoId: "aaaaaaaaaaa" },
          reason: "videoWatched",
          seedResourceId: { kind: "youtube#video", videoId: "bbbbbbbbbbb" },
        },
      },
      "Because [a video](https://www.youtube.com/watch?v=bbbbbbbbbbb) was watched",
    ],
    ["bulletin", { bulletin: { resourceId: { playlistId: "PLaaaaaaaaaaaa" } } }, "Posted about"],
    [
      "social",
      {
        social: {
          type: "twitter",
          author: "[@everyone](https://evil.example)",
          referenceUrl: "https://evil.example",
          resourceId: { videoId: "aaaaaaaaaaa" },
        },
      },
      "Shared [Pilot]",
    ],
    ["channelItem", { channelItem: { resourceId: { videoId: "aaaaaaaaaaa" } } }, "to the channel"],
    ["promotedItem", {}, "Promoted Pilot"],
    ["somethingNew", {}, "Did something with Pilot"],
  ])("has words for %s", async (type, details, words) => {
    answer({ type, title: "Pilot", publishedAt: "2026-01-01T00:00:00Z" }, details);

    const message = await run("member", {
      channel: stage.sandbox.video.ownChannelId,
      // A different question each time, because answers are cached.
      after: `2020-01-${++asked}`,
    });

    expect(textOf(message)).toContain(words);
    expect(JSON.stringify(message.components)).not.toContain("(https://evil.example");
  });

  it.each([
    ["a video's link for a channel", { channel: "https://youtu.be/N_JcGn3sP8X" }],
    ["words for a moment", { after: "purple 🎉" }],
    ["a country that is none", { region: "Narnia" }],
  ])("refuses %s before a unit is spent", async (_, options) => {
    const before = units();

    const message = await run("member", options);

    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).not.toContain("Nothing was changed");
    expect(units()).toBe(before);
  });

  it("speaks German", async () => {
    member.speak("de");

    const message = await member.run("aktivität", { kanal: stage.sandbox.video.ownChannelId });

    expectText(message, /Aktivitäten von .+/u, /\) hochgeladen/u);
  });
});
