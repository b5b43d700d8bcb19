import { describe, expect, it } from "vitest";
import { ConnectError } from "../../src/errors.ts";
import { needsToken } from "../../src/video/credentials.ts";
import { createVideoClient, type Method, methods } from "../../src/video/index.ts";
import { answering, failureOf, openHttp, serve } from "../http/server.ts";

const part = ["snippet"];

describe("needsToken", () => {
  it.each([
    ["activities.list", { part, mine: true }],
    ["channelSections.list", { part, mine: true }],
    ["channels.list", { part, mine: true }],
    ["channels.list", { part, managedByMe: true }],
    ["channels.list", { part: ["snippet", "auditDetails"], id: ["a"] }],
    ["channels.list", { part: ["contentOwnerDetails"], id: ["a"] }],
    ["channels.list", { part: ["invideoPromotion"], id: ["a"] }],
    ["playlists.list", { part, mine: true }],
    ["subscriptions.list", { part, mine: true }],
    ["subscriptions.list", { part, mySubscribers: true }],
    ["subscriptions.list", { part, myRecentSubscribers: true }],
    ["search.list", { part, forMine: true, type: ["video"] }],
    ["search.list", { part, forDeveloper: true, type: ["video"] }],
    ["search.list", { part, forContentOwner: true, type: ["video"] }],
    ["videos.list", { part, myRating: "like" }],
    ["videos.list", { part: ["fileDetails"], id: ["a"] }],
    ["videos.list", { part, id: ["a"], onBehalfOfContentOwner: "o" }],
    ["commentThreads.list", { part, videoId: "a", moderationStatus: "heldForReview" }],
    ["commentThreads.list", { part, videoId: "a", moderationStatus: "likelySpam" }],
    ["captions.list", { part, videoId: "a" }],
    ["members.list", { part }],
    ["videos.getRating", { id: ["a"] }],
  ] as [Method, object][])("says so of %s with %j", (method, given) => {
    expect(needsToken(methods[method], given as Record<string, unknown>)).toBe(true);
  });

  it.each([
    ["channels.list", { part, id: ["a"], mine: false }],
    ["commentThreads.list", { part, videoId: "a", moderationStatus: "published" }],
    ["videos.list", { part: ["snippet", "statistics"], chart: "mostPopular" }],
    ["subscriptions.list", { part, channelId: "a" }],
    ["search.list", { part, quotaUser: "a", forMine: undefined }],
  ] as [Method, object][])("does not say so of %s with %j", (method, given) => {
    expect(needsToken(methods[method], given as Record<string, unknown>)).toBe(false);
  });

  it("is settled before anything is sent", async () => {
    const server = await serve(answering(200, {}));
    const http = openHttp();
    const client = createVideoClient({ baseUrl: server.url, key: "k", http });

    const mine = client.call("playlists.list", { part: ["snippet"], mine: true });
    const refused = await failureOf(mine, ConnectError);

    expect(refused.code).toBe("token_missing");
    expect(server.received).toHaveLength(0);
  });
});
