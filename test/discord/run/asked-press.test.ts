import { describe, expect, it } from "vitest";
import { ask, list, notice } from "../../../src/discord/draw/reply.ts";
import { destructiveButtons } from "../../../src/discord/run/asked-press.ts";

const press = (action: string) => ({ action, state: null });
const red = { label: "Delete", style: "danger", press: press("delete") } as const;
const plain = { label: "Keep", press: press("keep") } as const;
const isOnce = (action: string) => action === "delete";

describe("destructiveButtons", () => {
  it("takes the red buttons of a question, which can be asked again", () => {
    const question = ask({ title: "?", text: "?", confirm: red, others: [plain] });
    const page = list({ title: "?", isQuestion: true, items: [], buttons: [red, plain] });

    for (const reply of [question, page]) {
      expect(destructiveButtons(reply, () => false)).toEqual([
        { label: "Delete", press: red.press, isAsked: true },
      ]);
    }
  });

  it("takes a red button that acts at once, such as that which goes on with what was stopped", () => {
    const stopped = notice({ tone: "warning", title: "Stopped", buttons: [red, plain] });

    expect(destructiveButtons(stopped, isOnce)).toMatchObject([{ isAsked: false }]);
  });

  it("leaves red buttons that lead to a question", () => {
    const card = notice({ tone: "neutral", title: "A video", buttons: [red] });

    expect(destructiveButtons(card, () => false)).toEqual([]);
  });
});
