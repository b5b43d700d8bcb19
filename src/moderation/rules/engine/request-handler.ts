import { type Cache, createCache } from "../../../cache.ts";
import { InputError } from "../../../errors.ts";
import type { RuleTest } from "../../records/index.ts";
import { namedHost } from "../links/find-links.ts";
import { linkKey, parseYouTubeLink } from "../links/youtube-links.ts";
import { listMatcher } from "../matchers/list.ts";
import { createMatcher } from "../matchers/matcher.ts";
import type { Matcher, MatchInput } from "../matchers/types.ts";
import { createTextForms, likenessFor } from "../text/text-forms.ts";
import type {
  TestedComment,
  TestFindings,
  TestRequest,
  ThreadAnswer,
  ThreadRequest,
} from "./messages.ts";

interface RequestHandlerOptions {
  readonly measure: ReturnType<typeof createCostMeter>;
  /** Called with the index of each test before it runs, so that a test that never ends can be identified. */
  readonly onTest: (at: number) => void;
  /** Whether memory runs short; then compiled tests are dropped. */
  readonly isFull: () => boolean;
}

const maxTests = 5_000;
/** How many entries of lists are prepared at once; all lists of a server have fewer together. They take some 40 MB. */
const maxListEntries = 150_000;

interface PreparedList {
  readonly entries: number;
  readonly matcher: Matcher;
}

interface TestContext extends RequestHandlerOptions {
  readonly testCache: Cache<RuleTest>;
  readonly matcherCache: Cache<Matcher>;
  /** By version. */
  readonly listCache: Cache<PreparedList>;
}

/** The thread's work: answers one request after the other. */
export function createRequestHandler(
  options: RequestHandlerOptions,
): (request: ThreadRequest) => ThreadAnswer {
  const context: TestContext = {
    ...options,
    testCache: createCache({ maxSize: maxTests }),
    matcherCache: createCache({ maxSize: maxTests }),
    listCache: createCache({ maxSize: maxListEntries, sizeOf: ({ entries }) => entries }),
  };
  return (request) => {
    try {
      switch (request.kind) {
        case "check":
          for (const test of request.tests) createMatcher(test);
          return { kind: "checked" };
        case "read": {
          const subjects = request.texts.map(createTextForms);
          const links = subjects
            .flatMap((subject) => subject.links())
            .flatMap((link) => parseYouTubeLink(link) ?? []);
          const unique = new Map(links.map((link) => [linkKey(link), link]));
          const likenesses = subjects.map(likenessFor);
          return { kind: "read", links: [...unique.values()], likenesses };
        }
        case "test":
          return runTests(context, request);
      }
    } catch (error) {
      if (!(error instanceof InputError)) return { kind: "failed", reason: String(error) };
      return { kind: "refused", code: error.code, facts: error.facts };
    } finally {
      options.onTest(-1);
    }
  };
}

function runTests(context: TestContext, request: TestRequest): ThreadAnswer {
  const { testCache, listCache } = context;
  for (const { key, test } of request.tests) if (test !== undefined) testCache.set(key, test);
  for (const [version, content] of Object.entries(request.contents ?? {})) {
    const { words, links, authors } = content;
    const entries = Math.max(1, words.length + links.length + authors.length);
    listCache.set(version, { entries, matcher: listMatcher(content) });
  }
  const hasAll = request.tests.every(({ key }) => {
    const test = testCache.get(key);
    return test !== undefined && (test.kind !== "list" || listCache.has(test.version));
  });
  if (!hasAll) return { kind: "unknown" };
  const noted: TestNotes = { costsMs: request.tests.map(() => 0), left: new Set(), failed: [] };
  const findings: TestFindings[] = [];
  const allowedHosts = (request.allowedSites ?? []).flatMap((site) => namedHost(site) ?? []);
  for (const comment of request.comments) {
    if (context.isFull()) context.matcherCache.clear();
    findings.push(testComment(context, { request, allowedHosts, comment, noted }));
    if (noted.costsMs.reduce((sum, costMs) => sum + costMs, 0) > request.maxCostMs) break;
  }
  return { kind: "tested", findings, costsMs: noted.costsMs, failed: noted.failed };
}

