import type { BackgroundServer } from "./background/index.ts";
import type { OAuthServer } from "./oauth/index.ts";
import { type Happenings, type Platform, rivalFor, type ShownHappening } from "./platform/index.ts";
import type { SandboxTime } from "./time.ts";
import type { PersonName } from "./types.ts";
import type { VideoServer } from "./video/index.ts";

const minuteMs = 60_000;
const laterMinutes = 10;
const waveSize = 20;

interface HappeningDeps {
  readonly background: BackgroundServer;
  readonly oauth: OAuthServer;
  readonly platform: Platform;
  readonly time: SandboxTime;
  readonly video: VideoServer;
}

/** One button of the panel. What it calls is what tests call too. */
interface Happening extends Pick<ShownHappening, "title"> {
  readonly words: string | ((me: PersonName) => string);
  readonly state?: (me: PersonName) => string | undefined;
  readonly press: (me: PersonName) => string | undefined;
  readonly run: (me: PersonName) => void;
}

export function createHappenings(sandbox: HappeningDeps): Happenings {
  const { video, background, oauth, platform, time } = sandbox;
  const all: Readonly<Record<string, Happening>> = {
    spam: spamWave(sandbox),
    publish: release(sandbox, videoWords),
    short: release(sandbox, shortWords),
    premiere: broadcast(sandbox, premiereWords),
    stream: broadcast(sandbox, streamWords),
    link: {
      title: "The link expires",
      words: "Google ends the access to your channel. Greenroom notices at its next request.",
      state: () =>
        oauth.hasLinks()
          ? undefined
          : `No channel is linked. ${platform.mention("connect channel")} links it again.`,
      press: () => (oauth.hasLinks() ? "Expire the link" : undefined),
      run: oauth.expireLinks,
    },
    quota: emptyQuota(sandbox),
    refill: {
      title: "The quota is full again",
      words:
        "Moves the sandbox’s clock to the next midnight Pacific time, when everyone’s quota starts again.",
      press: () => "Refill the quota",
      run: () => time.pass(video.quota.resetsAt() - time.now()),
    },
    youtube: outage("YouTube", video.faults),
    background: outage("remove.bg", background.faults),
    later: {
      title: "Ten minutes later",
      words:
        "Moves the sandbox’s clock forward: checks run, snoozed comments come back, buttons expire.",
      state: () => describeAhead(time.ahead()),
      press: () => `Skip ${laterMinutes} minutes`,
      run: () => time.pass(laterMinutes * minuteMs),
    },
    overtake: {
      title: "Someone presses first",
      words: (me) =>
        `The ${rivalFor(me)} presses the next button just before you do. Try it on a card.`,
      state: (me) => (platform.isOvertaken(me) ? "Waits for your next press." : undefined),
      press: (me) => (platform.isOvertaken(me) ? "Cancel" : "Next press"),
      run: (me) => platform.overtake(me, !platform.isOvertaken(me)),
    },
  };
  return {
    list: (me) =>
      Object.entries(all).map(([name, { title, words, state, press }]) => {
        const shown = { name, title, words: typeof words === "string" ? words : words(me) };
        return { ...shown, state: state?.(me), press: press(me) };
      }),
    run(name, me) {
      const found = Object.hasOwn(all, name) ? all[name] : undefined;
      found?.run(me);
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
    press: () => `Send ${waveSize} comments`,
    run: () => {
      sent += video.sendSpam(waveSize, 1 + sent).length;
    },
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
    press: () => `Publish a ${what}`,
    run: () => {
      video.releases.publish({ title: makeTitle(published), ...about });
      published += 1;
    },
  };
}

const premiereWords = {
  title: "A premiere",
  what: "premiere",
  name: "The harbour at night",
  begin: "Start the premiere",
} as const;
const streamWords = {
  title: "A live stream",
  what: "stream",
  name: "Live from the harbour",
  begin: "Go live",
} as const;

/** Announced for ten minutes later; begins and ends when its button is pressed. */
function broadcast(
  { video: { releases }, platform, time }: HappeningDeps,
  { title, what, name, begin }: typeof premiereWords | typeof streamWords,
): Happening {
  let planned = 0;
  let current: { readonly id: string; readonly isOn: boolean } | undefined;
  const shownName = () => (planned > 1 ? `${name}, part ${planned}` : name);
  return {
    title,
    words: () =>
      `Your channel plans a ${what}, which begins and ends when you say so. ${platform.mention("announce add")} posts it once it is live.`,
    state: () => {
      if (current === undefined) return planned === 0 ? undefined : `Over: “${shownName()}”`;
      return `${current.isOn ? "Live" : "Planned"}: “${shownName()}”`;
    },
    press: () => {
      if (current === undefined) return `Plan a ${what}`;
      return current.isOn ? `End the ${what}` : begin;
    },
    run: () => {
      if (current === undefined) {
        planned += 1;
        const startsAt = time.now() + laterMinutes * minuteMs;
        const { id } = releases.publish({ title: shownName(), live: "upcoming", startsAt });
        current = { id, isOn: false };
      } else if (current.isOn) {
        releases.endLive(current.id);
        current = undefined;
      } else {
        releases.goLive(current.id);
        current = { ...current, isOn: true };
      }
    },
  };
}

function emptyQuota({ video: { quota } }: HappeningDeps): Happening {
  let emptyUntil = 0;
  const isEmpty = () => quota.resetsAt() === emptyUntil;
  return {
    title: "The quota runs out",
    words:
      "YouTube refuses every request until midnight Pacific time, and Greenroom waits for that.",
    state: () => (isEmpty() ? "Today’s quota is used up." : undefined),
    press: () => (isEmpty() ? undefined : "Empty the quota"),
    run: () => {
      emptyUntil = quota.resetsAt();
      quota.exhaust("units");
      quota.exhaust("searches");
      quota.exhaust("uploads");
    },
  };
}

function outage(service: string, faults: HappeningDeps["video"]["faults"]): Happening {
  return {
    title: `${service} outage`,
    words: `${service} answers with errors only. Greenroom tries most requests again before it says so.`,
    state: () => (faults.isDown() ? `${service} is down.` : undefined),
    press: () => (faults.isDown() ? "Bring it back" : "Take it down"),
    run: () => faults.setDown(!faults.isDown()),
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
