import { describe, expect, it } from "vitest";
import { ConnectError, ServiceError } from "../../../src/errors.ts";
import type { WatchFailureFacts } from "../../../src/moderation/index.ts";
import { channelClosed } from "../support/recorded-messages.ts";
import { ann, guildId, hour, minute, openProcess, openRig, type Rig } from "../support/rig.ts";

const over = new ConnectError("over", { code: "invalid_grant" });
const missing = new ConnectError("missing", { code: "channel_missing" });

const said = (rig: Rig, name: "watch-trouble" | "watch-well" = "watch-trouble") =>
  rig.discord.of(name).map(({ message }) => (message.facts as WatchFailureFacts).code);

async function watching() {
  const { rig, process } = await openProcess();
  const watch = await process.watch();
  await rig.clock.pass(5 * minute);
  return { rig, process, watch };
}

describe("a failure", () => {
  it("of a broken link is said once, and once that it is well again", async () => {
    const { rig } = await watching();

    rig.linkError = over;
    await rig.clock.pass(3 * hour);
    const meanwhile = said(rig);
    const asked = rig.asked.length;
    rig.linkError = undefined;
    rig.hold("Waited");
    await rig.clock.pass(4 * minute);

    expect(meanwhile).toEqual(["link_broken"]);
    expect(said(rig)).toEqual(["link_broken"]);
    expect(said(rig, "watch-well")).toEqual(["link_broken"]);
    expect(rig.asked.length).toBeGreaterThan(asked);
    expect(rig.discord.of("held-card")).toHaveLength(1);
  });

  it("is said once over restarts", async () => {
    const { rig, process } = await watching();
    rig.linkError = missing;
    await rig.clock.pass(10 * minute);
    process.fence.kill();
    const second = rig.process();
    await rig.clock.pass(hour);
    second.fence.kill();

    rig.linkError = undefined;
    rig.process();
    await rig.clock.pass(hour);

    expect(said(rig)).toEqual(["link_missing"]);
    expect(said(rig, "watch-well")).toEqual(["link_missing"]);
  });

  it("is said once by two processes", async () => {
    const { rig } = await watching();
    rig.process();

    rig.linkError = over;
    await rig.clock.pass(2 * hour);
    rig.linkError = undefined;
    await rig.clock.pass(2 * hour);

    expect(said(rig)).toEqual(["link_broken"]);
    expect(said(rig, "watch-well")).toEqual(["link_broken"]);
  });

  it("is said once in a forum, too", async () => {
    const rig = await openRig();
    await rig.process().watch({ isForum: true });

    rig.linkError = over;
    await rig.clock.pass(2 * hour);
    rig.linkError = undefined;
    await rig.clock.pass(10 * minute);

    expect(rig.discord.messages.map(({ message }) => [message.name, message.isForum])).toEqual([
      ["watch-trouble", true],
      ["watch-well", true],
    ]);
  });

  it("of YouTube is said only when it lasts, and passes unsaid when it does not", async () => {
    const { rig } = await watching();

    rig.video.faults.add({ kind: "answer", status: 404, times: 2 });
    await rig.clock.pass(10 * minute);
    const short = [...rig.discord.messages];
    rig.video.faults.add({ kind: "answer", status: 404 });
    await rig.clock.pass(30 * minute);
    const long = said(rig);
    rig.video.faults.clear();
    await rig.clock.pass(15 * minute);

    expect(short).toEqual([]);
    expect(long).toEqual(["service_failing"]);
    expect(said(rig, "watch-well")).toEqual(["service_failing"]);
  });

  it("asks less and less often while it lasts", async () => {
    const { rig } = await watching();
    rig.video.faults.add({ kind: "answer", status: 404 });
    const before = rig.asked.length;

    await rig.clock.pass(3 * hour);

    const asked = rig.asked.length - before;
    expect(asked).toBeGreaterThan(15);
    expect(asked).toBeLessThan(35);
  });

  it("of comments that are off has its own code", async () => {
    const { rig } = await watching();
    const body = JSON.stringify({
      error: { code: 403, errors: [{ reason: "commentsDisabled", domain: "youtube" }] },
    });

    rig.video.faults.add({ kind: "answer", status: 403, body });
    await rig.clock.pass(10 * minute);

    expect(said(rig)).toEqual(["comments_off"]);
  });

  it("of units says when they return, and nothing is requested until then", async () => {
    const { rig, watch } = await watching();
    // 7:00 UTC is midnight in Los Angeles in summer.
    const reset = Date.UTC(2026, 6, 2, 7);
    rig.video.quota.exhaust("units");
    await rig.clock.pass(10 * minute);
    const asked = rig.asked.length;
    const [trouble] = rig.discord.of("watch-trouble");

    await rig.clock.pass(12 * hour);
    const askedUntil = rig.asked.length;
    rig.hold("A new day");
    await rig.clock.pass(reset + 10 * minute - rig.clock.now());

    expect(trouble?.message.facts).toMatchObject({ trouble: { until: reset } });
    expect(askedUntil).toBe(asked);
    expect(said(rig)).toEqual(["units_gone"]);
    expect(said(rig, "watch-well")).toEqual(["units_gone"]);
    expect(rig.discord.of("held-card")).toHaveLength(1);
    expect(watch.paused).toBeUndefined();
  });

  it("of a channel that is closed is reported to the server, and in the channel when it opens", async () => {
    const { rig } = await watching();
    rig.discord.before = (act) => {
      if (act === "post") throw channelClosed();
    };

    rig.hold("First");
    await rig.clock.pass(hour);
    rig.hold("Second");
    await rig.clock.pass(hour);
    const notified = rig.notifications.map(({ name }) => name);
    rig.discord.before = () => {};
    await rig.clock.pass(10 * minute);

    expect(notified).toEqual(["watch-lost"]);
    expect(rig.notifications).toHaveLength(1);
    expect(rig.notifications[0]?.facts).toMatchObject({ guildId, code: "channel_closed" });
    expect(said(rig, "watch-well")).toEqual(["channel_closed"]);
    expect(rig.discord.of("held-card")).toHaveLength(2);
  });

  it("that can't be posted in its channel is reported to the server", async () => {
    const { rig } = await watching();
    rig.discord.before = (act) => {
      if (act === "post") throw channelClosed();
    };

    rig.linkError = over;
    await rig.clock.pass(hour);
    const notified = rig.notifications.map(({ facts }) => (facts as WatchFailureFacts).code);
    rig.discord.before = () => {};
    await rig.clock.pass(hour);

    expect(notified).toEqual(["channel_closed"]);
    // The channel accepts messages now, but the link is still broken.
    expect(said(rig)).toEqual(["link_broken"]);
  });

  it("is in the watch's status", async () => {
    const { rig, process, watch } = await watching();
    rig.linkError = over;
    await rig.clock.pass(10 * minute);

    const status = await process.server.watches.status(watch.id);

    expect(status?.troubles).toEqual({ link_broken: { since: expect.any(Number), isTold: true } });
  });

  it("of the store is said to nobody, and everything goes on after it", async () => {
    const { rig } = await watching();
    rig.linkError = new ServiceError("down", { code: "store_unavailable" });

    await rig.clock.pass(hour);
    rig.linkError = undefined;
    rig.hold("After it");
    await rig.clock.pass(5 * minute);

    expect(rig.discord.messages.map(({ message }) => message.name)).toEqual(["held-card"]);
  });

  it("is looked at when decisions meet it", async () => {
    const { rig, process, watch } = await watching();
    rig.hold("Decide me");
    await rig.clock.pass(3 * minute);
    const [item] = await rig.items();
    await rig.clock.pass(2 * hour);

    rig.linkError = over;
    const ref = { watchId: watch.id, itemId: item?.id ?? "" };
    await process.server.queue.decide({ items: [ref], kind: "approve", by: ann, from: "card" });
    await rig.clock.pass(minute);

    expect(said(rig)).toEqual(["link_broken"]);
    expect(await process.server.queue.item(ref)).toMatchObject({
      status: "pending",
      decision: { delay: { why: "link", failure: { code: "invalid_grant" } } },
    });
  });
});
