import { createHmac } from "node:crypto";
import { Hono } from "hono";
import { createFaults, type Faults } from "../faults.ts";
import { listenOnLoopback } from "../listen.ts";
import type { VideoNews } from "../types.ts";
import {
  type ConfirmedSubscription,
  createSubscriptions,
  type LeaseRule,
  usualLeases,
} from "./subscriptions.ts";

interface HubOptions {
  /** A free one when absent. */
  readonly port?: number;
  readonly now?: () => number;
  /** Decides the order in which held notifications are sent, and which requests a fault's `rate` affects. */
  readonly random?: () => number;
}

/** How something is delivered; by default once, signed and unchanged. */
interface Delivery {
  readonly times?: number;
  /** In place of the signature that is made with the secret. */
  readonly signature?: string | undefined;
  /** In place of the Atom document. */
  readonly body?: string;
}

export interface HubServer {
  readonly url: string;
  /** All that were confirmed, also those that have ended. */
  readonly subscriptions: readonly ConfirmedSubscription[];
  /** Every lease that was requested, in seconds, granted or not. */
  readonly leasesAsked: readonly number[];
  /** The callback of every request to end a subscription. */
  readonly endsAsked: readonly string[];
  /** Tells every subscriber of the video's channel; resolves with the statuses they answered. */
  publish(entry: VideoNews, delivery?: Delivery): Promise<readonly number[]>;
  /** Holds back what is published from now on. */
  hold(): void;
  /** Sends what was held back, in a different order. */
  release(): Promise<void>;
  /** Changes how leases are granted from now on; what is left out is as usual. */
  lease(rule: Partial<LeaseRule>): void;
  /** Sends a subscriber a verification request as if somebody had subscribed; resolves with its answer. */
  ask(callback: string, question: Readonly<Record<string, string>>): Promise<Response>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  readonly faults: Faults;
  close(): Promise<void>;
}

const path = "/subscribe";
const algorithm = "sha1";
const triesMs = [0, 200, 1_000] as const;

/**
 * Stand-in for a WebSub hub on 127.0.0.1 (https://www.w3.org/TR/websub/): it verifies subscriptions with the
 * subscriber, signs what it sends, and sends again when a delivery fails.
 */
export async function startHub(options: HubOptions = {}): Promise<HubServer> {
  const { port = 0, now = Date.now, random = Math.random } = options;
  const faults = createFaults(random);
  let leases = usualLeases;
  const subscriptions = createSubscriptions(now, () => leases);
  const leasesAsked: number[] = [];
  const endsAsked: string[] = [];
  const { track, settled } = createTracker();
  let held: (() => Promise<unknown>)[] | undefined;

  const app = new Hono();
  app.use(faults.middleware as never);
  app.post(path, async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const isEnd = form.get("hub.mode") === "unsubscribe";
    if (isEnd) endsAsked.push(form.get("hub.callback") ?? "");
    else leasesAsked.push(Number(form.get("hub.lease_seconds")));
    const request = subscriptions.read(form);
    if (typeof request === "string") return c.text(request, 400);
    track(subscriptions.verify(request)).catch(() => undefined);
    return c.body(null, 202);
  });
  const server = await listenOnLoopback(app as never, port);
  const url = server.origin + path;

  return {
    url,
    get subscriptions() {
      return subscriptions.all();
    },
    leasesAsked,
    endsAsked,
    publish: (news, delivery = {}) => {
      const work = () => {
        const body = delivery.body ?? feedXml(news, now());
        return track(deliver({ subscriptions, hub: url }, { news, body, delivery }));
      };
      if (held === undefined) return work();
      held.push(work);
      return Promise.resolve([]);
    },
    hold: () => {
      held ??= [];
    },
    release: async () => {
      const waiting = held ?? [];
      held = undefined;
      const turned = waiting.map((work) => ({ work, at: random() })).sort((a, b) => a.at - b.at);
      for (const { work } of turned) await work();
    },
    lease: (rule) => {
      leases = { ...usualLeases, ...rule };
    },
    ask: (callback, question) => fetch(`${callback}?${new URLSearchParams(question)}`),
    settled,
    faults,
    close: server.close,
  };
}

