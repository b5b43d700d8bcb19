import { createHash } from "node:crypto";
import { createTimerClock } from "../../../clock.ts";
import { limitText } from "../../comment-text.ts";
import type { ListContent, RuleSwitchOff, RuleTest } from "../../records/index.ts";
import { isRuleErrorCode, refuseRule } from "../matchers/refuse-rule.ts";
import type {
  ReadTexts,
  TestedComment,
  TestFindings,
  TestRequest,
  ThreadAnswer,
  ThreadRequest,
} from "./messages.ts";
import { createTestCosts, type TestCosts } from "./test-costs.ts";
import {
  createEngineThread,
  createThreadTurns,
  type ThreadDeps,
  ThreadEndedError,
} from "./thread.ts";

export type RuleEngine = ReturnType<typeof openRuleEngine>;

interface TestRunRequest
  extends Pick<TestRequest, "comments" | "ownLinks" | "ownNames" | "allowedSites">,
    Partial<Pick<TestRequest, "isAll">> {
  readonly tests: readonly RuleTest[];
  /** Reads what is on a list, for a thread that does not have it; nothing is on it when absent. */
  readonly contentOf?: ((list: string) => Promise<ListContent | undefined>) | undefined;
  /** A trial: its costs do not count for the server. */
  readonly isTrial?: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface TestResults {
  /** One for each comment; matches name the index of the test. */
  readonly findings: readonly TestFindings[];
  /** Tests that were stopped because they cost too much. */
  readonly off: readonly { readonly at: number; readonly why: RuleSwitchOff["why"] }[];
  /** Tests that could not run. */
  readonly failed: readonly { readonly at: number; readonly reason: string }[];
}

export interface RuleEngineOptions extends Partial<ThreadDeps> {
  readonly now: () => number;
}

/**
 * The most that one comment may cost, and all comments of a server within a minute, in milliseconds of CPU time. Fifty rules
 * need half a second for a thousand comments.
 */
const maxCostMs = { comment: 1_000, minute: 6_000 } as const;
/** How many comments and characters a server may have judged in one turn. */
const slice = { comments: 20, chars: 5_000 } as const;

interface Engine {
  readonly thread: ReturnType<typeof createEngineThread>;
  readonly turns: ReturnType<typeof createThreadTurns>;
  readonly sentTests: { readonly keys: Set<string>; generation: number };
}

/** Judges comments in a worker thread, so that nothing people write or configure can block the main thread. */
export function openRuleEngine(options: RuleEngineOptions) {
  const { now, costs = "cpu", after = createTimerClock(now).after } = options;
  const thread = createEngineThread({ ...options, costs, after });
  const turns = createThreadTurns();
  const ledger = createTestCosts(now, maxCostMs.minute);
  const engine: Engine = { thread, turns, sentTests: { keys: new Set(), generation: 0 } };
  return {
    /** @throws InputError `rule_words`, `rule_pattern`, `rule_links`, `rule_repeats`, `rule_authors` or `rule_names` */
    async check(guildId: string, tests: readonly RuleTest[]): Promise<void> {
      await ask(engine, guildId, () => ({ kind: "check", tests }));
    },
    /** Reads links and likenesses of texts, which are needed before they are judged. */
    async readTexts(
      guildId: string,
      texts: readonly string[],
      signal?: AbortSignal,
    ): Promise<ReadTexts> {
      const links: ReadTexts["links"][number][] = [];
      const likenesses: (string | undefined)[] = [];
      while (likenesses.length < texts.length) {
        signal?.throwIfAborted();
        const some = nextSlice(texts, likenesses.length, (text) => text);
        const wanted = { kind: "read", texts: some.map(limitText) } as const;
        const answer = await ask(engine, guildId, () => wanted);
        if (answer.kind !== "read") throw unexpectedAnswer(answer);
        links.push(...answer.links);
        likenesses.push(...answer.likenesses);
      }
      return { links, likenesses };
    },
    async runTests(guildId: string, wanted: TestRunRequest): Promise<TestResults> {
      const { isTrial = false, signal, contentOf } = wanted;
      const spending = isTrial ? createTestCosts(now, maxCostMs.minute) : ledger;
      const run = createTestRun(wanted, guildId, spending);
      while (!spending.isSpent(guildId)) {
        const comments = run.next();
        if (comments.length === 0) break;
        signal?.throwIfAborted();
        try {
          const answer = await askToTest(engine, guildId, run.request(comments), contentOf);
          if (answer.kind !== "tested") throw unexpectedAnswer(answer);
          run.take(answer);
        } catch (error) {
          if (!(error instanceof ThreadEndedError) || error.at === undefined) throw error;
          run.takeEnd(error.at, comments.length);
        }
      }
      return run.results();
    },
    /** Rejects all requests of a server and drops its costs. */
    forget(guildId: string): void {
      turns.forget(guildId);
      ledger.forget(guildId);
    },
    close: thread.close,
  };
}

/** @throws InputError if the thread refused the request; Error if it failed. */
function ask({ turns, thread }: Engine, guildId: string, request: () => ThreadRequest) {
  return turns.run(guildId, async () => {
    const answer = await thread.ask(request());
    if (answer.kind === "failed") {
      throw new Error(`the thread that judges failed: ${answer.reason}`);
    }
    if (answer.kind !== "refused") return answer;
    const { code, facts } = answer;
    throw isRuleErrorCode(code) ? refuseRule(code, facts) : unexpectedAnswer(answer);
  });
}

/** Sends each test to a thread only once. */
async function askToTest(
  engine: Engine,
  guildId: string,
  request: TestRequest,
  contentOf: TestRunRequest["contentOf"],
): Promise<ThreadAnswer> {
  const { thread, sentTests } = engine;
  const answer = await ask(engine, guildId, () => {
    if (sentTests.generation !== thread.generation()) sentTests.keys.clear();
    sentTests.generation = thread.generation();
    const tests = request.tests.map(({ key, test }) =>
      sentTests.keys.has(key) ? { key } : { key, test },
    );
    for (const { key } of tests) sentTests.keys.add(key);
    return { ...request, tests };
  });
  if (answer.kind !== "unknown") return answer;
  sentTests.keys.clear();
  const contents: Record<string, ListContent> = {};
  for (const { test } of request.tests) {
    if (test?.kind !== "list") continue;
    contents[test.version] = (await contentOf?.(test.list)) ?? nothing;
  }
  return ask(engine, guildId, () => ({ ...request, contents }));
}

const nothing: ListContent = { words: [], links: [], authors: [] };

/** Collects the results of a run, and what it has cost. */
function createTestRun(
  { tests, comments, ownLinks, ownNames, allowedSites, isAll = false }: TestRunRequest,
  guildId: string,
  spending: TestCosts,
) {
  const keys = tests.map((test) =>
    createHash("sha256").update(JSON.stringify(test)).digest("base64url").slice(0, 22),
  );
  const sent = tests.map((test, at) => ({ key: keys[at] ?? "", test }));
  const findings: TestFindings[] = [];
  const off = new Map<number, RuleSwitchOff["why"]>();
  const failed = new Map<number, string>();

  function switchOff(at: number, why: RuleSwitchOff["why"]): void {
    off.set(at, why);
    spending.drop(guildId, keys[at] ?? "");
  }

  return {
    /** The comments to judge next; none when it is over. */
    next: () => nextSlice(comments, findings.length, ({ text }) => text),
    request(some: readonly TestedComment[]): TestRequest {
      const isAsked = (at: number) => !off.has(at) && !failed.has(at);
      const order = [...tests.keys()].filter(isAsked);
      const comments = some.map((one) => ({
        ...one,
        text: limitText(one.text),
        order: one.order?.filter(isAsked) ?? order,
      }));
      const own = { ownLinks, ownNames, allowedSites };
      return { kind: "test", tests: sent, comments, ...own, isAll, maxCostMs: maxCostMs.comment };
    },
    take(answer: Extract<ThreadAnswer, { readonly kind: "tested" }>): void {
      const isWhole = off.size === 0 && failed.size === 0;
      for (const one of answer.findings) {
        findings.push({ ...one, isWhole: one.isWhole && isWhole });
        if (one.dearest !== undefined) off.set(one.dearest, "comment");
      }
      for (const { at, reason } of answer.failed) failed.set(at, reason);
      for (const [at, costMs] of answer.costsMs.entries()) {
        if (costMs > 0 && !off.has(at)) spending.add(guildId, keys[at] ?? "", costMs);
      }
      // The most expensive tests first, until the costs are within the minute's limit.
      while (spending.isSpent(guildId)) {
        const key = spending.dearest(guildId, keys);
        if (key === undefined) break;
        for (const [at, own] of keys.entries()) if (own === key) switchOff(at, "minute");
      }
    },
    /** A test never ended: switches it off, and leaves these comments untested. */
    takeEnd(at: number, count: number): void {
      switchOff(at, "stuck");
      for (let n = 0; n < count; n += 1) findings.push(untested);
    },
    results: (): TestResults => ({
      findings: comments.map((_, place) => findings[place] ?? untested),
      off: Array.from(off, ([at, why]) => ({ at, why })),
      failed: Array.from(failed, ([at, reason]) => ({ at, reason })),
    }),
  };
}

const untested: TestFindings = { found: [], isWhole: false };

function unexpectedAnswer({ kind }: ThreadAnswer): Error {
  return new Error(`the thread that judges answered "${kind}"`);
}

/** The next elements that fit into one turn, at least one if any are left. */
function nextSlice<T>(all: readonly T[], from: number, text: (one: T) => string): readonly T[] {
  let [to, chars] = [from, 0];
  while (to < all.length && to - from < slice.comments) {
    chars += text(all[to] as T).length; // `to` is within the list
    if (chars > slice.chars && to > from) break;
    to += 1;
  }
  return all.slice(from, to);
}
