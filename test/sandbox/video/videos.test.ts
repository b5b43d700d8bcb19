import type { youtube_v3 } from "@googleapis/youtube";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  items,
  type Loose,
  open,
  refused,
  related,
  type Stage,
  send,
  uploadVideo,
} from "./writes.ts";

const start = Date.UTC(2026, 10, 21, 20);
const hourMs = 3_600_000;

let server: Stage;
let now = start;
let otherVideo: string;

beforeAll(async () => {
  server = await open({ now: () => now });
  const uploads = await server.get("/playlistItems?part=contentDetails", {
    playlistId: `UU${server.otherChannelId.slice(2)}`,
  });
  otherVideo = items(uploads)[1]?.contentDetails.videoId;
});

beforeEach(() => {
  now = start;
  server.quota.refill();
});

afterAll(() => server.close());

const allParts =
  "snippet,status,recordingDetails,localizations,paidProductPlacementDetails,contentDetails";

async function read(id: string, part = allParts) {
  return items(await server.get("/videos", { part, id }))[0];
}

/** Reads the video with only a key, as the public sees it. */
async function readOpenly(id: string) {
  const query = { part: "snippet,status", id };
  return items(await send(server, "GET", "/videos", { query, token: undefined }))[0];
}

function update(body: Loose, part: string, token: "owner" | "other" = "owner") {
  return send(server, "PUT", "/videos", { query: { part }, body, token });
}

const full = {
  snippet: {
    title: "Full",
    description: "Everything set",
    tags: ["one", "two words"],
    categoryId: "10",
    defaultLanguage: "en",
  },
  status: {
    privacyStatus: "unlisted",
    license: "creativeCommon",
    embeddable: false,
    publicStatsViewable: false,
    selfDeclaredMadeForKids: false,
    containsSyntheticMedia: true,
  },
  recordingDetails: { recordingDate: "2026-01-02T00:00:00Z" },
  localizations: { de: { title: "Voll", description: "Alles gesetzt" } },
  paidProductPlacementDetails: { hasPaidProductPlacement: true },
};

function insert(resource: Loose, part: string) {
  return send(server, "POST", `${server.uploadUrl}/videos`, {
    query: { part, uploadType: "multipart" },
    ...related(resource, "film", "video/mp4"),
  });
}

