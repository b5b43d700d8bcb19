import { describe, expect, it } from "vitest";
import { ann, guildId, minute, openRig, type Rig, settingOf } from "../support/rig.ts";
import { behind, slow } from "../support/store-between.ts";

function processFarAway(rig: Rig, ms: number) {
  const { moderation, leases, guilds } = rig.store;
  const wire = slow(rig.clock, ms);
  return rig.process({
    store: {
      moderation: behind(moderation, rig.clock, wire),
      leases: behind(leases, rig.clock, wire),
      guilds,
    },
  });
}

async function progressOf({ store }: Rig, watchId: string) {
  const read = await store.moderation.progress.read(guildId, watchId);
  return read.state === "found" ? read.value : undefined;
}

describe("a store that takes 200 ms for every answer", () => {
  it("keeps no poll from its end, however many comments wait", async () => {
    const rig = await openRig();
    for (let n = 0; n < 400; n += 1) rig.hold(`Held ${n}`);
    const before = rig.process();
    const watch = await before.watch({ digestFrom: 0, states: ["heldForReview"] });
    await rig.clock.pass(2 * minute);
    expect(await rig.items()).toHaveLength(400);
    before.fence.kill();
    await rig.clock.pass(2 * 60 * minute);
    const restartedAt = rig.clock.now();

    processFarAway(rig, 200);
    await rig.clock.pass(3 * minute);

    const progress = await progressOf(rig, watch.id);
    expect(progress?.sweptAt ?? 0).toBeGreaterThan(restartedAt);
    expect(progress?.troubles).toEqual({});
  });

  it("lets a watch be stopped within half a minute, however many comments wait", async () => {
    const rig = await openRig();
    for (let n = 0; n < 400; n += 1) rig.hold(`Held ${n}`);
    const before = rig.process();
    const watch = await before.watch({ digestFrom: 6, states: ["heldForReview"] });
    await rig.clock.pass(2 * minute);
    before.fence.kill();

    const { guild } = processFarAway(rig, 200);
    void guild.watches.remove(watch.id);
    await rig.clock.pass(minute / 2);

    expect(await rig.items()).toEqual([]);
  });

  it("lets a crowd of comments in within two minutes", async () => {
    const rig = await openRig();
    for (let n = 0; n < 300; n += 1) rig.hold(`Held ${n}`);
    const { guild } = processFarAway(rig, 200);
    void guild.watches.put(
      settingOf(rig.video, { digestFrom: 0, states: ["heldForReview"] }),
      ann.userId,
    );
    await rig.clock.pass(2 * minute);

    expect(await rig.items()).toHaveLength(300);
  });
});
