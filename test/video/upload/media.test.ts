import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { InputError, NetworkError, ServiceError } from "../../../src/errors.ts";
import { answering, cut, failureOf, startServer } from "../../http/server.ts";
import { bytes, rig, streamOf, video } from "./rig.ts";

const png = (data: unknown, length?: number) => ({
  data,
  type: "image/png",
  ...(length !== undefined && { bytes: length }),
});

describe("media that can't be sent", () => {
  it.each([
    ["a stream of unknown length", video(streamOf(bytes(10))), "upload_length_unknown"],
    ["a stream of half a byte", video(streamOf(bytes(10)), 9.5), "upload_length_unknown"],
    ["a stream of less than nothing", video(streamOf(bytes(10)), -1), "upload_length_unknown"],
    ["no bytes", video(new Uint8Array(0)), "upload_empty"],
    ["an empty Blob", video(new Blob([])), "upload_empty"],
    ["an empty stream", video(streamOf(bytes(0)), 0), "upload_empty"],
    ["bytes of another length", video(bytes(10), 11), "upload_length_mismatch"],
    ["a Blob of another length", video(new Blob(["abc"]), 2), "upload_length_mismatch"],
    ["more than the method takes", video(streamOf(bytes(10)), 2 ** 39), "upload_too_large"],
    ["another type", { data: bytes(10), type: "image/png" }, "upload_type_unsupported"],
    ["no type at all", { data: bytes(10), type: "video" }, "upload_type_unsupported"],
    [
      "a type that breaks a header",
      { data: bytes(10), type: "video/mp4\r\nx: y" },
      "upload_type_unsupported",
    ],
    ["an object", video({}), "invalid_parameter"],
  ])("is refused before anything is sent: %s", async (_what, media, code) => {
    const { send, service } = await rig();

    const error = await failureOf(send({ media }), InputError);

    expect(error.code).toBe(code);
    expect(error.facts).toMatchObject({ method: "videos.insert", parameter: "media" });
    expect(service.steps).toEqual([]);
    if (media.data instanceof Readable) expect(media.data.destroyed).toBe(true);
  });

  it.each([
    [{ data: bytes(10), type: "image/png" }, '"image/png"', "video/*, application/octet-stream"],
    [{ data: [1], type: "video/mp4" }, "a list of 1", "bytes, a stream or a Blob"],
    [video(bytes(10), 11), "11", "10"],
    [video(streamOf(bytes(10)), 9.5), "9.5", "a whole number of bytes"],
    [video(streamOf(bytes(10)), 2 ** 39), "549755813888 bytes", "at most 274877906944 bytes"],
  ])("is refused with what it was and what is allowed: %#", async (media, was, allowed) => {
    const { send } = await rig();

    const error = await failureOf(send({ media }), InputError);

    expect(error.facts).toMatchObject({ parameter: "media", was, allowed });
  });

  it("is refused by the row's own limit, which it names", async () => {
    const { send } = await rig();

    const error = await failureOf(
      send({ method: "watermarks.set", media: png(new Uint8Array(10 * 1024 * 1024 + 1)) }),
      InputError,
    );

    expect(error.code).toBe("upload_too_large");
    expect(error.facts).toMatchObject({ method: "watermarks.set", maxBytes: 10_485_760 });
  });

  it("lets go of a stream when another parameter is wrong", async () => {
    const { send, service } = await rig();
    const data = streamOf(bytes(10));

    await failureOf(send({ media: video(data, 10), params: { part: ["nonsense"] } }), InputError);

    expect(data.destroyed).toBe(true);
    expect(service.steps).toEqual([]);
  });

  it.each(["video/mp4", "VIDEO/MP4", "video/mp4; codecs=avc1", "application/octet-stream"])(
    "goes up as what it is said to be: %s",
    async (type) => {
      const { send, service } = await rig();

      await send({ media: { data: bytes(10), type } });

      expect(service.steps[0]?.headers["x-upload-content-type"]).toBe(type);
    },
  );
});

