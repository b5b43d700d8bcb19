import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openFarAway } from "../support/database-between.ts";
import { guildId, minute, openRig, putWatch, settingOf, start } from "../support/rig.ts";

const folder = mkdtempSync(join(tmpdir(), "greenroom-slow-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

async function opened() {
  count += 1;
  const url = `sqlite:${join(folder, `${count}.sqlite`)}`;
  const rig = await openRig(start, url);
  const far = async () => rig.process({ database: await openFarAway(url, rig.clock, 200) });
  return { rig, far };
}

describe("a store that takes 200 ms for every answer", () => {
  it("keeps no poll from its end, however many comments wait", async () => {
    const { rig, far } = await opened();
    for (let n = 0; n < 400; n += 1) rig.hold(`Held ${n}`);
    const before = rig.process();
    const watch = await before.watch({ digestFrom: 0, states: ["heldForReview"] });
    await rig.clock.pass(2 * minute);
    expect(await rig.items()).toHaveLength(400);
    before.fence.kill();
    await rig.clock.pass(2 * 60 * minute);
    const restartedAt = rig.clock.now();

    await far();
    await rig.clock.pass(3 * minute);

    const progress = await rig.records.watches.progress(guildId, watch.id);
    expect(progress?.sweptAt ?? 0).toBeGreaterThan(restartedAt);
    expect(progress?.troubles).toEqual({});
  });

  it("lets a watch be stopped within half a minute, however many comments wait", async () => {
    const { rig, far } = await opened();
    for (let n = 0; n < 400; n += 1) rig.hold(`Held ${n}`);
    const before = rig.process();
    const watch = await before.watch({ digestFrom: 6, states: ["heldForReview"] });
    await rig.clock.pass(2 * minute);
    before.fence.kill();

    const { server } = await far();
    void server.watches.remove(watch.id);
    await rig.clock.pass(minute / 2);

    expect(await rig.records.watches.readAll(guildId)).toEqual([]);
  });

  it("lets a crowd of comments in within two minutes", async () => {
    const { rig, far } = await opened();
    for (let n = 0; n < 300; n += 1) rig.hold(`Held ${n}`);
    const { server } = await far();
    void putWatch(server, settingOf(rig.video, { digestFrom: 0, states: ["heldForReview"] }));
    await rig.clock.pass(2 * minute);

    expect(await rig.items()).toHaveLength(300);
  });
});
