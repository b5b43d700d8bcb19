import { afterEach, describe, expect, it } from "vitest";
import {
  type BackgroundClientOptions,
  createBackgroundClient,
  createKeyAllowance,
  type RemoveBackgroundRequest,
} from "../../src/background/index.ts";
import { BotError, ConnectError, InputError, LimitError, NetworkError } from "../../src/errors.ts";
import { createHttp } from "../../src/http/index.ts";
import {
  type Answering,
  answering,
  cut,
  deadAddress,
  failureOf,
  fakeTime,
  type Received,
  startServer,
  type TestServer,
} from "../http/server.ts";

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const jpg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1]);
const webp = Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1");

const picture: Answering = (_received, response) => {
  response.writeHead(200, { "content-type": "image/png" }).end(png);
};

async function serve(answer: Answering = picture): Promise<TestServer> {
  const server = await startServer(answer);
  open.push(server);
  return server;
}

function client(url: string, options: Partial<BackgroundClientOptions> = {}) {
  const time = fakeTime();
  const http = createHttp({ ...time, random: () => 0.5 });
  open.push(http);
  return {
    ...createBackgroundClient({
      baseUrl: `${url}/v1.0`,
      apiKey: "the-key",
      http,
      now: time.now,
      allowance: createKeyAllowance(time),
      ...options,
    }),
    time,
  };
}

/** The form as remove.bg reads it. */
async function formOf(received: Received | undefined): Promise<FormData> {
  const headers = { "content-type": received?.headers["content-type"] ?? "" };
  return new Response(new Uint8Array(received?.body ?? []), { headers }).formData();
}

async function sent(
  request: RemoveBackgroundRequest,
): Promise<{ form: FormData; received: Received }> {
  const server = await serve();
  await client(server.url).removeBackground(request);
  const [received] = server.received;
  if (received === undefined) throw new Error("nothing arrived");
  return { form: await formOf(received), received };
}

