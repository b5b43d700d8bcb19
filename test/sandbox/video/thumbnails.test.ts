import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { items, open, picture, refused, type Stage, send, uploadVideo } from "./writes.ts";

let server: Stage;

beforeAll(async () => {
  server = await open();
});

beforeEach(() => server.quota.refill());

afterAll(() => server.close());

function set(videoId: string, image: Uint8Array, type = "image/jpeg") {
  return send(server, "POST", `${server.uploadUrl}/thumbnails/set`, {
    query: { videoId, uploadType: "media" },
    body: image,
    headers: { "Content-Type": type },
  });
}

/** The colours at the left edge and in the middle of the middle row, and the picture's size. */
async function colours(url: string): Promise<{ edge: number[]; middle: number[]; size: string }> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const row = Math.floor(info.height / 2) * info.width;
  const at = (x: number): number[] => [...data.subarray((row + x) * 3, (row + x) * 3 + 3)];
  return {
    edge: at(2),
    middle: at(Math.floor(info.width / 2)),
    size: `${info.width}x${info.height}`,
  };
}

describe("thumbnails.set", () => {
  it("puts the picture where the video's pictures are served, with bars where its shape differs", async () => {
    const { id } = await uploadVideo(server);
    const { body } = await set(id, await picture(600, 600, { color: "#ff0000" }));
    const video = await server.get("/videos", { part: "snippet,contentDetails", id });
    const { url } = items(video)[0]?.snippet.thumbnails.maxres ?? {};
    const shown = await colours(url);

    expect(body.kind).toBe("youtube#thumbnailSetResponse");
    expect(body.items[0].maxres.url).toBe(url);
    expect(items(video)[0]?.contentDetails.hasCustomThumbnail).toBe(true);
    expect(shown.size).toBe("1280x720");
    expect(shown.middle[0]).toBeGreaterThan(240);
    expect(Math.max(...shown.edge)).toBeLessThan(12);
  });

  it("keeps the drawn picture where the uploaded one turns out to be broken", async () => {
    const { id } = await uploadVideo(server);
    const whole = await picture(640, 360, { format: "png" });
    await set(id, whole.subarray(0, 40), "image/png");
    const url = `${new URL(server.url).origin}/vi/${id}/mqdefault.jpg`;
    const response = await fetch(url);

    expect(response.status).toBe(200);
    expect((await colours(url)).size).toBe("320x180");
  });

  it("shows the latest one", async () => {
    const { id } = await uploadVideo(server);
    const url = `${new URL(server.url).origin}/vi/${id}/default.jpg`;
    await set(id, await picture(640, 360, { color: "#00ff00" }));
    const first = await colours(url);
    await set(id, await picture(640, 360, { color: "#0000ff", format: "png" }), "image/png");
    const second = await colours(url);
    const { headers } = await fetch(url);

    // The address stays the same, so browsers must not cache the picture.
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(first.middle[1]).toBeGreaterThan(240);
    expect(second.middle[2]).toBeGreaterThan(240);
  });

  it.each([
    ["what is no picture", Buffer.from("<svg/>"), "invalidImage"],
    ["nothing", Buffer.alloc(0), "mediaBodyRequired"],
  ])("refuses %s", async (_, image, reason) => {
    const { id } = await uploadVideo(server);

    expect(refused(await set(id, image)).slice(0, 2)).toEqual([400, reason]);
  });

  it("refuses another format and videos that are not one's own", async () => {
    const { id } = await uploadVideo(server);
    const image = await picture(64, 36, { format: "webp" });

    expect(refused(await set(id, image))[1]).toBe("invalidImage");
    expect(refused(await set("nothing-here", image))[1]).toBe("videoNotFound");
  });
});

describe("the sizes of a thumbnail", () => {
  it("go up to the largest that the service names, and each is a picture of that size", async () => {
    const list = await server.get("/videos?part=snippet&chart=mostPopular&maxResults=50");
    const all = items(list).map(({ snippet }) => snippet.thumbnails);
    const widest = all.find(({ uhd }) => uhd !== undefined);

    const { size } = await colours(widest.uhd.url);

    expect(size).toBe("3840x2160");
    expect(Object.keys(widest)).toEqual([
      "default",
      "medium",
      "high",
      "standard",
      "maxres",
      "fhd",
      "qhd",
      "uhd",
    ]);
    // None of these sizes is guaranteed.
    expect(all.some(({ fhd }) => fhd === undefined)).toBe(true);
  });
});
