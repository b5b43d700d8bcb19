import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { openFor, temporaryFolder } from "./setup.ts";

it("a consent whose row was damaged keeps no other from being ended", async () => {
  const path = `${temporaryFolder()}/store.sqlite`;
  const { revocations } = await openFor({ url: `sqlite:${path}` });
  await revocations.add("1//canary-one");
  const damaged = await revocations.add("1//canary-two");
  const file = new DatabaseSync(path);
  const damage = file.prepare(
    "UPDATE entries SET value = replace(value, '1.k1.', '1.k1.AA') WHERE key = ?",
  );
  expect(damage.run(`revocation:${damaged}`).changes).toBe(1);
  file.close();

  expect((await revocations.all()).map(({ token }) => token)).toEqual(["1//canary-one"]);
});
