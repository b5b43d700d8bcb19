/** Answers where a value is not as it has to be, such as `.data.name`; undefined for one that is. */
export type Shape = (value: unknown) => string | undefined;

export const text: Shape = (value) => (typeof value === "string" ? undefined : "");
export const count: Shape = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : "";

/** https://docs.discord.com/developers/reference#snowflakes */
export const snowflake: Shape = matching(/^\d{17,20}$/u);

export function matching(pattern: RegExp): Shape {
  return (value) => (typeof value === "string" && pattern.test(value) ? undefined : "");
}

/** The field may be missing; `null` counts as a value. */
export function optional(shape: Shape): Shape {
  return (value) => (value === undefined ? undefined : shape(value));
}

export function nullable(shape: Shape): Shape {
  return (value) => (value === null ? undefined : shape(value));
}

/** An object that has these fields, and may have others. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(shapes);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
    return first(entries, ([name, shape]) =>
      under(name, shape((value as Record<string, unknown>)[name])),
    );
  };
}

export function list(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return "";
    return first([...value.entries()], ([index, item]) => under(String(index), shape(item)));
  };
}

/** An object whose values are all alike, by ids. */
export function byId(shape: Shape): Shape {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
    return first(Object.entries(value), ([id, item]) => under(id, shape(item)));
  };
}

function under(name: string, fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : `.${name}${fault}`;
}

function first<T>(items: readonly T[], judge: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = judge(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