describe("videos.insert", () => {
  it("stores every field of the named parts", async () => {
    const { body } = await insert(full, allParts);
    const video = await read(body.id);

    expect(video).toMatchObject({
      ...full,
      localizations: { ...full.localizations, en: { title: "Full" } },
    });
    expect(video?.snippet.channelId).toBe(server.ownChannelId);
  });

  it("stores nothing of the parts that are not named", async () => {
    const { body } = await insert(full, "snippet");
    const video = await read(body.id);

    expect(video?.status).toMatchObject({ privacyStatus: "public", embeddable: true });
    expect(video?.localizations).toEqual({ en: { title: "Full", description: "Everything set" } });
  });

  it("makes a public video where nothing is said of privacy", async () => {
    const { body } = await insert({ snippet: full.snippet, status: {} }, "snippet,status");

    expect((await readOpenly(body.id))?.status.privacyStatus).toBe("public");
  });

  it("processes for a moment", async () => {
    const { id } = await uploadVideo(server);
    const part = "status,processingDetails,contentDetails";
    const fresh = await read(id, part);
    now += 5_000;
    const done = await read(id, part);

    expect([fresh?.status.uploadStatus, fresh?.processingDetails.processingStatus]).toEqual([
      "uploaded",
      "processing",
    ]);
    expect([done?.status.uploadStatus, done?.processingDetails.processingStatus]).toEqual([
      "processed",
      "succeeded",
    ]);
    expect([fresh?.contentDetails.duration, done?.contentDetails.duration]).toEqual([
      "P0D",
      "PT1S",
    ]);
  });

  it("counts down what is left to process, to its owner alone", async () => {
    const { id } = await uploadVideo(server);
    now += 1_000;

    const half = await read(id, "processingDetails");
    now += 5_000;
    const done = await read(id, "processingDetails");

    expect(half?.processingDetails).toMatchObject({
      processingProgress: { partsTotal: "20", partsProcessed: "10", timeLeftMs: "1000" },
      thumbnailsAvailability: "inProgress",
    });
    expect(done?.processingDetails.processingProgress).toBeUndefined();
    expect(done?.processingDetails.thumbnailsAvailability).toBe("available");
  });

  it("shows in the search for one's own videos and has pictures", async () => {
    const { id } = await uploadVideo(server, { snippet: { title: "Zanzibar" } });
    const found = await server.get("/search?part=snippet&forMine=true&type=video&q=zanzibar");
    const video = await read(id);
    const image = await fetch(video?.snippet.thumbnails.medium.url);

    expect(items(found)[0]?.id.videoId).toBe(id);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  });

  it("publishes a private video at its time, not before", async () => {
    const publishAt = new Date(start + hourMs).toISOString().replace(".000", "");
    const { id } = await uploadVideo(server, { status: { privacyStatus: "private", publishAt } });
    const planned = await read(id);
    const hidden = await readOpenly(id);
    now += hourMs;
    const shown = await readOpenly(id);

    expect(planned?.status).toMatchObject({ privacyStatus: "private", publishAt });
    expect(hidden).toBeUndefined();
    expect(shown?.status).toMatchObject({ privacyStatus: "public" });
    expect(shown?.snippet.publishedAt).toBe(publishAt);
    expect(shown?.status.publishAt).toBeUndefined();
  });

  it.each([
    ["no title", { categoryId: "22" }, {}, "invalidVideoMetadata"],
    ["an empty title", { title: "", categoryId: "22" }, {}, "invalidTitle"],
    ["a title of 101 characters", { title: "x".repeat(101), categoryId: "22" }, {}, "invalidTitle"],
    ["a title with an angle", { title: "a < b", categoryId: "22" }, {}, "invalidTitle"],
    [
      "5,001 bytes of description",
      { title: "x", categoryId: "22", description: "é".repeat(2501) },
      {},
      "invalidDescription",
    ],
    ["an unknown category", { title: "x", categoryId: "999" }, {}, "invalidCategoryId"],
    ["a category nobody can assign", { title: "x", categoryId: "18" }, {}, "invalidCategoryId"],
    [
      "501 characters of tags",
      { title: "x", categoryId: "22", tags: ["y".repeat(501)] },
      {},
      "invalidTags",
    ],
    [
      "a time for a public video",
      { title: "x", categoryId: "22" },
      { publishAt: "2027-01-01T00:00:00Z", privacyStatus: "public" },
      "invalidPublishAt",
    ],
    [
      "a time that is over",
      { title: "x", categoryId: "22" },
      { publishAt: "2020-01-01T00:00:00Z", privacyStatus: "private" },
      "invalidPublishAt",
    ],
  ])("refuses %s", async (_, snippet, status, reason) => {
    const answer = await insert({ snippet, status }, "snippet,status");

    expect(refused(answer).slice(0, 2)).toEqual([400, reason]);
  });

  it.each([
    [
      "recordingDetails",
      { recordingDetails: { recordingDate: "last week" } },
      "invalidRecordingDetails",
    ],
    ["localizations", { localizations: { de: { title: "x" } } }, "defaultLanguageNotSet"],
  ])("refuses bad %s", async (part, resource, reason) => {
    const answer = await insert(
      { ...resource, snippet: { title: "x", categoryId: "22" } },
      `snippet,${part}`,
    );

    expect(refused(answer)[1]).toBe(reason);
  });
});

describe("videos.update", () => {
  it("erases what the body leaves out of a named part, and nothing else", async () => {
    const { body } = await insert(full, allParts);
    await update(
      { id: body.id, snippet: { title: "Bare", categoryId: "22" }, status: {} },
      "snippet",
    );
    const bare = await read(body.id);

    expect(bare?.snippet).toMatchObject({ title: "Bare", description: "", categoryId: "22" });
    expect([bare?.snippet.tags, bare?.snippet.defaultLanguage]).toEqual([undefined, undefined]);
    expect(bare?.status).toMatchObject(full.status);
    expect(bare?.recordingDetails).toEqual(full.recordingDetails);
  });

  it("makes a video public when the status is written without its privacy", async () => {
    const { id } = await uploadVideo(server, { status: { privacyStatus: "private" } });
    await update({ id, status: { embeddable: true } }, "status");

    expect((await readOpenly(id))?.status.privacyStatus).toBe("public");
  });

  it("shows texts in the language of hl", async () => {
    const { body } = await insert(full, allParts);
    const shown = await server.get("/videos", { part: "snippet", id: body.id, hl: "de" });

    expect(items(shown)[0]?.snippet.localized).toEqual(full.localizations.de);
  });

  it.each([
    ["a video that is not there", () => "nothing-here", [404, "videoNotFound"]],
    ["a video of somebody else", () => otherVideo, [403, "forbidden"]],
  ])("refuses %s", async (_, id, expected) => {
    const answer = await update({ id: id(), status: { privacyStatus: "public" } }, "status");

    expect(refused(answer).slice(0, 2)).toEqual(expected);
  });

  it("does not reveal to others that a private video exists", async () => {
    const { id } = await uploadVideo(server, { status: { privacyStatus: "private" } });
    const answer = await update({ id, status: {} }, "status", "other");

    expect(refused(answer).slice(0, 2)).toEqual([404, "videoNotFound"]);
  });
});

