import { randomBytes } from "node:crypto";

/** A subscription that was confirmed. */
export interface Subscribed {
  readonly callback: string;
  readonly topic: string;
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** What a hub does with the lease that it is asked for. */
export interface LeaseRule {
  readonly longestS: number;
  /** What happens to a longer one: it is cut to the longest, refused in the answer, or denied afterwards. */
  readonly beyond: "shortened" | "refused" | "denied";
  /** Whether the verification request says how long the lease is. */
  readonly isTold: boolean;
}

interface Asked extends Omit<Subscribed, "until"> {
  readonly mode: "subscribe" | "unsubscribe";
  readonly leaseSeconds: number;
  readonly isDenied: boolean;
}

const topic = /^https:\/\/www\.youtube\.com\/xml\/feeds\/videos\.xml\?channel_id=(UC[\w-]{22})$/;
export const usualLeases: LeaseRule = { longestS: 10 * 86_400, beyond: "shortened", isTold: true };
const maxSecretBytes = 199;

export function createSubscriptions(now: () => number, leases: () => LeaseRule) {
  const byCallback = new Map<string, Subscribed>();
  return {
    all: (): readonly Subscribed[] => [...byCallback.values()],
    active: (channelId: string): readonly Subscribed[] =>
      [...byCallback.values()].filter(
        (one) => one.until > now() && topic.exec(one.topic)?.[1] === channelId,
      ),
    end: (callback: string) => void byCallback.delete(callback),
    /** The request in a form, or what is wrong with it. */
    read(form: URLSearchParams): Asked | string {
      const mode = form.get("hub.mode");
      const callback = form.get("hub.callback") ?? "";
      const secret = form.get("hub.secret") ?? "";
      const { longestS, beyond } = leases();
      const given = Number(form.get("hub.lease_seconds") ?? longestS);
      const lease = Number.isFinite(given) ? given : longestS;
      if (mode !== "subscribe" && mode !== "unsubscribe") return "Invalid hub.mode";
      if (!URL.canParse(callback)) return "Invalid hub.callback";
      if (!topic.test(form.get("hub.topic") ?? "")) return "Invalid hub.topic";
      if (Buffer.byteLength(secret) > maxSecretBytes) return "Invalid hub.secret";
      if (lease > longestS && beyond === "refused") return "Invalid hub.lease_seconds: too long";
      const isDenied = lease > longestS && beyond === "denied";
      const asked = { mode, callback, secret, topic: form.get("hub.topic") ?? "" } as const;
      return { ...asked, leaseSeconds: Math.min(longestS, lease), isDenied };
    },
    /** Asks the subscriber whether the request was really its own. */
    async verify(asked: Asked): Promise<void> {
      const { mode, callback, topic: about, secret, leaseSeconds } = asked;
      if (asked.isDenied) {
        const reason = { "hub.reason": "The lease is too long" };
        const told = new URLSearchParams({ "hub.mode": "denied", "hub.topic": about, ...reason });
        await fetch(`${callback}?${told}`);
        return;
      }
      const challenge = randomBytes(24).toString("base64url");
      const question = new URLSearchParams({
        "hub.mode": mode,
        "hub.topic": about,
        "hub.challenge": challenge,
        ...(leases().isTold && { "hub.lease_seconds": `${leaseSeconds}` }),
      });
      const answer = await fetch(`${callback}?${question}`);
      const isMeant = answer.ok && (await answer.text()) === challenge;
      if (!isMeant) return;
      if (mode === "unsubscribe") byCallback.delete(callback);
      else {
        const until = now() + leaseSeconds * 1_000;
        byCallback.set(callback, { callback, topic: about, secret, until });
      }
    },
  };
}
