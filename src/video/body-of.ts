import type { FieldSpec } from "./methods/spec.ts";
import type { LaterValue, ResourceId } from "./resources/index.ts";

type Fields = Readonly<Record<string, FieldSpec>>;

interface Values {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
  readonly datetime: Date | string;
  readonly strings: readonly string[];
  /** Decimal digits. */
  readonly uint64: string;
  readonly resourceId: ResourceId;
  readonly object: Readonly<Record<string, unknown>>;
}

/** A resource that was read and is written back may hold a value that came later than this table. */
type Value<Spec extends FieldSpec> = Spec extends { readonly enum: readonly (infer One)[] }
  ? One | LaterValue
  : Values[Spec["type"]];

type Head<Place> = Place extends `${infer First}.${string}` ? First : Place;

type Below<F extends Fields, First extends string> = {
  [Place in keyof F as Place extends `${First}.${infer Rest}` ? Rest : never]: F[Place];
};

type RequiredHead<F extends Fields> = {
  [Place in keyof F]: F[Place] extends { readonly required: true } ? Head<Place> : never;
}[keyof F];

type At<F extends Fields, First extends string> = First extends keyof F
  ? Value<F[First]>
  : BodyOf<Below<F, First>>;

type Members<F extends Fields> = {
  readonly [First in RequiredHead<F> & string]: At<F, First>;
} & {
  readonly [First in Exclude<Head<keyof F>, RequiredHead<F>> & string]?: At<F, First> | undefined;
};

/** What the fields of a row make together, nested by their places; `*` is any key. */
export type BodyOf<F extends Fields> =
  "*" extends Head<keyof F>
    ? Readonly<Record<string, BodyOf<Below<F, "*">>>>
    : { [Name in keyof Members<F>]: Members<F>[Name] };
