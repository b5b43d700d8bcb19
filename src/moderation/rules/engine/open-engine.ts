import { createHash } from "node:crypto";
import { clockOf } from "../../../clock.ts";
import { limitedText } from "../../comment-text.ts";
import type { RuleOff, RuleTest } from "../../records/index.ts";
import { isRefusal, refuse } from "../matchers/refuse.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import type {
  Look,
  LookedAt,
  LookRequest,
  ReadTexts,
  ThreadAnswer,
  ThreadRequest,
} from "./messages.ts";
import { createThread, type ThreadDeps, ThreadEnded } from "./thread.ts";
import { createTurns } from "./turns.ts";

export type RuleEngine = ReturnType<typeof openRuleEngine>;

interface Wanted
  extends Pick<LookRequest, "comments" | "ownLinks">,
    Partial<Pick<LookRequest, "isAll">> {
  readonly tests: readonly RuleTest[];
  /** It is on trial: what it costs is counted for itself. */
  readonly isTrial?: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface Looks {
  /** By comment; what is found is told by the place of its test. */
  readonly looks: readonly Look[];
  /** Tests that were asked no more, because they cost too much. */
  readonly off: readonly { readonly at: number; readonly why: RuleOff["why"] }[];
  /** Tests that could not be asked. */
  readonly faults: readonly { readonly at: number; readonly reason: string }[];
}

export interface RuleEngineOptions extends Partial<ThreadDeps> {
  readonly now: () => number;
}

/**
 * Most that one comment may cost, and all of a server's within a minute, in milliseconds of the thread's time. A thousand
 * comments by fifty rules take half a second of it.
 */
const maxCostMs = { comment: 1_000, minute: 6_000 } as const;
/** Comments and their characters between two turns of a server. */
const slice = { comments: 20, chars: 5_000 } as const;

interface Engine {
  readonly thread: ReturnType<typeof createThread>;
  readonly turns: ReturnType<typeof createTurns>;
  readonly ledger: Ledger;
  readonly now: () => number;
  /** Keys of tests that the present thread was told of. */
  readonly told: { readonly keys: Set<string>; generation: number };
}

/** Judges comments beside the process's own thread, so that nothing people write or configure can keep it busy. */
export function openRuleEngine(options: RuleEngineOptions) {
  const { now, costs = "cpu", after = clockOf(now).after } = options;
  const thread = createThread({ ...options, costs, after });
  const turns = createTurns();
  const ledger = createLedger(now, maxCostMs.minute);
  const told = { keys: new Set<string>(), generation: 0 };
  const engine: Engine = { thread, turns, ledger, now, told };
  return {
    /** @throws InputError `rule_words`, `rule_pattern`, `rule_links`, `rule_repeats` or `rule_authors` */
    async check(guildId: string, tests: readonly RuleTest[]): Promise<void> {
      await ask(engine, guildId, () => ({ kind: "check", tests }));
    },
    /** What of texts has to be known before they are judged. */
    read: (guildId: string, texts: readonly string[], signal?: AbortSignal) =>
      read(engine, guildId, { texts, signal }),
    look: (guildId: string, wanted: Wanted) => look(engine, guildId, wanted),
    /** Answers nothing more of what that server has asked. */
    forget(guildId: string): void {
      turns.forget(guildId);
      ledger.forget(guildId);
    },
    close: thread.close,
  };
}

function ask({ turns, thread }: Engine, guildId: string, request: () => ThreadRequest) {
  return turns.run(guildId, async () => answered(await thread.ask(request())));
}

async function read(
  engine: Engine,
  guildId: string,
  {
    texts,
    signal,
  }: { readonly texts: readonly string[]; readonly signal?: AbortSignal | undefined },
): Promise<ReadTexts> {
  const links: ReadTexts["links"][number][] = [];
  const likenesses: (string | undefined)[] = [];
  while (likenesses.length < texts.length) {
    signal?.throwIfAborted();
    const some = sliceOf(texts, likenesses.length, (text) => text);
    const wanted = { kind: "read", texts: some.map(limitedText) } as const;
    const answer = await ask(engine, guildId, () => wanted);
    if (answer.kind !== "read") throw unexpected(answer);
    links.push(...answer.links);
    likenesses.push(...answer.likenesses);
  }
  return { links, likenesses };
}

async function look(engine: Engine, guildId: string, wanted: Wanted): Promise<Looks> {
  const { isTrial = false, signal } = wanted;
  const spending = isTrial ? createLedger(engine.now, maxCostMs.minute) : engine.ledger;
  const state = createState(wanted, guildId, spending);
  while (!state.isOver() && !spending.isSpent(guildId)) {
    signal?.throwIfAborted();
    const comments = state.next();
    try {
      const answer = await askLook(engine, guildId, state.request(comments));
      if (answer.kind !== "looked") throw unexpected(answer);
      state.take(answer);
    } catch (error) {
      if (!(error instanceof ThreadEnded) || error.at === undefined) throw error;
      state.takeEnd(error.at, comments.length);
    }
  }
  return state.looks();
}

/** Tests are sent once, and again to a new thread. */
async function askLook(
  engine: Engine,
  guildId: string,
  request: LookRequest,
): Promise<ThreadAnswer> {
  const { thread, told } = engine;
  const answer = await ask(engine, guildId, () => {
    if (told.generation !== thread.generation()) told.keys.clear();
    told.generation = thread.generation();
    const tests = request.tests.map(({ key, test }) =>
      told.keys.has(key) ? { key } : { key, test },
    );
    for (const { key } of tests) told.keys.add(key);
    return { ...request, tests };
  });
  if (answer.kind !== "unknown") return answer;
  told.keys.clear();
  return ask(engine, guildId, () => request);
}

/** What has come of a look so far. */
function createState(
  { tests, comments, ownLinks, isAll = false }: Wanted,
  guildId: string,
  spending: Ledger,
) {
  const keys = tests.map(keyOf);
  const sent = tests.map((test, at) => ({ key: keys[at] ?? "", test }));
  const looks: Look[] = [];
  const off = new Map<number, RuleOff["why"]>();
  const faults = new Map<number, string>();

  function switchOff(at: number, why: RuleOff["why"]): void {
    off.set(at, why);
    spending.drop(guildId, keys[at] ?? "");
  }

  /** As many as it takes to stay within the minute, the dearest first. */
  function keepWithinMinute(): void {
    while (spending.isSpent(guildId)) {
      const key = spending.dearest(guildId, keys);
      if (key === undefined) return;
      for (const [at, own] of keys.entries()) if (own === key) switchOff(at, "minute");
    }
  }

  return {
    isOver: () => looks.length >= comments.length,
    next: () => sliceOf(comments, looks.length, ({ text }) => text),
    request(some: readonly LookedAt[]): LookRequest {
      const isAsked = (at: number) => !off.has(at) && !faults.has(at);
      const order = [...tests.keys()].filter(isAsked);
      const comments = some.map((one) => ({
        ...{ ...one, text: limitedText(one.text), order: one.order?.filter(isAsked) ?? order },
      }));
      return { kind: "look", tests: sent, comments, ownLinks, isAll, maxCostMs: maxCostMs.comment };
    },
    take(answer: Extract<ThreadAnswer, { readonly kind: "looked" }>): void {
      const isWhole = off.size === 0 && faults.size === 0;
      for (const one of answer.looks) {
        looks.push({ ...one, isWhole: one.isWhole && isWhole });
        if (one.dearest !== undefined) off.set(one.dearest, "comment");
      }
      for (const { at, reason } of answer.faults) faults.set(at, reason);
      for (const [at, costMs] of answer.costsMs.entries()) {
        if (costMs > 0 && !off.has(at)) spending.add(guildId, keys[at] ?? "", costMs);
      }
      keepWithinMinute();
    },
    /** Nobody knows what it would have found. */
    takeEnd(at: number, count: number): void {
      switchOff(at, "stuck");
      for (let n = 0; n < count; n += 1) looks.push(unlooked);
    },
    looks: (): Looks => ({
      looks: comments.map((_, place) => looks[place] ?? unlooked),
      off: Array.from(off, ([at, why]) => ({ at, why })),
      faults: Array.from(faults, ([at, reason]) => ({ at, reason })),
    }),
  };
}

const unlooked: Look = { found: [], isWhole: false };

/** @throws InputError for what the thread refused; what went wrong there */
function answered(answer: ThreadAnswer): ThreadAnswer {
  if (answer.kind === "failed") throw new Error(`the thread that judges failed: ${answer.reason}`);
  if (answer.kind !== "refused") return answer;
  throw isRefusal(answer.code) ? refuse(answer.code, answer.facts) : unexpected(answer);
}

function unexpected({ kind }: ThreadAnswer): Error {
  return new Error(`the thread that judges answered "${kind}"`);
}

function keyOf(test: RuleTest): string {
  return createHash("sha256").update(JSON.stringify(test)).digest("base64url").slice(0, 22);
}

/** From there on as many as go into one turn, one at least. */
function sliceOf<T>(all: readonly T[], from: number, textOf: (one: T) => string): readonly T[] {
  let [to, chars] = [from, 0];
  while (to < all.length && to - from < slice.comments) {
    chars += textOf(all[to] as T).length; // `to` is within it
    if (chars > slice.chars && to > from) break;
    to += 1;
  }
  return all.slice(from, to);
}
