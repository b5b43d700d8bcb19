import { LimitError } from "../../errors.ts";
import { asCredits, thousandths } from "./lines.ts";
import type { CreditBudget } from "./types.ts";

interface Wanted {
  readonly price: number;
  readonly budget: CreditBudget;
  /** Spent and set aside today, in thousandths. */
  readonly used: number;
  readonly endsAt: Date;
}

const whose = {
  person: "An owner of this server has set what you may spend a day. Ask them for more, or wait.",
  rank: "An owner of this server has set what people of your rank may spend a day. Ask them for more, or wait.",
} as const satisfies Record<CreditBudget["of"], string>;

export function refuseBeyond({ price, budget, used, endsAt }: Wanted): void {
  const { amount, of, rank } = budget;
  const left = Math.max(0, thousandths(amount) - used);
  if (thousandths(price) <= left) return;
  throw new LimitError(`${price} credits of ${of} with ${asCredits(left)} left`, {
    code: `budget_${of}`,
    hint: whose[of],
    facts: {
      service: "background",
      bucket: "credits",
      amount,
      left: asCredits(left),
      cost: price,
      ...(rank !== undefined && { rank }),
    },
    retryAt: endsAt,
  });
}
