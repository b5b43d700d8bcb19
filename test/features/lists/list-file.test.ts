import { describe, expect, it } from "vitest";
import { fetchBytes, textOf } from "../../support/stage.ts";
import { expectText, useStage } from "../../support/use-stage.ts";

const { stage, member, until } = useStage();

/** A video with that many visitors' comments of 3,000 characters each. */
function discussed(count: number): string {
  const { video } = stage.sandbox;
  const { videoId } = video.addComment({ text: "x".repeat(3_000) });
  for (let n = 1; n < count; n += 1) video.addComment({ text: "x".repeat(3_000), videoId });
  return videoId;
}

describe("a list as a file", () => {
  it("ends at a whole entry where a message can carry no more, and says so", async () => {
    const video = discussed(250);
    stage.sandbox.platform.setAttachmentLimit(500_000);
    const before = stage.videoRequests.length;

    const message = await member.run("comments list", { video, output: "json" });

    const bytes = await fetchBytes(message.attachments[0]?.url ?? "");
    const { length } = JSON.parse(`${bytes}`) as readonly unknown[];
    expect(bytes.length).toBeLessThanOrEqual(500_000);
    expect(length).toBeGreaterThan(100);
    expect(textOf(message)).toContain(`The file has the first ${length} of 25`);
    expect(textOf(message)).toContain("up to 488 kB");
    const pages = stage.videoRequests
      .slice(before)
      .filter(({ method }) => method === "commentThreads.list");
    expect(pages).toHaveLength(2);
  });

  it("waits while its person has eight, and its turn comes nearer when one of them is cancelled", async () => {
    const video = discussed(250);
    const delay = { kind: "delay", path: /pageToken=/u, delayMs: 60_000, times: 9 } as const;
    stage.sandbox.video.faults.add(delay);
    const saying = (said: RegExp) => member.messages().filter((m) => said.test(textOf(m)));
    const eight = () => {
      const running = saying(/100 entries so far/u);
      return running.length === 8 ? running : undefined;
    };

    const all = Array.from({ length: 10 }, () =>
      member.run("comments list", { video, output: "json" }),
    );
    const last = await until(() => saying(/In the queue: 1 file ahead of yours/u)[0]);
    const running = await until(eight);
    await member.click(running[0] ?? expect.unreachable(), "Cancel");
    const next = await until(() => saying(/Next in the queue/u)[0]);
    for (const one of await until(eight)) await member.click(one, "Cancel");
    await Promise.all(all);

    expect(next.id).toBe(last.id);
  });

  it("of a search takes no search for what was read before", async () => {
    const shown = await member.run("search", { query: "the", type: "video" });
    const { quota } = stage.sandbox.video;
    const first = quota.spent("searches");
    const csv = await member.click(shown, "CSV");
    const both = quota.spent("searches");
    const json = await member.click(shown, "JSON");

    expect(both - first).toBe(3);
    expect(quota.spent("searches")).toBe(both);
    expectText(csv, "200 entries", /\b3 searches ·/u);
    expectText(json, "200 entries", /\b0 searches ·/u);
  });
});
