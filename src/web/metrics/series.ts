/** One line of a series, as the registry of prom-client takes it. */
export interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** What the registry asks of a metric. */
export interface Series {
  readonly name: string;
  get(): Promise<{
    readonly name: string;
    readonly help: string;
    readonly type: "counter" | "gauge" | "histogram";
    readonly values: readonly Value[];
    readonly aggregator: "sum";
  }>;
}

export interface About {
  /** With its unit, as the exposition format wants it. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export interface Counter extends Series {
  /** Values in the order of the labels. */
  add(values: readonly string[], by?: number): void;
}

export interface Histogram extends Series {
  observe(values: readonly string[], seconds: number): void;
}

/**
 * Counts are kept here and not in prom-client's own classes: those sort and join labels at each step, which costs every
 * interaction 1.5 us and a start the time to load them, while here a step is one look into a Map.
 */
export function createCounter(about: About): Counter {
  const sums = new Map<string, { readonly values: readonly string[]; sum: number }>();
  // What has no labels is there from the start, so that its first step shows as a rise.
  if (about.labels === undefined) sums.set("", { values: [], sum: 0 });
  return {
    ...described(about, "counter", () =>
      [...sums.values()].map(({ values, sum }) => ({ labels: named(about, values), value: sum })),
    ),
    add(values, by = 1) {
      const key = values.join("\n");
      const held = sums.get(key);
      if (held === undefined) sums.set(key, { values, sum: by });
      else held.sum += by;
    },
  };
}

interface Spread {
  readonly values: readonly string[];
  /** By bucket, each without those below it; the last is for what is above all bounds. */
  readonly counts: number[];
  sum: number;
}

export function createHistogram(about: About, bounds: readonly number[]): Histogram {
  const spreads = new Map<string, Spread>();
  return {
    ...described(about, "histogram", () =>
      [...spreads.values()].flatMap((spread) => linesOf(about, bounds, spread)),
    ),
    observe(values, given) {
      // A clock that was set back must not take from a sum.
      const seconds = Math.max(0, given);
      const key = values.join("\n");
      const held = spreads.get(key) ?? added(spreads, key, empty(values, bounds));
      const at = bounds.findIndex((bound) => seconds <= bound);
      const bucket = at < 0 ? bounds.length : at;
      held.counts[bucket] = (held.counts[bucket] ?? 0) + 1;
      held.sum += seconds;
    },
  };
}

/** Read when somebody asks. */
export function createGauge(about: About, read: () => readonly Gauged[]): Series {
  return described(about, "gauge", () =>
    read().map(([values, value]) => ({ labels: named(about, values), value })),
  );
}

export type Gauged = readonly [values: readonly string[], value: number];

function added(spreads: Map<string, Spread>, key: string, spread: Spread): Spread {
  spreads.set(key, spread);
  return spread;
}

function described(
  { name, help }: About,
  type: "counter" | "gauge" | "histogram",
  values: () => readonly Value[],
): Series {
  return { name, get: async () => ({ name, help, type, values: values(), aggregator: "sum" }) };
}

function empty(values: readonly string[], bounds: readonly number[]): Spread {
  return { values, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

function linesOf(about: About, bounds: readonly number[], spread: Spread): readonly Value[] {
  const labels = named(about, spread.values);
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

function named({ labels = [] }: About, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ""]));
}