/** @throws InputError as `createMatcher`. */
function matcherFor(context: TestContext, key: string): Matcher {
  const { testCache, matcherCache, listCache } = context;
  const known = matcherCache.get(key);
  if (known !== undefined) return known;
  const test = testCache.get(key);
  if (test === undefined) throw new Error("a test is not known");
  if (test.kind === "list") return listCache.get(test.version)?.matcher ?? createMatcher(test);
  const made = createMatcher(test);
  matcherCache.set(key, made);
  return made;
}

interface TestOptions {
  readonly request: TestRequest;
  readonly allowedHosts: readonly string[];
  readonly comment: TestedComment;
  readonly noted: TestNotes;
}

function testComment(
  context: TestContext,
  { request, allowedHosts, comment, noted }: TestOptions,
): TestFindings {
  const { tests, ownLinks, ownNames, isAll, maxCostMs } = request;
  const { text } = comment;
  const times = new Map(comment.timesSaid);
  const input: MatchInput = {
    comment,
    subject: createTextForms(text),
    ownLinks,
    ownNames,
    allowedHosts,
    timesSaid: (withinMs) => times.get(withinMs) ?? 1,
  };
  const found: TestFindings["found"][number][] = [];
  const dearest = { at: -1, costMs: 0 };
  let leftMs = maxCostMs;
  for (const at of comment.order ?? tests.keys()) {
    if (noted.left.has(at)) continue;
    context.onTest(at);
    try {
      const { value, costMs, isOver } = context.measure(leftMs, (spend) =>
        matcherFor(context, tests[at]?.key ?? "")({ ...input, spend }),
      );
      noted.costsMs[at] = (noted.costsMs[at] ?? 0) + costMs;
      leftMs -= costMs;
      if (costMs > dearest.costMs) Object.assign(dearest, { at, costMs });
      if (value !== undefined) found.push({ at, by: value });
      if (isOver) {
        noted.left.add(dearest.at);
        return { found, isWhole: false, dearest: dearest.at };
      }
      if (value !== undefined && !isAll) break;
    } catch (error) {
      noted.left.add(at);
      noted.failed.push({ at, reason: String(error) });
    }
  }
  return { found, isWhole: noted.left.size === 0 };
}

interface TestNotes {
  readonly costsMs: number[];
  /** Tests that are not run any more. */
  readonly left: Set<number>;
  readonly failed: { readonly at: number; readonly reason: string }[];
}

interface MeasuredWork<T> {
  /** Absent if the work was stopped. */
  readonly value?: T;
  readonly costMs: number;
  readonly isOver: boolean;
}

/** The longest time that a step takes, measured with the most expensive patterns. */
const msPerStep = 20e-6;

/**
 * Measures work and stops what costs too much. The cost is the thread's CPU time, but never more than the steps can take: a slow
 * or busy machine is not the rule's fault. Without `cpuMs` only the steps count. `work` calls `spend` before each piece of work
 * with its steps; `spend` throws when all would cost more than `maxCostMs`.
 */
export function createCostMeter(cpuMs?: () => number) {
  return <T>(maxCostMs: number, work: (spend: (steps: number) => void) => T): MeasuredWork<T> => {
    const startedMs = cpuMs?.() ?? 0;
    let steps = 0;
    const cost = () =>
      Math.min(steps * msPerStep, cpuMs === undefined ? Infinity : cpuMs() - startedMs);
    const over = new Error("a comment costs too much");
    try {
      const value = work((more) => {
        steps += more;
        // Reading the CPU time is slow, so the steps are checked first.
        if (steps * msPerStep > maxCostMs && cost() > maxCostMs) throw over;
      });
      const costMs = cost();
      return { value, costMs, isOver: costMs > maxCostMs };
    } catch (error) {
      if (error !== over) throw error;
      return { costMs: cost(), isOver: true };
    }
  };
}
