import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/errors.ts";
import { redrawCard } from "../../../src/features/watches/redraw.ts";

describe("redrawCard", () => {
  it("does not say that nothing was done when the database goes away after the change", async () => {
    const away = async () => {
      throw new ServiceError("away", { code: "store_unavailable" });
    };
    const moderation = { watches: { all: away }, queue: { history: away } };

    const drawn = redrawCard({ moderation } as never, {} as never);

    await expect(drawn).rejects.toMatchObject({ code: "store_unavailable", outcome: "unknown" });
  });
});
