import { expect, it } from "vitest";
import type { ModerationNotifications } from "../../../src/moderation/index.ts";
// Imported in advance: otherwise it loads when first needed, which takes time that the clock of these tests does not
// count.
import "../../../src/moderation/rules/verdicts/find-verdicts.ts";
import { ann, minute, openRig } from "../support/rig.ts";

type Acts = ModerationNotifications["rule-acts"];

/** The steps around the moment when a rule acts on three comments. */
const steps = Array.from({ length: 7 }, (_, n) => 30 + 3 * n);

it.each(steps)("reports what rules did once, wherever a process ends: step %i", async (step) => {
  const rig = await openRig();
  const first = rig.process();
  const does = { does: "act", decision: "reject" } as const;
  const test = { kind: "words", words: ["spam"], isFolded: false } as const;
  await first.server.rules.add({ name: "No spam", test, ...does }, ann.userId);
  const watch = await first.watch();
  first.fence.kill();
  for (let n = 0; n < 3; n += 1) rig.hold(`Buy spam ${n}`);
  rig.process({ stepsToLive: step });
  await rig.clock.pass(2 * minute);
  rig.process();
  await rig.clock.pass(30 * minute);

  const reported = rig.discord
    .of("rule-acts")
    .flatMap(({ message }) => (message.facts as Acts).acts.map(({ item }) => item.id));
  const items = await rig.items(watch.id);
  expect(items.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect([...reported].sort()).toEqual(items.map(({ id }) => id).sort());
});
