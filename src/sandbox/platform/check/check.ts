interface FormError {
  readonly code: string;
  readonly message: string;
}

/** The nested `errors` object: field names down to `_errors`. */
export interface FormErrors {
  [field: string]: FormErrors | FormError[];
}

/** Collects what is wrong with a body, at the field where it is wrong. */
interface FormReport {
  at(field: string | number): FormReport;
  fail(code: string, message: string): void;
  /** Undefined while nothing failed here or below. */
  errors(): FormErrors | undefined;
}

export function createReport(): FormReport {
  const own: FormError[] = [];
  const below = new Map<string, FormReport>();

  return {
    at(field) {
      const key = String(field);
      const child = below.get(key) ?? createReport();
      below.set(key, child);
      return child;
    },
    fail(code, message) {
      own.push({ code, message });
    },
    errors() {
      const found: FormErrors = {};
      for (const [field, child] of below) {
        const errors = child.errors();
        if (errors !== undefined) found[field] = errors;
      }
      if (own.length > 0) found._errors = own;
      return Object.keys(found).length > 0 ? found : undefined;
    },
  };
}

/** Looks at one value of a request body; codes and words are those that Discord answers with. */
export type Check = (value: unknown, report: FormReport) => void;

export type CheckedFields = Readonly<Record<string, unknown>>;

interface RequiredCheck {
  readonly required: Check;
}

export function isObject(value: unknown): value is CheckedFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Length as Discord counts it: in code points. */
export function countTextCharacters(text: string): number {
  return [...text].length;
}

function bounds(count: number, min: number, max: number, report: FormReport): boolean {
  if (count >= min && count <= max) return true;
  if (min > 0 && Number.isFinite(max)) {
    report.fail("BASE_TYPE_BAD_LENGTH", `Must be between ${min} and ${max} in length.`);
  } else if (count > max) {
    report.fail("BASE_TYPE_MAX_LENGTH", `Must be ${max} or fewer in length.`);
  } else {
    report.fail("BASE_TYPE_MIN_LENGTH", `Must be ${min} or more in length.`);
  }
  return false;
}

export function string(min: number, max: number, pattern?: RegExp): Check {
  return (value, report) => {
    if (typeof value !== "string") {
      return report.fail("STRING_TYPE_CONVERT", "Could not interpret value as string.");
    }
    // Surrounding blanks are cut before anything is counted.
    const trimmed = value.trim();
    if (min > 0 && trimmed === "") {
      return report.fail("BASE_TYPE_REQUIRED", "This field is required");
    }
    if (!bounds(countTextCharacters(trimmed), min, max, report)) return;
    if (pattern !== undefined && !pattern.test(trimmed)) {
      report.fail("STRING_TYPE_REGEX", "String value did not match validation regex.");
    }
  };
}

/** As `string`, but blanks count: custom ids and choice values are taken as they are. */
export function exactString(min: number, max: number): Check {
  return (value, report) => {
    if (typeof value !== "string") {
      return report.fail("STRING_TYPE_CONVERT", "Could not interpret value as string.");
    }
    bounds(countTextCharacters(value), min, max, report);
  };
}

function range(value: number, min: number, max: number, kind: string, report: FormReport): void {
  if (value > max) {
    report.fail("NUMBER_TYPE_MAX", `${kind} value should be less than or equal to ${max}.`);
  }
  if (value < min) {
    report.fail("NUMBER_TYPE_MIN", `${kind} value should be greater than or equal to ${min}.`);
  }
}

export function integer(min: number, max: number): Check {
  return (value, report) => {
    if (typeof value !== "number" || !Number.isInteger(value)) {
      return report.fail("NUMBER_TYPE_COERCE", `Value "${String(value)}" is not int.`);
    }
    range(value, min, max, "int", report);
  };
}

export function number(min: number, max: number): Check {
  return (value, report) => {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      return report.fail("NUMBER_TYPE_COERCE", `Value "${String(value)}" is not float.`);
    }
    range(value, min, max, "float", report);
  };
}

/** What is looked at elsewhere, or not at all. */
export const anything: Check = () => undefined;

export const boolean: Check = (value, report) => {
  if (typeof value !== "boolean") {
    report.fail("BOOLEAN_TYPE_CONVERT", "Must be either true or false.");
  }
};

export const snowflakeId: Check = (value, report) => {
  const shown = typeof value === "number" ? String(value) : value;
  if (typeof shown !== "string" || !/^(0|[1-9]\d{0,19})$/.test(shown)) {
    report.fail("NUMBER_TYPE_COERCE", `Value "${String(value)}" is not snowflake.`);
  }
};

export function oneOfValues(values: readonly (string | number)[]): Check {
  return (value, report) => {
    if (!values.includes(value as string | number)) {
      report.fail("BASE_TYPE_CHOICES", `Value must be one of {${values.join(", ")}}.`);
    }
  };
}

export const httpUrl: Check = (value, report) => {
  if (typeof value !== "string") {
    return report.fail("STRING_TYPE_CONVERT", "Could not interpret value as string.");
  }
  if (!bounds(value.length, 0, 2_048, report)) return;
  if (!URL.canParse(value)) return report.fail("URL_TYPE_INVALID_URL", "Not a well formed URL.");
  if (!/^https?:$/.test(new URL(value).protocol)) {
    report.fail("URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https').");
  }
};

export function array(of: Check, min: number, max: number): Check {
  return (value, report) => {
    if (!Array.isArray(value)) {
      return report.fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
    }
    if (!bounds(value.length, min, max, report)) return;
    for (const [index, item] of value.entries()) of(item, report.at(index));
  };
}

export function required(check: Check): RequiredCheck {
  return { required: check };
}

export type FieldChecks = Readonly<Record<string, Check | RequiredCheck>>;

/** An object with exactly these fields; an optional one may be null. A field not named here is a mistake of the sender. */
export function object(fields: FieldChecks): Check {
  return (value, report) => {
    if (!isObject(value)) {
      return report.fail("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType");
    }
    for (const [field, check] of Object.entries(fields)) {
      const fieldValue = value[field];
      const missing = fieldValue === undefined || fieldValue === null;
      if (typeof check === "function") {
        if (!missing) check(fieldValue, report.at(field));
      } else if (missing) {
        report.at(field).fail("BASE_TYPE_REQUIRED", "This field is required");
      } else {
        check.required(fieldValue, report.at(field));
      }
    }
    for (const field of Object.keys(value)) {
      if (!Object.hasOwn(fields, field)) report.at(field).fail("UNKNOWN_FIELD", "Unknown field.");
    }
  };
}

/** Chooses by the value's `type`. */
export function byType(kinds: Readonly<Record<number, Check>>): Check {
  return (value, report) => {
    if (!isObject(value)) {
      return report.fail("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType");
    }
    const check = typeof value.type === "number" ? kinds[value.type] : undefined;
    if (check !== undefined) return check(value, report);
    const known = Object.keys(kinds).join(", ");
    report
      .at("type")
      .fail("UNION_TYPE_CHOICES", `Value of field "type" must be one of (${known}).`);
  };
}

export function allOf(...checks: readonly Check[]): Check {
  return (value, report) => {
    for (const check of checks) check(value, report);
  };
}
