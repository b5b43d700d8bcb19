import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { VideoServer } from "../../../src/sandbox/video/index.ts";
import { type Answer, type Loose, list, open, refusalOf, send, walk } from "./people.ts";

let server: VideoServer;
let own: string;
let time = Date.UTC(2026, 10, 21, 12);
/** Sample channels in their stored order. */
let channels: readonly string[];

beforeAll(async () => {
  server = await open({ now: () => time });
  own = server.ownChannelId;
  channels = [...server.channels.keys()];
});

beforeEach(() => server.quota.refill());

afterAll(() => server.close());

/** The channel that keeps its subscriptions private. */
const secretive = (): string =>
  [...server.channels.values()].find(({ handle }) => handle === "@lowtidemusic")?.id ?? "";

const followed = async (
  query: Record<string, string> = { mine: "true" },
  as?: string,
): Promise<string[]> =>
  (await walk(server, "/subscriptions", { part: "snippet", maxResults: 50, ...query }, { as })).map(
    ({ snippet }) => snippet.resourceId.channelId,
  );

const follow = (channelId: unknown, as = own): Promise<Answer> =>
  send(
    server,
    "POST /subscriptions?part=snippet,contentDetails,subscriberSnippet",
    {},
    { as, body: { snippet: { resourceId: { kind: "youtube#channel", channelId } } } },
  );

async function stranger(): Promise<string> {
  const mine = await followed({ mine: "true" }, own);
  return channels.find((id) => id !== own && !mine.includes(id)) ?? "";
}

describe("subscriptions.list", () => {
  it("shows whom the token's channel follows, and whom any other shows that it follows", async () => {
    const mine = await followed({ mine: "true" }, own);

    expect(mine.length).toBeGreaterThan(2);
    expect(await followed({ channelId: own })).toEqual(mine);
  });

  it("keeps what a channel doesn't show to itself", async () => {
    const query = { part: "snippet", channelId: secretive() };
    const [first] = await list(server, "/subscriptions", query, { as: secretive() });

    expect(refusalOf(await send(server, "GET /subscriptions", query))).toBe(
      "403 subscriptionForbidden",
    );
    expect(await list(server, "/subscriptions", { part: "id", id: first?.id })).toEqual([]);
  });

  it("has a publisher, a subscriber and counts in its parts", async () => {
    const part = "snippet,contentDetails,subscriberSnippet";
    const [first] = await list(server, "/subscriptions", { part, mine: true }, { as: own });

    expect(first).toMatchObject({
      kind: "youtube#subscription",
      snippet: {
        title: server.channels.get(first?.snippet.resourceId.channelId)?.title,
        channelId: own,
        resourceId: { kind: "youtube#channel" },
        thumbnails: { default: { width: 88 } },
      },
      contentDetails: {
        totalItemCount: expect.any(Number),
        newItemCount: expect.any(Number),
        activityType: "all",
      },
      subscriberSnippet: { title: "Greenroom Studio", channelId: own },
    });
  });

  it("shows the channel's own subscribers, people among them, newest first when they are recent", async () => {
    const query = { part: "snippet,subscriberSnippet", myRecentSubscribers: true, maxResults: 50 };
    const found = await walk(server, "/subscriptions", query, { as: own });
    const times = found.map(({ snippet }) => snippet.publishedAt);
    const all = await walk(
      server,
      "/subscriptions?part=id&mySubscribers=true&maxResults=50",
      {},
      { as: own },
    );

    expect(found.length).toBeGreaterThan(60);
    expect(all.length).toBe(found.length);
    expect(new Set(found.map(({ snippet }) => snippet.resourceId.channelId))).toEqual(
      new Set([own]),
    );
    expect(times).toEqual([...times].sort().reverse());
  });

  it("orders by name when asked", async () => {
    const found = await list(
      server,
      "/subscriptions?part=snippet&mine=true&order=alphabetical&maxResults=50",
      {},
      { as: own },
    );
    const names = found.map(({ snippet }) => snippet.title.toLowerCase());

    expect(names).toEqual([...names].sort());
  });

  it("keeps to the channels that are asked for", async () => {
    const [first = ""] = await followed({ mine: "true" }, own);
    const forChannelId = `${first},${await stranger()}`;

    expect(await followed({ mine: "true", forChannelId }, own)).toEqual([first]);
  });

  it("pages there and back", async () => {
    const query = { part: "id", myRecentSubscribers: true, maxResults: 10 };
    const page = async (pageToken?: string): Promise<Loose> =>
      (
        await send(
          server,
          "GET /subscriptions",
          { ...query, ...(pageToken && { pageToken }) },
          { as: own },
        )
      ).body;
    const first = await page();
    const second = await page(first.nextPageToken);
    const back = await page(second.prevPageToken);

    expect(first).not.toHaveProperty("prevPageToken");
    expect(back.items).toEqual(first.items);
    expect(second.items).toHaveLength(10);
  });

  it.each([
    [{ mine: true }, undefined, "401 authorizationRequired"],
    [{ mySubscribers: true }, undefined, "401 authorizationRequired"],
    [{ channelId: "UCnobody" }, undefined, "404 subscriberNotFound"],
    [{ mine: true, channelId: "x" }, "owner", "400 incompatibleParameters"],
    [{}, undefined, "400 missingRequiredParameter"],
  ])("refuses %j", async (query, as, expected) => {
    const answer = await send(
      server,
      "GET /subscriptions",
      { part: "id", ...query } as Record<string, string>,
      { as: as && own },
    );

    expect(refusalOf(answer)).toEqual(expected);
  });
});

