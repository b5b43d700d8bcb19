import { expect, it } from "vitest";
import { createCreditBalance } from "../../src/background/balance.ts";
import { LimitError } from "../../src/errors.ts";

it("gives the reason of a caller who left, also while the account may not be asked again", async () => {
  const balance = createCreditBalance(() => 0);
  const ask = () => Promise.reject(new Error("no answer"));
  balance.exhaust();
  const first = balance.require(1, ask);
  await expect(first).rejects.toBeInstanceOf(LimitError);

  const second = balance.require(1, ask, AbortSignal.abort(new Error("left")));

  await expect(second).rejects.toThrow("left");
});
