import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HubServer, startHub } from "../../../src/sandbox/hub/index.ts";
import { serve, type TestServer } from "../../support/server.ts";

const channelId = `UC${"a".repeat(22)}`;
const topic = `https://www.youtube.com/xml/feeds/videos.xml?channel_id=${channelId}`;
const entry = {
  videoId: "abcdefghijk",
  channelId,
  channelTitle: "C",
  title: "<T>",
  publishedAt: 0,
};

let hub: HubServer;
let subscriber: TestServer;
let now = 0;
let answer: { status: number; echoes: boolean };
const asked: (string | null)[][] = [];
const heard: { headers: IncomingMessage["headers"]; body: string }[] = [];

beforeEach(async () => {
  now = 1_000;
  answer = { status: 200, echoes: true };
  heard.length = 0;
  hub = await startHub({ now: () => now, random: () => 0.5 });
  subscriber = await serve((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method === "POST") {
        heard.push({ headers: request.headers, body: `${Buffer.concat(chunks)}` });
      }
      const named = ["hub.mode", "hub.topic", "hub.reason"].map((name) =>
        url.searchParams.get(name),
      );
      if (request.method === "GET") asked.push(named);
      response.statusCode = answer.status;
      response.end(answer.echoes ? url.searchParams.get("hub.challenge") : "no");
    });
  });
});
afterEach(() => Promise.all([hub.close(), subscriber.close()]));

async function subscribe(change: Record<string, string> = {}) {
  const form = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.topic": topic,
    "hub.callback": `${subscriber.url}/cb`,
    "hub.secret": "s3cret",
    "hub.lease_seconds": "60",
    ...change,
  });
  const { status } = await fetch(hub.url, { method: "POST", body: form });
  await hub.settled();
  return status;
}

describe("the hub", () => {
  it("believes a subscription when its challenge comes back", async () => {
    expect(await subscribe()).toBe(202);

    expect(hub.subscriptions).toMatchObject([{ topic, until: 61_000 }]);
  });

  it.each([
    ["another answer", { status: 200, echoes: false }],
    ["a refusal", { status: 404, echoes: true }],
  ])("does not believe %s", async (_, given) => {
    answer = given;

    expect(await subscribe()).toBe(202);
    expect(hub.subscriptions).toEqual([]);
  });

  it.each([
    ["hub.mode", "x"],
    ["hub.topic", "https://example.com/feed"],
    ["hub.callback", "nowhere"],
    ["hub.secret", "x".repeat(200)],
  ])("refuses a wrong %s", async (name, value) => {
    expect(await subscribe({ [name]: value })).toBe(400);
  });

  it("shortens, refuses or denies a lease that is too long, as configured", async () => {
    hub.lease({ longestS: 30 });
    const shortened = [await subscribe(), hub.subscriptions[0]?.until];
    hub.lease({ longestS: 30, beyond: "refused" });
    const refused = [await subscribe(), await subscribe({ "hub.lease_seconds": "30" })];
    hub.lease({ longestS: 30, beyond: "denied" });
    const denied = await subscribe();

    expect(shortened).toEqual([202, 31_000]);
    expect(refused).toEqual([400, 202]);
    expect(denied).toBe(202);
    expect(asked.at(-1)).toEqual(["denied", topic, "The lease is too long"]);
    expect(hub.leasesAsked).toEqual([60, 60, 30, 60]);
  });

  it("signs its notifications, and repeats those that were not accepted", async () => {
    await subscribe();
    answer = { status: 500, echoes: true };

    const statuses = await hub.publish(entry);

    expect(statuses).toEqual([503]);
    expect(heard).toHaveLength(3);
    const [{ headers, body } = { headers: {}, body: "" }] = heard;
    const digest = createHmac("sha1", "s3cret").update(body).digest("hex");
    expect(headers["x-hub-signature"]).toBe(`sha1=${digest}`);
    expect(body).toContain("<yt:videoId>abcdefghijk</yt:videoId>");
    expect(body).toContain("<title>&lt;T&gt;</title>");
  });

  it("notifies nobody whose lease is over, and ends a subscription that is answered with 410", async () => {
    await subscribe();
    answer = { status: 410, echoes: true };
    await hub.publish(entry);
    const ended = hub.subscriptions.length;
    answer = { status: 200, echoes: true };
    await subscribe();
    now += 61_000;

    expect(ended).toBe(0);
    expect(await hub.publish(entry)).toEqual([]);
  });

  it("holds what is published, and sends it as often as is said", async () => {
    await subscribe();
    hub.hold();
    await hub.publish(entry, { times: 2 });
    const before = heard.length;

    await hub.release();

    expect([before, heard.length]).toEqual([0, 2]);
  });
});
