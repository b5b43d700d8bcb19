import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metric, Registry } from "prom-client";
import type { DiscordRequestResult } from "../endpoint/discord-endpoint.ts";
import { createLiveGauges } from "./live.ts";
import { createCounter, createGauge, createHistogram, type MetricSeries } from "./series.ts";
import type { ObservedRequest } from "./watched-http.ts";

/** How one interaction ended; times in milliseconds. */
export interface ObservedInteraction {
  readonly kind: "command" | "menu" | "action" | "suggestion" | "unknown";
  /** The declared name; undefined if it is unknown. */
  readonly name: string | undefined;
  readonly outcome: "answered" | "failed" | "expired" | "lost";
  readonly acknowledgedMs: number | undefined;
  readonly ms: number;
  readonly failure: { readonly kind: string; readonly code: string } | undefined;
}

/** What one call to YouTube cost. */
interface ObservedCall {
  readonly method: string;
  readonly bucket: string;
  /** Units of the bucket. */
  readonly spent: number;
}

/** What was done with a comment. */
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

/** prom-client demands a value, although its event loop metrics are removed. */
const unusedPrecisionMs = 1_000;

/** Far more than the program has; names beyond that are counted as `other`. */
const most = { names: 500, codes: 300, services: 20 } as const;

/**
 * Everything that is counted. Labels are bounded sets of the program's own names: no server, no person, no secret. Counting
 * needs no package: prom-client is loaded with the first rendering.
 */
export function createMetrics({ version }: { readonly version: string }) {
  const all = createSeries();
  const live = createLiveGauges(version);
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
    /** A new entry in the audit log. */
    decision: ({ act, from, answer }: ObservedDecision) =>
      all.decisions.add([codeOf(act), codeOf(from), codeOf(answer)]),
    /** A request to the paths of Discord. */
    discordRequest: (result: DiscordRequestResult) => all.discordRequests.add([result]),
    /** `renewed`, or the code of the failure. */
    refresh: (outcome: string) => all.refreshes.add([codeOf(outcome)]),
    watch: live.watch,
    /** In Prometheus's text form. */
    async render(): Promise<{ readonly type: string; readonly text: string }> {
      registry ??= register([...Object.values(all), ...live.series, eventLoop.series]);
      const [ready] = await Promise.all([registry, live.read()]);
      return { type: ready.contentType, text: await ready.metrics() };
    },
    /** Stops watching the event loop. */
    close: eventLoop.close,
  };
}

/** Names may contain letters with marks, as titles do. */
const form = /^[\p{L}\d][\p{L}\p{M}\d ._-]{0,59}$/u;
/** Many digits in a row are an id, and no id may appear in metrics. */
const id = /\d{6}/u;

/**
 * Label values that come from outside this room. Their number is limited, because every value is a series for ever. A value is
 * replaced by `other` when there are too many, or when it does not look like a name.
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
      help: "Interactions, by command and outcome.",
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
      help: "Failures shown to people, by kind and code.",
      labels: ["kind", "code"],
    }),
    calls: createCounter({
      name: "greenroom_video_calls_total",
      help: "Calls sent to YouTube, by bucket and method.",
      labels: ["bucket", "method"],
    }),
    spent: createCounter({
      name: "greenroom_video_spent_total",
      help: "Units, searches and uploads spent at YouTube, by bucket and method.",
      labels: ["bucket", "method"],
    }),
    cutouts: createCounter({
      name: "greenroom_cutouts_total",
      help: "Pictures that remove.bg cut out.",
    }),
    credits: createCounter({
      name: "greenroom_image_credits_total",
      help: "Credits spent at remove.bg.",
    }),
    polls: createCounter({
      name: "greenroom_comment_polls_total",
      help: "Checks for held comments, by outcome.",
      labels: ["outcome"],
    }),
    decisions: createCounter({
      name: "greenroom_comment_decisions_total",
      help: "Decisions about comments, by kind, place and YouTube's answer.",
      labels: ["act", "from", "answer"],
    }),
    refreshes: createCounter({
      name: "greenroom_token_refreshes_total",
      help: "Refreshes of linked channels' access tokens, by outcome.",
      labels: ["outcome"],
    }),
    discordRequests: createCounter({
      name: "greenroom_discord_requests_total",
      help: "Requests to the paths that Discord posts to, by how they ended; anyone may have sent the refused ones.",
      labels: ["result"],
    }),
    requests: createCounter({
      name: "greenroom_upstream_requests_total",
      help: "Requests to services, retries not counted, by result.",
      labels: ["service", "result"],
    }),
    attempts: createCounter({
      name: "greenroom_upstream_attempts_total",
      help: "Requests sent to services, retries counted.",
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

/** Adds prom-client's metrics of the process itself: CPU, memory, open files, garbage collection. */
async function register(series: readonly MetricSeries[]): Promise<Registry> {
  const { Registry, collectDefaultMetrics } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: unusedPrecisionMs });
  // Its own measurement of the event loop starts too late for the first reading, and counts the timer's interval as delay.
  for (const { name } of registry.getMetricsAsArray()) {
    if (name.startsWith("nodejs_eventloop_lag")) registry.removeSingleMetric(name);
  }
  // The registry only ever asks for a name and for `get`.
  for (const one of series) registry.registerMetric(one as unknown as Metric);
  return registry;
}

const resolutionMs = 20;
const quantiles = [0.5, 0.9, 0.99, 1] as const;

/** Measures from now on how late timers fire. Each reading covers the time since the last one. Delays are in nanoseconds. */
export function watchEventLoop(delays = monitorEventLoopDelay({ resolution: resolutionMs })) {
  delays.enable();
  const about = {
    name: "greenroom_event_loop_delay_seconds",
    help: "How late timers fire, since the last scrape; quantile 1 is the longest delay.",
    labels: ["quantile"],
  };
  return {
    series: createGauge(about, () => {
      const values = quantiles.map((quantile) => {
        const nanoseconds = delays.count === 0 ? 0 : delays.percentile(quantile * 100);
        // It measures from one timer to the next, and the timer's own interval is no delay.
        return [[`${quantile}`], Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3)] as const;
      });
      delays.reset();
      return values;
    }),
    close: () => void delays.disable(),
  };
}
