import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, openFor } from "../setup.ts";

const taker = fileURLToPath(new URL("lease-taker.ts", import.meta.url));
const name = `refresh:${guild}`;

/** A process that takes the lease as often as it can and says when it has it and when it lets it go. */
function startTaker(url: string) {
  const child = spawn(process.execPath, [taker, url, name, "15"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: { readonly from: number; readonly to: number }[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(JSON.parse(line)));
  return once(child, "close").then(() => said);
}

export function leaseFacts(kind: Kind) {
  describe("leases", () => {
    it("are held by one at a time", async () => {
      const { leases } = await openFor(await kind.fresh());

      const first = await leases.take(name, 60_000);
      const second = await leases.take(name, 60_000);
      const other = await leases.take(`${name}:other`, 60_000);
      await first?.release();
      const third = await leases.take(name, 60_000);

      expect(first).toBeDefined();
      expect(second).toBeUndefined();
      expect(other).toBeDefined();
      expect(third).toBeDefined();
    });

    it("go to one of 100 who take the same at once, over two connections", async () => {
      const { url } = await kind.fresh();
      const stores = [await openFor({ url }), await openFor({ url })];

      const taken = await Promise.all(
        Array.from({ length: 100 }, (_, n) => stores[n % 2]?.leases.take(name, 60_000)),
      );

      expect(taken.filter(Boolean)).toHaveLength(1);
    });

    it("end by themselves, and a late release takes them from nobody", async () => {
      const { leases } = await openFor(await kind.fresh());
      const late = await leases.take(name, 30);
      let next: Awaited<ReturnType<typeof leases.take>>;
      await expect
        .poll(async () => {
          next = await leases.take(name, 60_000);
          return next;
        })
        .toBeDefined();

      await late?.release();

      expect(await leases.take(name, 60_000)).toBeUndefined();
    });

    it("are renewed by whoever holds them, and by nobody else", async () => {
      const { leases } = await openFor(await kind.fresh());
      const lost = await leases.take(name, 30);
      let held: Awaited<ReturnType<typeof leases.take>>;
      await expect
        .poll(async () => {
          held = await leases.take(name, 100);
          return held;
        })
        .toBeDefined();

      const isRenewed = await held?.renew(60_000);
      const isRenewedLate = await lost?.renew(60_000);
      await new Promise((resolve) => setTimeout(resolve, 150));

      expect([isRenewed, isRenewedLate]).toEqual([true, false]);
      expect(await leases.take(name, 60_000)).toBeUndefined();
    });

    it("are never held by two processes at once", async () => {
      const { url } = await kind.fresh();
      await openFor({ url });

      const held = (await Promise.all([startTaker(url), startTaker(url)])).flat();

      expect(held).toHaveLength(30);
      const inOrder = held.sort((a, b) => a.from - b.from);
      const overlaps = inOrder.filter(({ from }, n) => n > 0 && from < (inOrder[n - 1]?.to ?? 0));
      expect(overlaps).toEqual([]);
    });
  });
}
