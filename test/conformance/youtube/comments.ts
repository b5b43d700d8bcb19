import { expect } from "vitest";
import { type Cases, idsOf, present, refusal, type Stage, type Youtube } from "./stage.ts";

/** A video of the stand-in's own channel that allows comments. */
async function ownVideo({ visitor, server }: Stage): Promise<string> {
  const { data: channel } = await visitor.channels.list({
    part: ["contentDetails"],
    id: [server.ownChannelId],
  });
  const playlistId = present(channel.items?.[0]?.contentDetails?.relatedPlaylists?.uploads);
  const { data: uploads } = await visitor.playlistItems.list({
    part: ["contentDetails"],
    playlistId,
    maxResults: 50,
  });
  const id = (uploads.items ?? []).map((item) => present(item.contentDetails?.videoId));
  const { data } = await visitor.videos.list({ part: ["statistics"], id });
  const video = data.items?.find(({ statistics }) => statistics?.commentCount !== undefined);
  return present(video?.id);
}

interface Writing {
  readonly videoId: string;
  readonly text: string;
}

async function comment(client: Youtube, stage: Stage, { videoId, text }: Writing) {
  const { data } = await client.commentThreads.insert({
    part: ["snippet"],
    requestBody: {
      snippet: {
        channelId: stage.server.ownChannelId,
        videoId,
        topLevelComment: { snippet: { textOriginal: text } },
      },
    },
  });
  return data;
}

async function reply(client: Youtube, parentId: string, textOriginal: string) {
  const { data } = await client.comments.insert({
    part: ["snippet"],
    requestBody: { snippet: { parentId, textOriginal } },
  });
  return data;
}

async function replies(client: Youtube, parentId: string) {
  const { data } = await client.comments.list({
    part: ["snippet"],
    parentId,
    textFormat: "plainText",
    maxResults: 100,
  });
  return data.items ?? [];
}

/** Threads of the own channel with this moderation status. */
async function threads({ owner, server }: Stage, moderationStatus: string) {
  const { data } = await owner.commentThreads.list({
    part: ["snippet", "replies"],
    allThreadsRelatedToChannelId: server.ownChannelId,
    moderationStatus,
    textFormat: "plainText",
    maxResults: 100,
  });
  return data.items ?? [];
}

/** A thread whose top-level comment itself is held. */
async function heldThread(stage: Stage): Promise<string> {
  const held = (await threads(stage, "heldForReview")).find(
    ({ snippet }) => snippet?.topLevelComment?.snippet?.moderationStatus === "heldForReview",
  );
  return present(held?.snippet?.topLevelComment?.id);
}