describe("videos.delete", () => {
  it("removes it everywhere and leaves a stub in lists", async () => {
    const { id } = await uploadVideo(server);
    const { body: list } = await server.post("/playlists?part=snippet", {
      snippet: { title: "Keeps a stub" },
    });
    const resourceId = { kind: "youtube#video", videoId: id };
    await server.post("/playlistItems?part=snippet", {
      snippet: { playlistId: list.id, resourceId },
    });
    const { status } = await server.delete("/videos", { id });
    const listed = await server.get("/playlistItems", { part: "snippet", playlistId: list.id });

    expect([status, await read(id)]).toEqual([204, undefined]);
    expect(items(listed)[0]?.snippet.title).toBe("Deleted video");
  });

  it.each([
    ["twice", "owner", 404, "videoNotFound"],
    ["by somebody else", "other", 403, "forbidden"],
  ] as const)("is refused %s", async (_, token, status, reason) => {
    const { id } = await uploadVideo(server);
    if (token === "owner") await server.delete("/videos", { id });
    const answer = await send(server, "DELETE", "/videos", { query: { id }, token });

    expect(refused(answer).slice(0, 2)).toEqual([status, reason]);
  });
});

describe("videos.rate", () => {
  const rate = (rating: string, token: "owner" | "other" = "owner", id = otherVideo) =>
    send(server, "POST", "/videos/rate", { query: { id, rating }, token });
  const ratingOf = async (id = otherVideo): Promise<string> =>
    items(await server.get("/videos/getRating", { id }))[0]?.rating;
  const likes = async (): Promise<string> =>
    (await read(otherVideo, "statistics"))?.statistics.likeCount;

  it("changes the rating, the count and the list of liked videos", async () => {
    await rate("none");
    const before = Number(await likes());
    const { status } = await rate("like");
    const liked = await server.get("/videos", { part: "id", myRating: "like" });
    const rated = [status, await ratingOf(), Number(await likes()) - before, items(liked)[0]?.id];
    await rate("dislike");
    const disliked = await server.get("/videos", { part: "id", myRating: "dislike" });

    expect(rated).toEqual([204, "like", 1, otherVideo]);
    expect([await ratingOf(), Number(await likes()) - before, items(disliked)[0]?.id]).toEqual([
      "dislike",
      0,
      otherVideo,
    ]);
  });

  it("counts a like once however often it is given", async () => {
    await rate("like");
    const once = await likes();
    await rate("like");

    expect(await likes()).toBe(once);
  });

  it("is refused where the owner lets nobody rate, whose rating is unspecified", async () => {
    const found = await send(server, "GET", "/search", {
      query: { part: "snippet", q: "chord that fixes everything", type: "video" },
      token: undefined,
    });
    const title = "The chord that fixes everything";
    const id = items(found).find(({ snippet }) => snippet.title === title)?.id.videoId;
    const answer = await rate("like", "owner", id);

    expect(refused(answer)).toEqual([403, "videoRatingDisabled"]);
    expect(await ratingOf(id)).toBe("unspecified");
  });

  it("refuses an unknown video and an unknown rating", async () => {
    expect(refused(await rate("like", "owner", "nothing-here"))[1]).toBe("videoNotFound");
    expect(refused(await rate("love"))).toEqual([400, "invalidRating", "rating"]);
  });
});

