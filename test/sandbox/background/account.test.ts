import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type BackgroundOptions,
  type BackgroundServer,
  backgroundFaults,
  startBackground,
} from "../../../src/sandbox/background/index.ts";
import { complaintsOf, post, twoHalves } from "../../support/removing.ts";

const open: BackgroundServer[] = [];
/** A stand-in without limits that remembers the results it made. */
let unlimited: BackgroundServer;
/** More pixels than a preview has. */
let large: Buffer;
let small: Buffer;

beforeAll(async () => {
  const endless = Number.POSITIVE_INFINITY;
  const limits = { credits: endless, megapixelsPerMinute: endless };
  unlimited = await start({ ...limits, remembers: true });
  [large, small] = await Promise.all([twoHalves(600, 500), twoHalves(32, 24)]);
});

async function start(options: BackgroundOptions): Promise<BackgroundServer> {
  const server = await startBackground({ matting: "ellipse", ...options });
  open.push(server);
  return server;
}

afterAll(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function account(server: BackgroundServer): Promise<unknown> {
  const response = await fetch(`${server.url}/account`, { headers: { "X-Api-Key": server.key } });
  const names = [...response.headers.keys()];
  expect(names.filter((name) => /ratelimit|credits/.test(name))).toEqual([]);
  return ((await response.json()) as { data: { attributes: unknown } }).data.attributes;
}

const remove = (server: BackgroundServer, size: string, image = large): Promise<Response> =>
  post(server, "removebg", { image, fields: { size } });

const charged = ({ headers }: Response): string | null => headers.get("x-credits-charged");

describe("GET /account", () => {
  it("shows credits that run down, the subscription's first, and free calls", async () => {
    const server = await start({ credits: 11, freeCalls: 1 });
    const costs: (string | null)[] = [];
    const seen: unknown[] = [await account(server)];
    for (const size of ["preview", "preview", "full", "auto"]) {
      costs.push(charged(await remove(server, size)));
      seen.push(await account(server));
    }
    const left = (subscription: number, payg: number, free_calls: number) => ({
      credits: { total: subscription + payg, subscription, payg, enterprise: 0 },
      api: { free_calls, sizes: "all" },
    });

    expect(costs).toEqual(["0", "0.25", "1", "1"]);
    expect(seen).toEqual([
      left(1, 10, 1),
      left(1, 10, 0),
      left(0.75, 10, 0),
      left(0, 9.75, 0),
      left(0, 8.75, 0),
    ]);
  });

  it("charges nothing, shows plenty of credits and gives no rate when all is unlimited", async () => {
    const response = await remove(unlimited, "full", small);
    const names = [...response.headers.keys()];

    expect(charged(response)).toBe("0");
    expect(await account(unlimited)).toMatchObject({ credits: { total: 1_000_000 } });
    expect(names.filter((name) => name.includes("ratelimit"))).toEqual([]);
  });
});

describe("POST /removebg", () => {
  it("answers 402 when the credits are gone, and size auto makes a preview before that", async () => {
    const server = await start({ credits: 0.25 });
    const full = await remove(server, "full", small);
    const auto = await remove(server, "auto");
    const last = await remove(server, "preview", small);

    expect(await complaintsOf(full)).toEqual([402, "Insufficient credits"]);
    expect([auto.status, charged(auto)]).toEqual([200, "0.25"]);
    expect(Number(auto.headers.get("x-width")) * Number(auto.headers.get("x-height"))).toBeLessThan(
      250_000,
    );
    expect(await complaintsOf(last)).toEqual([402, "Insufficient credits"]);
  });

  it("answers 503 beyond 64 orders at once, and serves the others", async () => {
    const server = await start({ credits: 1000 });
    const answers = await Promise.all(
      Array.from({ length: 80 }, () => remove(server, "preview", small)),
    );
    const busy = answers.filter(({ status }) => status === 503);

    // The worker needs time to start, so more than 64 orders wait at once.
    expect(busy.length).toBeGreaterThan(0);
    expect(busy.every(({ headers }) => headers.get("retry-after") === "5")).toBe(true);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(80 - busy.length);
  });

  it("gives the same file again, made once, when it is to remember", async () => {
    const ask = async (format: string) => {
      const fields = { size: "full", format };
      return Buffer.from(
        await (await post(unlimited, "removebg", { image: small, fields })).bytes(),
      );
    };
    const first = await ask("webp");
    const again = await ask("webp");
    const other = await ask("jpg");

    expect(again.equals(first)).toBe(true);
    expect(other.equals(first)).toBe(false);
  });
});

describe("with two megapixels a minute", () => {
  let server: BackgroundServer;
  let time = 1_000_000_000;
  beforeAll(async () => {
    server = await start({ megapixelsPerMinute: 2, now: () => time });
  });
  beforeEach(() => {
    time += 60_000;
  });

  it("counts them down and answers 429 when a minute's are used up", async () => {
    const startedAt = time;
    const calls: Response[] = [];
    for (let i = 0; i < 3; i++) calls.push(await remove(server, "preview", small));
    time += 60_000;
    const later = await remove(server, "preview", small);
    const refused = calls[2] ?? later;
    const header = (response: Response, name: string) =>
      response.headers.get(`x-ratelimit-${name}`);

    expect(calls.map((call) => header(call, "remaining"))).toEqual(["1", "0", null]);
    expect(calls.map((call) => header(call, "limit"))).toEqual(["2", "2", null]);
    expect(header(calls[0] ?? later, "reset")).toBe(`${startedAt / 1000 + 60}`);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(await complaintsOf(refused)).toEqual([429, "Rate limit exceeded"]);
    expect([later.status, header(later, "remaining")]).toEqual([200, "1"]);
  });

  it.each([
    ["rateLimited", backgroundFaults.rateLimited(7), [429, "Rate limit exceeded"], "7"],
    ["rateLimited", backgroundFaults.rateLimited(), [429, "Rate limit exceeded"], null],
    ["creditsGone", backgroundFaults.creditsGone(), [402, "Insufficient credits"], null],
    ["keyRefused", backgroundFaults.keyRefused(), [403, "auth_failed"], null],
    ["unavailable", backgroundFaults.unavailable(), [503, "Service unavailable"], null],
  ])("has %s come once, and then all is well", async (_, fault, expected, retryAfter) => {
    server.faults.add(fault);
    const first = await remove(server, "preview", small);
    const second = await remove(server, "preview", small);

    expect(first.headers.get("retry-after")).toBe(retryAfter);
    expect(await complaintsOf(first)).toEqual(expected);
    expect(second.status).toBe(200);
  });

  it("has badGateway come as HTML", async () => {
    server.faults.add(backgroundFaults.badGateway());
    const response = await remove(server, "preview", small);

    expect([response.status, response.headers.get("content-type")]).toEqual([502, "text/html"]);
  });

  it("leaves room for cuts and slow answers of the faults themselves", async () => {
    const before = (await account(server)) as { credits: { total: number } };
    server.faults.add({ kind: "cut-after", path: /removebg/, times: 1 });
    server.faults.add({ kind: "slow", path: /removebg/, dropBytes: 4096, delayMs: 1, times: 1 });
    const cut = await remove(server, "full", small).catch(() => "cut");
    const slow = await remove(server, "full");

    expect(cut).toBe("cut");
    expect((await slow.bytes()).length).toBe(Number(slow.headers.get("content-length")));
    expect(charged(slow)).toBe("1");
    expect(await account(server)).toMatchObject({ credits: { total: before.credits.total - 2 } });
  });
});
