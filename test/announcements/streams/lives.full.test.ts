import { afterAll, describe, expect, it } from "vitest";
import { kinds } from "../../support/databases/each-kind.ts";
import { seed } from "../../support/random.ts";
import { liveStreams } from "./lives.ts";

const hour = 3_600_000;

describe.each(kinds)("streams on $name", ({ make }) => {
  const kind = make?.();
  afterAll(() => kind?.stop());

  it.skipIf(kind === undefined)(
    `are told once and truly over kills of two processes, faults and jumps of the clock (seed ${seed})`,
    async () => {
      const { url } = (await kind?.fresh()) ?? { url: "" };

      const options = { url, seed, streams: 42, withinMs: 3 * hour, calmMs: 8 * hour };
      const { faults, struck } = await liveStreams(options);

      expect(faults).toEqual([]);
      expect(struck).toBeGreaterThan(0);
    },
  );
});
