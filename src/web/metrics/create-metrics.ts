import { monitorEventLoopDelay } from "node:perf_hooks";
import { once } from "../../once.ts";
import type { DiscordRequestResult } from "../endpoint/discord-endpoint.ts";
import {
  type GaugeSpec,
  gauges,
  type MetricsSnapshot,
  type Readings,
  readAll,
  readGauges,
} from "./live.ts";
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

interface ObservedCall {
  readonly method: string;
  readonly bucket: string;
  /** Units of the bucket. */
  readonly spent: number;
}

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
 * Everything that is counted. Labels are bounded sets of the program's own names: no server, no person, no secret.
 * prom-client is loaded with the first count, because the start has no time for it.
 */
export function createMetrics({ version }: { readonly version: string }) {
  const eventLoop = watchEventLoop();
  const boundedName = createNames(most.names);
  const boundedCode = createNames(most.codes);
  const boundedService = createNames(most.services);
  let readings: Readings | undefined;
  let snapshot: MetricsSnapshot = { version, delays: [], queues: [], loads: [] };
  const load = once(() => registerSeries(() => snapshot));
  const count = (how: (all: Awaited<ReturnType<typeof registerSeries>>) => void) =>
    void load().then(how);

  return {
    interaction({ kind, name, outcome, acknowledgedMs, ms, failure }: ObservedInteraction): void {
      const named = name === undefined ? "unknown" : boundedName(name);
      count(({ interactions, acknowledgement, answer, failures }) => {
        interactions.inc({ kind, name: named, outcome });
        if (acknowledgedMs !== undefined) {
          acknowledgement.observe({ kind }, secondsFrom(acknowledgedMs));
          answer.observe({ kind }, secondsFrom(ms));
        }
        if (failure) failures.inc({ kind: failure.kind, code: boundedCode(failure.code) });
      });
    },
    call({ method: name, bucket, spent }: ObservedCall): void {
      const labels = { bucket, method: boundedName(name) };
      count((all) => {
        all.calls.inc(labels);
        all.spent.inc(labels, spent);
      });
    },
    request({ service: name, result, attempts, ms }: ObservedRequest): void {
      const service = boundedService(name);
      count((all) => {
        all.requests.inc({ service, result: boundedCode(result) });
        all.attempts.inc({ service }, attempts);
        all.requestTime.observe({ service }, secondsFrom(ms));
      });
    },
    /** A picture that was cut out, and the credits it took. */
    cutout: (price: number) =>
      count(({ cutouts, credits }) => {
        cutouts.inc();
        credits.inc(price);
      }),
    /** A look at a watch's lists: `done`, or the code of the error that ended it. */
    poll: (outcome: string) => count(({ polls }) => polls.inc({ outcome: boundedCode(outcome) })),
    /** A new entry in the audit log. */
    decision: ({ act, from, answer }: ObservedDecision) =>
      count(({ decisions }) =>
        decisions.inc({
          act: boundedCode(act),
          from: boundedCode(from),
          answer: boundedCode(answer),
        }),
      ),
    /** A request to the paths of Discord. */
    discordRequest: (result: DiscordRequestResult) =>
      count(({ discordRequests }) => discordRequests.inc({ result })),
    /** `renewed`, or the code of the failure. */
    refresh: (outcome: string) =>
      count(({ refreshes }) => refreshes.inc({ outcome: boundedCode(outcome) })),
    /** Sets what is read at each rendering. */
    watch: (source: Readings) => {
      readings = source;
    },
    /** In Prometheus's text form. */
    async render(): Promise<{ readonly type: string; readonly text: string }> {
      const { registry } = await load();
      snapshot = { version, ...(await readAll(readings)), delays: eventLoop.read() };
      return { type: registry.contentType, text: await registry.metrics() };
    },
    /** Stops watching the event loop. */
    close: eventLoop.close,
  };
}

