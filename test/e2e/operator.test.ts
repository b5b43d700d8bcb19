import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseMetrics } from "../support/metrics-text.ts";
import { asMessage, openStage, photo, type Stage } from "../support/stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

async function scrape() {
  const response = await fetch(`${stage.sandbox.health.url}/metrics`);
  return { response, text: await response.text() };
}

describe("the metrics of a bot at work", () => {
  it("say what people did, and how it ended", async () => {
    const { sandbox } = stage;
    const [owner, member] = [sandbox.user("owner"), sandbox.user("member")];
    const before = parseMetrics((await scrape()).text);

    const found = asMessage(await member.command("search", { query: "garden" }));
    await member.click(found, "Next").catch(() => undefined);
    await member.suggest("videos show", "video", "a");
    await member.command("playlists create", { title: "Not allowed" });
    await owner.command("members levels");
    await owner.command("background remove", { image: await photo("cat"), size: "preview" });
    sandbox.video.faults.add({ kind: "cut-before", path: /regions/i, times: 2 });
    await owner.command("regions countries").catch(() => undefined);
    const { text, response } = await scrape();
    const after = parseMetrics(text);

    const rise = (name: string, labels: Readonly<Record<string, string>> = {}) =>
      after.value(name, labels) - before.value(name, labels);
    const of = (kind: string, name: string, outcome: string) =>
      rise("greenroom_interactions_total", { kind, name, outcome });
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(of("command", "search", "answered")).toBe(1);
    expect(of("command", "background remove", "answered")).toBe(1);
    expect(of("suggestion", "videos show", "answered")).toBe(1);
    expect(of("command", "playlists create", "failed")).toBe(1);
    expect(rise("greenroom_failures_total", { kind: "access", code: "rank_too_low" })).toBe(1);
    expect(rise("greenroom_video_spent_total", { bucket: "searches" })).toBe(1);
    expect(rise("greenroom_cutouts_total")).toBe(1);
    expect(rise("greenroom_image_credits_total")).toBe(0.25);
    expect(rise("greenroom_upstream_requests_total", { service: "images", result: "2xx" })).toBe(1);
    expect(rise("greenroom_upstream_requests_total", { service: "attachments" })).toBe(1);
    expect(after.value("greenroom_token_refreshes_total", { outcome: "renewed" })).toBe(1);
    expect(after.value("greenroom_gateway_connected")).toBe(1);
    expect(after.value("greenroom_guilds")).toBe(1);
    expect(after.value("greenroom_store_up")).toBe(1);
  });

  it("count in their histograms whatever was acknowledged", async () => {
    const { samples } = parseMetrics((await scrape()).text);

    const sum = (name: string) =>
      samples.filter((each) => each.name === name).reduce((all, { value }) => all + value, 0);
    const counts = sum("greenroom_acknowledgement_seconds_count");
    expect(counts).toBe(sum("greenroom_interactions_total"));
    expect(counts).toBe(sum("greenroom_answer_seconds_count"));
    const whole = samples.filter(({ labels }) => labels.le === "+Inf");
    for (const { name, labels, value } of whole) {
      const { le: _, ...rest } = labels;
      const count = samples.find(
        (each) =>
          each.name === name.replace(/_bucket$/, "_count") &&
          JSON.stringify(each.labels) === JSON.stringify(rest),
      );
      expect(count?.value).toBe(value);
    }
  });

  it("hold no id, no name of anybody, and no secret", async () => {
    const { platform, video, background, oauth } = stage.sandbox;

    const { text } = await scrape();
    const labels = parseMetrics(text).samples.flatMap((each) => Object.values(each.labels));

    // Sums and sizes are long numbers too, but an id could only be in a label.
    expect(labels.filter((label) => /\d{6}/.test(label))).toEqual([]);
    const names = JSON.stringify(
      stage.sandbox
        .user("owner")
        .messages()
        .map(({ author }) => author),
    );
    expect(names).not.toBe("[]");
    for (const { username, global_name: shown } of JSON.parse(names)) {
      for (const name of [username, shown]) if (name) expect(text).not.toContain(`"${name}"`);
    }
    for (const secret of [
      platform.token,
      platform.clientSecret,
      video.key,
      background.key,
      oauth.clientSecret,
    ]) {
      expect(secret.length).toBeGreaterThan(5);
      expect(text).not.toContain(secret);
    }
  });

  it("have no more than some hundred series", async () => {
    const { samples } = parseMetrics((await scrape()).text);

    expect(samples.filter(({ name }) => name.startsWith("greenroom_")).length).toBeLessThan(500);
  });
});

describe("readiness", () => {
  it("is given while the gateway is connected, and taken while it is not", async () => {
    const { platform, health } = stage.sandbox;
    const ready = async () => {
      const response = await fetch(`${health.url}/readyz`);
      return { status: response.status, ...((await response.json()) as { parts: object }) };
    };
    const first = await ready();

    platform.gateway.drop();
    const seen = [];
    for (let tries = 0; tries < 200; tries += 1) {
      seen.push(await ready());
      if (seen.at(-1)?.status === 200 && seen.some(({ status }) => status === 503)) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }

    expect(first).toMatchObject({ status: 200, parts: { gateway: true, store: true } });
    expect(seen).toContainEqual(
      expect.objectContaining({ status: 503, parts: { gateway: false, store: true } }),
    );
    expect(seen.at(-1)).toMatchObject({ status: 200 });
  });

  it("ends before the work does, while the process still says that it lives", async () => {
    const other = await openStage();
    const { url } = other.sandbox.health;
    other.sandbox.video.faults.add({ kind: "delay", delayMs: 3_000, path: /search/ });
    const working = other.sandbox.user("owner").command("search", { query: "late" });
    await expect
      .poll(() => other.videoRequests.map(({ method }) => method))
      .toContain("search.list");

    const closing = other.close();
    const [ready, alive] = await Promise.all([fetch(`${url}/readyz`), fetch(`${url}/healthz`)]);
    await Promise.all([working, closing]);

    expect([ready.status, alive.status]).toEqual([503, 200]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});