export const commentCases = {
  "commentThreads.insert": {
    "puts a comment under a video": async (stage) => {
      const videoId = await ownVideo(stage);
      const made = await comment(stage.other, stage, { videoId, text: "Nice <3 & Grüße" });
      const { data } = await stage.visitor.commentThreads.list({
        part: ["snippet"],
        videoId,
        order: "time",
        textFormat: "plainText",
      });

      expect(made).toMatchObject({
        kind: "youtube#commentThread",
        snippet: {
          videoId,
          totalReplyCount: 0,
          topLevelComment: { snippet: { textOriginal: "Nice <3 & Grüße" } },
        },
      });
      expect(data.items?.[0]?.id).toBe(made.id);
      expect(data.items?.[0]?.snippet?.topLevelComment?.snippet?.textDisplay).toBe(
        "Nice <3 & Grüße",
      );
    },
  },
  "commentThreads.list": {
    "pages through a video's comments": async (stage) => {
      const videoId = await ownVideo(stage);
      for (const text of ["one", "two", "three"]) {
        await comment(stage.other, stage, { videoId, text });
      }
      const query = { part: ["snippet", "replies"], videoId, maxResults: 2 };
      const { data: first } = await stage.visitor.commentThreads.list(query);
      const { data: second } = await stage.visitor.commentThreads.list({
        ...query,
        pageToken: present(first.nextPageToken),
      });

      expect(first.kind).toBe("youtube#commentThreadListResponse");
      expect(idsOf(first.items)).toHaveLength(2);
      expect(idsOf(first.items)).not.toContain(idsOf(second.items)[0]);
      expect(second).not.toHaveProperty("prevPageToken");
    },
    "shows held and suspected ones to the owner alone": async (stage) => {
      const { server, other, visitor } = stage;
      const held = await threads(stage, "heldForReview");
      const spam = await threads(stage, "likelySpam");
      const query = {
        part: ["snippet"],
        allThreadsRelatedToChannelId: server.ownChannelId,
        moderationStatus: "heldForReview",
      };

      expect(held.length).toBeGreaterThan(0);
      expect(spam.length).toBeGreaterThan(0);
      expect(await refusal(other.commentThreads.list(query))).toMatch(/^403 /);
      expect(await refusal(visitor.commentThreads.list(query))).toMatch(/^40[13] /);
    },
  },
  "comments.insert": {
    "answers a thread": async (stage) => {
      const videoId = await ownVideo(stage);
      const thread = await comment(stage.other, stage, { videoId, text: "A question?" });
      const made = await reply(stage.owner, present(thread.id), "An answer");
      const { data } = await stage.visitor.commentThreads.list({
        part: ["snippet", "replies"],
        id: [present(thread.id)],
      });

      expect(made).toMatchObject({
        kind: "youtube#comment",
        snippet: { parentId: thread.id, textOriginal: "An answer" },
      });
      expect(data.items?.[0]?.snippet?.totalReplyCount).toBe(1);
      expect(idsOf(data.items?.[0]?.replies?.comments)).toEqual([made.id]);
    },
  },
  "comments.list": {
    "lists all replies of a thread, or comments by id": async (stage) => {
      const videoId = await ownVideo(stage);
      const thread = await comment(stage.other, stage, { videoId, text: "Discuss" });
      const parentId = present(thread.id);
      const made: string[] = [];
      for (let n = 0; n < 7; n += 1) {
        made.push(present((await reply(stage.owner, parentId, `Reply ${n}`)).id));
      }
      const listed = await replies(stage.visitor, parentId);
      const { data } = await stage.visitor.comments.list({
        part: ["snippet"],
        id: made.slice(0, 2),
      });

      expect(idsOf(listed).sort()).toEqual([...made].sort());
      expect(listed.every(({ snippet }) => snippet?.parentId === parentId)).toBe(true);
      expect(idsOf(data.items).sort()).toEqual(made.slice(0, 2).sort());
    },
  },
  "comments.update": {
    "changes one's own words": async (stage) => {
      const videoId = await ownVideo(stage);
      const thread = await comment(stage.owner, stage, { videoId, text: "Frist" });
      const id = present(thread.snippet?.topLevelComment?.id);
      const requestBody = { id, snippet: { textOriginal: "First" } };
      const { data } = await stage.owner.comments.update({ part: ["snippet"], requestBody });
      const { data: listed } = await stage.visitor.comments.list({
        part: ["snippet"],
        id: [id],
        textFormat: "plainText",
      });
      const notMine = stage.other.comments.update({ part: ["snippet"], requestBody });

      expect(data.snippet?.textOriginal).toBe("First");
      expect(listed.items?.[0]?.snippet?.textDisplay).toBe("First");
      expect(await refusal(notMine)).toBe("403 forbidden");
    },
  },
  "comments.delete": {
    "takes back one's own comment, nobody else's": async (stage) => {
      const videoId = await ownVideo(stage);
      const thread = await comment(stage.other, stage, { videoId, text: "Oops" });
      const id = present(thread.snippet?.topLevelComment?.id);
      const byOwner = await refusal(stage.owner.comments.delete({ id }));
      const { status } = await stage.other.comments.delete({ id });
      const { data } = await stage.visitor.comments.list({ part: ["id"], id: [id] });

      expect(byOwner).toMatch(/^40[03] /);
      expect(status).toBe(204);
      expect(data.items ?? []).toEqual([]);
    },
  },
  "comments.setModerationStatus": {
    "publishes what was held": async (stage) => {
      const id = await heldThread(stage);
      const { status } = await stage.owner.comments.setModerationStatus({
        id: [id],
        moderationStatus: "published",
      });
      const { data } = await stage.visitor.comments.list({ part: ["snippet"], id: [id] });
      const held = await threads(stage, "heldForReview");
      const tops = held.map(({ snippet }) => snippet?.topLevelComment?.id);

      expect(status).toBe(204);
      expect(idsOf(data.items)).toEqual([id]);
      expect(tops).not.toContain(id);
    },
    "holds and rejects several at once, and rejecting is final": async (stage) => {
      const videoId = await ownVideo(stage);
      const made = await Promise.all(
        ["a", "b"].map((text) => comment(stage.other, stage, { videoId, text })),
      );
      const id = made.map((thread) => present(thread.snippet?.topLevelComment?.id));
      const { setModerationStatus } = stage.owner.comments;
      const set = setModerationStatus.bind(stage.owner.comments);
      await set({ id, moderationStatus: "heldForReview" });
      const held = idsOf(await threads(stage, "heldForReview"));
      await set({ id, moderationStatus: "rejected", banAuthor: true });
      const { data } = await stage.visitor.comments.list({ part: ["id"], id });

      expect(held).toEqual(expect.arrayContaining(made.map((thread) => thread.id)));
      expect(data.items ?? []).toEqual([]);
      expect(await refusal(set({ id, moderationStatus: "published" }))).toMatch(/^40[03] /);
    },
    "is the owner's right alone": async (stage) => {
      const id = [await heldThread(stage)];
      const call = stage.other.comments.setModerationStatus({ id, moderationStatus: "published" });

      expect(await refusal(call)).toBe("403 forbidden");
    },
  },
} as const satisfies Partial<Cases>;
