import type { Metric, Registry } from "prom-client";
import { watchEventLoop } from "./event-loop.ts";
import { createLive } from "./live.ts";
import { createCounter, createHistogram, type Series } from "./series.ts";
import type { ObservedRequest } from "./watched-http.ts";

/** What became of one interaction; times in milliseconds. */
export interface ObservedInteraction {
  readonly kind: "command" | "menu" | "action" | "suggestion" | "unknown";
  /** As declared; undefined for what nobody declared. */
  readonly name: string | undefined;
  readonly outcome: "answered" | "failed" | "expired" | "lost";
  readonly acknowledgedMs: number | undefined;
  readonly ms: number;
  readonly failure: { readonly kind: string; readonly code: string } | undefined;
}

/** What one call spent at the video service. */
interface ObservedCall {
  readonly method: string;
  readonly bucket: string;
  /** Of the bucket. */
  readonly spent: number;
}

/** What became of a comment. */
interface ObservedDecision {
  /** `approved`, `rejected`, `undone` and the like. */
  readonly act: string;
  /** `card`, `digest`, `command`, `rule` or `log`. */
  readonly from: string;
  /** `done`, or the code of an error. */
  readonly answer: string;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Discord gives 3 seconds. */
const acknowledgeBounds = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3];
/** And 15 minutes. */
const answerBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];
const requestBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** It can't be left out. */
const unusedPrecisionMs = 1_000;

/** Far above what the program has; what comes beyond is `other`. */
const most = { names: 500, codes: 300, services: 20 } as const;

/**
 * Everything that is counted. Labels are bounded sets of names of the program's own: no server, no person, no secret. It counts
 * for nobody until it is asked: prom-client is loaded with the first rendering.
 */
export function createMetrics({ version }: { readonly version: string }) {
  const all = createSeries();
  const live = createLive(version);
  const eventLoop = watchEventLoop();
  const nameOf = createNames(most.names);
  const codeOf = createNames(most.codes);
  const serviceOf = createNames(most.services);
  let registry: Promise<Registry> | undefined;

  return {
    interaction({ kind, name, outcome, acknowledgedMs, ms, failure }: ObservedInteraction): void {
      all.interactions.add([kind, name === undefined ? "unknown" : nameOf(name), outcome]);
      if (acknowledgedMs !== undefined) {
        all.acknowledgement.observe([kind], acknowledgedMs / 1000);
        all.answer.observe([kind], ms / 1000);
      }
      if (failure !== undefined) all.failures.add([failure.kind, codeOf(failure.code)]);
    },
    call({ method, bucket, spent }: ObservedCall): void {
      const labels = [bucket, nameOf(method)];
      all.calls.add(labels);
      all.spent.add(labels, spent);
    },
    request({ service, result, attempts, ms }: ObservedRequest): void {
      const name = serviceOf(service);
      all.requests.add([name, codeOf(result)]);
      all.attempts.add([name], attempts);
      all.requestTime.observe([name], ms / 1000);
    },
    /** A picture that was cut out, and the credits it took. */
    cutout(credits: number): void {
      all.cutouts.add([]);
      all.credits.add([], credits);
    },
    /** A look at a watch's lists: `done`, or the code of the error that ended it. */
    poll: (outcome: string) => all.polls.add([codeOf(outcome)]),
    /** Something that went on record about a comment. */
    decision: ({ act, from, answer }: ObservedDecision) =>
      all.decisions.add([codeOf(act), codeOf(from), codeOf(answer)]),
    /** `renewed`, or the code of the failure. */
    refresh: (outcome: string) => all.refreshes.add([codeOf(outcome)]),
    watch: live.watch,
    /** In Prometheus's text form. */
    async render(): Promise<{ readonly type: string; readonly text: string }> {
      registry ??= register([...Object.values(all), ...live.series, eventLoop.series]);
      const [ready] = await Promise.all([registry, live.read()]);
      return { type: ready.contentType, text: await ready.metrics() };
    },
    /** Watches the event loop no more. */
    close: eventLoop.close,
  };
}

