import { isDeepStrictEqual } from "node:util";
import { youtube } from "@googleapis/youtube";
import { Pool } from "undici";
import { createHttp } from "../../src/http/index.ts";
import { createVideoClient } from "../../src/video/index.ts";
import { createPeer } from "./peer.ts";
import type { BenchRow, BenchRows } from "./row.ts";
import { type Service, startService } from "./service.ts";

const warmUp = 1_500;
const levels = [
  { suffix: "", concurrency: 1, rounds: 21, calls: 400 },
  { suffix: ".50", concurrency: 50, rounds: 11, calls: 2_000 },
] as const;

/**
 * CPU of one videos.list compared with the same request by others, one at a time (`client.undici`) and 50 at once
 * (`client.undici.50`). All of them ask the same server in another process for the same address, get the same bytes
 * uncompressed over connections that stay open, and parse the JSON.
 */
export const rows: BenchRows = {
  "client.undici": () => beside("client.undici", bareUndici, 1.3),
  "client.googleapis": () => beside("client.googleapis", googlePackage, 0.45),
};

/** One way to make the call. */
interface Caller {
  call(): Promise<unknown>;
  close(): Promise<unknown>;
}

const part = ["snippet", "contentDetails", "statistics"];
const key = "AIzaSy-bench-key-of-39-characters-xxxxx";

function ours({ url }: Service): Caller {
  const http = createHttp();
  const client = createVideoClient({ baseUrl: `${url}/youtube/v3`, key, http });
  const params = {
    part: ["snippet", "contentDetails", "statistics"],
    chart: "mostPopular",
    maxResults: 5,
  } as const;
  return { call: () => client.call("videos.list", params), close: () => http.close() };
}

function bareUndici({ url }: Service): Caller {
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  const query = `part=contentDetails,snippet,statistics&chart=mostPopular&maxResults=5&key=${key}`;
  const request = {
    method: "GET",
    path: `/youtube/v3/videos?${query}`,
    headers: { accept: "application/json" },
  } as const;
  return {
    call: async () => (await pool.request(request)).body.json(),
    close: () => pool.close(),
  };
}

function googlePackage({ url }: Service): Caller {
  const client = youtube({ version: "v3", auth: key, rootUrl: `${url}/` });
  const params = { part, chart: "mostPopular", maxResults: 5 };
  return {
    call: async () => (await client.videos.list(params)).data,
    close: async () => undefined,
  };
}

async function beside(
  name: string,
  open: (service: Service) => Caller,
  goal: number,
): Promise<readonly BenchRow[]> {
  const service = await startService("client-service");
  const own = ours(service);
  const other = open(service);
  try {
    const peer = createPeer();
    const isThere = (await peer.measure(() => other.call())) !== undefined;
    if (isThere) await assertSame(own, other);
    const found: BenchRow[] = [];
    for (const level of levels) {
      const value = isThere ? await ratio(own, other, level) : Number.NaN;
      const row = { name: `${name}${level.suffix}`, value, unit: "ratio", peer: 1 };
      found.push({ ...row, goal, ok: value <= goal });
    }
    return peer.rows(found);
  } finally {
    await own.close();
    await other.close();
    await service.stop();
  }
}

async function assertSame(own: Caller, other: Caller): Promise<void> {
  const [a, b] = await Promise.all([own.call(), other.call()]);
  if (!isDeepStrictEqual(a, b)) throw new Error("the two got different answers");
}

type Level = (typeof levels)[number];

/**
 * The median of the rounds' ratios: within a round both run in the same second, so that a busy machine slows both
 * alike.
 */
async function ratio(own: Caller, other: Caller, level: Level): Promise<number> {
  for (const caller of [own, other]) await cpuOf(caller, { ...level, calls: warmUp });
  const ratios: number[] = [];
  for (let round = 0; round < level.rounds; round += 1) {
    const turn = round % 2 === 0 ? [own, other] : [other, own];
    const costs = new Map<Caller, number>();
    for (const caller of turn) costs.set(caller, await cpuOf(caller, level));
    ratios.push((costs.get(own) ?? Number.NaN) / (costs.get(other) ?? Number.NaN));
  }
  return ratios.sort((a, b) => a - b)[Math.floor(level.rounds / 2)] ?? Number.NaN;
}

/** CPU of this process for one call, user and system, in microseconds. */
async function cpuOf(
  { call }: Caller,
  { concurrency, calls }: { readonly concurrency: number; readonly calls: number },
): Promise<number> {
  let left = calls;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
