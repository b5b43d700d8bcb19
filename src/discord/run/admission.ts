import { LimitError } from "../../errors.ts";
import { createFairQueue, type TurnTaker } from "../../fair-queue.ts";

export interface AdmissionLimits {
  /** Bytes that all work, one server's and one person's may hold at once. */
  readonly totalBytes: number;
  readonly tenantBytes: number;
  readonly personBytes: number;
  /** How many may wait in all, for one server and for one person. */
  readonly totalWaiting: number;
  readonly tenantWaiting: number;
  readonly personWaiting: number;
}

const mebibyte = 1024 * 1024;

/**
 * A server's half and a person's quarter leave room for others at once. A queue of these lengths is served within the
 * quarter of an hour that Discord waits for an answer.
 */
const admissionLimits: AdmissionLimits = {
  totalBytes: 256 * mebibyte,
  tenantBytes: 128 * mebibyte,
  personBytes: 64 * mebibyte,
  totalWaiting: 1_000,
  tenantWaiting: 100,
  personWaiting: 20,
};

export interface AdmitOptions {
  readonly signal: AbortSignal;
  /** Called with the number ahead of it while it waits, and once with undefined when its turn has come. */
  readonly onQueued?: ((ahead: number | undefined) => void) | undefined;
}

/** The bytes of one piece of work, counted from before they are fetched until nobody needs them any more. */
export interface AdmissionHold {
  /**
   * Resolves when that many more may be fetched.
   * @throws LimitError `files_busy` when too many wait; the signal's reason when aborted.
   */
  admit(bytes: number, options: AdmitOptions): Promise<void>;
  /** Runs `end` when it is closed; at once where it is closed already. */
  onClose(end: () => void): void;
  /** Gives all of it back. */
  close(): void;
}

/** Limits the files in memory: bytes are counted before they are fetched, and work that has to wait takes turns. */
export type Admission = ReturnType<typeof createAdmission>;

/** One piece of work, and the bytes that it holds. */
interface FileHolder extends TurnTaker {
  bytes: number;
  /** Most work reads no file. */
  hasAsked: boolean;
  isClosed: boolean;
}

interface WaitingFile extends TurnTaker, Pick<AdmitOptions, "onQueued"> {
  readonly holder: FileHolder;
  readonly bytes: number;
  readonly start: () => void;
  readonly fail: (reason: unknown) => void;
  /** How many went before it when `onQueued` was called last. */
  shownAhead?: number;
}

/** One for a process. */
export function createAdmission(limits: AdmissionLimits = admissionLimits) {
  const holders = new Set<FileHolder>();
  const queue = createFairQueue<WaitingFile>();
  /** Those that hold something already and need more; they are never kept waiting by those that hold nothing. */
  const more: WaitingFile[] = [];
  /** The one that may exceed the limit, so that two that need more never wait for each other. */
  let over: FileHolder | undefined;

  function admit(
    holder: FileHolder,
    wanted: number,
    { signal, onQueued }: AdmitOptions,
  ): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (holder.isClosed) return reject(closed());
      holder.hasAsked = true;
      const onAbort = () => leave(one, signal.reason);
      const settled = () => signal.removeEventListener("abort", onAbort);
      const one: WaitingFile = {
        tenant: holder.tenant,
        person: holder.person,
        holder,
        // A file above a person's limit counts as that limit: it is let in when the person has no other.
        bytes: Math.min(wanted, limits.personBytes),
        onQueued,
        start: () => {
          settled();
          resolve();
        },
        fail: (reason) => {
          settled();
          reject(reason);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      enter(one);
    });
  }

  function giveBack(holder: FileHolder): void {
    holders.delete(holder);
    if (over === holder) over = undefined;
    for (const one of [...more, ...queue.order()]) {
      if (one.holder === holder) leave(one, closed());
    }
    serve();
  }

  function enter(one: WaitingFile): void {
    if (holders.has(one.holder)) more.push(one);
    else queue.add(one);
    serve();
    const waiting = queue.order();
    if (!waiting.includes(one)) return;
    const tooMany = tooManyWaiting(waiting, one);
    if (tooMany !== undefined) leave(one, tooMany);
  }

  function leave(one: WaitingFile, reason: unknown): void {
    const at = more.indexOf(one);
    if (at >= 0) more.splice(at, 1);
    else if (!queue.remove(one)) return;
    one.fail(reason);
    serve();
  }

  function tooManyWaiting(
    waiting: readonly WaitingFile[],
    { tenant, person }: TurnTaker,
  ): LimitError | undefined {
    const own = waiting.filter((one) => one.tenant === tenant);
    const same = own.filter((one) => one.person === person);
    if (same.length > limits.personWaiting) return busy("person", limits.personWaiting);
    if (own.length > limits.tenantWaiting) return busy("server", limits.tenantWaiting);
    return waiting.length > limits.totalWaiting ? busy("all", limits.totalWaiting) : undefined;
  }

  function serve(): void {
    while (serveMore() || serveNext());
    for (const [ahead, one] of queue.order().entries()) {
      if (one.shownAhead === ahead || (ahead === 0 && one.shownAhead === undefined)) continue;
      one.shownAhead = ahead;
      one.onQueued?.(ahead);
    }
  }

  function serveMore(): boolean {
    const at = more.findIndex(({ holder, bytes }) => fits(bytes) || (over ?? holder) === holder);
    const [one] = at < 0 ? [] : more.splice(at, 1);
    if (one === undefined) return false;
    if (!fits(one.bytes)) over = one.holder;
    begin(one);
    return true;
  }

  /** Work that waits for free room is never overtaken; only servers and people at their own limit are skipped. */
  function serveNext(): boolean {
    if (more.length > 0) return false;
    let isFull = false;
    const fullTenants = new Set<string>();
    const next = queue.take(({ tenant, person, bytes }) => {
      if (isFull || fullTenants.has(tenant)) return false;
      const own = [...holders].filter((one) => one.tenant === tenant);
      const same = own.filter((one) => one.person === person);
      if (sum(same) + bytes > limits.personBytes) return false;
      if (sum(own) + bytes > limits.tenantBytes) fullTenants.add(tenant);
      else isFull = !fits(bytes);
      return !isFull && !fullTenants.has(tenant);
    });
    if (next === undefined) return false;
    begin(next);
    return true;
  }

  function begin(one: WaitingFile): void {
    one.holder.bytes += one.bytes;
    holders.add(one.holder);
    if (one.shownAhead !== undefined) one.onQueued?.(undefined);
    one.start();
  }

  function fits(bytes: number): boolean {
    return sum([...holders]) + bytes <= limits.totalBytes;
  }

  return {
    hold({ tenant, person }: TurnTaker): AdmissionHold {
      const holder = { tenant, person, bytes: 0, hasAsked: false, isClosed: false };
      const ends: (() => void)[] = [];
      return {
        admit: (bytes, options) => admit(holder, bytes, options),
        onClose: (end) => void (holder.isClosed ? end() : ends.push(end)),
        close: () => {
          holder.isClosed = true;
          if (holder.hasAsked) giveBack(holder);
          for (const end of ends.splice(0)) end();
        },
      };
    },
    load: () => ({ bytes: sum([...holders]), waiting: queue.order().length + more.length }),
  };
}

function sum(holders: readonly FileHolder[]): number {
  return holders.reduce((total, { bytes }) => total + bytes, 0);
}

function closed(): Error {
  return new Error("the work that wanted the file is over");
}

function busy(whose: "person" | "server" | "all", most: number): LimitError {
  return new LimitError(`${most} files wait already: ${whose}`, {
    code: "files_busy",
    facts: { whose, most },
  });
}
