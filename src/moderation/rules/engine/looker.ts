import { type Cache, createCache } from "../../../cache.ts";
import { InputError } from "../../../errors.ts";
import type { RuleTest } from "../../records/index.ts";
import { linkKey, platformLinkOf } from "../links/platform-links.ts";
import { matcherOf } from "../matchers/matcher.ts";
import type { Looking, Matcher } from "../matchers/types.ts";
import { createSubject, likenessOf } from "../text/subject.ts";
import type { Look, LookedAt, LookRequest, ThreadAnswer, ThreadRequest } from "./messages.ts";
import type { Meter } from "./meter.ts";

interface LookerDeps {
  readonly meter: Meter;
  /** Told which test is being asked, so that somebody else knows when this never ends. */
  readonly onTest: (at: number) => void;
  /** Whether memory runs short: what can be made again is forgotten. */
  readonly isFull: () => boolean;
}

/** Tests that are known by their keys. */
const mostTests = 5_000;

interface Looker extends LookerDeps {
  readonly testCache: Cache<RuleTest>;
  readonly matcherCache: Cache<Matcher>;
}

/** What the thread does: answers one request after the other. */
export function createLooker(deps: LookerDeps): (request: ThreadRequest) => ThreadAnswer {
  const looker: Looker = {
    ...deps,
    testCache: createCache({ maxSize: mostTests }),
    matcherCache: createCache({ maxSize: mostTests }),
  };
  return (request) => {
    try {
      switch (request.kind) {
        case "check":
          for (const test of request.tests) matcherOf(test);
          return { kind: "checked" };
        case "read":
          return read(request.texts);
        case "look":
          return look(looker, request);
      }
    } catch (error) {
      if (!(error instanceof InputError)) return { kind: "failed", reason: String(error) };
      return { kind: "refused", code: error.code, facts: error.facts };
    } finally {
      deps.onTest(-1);
    }
  };
}

function look(looker: Looker, request: LookRequest): ThreadAnswer {
  if (!areKnown(looker, request)) return { kind: "unknown" };
  const noted: Noted = { costsMs: request.tests.map(() => 0), left: new Set(), faults: [] };
  const looks: Look[] = [];
  for (const comment of request.comments) {
    if (looker.isFull()) looker.matcherCache.clear();
    looks.push(lookAt(looker, { request, comment, noted }));
    if (noted.costsMs.reduce((sum, costMs) => sum + costMs, 0) > request.maxCostMs) break;
  }
  return { kind: "looked", looks, costsMs: noted.costsMs, faults: noted.faults };
}

/** Remembers the tests that came along; answers whether it has all of them. */
function areKnown({ testCache }: Looker, { tests }: LookRequest): boolean {
  for (const { key, test } of tests) if (test !== undefined) testCache.set(key, test);
  return tests.every(({ key }) => testCache.get(key) !== undefined);
}

/** @throws InputError as `matcherOf` */
function knownMatcher({ testCache, matcherCache }: Looker, key: string): Matcher {
  const known = matcherCache.get(key);
  if (known !== undefined) return known;
  const test = testCache.get(key);
  if (test === undefined) throw new Error("a test is not known");
  const made = matcherOf(test);
  matcherCache.set(key, made);
  return made;
}

interface LookAtOptions {
  readonly request: LookRequest;
  readonly comment: LookedAt;
  readonly noted: Noted;
}

function lookAt(looker: Looker, { request, comment, noted }: LookAtOptions): Look {
  const { tests, isAll, maxCostMs } = request;
  const looking = lookingAt(comment, request);
  const found: Look["found"][number][] = [];
  const dearest = { at: -1, costMs: 0 };
  let leftMs = maxCostMs;
  for (const at of comment.order ?? tests.keys()) {
    if (noted.left.has(at)) continue;
    looker.onTest(at);
    try {
      const { value, costMs, isOver } = looker.meter.measure(leftMs, (spend) =>
        knownMatcher(looker, tests[at]?.key ?? "")({ ...looking, spend }),
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
      noted.faults.push({ at, reason: String(error) });
    }
  }
  return { found, isWhole: noted.left.size === 0 };
}

interface Noted {
  readonly costsMs: number[];
  /** Tests that are asked no more. */
  readonly left: Set<number>;
  readonly faults: { readonly at: number; readonly reason: string }[];
}

function lookingAt({ text, authorId, timesSaid }: LookedAt, { ownLinks }: LookRequest): Looking {
  const times = new Map(timesSaid);
  return {
    comment: authorId === undefined ? {} : { authorId },
    ...{ subject: createSubject(text), ownLinks },
    timesSaid: (withinMs) => times.get(withinMs) ?? 1,
  };
}

function read(texts: readonly string[]): ThreadAnswer {
  const subjects = texts.map(createSubject);
  const places = subjects.flatMap((subject) =>
    subject.links().flatMap((link) => platformLinkOf(link) ?? []),
  );
  const links = [...new Map(places.map((place) => [linkKey(place), place])).values()];
  return { kind: "read", links, likenesses: subjects.map(likenessOf) };
}