describe("videos.reportAbuse", () => {
  const report = (body: Loose) => send(server, "POST", "/videos/reportAbuse", { body });

  it("takes the reasons that are listed, with their details where they have some", async () => {
    const listed = await server.get("/videoAbuseReportReasons", { part: "snippet" });
    const answers = await Promise.all(
      items(listed).map(({ id, snippet }) =>
        report({
          videoId: otherVideo,
          reasonId: id,
          ...(snippet.secondaryReasons && { secondaryReasonId: snippet.secondaryReasons[0].id }),
        }),
      ),
    );

    expect(items(listed).length).toBeGreaterThan(2);
    expect(answers.map(({ status }) => status)).toEqual(items(listed).map(() => 204));
  });

  it.each([
    ["an unknown reason", { reasonId: "ZZ" }, [400, "invalidAbuseReason"]],
    ["a reason without its detail", { reasonId: "S" }, [400, "invalidAbuseReason"]],
    [
      "another reason's detail",
      { reasonId: "S", secondaryReasonId: "34" },
      [400, "invalidAbuseReason"],
    ],
    [
      "a detail where there are none",
      { reasonId: "N", secondaryReasonId: "27" },
      [400, "invalidAbuseReason"],
    ],
    ["no reason", {}, [400, "invalidAbuseReason"]],
    ["no video", { reasonId: "N", videoId: "" }, [400, "required"]],
    ["an unknown video", { reasonId: "N", videoId: "nothing-here" }, [404, "videoNotFound"]],
  ])("refuses %s", async (_, body, expected) => {
    expect(refused(await report({ videoId: otherVideo, ...body })).slice(0, 2)).toEqual(expected);
  });
});

describe("i18nLanguages.list", () => {
  it("names languages in the language of hl", async () => {
    const query = { part: "snippet", hl: "fr" };
    const listed = await send(server, "GET", "/i18nLanguages", { query, token: undefined });
    const german = items(listed).find(({ id }) => id === "de");

    expect(german?.snippet).toEqual({ hl: "de", name: "allemand" });
  });
});

describe("the parts of a video", () => {
  const ownerParts = ["fileDetails", "processingDetails", "suggestions"] as const;

  /** Google's own types name these fields of the file; other names do not compile. */
  const fileFields = {
    fileName: "string",
    fileSize: "string",
    fileType: "string",
    container: "string",
    durationMs: "string",
    bitrateBps: "string",
    creationTime: "string",
    videoStreams: "object",
    audioStreams: "object",
  } as const satisfies Record<keyof youtube_v3.Schema$VideoFileDetails, string>;
  const streamFields = {
    widthPixels: "number",
    heightPixels: "number",
    frameRateFps: "number",
    aspectRatio: "number",
    codec: "string",
    bitrateBps: "string",
    rotation: "string",
    vendor: "string",
  } as const satisfies Record<keyof youtube_v3.Schema$VideoFileDetailsVideoStream, string>;

  const kindsOf = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typeof one]));

  it("describe the file with every field that there is", async () => {
    const { id } = await uploadVideo(server);

    const { fileDetails } = (await read(id, "fileDetails")) ?? {};

    expect(kindsOf(fileDetails)).toEqual(fileFields);
    expect(kindsOf(fileDetails.videoStreams[0])).toEqual(streamFields);
  });

  it.each(ownerParts)("keep %s to its owner", async (part) => {
    const answer = await server.get("/videos", { part, id: otherVideo });

    expect(answer.status).toBe(403);
    expect(refused(answer)).toContain("forbidden");
  });

  it("show how many dislike it to its owner alone", async () => {
    const { id } = await uploadVideo(server);

    const mine = await read(id, "statistics");
    const theirs = await read(otherVideo, "statistics");

    expect(mine?.statistics.dislikeCount).toBe("0");
    expect(theirs?.statistics.dislikeCount).toBeUndefined();
  });

  it("name who paid where there is paid promotion", async () => {
    const { id } = await uploadVideo(server);
    await update(
      { id, paidProductPlacementDetails: { hasPaidProductPlacement: true } },
      "paidProductPlacementDetails",
    );

    const { brandPartner } = (await read(id, "brandPartner")) ?? {};

    expect(brandPartner).toEqual({
      channelId: expect.stringMatching(/^UC/u),
      channelHandle: expect.stringMatching(/^@/u),
    });
  });
});
