import { type ChildProcess, fork } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { verifyKey } from "discord-interactions";
import { isSignedBy, publicKeyFrom } from "../../src/web/endpoint/signature.ts";
import type { BenchRows } from "./row.ts";

const perSecond = 1_000;
const seconds = 8;
const connections = 16;
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const publicHex = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
/** As long as a command of a person who has some roles. */
const body = JSON.stringify({
  type: 2,
  id: "1",
  token: "t".repeat(1_500),
  data: { name: "search" },
});

/**
 * Signed interactions, a thousand a second over connections that stay open. The floor is the least that can answer:
 * Node's server, the check of the signature, and the JSON. `endpoint.verify` is the check alone, compared with
 * Discord's own library.
 */
export const rows: BenchRows = {
  "endpoint.verify": async () => {
    const signed = signedRequest();
    const key = publicKeyFrom(publicHex);
    const value = await cpuOf(() => isSignedBy(key, { ...signed, body: Buffer.from(body) }));
    const { signature, timestamp } = signed;
    const peer = await cpuOf(() => verifyKey(body, signature, timestamp, publicHex));
    return [{ name: "endpoint.verify", value, peer, unit: "us", goal: null, ok: value <= peer }];
  },
  "endpoint.cpu": async () => {
    const floor = await measure("floor");
    const ours = await measure("ours");
    const goal = floor.cpuUs * 1.3;
    return [
      {
        name: "endpoint.cpu",
        unit: "us",
        value: ours.cpuUs,
        floor: floor.cpuUs,
        goal,
        ok: ours.cpuUs <= goal && ours.refused === 0,
      },
      {
        name: "endpoint.ack",
        unit: "ms p99",
        value: ours.p99Ms,
        floor: floor.p99Ms,
        goal: 50,
        ok: ours.p99Ms <= 50,
      },
    ];
  },
};

function signedRequest() {
  const timestamp = `${Math.floor(Date.now() / 1_000)}`;
  const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString("hex");
  return { signature, timestamp };
}

async function cpuOf(work: () => unknown): Promise<number> {
  const count = 3_000;
  for (let n = 0; n < 500; n += 1) await work();
  const before = process.cpuUsage();
  for (let n = 0; n < count; n += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

async function measure(which: "ours" | "floor") {
  const file = join(import.meta.dirname, "endpoint-server.ts");
  const child = fork(file, [publicHex, which]);
  try {
    const [port] = (await once(child, "message")) as [number];
    return await load(child, port);
  } finally {
    child.kill();
  }
}

async function load(child: ChildProcess, port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  let refused = 0;
  const post = async (signed: ReturnType<typeof signedRequest>) => {
    const startedAt = performance.now();
    if ((await postOnce(agent, port, signed)) !== 200) refused += 1;
    latencies.push(performance.now() - startedAt);
  };
  await steadily(2 * perSecond, post);
  latencies.length = 0;
  child.send("begin");
  await steadily(seconds * perSecond, post);
  child.send("end");
  const [{ user, system }] = (await once(child, "message")) as [NodeJS.CpuUsage];
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const p99Ms = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
  return { cpuUs: (user + system) / latencies.length, p99Ms, refused };
}

/** Sends at the same pace however slow the answers are. */
async function steadily(
  count: number,
  post: (signed: ReturnType<typeof signedRequest>) => Promise<void>,
): Promise<void> {
  const signed = signedRequest();
  const posted: Promise<void>[] = [];
  const startedAt = performance.now();
  while (posted.length < count) {
    const due = Math.min(count, ((performance.now() - startedAt) / 1_000) * perSecond);
    while (posted.length < due) posted.push(post(signed));
    await wait(2);
  }
  await Promise.all(posted);
}

function postOnce(agent: Agent, port: number, signed: ReturnType<typeof signedRequest>) {
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "X-Forwarded-For": "203.0.113.7",
    "X-Signature-Ed25519": signed.signature,
    "X-Signature-Timestamp": signed.timestamp,
  };
  const asked = { host: "127.0.0.1", port, path: "/discord/interactions", method: "POST" };
  return new Promise<number>((resolve, reject) => {
    const sent = request({ ...asked, headers, agent }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject).end(body);
  });
}
