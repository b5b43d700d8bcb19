import { LimitError } from "../../errors.ts";
import { createFairQueue, type TurnTaker } from "../../fair-queue.ts";

export interface AdmissionLimits {
  /** Bytes that all work, one server's and one person's may hold at once. */
  readonly totalBytes: number;
  readonly tenantBytes: number;
  readonly personBytes: number;
  /** How many may wait of all, of one server and of one person. */
  readonly totalWaiting: number;
  readonly tenantWaiting: number;
  readonly personWaiting: number;
}

const mebibyte = 1024 * 1024;

/**
 * A server's half and a person's quarter leave room for others at once. A queue of these lengths is served within the
 * quarter of an hour that Discord waits for an answer.
 */
export const admissionLimits: AdmissionLimits = {
  totalBytes: 256 * mebibyte,
  tenantBytes: 128 * mebibyte,
  personBytes: 64 * mebibyte,
  totalWaiting: 1_000,
  tenantWaiting: 100,
  personWaiting: 20,
};

export interface AdmitOptions {
  readonly signal: AbortSignal;
  /** Told how many go before it while it waits, and once with nothing when its turn has come after that. */
  readonly onQueued?: ((ahead: number | undefined) => void) | undefined;
}

/** Bytes that one piece of work holds, from before they are fetched until nobody needs them any more. */
export interface Holding {
  /**
   * Resolves when so many more may be fetched.
   * @throws LimitError `files_busy` when too many wait; the signal's reason when aborted.
   */
  admit(bytes: number, options: AdmitOptions): Promise<void>;
  /** Gives all of it back. */
  close(): void;
}

/** Lets files into the process: bytes are counted before they are fetched, and who has to wait takes turns. */
export interface Admission {
  hold(owner: TurnTaker): Holding;
  load(): { readonly bytes: number; readonly waiting: number };
}

interface Taken extends TurnTaker {
  bytes: number;
  isClosed: boolean;
}

interface Waiting extends TurnTaker, Pick<AdmitOptions, "onQueued"> {
  readonly holder: Taken;
  readonly bytes: number;
  readonly start: () => void;
  readonly fail: (reason: unknown) => void;
  told?: number;
}

/** One for a process. */
export function createAdmission(limits: AdmissionLimits = admissionLimits): Admission {
  const holders = new Set<Taken>();
  const queue = createFairQueue<Waiting>();
  /** Those that hold something already and need more; they are never kept waiting by those that hold nothing. */
  const more: Waiting[] = [];
  /** The one that may pass the limit, so that two that need more never wait for each other. */
  let over: Taken | undefined;

  const sum = (own: (one: Taken) => boolean = () => true) =>
    [...holders].filter(own).reduce((total, { bytes }) => total + bytes, 0);

  function serve(): void {
    while (serveMore() || serveNext());
    tell();
  }

  function serveMore(): boolean {
    const at = more.findIndex(({ holder, bytes }) => fits(bytes) || (over ?? holder) === holder);
    const [one] = at < 0 ? [] : more.splice(at, 1);
    if (one === undefined) return false;
    if (!fits(one.bytes)) over = one.holder;
    begin(one);
    return true;
  }

  const fits = (bytes: number) => sum() + bytes <= limits.totalBytes;

  /** Nothing overtakes what waits for room that it may have; only who is at their own limit is passed over. */
  function serveNext(): boolean {
    if (more.length > 0) return false;
    let isFull = false;
    const fullTenants = new Set<string>();
    const next = queue.take(({ tenant, person, bytes }) => {
      if (isFull || fullTenants.has(tenant)) return false;
      const isOwn = (one: Taken) => one.tenant === tenant;
      const isSame = (one: Taken) => isOwn(one) && one.person === person;
      if (sum(isSame) + bytes > limits.personBytes) return false;
      if (sum(isOwn) + bytes > limits.tenantBytes) fullTenants.add(tenant);
      else isFull = !fits(bytes);
      return !isFull && !fullTenants.has(tenant);
    });
    if (next === undefined) return false;
    begin(next);
    return true;
  }

  function begin(one: Waiting): void {
    one.holder.bytes += one.bytes;
    holders.add(one.holder);
    if (one.told !== undefined) one.onQueued?.(undefined);
    one.start();
  }

  function tell(): void {
    for (const [ahead, one] of queue.order().entries()) {
      if (one.told === ahead || (ahead === 0 && one.told === undefined)) continue;
      one.told = ahead;
      one.onQueued?.(ahead);
    }
  }

  function leave(one: Waiting, reason: unknown): void {
    const at = more.indexOf(one);
    if (at >= 0) more.splice(at, 1);
    else if (!queue.remove(one)) return;
    one.fail(reason);
    serve();
  }

  function requireRoom({ tenant, person }: TurnTaker): void {
    const waiting = queue.order();
    const own = waiting.filter((one) => one.tenant === tenant);
    const same = own.filter((one) => one.person === person);
    if (same.length > limits.personWaiting) throw busy("person", limits.personWaiting);
    if (own.length > limits.tenantWaiting) throw busy("server", limits.tenantWaiting);
    if (waiting.length > limits.totalWaiting) throw busy("all", limits.totalWaiting);
  }

  function enter(one: Waiting): void {
    if (holders.has(one.holder)) more.push(one);
    else queue.add(one);
    serve();
    if (!queue.order().includes(one)) return;
    try {
      requireRoom(one);
    } catch (error) {
      leave(one, error);
    }
  }

  return {
    hold({ tenant, person }) {
      const holder: Taken = { tenant, person, bytes: 0, isClosed: false };
      return {
        admit: (wanted, { signal, onQueued }) =>
          new Promise<void>((resolve, reject) => {
            if (signal.aborted) return reject(signal.reason);
            if (holder.isClosed) return reject(closed());
            const onAbort = () => leave(one, signal.reason);
            const settled = () => signal.removeEventListener("abort", onAbort);
            // What alone is more than a person may have is let in alone.
            const bytes = Math.min(wanted, limits.personBytes);
            const one: Waiting = {
              ...{ tenant, person, holder, bytes, onQueued },
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
          }),
        close() {
          holder.isClosed = true;
          holders.delete(holder);
          if (over === holder) over = undefined;
          for (const one of [...more, ...queue.order()]) {
            if (one.holder === holder) leave(one, closed());
          }
          serve();
        },
      };
    },
    load: () => ({ bytes: sum(), waiting: queue.order().length + more.length }),
  };
}

function closed(): Error {
  return new Error("the work that wanted the file is over");
}

function busy(whose: "person" | "server" | "all", most: number): LimitError {
  return new LimitError(`${most} files wait already: ${whose}`, {
    code: "files_busy",
    hint: hints[whose],
    facts: { whose, most },
  });
}

const hints = {
  person: "Many of your files are waiting already. Wait until some are done, then try again.",
  server: "Many files of this server are waiting already. Try again in a few minutes.",
  all: "Many files are waiting already. Try again in a few minutes.",
} as const;
