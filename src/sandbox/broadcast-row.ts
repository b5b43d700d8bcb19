import type { Happening, HappeningDeps, HappeningPress } from "./happening.ts";
import type { Releases, StoredVideo } from "./video/index.ts";

export const premiereWords = {
  title: "A premiere",
  what: "premiere",
  name: "The harbour at night",
  begin: "Start it now",
  how: "YouTube starts it at its time, or you do.",
  seconds: 900,
} as const;
export const streamWords = {
  title: "A live stream",
  what: "stream",
  name: "Live from the harbour",
  begin: "Go live",
  how: "It starts and ends when you say so.",
  seconds: 0,
} as const;
type BroadcastWords = typeof premiereWords | typeof streamWords;

const minuteMs = 60_000;

/** A premiere or a stream from its plan to its recording. */
export function broadcastRow(
  { video: { releases }, platform, time }: HappeningDeps,
  { title, what, name, begin, how, seconds }: BroadcastWords,
): Happening {
  let planned = 0;
  let id = "";
  const shownName = () => (planned > 1 ? `${name}, part ${planned}` : name);
  const plan = {
    label: `Plan a ${what}`,
    run: () => {
      planned += 1;
      const startsAt = time.now() + 60 * minuteMs;
      id = releases.publish({ title: shownName(), live: "upcoming", startsAt, seconds }).id;
    },
  };
  return {
    title,
    words: () =>
      `Your channel plans a ${what} for an hour from now. ${how} ${platform.mention("announce add")} announces it.`,
    state: () => {
      const current = releases.find(id);
      if (current !== undefined) return describe(current, time.now());
      return planned === 0 ? undefined : `Deleted: “${shownName()}”`;
    },
    presses: () => {
      const current = releases.find(id);
      if (current === undefined) return [plan];
      return [
        ...stagePresses(current, { releases, now: time.now(), begin, what }),
        ...(isRecorded(current) ? [plan] : []),
      ];
    },
  };
}

function isRecorded({ live, seconds }: StoredVideo): boolean {
  return live === "completed" && seconds > 0;
}

function describe({ title, live, startsAt = 0, ...video }: StoredVideo, now: number): string {
  const shown = `“${title}”${video.privacy === "public" ? "" : " (private)"}`;
  const start = `<t:${Math.floor(startsAt / 1000)}:R>`;
  if (live === "upcoming") {
    return startsAt > now
      ? `Planned: ${shown} starts ${start}`
      : `Late: ${shown} was to start ${start}`;
  }
  const viewers = (video.viewers ?? 0).toLocaleString("en-US");
  if (live === "live") return `Live: ${shown}, ${viewers} viewers`;
  return video.seconds > 0 ? `Recorded: ${shown}` : `Over: ${shown}, its recording is not ready`;
}

interface PressFrom {
  readonly releases: Releases;
  readonly now: number;
  readonly begin: string;
  readonly what: string;
}

/** What its creator can do with it now. */
function stagePresses(
  video: StoredVideo,
  { releases, now, begin, what }: PressFrom,
): HappeningPress[] {
  const { id, live, startsAt = now, viewers = 0 } = video;
  const isPublic = video.privacy === "public";
  const show = {
    name: "privacy",
    label: isPublic ? "Make it private" : "Make it public",
    run: () => releases.setPrivacy(id, isPublic ? "private" : "public"),
  };
  const remove = (label: string) => ({ name: "delete", label, run: () => releases.withdraw(id) });
  const move = (name: string, label: string, at: number) => ({
    name,
    label,
    run: () => releases.reschedule(id, at),
  });
  if (live === "upcoming") {
    const isFar = startsAt - now > 30 * minuteMs;
    return [
      { name: "begin", label: begin, run: () => releases.goLive(id) },
      move("later", "Put it off an hour", Math.max(now, startsAt) + 60 * minuteMs),
      ...(isFar ? [move("earlier", "Half an hour earlier", startsAt - 30 * minuteMs)] : []),
      show,
      remove("Cancel it"),
    ];
  }
  if (live === "live") {
    const run = () => releases.setViewers(id, viewers * 5);
    const end = { name: "end", label: `End the ${what}`, run: () => releases.endLive(id, 0) };
    return [{ name: "viewers", label: "More viewers", run }, end, show];
  }
  if (isRecorded(video)) return [show, remove("Delete the recording")];
  const ready = () => releases.finishProcessing(id);
  return [{ name: "ready", label: "Recording ready", run: ready }, show, remove("Delete it")];
}
