export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads Prometheus's text format, and checks its grammar. */
export type MetricsText = ReturnType<typeof parseMetrics>;

const sampleForm = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/u;
const labelForm = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\.)*)"(?:,|$)/gu;

/** https://prometheus.io/docs/instrumenting/exposition_formats/ @throws Error for a line that is none of its forms. */
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
    /** By metric: `counter`, `gauge`, `histogram`. */
    types,
    /** The one value of a series; 0 when it is not there. */
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