describe("removeBackground sends", () => {
  it("the key, an Accept that prefers the file, and a form", async () => {
    const { received } = await sent({ image: png });

    expect(received.method).toBe("POST");
    expect(received.url.pathname).toBe("/v1.0/removebg");
    expect(received.headers["x-api-key"]).toBe("the-key");
    expect(received.headers.accept).toBe("*/*");
    expect(received.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
  });

  it.each([
    ["image/png", "image.png", png],
    ["image/jpeg", "image.jpg", jpg],
    ["image/webp", "image.webp", webp],
  ])("a %s by its bytes, with a file name", async (type, name, image) => {
    const { form } = await sent({ image });

    const file = form.get("image_file") as File;
    expect([file.type, file.name]).toEqual([type, name]);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(image);
  });

  it("only the view's bytes when the image lies in a larger buffer, under the name it was given", async () => {
    const whole = Buffer.concat([Buffer.alloc(10), png, Buffer.alloc(10)]);

    const { form } = await sent({
      image: whole.subarray(10, 10 + png.length),
      imageName: 'ü "x".png',
    });

    const file = form.get("image_file") as File;
    expect(file.name).toBe("ü x.png");
    expect(Buffer.from(await file.arrayBuffer())).toEqual(png);
  });

  it("size=auto when none is asked for, and nothing else that was not", async () => {
    const { form } = await sent({ imageUrl: "https://example.com/a.png" });

    expect(Object.fromEntries(form)).toEqual({
      image_url: "https://example.com/a.png",
      size: "auto",
    });
  });

  it("fields by the service's names, the colour without its #", async () => {
    const { form } = await sent({
      imageUrl: "https://example.com/a.png",
      megapixels: 3,
      size: "50MP",
      format: "zip",
      type: "graphic",
      bgColor: "#81d4fa",
      crop: false,
    });

    expect(Object.fromEntries(form)).toEqual({
      image_url: "https://example.com/a.png",
      size: "50MP",
      format: "zip",
      type: "graphic",
      bg_color: "81d4fa",
      crop: "false",
    });
  });

  it.each([
    ["missing_source", {}],
    ["multiple_sources", { image: png, imageUrl: "https://example.com/a.png" }],
    ["empty_image", { image: new Uint8Array() }],
    ["invalid_image_url", { imageUrl: "file:///etc/passwd" }],
    ["missing_source", { imageUrl: "" }],
  ])("nothing at all on %s", async (code, request) => {
    const server = await serve();

    const error = await failureOf(client(server.url).removeBackground(request), InputError);

    expect(error.code).toBe(code);
    expect(server.received).toEqual([]);
  });
});

describe("removeBackground reads", () => {
  async function removal(headers: Record<string, string>, body: Buffer = png) {
    const server = await serve((_received, response) => response.writeHead(200, headers).end(body));
    return client(server.url).removeBackground({ image: png, format: "png" });
  }

  it.each([
    ["image/png", "png"],
    ["image/jpeg", "jpg"],
    ["image/webp", "webp"],
    ["application/zip", "zip"],
    ["Image/PNG; charset=binary", "png"],
  ])("the format from %s where the bytes say nothing", async (type, format) => {
    const damaged = Buffer.from("no picture that anybody knows");

    expect((await removal({ "Content-Type": type }, damaged)).format).toBe(format);
  });

  it("the bytes, foreground, type, charge and rate, in any spelling of the headers", async () => {
    const result = await removal({
      "content-type": "image/png",
      "X-Foreground-Top": "1",
      "x-foreground-left": "0",
      "X-FOREGROUND-WIDTH": "30",
      "X-Foreground-Height": "40",
      "X-Type": "car_interior",
      "X-Credits-Charged": "0.25",
      "X-Ratelimit-Limit": "500",
      "X-RateLimit-Remaining": "499",
      "X-RateLimit-Reset": "1768478460",
    });

    expect(result).toEqual({
      image: png,
      format: "png",
      width: undefined,
      height: undefined,
      notices: [],
      foreground: { top: 1, left: 0, width: 30, height: 40 },
      type: "car_interior",
      creditsCharged: 0.25,
      rateLimit: { limit: 500, remaining: 499, resetAt: new Date("2026-01-15T12:01:00Z") },
    });
  });

  it("nothing into headers that are absent", async () => {
    expect(await removal({ "content-type": "image/png" })).toEqual({
      image: png,
      format: "png",
      width: undefined,
      height: undefined,
      notices: [],
      foreground: undefined,
      type: undefined,
      creditsCharged: undefined,
      rateLimit: undefined,
    });
  });

  it("a charge of nothing as zero", async () => {
    const result = await removal({ "content-type": "image/png", "x-credits-charged": "0" });

    expect(result.creditsCharged).toBe(0);
  });

  it.each(["application/octet-stream", "binary/octet-stream; charset=utf-8", ""])(
    "the picture that was paid for from the type %j",
    async (type) => {
      const result = await removal(type === "" ? {} : { "content-type": type });

      expect(result.format).toBe("png");
    },
  );

  it.each([
    ["text/html", Buffer.from("<html>")],
    ["application/octet-stream", Buffer.from("no picture that anybody knows")],
    ["image/png", Buffer.alloc(0)],
  ])("no picture from %s", async (type, body) => {
    await expect(removal({ "content-type": type }, body)).rejects.toThrow(
      expect.objectContaining({ code: "unreadable_answer", outcome: "unknown" }),
    );
  });
});

function refusal(code?: string): object {
  return { errors: [{ title: "Told", ...(code && { code }), detail: "more" }] };
}

async function failWith(status: number, body: string | object, headers = {}) {
  const server = await serve(answering(status, body, headers));
  const { removeBackground, time } = client(server.url);
  const error = await failureOf(removeBackground({ image: png }), BotError);
  return { error, time, count: server.received.length };
}

describe("failures of the service", () => {
  it.each([
    [402, undefined, "limit", "credits_gone"],
    [402, "insufficient_credits", "limit", "credits_gone"],
    [403, "auth_failed", "connect", "background_key_refused"],
    [403, undefined, "connect", "background_key_refused"],
    [400, "unknown_foreground", "input", "unknown_foreground"],
    [400, "resolution_too_high", "input", "resolution_too_high"],
    [400, "file_too_large", "input", "file_too_large"],
    [400, "invalid_file_type", "input", "invalid_file_type"],
    [400, "some_new_code", "input", "some_new_code"],
    [400, "constructor", "input", "constructor"],
    [400, undefined, "input", "image_refused"],
    [413, undefined, "input", "file_too_large"],
    [404, undefined, "service", "unexpected_answer"],
    [302, undefined, "service", "unexpected_answer"],
  ])("throws for %i %s a %s error %s, after one request", async (status, sent, kind, code) => {
    const { error, count } = await failWith(status, refusal(sent));

    expect([error.kind, error.code, error.outcome]).toEqual([kind, code, "nothing"]);
    expect(count).toBe(1);
  });

  it("takes the first code of several errors", async () => {
    const body = { errors: [{ title: "One" }, { title: "Two", code: "invalid_roi" }] };

    expect((await failWith(400, body)).error.code).toBe("invalid_roi");
  });

  it.each(["", "[]", '{"errors":"x"}', '{"errors":[null]}'])(
    "keeps the status when a refusal reads %s",
    async (body) => {
      const { error } = await failWith(400, body);

      expect([error.kind, error.code]).toEqual(["input", "image_refused"]);
    },
  );

  it.each([400, 401, 403, 404])("calls a web page with %i what it is", async (status) => {
    const { error } = await failWith(status, "<html>Blocked by a proxy</html>");

    expect([error.kind, error.code, error.outcome]).toEqual([
      "service",
      "web_page_answer",
      "nothing",
    ]);
  });

  it.each([
    [400, "out_of_memory", "input", "out_of_memory"],
    [403, "account_suspended", "access", "account_suspended"],
    [404, "gone_away", "input", "gone_away"],
  ])("brings the service's own words along for %i %s", async (status, code, kind, expected) => {
    const errors = [{ title: "Not now", code, detail: "Ask https://x.example/?api_key=the-key" }];

    const { error } = await failWith(status, { errors });

    expect([error.kind, error.code]).toEqual([kind, expected]);
    expect(error.facts.said).toBe(`Not now: Ask x.example (${code})`);
  });

  it("says nothing of the service's about what has words of its own", async () => {
    const known = await failWith(400, { errors: [{ title: "T", code: "invalid_file_type" }] });
    const key = await failWith(403, { errors: [{ title: "T", code: "auth_failed" }] });

    expect([known.error.facts.said, key.error.facts.said]).toEqual([undefined, undefined]);
  });

  it("tries a 5xx three times, its body HTML", async () => {
    const { error, time, count } = await failWith(502, "<html>bad gateway</html>");

    expect([error.kind, error.code]).toEqual(["service", "service_unavailable"]);
    expect(count).toBe(3);
    expect(time.waits).toEqual([1_500, 3_000]);
  });

  it("waits out a 429 as long as it says", async () => {
    const server = await serve((received, response, count) =>
      (count === 1 ? answering(429, refusal(), { "retry-after": "31" }) : picture)(
        received,
        response,
        count,
      ),
    );
    const { removeBackground, time } = client(server.url);

    await removeBackground({ image: png });

    expect(time.waits).toEqual([31_000]);
  });

  it("says when a 429 is worth another try, if that is too far away", async () => {
    const { error, time } = await failWith(429, refusal(), { "retry-after": "900" });

    expect(error.code).toBe("rate_limited");
    expect((error as LimitError).retryAt?.getTime()).toBe(time.now() + 900_000);
  });

  it("never sends a picture again after a cut, and says what it may have cost", async () => {
    const server = await serve(cut);

    const error = await failureOf(
      client(server.url).removeBackground({ image: png }),
      NetworkError,
    );

    expect([error.code, error.outcome]).toEqual(["result_lost", "unknown"]);
    expect(server.received).toHaveLength(1);
  });

  it("costs nothing when the service can't be reached", async () => {
    const error = await failureOf(
      client(await deadAddress()).removeBackground({ image: png }),
      NetworkError,
    );

    expect([error.code, error.outcome]).toEqual(["unreachable", "nothing"]);
  });

  it("never shows the key", async () => {
    const errors = [
      await failWith(403, { errors: [{ title: "the-key", code: "the-key", detail: "the-key" }] }),
      await failWith(400, { errors: [{ title: "the-key", code: "the-key", detail: "the-key" }] }),
    ].map(({ error }) => error);

    for (const error of errors) {
      const all = [error.message, error.stack, JSON.stringify(error), String(error.cause)];
      expect(all.join()).not.toContain("the-key");
    }
  });

  it.each(["", "a b", "line\nbreak", "schlüssel"])(
    "refuses the key %j before anything is sent",
    (apiKey) => {
      expect(() => createBackgroundClient({ baseUrl: "http://127.0.0.1:1", apiKey })).toThrow(
        ConnectError,
      );
    },
  );
});

describe("account", () => {
  const answer = {
    data: {
      attributes: {
        credits: { total: 200.5, subscription: 150, payg: 50.5, enterprise: 0 },
        api: { free_calls: 50, sizes: "all" },
      },
    },
  };

  it("reads the balance", async () => {
    const server = await serve(answering(200, answer));

    const account = await client(`${server.url}/`.replace(/\/$/, "")).account();

    expect(account).toEqual({
      credits: { total: 200.5, subscription: 150, payg: 50.5, enterprise: 0 },
      api: { freeCalls: 50 },
    });
    expect(server.received[0]?.url.pathname).toBe("/v1.0/account");
    expect(server.received[0]?.headers["x-api-key"]).toBe("the-key");
  });

  it("is asked for again after a cut", async () => {
    const server = await serve((received, response, count) =>
      (count === 1 ? cut : answering(200, answer))(received, response, count),
    );

    await client(server.url).account();

    expect(server.received).toHaveLength(2);
  });

  it.each(["<html>", "{}", "null", '{"data":{"attributes":{"credits":{}}}}'])(
    "refuses a balance that reads %s",
    async (body) => {
      const server = await serve(answering(200, body));

      await expect(client(server.url).account()).rejects.toThrow(
        expect.objectContaining({ code: "unreadable_answer" }),
      );
    },
  );

  it("reports a refused key", async () => {
    const server = await serve(answering(403, refusal("auth_failed")));

    const error = await failureOf(client(server.url).account(), ConnectError);

    expect(error.code).toBe("background_key_refused");
  });

  it("names the host of another service in its failures", async () => {
    const server = await serve(answering(403, refusal("auth_failed")));
    const other = client(server.url, { engineHost: "cut.example" });

    await expect(other.account()).rejects.toMatchObject({ facts: { engineHost: "cut.example" } });
  });
});

describe("pacing", () => {
  it("holds calls of one key together and learns from the answers", async () => {
    const time = fakeTime();
    const allowance = createKeyAllowance(time);
    const reset = String(Math.floor(time.now() / 1_000) + 20);
    const server = await serve((_received, response) =>
      response
        .writeHead(200, {
          "content-type": "image/png",
          "x-ratelimit-limit": "500",
          "x-ratelimit-remaining": "3",
          "x-ratelimit-reset": reset,
        })
        .end(png),
    );
    const [one, other] = [1, 2].map(() => client(server.url, { allowance, now: time.now }));

    await one?.removeBackground({ image: png, megapixels: 4 });
    await other?.removeBackground({ image: png, megapixels: 4 });

    expect(time.waits).toEqual([20_000]);
  });

  it("says at once that a picture can't be done within the deadline", async () => {
    const server = await serve();
    const time = fakeTime();
    const allowance = createKeyAllowance(time);
    allowance.pacer.hold(time.now() + 14 * 60_000);

    const error = await failureOf(
      client(server.url, { allowance, now: time.now }).removeBackground({ image: png }),
      LimitError,
    );

    expect(error.code).toBe("busy");
    expect(error.retryAt?.getTime()).toBe(time.now() + 14 * 60_000);
    expect(server.received).toEqual([]);
  });
});
