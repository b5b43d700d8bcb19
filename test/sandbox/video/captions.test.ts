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

let server: Stage;
let videoId: string;
let otherVideo: string;

beforeAll(async () => {
  server = await open();
  videoId = (await uploadVideo(server)).id;
  const uploads = await server.get("/playlistItems?part=contentDetails", {
    playlistId: `UU${server.otherChannelId.slice(2)}`,
  });
  otherVideo = items(uploads)[1]?.contentDetails.videoId;
});

// Captions are expensive: two dozen uploads use up a day's quota.
beforeEach(() => server.quota.refill());

afterAll(() => server.close());

const srt =
  "1\n00:00:01,000 --> 00:00:02,500\nHello & <welcome>\nsecond line\n\n2\n01:02:03,004 --> 01:02:04,000\nLater\n";

function insert(snippet: Loose, text: string = srt) {
  return send(server, "POST", `${server.uploadUrl}/captions`, {
    query: { part: "snippet", uploadType: "multipart" },
    ...related({ snippet: { videoId, name: "", ...snippet } }, text, "application/octet-stream"),
  });
}

const download = (id: string, query: Record<string, string> = {}) =>
  server.get(`/captions/${id}`, query);

const list = (query: Record<string, string>, token: "owner" | "other" = "owner") =>
  send(server, "GET", "/captions", { query: { part: "snippet", ...query }, token });

describe("captions.insert", () => {
  it("adds a track that is listed, and the video has captions", async () => {
    const { body } = await insert({ language: "en", name: "Main", isDraft: true });
    const listed = await list({ videoId });
    const video = await server.get("/videos", { part: "contentDetails", id: videoId });

    expect(body.snippet).toMatchObject({
      videoId,
      language: "en",
      name: "Main",
      isDraft: true,
      trackKind: "standard",
      status: "serving",
    });
    expect(items(listed).map(({ id }) => id)).toContain(body.id);
    expect(items(video)[0]?.contentDetails.caption).toBe("true");
  });

  it("refuses a second track of the same language and name", async () => {
    await insert({ language: "nl" });
    const second = await insert({ language: "nl" });
    const named = await insert({ language: "nl", name: "Another" });

    expect([refused(second), named.status]).toEqual([[409, "captionExists"], 200]);
  });

  it("takes a bare transcript, which fails for want of times", async () => {
    const { body } = await insert(
      { language: "sv" },
      "Hello and welcome.\nThis is all that is said.",
    );
    const downloaded = await download(body.id);

    expect(body.snippet).toMatchObject({ status: "failed", failureReason: "unknownFormat" });
    expect(refused(downloaded).slice(0, 2)).toEqual([400, "couldNotConvert"]);
  });

  it.each([
    ["no language", { language: undefined }, [400, "invalidMetadata"]],
    ["a bad language", { language: "English please" }, [400, "invalidMetadata"]],
    ["no name at all", { language: "pl", name: undefined }, [400, "invalidMetadata"]],
    ["a name of 151 characters", { language: "pl", name: "n".repeat(151) }, [400, "nameTooLong"]],
    ["an unknown video", { language: "pl", videoId: "nothing-here" }, [404, "videoNotFound"]],
  ])("refuses %s", async (_, snippet, expected) => {
    expect(refused(await insert(snippet)).slice(0, 2)).toEqual(expected);
  });

  it("refuses a video of somebody else", async () => {
    expect(refused(await insert({ language: "pl", videoId: otherVideo }))).toEqual([
      403,
      "forbidden",
    ]);
  });

  it("refuses a track without a file", async () => {
    const answer = await server.post("/captions?part=snippet", {
      snippet: { videoId, language: "pl", name: "" },
    });

    expect(refused(answer).slice(0, 2)).toEqual([400, "contentRequired"]);
  });
});

