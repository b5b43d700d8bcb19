import type { Http } from "../http/index.ts";
import type { Credentials, Guilds, Leases, Revocation, Revocations } from "../store/index.ts";
import { errorWordOf } from "./failure.ts";

export interface RevokerOptions {
  readonly revocations: Revocations;
  readonly credentials: Pick<Credentials, "channels">;
  readonly guilds: Pick<Guilds, "all">;
  readonly leases: Leases;
  readonly http: Pick<Http, "request">;
  readonly revokeUrl: string;
  readonly now: () => number;
  /** Told what could not be done, and is tried again; the error of a token that is given up says so. */
  readonly onFailure: (error: unknown) => void;
}

/** Ends consents at the authorisation service, some time after somebody wrote down that they are over. */
export interface Revoker {
  /** Looks from then on, at once first. */
  start(): void;
  /** Looks again now. */
  wake(): void;
  /** Tells the service everything that is due; answers how many rows are done with. Never throws. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

const minuteMs = 60_000;
/** Nothing is due that nobody woke it for, but for what other processes wrote. */
const idleMs = 5 * minuteMs;
const firstWaitMs = minuteMs;
const longestWaitMs = 2 * 60 * minuteMs;
/** Then the service has been away for a day, and the token is forgotten. */
const giveUpMs = 24 * 60 * minuteMs;
const holdMs = 5 * minuteMs;
const limits = { deadlineMs: 20_000, silenceMs: 10_000, maxBytes: 64 * 1024 } as const;

/** One a process; a lease keeps two from sending the same. */
export function createRevoker(options: RevokerOptions): Revoker {
  const { revocations, leases, http, revokeUrl, now, onFailure } = options;
  const closing = new AbortController();
  /** What failed, and when it is tried again. */
  const waits = new Map<string, { readonly tries: number; readonly until: number }>();
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<number> | undefined;
  let isStarted = false;
  let isWoken = false;

  async function sweepOnce(): Promise<number> {
    const lease = await leases.take("revocations", holdMs);
    if (lease === undefined) return 0;
    try {
      let done = 0;
      const rows = await revocations.all();
      for (const row of rows) {
        if (closing.signal.aborted) break;
        if (now() >= dueAt(row) && !isAwaited(row, rows) && (await settle(row))) done += 1;
      }
      return done;
    } finally {
      await lease.release();
    }
  }

  /** The channel was consented to anew, and its question is open: that consent would end with this one. */
  function isAwaited({ id, channelId }: Revocation, rows: readonly Revocation[]): boolean {
    if (channelId === undefined) return false;
    const later = rows.find((row) => row.channelId === channelId && row.dueAt > now());
    if (later === undefined) return false;
    waits.set(id, { tries: waits.get(id)?.tries ?? 0, until: later.dueAt });
    return true;
  }

  /** Answers whether the row is gone; what fails is tried again later. */
  async function settle(row: Revocation): Promise<boolean> {
    try {
      const isOver = (await isHeld(row.channelId)) || (await tell(row));
      if (!isOver) return false;
      await revocations.remove(row.id);
      waits.delete(row.id);
      return true;
    } catch (error) {
      if (closing.signal.aborted) return false;
      return postpone(row, error);
    }
  }

  /** To end one token would end the consent behind the link too (facts/video-api.json, oauth.revoke). */
  async function isHeld(channelId: string | undefined): Promise<boolean> {
    if (channelId === undefined) return false;
    for (const guildId of await options.guilds.all()) {
      const read = await options.credentials.channels(guildId);
      if (read.state === "failed") throw read.error;
      if (read.state === "absent") continue;
      if (read.value.some((one) => one.channelId === channelId && one.brokenAt === undefined)) {
        return true;
      }
    }
    return false;
  }

  async function tell({ token }: Revocation): Promise<boolean> {
    const { status, body } = await http.request({
      method: "POST",
      url: revokeUrl,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `${new URLSearchParams({ token })}`,
      ...{ retry: "token", tries: 2, ...limits },
      signal: closing.signal,
    });
    // It is over already.
    if (status === 200 || (status === 400 && errorWordOf(body) !== undefined)) return true;
    throw new Error(`the revocation endpoint answered ${status}`);
  }

  async function postpone(row: Revocation, error: unknown): Promise<boolean> {
    if (now() >= row.dueAt + giveUpMs) {
      onFailure(
        new Error("a consent could not be revoked for a day and is forgotten", { cause: error }),
      );
      await revocations.remove(row.id).catch(onFailure);
      return true;
    }
    onFailure(error);
    const tries = (waits.get(row.id)?.tries ?? 0) + 1;
    const waitMs = Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs);
    waits.set(row.id, { tries, until: now() + waitMs });
    return false;
  }

  function dueAt({ id, dueAt }: Revocation): number {
    return Math.max(dueAt, waits.get(id)?.until ?? 0);
  }

  async function sweep(): Promise<number> {
    sweeping ??= sweepOnce()
      .catch((error: unknown) => {
        onFailure(error);
        return 0;
      })
      .finally(() => {
        sweeping = undefined;
      });
    return sweeping;
  }

  /** Sleeps until the next row is due. */
  async function schedule(): Promise<void> {
    const rows = await revocations.all().catch(() => []);
    if (!isStarted || closing.signal.aborted) return;
    const next = Math.min(idleMs, ...rows.map((row) => dueAt(row) - now()));
    clearTimeout(timer);
    timer = setTimeout(run, Math.max(next, 1_000));
    timer.unref();
  }

  function run(): void {
    // What was written down meanwhile may have been missed.
    if (sweeping !== undefined) {
      isWoken = true;
      return;
    }
    void sweep().then(() => {
      if (!isWoken) return schedule();
      isWoken = false;
      return run();
    });
  }

  return {
    start() {
      isStarted = true;
      run();
    },
    wake() {
      if (isStarted) run();
    },
    sweep,
    async close() {
      isStarted = false;
      clearTimeout(timer);
      closing.abort(new Error("closed while consents were revoked"));
      await sweeping;
    },
  };
}
