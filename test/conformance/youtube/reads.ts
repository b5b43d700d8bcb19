import { expect } from "vitest";
import { type Cases, idsOf, present } from "./stage.ts";

/** Searches, lists of constants, activities and members. */
export const readCases = {
  "search.list": {
    "finds and pages": async ({ visitor }) => {
      const query = { part: ["snippet"], q: "cat", type: ["video"], maxResults: 5 };
      const { data: first } = await visitor.search.list(query);
      const next = { ...query, pageToken: present(first.nextPageToken) };
      const { data: second } = await visitor.search.list(next);
      const ids = [...(first.items ?? []), ...(second.items ?? [])].map(({ id }) => id?.videoId);

      expect(first.kind).toBe("youtube#searchListResponse");
      expect(new Set(ids).size).toBe(10);
      expect(second.prevPageToken).toEqual(expect.any(String));
    },
    "keeps to the types that were asked for, several at once": async ({ visitor }) => {
      const { data } = await visitor.search.list({
        part: ["snippet"],
        q: "cat",
        type: ["channel", "playlist"],
        maxResults: 50,
      });
      const kinds = new Set(data.items?.map(({ id }) => id?.kind));

      expect(kinds.size).toBeGreaterThan(0);
      expect(kinds).not.toContain("youtube#video");
    },
  },
  "i18nLanguages.list": {
    "names languages in the language asked for": async ({ visitor }) => {
      const { data } = await visitor.i18nLanguages.list({ part: ["snippet"], hl: "fr" });
      const german = data.items?.find(({ id }) => id === "de");

      expect(data.kind).toBe("youtube#i18nLanguageListResponse");
      expect(german?.snippet).toMatchObject({ hl: "de", name: expect.stringMatching(/allemand/i) });
    },
  },
  "i18nRegions.list": {
    "names regions in the language asked for": async ({ visitor }) => {
      const { data } = await visitor.i18nRegions.list({ part: ["snippet"], hl: "fr" });

      expect(data.items?.find(({ id }) => id === "DE")?.snippet?.name).toBe("Allemagne");
    },
  },
  "videoCategories.list": {
    "lists a region's, and single ones by id": async ({ visitor }) => {
      const { data } = await visitor.videoCategories.list({ part: ["snippet"], regionCode: "FR" });
      const two = await visitor.videoCategories.list({ part: ["snippet"], id: ["10", "22"] });

      expect(data.items?.find(({ id }) => id === "10")?.snippet).toMatchObject({
        title: "Music",
        assignable: true,
      });
      expect(idsOf(two.data.items).sort()).toEqual(["10", "22"]);
    },
  },
  "videoAbuseReportReasons.list": {
    "gives reasons with their second level": async ({ owner }) => {
      const { data } = await owner.videoAbuseReportReasons.list({ part: ["id", "snippet"] });
      const reasons = data.items ?? [];

      expect(data.kind).toBe("youtube#videoAbuseReportReasonListResponse");
      expect(reasons.length).toBeGreaterThan(2);
      expect(reasons.every(({ id, snippet }) => id && snippet?.label)).toBe(true);
      expect(reasons.some(({ snippet }) => (snippet?.secondaryReasons ?? []).length > 0)).toBe(
        true,
      );
    },
  },
  "activities.list": {
    "tells of a channel's uploads, newest first": async ({ visitor, server }) => {
      const { data } = await visitor.activities.list({
        part: ["snippet", "contentDetails"],
        channelId: server.ownChannelId,
        maxResults: 50,
      });
      const times = (data.items ?? []).map(({ snippet }) => Date.parse(snippet?.publishedAt ?? ""));
      const uploads = (data.items ?? []).filter(({ snippet }) => snippet?.type === "upload");

      expect(data.kind).toBe("youtube#activityListResponse");
      expect(times).toEqual([...times].sort((a, b) => b - a));
      expect(uploads.length).toBeGreaterThan(0);
      expect(uploads.every((item) => item.contentDetails?.upload?.videoId)).toBe(true);
    },
    "tells the channel of its own acts": async ({ owner, server }) => {
      const { data } = await owner.activities.list({ part: ["snippet"], mine: true });

      expect(data.items?.length).toBeGreaterThan(0);
      expect(data.items?.every((item) => item.snippet?.channelId === server.ownChannelId)).toBe(
        true,
      );
    },
  },
  "members.list": {
    "lists members and narrows them to a level": async ({ owner, server }) => {
      const { data: levels } = await owner.membershipsLevels.list({ part: ["id", "snippet"] });
      const { data: all } = await owner.members.list({ part: ["snippet"], maxResults: 1000 });
      const top = present(levels.items?.at(-1)?.id);
      const { data: some } = await owner.members.list({
        part: ["snippet"],
        hasAccessToLevel: top,
        maxResults: 1000,
      });

      expect(all.kind).toBe("youtube#memberListResponse");
      expect(all.items?.[0]?.snippet).toMatchObject({
        creatorChannelId: server.ownChannelId,
        memberDetails: { channelId: expect.stringMatching(/^UC/), displayName: expect.any(String) },
        membershipsDetails: { highestAccessibleLevel: expect.any(String) },
      });
      expect(some.items?.length).toBeGreaterThan(0);
      expect(some.items?.length).toBeLessThan(all.items?.length ?? 0);
    },
  },
  "membershipsLevels.list": {
    "lists the channel's levels": async ({ owner, server }) => {
      const { data } = await owner.membershipsLevels.list({ part: ["id", "snippet"] });

      expect(data.kind).toBe("youtube#membershipsLevelListResponse");
      expect(data.items?.length).toBeGreaterThan(1);
      expect(data.items?.[0]).toMatchObject({
        id: expect.any(String),
        snippet: {
          creatorChannelId: server.ownChannelId,
          levelDetails: { displayName: expect.any(String) },
        },
      });
    },
  },
} as const satisfies Partial<Cases>;
