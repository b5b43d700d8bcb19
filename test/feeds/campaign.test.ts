import { describe, expect, it } from "vitest";
import { seed, seeded } from "../support/random.ts";
import {
  announcedIn,
  guildId,
  hour,
  minute,
  openRig,
  owner,
  type Process,
  uploadsHere,
} from "./rig.ts";

/** One run: some releases, one room or two, and something that goes wrong all the time. */
async function run(start: number, kills: number) {
  const random = seeded(start);
  const rig = await openRig({ seed: start });
  rig.first.kill();
  const channels = [...rig.video.channels.keys()].slice(0, 3);
  let rooms: Process[] = [rig.begin(), rig.begin()];
  for (const source of channels) {
    const uploads = `UU${source.slice(2)}`;
    const places = { upload: uploadsHere, live: uploadsHere, short: uploadsHere };
    await rooms[0]?.feeds.of(guildId).put({ source, title: "t", uploads, places }, owner);
  }
  await rig.clock.pass(5 * minute);
  rig.channel.strike(() => (random() < 0.05 ? (random() < 0.5 ? "before" : "after") : "none"));
  for (const kind of ["cut-before", "cut-after"] as const)
    rig.video.faults.add({ kind, rate: 0.02 });
  rig.video.faults.add({ kind: "answer", status: 400, rate: 0.02, body: "x" });

  const published: string[] = [];
  for (let step = 0; step < kills; step += 1) {
    const channelId = channels[Math.floor(random() * channels.length)] ?? "";
    const { id } = rig.video.releases.publish({ channelId, title: `Release ${step}` });
    published.push(id);
    await rig.clock.pass(Math.round(random() * 12 * minute));
    // At some moment of what is under way: between any two steps of a round.
    const moments = Math.floor(random() * 12);
    const passing = rig.clock.pass(Math.round(random() * 6 * minute));
    for (let moment = 0; moment < moments; moment += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const victim = Math.floor(random() * rooms.length);
    rooms[victim]?.kill();
    await passing;
    rooms = rooms.map((room, index) => (index === victim ? rig.begin() : room));
  }
  rig.channel.strike(undefined);
  rig.video.faults.clear();
  await rig.clock.pass(6 * hour);
  const announced = announcedIn(rig).map(([id]) => id);
  for (const room of rooms) room.kill();
  await rig.close();
  return { published, announced };
}

describe("announcements", () => {
  it(`are neither lost nor doubled over kills of two processes and faults (seed ${seed})`, async () => {
    const { published, announced } = await run(seed, 40);

    expect(announced.toSorted()).toEqual(published.toSorted());
  }, 60_000);
});
