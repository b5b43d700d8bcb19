import { randomBytes } from "node:crypto";

export interface ConfirmedSubscription {
  readonly callback: string;
  readonly topic: string;
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** How a hub treats the lease that a subscriber requests. */
export interface LeaseRule {
  readonly longestS: number;
  /** What happens to a longer one: it is cut to the longest, refused in the answer, or denied afterwards. */
  readonly beyond: "shortened" | "refused" | "denied";
  /** Whether the verification request says how long the lease is. */
  readonly isSent: boolean;
}

interface SubscriptionRequest extends Omit<ConfirmedSubscription, "until"> {
  readonly mode: "subscribe" | "unsubscribe";
  readonly leaseSeconds: number;
  readonly isDenied: boolean;
}

const topic = /^https:\/\/www\.youtube\.com\/xml\/feeds\/videos\.xml\?channel_id=(UC[\w-]{22})$/;
export const usualLeases: LeaseRule = { longestS: 10 * 86_400, beyond: "shortened", isSent: true };
const maxSecretBytes = 199;

export function createSubscriptions(now: () => number, leases: () => LeaseRule) {
  const byCallback = new Map<string, ConfirmedSubscription>();
  return {
    all: (): readonly ConfirmedSubscription[] => [...byCallback.values()],
    active: (channelId: string): readonly ConfirmedSubscription[] =>
      [...byCallback.values()].filter(
        (one) => one.until > now() && topic.exec(one.topic)?.[1] === channelId,
      ),
    end: (callback: string) => void byCallback.delete(callback),
    /** The request in a form, or what is wrong with it. */
    read(form: URLSearchParams): SubscriptionRequest | string {
      const mode = form.get("hub.mode");
      const callback = form.get("hub.callback") ?? "";
      const secret = form.get("hub.secret") ?? "";
      const { longestS, beyond } = leases();
      const leaseS = Number(form.get("hub.lease_seconds") ?? longestS);
      const lease = Number.isFinite(leaseS) ? leaseS : longestS;
      if (mode !== "subscribe" && mode !== "unsubscribe") return "Invalid hub.mode";
      if (!URL.canParse(callback)) return "Invalid hub.callback";
      if (!topic.test(form.get("hub.topic") ?? "")) return "Invalid hub.topic";
      if (Buffer.byteLength(secret) > maxSecretBytes) return "Invalid hub.secret";
      if (lease > longestS && beyond === "refused") return "Invalid hub.lease_seconds: too long";
      const isDenied = lease > longestS && beyond === "denied";
      const subscription = { mode, callback, secret, topic: form.get("hub.topic") ?? "" } as const;
      return { ...subscription, leaseSeconds: Math.min(longestS, lease), isDenied };
    },
    /** Asks the subscriber whether the request was really its own. */
    async verify(subscription: SubscriptionRequest): Promise<void> {
      const { mode, callback, topic: about, secret, leaseSeconds } = subscription;
      if (subscription.isDenied) {
        const reason = { "hub.reason": "The lease is too long" };
        const denial = new URLSearchParams({ "hub.mode": "denied", "hub.topic": about, ...reason });
        await fetch(`${callback}?${denial}`);
        return;
      }
      const challenge = randomBytes(24).toString("base64url");
      const question = new URLSearchParams({
        "hub.mode": mode,
        "hub.topic": about,
        "hub.challenge": challenge,
        ...(leases().isSent && { "hub.lease_seconds": `${leaseSeconds}` }),
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
