import { describe, expect, it } from "vitest";
import { answering } from "../http/server.ts";
import { account, png, serve } from "./wire.ts";

const imageUrl = "https://example.com/a.png";
/** `reset` is in Unix seconds. */
const headersOf = (limit: number, remaining: number, reset: number) => ({
  "X-RateLimit-Limit": `${limit}`,
  "X-Ratelimit-Remaining": `${remaining}`,
  "x-ratelimit-reset": `${reset}`,
});

/** A stand-in whose answers have these headers, in this order; `undefined` means none about the rate limit. */
async function serveRates(...answers: readonly (Record<string, string> | undefined)[]) {
  return serve((received, response, count) => {
    const headers = answers[count - 1] ?? {};
    if (received.url.pathname.endsWith("/account")) {
      return answering(200, account(5), headers)(received, response, count);
    }
    response.writeHead(200, { "content-type": "image/png", ...headers }).end(png);
  });
}

describe("the rate limit of a key", () => {
  it("is not known until an answer gives it", async () => {
    const { client } = await serveRates(undefined);

    const before = client().rateLimit();
    await client().removeBackground({ imageUrl });

    expect([before, client().rateLimit()]).toEqual([undefined, undefined]);
  });

  it("is what the last answer to any client of the key said, with the moment", async () => {
    const { client, time } = await serveRates(
      headersOf(500, 480, 1_000),
      headersOf(600, 599, 2_000),
    );

    await client({ tenant: "a" }).removeBackground({ imageUrl });
    const firstAt = time.now();
    const first = client({ tenant: "b" }).rateLimit();
    time.advance(90_000);
    await client({ tenant: "a" }).removeBackground({ imageUrl });

    expect(first).toEqual({
      limit: 500,
      remaining: 480,
      resetAt: new Date(1_000_000),
      seenAt: new Date(firstAt),
    });
    expect(client().rateLimit()).toEqual({
      limit: 600,
      remaining: 599,
      resetAt: new Date(2_000_000),
      seenAt: new Date(firstAt + 90_000),
    });
  });

  it("stays as it was, with its time, when later answers say nothing of it", async () => {
    const { client, time } = await serveRates(headersOf(500, 480, 1_000), undefined);
    await client().removeBackground({ imageUrl });
    const answers = client().rateLimit();
    time.advance(5_000);

    await client().removeBackground({ imageUrl });

    expect(client().rateLimit()).toEqual(answers);
  });

  it("takes the smaller rest of two answers of one minute, whichever came last", async () => {
    const { client } = await serveRates(headersOf(500, 470, 1_000), headersOf(500, 480, 1_000));

    await client().removeBackground({ imageUrl });
    await client().removeBackground({ imageUrl });

    expect(client().rateLimit()).toMatchObject({ remaining: 470 });
  });

  it("is read from the account's answer where that gives it", async () => {
    const { client } = await serveRates(headersOf(500, 12, 1_000));

    await client().account();

    expect(client().rateLimit()).toMatchObject({ limit: 500, remaining: 12 });
  });
});
