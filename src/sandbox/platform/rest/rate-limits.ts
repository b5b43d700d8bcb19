import { createHash } from "node:crypto";

interface RateBucket {
  readonly limit: number;
  readonly windowMs: number;
}

interface BucketUse {
  left: number;
  resetAt: number;
}

/** The state of a bucket after one request, or of the limit of all. */
interface BucketAllowance {
  readonly isExceeded: boolean;
  readonly isGlobal: boolean;
  /** Discord's code and words for it. */
  readonly code: number;
  readonly message: string;
  readonly retryAfterSeconds: number;
  readonly headers: Readonly<Record<string, string>>;
}

// Discord publishes no figures: docs/services/discord.md#rate-limits
const buckets: readonly { readonly route: RegExp; readonly bucket: RateBucket }[] = [
  { route: /^(POST|PATCH|DELETE) \/webhooks\//, bucket: { limit: 5, windowMs: 2_000 } },
  // Publishing: ten an hour (discordjs/discord.js#4956), counted by channel (acehox/auto-publisher#13).
  {
    route: /^POST \/channels\/\d+\/messages\/\d+\/crosspost$/,
    bucket: { limit: 10, windowMs: 3_600_000 },
  },
  { route: /^POST \/channels\/\d+\/(messages|threads)/, bucket: { limit: 5, windowMs: 5_000 } },
  {
    route: /^(PUT|DELETE) \/channels\/\d+\/messages\/\d+\/reactions/,
    bucket: { limit: 1, windowMs: 250 },
  },
  { route: /^(PATCH|DELETE) \/channels\/\d+\/messages\//, bucket: { limit: 5, windowMs: 5_000 } },
  // Making emoji: fifty an hour, counted by server (discord/discord-api-docs#2250).
  { route: /^POST \/guilds\/\d+\/emojis/, bucket: { limit: 50, windowMs: 3_600_000 } },
  { route: /./, bucket: { limit: 50, windowMs: 1_000 } },
];

/** Edits of a message that was published: three an hour (discord/discord-api-docs#2258). */
const publishedEdits: RateBucket = { limit: 3, windowMs: 3_600_000 };

const tooFast = { code: 0, message: "You are being rate limited." } as const;

/** All of an application's requests together: https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
const all: RateBucket = { limit: 50, windowMs: 1_000 };
/** Answers to interactions and what carries a webhook's token are not counted there. */
const unbound = /^\/(interactions|webhooks)\//;

/** Requests that share a bucket: same route and same channel, server or webhook with its token. */
function bucketKey(method: string, path: string): string {
  const major =
    /^\/(channels|guilds)\/\d+|^\/webhooks\/\d+\/[^/]+|^\/interactions\/\d+\/[^/]+/.exec(path);
  const rest = path
    .slice(major?.[0].length ?? 0)
    .replace(/\/\d+/g, "/:id")
    // Every emoji of a channel shares a bucket.
    .replace(/(\/reactions\/)[^/]+/, "$1:emoji");
  return `${method} ${major?.[0] ?? ""}${rest}`;
}

/**
 * Rate limits per bucket, and of all requests together; `now` in milliseconds. What it returns counts one request and
 * says whether it may pass.
 */
export function createLimits({
  now,
  isCrossposted,
}: {
  readonly now: () => number;
  /** Whether a message was published. */
  readonly isCrossposted: (messageId: string) => boolean;
}): (method: string, path: string) => BucketAllowance {
  const uses = new Map<string, BucketUse>();

  function currentUse(key: string, bucket: RateBucket, at: number): BucketUse {
    const current = uses.get(key);
    if (current !== undefined && current.resetAt > at) return current;
    // Buckets that ran out are dropped, or one per interaction would stay for ever.
    if (uses.size > 1_000) {
      for (const [old, use] of uses) if (use.resetAt <= at) uses.delete(old);
    }
    const fresh = { left: bucket.limit, resetAt: at + bucket.windowMs };
    uses.set(key, fresh);
    return fresh;
  }

  function takeOfAll(at: number): BucketAllowance | undefined {
    const use = currentUse("all", all, at);
    use.left -= 1;
    if (use.left >= 0) return undefined;
    const seconds = (use.resetAt - at) / 1_000;
    return {
      isExceeded: true,
      isGlobal: true,
      ...tooFast,
      retryAfterSeconds: seconds,
      headers: {
        "Retry-After": String(Math.ceil(seconds)),
        "X-RateLimit-Global": "true",
        "X-RateLimit-Scope": "global",
      },
    };
  }

  /** The header says a second, whatever the body says: discord/discord-api-docs#6109. */
  function takeEdit(method: string, path: string, at: number): BucketAllowance | undefined {
    const [, id = ""] = /^PATCH \/channels\/\d+\/messages\/(\d+)$/.exec(`${method} ${path}`) ?? [];
    if (id === "" || !isCrossposted(id)) return undefined;
    const use = currentUse(`published ${id}`, publishedEdits, at);
    use.left -= 1;
    if (use.left >= 0) return undefined;
    return {
      isExceeded: true,
      isGlobal: false,
      code: 20_022,
      message: "This message cannot be edited due to announcement rate limits",
      retryAfterSeconds: (use.resetAt - at) / 1_000,
      headers: { "Retry-After": "1", "X-RateLimit-Scope": "shared" },
    };
  }

  return (method, path) => {
    const refused = unbound.test(path)
      ? undefined
      : (takeOfAll(now()) ?? takeEdit(method, path, now()));
    if (refused !== undefined) return refused;
    const found = buckets.find(({ route }) => route.test(`${method} ${path}`));
    const bucket = found?.bucket ?? { limit: 50, windowMs: 1_000 };
    const at = now();
    const key = bucketKey(method, path);
    const name = key.replace(/\d{5,}(\/[^/]+)?/, ":major");
    const use = currentUse(key, bucket, at);
    const isExceeded = use.left <= 0;
    if (!isExceeded) use.left -= 1;
    const resetAfter = Math.max(0, use.resetAt - at) / 1_000;
    return {
      isExceeded,
      isGlobal: false,
      ...tooFast,
      retryAfterSeconds: resetAfter,
      headers: {
        "X-RateLimit-Limit": String(bucket.limit),
        "X-RateLimit-Remaining": String(use.left),
        "X-RateLimit-Reset": (use.resetAt / 1_000).toFixed(3),
        "X-RateLimit-Reset-After": resetAfter.toFixed(3),
        "X-RateLimit-Bucket": createHash("sha256").update(name).digest("hex").slice(0, 32),
        ...(isExceeded
          ? { "Retry-After": String(Math.ceil(resetAfter)), "X-RateLimit-Scope": "user" }
          : {}),
      },
    };
  };
}
