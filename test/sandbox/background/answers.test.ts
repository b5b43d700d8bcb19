import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackgroundServer, startBackground } from "../../../src/sandbox/background/index.ts";
import { complaintsOf, post, see, subjectOf, twoHalves } from "../../support/removing.ts";

let server: BackgroundServer;
let image: Buffer;

beforeAll(async () => {
  server = await startBackground({ matting: "ellipse", credits: 1000 });
  image = await twoHalves(200, 150);
});

afterAll(() => server.close());

function postBody(body: string | URLSearchParams, type?: string): Promise<Response> {
  const headers = { "X-Api-Key": server.key, ...(type !== undefined && { "Content-Type": type }) };
  return fetch(`${server.url}/removebg`, { method: "POST", headers, body });
}

const postJson = (body: object): Promise<Response> =>
  postBody(JSON.stringify(body), "application/json");

describe("a body of POST /removebg", () => {
  it("is a form with the picture in base64, with or without its data prefix", async () => {
    const base64 = image.toString("base64");
    const answers = await Promise.all(
      [base64, `data:image/png;base64,${base64}`].map((image_file_b64) =>
        postBody(new URLSearchParams({ image_file_b64, crop: "true" })),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ headers }) => headers.get("x-width"))).toEqual(["140", "140"]);
  });

  it("is JSON with values of their own kinds", async () => {
    const response = await postJson({
      image_file_b64: image.toString("base64"),
      crop: true,
      shadow_opacity: 50,
      position: null,
    });

    expect([response.status, response.headers.get("x-width")]).toEqual([200, "140"]);
  });

  it.each([
    ["an object", { shadow_type: { car: "car" }, shadow_opacity: { car: 100 } }],
    ["names with brackets", { "shadow_type[car]": "car", "shadow_opacity[car]": 100 }],
  ])("is JSON whose shadow for a type is named in %s", async (_, shadow) => {
    const response = await postJson({
      image_file_b64: image.toString("base64"),
      type: "car",
      ...shadow,
    });

    expect((await see(await response.bytes())).at(100, 138)[3]).toBeGreaterThan(150);
  });

  it("has fields that count as absent when they are empty", async () => {
    const fields = { image_url: "", image_file_b64: "", bg_color: "", bg_image_url: "", size: "" };

    expect((await post(server, "removebg", { image, fields })).status).toBe(200);
  });

  it("has no file parts outside of multipart", async () => {
    expect(await complaintsOf(await postJson({ image_file: "AAAA" }))).toEqual([
      400,
      "missing_source",
    ]);
  });

  it.each([
    ["{", "application/json"],
    ["null", "application/json"],
    ["--x", "multipart/form-data; boundary=x"],
  ])("that can't be parsed is refused: %s", async (body, type) => {
    expect(await complaintsOf(await postBody(body, type))).toEqual([
      400,
      "The request body can't be parsed",
    ]);
  });
});

describe("an answer of POST /removebg", () => {
  it.each([
    ["application/json", "application/json"],
    ["application/json; charset=utf-8, image/*", "application/json"],
    ["image/*, application/json", "image/png"],
    ["*/*", "image/png"],
  ])("to Accept: %s is %s", async (Accept, type) => {
    const response = await post(server, "removebg", { image, headers: { Accept } });

    expect(response.headers.get("content-type")).toBe(type);
  });

  it("in JSON has the file, of ZIP too, and the foreground; the rest is in headers", async () => {
    const headers = { Accept: "application/json" };
    const fields = { format: "zip" };
    const response = await post(server, "removebg", { image, fields, headers });
    const { data } = (await response.json()) as { data: { result_b64: string } };
    const { result_b64, ...rest } = data;

    expect(Object.keys(unzipSync(Buffer.from(result_b64, "base64")))).toEqual([
      "color.jpg",
      "alpha.png",
    ]);
    const { left, top, width, height } = subjectOf(response);
    expect(rest).toEqual({
      foreground_top: top,
      foreground_left: left,
      foreground_width: width,
      foreground_height: height,
    });
    expect(response.headers.get("x-width")).toBe("200");
    expect(response.headers.get("x-credits-charged")).toBe("0.25");
  });
});

describe("an address", () => {
  const open = async (listener: Parameters<typeof createServer>[1]) => {
    const host = createServer(listener).listen(0, "127.0.0.1");
    await once(host, "listening");
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/cup.png`;
    return { url, close: () => host.close() };
  };

  it("on this machine is fetched", async () => {
    const host = await open((_, answer) => answer.end(image));
    const response = await postJson({ image_url: host.url });
    host.close();

    expect(response.status).toBe(200);
  });

  it("that is dead is answered with a title and its status, and nothing else", async () => {
    const host = await open((_, answer) => answer.writeHead(404).end("gone"));
    const response = await postJson({ image_url: host.url });
    host.close();

    expect([response.status, await response.json()]).toEqual([
      400,
      { errors: [{ title: "Failed to download image: HTTP status 404" }] },
    ]);
  });

  it("elsewhere, or one that leads elsewhere, is not fetched", async () => {
    const host = await open((_, answer) =>
      answer.writeHead(302, { Location: "http://example.com/cup.png" }).end(),
    );
    const urls = ["https://example.com/cup.png", "http://192.0.2.1/cup.png", host.url];
    const answers = await Promise.all(urls.map((image_url) => postJson({ image_url })));
    host.close();

    expect(await Promise.all(answers.map(complaintsOf))).toEqual(
      urls.map(() => [400, "failed_image_download"]),
    );
  });

  it("whose picture never ends is given up at the largest that may be", async () => {
    let sent = 0;
    const host = await open(async (_, answer) => {
      answer.on("close", () => answer.destroy());
      while (!answer.destroyed && sent < 100e6) {
        sent += 1e6;
        await new Promise((resolve) => answer.write(Buffer.alloc(1e6), resolve));
      }
    });
    const response = await postJson({ image_url: host.url });
    host.close();

    expect(await complaintsOf(response)).toEqual([400, "file_too_large"]);
    expect(sent).toBeLessThan(40e6);
  });
});
