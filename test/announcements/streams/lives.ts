import type {
  Announcement,
  StreamNotice,
  StreamOptions,
} from "../../../src/announcements/index.ts";
import { lookOffset } from "../../../src/announcements/streams/look-schedule.ts";
import { plannedLooks, seenInLife } from "../../../src/announcements/streams/price.ts";
import { seeded } from "../../support/random.ts";
import {
  guildId,
  hour,
  type InChannel,
  minute,
  openRig,
  owner,
  type Process,
  type Rig,
} from "../rig.ts";

export interface LivesOptions {
  readonly url?: string;
  readonly seed: number;
  readonly streams: number;
  /** Over how long their starts are spread. */
  readonly withinMs: number;
  /** How long nothing more fails in the end; as long as recordings are read when absent. */
  readonly calmMs?: number;
  /** Nothing fails, nobody is killed, and no clock jumps: to compare the units with the promise. */
  readonly isCalm?: boolean;
}

export interface LivesResult {
  /** What is wrong, in words. */
  readonly faults: readonly string[];
  /** Kills that hit a process while it worked. */
  readonly struck: number;
  readonly posted: number;
  /** Reads of videos, and how many were promised. */
  readonly looks: number;
  readonly planned: number;
}

/** What may happen to a stream. */
const lifeKinds = [
  "stream",
  "premiere",
  "put-off",
  "early",
  "late",
  "listed-late",
  "cancelled",
  "private",
  "deleted",
  "never",
  "back",
  "short",
  "unplanned",
  "endless",
] as const;
type LifeKind = (typeof lifeKinds)[number];

interface Life {
  readonly kind: LifeKind;
  readonly id: string;
  readonly channelId: string;
  readonly firstStartsAt: number;
  startsAt: number;
  moves: { readonly at: number; readonly startsAt: number }[];
  beginsAt?: number;
  endsAt?: number;
  recordedAt?: number;
  hidden: { from: number; until: number }[];
  deletedAt?: number;
}

/** A time when nothing could be read: no process ran, or the clock jumped. */
interface Gap {
  readonly from: number;
  readonly until: number;
}

interface Happening {
  readonly at: number;
  readonly run: () => void;
}

const roleId = "400000000000000004";
const settings: readonly StreamOptions[] = [
  { messages: "one", reminderMs: 15 * minute, hasEvents: true },
  { messages: "each", reminderMs: hour },
  { messages: "live", hasEvents: true },
];