/** Names with letters with marks too, for titles. */
const form = /^[\p{L}\d][\p{L}\p{M}\d ._-]{0,59}$/u;
/** Digits in a row are ids, and ids are nobody's business here. */
const id = /\d{6}/u;

/**
 * Label values that come from outside this room: each kind of them is bounded, because every value is a series for ever. It is
 * the value itself, or `other` once there are too many, or when it does not look like a name.
 */
function createNames(most: number) {
  const known = new Set<string>();
  return (value: string): string => {
    if (known.has(value)) return value;
    if (known.size >= most || !form.test(value) || id.test(value)) return "other";
    known.add(value);
    return value;
  };
}

function createSeries() {
  return {
    interactions: createCounter({
      name: "greenroom_interactions_total",
      help: "Interactions by what was asked for and what became of it.",
      labels: ["kind", "name", "outcome"],
    }),
    acknowledgement: createHistogram(
      {
        name: "greenroom_acknowledgement_seconds",
        help: "From an interaction's arrival to its acknowledged first answer.",
        labels: ["kind"],
      },
      acknowledgeBounds,
    ),
    answer: createHistogram(
      {
        name: "greenroom_answer_seconds",
        help: "From an interaction's arrival to the end of all work for it.",
        labels: ["kind"],
      },
      answerBounds,
    ),
    failures: createCounter({
      name: "greenroom_failures_total",
      help: "Failures that people were told of, by kind and code.",
      labels: ["kind", "code"],
    }),
    calls: createCounter({
      name: "greenroom_video_calls_total",
      help: "Calls of the video service that left, by bucket and method.",
      labels: ["bucket", "method"],
    }),
    spent: createCounter({
      name: "greenroom_video_spent_total",
      help: "Units, searches and uploads spent at the video service, by bucket and method.",
      labels: ["bucket", "method"],
    }),
    cutouts: createCounter({
      name: "greenroom_cutouts_total",
      help: "Pictures that the image service cut out.",
    }),
    credits: createCounter({
      name: "greenroom_image_credits_total",
      help: "Credits spent at the image service.",
    }),
    polls: createCounter({
      name: "greenroom_comment_polls_total",
      help: "Looks for comments that wait, by outcome.",
      labels: ["outcome"],
    }),
    decisions: createCounter({
      name: "greenroom_comment_decisions_total",
      help: "What went on record about comments, by what was done, where, and the service's answer.",
      labels: ["act", "from", "answer"],
    }),
    refreshes: createCounter({
      name: "greenroom_token_refreshes_total",
      help: "Refreshes of linked channels' access tokens, by outcome.",
      labels: ["outcome"],
    }),
    requests: createCounter({
      name: "greenroom_upstream_requests_total",
      help: "Requests to services, retries not counted, by result.",
      labels: ["service", "result"],
    }),
    attempts: createCounter({
      name: "greenroom_upstream_attempts_total",
      help: "How often requests to services left, retries counted.",
      labels: ["service"],
    }),
    requestTime: createHistogram(
      {
        name: "greenroom_upstream_seconds",
        help: "Requests to services, waits between retries included.",
        labels: ["service"],
      },
      requestBounds,
    ),
  };
}

/** With what prom-client tells about the process itself: CPU, memory, open files, garbage. */
async function register(series: readonly Series[]): Promise<Registry> {
  const { Registry, collectDefaultMetrics } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: unusedPrecisionMs });
  // Its own view of the event loop begins too late for the first reading, and counts the timer's interval as delay.
  for (const { name } of registry.getMetricsAsArray()) {
    if (name.startsWith("nodejs_eventloop_lag")) registry.removeSingleMetric(name);
  }
  // The registry only ever asks for a name and for `get`.
  for (const one of series) registry.registerMetric(one as unknown as Metric);
  return registry;
}
