import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFairQueue, type TurnTaker } from "../src/fair-queue.ts";

interface One extends TurnTaker {
  readonly name: string;
}

function queueOf(...names: readonly string[]) {
  const queue = createFairQueue<One>();
  for (const name of names) queue.add(oneOf(name));
  return queue;
}

/** `a1x` is entry x of the first person of tenant a. */
function oneOf(name: string): One {
  return { tenant: name.slice(0, 1), person: name.slice(0, 2), name };
}

function drained(queue: ReturnType<typeof queueOf>): readonly string[] {
  const names: string[] = [];
  for (let one = queue.take(() => true); one; one = queue.take(() => true)) names.push(one.name);
  return names;
}

describe("createFairQueue", () => {
  it("lets tenants take turns, and the people of each", () => {
    const queue = queueOf("a1x", "a1y", "a1z", "a2x", "b1x", "b1y");

    expect(drained(queue)).toEqual(["a1x", "b1x", "a2x", "b1y", "a1y", "a1z"]);
  });

  it("passes over who may not go, and keeps their place", () => {
    const queue = queueOf("a1x", "a2x", "b1x");

    expect(queue.take(({ person }) => person !== "a1")?.name).toBe("a2x");
    expect(drained(queue)).toEqual(["b1x", "a1x"]);
  });

  it("puts what had its turn before all others", () => {
    const queue = queueOf("a1x", "a1y", "b1x");

    queue.addFirst(oneOf("b1z"));

    expect(drained(queue)).toEqual(["b1z", "a1x", "b1x", "a1y"]);
  });

  it("says in which order it will serve, whatever was added, taken and removed before", () => {
    const name = fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2", "3"));
    const step = fc.oneof(
      name.map((parts) => ({ does: "add" as const, name: parts.join("") })),
      fc.constant({ does: "take" as const }),
      fc.nat(20).map((at) => ({ does: "remove" as const, at })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = createFairQueue<One>();
        for (const each of steps) {
          if (each.does === "add") queue.add(oneOf(each.name));
          else if (each.does === "take") queue.take(() => true);
          else {
            const one = queue.order()[each.at];
            expect(one === undefined || queue.remove(one)).toBe(true);
          }
        }
        const expected = queue.order().map((one) => one.name);

        expect(drained(queue)).toEqual(expected);
        expect(queue.lanes()).toEqual([]);
      }),
    );
  });
});
