import { Hono } from "hono";
import { createFaults, type Faults } from "../faults.ts";
import { listen } from "../listen.ts";
import { type Entry, feedXml } from "./atom.ts";
import { sign } from "./sign.ts";
import {
  createSubscriptions,
  type LeaseRule,
  type Subscribed,
  usualLeases,
} from "./subscriptions.ts";

export type { Entry } from "./atom.ts";
export type { LeaseRule, Subscribed } from "./subscriptions.ts";

export interface HubOptions {
  /** A free one when absent. */
  readonly port?: number;
  readonly now?: () => number;
  /** Decides in which order what was held is sent, and where a fault's `rate` strikes. */
  readonly random?: () => number;
}

/** How something is delivered; once, signed, as it is, when absent. */
export interface Delivery {
  readonly times?: number;
  /** In place of what the secret makes of the body. */
  readonly signature?: string | undefined;
  /** In place of the Atom document. */
  readonly body?: string;
}

export interface HubServer {
  /** Where subscriptions are asked for. */
  readonly url: string;
  /** Those that were confirmed, ended ones among them. */
  readonly subscriptions: readonly Subscribed[];
  /** Each lease that was asked for, in seconds, whatever became of it. */
  readonly leasesAsked: readonly number[];
  /** Tells every subscriber of the entry's channel; answers the statuses of their answers. */
  publish(entry: Entry, delivery?: Delivery): Promise<readonly number[]>;
  /** From now on what is published waits. */
  hold(): void;
  /** Sends what waited in another order than it came in. */
  release(): Promise<void>;
  /** From now on leases are given by that; what is left out is as usual. */
  lease(rule: Partial<LeaseRule>): void;
  /** Asks a subscriber back as if somebody had asked for that; answers its answer. */
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
 * Stand-in for the hub of WebSub on 127.0.0.1 (https://www.w3.org/TR/websub/): it asks back before it believes a
 * subscription, signs what it tells, and tells it again where nobody took it.
 */
export async function startHub(options: HubOptions = {}): Promise<HubServer> {
  const { port = 0, now = Date.now, random = Math.random } = options;
  const faults = createFaults(random);
  let leases = usualLeases;
  const subscriptions = createSubscriptions(now, () => leases);
  const leasesAsked: number[] = [];
  const underWay = new Set<Promise<unknown>>();
  let held: (() => Promise<unknown>)[] | undefined;

  function track<T>(work: Promise<T>): Promise<T> {
    const settled = work.catch(() => undefined);
    underWay.add(settled);
    void settled.finally(() => underWay.delete(settled));
    return work;
  }

  const app = new Hono();
  app.use(faults.middleware as never);
  app.post(path, async (c) => {
    const form = new URLSearchParams(await c.req.text());
    leasesAsked.push(Number(form.get("hub.lease_seconds")));
    const asked = subscriptions.read(form);
    if (typeof asked === "string") return c.text(asked, 400);
    track(subscriptions.verify(asked)).catch(() => undefined);
    return c.body(null, 202);
  });
  const server = await listen(app as never, port);

  async function send({ callback, topic, secret }: Subscribed, body: string, given: Delivery) {
    const signature = "signature" in given ? given.signature : sign(algorithm, body, secret);
    for (const wait of triesMs) {
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const status = await post(callback, { body, topic, signature, hub: server.origin + path });
      if (status === 410) subscriptions.end(callback);
      if (status < 500 && status !== 429) return status;
    }
    return 503;
  }

  async function deliver(entry: Entry, delivery: Delivery): Promise<readonly number[]> {
    const { times = 1 } = delivery;
    const body = delivery.body ?? feedXml(entry, now());
    const to = subscriptions.active(entry.channelId);
    const sends = to.flatMap((one) => Array.from({ length: times }, () => one));
    return Promise.all(sends.map((one) => send(one, body, delivery)));
  }

  return {
    url: server.origin + path,
    get subscriptions() {
      return subscriptions.all();
    },
    leasesAsked,
    publish: (entry, delivery = {}) => {
      if (held === undefined) return track(deliver(entry, delivery));
      held.push(() => track(deliver(entry, delivery)));
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

interface Posted {
  readonly body: string;
  readonly topic: string;
  readonly signature: string | undefined;
  readonly hub: string;
}

/** 503 where nobody answers. */
async function post(callback: string, { body, topic, signature, hub }: Posted): Promise<number> {
  const headers = {
    "Content-Type": "application/atom+xml",
    Link: `<${topic}>; rel=self, <${hub}>; rel=hub`,
    ...(signature !== undefined && { "X-Hub-Signature": signature }),
  };
  const answer = await fetch(callback, { method: "POST", headers, body }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status ?? 503;
}
