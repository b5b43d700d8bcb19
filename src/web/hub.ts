import type { Hono } from "hono";
import { deliveryLimits, readBody } from "./bodies.ts";

/** Answers the WebSub hub, which sends requests to a path that only it knows. Never throws. */
export interface HubCallback {
  /** The challenge of a subscription that was requested; undefined for anything else. */
  verify(path: string, question: HubChallenge): Promise<string | undefined>;
  /** Reads the body only if it is needed; `unread` if it was cut off or too long. */
  take(path: string, delivery: HubDelivery): Promise<"taken" | "gone" | "unread">;
}

interface HubChallenge {
  readonly mode: string | undefined;
  readonly topic: string | undefined;
  readonly challenge: string | undefined;
  readonly leaseSeconds: string | undefined;
}

interface HubDelivery {
  readonly signature: string | undefined;
  readonly readBody: () => Promise<Uint8Array | undefined>;
}

/** 256 bits in base64url; nothing else is ever looked up. */
const callback = "/hub/:path{[A-Za-z0-9_-]{43}}";
const statuses = { taken: 202, gone: 410, unread: 413 } as const;

/** Adds the hub's callback. Its answers are bare texts, because no person ever sees them. */
export function addHub(pages: Hono, hub: HubCallback): void {
  pages.get(callback, async (c) => {
    const challenge = await hub.verify(c.req.param("path"), {
      mode: c.req.query("hub.mode"),
      topic: c.req.query("hub.topic"),
      challenge: c.req.query("hub.challenge"),
      leaseSeconds: c.req.query("hub.lease_seconds"),
    });
    return challenge === undefined ? c.text("", 404) : c.text(challenge);
  });
  pages.post(callback, async (c) => {
    const signature = c.req.header("X-Hub-Signature");
    const answer = await hub.take(c.req.param("path"), {
      signature,
      readBody: () => readBody(c, deliveryLimits),
    });
    return c.text("", statuses[answer]);
  });
}