describe("subscriptions.insert", () => {
  it("lists the new subscription and counts the subscriber", async () => {
    const channelId = await stranger();
    const before = server.channels.get(channelId)?.subscribers ?? 0;
    const { status, body } = await follow(channelId);

    expect([status, body.snippet.resourceId.channelId]).toEqual([200, channelId]);
    expect((await followed({ mine: "true" }, own))[0]).toBe(channelId);
    expect(server.channels.get(channelId)?.subscribers).toBe(before + 1);
    expect(await list(server, "/subscriptions", { part: "id", id: body.id })).toHaveLength(1);
  });

  it("refuses the same channel twice, the own one, an unknown one and none", async () => {
    const [first] = await followed({ mine: "true" }, own);

    expect(refusalOf(await follow(first))).toBe("400 subscriptionDuplicate");
    expect(refusalOf(await follow(own))).toBe("400 subscriptionForbidden");
    expect(refusalOf(await follow("UCnobody"))).toBe("404 publisherNotFound");
    expect(refusalOf(await follow(undefined))).toBe("400 publisherRequired");
    expect(refusalOf(await follow(first, "UCwithout-a-channel"))).toBe("404 subscriberNotFound");
  });
});

describe("subscriptions.delete", () => {
  const unfollow = (id: string, as = own): Promise<Answer> =>
    send(server, "DELETE /subscriptions", { id }, { as });

  it("ends the caller's own subscription, by its id and not the channel's", async () => {
    const [first] = await list(server, "/subscriptions?part=snippet&mine=true", {}, { as: own });
    const channelId = first?.snippet.resourceId.channelId;
    const before = server.channels.get(channelId)?.subscribers ?? 0;

    expect(refusalOf(await unfollow(channelId))).toBe("404 subscriptionNotFound");
    expect(refusalOf(await unfollow(first?.id, channels[1]))).toBe("403 subscriptionForbidden");
    expect((await unfollow(first?.id)).status).toBe(204);
    expect(await followed({ mine: "true" }, own)).not.toContain(channelId);
    expect(server.channels.get(channelId)?.subscribers).toBe(before - 1);
    expect(refusalOf(await unfollow(first?.id))).toBe("404 subscriptionNotFound");
  });
});

