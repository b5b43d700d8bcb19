import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackgroundServer, startBackground } from "../../../src/sandbox/background/index.ts";
import { complaintsOf, post, twoHalves } from "../../support/removing.ts";

let server: BackgroundServer;
let image: Buffer;
let time = Date.UTC(2026, 4, 1, 23, 59);

beforeAll(async () => {
  server = await startBackground({ matting: "ellipse", now: () => time });
  image = await twoHalves(60, 40);
});

afterAll(() => server.close());

const improve = (asking: Parameters<typeof post>[2]): Promise<Response> =>
  post(server, "improve", asking);

describe("POST /improve", () => {
  it("answers an id at the top level and keeps what came with it", async () => {
    const fields = { image_filename: "cup.png", tag: "cups" };
    const response = await improve({ image, fields });
    const body = (await response.json()) as { id: string };

    expect(Object.keys(body)).toEqual(["id"]);
    expect(body.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(server.improved.at(-1)).toEqual({
      id: body.id,
      filename: "cup.png",
      tag: "cups",
      bytes: image.length,
      sha256: createHash("sha256").update(image).digest("hex"),
    });
  });

  it("takes the name of the file, and base64 too", async () => {
    await improve({ image });
    await improve({ fields: { image_file_b64: image.toString("base64") } });

    expect(server.improved.slice(-2).map(({ filename }) => filename)).toEqual(["picture", "image"]);
    expect(server.improved.at(-1)?.bytes).toBe(image.length);
  });

  it.each([
    [{}, "missing_source"],
    [{ image_url: "nowhere" }, "invalid_image_url"],
    [{ image_url: "http://192.0.2.1/a.png" }, "failed_image_download"],
    [{ image_url: "http://192.0.2.1/", image_file_b64: "AAAA" }, "multiple_sources"],
    [{ image_file_b64: btoa("words") }, "invalid_file_type"],
  ])("refuses %j as %s", async (fields, code) => {
    const before = server.improved.length;

    expect(await complaintsOf(await improve({ fields: { ...fields } }))).toEqual([400, code]);
    expect(server.improved).toHaveLength(before);
  });

  it("takes 100 files a day", async () => {
    time += 86_400_000;
    const answers = [];
    for (let i = 0; i < 101; i++) answers.push(await improve({ image }));
    const last = answers.at(-1) ?? Response.error();
    time += 60_000;
    const tomorrow = await improve({ image });

    expect(answers.slice(0, 100).every(({ status }) => status === 200)).toBe(true);
    expect(last.headers.get("retry-after")).toBe("60");
    expect(await complaintsOf(last)).toEqual([429, "Rate limit exceeded"]);
    expect(tomorrow.status).toBe(200);
  });
});
