import {
  type FieldSpec,
  type Method,
  type MethodSpec,
  methods,
  type ParamSpec,
} from "../../video/index.ts";

type Row<M extends Method> = (typeof methods)[M];
type Query<M extends Method> = Row<M>["query"];
type Fields<M extends Method> =
  Row<M> extends { readonly body: { readonly fields: infer F } } ? F : Record<never, never>;

/** Where a value goes: the name of a parameter, or the place of a body field. */
export type MethodPlace<M extends Method> = (keyof Query<M> | keyof Fields<M>) & string;

type Spec<M extends Method, P> = P extends keyof Query<M>
  ? Query<M>[P]
  : P extends keyof Fields<M>
    ? Fields<M>[P]
    : never;

type ValueOf<S> = S extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : S extends { readonly type: "integer" }
    ? number
    : S extends { readonly type: "boolean" }
      ? boolean
      : S extends { readonly type: "datetime" }
        ? Date
        : S extends { readonly type: "strings" }
          ? readonly string[]
          : string;

/** The type of an option's value for that place. */
export type FieldType<M extends Method, P extends MethodPlace<M>> = ValueOf<Spec<M, P>>;

/** What the method says about a place. */
export function placeSpec(method: Method, place: string): ParamSpec | FieldSpec {
  const methodSpec: MethodSpec = methods[method];
  const spec = methodSpec.query[place] ?? methodSpec.body?.fields[place];
  if (spec === undefined) throw new TypeError(`${method} has no ${place}`);
  return spec;
}

/**
 * All places of a method that people may set. It leaves out what no longer has an effect, what is only for content owners,
 * and the parts of a write: those follow from what is written, and a part without content would be erased.
 */
export function settablePlaces(method: Method): ReadonlyMap<string, ParamSpec | FieldSpec> {
  const { query, body, effect }: MethodSpec = methods[method];
  const params = Object.entries(query).filter(
    ([name, spec]) =>
      !spec.deprecated && !spec.forContentOwners && (name !== "part" || effect === "read"),
  );
  return new Map<string, ParamSpec | FieldSpec>([...params, ...Object.entries(body?.fields ?? {})]);
}

/** Values that other parameters must have if those are set, such as the type of what is searched. */
export function requiredBeside(
  method: Method,
  names: Iterable<string>,
): Readonly<Record<string, string>> {
  const methodSpec: MethodSpec = methods[method];
  const needs = [...names].flatMap((name) => Object.entries(methodSpec.query[name]?.needs ?? {}));
  return Object.fromEntries(
    needs.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