/** Uploads in one request; returns what arrived. */
async function whole(given: Parameters<Awaited<ReturnType<typeof rig>>["send"]>[0]) {
  const server = await startServer(answering(200, { id: "x", items: [{}] }));
  const { send } = await rig({
    services: { baseUrl: `${server.url}/v3`, uploadBaseUrl: `${server.url}/upload/v3` },
  });
  try {
    const answer = await send(given);
    return { answer, received: server.received };
  } finally {
    await server.close();
  }
}

describe("a simple upload", () => {
  it.each([
    ["bytes", () => png(bytes(700))],
    ["a stream", () => png(streamOf(bytes(700)), 700)],
    ["a Blob", () => png(new Blob([Buffer.from(bytes(700))]))],
  ])("sends %s as the whole body", async (_what, media) => {
    const reported: number[][] = [];
    const { received, answer } = await whole({
      method: "thumbnails.set",
      media: media(),
      onProgress: (...progress) => void reported.push(progress),
    });

    const [one] = received;
    expect(received).toHaveLength(1);
    expect(one?.method).toBe("POST");
    expect(`${one?.url.pathname}${one?.url.search}`).toBe(
      "/upload/v3/thumbnails/set?uploadType=media&videoId=v",
    );
    expect(one?.headers).toMatchObject({
      "content-type": "image/png",
      "content-length": "700",
      authorization: "Bearer the-token",
    });
    expect(one?.body).toEqual(Buffer.from(bytes(700)));
    expect(answer).toMatchObject({ items: [{}] });
    expect(reported).toEqual([[700, 700]]);
  });

  it("is resumable above one chunk, without metadata", async () => {
    const { send, service } = await rig();

    await send({ method: "thumbnails.set", media: png(bytes(2_500)) });

    const [begin] = service.steps;
    expect(begin?.url.searchParams.get("uploadType")).toBe("resumable");
    expect(begin?.headers["content-type"]).toBeUndefined();
    expect(begin?.headers["content-length"]).toBe("0");
    expect(service.videos).toEqual([Buffer.from(bytes(2_500))]);
  });

  it("is repeated after a cut where the method may be, with the same bytes", async () => {
    const server = await startServer((received, response, count) =>
      (count < 3 ? cut : answering(200, { items: [] }))(received, response, count),
    );
    const { send } = await rig({ services: { uploadBaseUrl: server.url } });

    await send({ method: "thumbnails.set", media: png(streamOf(bytes(700)), 700) });
    await server.close();

    expect(server.received.map(({ body }) => body.length)).toEqual([700, 700, 700]);
    expect(server.received[2]?.body).toEqual(Buffer.from(bytes(700)));
  });
});

describe("a multipart upload", () => {
  it("sends the JSON and then the media", async () => {
    const media = { data: bytes(300), type: "text/vtt" };
    const { received } = await whole({ method: "captions.insert", media });

    const [one] = received;
    const [, boundary] = /^multipart\/related; boundary=(.+)$/.exec(
      one?.headers["content-type"] ?? "",
    ) ?? [undefined, ""];
    const parts = one?.body.toString("latin1").split(`--${boundary}`) ?? [];
    expect(one?.url.searchParams.get("uploadType")).toBe("multipart");
    expect(parts).toHaveLength(4);
    expect(parts[0]).toBe("");
    expect(parts[1]).toMatch(
      /^\r\ncontent-type: application\/json; charset=UTF-8\r\n\r\n\{.*\}\r\n$/,
    );
    expect(JSON.parse(parts[1]?.split("\r\n\r\n")[1] ?? "")).toEqual({
      snippet: { videoId: "v", language: "en", name: "English" },
    });
    expect(parts[2]).toBe(
      `\r\ncontent-type: text/vtt\r\n\r\n${Buffer.from(bytes(300)).toString("latin1")}\r\n`,
    );
    expect(parts[3]).toBe("--\r\n");
    expect(one?.headers["content-length"]).toBe(String(one?.body.length));
  });

  it("takes another boundary each time", async () => {
    const media = { data: bytes(10), type: "text/vtt" };
    const first = await whole({ method: "captions.insert", media });
    const second = await whole({ method: "captions.insert", media });

    expect(first.received[0]?.headers["content-type"]).not.toBe(
      second.received[0]?.headers["content-type"],
    );
  });

  it("answers nothing where the method does", async () => {
    const { answer } = await whole({ method: "watermarks.set", media: png(bytes(300)) });

    expect(answer).toBeUndefined();
  });
});