/** Streams of all kinds live through their lives, while two processes announce them. */
export async function liveStreams(options: LivesOptions): Promise<LivesResult> {
  const { seed, streams, withinMs, calmMs = 36 * hour, isCalm = false } = options;
  const random = seeded(seed);
  const rig = await openRig({ seed, ...(options.url && { url: options.url }) });
  if (!isCalm) rig.first.kill();
  let processes: Process[] = isCalm ? [rig.first] : [await rig.begin(), await rig.begin()];
  const feeds = () => processes[0]?.feeds.of(guildId);
  const modes = new Map<string, StreamOptions>();
  for (const source of rig.video.channels.keys()) {
    const chosen = settings[modes.size];
    if (chosen === undefined) break;
    const place = { channelId: `30000000000000000${modes.size}`, roleId };
    const of = { source, title: "t", uploads: `UU${source.slice(2)}`, places: { live: place } };
    const feed = await feeds()?.put(of, owner);
    await rig.clock.pass(5 * minute);
    const { announcements } = await rig.rows();
    // Some channels of the sandbox have streams of their own.
    const isBusy = announcements.some((one) => one.feedId === feed?.id && one.lookAt !== undefined);
    if (isBusy) await feeds()?.remove(feed?.id ?? "");
    else await feeds()?.changeStreams(feed?.id ?? "", () => chosen);
    if (!isBusy) modes.set(source, chosen);
  }
  const channels = [...modes.keys()];
  const before = rig.units.looks;

  const lives: Life[] = [];
  const happenings: Happening[] = [];
  const start = rig.clock.now();
  for (let n = 0; n < streams; n += 1) {
    const channelId = channels[n % channels.length] ?? "";
    const kind = lifeKinds[Math.floor(n / channels.length) % lifeKinds.length] ?? "stream";
    const startsAt = start + 2 * hour + Math.floor((random() * withinMs) / minute) * minute;
    const leadMs = kind === "unplanned" ? 0 : Math.min(startsAt - start, random() * 30 * hour);
    happenings.push({
      at: startsAt - leadMs,
      run: () => {
        const life = publish(rig, { kind, channelId, startsAt });
        lives.push(life);
        add(play(rig, life, random));
      },
    });
  }
  function add(more: readonly Happening[]): void {
    happenings.push(...more);
    happenings.sort((a, b) => a.at - b.at);
  }
  add([]);

  let struck = 0;
  const gaps: Gap[] = [];
  const failing = () => (random() < 0.05 ? (random() < 0.5 ? "before" : "after") : "none");
  if (!isCalm) {
    rig.channel.strike(failing);
    for (const kind of ["cut-before", "cut-after"] as const) {
      rig.video.faults.add({ kind, rate: 0.02 });
    }
    rig.video.faults.add({ kind: "answer", status: 503, rate: 0.02, body: "x" });
  }
  async function makeTrouble(): Promise<void> {
    const victim = Math.floor(random() * processes.length);
    const which = random() < 0.5 ? "all" : "messages";
    processes[victim]?.killIn(Math.floor(random() * (which === "all" ? 60 : 4)), which);
    await rig.clock.pass(Math.round(random() * 10 * minute));
    if (processes[victim]?.isDead) struck += 1;
    processes[victim]?.kill();
    const next = await rig.begin();
    processes = processes.map((process, index) => (index === victim ? next : process));
    const chance = random();
    const from = rig.clock.now();
    if (chance < 0.02) rig.clock.jump(Math.round(random() * 4 * hour));
    else if (chance < 0.06) rig.clock.jump(-Math.round(random() * 5 * minute));
    else if (chance < 0.07) {
      // Nobody runs for some hours.
      for (const process of processes) process.kill();
      await passOver(Math.round((1 + 5 * random()) * hour));
      processes = [await rig.begin(), await rig.begin()];
    }
    if (rig.clock.now() > from) gaps.push({ from, until: rig.clock.now() });
  }
  /** Lets time pass, and everything happen that happens to streams in it. */
  async function passOver(ms: number): Promise<void> {
    const until = rig.clock.now() + ms;
    for (;;) {
      const [next] = happenings;
      if (next === undefined || next.at > until) break;
      await rig.clock.pass(Math.max(0, next.at - rig.clock.now()));
      happenings.shift();
      next.run();
    }
    await rig.clock.pass(Math.max(0, until - rig.clock.now()));
  }
  const end = start + withinMs + 8 * hour;
  while (rig.clock.now() < end) {
    await passOver(Math.round(random() * 30 * minute));
    if (!isCalm) await makeTrouble();
  }
  rig.channel.strike(undefined);
  rig.video.faults.clear();
  // Until every recording was read again a day later.
  await passOver(calmMs);

  const { announcements } = await rig.rows();
  const result = {
    faults: lives.flatMap((life) => faultsOf(rig, life, modes.get(life.channelId), announcements)),
    struck,
    posted: rig.channel.messages.length,
    looks: rig.units.looks - before,
    planned: promised(lives, announcements, modes, { until: rig.clock.now(), gaps }),
  };
  for (const process of processes) process.kill();
  await rig.close();
  return result;
}

function publish(
  { video, clock }: Rig,
  { kind, channelId, startsAt }: Pick<Life, "kind" | "channelId" | "startsAt">,
): Life {
  const isPlanned = kind !== "unplanned";
  const { id } = video.releases.publish({
    channelId,
    title: `A ${kind} stream`,
    live: isPlanned ? "upcoming" : "live",
    startsAt,
    ...(kind === "premiere" && { seconds: 1_800 }),
  });
  const begun = isPlanned ? {} : { beginsAt: clock.now() };
  return {
    kind,
    id,
    channelId,
    firstStartsAt: startsAt,
    startsAt,
    moves: [],
    hidden: [],
    ...begun,
  };
}