function createTracker() {
  const underWay = new Set<Promise<unknown>>();
  return {
    track<T>(work: Promise<T>): Promise<T> {
      const settled = work.catch(() => undefined);
      underWay.add(settled);
      void settled.finally(() => underWay.delete(settled));
      return work;
    },
    settled: async (): Promise<void> => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

interface HubSender {
  readonly subscriptions: ReturnType<typeof createSubscriptions>;
  readonly hub: string;
}

interface Publication {
  readonly news: VideoNews;
  readonly body: string;
  readonly delivery: Delivery;
}

async function deliver(
  sender: HubSender,
  { news, body, delivery }: Publication,
): Promise<readonly number[]> {
  const { times = 1 } = delivery;
  const to = sender.subscriptions.active(news.channelId);
  const sends = to.flatMap((one) => Array.from({ length: times }, () => one));
  return Promise.all(sends.map((one) => send(sender, one, { body, delivery })));
}

async function send(
  { subscriptions, hub }: HubSender,
  { callback, topic, secret }: ConfirmedSubscription,
  { body, delivery }: Pick<Publication, "body" | "delivery">,
): Promise<number> {
  const signature = "signature" in delivery ? delivery.signature : sign(algorithm, body, secret);
  for (const wait of triesMs) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const status = await post(callback, { body, topic, signature, hub });
    if (status === 410) subscriptions.end(callback);
    if (status < 500 && status !== 429) return status;
  }
  return 503;
}

interface FeedPost {
  readonly body: string;
  readonly topic: string;
  readonly signature: string | undefined;
  readonly hub: string;
}

/** 503 if nothing answers. */
async function post(callback: string, { body, topic, signature, hub }: FeedPost): Promise<number> {
  const headers = {
    "Content-Type": "application/atom+xml",
    Link: `<${topic}>; rel=self, <${hub}>; rel=hub`,
    ...(signature !== undefined && { "X-Hub-Signature": signature }),
  };
  const answer = await fetch(callback, { method: "POST", headers, body }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status ?? 503;
}

/** X-Hub-Signature (https://www.w3.org/TR/websub/#signing-content). */
function sign(algorithm: string, body: string, secret: string): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;
}

/** A document with one entry, as the video service publishes it. */
export function feedXml(entry: VideoNews, now: number): string {
  const self = `https://www.youtube.com/xml/feeds/videos.xml?channel_id=${entry.channelId}`;
  return [
    `<?xml version='1.0' encoding='UTF-8'?>`,
    `<feed xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom">`,
    `<link rel="self" href="${self}"/>`,
    entry.isDeleted ? deletedXml(entry, now) : entryXml(entry, now),
    "</feed>",
  ].join("\n");
}

function entryXml(entry: VideoNews, now: number): string {
  const { videoId, channelId, channelTitle, title, publishedAt } = entry;
  return `<entry>
 <id>yt:video:${videoId}</id>
 <yt:videoId>${videoId}</yt:videoId>
 <yt:channelId>${channelId}</yt:channelId>
 <title>${escaped(title)}</title>
 <link rel="alternate" href="https://www.youtube.com/watch?v=${videoId}"/>
 <author><name>${escaped(channelTitle)}</name><uri>https://www.youtube.com/channel/${channelId}</uri></author>
 <published>${new Date(publishedAt).toISOString()}</published>
 <updated>${new Date(now).toISOString()}</updated>
</entry>`;
}

function deletedXml({ videoId, channelId, channelTitle }: VideoNews, now: number): string {
  return `<at:deleted-entry ref="yt:video:${videoId}" when="${new Date(now).toISOString()}">
 <link href="https://www.youtube.com/watch?v=${videoId}"/>
 <at:by><name>${escaped(channelTitle)}</name><uri>https://www.youtube.com/channel/${channelId}</uri></at:by>
</at:deleted-entry>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Characters that XML has no place for are left out, as the service does. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"]/gu, (mark) => entities[mark] ?? mark)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
}