describe("a caption update", () => {
  const params = { part: ["snippet"], body: { id: "c", snippet: { isDraft: true } } };

  it("without a file is a plain PUT at the base address", async () => {
    const { received } = await whole({ method: "captions.update", params, media: undefined });

    expect(received[0]?.method).toBe("PUT");
    expect(`${received[0]?.url.pathname}${received[0]?.url.search}`).toBe(
      "/v3/captions?part=snippet",
    );
    expect(JSON.parse(String(received[0]?.body))).toEqual(params.body);
  });

  it("with a file is a PUT at the upload address", async () => {
    const media = { data: bytes(10), type: "text/vtt" };
    const { received } = await whole({ method: "captions.update", params, media });

    expect(received[0]?.method).toBe("PUT");
    expect(received[0]?.url.pathname).toBe("/upload/v3/captions");
  });

  it("with a large file begins its session with a PUT too", async () => {
    const { send, service } = await rig();
    const media = { data: bytes(2_500), type: "text/vtt" };

    await send({ method: "captions.update", params, media });

    expect(service.steps[0]?.kind).toBe("begin");
    expect(service.videos).toEqual([Buffer.from(bytes(2_500))]);
  });
});

describe("an upload that creates", () => {
  it("is looked for when its answer is lost", async () => {
    const track = { id: "c", snippet: { language: "en", name: "English" } };
    const server = await startServer((received, response, count) => {
      if (received.method === "POST") return cut(received, response, count);
      answering(200, { items: [{ id: "other", snippet: {} }, track] })(received, response, count);
    });
    const { send } = await rig({ services: { baseUrl: server.url, uploadBaseUrl: server.url } });

    const media = { data: bytes(10), type: "text/vtt" };
    const answer = await send({ method: "captions.insert", media });
    await server.close();

    expect(answer).toEqual(track);
    expect(server.received.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });
});

describe("the session's host", () => {
  /** Begins a session whose address the server names in `location`. */
  async function begin(location: string | undefined) {
    const other = await startServer(answering(200, {}));
    const server = await startServer((_received, response) => {
      const named = location?.replace("OTHER", other.host);
      response.writeHead(200, named === undefined ? {} : { location: named }).end();
    });
    const { send } = await rig({ services: { uploadBaseUrl: `${server.url}/upload` } });
    const error = await send({ media: video(bytes(10)) }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    await server.close();
    await other.close();
    return { error, received: server.received, elsewhere: other.received };
  }

  it.each([
    "http://OTHER/session",
    "https://evil.example/session",
    "https://www.googleapis.com/session",
    "//OTHER/session",
    "ftp://127.0.0.1/session",
  ])("must be the upload's own: %s gets nothing", async (location) => {
    const { error, received, elsewhere } = await begin(location);

    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: "upload_session_host", outcome: "nothing" });
    expect(received).toHaveLength(1);
    expect(elsewhere).toEqual([]);
  });

  it.each([undefined, "http://", "http://[::1"])("must be named (%s)", async (location) => {
    const { error, received } = await begin(location);

    expect(error).toMatchObject({ code: "unreadable_answer" });
    expect(received).toHaveLength(1);
  });

  it("may be named by its path alone", async () => {
    const { received } = await begin("/session?upload_id=1");

    expect(received[1]?.url.pathname).toBe("/session");
  });
});

describe("a small upload", () => {
  it("that is cut where nothing may be repeated blindly is reported", async () => {
    const server = await startServer(cut);
    const { send } = await rig({ services: { baseUrl: server.url, uploadBaseUrl: server.url } });

    const media = { data: bytes(10), type: "text/vtt" };
    const error = await failureOf(send({ method: "captions.insert", media }), NetworkError);
    await server.close();

    expect(error.outcome).toBe("unknown");
    expect(server.received.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});
