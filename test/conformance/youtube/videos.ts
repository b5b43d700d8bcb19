import { Readable } from "node:stream";
import sharp from "sharp";
import { expect } from "vitest";
import { type Cases, idsOf, present, refusal, type Stage, type Youtube } from "./stage.ts";

/** Uploaded as a video: the stand-in does not look at its bytes. */
const film = Buffer.alloc(700_000, "not really a film");

/** Uploads a video and returns its id. */
export async function uploadVideo(stage: Stage, title: string, privacyStatus = "public") {
  const { data } = await stage.owner.videos.insert(
    {
      part: ["snippet", "status"],
      requestBody: {
        snippet: { title, categoryId: "22", tags: ["one", "two"], description: "Made here" },
        status: { privacyStatus },
      },
      // In pieces, as from a file.
      media: { mimeType: "video/mp4", body: Readable.from(chunks(film, 64_000)) },
    },
    stage.upload,
  );
  return data;
}

function* chunks(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function popular(client: Youtube, count: number): Promise<string[]> {
  const query = { part: ["id"], chart: "mostPopular", maxResults: count };
  return idsOf((await client.videos.list(query)).data.items);
}

async function ratings(client: Youtube, id: string[]) {
  const { data } = await client.videos.getRating({ id });
  return data.items?.map((item) => [item.videoId, item.rating]);
}

export const videoCases = {
  "videos.insert": {
    "takes a film with its details, and lists it": async (stage) => {
      const made = await uploadVideo(stage, "Fresh from here", "private");
      const id = [present(made.id)];
      const { data: mine } = await stage.owner.videos.list({
        part: ["snippet", "status", "fileDetails"],
        id,
      });
      const { data: theirs } = await stage.visitor.videos.list({ part: ["id"], id });

      expect(made).toMatchObject({
        kind: "youtube#video",
        id: expect.stringMatching(/^[\w-]{11}$/),
        snippet: { title: "Fresh from here", channelId: stage.server.ownChannelId },
        status: { privacyStatus: "private" },
      });
      expect(mine.items?.[0]?.snippet?.tags).toEqual(["one", "two"]);
      expect(mine.items?.[0]?.fileDetails?.fileSize).toBe(String(film.length));
      expect(theirs.items ?? []).toEqual([]);
    },
    "puts it on top of the channel's uploads": async (stage) => {
      const made = await uploadVideo(stage, "Newest");
      const { data: channel } = await stage.visitor.channels.list({
        part: ["contentDetails"],
        id: [stage.server.ownChannelId],
      });
      const { data: uploads } = await stage.visitor.playlistItems.list({
        part: ["contentDetails"],
        playlistId: present(channel.items?.[0]?.contentDetails?.relatedPlaylists?.uploads),
      });

      expect(uploads.items?.[0]?.contentDetails?.videoId).toBe(made.id);
    },
  },
  "videos.list": {
    "reads a video's parts, several ids at once": async ({ visitor }) => {
      const id = await popular(visitor, 3);
      const part = ["snippet", "contentDetails", "statistics"];
      const { data } = await visitor.videos.list({ part, id });

      expect(idsOf(data.items)).toEqual(id);
      expect(data.items?.[0]).toMatchObject({
        kind: "youtube#video",
        snippet: {
          title: expect.any(String),
          thumbnails: { medium: { width: 320, height: 180 } },
        },
        contentDetails: {
          duration: expect.stringMatching(/^P/),
          caption: expect.stringMatching(/^(true|false)$/),
        },
        statistics: { viewCount: expect.stringMatching(/^\d+$/) },
      });
    },
  },
  "videos.update": {
    "replaces a part whole": async (stage) => {
      const made = await uploadVideo(stage, "Draft title");
      const id = present(made.id);
      const requestBody = { id, snippet: { title: "Final title", categoryId: "27" } };
      const { data } = await stage.owner.videos.update({ part: ["snippet"], requestBody });
      const { data: list } = await stage.visitor.videos.list({
        part: ["snippet", "status"],
        id: [id],
      });
      const [item] = list.items ?? [];

      expect(data.snippet?.title).toBe("Final title");
      expect(item?.snippet).toMatchObject({ title: "Final title", categoryId: "27" });
      expect([item?.snippet?.tags ?? [], item?.snippet?.description]).toEqual([[], ""]);
      expect(item?.status?.privacyStatus).toBe("public");
    },
    "is refused for somebody else's": async (stage) => {
      const made = await uploadVideo(stage, "Mine");
      const requestBody = { id: present(made.id), snippet: { title: "Yours?", categoryId: "22" } };
      const call = stage.other.videos.update({ part: ["snippet"], requestBody });

      expect(await refusal(call)).toBe("403 forbidden");
    },
  },
  "videos.delete": {
    "removes it for good": async (stage) => {
      const made = await uploadVideo(stage, "Going soon");
      const id = present(made.id);
      const { status } = await stage.owner.videos.delete({ id });
      const { data } = await stage.visitor.videos.list({ part: ["id"], id: [id] });

      expect(status).toBe(204);
      expect(data.items ?? []).toEqual([]);
      expect(await refusal(stage.owner.videos.delete({ id }))).toBe("404 videoNotFound");
    },
  },
  "videos.rate": {
    "likes, and takes it back": async ({ owner, visitor }) => {
      const [id = ""] = await popular(visitor, 1);
      await owner.videos.rate({ id, rating: "none" });
      const { status } = await owner.videos.rate({ id, rating: "like" });
      const { data: liked } = await owner.videos.list({
        part: ["id"],
        myRating: "like",
        maxResults: 50,
      });
      await owner.videos.rate({ id, rating: "none" });

      expect(status).toBe(204);
      expect(idsOf(liked.items)).toContain(id);
      expect(await ratings(owner, [id])).toEqual([[id, "none"]]);
    },
    "refuses a video that is not there": async ({ owner }) => {
      const call = owner.videos.rate({ id: "nothing-here", rating: "like" });

      expect(await refusal(call)).toBe("404 videoNotFound");
    },
  },
  "videos.getRating": {
    "tells what was given, several at once": async ({ owner, visitor }) => {
      const [a = "", b = "", c = ""] = await popular(visitor, 3);
      await owner.videos.rate({ id: a, rating: "like" });
      await owner.videos.rate({ id: b, rating: "dislike" });
      await owner.videos.rate({ id: c, rating: "none" });

      expect(await ratings(owner, [a, b, c])).toEqual([
        [a, "like"],
        [b, "dislike"],
        [c, "none"],
      ]);
    },
  },
  "videos.reportAbuse": {
    "takes a listed reason and no other": async ({ owner, visitor }) => {
      const [videoId = ""] = await popular(visitor, 1);
      const { data } = await owner.videoAbuseReportReasons.list({ part: ["id", "snippet"] });
      const reason = data.items?.find(({ snippet }) => snippet?.secondaryReasons?.length);
      const { status } = await owner.videos.reportAbuse({
        requestBody: {
          videoId,
          reasonId: present(reason?.id),
          secondaryReasonId: present(reason?.snippet?.secondaryReasons?.[0]?.id),
          comments: "It isn't what it says",
        },
      });
      const wrong = owner.videos.reportAbuse({ requestBody: { videoId, reasonId: "no-reason" } });

      expect(status).toBe(204);
      expect(await refusal(wrong)).toBe("400 invalidAbuseReason");
    },
  },
  "thumbnails.set": {
    "shows the new picture from then on": async (stage) => {
      const made = await uploadVideo(stage, "With a red picture");
      const background = { r: 220, g: 20, b: 30 };
      const picture = await sharp({ create: { width: 1280, height: 720, channels: 3, background } })
        .jpeg()
        .toBuffer();
      const { data } = await stage.owner.thumbnails.set(
        { videoId: present(made.id), media: { mimeType: "image/jpeg", body: picture } },
        stage.upload,
      );
      const { data: list } = await stage.visitor.videos.list({
        part: ["snippet"],
        id: [present(made.id)],
      });
      const shown = await fetch(present(list.items?.[0]?.snippet?.thumbnails?.high?.url));
      const { dominant } = await sharp(await shown.arrayBuffer()).stats();

      expect(data.kind).toBe("youtube#thumbnailSetResponse");
      expect(data.items?.[0]?.default?.url).toMatch(/^http/);
      expect(dominant.r).toBeGreaterThan(180);
      expect(dominant.g).toBeLessThan(60);
    },
  },
} as const satisfies Partial<Cases>;

const srt = "1\n00:00:01,000 --> 00:00:02,500\nGrüße 🌿\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n";

interface Track {
  readonly videoId: string;
  readonly name: string;
}

async function addCaptions({ owner, upload }: Stage, { videoId, name }: Track) {
  const { data } = await owner.captions.insert(
    {
      part: ["snippet"],
      requestBody: { snippet: { videoId, language: "de", name, isDraft: true } },
      media: { mimeType: "application/octet-stream", body: Readable.from([srt]) },
    },
    upload,
  );
  return data;
}

async function tracks({ owner }: Stage, videoId: string) {
  const { data } = await owner.captions.list({ part: ["id", "snippet"], videoId });
  return data.items ?? [];
}

async function download({ owner }: Stage, id: string, tfmt?: string): Promise<string> {
  const { data } = await owner.captions.download(
    { id, ...(tfmt && { tfmt }) },
    { responseType: "arraybuffer" },
  );
  return Buffer.from(data as ArrayBuffer).toString();
}

export const captionCases = {
  "captions.insert": {
    "adds a track once": async (stage) => {
      const videoId = present((await uploadVideo(stage, "Spoken")).id);
      const made = await addCaptions(stage, { videoId, name: "Deutsch" });
      const again = addCaptions(stage, { videoId, name: "Deutsch" });

      expect(made).toMatchObject({
        kind: "youtube#caption",
        snippet: { videoId, language: "de", name: "Deutsch", isDraft: true },
      });
      expect(await refusal(again)).toBe("409 captionExists");
    },
  },
  "captions.list": {
    "lists a video's tracks": async (stage) => {
      const videoId = present((await uploadVideo(stage, "Spoken twice")).id);
      const one = await addCaptions(stage, { videoId, name: "One" });
      const two = await addCaptions(stage, { videoId, name: "Two" });
      const { data: single } = await stage.owner.captions.list({
        part: ["id"],
        videoId,
        id: [present(two.id)],
      });

      expect(idsOf(await tracks(stage, videoId))).toEqual(expect.arrayContaining([one.id, two.id]));
      expect(idsOf(single.items)).toEqual([two.id]);
    },
  },
  "captions.download": {
    "gives the file back, or in another format": async (stage) => {
      const videoId = present((await uploadVideo(stage, "Read along")).id);
      const { id } = await addCaptions(stage, { videoId, name: "" });

      expect(await download(stage, present(id))).toBe(srt);
      expect(await download(stage, present(id), "vtt")).toMatch(/^WEBVTT[\s\S]+Grüße 🌿/);
    },
  },
  "captions.update": {
    "publishes a draft": async (stage) => {
      const videoId = present((await uploadVideo(stage, "Draft words")).id);
      const { id } = await addCaptions(stage, { videoId, name: "Draft" });
      const { data } = await stage.owner.captions.update({
        part: ["snippet"],
        requestBody: { id: present(id), snippet: { isDraft: false } },
      });

      expect(data.snippet?.isDraft).toBe(false);
      expect(
        (await tracks(stage, videoId)).find((track) => track.id === id)?.snippet?.isDraft,
      ).toBe(false);
      expect(await download(stage, present(id))).toBe(srt);
    },
    "takes a new file": async (stage) => {
      const videoId = present((await uploadVideo(stage, "New words")).id);
      const { id } = await addCaptions(stage, { videoId, name: "New" });
      const text = srt.replace("Bye", "Good bye");
      await stage.owner.captions.update(
        {
          part: ["id"],
          requestBody: { id: present(id) },
          media: { mimeType: "application/octet-stream", body: Readable.from([text]) },
        },
        stage.upload,
      );

      expect(await download(stage, present(id))).toBe(text);
    },
  },
  "captions.delete": {
    "removes the track": async (stage) => {
      const videoId = present((await uploadVideo(stage, "Silent")).id);
      const { id } = await addCaptions(stage, { videoId, name: "Short" });
      const { status } = await stage.owner.captions.delete({ id: present(id) });

      expect(status).toBe(204);
      expect(idsOf(await tracks(stage, videoId))).not.toContain(id);
      expect(await refusal(stage.owner.captions.delete({ id: present(id) }))).toBe(
        "404 captionNotFound",
      );
    },
  },
} as const satisfies Partial<Cases>;