describe("captions.list", () => {
  it("shows what the service made by itself too", async () => {
    const uploads = await server.get("/playlistItems?part=contentDetails&maxResults=50", {
      playlistId: `UU${server.ownChannelId.slice(2)}`,
    });
    const tracks = await Promise.all(
      items(uploads).map(({ contentDetails }) => list({ videoId: contentDetails.videoId })),
    );
    const kinds = tracks.flatMap((listed) => items(listed).map(({ snippet }) => snippet.trackKind));

    expect(new Set(kinds)).toEqual(new Set(["standard", "ASR"]));
  });

  it.each([
    ["an unknown video", { videoId: "nothing-here" }, [404, "videoNotFound"]],
    ["an unknown track", { id: "nothing-here" }, [404, "captionNotFound"]],
  ])("refuses %s", async (_, query, expected) => {
    expect(refused(await list({ videoId, ...query })).slice(0, 2)).toEqual(expected);
  });

  it("is for the owner of the video alone", async () => {
    expect(refused(await list({ videoId }, "other"))).toEqual([403, "forbidden"]);
  });
});

describe("captions.update", () => {
  it("changes the draft status, and takes it back when it is left out", async () => {
    const { body } = await insert({ language: "da" });
    const write = (snippet: Loose) =>
      server.put("/captions?part=snippet", { id: body.id, snippet });
    const draft = await write({ isDraft: true });
    const shown = await write({});

    expect([draft.body.snippet.isDraft, shown.body.snippet.isDraft]).toEqual([true, false]);
  });

  it("replaces the file alone", async () => {
    const { body } = await insert({ language: "fi", isDraft: true });
    const next = srt.replace("Later", "Changed");
    await send(server, "PUT", `${server.uploadUrl}/captions`, {
      query: { part: "id", uploadType: "multipart" },
      ...related({ id: body.id }, next, "text/plain"),
    });
    const listed = await list({ videoId, id: body.id });

    expect((await download(body.id)).bytes.toString()).toBe(next);
    expect(items(listed)[0]?.snippet.isDraft).toBe(true);
  });

  it.each([
    ["no file and no draft status", { part: "id" }, {}, [400, "contentRequired"]],
    ["no id", { part: "snippet" }, { id: undefined }, [400, "required"]],
    ["an unknown track", { part: "snippet" }, { id: "nothing" }, [404, "captionNotFound"]],
  ])("refuses %s", async (name, query, body, expected) => {
    const track = await insert({ language: "cs", name });
    const answer = await server.put("/captions", { id: track.body.id, ...body }, query);

    expect(refused(answer).slice(0, 2)).toEqual(expected);
  });
});

