import type { CallCharge, CallResult, SpendingMeter } from "../../src/budget/index.ts";

/** A meter that records its calls. */
export function meter() {
  const booked: (CallCharge & Partial<CallResult>)[] = [];
  const units: SpendingMeter = {
    book: async (charge) => {
      const at = booked.push(charge) - 1;
      return {
        settle: async (spending) => {
          booked[at] = { ...charge, ...spending };
        },
      };
    },
  };
  return { booked, units };
}
