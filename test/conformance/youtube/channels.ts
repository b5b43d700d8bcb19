import { Readable } from "node:stream";
import sharp from "sharp";
import { expect } from "vitest";
import { makePlaylist } from "./playlists.ts";
import { type Cases, idsOf, present, refusal, type Stage } from "./stage.ts";

async function branding({ visitor, server }: Stage) {
  const { data } = await visitor.channels.list({
    part: ["brandingSettings"],
    id: [server.ownChannelId],
  });
  return present(data.items?.[0]?.brandingSettings);
}

async function picture(width: number, height: number): Promise<Buffer> {
  const background = { r: 30, g: 90, b: 200 };
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

async function uploadBanner({ owner, upload }: Stage, body: Buffer): Promise<string> {
  const media = { mimeType: "image/png", body };
  const { data } = await owner.channelBanners.insert({ media }, upload);
  expect(data.kind).toBe("youtube#channelBannerResource");
  return present(data.url);
}

export const channelCases = {
  "channels.list": {
    "finds a channel by handle, by id and as one's own": async ({ visitor, owner, server }) => {
      const part = ["snippet", "statistics", "contentDetails", "brandingSettings"];
      const { data: byHandle } = await visitor.channels.list({ part, forHandle: "@orbitnotes" });
      const id = [present(byHandle.items?.[0]?.id)];
      const { data: byId } = await visitor.channels.list({ part, id });
      const { data: mine } = await owner.channels.list({ part: ["id", "snippet"], mine: true });

      expect(byHandle.items?.[0]).toMatchObject({
        kind: "youtube#channel",
        snippet: { title: expect.any(String) },
        statistics: { videoCount: expect.stringMatching(/^\d+$/) },
        contentDetails: { relatedPlaylists: { uploads: expect.stringMatching(/^UU/) } },
      });
      expect(byId.items?.[0]?.snippet).toEqual(byHandle.items?.[0]?.snippet);
      expect(idsOf(mine.items)).toEqual([server.ownChannelId]);
    },
    "wants one filter": async ({ visitor }) => {
      expect(await refusal(visitor.channels.list({ part: ["id"] }))).toMatch(/^400 /);
    },
  },
  "channels.update": {
    "replaces the branding it is given": async (stage) => {
      const before = await branding(stage);
      const { data } = await stage.owner.channels.update({
        part: ["brandingSettings"],
        requestBody: {
          id: stage.server.ownChannelId,
          brandingSettings: {
            channel: {
              description: "Now with more plants",
              country: "AT",
              keywords: 'plants "long words"',
            },
          },
        },
      });
      const after = await branding(stage);

      expect(data.brandingSettings?.channel?.description).toBe("Now with more plants");
      expect(after.channel).toMatchObject({
        title: before.channel?.title,
        description: "Now with more plants",
        country: "AT",
      });
    },
    "is refused for somebody else's": async (stage) => {
      const call = stage.other.channels.update({
        part: ["brandingSettings"],
        requestBody: {
          id: stage.server.ownChannelId,
          brandingSettings: { channel: { description: "Ours now" } },
        },
      });

      expect(await refusal(call)).toMatch(/^403 /);
    },
  },
  "channelBanners.insert": {
    "gives the address that makes it the banner": async (stage) => {
      const bannerExternalUrl = await uploadBanner(stage, await picture(2048, 1152));
      const channel = present((await branding(stage)).channel);
      await stage.owner.channels.update({
        part: ["brandingSettings"],
        requestBody: {
          id: stage.server.ownChannelId,
          brandingSettings: { channel, image: { bannerExternalUrl } },
        },
      });

      expect((await branding(stage)).image?.bannerExternalUrl).toMatch(/^http/);
    },
    "refuses what is too small": async (stage) => {
      const small = await picture(640, 360);

      expect(await refusal(uploadBanner(stage, small))).toMatch(/^400 /);
    },
  },
  "watermarks.set": {
    "takes a picture with its times": async ({ owner, server, upload }) => {
      const { status } = await owner.watermarks.set(
        {
          channelId: server.ownChannelId,
          requestBody: {
            timing: { type: "offsetFromStart", offsetMs: "5000", durationMs: "10000" },
            targetChannelId: server.ownChannelId,
          },
          // Together with parameters, the package accepts only a stream.
          media: { mimeType: "image/png", body: Readable.from([await picture(150, 150)]) },
        },
        upload,
      );

      expect(status).toBe(204);
    },
    "is refused for somebody else's channel": async ({ other, server, upload }) => {
      const media = { mimeType: "image/png", body: await picture(150, 150) };
      const call = other.watermarks.set({ channelId: server.ownChannelId, media }, upload);

      expect(await refusal(call)).toBe("403 forbidden");
    },
  },
  "watermarks.unset": {
    "takes it away": async ({ owner, server, upload }) => {
      const media = { mimeType: "image/png", body: await picture(150, 150) };
      await owner.watermarks.set({ channelId: server.ownChannelId, media }, upload);
      const { status } = await owner.watermarks.unset({ channelId: server.ownChannelId });

      expect(status).toBe(204);
    },
  },
} as const satisfies Partial<Cases>;

interface Shelf {
  readonly title: string;
  readonly playlists: string[];
}

async function addSection({ owner }: Stage, { title, playlists }: Shelf) {
  const { data } = await owner.channelSections.insert({
    part: ["snippet", "contentDetails"],
    requestBody: {
      snippet: { type: "multiplePlaylists", title },
      contentDetails: { playlists },
    },
  });
  return data;
}

async function sections({ visitor, server }: Stage) {
  const { data } = await visitor.channelSections.list({
    part: ["snippet", "contentDetails"],
    channelId: server.ownChannelId,
  });
  return data.items ?? [];
}

export const sectionCases = {
  "channelSections.insert": {
    "adds up to ten": async (stage) => {
      const playlists = [
        await makePlaylist(stage.owner, "A"),
        await makePlaylist(stage.owner, "B"),
      ];
      const made = await addSection(stage, { title: "Two lists", playlists });
      const free = 10 - (await sections(stage)).length;
      for (let n = 0; n < free; n += 1) await addSection(stage, { title: `Shelf ${n}`, playlists });
      const eleventh = addSection(stage, { title: "Too many", playlists });

      expect(made).toMatchObject({
        kind: "youtube#channelSection",
        snippet: { type: "multiplePlaylists", title: "Two lists" },
        contentDetails: { playlists },
      });
      expect(await refusal(eleventh)).toBe("400 maxChannelSectionExceeded");
      expect(await sections(stage)).toHaveLength(10);
    },
  },
  "channelSections.list": {
    "lists a channel's in order, and by id": async (stage) => {
      const playlists = [
        await makePlaylist(stage.owner, "A"),
        await makePlaylist(stage.owner, "B"),
      ];
      const made = await addSection(stage, { title: "Last", playlists });
      const listed = await sections(stage);
      const { data: mine } = await stage.owner.channelSections.list({ part: ["id"], mine: true });
      const { data: one } = await stage.visitor.channelSections.list({
        part: ["snippet"],
        id: [present(made.id)],
      });

      expect(listed.map(({ snippet }) => snippet?.position)).toEqual(listed.map((_, at) => at));
      expect(idsOf(mine.items)).toEqual(idsOf(listed));
      expect(one.items?.[0]?.snippet?.title).toBe("Last");
    },
  },
  "channelSections.update": {
    "renames and moves": async (stage) => {
      const playlists = [
        await makePlaylist(stage.owner, "A"),
        await makePlaylist(stage.owner, "B"),
      ];
      await addSection(stage, { title: "First", playlists });
      const made = await addSection(stage, { title: "Second", playlists });
      const { data } = await stage.owner.channelSections.update({
        part: ["snippet", "contentDetails"],
        requestBody: {
          id: present(made.id),
          snippet: { type: "multiplePlaylists", title: "Now on top", position: 0 },
          contentDetails: { playlists: [...playlists].reverse() },
        },
      });
      const [top] = await sections(stage);

      expect(data.snippet?.title).toBe("Now on top");
      expect(top).toMatchObject({
        id: made.id,
        snippet: { title: "Now on top", position: 0 },
        contentDetails: { playlists: [...playlists].reverse() },
      });
    },
  },
  "channelSections.delete": {
    "removes one": async (stage) => {
      const playlists = [
        await makePlaylist(stage.owner, "A"),
        await makePlaylist(stage.owner, "B"),
      ];
      const id = present((await addSection(stage, { title: "Brief", playlists })).id);
      const { status } = await stage.owner.channelSections.delete({ id });

      expect(status).toBe(204);
      expect(idsOf(await sections(stage))).not.toContain(id);
      expect(await refusal(stage.owner.channelSections.delete({ id }))).toBe(
        "404 channelSectionNotFound",
      );
    },
  },
} as const satisfies Partial<Cases>;

/** A channel that the stand-in's own channel has not subscribed to. */
async function stranger({ owner, visitor, server }: Stage): Promise<string> {
  const { data } = await visitor.search.list({
    part: ["snippet"],
    type: ["channel"],
    maxResults: 50,
  });
  for (const { id } of data.items ?? []) {
    const channelId = present(id?.channelId);
    if (channelId === server.ownChannelId) continue;
    const { data: found } = await owner.subscriptions.list({
      part: ["id"],
      mine: true,
      forChannelId: channelId,
    });
    if ((found.items ?? []).length === 0) return channelId;
  }
  throw new Error("the own channel is subscribed to everybody");
}

async function subscribe({ owner }: Stage, channelId: string) {
  const { data } = await owner.subscriptions.insert({
    part: ["snippet"],
    requestBody: { snippet: { resourceId: { kind: "youtube#channel", channelId } } },
  });
  return data;
}

export const subscriptionCases = {
  "subscriptions.insert": {
    "subscribes once": async (stage) => {
      const channelId = await stranger(stage);
      const made = await subscribe(stage, channelId);

      expect(made).toMatchObject({
        kind: "youtube#subscription",
        snippet: { resourceId: { kind: "youtube#channel", channelId } },
      });
      expect(await refusal(subscribe(stage, channelId))).toBe("400 subscriptionDuplicate");
    },
  },
  "subscriptions.list": {
    "lists one's own, and the one to a channel": async (stage) => {
      const channelId = await stranger(stage);
      const made = await subscribe(stage, channelId);
      const { data: mine } = await stage.owner.subscriptions.list({
        part: ["snippet", "contentDetails"],
        mine: true,
        maxResults: 50,
      });
      const { data: one } = await stage.owner.subscriptions.list({
        part: ["id"],
        mine: true,
        forChannelId: channelId,
      });

      expect(mine.kind).toBe("youtube#subscriptionListResponse");
      expect(idsOf(mine.items)).toContain(made.id);
      expect(idsOf(one.items)).toEqual([made.id]);
    },
    "shows the owner who subscribed": async ({ owner }) => {
      const { data } = await owner.subscriptions.list({
        part: ["subscriberSnippet"],
        mySubscribers: true,
      });

      expect(data.items?.length).toBeGreaterThan(0);
      expect(data.items?.[0]?.subscriberSnippet?.channelId).toMatch(/^UC/);
    },
  },
  "subscriptions.delete": {
    "ends it": async (stage) => {
      const channelId = await stranger(stage);
      const id = present((await subscribe(stage, channelId)).id);
      const { status } = await stage.owner.subscriptions.delete({ id });
      const { data } = await stage.owner.subscriptions.list({
        part: ["id"],
        mine: true,
        forChannelId: channelId,
      });

      expect(status).toBe(204);
      expect(data.items ?? []).toEqual([]);
      expect(await refusal(stage.owner.subscriptions.delete({ id }))).toBe(
        "404 subscriptionNotFound",
      );
    },
  },
} as const satisfies Partial<Cases>;
