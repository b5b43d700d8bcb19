import type { Metric, Registry } from "prom-client";
import { watchEventLoop } from "./event-loop.ts";
import { createLive } from "./live.ts";
import { createNames } from "./names.ts";
import { createCounter, createHistogram, type Series } from "./series.ts";
import type { BuildInfo, Metrics } from "./types.ts";

/** Discord gives 3 seconds. */
const acknowledgeBounds = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3];
/** And 15 minutes. */
const answerBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];
const requestBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** It can't be left out. */
const unusedPrecisionMs = 1_000;

/** Far above what the program has; what comes beyond is `other`. */
const most = { names: 500, codes: 300, services: 20 } as const;

/** Counts for nobody until it is asked: prom-client is loaded with the first rendering. */
export function createMetrics({ version }: BuildInfo): Metrics {
  const all = createSeries();
  const live = createLive({ version });
  const eventLoop = watchEventLoop();
  const names = createNames(most.names);
  const codes = createNames(most.codes);
  const services = createNames(most.services);
  let registry: Promise<Registry> | undefined;

  return {
    interaction({ kind, name, outcome, acknowledgedMs, ms, failure }) {
      all.interactions.add([kind, name === undefined ? "unknown" : names.of(name), outcome]);
      if (acknowledgedMs !== undefined) {
        all.acknowledgement.observe([kind], acknowledgedMs / 1000);
        all.answer.observe([kind], ms / 1000);
      }
      if (failure !== undefined) all.failures.add([failure.kind, codes.of(failure.code)]);
    },
    call({ method, bucket, spent }) {
      const labels = [bucket, names.of(method)];
      all.calls.add(labels);
      all.spent.add(labels, spent);
    },
    request({ service, result, attempts, ms }) {
      const name = services.of(service);
      all.requests.add([name, codes.of(result)]);
      all.attempts.add([name], attempts);
      all.requestTime.observe([name], ms / 1000);
    },
    cutout(credits) {
      all.cutouts.add([]);
      all.credits.add([], credits);
    },
    poll: (outcome) => all.polls.add([codes.of(outcome)]),
    decision: ({ act, from, answer }) =>
      all.decisions.add([codes.of(act), codes.of(from), codes.of(answer)]),
    refresh: (outcome) => all.refreshes.add([codes.of(outcome)]),
    watch: live.watch,
    async render() {
      registry ??= register([...Object.values(all), ...live.series, eventLoop.series]);
      const [ready] = await Promise.all([registry, live.read()]);
      return { type: ready.contentType, text: await ready.metrics() };
    },
    close: eventLoop.close,
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
