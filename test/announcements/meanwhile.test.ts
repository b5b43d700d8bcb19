import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  announcedIn,
  everywhere,
  guildId,
  hour,
  minute,
  openRig,
  owner,
  type Process,
  type Rig,
  uploadsHere,
} from "./rig.ts";

let rig: Rig;
let id = "";
let source = "";
beforeEach(async () => {
  rig = await openRig();
  source = rig.stranger().id;
  id = (await rig.follow(source)).id;
  for (let n = 0; n < 6; n += 1) {
    rig.video.releases.publish({ channelId: source, title: `Upload ${n}`, seconds: 600 });
  }
});
afterEach(() => rig.close());

/** Another process posts announcements instead of the first, and something happens after the second of them. */
async function during(happens: () => Promise<unknown>): Promise<Process> {
  rig.first.kill();
  const { channelMessages } = rig.channel;
  let count = 0;
  return rig.begin({
    channelMessages: {
      ...channelMessages,
      post: async (message) => {
        const place = await channelMessages.post(message);
        count += 1;
        if (count === 2) await happens();
        return place;
      },
    },
  });
}

describe("while announcements are being left", () => {
  it("what is changed about their place holds for the next of them", async () => {
    const elsewhere = { channelId: "300000000000000009" };
    const process: Process = await during(() =>
      process.feeds.of(guildId).put(
        {
          source,
          title: "?",
          uploads: `UU${source.slice(2)}`,
          places: { ...everywhere, upload: elsewhere },
        },
        owner,
      ),
    );
    await rig.clock.pass(hour);

    const channels = announcedIn(rig).map(([, channelId]) => channelId);
    expect(channels).toEqual([
      ...Array.from({ length: 2 }, () => uploadsHere.channelId),
      ...Array.from({ length: 4 }, () => elsewhere.channelId),
    ]);
    process.kill();
  });

  it.each(["pause", "remove"] as const)("another process ends them: %s", async (how) => {
    const other = await rig.begin({ isIdle: true });
    const process: Process = await during(() => other.feeds.of(guildId)[how](id, owner));
    await rig.clock.pass(hour);

    expect(announcedIn(rig)).toHaveLength(2);
    if (how === "remove") {
      await rig.clock.pass(2 * minute);
      expect(await rig.rows()).toEqual({ feeds: [], progress: [], announcements: [], jobs: [] });
    }
    process.kill();
  });
});
