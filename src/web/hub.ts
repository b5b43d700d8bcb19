import type { Context, Hono } from "hono";
import { deliveryLimits, readBody } from "./bodies.ts";

/** What the hub of WebSub asks and tells behind a path that only it knows. Never throws. */
export interface HubDoor {
  /** The challenge of what was asked for; undefined for everything else. */
  verify(path: string, question: Question): Promise<string | undefined>;
  /** The body is read only where somebody wants to hear it; `unread` where it was cut off, or too long. */
  take(path: string, told: Told): Promise<"taken" | "gone" | "unread">;
}

interface Question {
  readonly mode: string | undefined;
  readonly topic: string | undefined;
  readonly challenge: string | undefined;
  readonly leaseSeconds: string | undefined;
}

interface Told {
  readonly signature: string | undefined;
  readonly readBody: () => Promise<Uint8Array | undefined>;
}

/** 256 bits in base64url; nothing else is ever looked up. */
const callback = "/hub/:path{[A-Za-z0-9_-]{43}}";
const statuses = { taken: 202, gone: 410, unread: 413 } as const;

/** Lets the hub in. What it reads are bare texts: no person ever sees these answers. */
export function addHub(pages: Hono, hub: HubDoor): void {
  pages.get(callback, async (c) => {
    const challenge = await hub.verify(pathOf(c), {
      mode: c.req.query("hub.mode"),
      topic: c.req.query("hub.topic"),
      challenge: c.req.query("hub.challenge"),
      leaseSeconds: c.req.query("hub.lease_seconds"),
    });
    return challenge === undefined ? c.text("", 404) : c.text(challenge);
  });
  pages.post(callback, async (c) => {
    const signature = c.req.header("X-Hub-Signature");
    const answer = await hub.take(pathOf(c), {
      signature,
      readBody: () => readBody(c, deliveryLimits),
    });
    return c.text("", statuses[answer]);
  });
}

function pathOf(c: Context): string {
  return c.req.param("path") ?? "";
}
