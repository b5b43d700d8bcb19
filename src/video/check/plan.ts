import { commonParams } from "../methods/common-params.ts";
import type { BodySpec, FieldSpec, MethodSpec, ParamSpec } from "../methods/spec.ts";

/** A row, arranged for being checked against: calls are many and rows do not change. */
export interface Plan {
  /** The row's parameters and those that every method takes, in the order they travel in. */
  readonly names: readonly string[];
  readonly specs: ReadonlyMap<string, ParamSpec>;
  readonly required: readonly string[];
  /** Parameters of which one has to be chosen. */
  readonly choices: ReadonlySet<string>;
  readonly body: BodyPlan | undefined;
}

export interface BodyPlan {
  readonly fields: readonly FieldPlan[];
  /** What `part` has to name for the body's fields in it to be stored. */
  readonly parts: ReadonlySet<string>;
}

export interface FieldPlan {
  readonly path: readonly string[];
  /** Of a field that is there once for every key, its path below that key; `path` ends above it. */
  readonly below: readonly string[] | undefined;
  /** The part that it is in; undefined for fields like `id` that always count. */
  readonly part: string | undefined;
  readonly spec: FieldSpec;
}

const plans = new WeakMap<MethodSpec, Plan>();

export function planOf(row: MethodSpec): Plan {
  const known = plans.get(row);
  if (known !== undefined) return known;
  const plan = arrange(row);
  plans.set(row, plan);
  return plan;
}

function arrange({ query, filters, body }: MethodSpec): Plan {
  const specs = new Map<string, ParamSpec>(Object.entries({ ...query, ...commonParams }));
  const names = [...specs.keys()];
  return {
    names,
    specs,
    required: names.filter((name) => specs.get(name)?.required),
    choices: new Set([...(filters?.exactlyOne ?? []), ...(filters?.atMostOne ?? [])]),
    body: body && arrangeBody(body, query.part?.enum ?? []),
  };
}

function arrangeBody({ fields }: BodySpec, parts: readonly string[]): BodyPlan {
  const plans = Object.entries(fields).map(([place, spec]) => {
    const [path = [], below] = place.split(".*.").map((steps) => steps.split("."));
    const part = parts.find((one) => one !== "id" && one === path[0]);
    return { path, below, spec, part };
  });
  return { fields: plans, parts: new Set(plans.flatMap(({ part }) => part ?? [])) };
}