/** All that happens to a stream after it was published. */
function play({ video, clock }: Rig, life: Life, random: () => number): readonly Happening[] {
  const { releases } = video;
  const { kind, id, startsAt } = life;
  const now = () => clock.now();
  const begin = (at: number): Happening => ({
    at,
    run: () => {
      life.beginsAt = now();
      releases.goLive(id, { isListedLate: kind === "listed-late" });
      releases.setViewers(id, 1 + Math.floor(random() * 5_000));
    },
  });
  const finish = (at: number): readonly Happening[] => [
    {
      at,
      run: () => {
        life.endsAt = now();
        releases.endLive(id, 0);
      },
    },
    {
      at: at + 12 * minute,
      run: () => {
        life.recordedAt = now();
        releases.finishProcessing(id);
      },
    },
  ];
  const hide = (from: number, until: number): readonly Happening[] => [
    {
      at: from,
      run: () => {
        life.hidden.push({ from: now(), until: Number.POSITIVE_INFINITY });
        releases.setPrivacy(id, "private");
      },
    },
    ...(Number.isFinite(until)
      ? [
          {
            at: until,
            run: () => {
              releases.setPrivacy(id, "public");
              const last = life.hidden.at(-1);
              if (last !== undefined) last.until = now();
            },
          },
        ]
      : []),
  ];
  const remove = (at: number): Happening => ({
    at,
    run: () => {
      life.deletedAt = now();
      releases.withdraw(id);
    },
  });
  const lengthMs = Math.round((0.5 + 3 * random()) * hour);
  const wholeFrom = (at: number) => [begin(at), ...finish(at + lengthMs)];
  const lead = startsAt - now();
  switch (kind) {
    case "premiere":
      // It begins at its time, and ends after its length, by itself.
      life.beginsAt = startsAt;
      life.endsAt = startsAt + 1_800_000;
      life.recordedAt = life.endsAt;
      return [];
    case "put-off": {
      const moved = startsAt + Math.round((1 + 5 * random()) * hour);
      const at = startsAt - lead / 2;
      const run = () => {
        life.startsAt = moved;
        life.moves.push({ at: now(), startsAt: moved });
        releases.reschedule(id, moved);
      };
      return [{ at, run }, ...wholeFrom(moved + minute)];
    }
    case "early":
      return wholeFrom(startsAt - Math.min(20 * minute, lead / 2));
    case "late":
      return wholeFrom(startsAt + Math.round(random() * 3 * hour));
    case "cancelled":
      return [remove(startsAt - lead / 3)];
    case "private":
      return hide(startsAt - lead / 3, Number.POSITIVE_INFINITY);
    case "deleted":
      return [...wholeFrom(startsAt), remove(startsAt + lengthMs + 6 * hour)];
    case "never":
      return [];
    case "back":
      return [...hide(startsAt - lead / 2, startsAt - lead / 4), ...wholeFrom(startsAt)];
    case "short":
      return [begin(startsAt), ...finish(startsAt + 3 * minute)];
    case "unplanned":
      return finish(startsAt + lengthMs);
    case "endless":
      return [begin(startsAt)];
    default:
      return wholeFrom(startsAt + Math.round(random() * 10 * minute));
  }
}

const noticeIn = (message: InChannel["message"]) =>
  (message.facts as { readonly notice: StreamNotice }).notice;

