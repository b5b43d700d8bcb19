/** One entry of `_errors` in an Invalid Form Body answer. */
export interface FormError {
  readonly code: string;
  readonly message: string;
}

/** The nested `errors` object: field names down to `_errors`. */
export interface FormErrors {
  [field: string]: FormErrors | FormError[];
}

/** Collects what is wrong with a body, at the field where it is wrong. */
export interface Report {
  at(field: string | number): Report;
  fail(code: string, message: string): void;
  /** Undefined while nothing failed here or below. */
  errors(): FormErrors | undefined;
}

export function createReport(): Report {
  const own: FormError[] = [];
  const below = new Map<string, Report>();

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
