import { minuteMs } from "../clock.ts";
import type { Http } from "../http/index.ts";
import type { Job, Jobs, NewJob } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import type { CredentialStore, Revocation, Revocations } from "../store/index.ts";
import { readErrorWord } from "./failure.ts";

export interface RevokerDeps {
  readonly jobs: Pick<Jobs, "handle">;
  readonly revocations: Pick<Revocations, "read" | "ofChannel" | "remove">;
  readonly credentials: Pick<CredentialStore, "holdersOf">;
  readonly http: Pick<Http, "request">;
  readonly revokeUrl: string;
  /** The database's time. */
  readonly now: () => number;
  readonly log: Pick<Log, "error">;
}

const queue = "oauth.revoke";
/** If Google can't be reached for a day, the token is forgotten. */
const forgetAfterMs = 24 * 60 * minuteMs;
const queueOptions = {
  concurrency: 2,
  perServer: 2,
  timeoutMs: minuteMs,
  waitMs: { first: minuteMs, longest: 2 * 60 * minuteMs },
} as const;
const limits = { deadlineMs: 20_000, silenceMs: 10_000, maxBytes: 64 * 1024 } as const;

/** Put in the transaction that records that a consent has to end. */
export function revocationJob({ id, dueAt }: Pick<Revocation, "id" | "dueAt">): NewJob {
  return { queue, key: id, dueAt };
}

/** Ends consents at Google when they are due. */
export function createRevoker({ jobs, revocations, credentials, now, ...deps }: RevokerDeps): void {
  jobs.handle(queue, queueOptions, revoke);

  async function revoke({ key: id, signal }: Job): Promise<number | undefined> {
    const read = await revocations.read(id);
    if (read.state === "absent") return undefined;
    if (read.state === "failed") throw read.error;
    const { channelId, dueAt } = read.value;
    const [latest] = channelId === undefined ? [] : await revocations.ofChannel(channelId);
    // A newer consent for the channel waits for confirmation. Ending this one now would end that one too.
    if (latest !== undefined && latest.id !== id && latest.dueAt > now()) return latest.dueAt;
    try {
      const holders = channelId === undefined ? [] : await credentials.holdersOf(channelId);
      // Revoking one token would also end the consent behind a link: docs/services/youtube.md#revocation
      if (holders.every(({ isBroken }) => isBroken)) await sendRevocation(read.value, signal);
    } catch (error) {
      if (now() < dueAt + forgetAfterMs) throw error;
      deps.log.error("a consent could not be revoked for a day and is forgotten", { error });
    }
    await revocations.remove(id);
    return undefined;
  }

  async function sendRevocation({ token }: Revocation, signal: AbortSignal): Promise<void> {
    const { status, body } = await deps.http.request({
      method: "POST",
      url: deps.revokeUrl,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `${new URLSearchParams({ token })}`,
      retry: "token",
      tries: 2,
      ...limits,
      signal,
    });
    // It is already over.
    if (status === 200 || (status === 400 && readErrorWord(body) !== undefined)) return;
    throw new Error(`the revocation endpoint answered ${status}`);
  }
}
