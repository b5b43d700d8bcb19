import { describe, expect, it } from "vitest";
import {
  createMetrics,
  type Metrics,
  type ObservedInteraction,
  type Readings,
} from "../../../src/web/index.ts";
import { type MetricsText, parseMetrics } from "../../support/metrics-text.ts";
import { seed, seeded } from "../../support/random.ts";

const answered: ObservedInteraction = {
  kind: "command",
  name: "playlists list",
  outcome: "answered",
  acknowledgedMs: 120,
  ms: 700,
  failure: undefined,
};

const readings: Readings = {
  hasGateway: true,
  discord: () => undefined,
  loads: {},
  store: async () => ({ isUp: true, ms: 1 }),
  storeWaitingMs: () => 0,
};

async function read(metrics: Metrics): Promise<MetricsText> {
  return parseMetrics((await metrics.render()).text);
}

function series(text: MetricsText): number {
  return text.samples.filter(({ name }) => name.startsWith("greenroom_")).length;
}

describe("createMetrics", () => {
  it("counts interactions by what was asked for and what became of it", async () => {
    const metrics = createMetrics({ version: "1.2.3" });

    metrics.interaction(answered);
    metrics.interaction(answered);
    metrics.interaction({
      ...answered,
      outcome: "failed",
      failure: { kind: "limit", code: "busy" },
    });
    const text = await read(metrics);

    const labels = { kind: "command", name: "playlists list" };
    const count = (outcome: string) =>
      text.value("greenroom_interactions_total", { ...labels, outcome });
    expect([count("answered"), count("failed")]).toEqual([2, 1]);
    expect(text.value("greenroom_failures_total", { kind: "limit", code: "busy" })).toBe(1);
  });

  it("keeps latencies in cumulative buckets whose last is the count", async () => {
    const metrics = createMetrics({ version: "1.2.3" });
    const random = seeded(seed);
    const times = Array.from({ length: 500 }, () => Math.floor(random() * 5_000));

    for (const ms of times) metrics.interaction({ ...answered, acknowledgedMs: ms, ms: ms * 2 });
    const text = await read(metrics);

    const buckets = text.samples.filter(
      ({ name }) => name === "greenroom_acknowledgement_seconds_bucket",
    );
    for (const { labels, value } of buckets) {
      const most = labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le) * 1000;
      expect(value, `seed ${seed}`).toBe(times.filter((ms) => ms <= most).length);
    }
    expect(buckets.at(-1)?.labels.le).toBe("+Inf");
    expect(text.value("greenroom_acknowledgement_seconds_count")).toBe(500);
    const sum = times.reduce((total, ms) => total + ms, 0) / 1000;
    expect(text.value("greenroom_acknowledgement_seconds_sum")).toBeCloseTo(sum, 6);
  });

  it("counts jobs by queue and state, and goes on where they can't be counted", async () => {
    const metrics = createMetrics({ version: "1.2.3" });
    const send = { queue: "send", waiting: 5, due: 2, running: 1, parked: 3 };
    metrics.watch({ ...readings, jobs: async () => [send] });
    const text = await read(metrics);
    metrics.watch({ ...readings, jobs: () => Promise.reject(new Error("away")) });
    const without = await read(metrics);

    const count = (state: string) => text.value("greenroom_jobs", { queue: "send", state });
    expect(["waiting", "due", "running", "parked"].map(count)).toEqual([5, 2, 1, 3]);
    expect(without.samples.some(({ name }) => name === "greenroom_jobs")).toBe(false);
    expect(without.value("greenroom_store_up")).toBe(1);
  });

  it("takes no time for an answer that nobody got", async () => {
    const metrics = createMetrics({ version: "1.2.3" });

    metrics.interaction({ ...answered, outcome: "expired", acknowledgedMs: undefined });
    const text = await read(metrics);

    expect(text.value("greenroom_acknowledgement_seconds_count")).toBe(0);
    expect(text.value("greenroom_interactions_total", { outcome: "expired" })).toBe(1);
  });

  it("keeps a sum from falling when the clock is set back", async () => {
    const metrics = createMetrics({ version: "1.2.3" });

    metrics.interaction({ ...answered, acknowledgedMs: -3_600_000, ms: -1 });
    const text = await read(metrics);

    expect(text.value("greenroom_answer_seconds_sum")).toBe(0);
    expect(text.value("greenroom_answer_seconds_count")).toBe(1);
  });

  it("puts what nobody declared under one label", async () => {
    const metrics = createMetrics({ version: "1.2.3" });

    for (let n = 0; n < 100; n += 1) metrics.interaction({ ...answered, name: undefined });
    const text = await read(metrics);

    expect(text.value("greenroom_interactions_total", { name: "unknown" })).toBe(100);
  });

  it("stays small under a flood of names, codes and services", async () => {
    const metrics = createMetrics({ version: "1.2.3" });

    for (let n = 0; n < 20_000; n += 1) {
      const letters = n
        .toString(26)
        .replaceAll(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");
      metrics.interaction({
        ...answered,
        name: `name ${letters}`,
        failure: { kind: "service", code: `code_${letters}` },
      });
      metrics.call({ method: `method.${letters}`, bucket: "units", spent: 1 });
      metrics.request({ service: letters, result: letters, attempts: 1, ms: 1 });
      metrics.refresh(letters);
      metrics.poll(letters);
      metrics.decision({ act: "failed", from: "card", answer: letters });
    }
    const text = await read(metrics);

    // At worst 500 names twice, and 300 codes with 20 services.
    expect(series(text)).toBeLessThan(3_000);
    expect(text.value("greenroom_interactions_total", { name: "other" })).toBeGreaterThan(19_000);
    const total = text.samples
      .filter(({ name }) => name === "greenroom_interactions_total")
      .reduce((sum, { value }) => sum + value, 0);
    expect(total).toBe(20_000);
  });

  it.each([
    "1499560987852800000",
    "a".repeat(61),
    'quote" 1\nevil_metric 1',
    "https://example.com/?key=AIzaSyExample",
    "<@1499560987852800000>",
    "",
  ])("takes %j for no name", async (name) => {
    const metrics = createMetrics({ version: "1.2.3" });

    metrics.interaction({ ...answered, name, failure: { kind: "bug", code: name } });
    const text = await read(metrics);

    expect(text.value("greenroom_interactions_total", { name: "other" })).toBe(1);
    expect(text.value("greenroom_failures_total", { code: "other" })).toBe(1);
  });

  it("counts units, searches and uploads by method", async () => {
    const metrics = createMetrics({ version: "1.2.3" });

    metrics.call({ method: "playlists.insert", bucket: "units", spent: 50 });
    metrics.call({ method: "playlists.insert", bucket: "units", spent: 50 });
    const text = await read(metrics);

    const labels = { bucket: "units", method: "playlists.insert" };
    expect(text.value("greenroom_video_calls_total", labels)).toBe(2);
    expect(text.value("greenroom_video_spent_total", labels)).toBe(100);
  });

  it("counts cut-outs, credits and refreshes", async () => {
    const metrics = createMetrics({ version: "1.2.3" });

    metrics.cutout(0.25);
    metrics.cutout(1);
    metrics.refresh("renewed");
    metrics.refresh("invalid_grant");
    const text = await read(metrics);

    expect(text.value("greenroom_cutouts_total")).toBe(2);
    expect(text.value("greenroom_image_credits_total")).toBe(1.25);
    expect(text.value("greenroom_token_refreshes_total", { outcome: "invalid_grant" })).toBe(1);
  });

  it("counts polls and decisions by their outcome", async () => {
    const metrics = createMetrics({ version: "1.2.3" });

    for (const outcome of ["done", "done", "quota_exceeded"]) metrics.poll(outcome);
    metrics.decision({ act: "approved", from: "card", answer: "done" });
    metrics.decision({ act: "failed", from: "digest", answer: "comment_gone" });
    const text = await read(metrics);

    expect(text.value("greenroom_comment_polls_total", { outcome: "done" })).toBe(2);
    expect(text.value("greenroom_comment_polls_total", { outcome: "quota_exceeded" })).toBe(1);
    const failed = { act: "failed", from: "digest", answer: "comment_gone" };
    expect(text.value("greenroom_comment_decisions_total", failed)).toBe(1);
    expect(text.value("greenroom_comment_decisions_total", { act: "approved" })).toBe(1);
  });

  it("shows how the gateway, the queues and the store are at that moment", async () => {
    const metrics = createMetrics({ version: "1.2.3" });
    let waiting = 3;
    metrics.watch({
      hasGateway: true,
      discord: () => ({ isConnected: true, pingMs: 42, guilds: 7, isHeld: false }),
      loads: { cutouts: () => ({ waiting, running: 2 }) },
      store: async () => ({ isUp: false, ms: 2_000 }),
      storeWaitingMs: () => 1_500,
    });

    await metrics.render();
    waiting = 0;
    const text = await read(metrics);

    expect(text.value("greenroom_gateway_connected")).toBe(1);
    expect(text.value("greenroom_gateway_ping_seconds")).toBe(0.042);
    expect(text.value("greenroom_guilds")).toBe(7);
    expect(text.value("greenroom_queue_length", { queue: "cutouts" })).toBe(0);
    expect(text.value("greenroom_under_way", { queue: "cutouts" })).toBe(2);
    expect(text.value("greenroom_store_up")).toBe(0);
    expect(text.value("greenroom_store_ping_seconds")).toBe(2);
    expect(text.value("greenroom_store_waiting_seconds")).toBe(1.5);
  });

  it("says that the gateway is not connected while there is none", async () => {
    const metrics = createMetrics({ version: "1.2.3" });
    metrics.watch(readings);

    const text = await read(metrics);

    const gateway = { name: "greenroom_gateway_connected", labels: {}, value: 0 };
    expect(text.samples).toContainEqual(gateway);
    expect(text.samples.map(({ name }) => name)).not.toContain("greenroom_guilds");
  });

  it("shows no gateway where interactions come over HTTP, and counts what came", async () => {
    const metrics = createMetrics({ version: "1.2.3" });
    const discord = { isConnected: true, pingMs: undefined, guilds: undefined, isHeld: true };
    metrics.watch({ ...readings, hasGateway: false, discord: () => discord });
    metrics.discordRequest("answered");
    metrics.discordRequest("wrong_signature");
    metrics.discordRequest("wrong_signature");

    const text = await read(metrics);

    const names = text.samples.map(({ name }) => name);
    expect(names).not.toContain("greenroom_gateway_connected");
    expect(names).not.toContain("greenroom_guilds");
    expect(text.value("greenroom_gateway_held")).toBe(1);
    const refused = { result: "wrong_signature" };
    expect(text.value("greenroom_discord_requests_total", refused)).toBe(2);
  });

  it("reports the process itself, and two in one process do not share values", async () => {
    const [one, other] = [createMetrics({ version: "1" }), createMetrics({ version: "2" })];

    one.interaction(answered);
    const [first, second] = [await read(one), await read(other)];

    for (const name of [
      "process_resident_memory_bytes",
      "process_cpu_seconds_total",
      "nodejs_heap_size_used_bytes",
    ]) {
      expect(first.samples.map((sample) => sample.name)).toContain(name);
    }
    expect(second.value("greenroom_interactions_total")).toBe(0);
    expect(second.value("greenroom_build_info", { version: "2", node: process.version })).toBe(1);
  });
});