describe("captions.download", () => {
  it("gives the file as it was uploaded", async () => {
    const { body } = await insert({ language: "it" });
    const { headers, bytes } = await download(body.id);

    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(bytes.toString()).toBe(srt);
  });

  it.each(["srt", "vtt", "sbv", "ttml"])("converts to %s and back without loss", async (tfmt) => {
    const { body } = await insert({ language: "pt", name: tfmt });
    const converted = (await download(body.id, { tfmt })).bytes.toString();
    const again = await insert({ language: "pt", name: `${tfmt} again` }, converted);
    const back = await download(again.body.id, { tfmt: "srt" });

    expect(back.bytes.toString()).toBe(srt);
  });

  it("writes each format as players read it", async () => {
    const { body } = await insert({ language: "ro" });
    const as = async (tfmt: string): Promise<string> =>
      (await download(body.id, { tfmt })).bytes.toString();

    expect(await as("vtt")).toMatch(/^WEBVTT\n\n00:00:01\.000 --> 00:00:02\.500\nHello/);
    expect(await as("sbv")).toMatch(/^0:00:01\.000,0:00:02\.500\nHello/);
    expect(await as("ttml")).toContain(
      '<p begin="00:00:01.000" end="00:00:02.500">Hello &amp; &lt;welcome&gt;<br/>second line</p>',
    );
  });

  const ttml = (cue: string, root = "") =>
    `<?xml version='1.0'?><my-ns:tt xmlns:my-ns='http://www.w3.org/ns/ttml' ${root}><my-ns:body><my-ns:div>` +
    `<my-ns:p ${cue}>Hi</my-ns:p></my-ns:div></my-ns:body></my-ns:tt>`;

  it.each([
    ["single quotes", ttml("begin='00:00:01.000' end='00:00:02.500'"), "01,000", "02,500"],
    ["blanks around =", ttml('begin = "1s" end = "2.5s"'), "01,000", "02,500"],
    ["30 frames a second", ttml("begin='00:00:01:12' end='00:00:02:15'"), "01,400", "02,500"],
    [
      "25 frames a second",
      ttml("begin='00:00:01:12' end='00:00:02:20'", "ttp:frameRate='25'"),
      "01,480",
      "02,800",
    ],
    [
      "a multiplied frame rate",
      ttml("begin='30f' end='60f'", "ttp:frameRate='30' ttp:frameRateMultiplier='1000 1001'"),
      "01,001",
      "02,002",
    ],
    ["ticks", ttml("begin='15t' dur='10t'", 'ttp:tickRate="10"'), "01,500", "02,500"],
    ["ticks of a second", ttml("begin='1t' end='2t'"), "01,000", "02,000"],
    [
      "millions of ticks",
      ttml('begin="10000000t" end="25000000t"', 'ttp:tickRate="10000000"'),
      "01,000",
      "02,500",
    ],
  ])("reads TTML with %s", async (name, file, start, end) => {
    const { body } = await insert({ language: "lt", name }, file);
    const { bytes } = await download(body.id, { tfmt: "srt" });

    expect(bytes.toString()).toBe(`1\n00:00:${start} --> 00:00:${end}\nHi\n`);
  });

  it("gives back what it can't convert as it was", async () => {
    const lrc = "[00:12.00]First line\n[00:17.20]Second line\n";
    const { body } = await insert({ language: "lv" }, lrc);
    const converted = await download(body.id, { tfmt: "srt" });

    expect(body.snippet.status).toBe("serving");
    expect((await download(body.id)).bytes.toString()).toBe(lrc);
    expect(refused(converted).slice(0, 2)).toEqual([400, "couldNotConvert"]);
  });

  it("marks what would be a translation", async () => {
    const { body } = await insert({ language: "hu" });
    const { bytes } = await download(body.id, { tlang: "de" });

    expect(bytes.toString()).toContain("[de] Hello & <welcome>");
  });

  it("gives captions for the sample tracks", async () => {
    const listed = await server.get("/search?part=id&forMine=true&type=video", {
      q: "captions in five languages",
    });
    const own = items(listed)[0]?.id.videoId;
    const tracks = await list({ videoId: own });
    const texts = await Promise.all(
      items(tracks).map(async ({ id }) => (await download(id, { tfmt: "vtt" })).bytes.toString()),
    );

    for (const text of texts) expect(text.toLowerCase()).toContain("captions in five languages");
  });

  it.each([
    ["to scc", { tfmt: "scc" }, [400, "couldNotConvert", "tfmt"]],
    ["into a language that is none", { tlang: "no such one" }, [400, "couldNotConvert", "tlang"]],
    ["to an unknown format", { tfmt: "docx" }, [400, "invalidParameter", "tfmt"]],
  ])("can't convert %s", async (_, query, expected) => {
    const { body } = await insert({ language: "el", name: JSON.stringify(query) });

    expect(refused(await download(body.id, query))).toEqual(expected);
  });

  it("is for who may edit the video", async () => {
    const { body } = await insert({ language: "tr" });
    const answer = await send(server, "GET", `/captions/${body.id}`, { token: "other" });

    expect(refused(answer)).toEqual([403, "forbidden"]);
    expect(refused(await download("nothing-here"))[1]).toBe("captionNotFound");
  });
});

describe("captions.delete", () => {
  it("removes the track", async () => {
    const { body } = await insert({ language: "uk" });
    const { status } = await server.delete("/captions", { id: body.id });

    expect([status, (await download(body.id)).status]).toEqual([204, 404]);
  });

  it("is refused for tracks of somebody else", async () => {
    const { body } = await insert({ language: "bg" });
    const answer = await server.delete("/captions", { id: body.id }, "other");

    expect(refused(answer)).toEqual([403, "forbidden"]);
  });
});
