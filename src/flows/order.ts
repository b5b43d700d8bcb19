import { InputError } from "../errors.ts";

/** Between two moments lies something only when they come in their order. @throws InputError `date_order` */
export function requireOrder(after: Date | undefined, before: Date | undefined): void {
  if (after === undefined || before === undefined || after < before) return;
  throw new InputError("the first moment is not before the second", {
    code: "date_order",
    hint: "The first moment has to come before the second one. Swap them, or leave one out.",
  });
}