describe("membershipsLevels.list", () => {
  it("shows the levels of the token's channel in order, all at once", async () => {
    const { body } = await send(server, "GET /membershipsLevels", { part: "snippet" }, { as: own });

    expect(body.items.map(({ snippet }: Loose) => snippet.levelDetails.displayName)).toEqual([
      "Stagehand",
      "Front Row",
      "Green Room",
    ]);
    expect(body).not.toHaveProperty("pageInfo");
  });

  it.each(["/members", "/membershipsLevels"])(
    "says that a channel has none at %s",
    async (path) => {
      const answer = await send(
        server,
        `GET ${path}`,
        { part: "snippet" },
        { as: channels[1] ?? "" },
      );

      expect(refusalOf(answer)).toBe("400 channelMembershipsNotEnabled");
    },
  );
});

const members = (
  query: Record<string, string | number> = {},
  at: VideoServer = server,
): Promise<Answer> => send(at, "GET /members", { part: "snippet", ...query }, { as: own });

describe("members.list", () => {
  const levels = async (): Promise<string[]> =>
    (await list(server, "/membershipsLevels", { part: "id" }, { as: own })).map(({ id }) => id);

  it("lists all current members, five a page by default", async () => {
    const all = await walk(server, "/members", { part: "snippet", maxResults: 25 }, { as: own });
    const { body } = await members();

    expect(body.items).toHaveLength(5);
    expect(new Set(all.map(({ snippet }) => snippet.memberDetails.channelId)).size).toBe(64);
    expect(all[0]).not.toHaveProperty("id");
    expect(all[0]?.snippet).toMatchObject({
      creatorChannelId: own,
      memberDetails: {
        displayName: expect.any(String),
        profileImageUrl: expect.stringContaining("/ch/UC"),
      },
      membershipsDetails: {
        highestAccessibleLevelDisplayName: expect.any(String),
        membershipsDuration: { memberTotalDurationMonths: expect.any(Number) },
      },
    });
  });

  it("keeps to those who have access to a level", async () => {
    const [lowest = "", , highest = ""] = await levels();
    const top = (await members({ hasAccessToLevel: highest, maxResults: 1000 })).body.items;
    const all = (await members({ hasAccessToLevel: lowest, maxResults: 1000 })).body.items;

    expect(all).toHaveLength(64);
    expect(top.length).toBeLessThan(40);
    expect(
      top.every(({ snippet }: Loose) => snippet.membershipsDetails.accessibleLevels.length === 3),
    ).toBe(true);
  });

  it("says which of some channels are members", async () => {
    const [first] = (await members()).body.items;
    const id = first.snippet.memberDetails.channelId;
    const found = (await members({ filterByMemberChannelId: `${id},${channels[1]}` })).body.items;

    expect(found.map(({ snippet }: Loose) => snippet.memberDetails.channelId)).toEqual([id]);
  });

  it("gives nothing but a token first in updates, then who joined or rose since", async () => {
    const joined = await open({ now: () => time });
    const updates = async (query: Record<string, string> = {}): Promise<Loose> =>
      (await members({ mode: "updates", ...query }, joined)).body;
    const first = await updates();
    time += 1000;
    const memberSince = new Date(time).toISOString().replace(".000", "");
    const { channelId } = joined.addMember({ name: "Newcomer" });
    const second = await updates({ pageToken: first.nextPageToken });
    const third = await updates({ pageToken: second.nextPageToken });
    time += 1000;
    joined.addMember({ name: "Newcomer", level: "Green Room" });
    const fourth = await updates({ pageToken: third.nextPageToken });
    const current = (await members({ maxResults: 1000 }, joined)).body.items;
    await joined.close();

    expect([first.items, third.items]).toEqual([[], []]);
    expect(second.items[0].snippet.memberDetails).toMatchObject({
      channelId,
      displayName: "Newcomer",
    });
    expect(fourth.items[0].snippet.membershipsDetails).toMatchObject({
      highestAccessibleLevelDisplayName: "Green Room",
      membershipsDuration: { memberSince },
    });
    expect(fourth.nextPageToken).toEqual(expect.any(String));
    expect(current).toHaveLength(65);
  });

  it("keeps tokens to the mode they came from", async () => {
    const current = (await members()).body.nextPageToken;
    const updates = (await members({ mode: "updates" })).body.nextPageToken;

    expect(refusalOf(await members({ mode: "updates", pageToken: current }))).toBe(
      "400 invalidMode",
    );
    expect(refusalOf(await members({ pageToken: updates }))).toBe("400 invalidMode");
    expect(refusalOf(await members({ mode: "updates", pageToken: "old" }))).toBe(
      "400 invalidPageToken",
    );
  });

  it.each([
    [{ hasAccessToLevel: "nothing" }, "invalidHasAccessToLevel"],
    [{ mode: "all" }, "invalidMode"],
    [
      { filterByMemberChannelId: Array.from({ length: 101 }, (_, i) => `UC${i}`).join() },
      "invalidFilterByMemberChannelId",
    ],
    [{ maxResults: 1001 }, "invalidParameter"],
  ])("refuses %j", async (query, reason) => {
    expect(refusalOf(await members(query as Record<string, string>))).toBe(`400 ${reason}`);
  });
});

