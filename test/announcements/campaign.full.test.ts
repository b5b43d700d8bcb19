import { afterAll, describe, expect, it } from "vitest";
import { kinds } from "../support/databases/each-kind.ts";
import { seed } from "../support/random.ts";
import { killProcesses } from "./kills.ts";

describe.each(kinds)("announcements on $name", ({ make }) => {
  const kind = make?.();
  afterAll(() => kind?.stop());

  it.skipIf(kind === undefined)(
    `are neither lost nor doubled over kills of two processes and faults (seed ${seed})`,
    async () => {
      const { url } = (await kind?.fresh()) ?? { url: "" };

      const { published, announced, struck } = await killProcesses({ url, seed, kills: 40 });

      expect(announced.toSorted()).toEqual(published.toSorted());
      expect(struck).toBeGreaterThan(10);
    },
  );
});
