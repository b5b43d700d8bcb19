export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Metrics that were read from Prometheus's text format. */
export type MetricsText = ReturnType<typeof parseMetrics>;

const sampleForm = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/u;
const labelForm = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\.)*)"(?:,|$)/gu;

/**
 * Reads and checks https://prometheus.io/docs/instrumenting/exposition_formats/ @throws Error for a line that does not
 * fit.
 */
export function parseMetrics(text: string) {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("# HELP ")) continue;
    const [, typed, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/u.exec(line) ?? [];
    if (typed !== undefined && type !== undefined) types.set(typed, type);
    else samples.push(sampleOf(line));
  }
  return {
    samples,
    /** The type of each metric: `counter`, `gauge`, `histogram`. */
    types,
    /** The value of one series; 0 if there is none. */
    value: (name: string, labels: Readonly<Record<string, string>> = {}) =>
      samples.find(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      )?.value ?? 0,
  };
}

function sampleOf(line: string): Sample {
  const [, name, labels = "", value] = sampleForm.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`not a sample: ${line}`);
  const pairs = [...labels.matchAll(labelForm)];
  if (pairs.map(([whole]) => whole).join("") !== labels) throw new Error(`not labels: ${line}`);
  const number = value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value);
  if (Number.isNaN(number)) throw new Error(`not a number: ${line}`);
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, label = "", text = ""]) => [label, text])),
    value: number,
  };
}
