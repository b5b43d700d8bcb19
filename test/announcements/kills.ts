import { seeded } from "../support/random.ts";
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

export interface KillsOptions {
  readonly url: string;
  readonly seed: number;
  readonly kills: number;
}

/** Two processes announce a few releases; one is killed again and again, while YouTube and Discord keep failing. */
export async function killProcesses({ url, seed, kills }: KillsOptions) {
  const random = seeded(seed);
  const rig = await openRig({ seed, url });
  rig.first.kill();
  const channels = [...rig.video.channels.keys()].slice(0, 3);
  let processes: Process[] = [await rig.begin(), await rig.begin()];
  for (const source of channels) {
    const uploads = `UU${source.slice(2)}`;
    const places = { upload: uploadsHere, live: uploadsHere, short: uploadsHere };
    await processes[0]?.feeds.of(guildId).put({ source, title: "t", uploads, places }, owner);
  }
  await rig.clock.pass(5 * minute);
  rig.channel.strike(() => (random() < 0.05 ? (random() < 0.5 ? "before" : "after") : "none"));
  for (const kind of ["cut-before", "cut-after"] as const)
    rig.video.faults.add({ kind, rate: 0.02 });
  rig.video.faults.add({ kind: "answer", status: 400, rate: 0.02, body: "x" });

  const published: string[] = [];
  /** Kills that hit a process while it worked. */
  let struck = 0;
  for (let step = 0; step < kills; step += 1) {
    const channelId = channels[Math.floor(random() * channels.length)] ?? "";
    const { id } = rig.video.releases.publish({ channelId, title: `Release ${step}` });
    published.push(id);
    const victim = Math.floor(random() * processes.length);
    // At any step of the work under way; half the time just before or after a message is posted.
    if (random() < 0.5) processes[victim]?.killIn(Math.floor(random() * 40), "all");
    else processes[victim]?.killIn(Math.floor(random() * 3), "messages");
    await rig.clock.pass(Math.round(random() * 18 * minute));
    if (processes[victim]?.isDead) struck += 1;
    processes[victim]?.kill();
    const next = await rig.begin();
    processes = processes.map((process, index) => (index === victim ? next : process));
  }
  rig.channel.strike(undefined);
  rig.video.faults.clear();
  await rig.clock.pass(6 * hour);
  // Streams that the stand-in's channels have planned anyway are told as well.
  const released = rig.channel.messages.filter(({ message }) => message.name === "announcement");
  const announced = announcedIn({ channel: { ...rig.channel, messages: released } }).map(
    ([id]) => id,
  );
  for (const process of processes) process.kill();
  await rig.close();
  return { published, announced, struck };
}
