import { commonParams } from "../methods/params.ts";
import type { BodySpec, FieldSpec, MethodSpec, ParamSpec } from "../methods/spec.ts";

/** The spec of a method, prepared for checks: specs never change, and calls are many. */
export interface CheckPlan {
  /** The parameters of the method and those that every method takes, in the order in which they are sent. */
  readonly names: readonly string[];
  readonly specs: ReadonlyMap<string, ParamSpec>;
  readonly required: readonly string[];
  /** Parameters of which one must be chosen, or at most one. */
  readonly choices: ReadonlySet<string>;
  readonly body: BodyPlan | undefined;
}

export interface BodyPlan {
  readonly fields: readonly FieldPlan[];
  /** Parts that `part` must name if the body has fields in them. */
  readonly parts: ReadonlySet<string>;
}

export interface FieldPlan {
  readonly path: readonly string[];
  /** For a field under any key (`*`): its path below that key; `path` ends above the key. */
  readonly below: readonly string[] | undefined;
  /** The part that the field belongs to; undefined for fields like `id` that are always stored. */
  readonly part: string | undefined;
  readonly spec: FieldSpec;
}

const plans = new WeakMap<MethodSpec, CheckPlan>();

export function checkPlanFor(methodSpec: MethodSpec): CheckPlan {
  const known = plans.get(methodSpec);
  if (known !== undefined) return known;
  const { query, filters, body } = methodSpec;
  const specs = new Map<string, ParamSpec>(Object.entries({ ...query, ...commonParams }));
  const names = [...specs.keys()];
  const plan = {
    names,
    specs,
    required: names.filter((name) => specs.get(name)?.required),
    choices: new Set([...(filters?.exactlyOne ?? []), ...(filters?.atMostOne ?? [])]),
    body: body && arrangeBody(body, query.part?.enum ?? []),
  };
  plans.set(methodSpec, plan);
  return plan;
}

function arrangeBody({ fields }: BodySpec, parts: readonly string[]): BodyPlan {
  const plans = Object.entries(fields).map(([place, spec]) => {
    const [path = [], below] = place.split(".*.").map((steps) => steps.split("."));
    const part = parts.find((one) => one !== "id" && one === path[0]);
    return { path, below, spec, part };
  });
  return { fields: plans, parts: new Set(plans.flatMap(({ part }) => part ?? [])) };
}
