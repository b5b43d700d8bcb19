/** One line of a series, as the registry of prom-client takes it. */
export interface MetricValue {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** What the registry needs of a metric. */
export interface MetricSeries {
  readonly name: string;
  get(): Promise<{
    readonly name: string;
    readonly help: string;
    readonly type: "counter" | "gauge" | "histogram";
    readonly values: readonly MetricValue[];
    readonly aggregator: "sum";
  }>;
}

export interface MetricInfo {
  /** Ends with the unit, as the exposition format demands. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export interface Counter extends MetricSeries {
  /** Values in the order of the labels. */
  add(values: readonly string[], by?: number): void;
}

export interface Histogram extends MetricSeries {
  observe(values: readonly string[], seconds: number): void;
}

/**
 * Counts are stored here and not in prom-client's own classes: those sort and join labels at each step, which costs every
 * interaction 1.5 us, and loading them slows down the start. Here a step is one lookup in a Map.
 */
export function createCounter(about: MetricInfo): Counter {
  const sums = new Map<string, { readonly values: readonly string[]; sum: number }>();
  // A series without labels is there from the start, so that its first step shows as a rise.
  if (about.labels === undefined) sums.set("", { values: [], sum: 0 });
  return {
    ...createSeries(about, "counter", () =>
      [...sums.values()].map(({ values, sum }) => ({
        labels: labelsOf(about, values),
        value: sum,
      })),
    ),
    add(values, by = 1) {
      const key = values.join("\n");
      const held = sums.get(key);
      if (held === undefined) sums.set(key, { values, sum: by });
      else held.sum += by;
    },
  };
}

interface HistogramState {
  readonly values: readonly string[];
  /** By bucket, each without the ones below it; the last is for values above all bounds. */
  readonly counts: number[];
  sum: number;
}

export function createHistogram(about: MetricInfo, bounds: readonly number[]): Histogram {
  const spreads = new Map<string, HistogramState>();
  return {
    ...createSeries(about, "histogram", () =>
      [...spreads.values()].flatMap((spread) => linesOf(about, bounds, spread)),
    ),
    observe(values, measuredSeconds) {
      // A clock that was set back must not take from a sum.
      const seconds = Math.max(0, measuredSeconds);
      const key = values.join("\n");
      const held = spreads.get(key) ?? addSpread(spreads, key, emptyHistogram(values, bounds));
      const at = bounds.findIndex((bound) => seconds <= bound);
      const bucket = at < 0 ? bounds.length : at;
      held.counts[bucket] = (held.counts[bucket] ?? 0) + 1;
      held.sum += seconds;
    },
  };
}

/** A gauge that is read when somebody asks for the metrics. */
export function createGauge(about: MetricInfo, read: () => readonly GaugeValue[]): MetricSeries {
  return createSeries(about, "gauge", () =>
    read().map(([values, value]) => ({ labels: labelsOf(about, values), value })),
  );
}

export type GaugeValue = readonly [values: readonly string[], value: number];

function addSpread(
  spreads: Map<string, HistogramState>,
  key: string,
  spread: HistogramState,
): HistogramState {
  spreads.set(key, spread);
  return spread;
}

function createSeries(
  { name, help }: MetricInfo,
  type: "counter" | "gauge" | "histogram",
  values: () => readonly MetricValue[],
): MetricSeries {
  return { name, get: async () => ({ name, help, type, values: values(), aggregator: "sum" }) };
}

function emptyHistogram(values: readonly string[], bounds: readonly number[]): HistogramState {
  return { values, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

function linesOf(
  about: MetricInfo,
  bounds: readonly number[],
  spread: HistogramState,
): readonly MetricValue[] {
  const labels = labelsOf(about, spread.values);
  const { name } = about;
  let below = 0;
  const buckets = spread.counts.map((count, at) => {
    below += count;
    return {
      metricName: `${name}_bucket`,
      labels: { ...labels, le: bounds[at] ?? "+Inf" },
      value: below,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: spread.sum },
    { metricName: `${name}_count`, labels, value: below },
  ];
}

function labelsOf({ labels = [] }: MetricInfo, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ""]));
}
