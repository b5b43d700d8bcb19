import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";

/** What the hub of WebSub asks and tells behind a path that only it knows. Never throws. */
export interface HubDoor {
  /** The challenge of what was asked for; undefined for everything else. */
  verify(path: string, question: Question): Promise<string | undefined>;
  take(path: string, told: Told): Promise<"taken" | "gone">;
}

interface Question {
  readonly mode: string | undefined;
  readonly topic: string | undefined;
  readonly challenge: string | undefined;
  readonly leaseSeconds: string | undefined;
}

interface Told {
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

/** 256 bits in base64url; nothing else is ever looked up. */
const callback = "/hub/:path{[A-Za-z0-9_-]{43}}";
/** A push holds one entry, or a few. */
const maxBytes = 256 * 1024;

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
  pages.post(
    callback,
    bodyLimit({ maxSize: maxBytes, onError: (c) => c.text("", 413) }),
    async (c) => {
      const body = new Uint8Array(await c.req.arrayBuffer());
      const signature = c.req.header("X-Hub-Signature");
      const answer = await hub.take(pathOf(c), { signature, body });
      return c.text("", answer === "gone" ? 410 : 202);
    },
  );
}

function pathOf(c: Context): string {
  return c.req.param("path") ?? "";
}