describe("activities.list", () => {
  const types = (found: Loose[]): Set<string> => new Set(found.map(({ snippet }) => snippet.type));

  it("shows a channel's uploads and additions to its playlists, newest first", async () => {
    const found = await walk(server, "/activities?part=snippet,contentDetails&maxResults=50", {
      channelId: own,
    });
    const times = found.map(({ snippet }) => snippet.publishedAt);
    const upload = found.find(({ snippet }) => snippet.type === "upload");
    const addition = found.find(({ snippet }) => snippet.type === "playlistItem");
    const [video] = await list(server, "/videos?part=snippet", {
      id: upload?.contentDetails.upload.videoId,
    });

    expect(types(found)).toEqual(new Set(["upload", "playlistItem"]));
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    expect(upload?.snippet).toMatchObject({ channelId: own, title: video?.snippet.title });
    expect(addition?.contentDetails.playlistItem).toMatchObject({
      resourceId: { kind: "youtube#video" },
      playlistId: expect.stringMatching(/^PL/),
      playlistItemId: expect.any(String),
    });
  });

  it("shows likes to the channel itself, a new one in front", async () => {
    const videos = await list(server, "/videos", { part: "id", chart: "mostPopular" });
    time += 1000;
    await send(server, "POST /videos/rate", { id: videos[0]?.id, rating: "like" }, { as: own });
    const [first] = await list(
      server,
      "/activities?part=snippet,contentDetails&mine=true",
      {},
      { as: own },
    );

    expect(first).toMatchObject({
      snippet: { type: "like" },
      contentDetails: { like: { resourceId: { videoId: videos[0]?.id } } },
    });
  });

  it("keeps to a span of time", async () => {
    const query = { part: "snippet", channelId: own, maxResults: 50 };
    const publishedAfter = "2026-10-20T00:00:00Z";
    const publishedBefore = "2026-11-10T00:00:00Z";
    const found = await walk(server, "/activities", { ...query, publishedAfter, publishedBefore });

    expect(found.length).toBeGreaterThan(2);
    expect(
      found.every(
        ({ snippet }) =>
          snippet.publishedAt >= publishedAfter && snippet.publishedAt <= publishedBefore,
      ),
    ).toBe(true);
  });

  it.each([
    [{ mine: true }, undefined, "401 authorizationRequired"],
    [{ channelId: "UCnobody" }, undefined, "404 channelNotFound"],
    [{ mine: true, home: true }, "owner", "403 homeParameterDeprecated"],
    [{ channelId: "x", mine: true }, "owner", "400 incompatibleParameters"],
    [{}, undefined, "400 missingRequiredParameter"],
  ])("refuses %j", async (query, as, expected) => {
    const answer = await send(
      server,
      "GET /activities",
      { part: "id", ...query } as Record<string, string>,
      { as: as && own },
    );

    expect(refusalOf(answer)).toEqual(expected);
  });
});
