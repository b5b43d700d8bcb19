import type { english } from "./english.ts";

type Leaves<T> = {
  [Name in keyof T & string]: T[Name] extends string ? Name : `${Name}.${Leaves<T[Name]>}`;
}[keyof T & string];

/** Every message that English has, so that a key nobody wrote does not compile. */
export type MessageKey = Leaves<typeof english>;