/** A clock that was set back must not take from a sum. */
function secondsFrom(ms: number): number {
  return Math.max(0, ms / 1000);
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

/** With prom-client's own metrics of the process: CPU, memory, open files, garbage collection. */
async function registerSeries(snapshot: () => MetricsSnapshot) {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import(
    "prom-client"
  );
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: unusedPrecisionMs });
  // Its own measurement of the event loop starts too late for the first reading, and counts the timer's interval as delay.
  for (const { name } of registry.getMetricsAsArray()) {
    if (name.startsWith("nodejs_eventloop_lag")) registry.removeSingleMetric(name);
  }
  for (const name of Object.keys(gauges) as (keyof typeof gauges)[]) {
    const { help, labels = [] }: GaugeSpec = gauges[name];
    new Gauge<string>({
      name,
      help,
      labelNames: [...labels],
      registers,
      collect() {
        this.reset();
        // Otherwise a gauge without a value would be 0.
        if (labels.length === 0) this.remove();
        for (const [of, value] of readGauges(snapshot())[name]) this.set({ ...of }, value);
      },
    });
  }
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <L extends string>(
    name: string,
    help: string,
    options: { readonly buckets: number[]; readonly labelNames: L[] },
  ) => new Histogram({ name, help, ...options, registers });
  return {
    registry,
    interactions: counter(
      "greenroom_interactions_total",
      "Interactions, by command and outcome.",
      "kind",
      "name",
      "outcome",
    ),
    acknowledgement: histogram(
      "greenroom_acknowledgement_seconds",
      "From an interaction's arrival to its acknowledged first answer.",
      { buckets: acknowledgeBounds, labelNames: ["kind"] },
    ),
    answer: histogram(
      "greenroom_answer_seconds",
      "From an interaction's arrival to the end of all work for it.",
      { buckets: answerBounds, labelNames: ["kind"] },
    ),
    failures: counter(
      "greenroom_failures_total",
      "Failures shown to people, by kind and code.",
      "kind",
      "code",
    ),
    calls: counter(
      "greenroom_video_calls_total",
      "Calls sent to YouTube, by bucket and method.",
      "bucket",
      "method",
    ),
    spent: counter(
      "greenroom_video_spent_total",
      "Units, searches and uploads spent at YouTube, by bucket and method.",
      "bucket",
      "method",
    ),
    cutouts: counter("greenroom_cutouts_total", "Pictures that remove.bg cut out."),
    credits: counter("greenroom_image_credits_total", "Credits spent at remove.bg."),
    polls: counter(
      "greenroom_comment_polls_total",
      "Checks for held comments, by outcome.",
      "outcome",
    ),
    decisions: counter(
      "greenroom_comment_decisions_total",
      "Decisions about comments, by kind, place and YouTube's answer.",
      "act",
      "from",
      "answer",
    ),
    refreshes: counter(
      "greenroom_token_refreshes_total",
      "Refreshes of linked channels' access tokens, by outcome.",
      "outcome",
    ),
    discordRequests: counter(
      "greenroom_discord_requests_total",
      "Requests to the paths that Discord posts to, by how they ended; anyone may have sent the refused ones.",
      "result",
    ),
    requests: counter(
      "greenroom_upstream_requests_total",
      "Requests to services, retries not counted, by result.",
      "service",
      "result",
    ),
    attempts: counter(
      "greenroom_upstream_attempts_total",
      "Requests sent to services, retries counted.",
      "service",
    ),
    requestTime: histogram(
      "greenroom_upstream_seconds",
      "Requests to services, waits between retries included.",
      { buckets: requestBounds, labelNames: ["service"] },
    ),
  };
}

const resolutionMs = 20;
const quantiles = [0.5, 0.9, 0.99, 1] as const;

/** Measures from now on how late timers fire. Each reading covers the time since the last one. Delays are in nanoseconds. */
export function watchEventLoop(delays = monitorEventLoopDelay({ resolution: resolutionMs })) {
  delays.enable();
  return {
    read(): MetricsSnapshot["delays"] {
      const read = quantiles.map((quantile) => {
        const nanoseconds = delays.count === 0 ? 0 : delays.percentile(quantile * 100);
        // It measures from one timer to the next, and the timer's own interval is no delay.
        return { quantile, seconds: Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3) };
      });
      delays.reset();
      return read;
    },
    close: () => void delays.disable(),
  };
}
