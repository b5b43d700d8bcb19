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

export interface SubscriptionRequest extends Omit<ConfirmedSubscription, "until"> {
  readonly mode: "subscribe" | "unsubscribe";
  readonly leaseSeconds: number;
  readonly isDenied: boolean;
}

const topicPattern =
  /^https:\/\/www\.youtube\.com\/xml\/feeds\/videos\.xml\?channel_id=(UC[\w-]{22})$/;
export const usualLeases: LeaseRule = { longestS: 10 * 86_400, beyond: "shortened", isSent: true };
const maxSecretBytes = 199;

/** The channel that a subscription is about. */
export function readChannelId(topic: string): string | undefined {
  return topicPattern.exec(topic)?.[1];
}

/** The request in a form, or what is wrong with it. */
export function readSubscription(
  form: URLSearchParams,
  { longestS, beyond }: LeaseRule,
): SubscriptionRequest | string {
  const mode = form.get("hub.mode");
  const callback = form.get("hub.callback") ?? "";
  const topic = form.get("hub.topic") ?? "";
  const secret = form.get("hub.secret") ?? "";
  const wanted = Number(form.get("hub.lease_seconds") ?? longestS);
  const lease = Number.isFinite(wanted) ? wanted : longestS;
  const isTooLong = lease > longestS;
  if (mode !== "subscribe" && mode !== "unsubscribe") return "Invalid hub.mode";
  if (!URL.canParse(callback)) return "Invalid hub.callback";
  if (readChannelId(topic) === undefined) return "Invalid hub.topic";
  if (Buffer.byteLength(secret) > maxSecretBytes) return "Invalid hub.secret";
  if (isTooLong && beyond === "refused") return "Invalid hub.lease_seconds: too long";
  const leaseSeconds = Math.min(longestS, lease);
  return {
    mode,
    callback,
    topic,
    secret,
    leaseSeconds,
    isDenied: isTooLong && beyond === "denied",
  };
}

/** Asks the subscriber whether the request was really its own, or tells it that it is denied. */
export async function verifySubscription(
  { mode, callback, topic, leaseSeconds, isDenied }: SubscriptionRequest,
  { isSent }: LeaseRule,
): Promise<boolean> {
  if (isDenied) {
    const reason = { "hub.reason": "The lease is too long" };
    const denial = new URLSearchParams({ "hub.mode": "denied", "hub.topic": topic, ...reason });
    await fetch(`${callback}?${denial}`);
    return false;
  }
  const challenge = randomBytes(24).toString("base64url");
  const question = new URLSearchParams({
    "hub.mode": mode,
    "hub.topic": topic,
    "hub.challenge": challenge,
    ...(isSent && { "hub.lease_seconds": `${leaseSeconds}` }),
  });
  const answer = await fetch(`${callback}?${question}`);
  return answer.ok && (await answer.text()) === challenge;
}
