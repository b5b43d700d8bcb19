import { randomBytes } from "node:crypto";

/** A subscription that was confirmed. */
export interface Subscribed {
  readonly callback: string;
  readonly topic: string;
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

interface Asked extends Omit<Subscribed, "until"> {
  readonly mode: "subscribe" | "unsubscribe";
  readonly leaseSeconds: number;
}

const topic = /^https:\/\/www\.youtube\.com\/xml\/feeds\/videos\.xml\?channel_id=(UC[\w-]{22})$/;
/** What this hub gives at most. */
const longestLease = 10 * 86_400;
const maxSecretBytes = 199;

export function createSubscriptions(now: () => number) {
  const byCallback = new Map<string, Subscribed>();
  return {
    all: (): readonly Subscribed[] => [...byCallback.values()],
    active: (channelId: string): readonly Subscribed[] =>
      [...byCallback.values()].filter(
        (one) => one.until > now() && topic.exec(one.topic)?.[1] === channelId,
      ),
    end: (callback: string) => void byCallback.delete(callback),
    /** What is wrong with it, or what is asked. */
    read(form: URLSearchParams): Asked | string {
      const mode = form.get("hub.mode");
      const callback = form.get("hub.callback") ?? "";
      const secret = form.get("hub.secret") ?? "";
      const lease = Number(form.get("hub.lease_seconds") ?? longestLease);
      if (mode !== "subscribe" && mode !== "unsubscribe") return "Invalid hub.mode";
      if (!URL.canParse(callback)) return "Invalid hub.callback";
      if (!topic.test(form.get("hub.topic") ?? "")) return "Invalid hub.topic";
      if (Buffer.byteLength(secret) > maxSecretBytes) return "Invalid hub.secret";
      const leaseSeconds = Math.min(longestLease, Number.isFinite(lease) ? lease : longestLease);
      return { mode, callback, secret, topic: form.get("hub.topic") ?? "", leaseSeconds };
    },
    /** Asks the subscriber whether it meant it. */
    async verify({ mode, callback, topic: about, secret, leaseSeconds }: Asked): Promise<void> {
      const challenge = randomBytes(24).toString("base64url");
      const question = new URLSearchParams({
        "hub.mode": mode,
        "hub.topic": about,
        "hub.challenge": challenge,
        "hub.lease_seconds": `${leaseSeconds}`,
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
