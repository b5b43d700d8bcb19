import { broadcastRow, premiereWords, streamWords } from "./broadcast-row.ts";
import type { Happening, HappeningDeps } from "./happening.ts";
import { type Happenings, rivalFor } from "./platform/index.ts";
import type { PersonName } from "./types.ts";

const minuteMs = 60_000;
const waveSize = 20;

export function createHappenings(sandbox: HappeningDeps): Happenings {
  const { video, background, oauth, platform, time } = sandbox;
  const all: Readonly<Record<string, Happening>> = {
    spam: spamWave(sandbox),
    publish: release(sandbox, videoWords),
    short: release(sandbox, shortWords),
    premiere: broadcastRow(sandbox, premiereWords),
    stream: broadcastRow(sandbox, streamWords),
    link: {
      title: "The link expires",
      words: "Google ends the access to your channel. Greenroom notices at its next request.",
      state: () =>
        oauth.hasLinks()
          ? undefined
          : `No channel is linked. ${platform.mention("connect channel")} links it again.`,
      presses: () =>
        oauth.hasLinks() ? [{ label: "Expire the link", run: oauth.expireLinks }] : [],
    },
    quota: emptyQuota(sandbox),
    refill: {
      title: "The quota is full again",
      words:
        "Moves the sandbox’s clock to the next midnight Pacific time, when everyone’s quota starts again.",
      presses: () => [
        {
          label: "Refill the quota",
          run: () => time.pass(video.quota.resetsAt() - time.now()),
        },
      ],
    },
    youtube: outage("YouTube", video.faults),
    background: outage("remove.bg", background.faults),
    later: {
      title: "Time passes",
      words:
        "Moves the sandbox’s clock forward: checks run, snoozed comments come back, buttons expire.",
      state: () => describeAhead(time.ahead()),
      presses: () => [
        { label: "Ten minutes later", run: () => time.pass(10 * minuteMs) },
        { name: "hour", label: "An hour later", run: () => time.pass(60 * minuteMs) },
        { name: "day", label: "The next day", run: () => time.pass(24 * 60 * minuteMs) },
      ],
    },
    overtake: {
      title: "Someone presses first",
      words: (me) =>
        `The ${rivalFor(me)} presses the next button just before you do. Try it on a card.`,
      state: (me) => (platform.isOvertaken(me) ? "Waits for your next press." : undefined),
      presses: (me) => [
        {
          label: platform.isOvertaken(me) ? "Cancel" : "Next press",
          run: () => platform.overtake(me, !platform.isOvertaken(me)),
        },
      ],
    },
  };
  /** Buttons with the names by which they are pressed. */
  const pressesOf = (row: string, { presses }: Happening, me: PersonName) =>
    presses(me).map(({ name, ...press }) => ({
      ...press,
      name: name === undefined ? row : `${row} ${name}`,
    }));
  return {
    list: (me) =>
      Object.entries(all).map(([name, row]) => ({
        name,
        title: row.title,
        words: typeof row.words === "string" ? row.words : row.words(me),
        state: row.state?.(me),
        presses: pressesOf(name, row, me).map((press) => ({
          name: press.name,
          label: press.label,
        })),
      })),
    run(name, me) {
      const presses = Object.entries(all).flatMap(([key, row]) => pressesOf(key, row, me));
      const found = presses.find((press) => press.name === name);
      found?.run();
      return found !== undefined;
    },
  };
}

function spamWave({ video, platform }: HappeningDeps): Happening {
  let sent = 0;
  return {
    title: "A wave of spam",
    words: () =>
      `A few accounts post spam on your newest video. ${platform.mention("watch channel")} shows it at its next check.`,
    state: () => (sent === 0 ? undefined : `${sent} comments sent so far.`),
    presses: () => [
      {
        label: `Send ${waveSize} comments`,
        run: () => {
          sent += video.sendSpam(waveSize, 1 + sent).length;
        },
      },
    ],
  };
}

const titles = ["A day at the harbour", "Answering your questions", "We rebuilt the set"] as const;

const videoWords = {
  what: "video",
  hint: "posts new videos of a channel",
  makeTitle: (n: number) => {
    const [title = "", part] = [titles[n % titles.length], Math.floor(n / titles.length) + 1];
    return part === 1 ? title : `${title}, part ${part}`;
  },
  about: {},
} as const;
const shortWords = {
  what: "Short",
  hint: "can post Shorts in a channel of their own",
  makeTitle: (n: number) => `Short ${n + 1}`,
  about: { seconds: 40, shape: "tall" },
} as const;

function release(
  { video, platform }: HappeningDeps,
  { what, hint, makeTitle, about }: typeof videoWords | typeof shortWords,
): Happening {
  let published = 0;
  return {
    title: `A new ${what}`,
    words: () => `Your channel publishes a ${what}. ${platform.mention("announce add")} ${hint}.`,
    state: () => (published === 0 ? undefined : `Published: “${makeTitle(published - 1)}”`),
    presses: () => [
      {
        label: `Publish a ${what}`,
        run: () => {
          video.releases.publish({ title: makeTitle(published), ...about });
          published += 1;
        },
      },
    ],
  };
}

function emptyQuota({ video: { quota } }: HappeningDeps): Happening {
  let emptyUntil = 0;
  const isEmpty = () => quota.resetsAt() === emptyUntil;
  const empty = () => {
    emptyUntil = quota.resetsAt();
    quota.exhaust("units");
    quota.exhaust("searches");
    quota.exhaust("uploads");
  };
  return {
    title: "The quota runs out",
    words:
      "YouTube refuses every request until midnight Pacific time, and Greenroom waits for that.",
    state: () => (isEmpty() ? "Today’s quota is used up." : undefined),
    presses: () => (isEmpty() ? [] : [{ label: "Empty the quota", run: empty }]),
  };
}

function outage(service: string, faults: HappeningDeps["video"]["faults"]): Happening {
  return {
    title: `${service} outage`,
    words: `${service} answers with errors only. Greenroom tries most requests again before it says so.`,
    state: () => (faults.isDown() ? `${service} is down.` : undefined),
    presses: () => [
      {
        label: faults.isDown() ? "Bring it back" : "Take it down",
        run: () => faults.setDown(!faults.isDown()),
      },
    ],
  };
}

function describeAhead(ms: number): string | undefined {
  const minutes = Math.round(ms / minuteMs);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return undefined;
  const parts = [
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(minutes % 60 > 0 ? [`${minutes % 60} min`] : []),
  ];
  return `The clock is ${parts.join(" ")} ahead.`;
}
