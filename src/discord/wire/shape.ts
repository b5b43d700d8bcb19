/** Checks a value: answers the path of its first fault, such as `.data.name`, or undefined where there is none. */
export type ShapeCheck = (value: unknown) => string | undefined;

export const textShape: ShapeCheck = (value) => (typeof value === "string" ? undefined : "");
export const countShape: ShapeCheck = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : "";

/** https://docs.discord.com/developers/reference#snowflakes */
export const snowflakeShape: ShapeCheck = patternShape(/^\d{17,20}$/u);

export function patternShape(pattern: RegExp): ShapeCheck {
  return (value) => (typeof value === "string" && pattern.test(value) ? undefined : "");
}

/** The field may be missing; `null` counts as a value. */
export function optionalShape(shape: ShapeCheck): ShapeCheck {
  return (value) => (value === undefined ? undefined : shape(value));
}

export function nullableShape(shape: ShapeCheck): ShapeCheck {
  return (value) => (value === null ? undefined : shape(value));
}

/** An object with these fields; it may have others. */
export function objectShape(shapes: Readonly<Record<string, ShapeCheck>>): ShapeCheck {
  const entries = Object.entries(shapes);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
    return first(entries, ([name, shape]) =>
      under(name, shape((value as Record<string, unknown>)[name])),
    );
  };
}

export function listShape(shape: ShapeCheck): ShapeCheck {
  return (value) => {
    if (!Array.isArray(value)) return "";
    return first([...value.entries()], ([index, item]) => under(String(index), shape(item)));
  };
}

/** An object with ids as keys, whose values all have the same shape. */
export function mapShape(shape: ShapeCheck): ShapeCheck {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
    return first(Object.entries(value), ([id, item]) => under(id, shape(item)));
  };
}

function under(name: string, fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : `.${name}${fault}`;
}

function first<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = check(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
