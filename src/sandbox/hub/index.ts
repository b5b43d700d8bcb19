import { createHmac } from "node:crypto";
import { Hono } from "hono";
import { createFaults, type Faults } from "../faults.ts";
import { listenOnLoopback } from "../listen.ts";
import type { VideoNews } from "../types.ts";
import { feedXml } from "./feed-xml.ts";
import {
  type ConfirmedSubscription,
  type LeaseRule,
  readChannelId,
  readSubscription,
  type SubscriptionRequest,
  usualLeases,
  verifySubscription,
} from "./subscriptions.ts";

export { feedXml } from "./feed-xml.ts";

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
const triesMs = [0, 200, 1_000] as const;

/**
 * Stand-in for a WebSub hub on 127.0.0.1 (https://www.w3.org/TR/websub/): it verifies subscriptions with the
 * subscriber, signs what it sends, and sends again when a delivery fails.
 */
export async function startHub(options: HubOptions = {}): Promise<HubServer> {
  const { port = 0, now = Date.now, random = Math.random } = options;
  const faults = createFaults(random);
  let leases = usualLeases;
  const byCallback = new Map<string, ConfirmedSubscription>();
  const leasesAsked: number[] = [];
  const endsAsked: string[] = [];
  const underWay = new Set<Promise<unknown>>();
  let held: (() => Promise<unknown>)[] | undefined;

  function track<T>(work: Promise<T>): Promise<T> {
    const settled = work.catch(() => undefined);
    underWay.add(settled);
    void settled.finally(() => underWay.delete(settled));
    return work;
  }

  async function subscribe(request: SubscriptionRequest): Promise<void> {
    const { mode, callback, topic, secret, leaseSeconds } = request;
    if (!(await verifySubscription(request, leases))) return;
    if (mode === "unsubscribe") byCallback.delete(callback);
    else {
      const until = now() + leaseSeconds * 1_000;
      byCallback.set(callback, { callback, topic, secret, until });
    }
  }

  const app = new Hono();
  app.use(faults.middleware as never);
  app.post(path, async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const isEnd = form.get("hub.mode") === "unsubscribe";
    if (isEnd) endsAsked.push(form.get("hub.callback") ?? "");
    else leasesAsked.push(Number(form.get("hub.lease_seconds")));
    const request = readSubscription(form, leases);
    if (typeof request === "string") return c.text(request, 400);
    track(subscribe(request)).catch(() => undefined);
    return c.body(null, 202);
  });
  const server = await listenOnLoopback(app as never, port);
  const url = server.origin + path;

  async function deliver(news: VideoNews, delivery: Delivery): Promise<readonly number[]> {
    const { times = 1, body = feedXml(news, now()) } = delivery;
    const active = [...byCallback.values()].filter(
      ({ until, topic }) => until > now() && readChannelId(topic) === news.channelId,
    );
    const sends = active.flatMap((one) => Array.from({ length: times }, () => one));
    return Promise.all(
      sends.map(async (subscription) => {
        const status = await send(subscription, { hub: url, body, ...delivery });
        if (status === 410) byCallback.delete(subscription.callback);
        return status;
      }),
    );
  }

  return {
    url,
    get subscriptions() {
      return [...byCallback.values()];
    },
    leasesAsked,
    endsAsked,
    publish: (news, delivery = {}) => {
      const work = () => track(deliver(news, delivery));
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
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    faults,
    close: server.close,
  };
}

/** The status that the subscriber answered last; 503 if nothing answers. */
async function send(
  { callback, topic, secret }: ConfirmedSubscription,
  { hub, body, ...delivery }: Delivery & { readonly hub: string; readonly body: string },
): Promise<number> {
  // https://www.w3.org/TR/websub/#signing-content
  const hash = createHmac("sha1", secret).update(body).digest("hex");
  const signature = "signature" in delivery ? delivery.signature : `sha1=${hash}`;
  const headers = {
    "Content-Type": "application/atom+xml",
    Link: `<${topic}>; rel=self, <${hub}>; rel=hub`,
    ...(signature !== undefined && { "X-Hub-Signature": signature }),
  };
  for (const waitMs of triesMs) {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const answer = await fetch(callback, { method: "POST", headers, body }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    const status = answer?.status ?? 503;
    if (status < 500 && status !== 429) return status;
  }
  return 503;
}