/** What is wrong with the messages and the event of a stream in the end. */
function faultsOf(
  { channel, events, clock }: Rig,
  life: Life,
  mode: StreamOptions | undefined,
  announcements: readonly Announcement[],
): readonly string[] {
  const { id, kind } = life;
  const all = channel.messages.filter(
    ({ message }) => message.nonce !== "" && videoIn(message) === id,
  );
  const posted = all.map(({ message }) => noticeIn(message).what);
  const count = (what: StreamNotice["what"]) => posted.filter((one) => one === what).length;
  const faults: string[] = [];
  const fault = (what: string) =>
    faults.push(`${mode?.messages} ${kind} ${id}: ${what} (posted ${posted.join(", ")})`);

  const isPublicAtEnd =
    life.deletedAt === undefined && life.hidden.every(({ until }) => Number.isFinite(until));
  const isOut = life.beginsAt !== undefined;
  const { beginsAt = 0 } = life;
  const isPublicAtStart = life.hidden.every(
    ({ from, until }) => from > beginsAt || until <= beginsAt,
  );
  const whole = all.filter(({ message }) => {
    const { what } = noticeIn(message);
    return what !== "call" && what !== "reminder";
  });
  // Missed: what went live, and was public then or is so in the end, has a message, whoever was away meanwhile.
  const isForPeople = isOut && (isPublicAtStart || isPublicAtEnd);
  if (isForPeople && whole.length === 0) fault("was missed");
  // Twice: each stage once; a reminder once for each planned start, and whoever hides a stream may cancel it again.
  const most = mode?.messages === "each" ? 1 : 0;
  const firsts = count("scheduled") + count("live") + count("over");
  if (mode?.messages !== "each" && firsts > 1) fault("has two first messages");
  if (most === 1 && [count("scheduled"), count("live"), count("over")].some((n) => n > 1)) {
    fault("has a stage twice");
  }
  if (count("cancelled") > Math.max(1, life.hidden.length)) fault("is cancelled twice");
  if (count("call") > 1) fault("is called twice");
  if (count("reminder") > 1 + life.moves.length) fault("is reminded of twice");

  // The truth at the end.
  const left = all.filter(({ isRemoved }) => !isRemoved);
  const stale = left.filter(({ says }) => noticeIn(says).what === "reminder");
  if (stale.length > 0 && life.kind !== "never") fault("still has a reminder");
  const isOver = life.endsAt !== undefined;
  if (isOver && left.some(({ says }) => noticeIn(says).what === "call")) fault("is still called");
  const staying = left.filter((one) => whole.includes(one));
  const [newest, ...others] = staying.filter(({ says }) => noticeIn(says).what !== "earlier");
  if (others.length > 0) fault("says everything twice");
  for (const { says } of staying) {
    const notice = noticeIn(says);
    if (notice.what === "earlier") {
      if (notice.newest?.messageId !== newest?.messageId) fault("leads nowhere");
      continue;
    }
    const expected = expectedNotice(life, isPublicAtEnd, clock.now());
    for (const [name, value] of Object.entries(expected)) {
      const found = notice[name as keyof StreamNotice];
      if (found !== value) fault(`says ${name} ${found} instead of ${value}`);
    }
  }
  const row = announcements.find(({ videoId }) => videoId === id);
  if (row?.state === "behind") fault("is behind");

  // A cancelled event is followed by a new one if its stream is planned again.
  const own = events.all.filter(
    ({ event }) => event.url.endsWith(id) && event.state !== "cancelled",
  );
  if (own.length > 1) fault(`has ${own.length} events`);
  const [event] = own;
  if (event !== undefined && kind === "never") fault(`has an event that is ${event.event.state}`);
  if (event !== undefined && isOver && isPublicAtEnd && event.event.state !== "over") {
    fault(`has an event that is ${event.event.state}`);
  }
  return faults;
}

function videoIn({ facts }: InChannel["message"]): string {
  return (facts as { readonly video: { readonly id: string } }).video.id;
}

function expectedNotice(life: Life, isPublic: boolean, now: number): Partial<StreamNotice> {
  const { kind, beginsAt, endsAt } = life;
  if (beginsAt === undefined) {
    if (kind === "never") return { what: "scheduled", isOverdue: true };
    return { what: "cancelled", lost: "gone" };
  }
  if (endsAt === undefined) return { what: "live" };
  // A recording that is deleted more than a day later is not read any more.
  if (!isPublic) return { what: "over" };
  return now > endsAt ? { what: "over", isRecorded: true, lost: undefined } : {};
}

/**
 * The reads that the schedule plans for these streams; all that are due at the same time share one. Reads that fall into a gap
 * become one read after it.
 */
function promised(
  lives: readonly Life[],
  announcements: readonly Announcement[],
  modes: ReadonlyMap<string, StreamOptions>,
  { until, gaps }: { readonly until: number; readonly gaps: readonly Gap[] },
): number {
  const offsetMs = lookOffset(guildId);
  const found = new Set<string>();
  const looks = new Map<number, Set<string>>();
  for (const life of lives) {
    const row = announcements.find(({ videoId }) => videoId === life.id);
    if (row === undefined) continue;
    found.add(`${row.feedId} ${row.at}`);
    const { reminderMs } = modes.get(life.channelId) ?? {};
    const options = { from: row.at, until, offsetMs, reminderMs };
    for (const planned of plannedLooks((when) => seenAt(life, when), options)) {
      const at = gaps.find((gap) => planned >= gap.from && planned < gap.until)?.until ?? planned;
      looks.set(at, (looks.get(at) ?? new Set()).add(life.id));
    }
  }
  const units = [...looks.values()].reduce((sum, ids) => sum + Math.ceil(ids.size / 50), 0);
  return found.size + units;
}

/** What YouTube said about it at a time, to whoever has a key. */
function seenAt(life: Life, at: number) {
  const never = Number.POSITIVE_INFINITY;
  const isHidden = life.hidden.some(({ from, until }) => at >= from && at < until);
  if (isHidden || at >= (life.deletedAt ?? never)) return undefined;
  const planned = life.moves.reduce(
    (startsAt, move) => (at >= move.at ? move.startsAt : startsAt),
    life.firstStartsAt,
  );
  const { beginsAt = never, endsAt = never, recordedAt = never } = life;
  return seenInLife({ startsAt: planned, beginsAt, endsAt, recordedAt })(at);
}
