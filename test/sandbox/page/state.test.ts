import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { applyEvent, stopTyping } from "../../../src/sandbox/platform/page/state/apply-event.ts";
import {
  emptyPage,
  type PageState,
  type PendingAction,
} from "../../../src/sandbox/platform/page/state/page-state.ts";
import {
  addPending,
  bindPending,
  failPending,
} from "../../../src/sandbox/platform/page/state/pending-actions.ts";
import { eventStatus, type HelloEvent } from "../../../src/sandbox/platform/protocol.ts";
import { bot, botMessage, people } from "../../support/fake-platform.ts";

const hello: HelloEvent = {
  type: "hello",
  now: 0,
  welcomeId: undefined,
  me: people.owner,
  people: Object.values(people),
  guild: { id: "1", name: "Test" },
  channels: [{ id: "500", name: "general", type: 0 }],
  threads: [],
  roles: [],
  directChannelId: "d",
  bot,
  online: true,
  commands: [],
  messages: [],
  locale: "en-US",
  attachmentLimit: 10,
  events: [],
  expressions: { emojis: [], stickers: [] },
};

const press: PendingAction = {
  key: "a",
  kind: "component",
  channelId: "500",
  label: "",
  messageId: "7",
  customId: "go",
};

const withForm = (state: PageState): PageState =>
  applyEvent(state, {
    type: "form",
    interactionId: "9",
    form: { custom_id: "f", title: "F", components: [] },
  });

describe("take", () => {
  it("orders messages by id, a longer one after a shorter", () => {
    const ids = ["1000", "999", "1001"];
    const messages = ids.map((id) => botMessage({ id }));

    const state = messages.reduce(
      (before: PageState, message: APIMessage) => applyEvent(before, { type: "message", message }),
      applyEvent(emptyPage, hello),
    );

    expect(state.messages.map(({ id }) => id)).toEqual(["999", "1000", "1001"]);
  });

  it("puts an edited message where the old one was", () => {
    const first = applyEvent(applyEvent(emptyPage, hello), {
      type: "message",
      message: botMessage({ id: "1" }),
    });

    const state = applyEvent(first, {
      type: "message",
      message: botMessage({ id: "1", content: "new" }),
    });

    expect(state.messages.map(({ content }) => content)).toEqual(["new"]);
  });

  it("keeps an open form over a new connection, but not over a change of person", () => {
    const open = withForm(applyEvent(emptyPage, hello));

    expect(applyEvent(open, hello).form).toBeDefined();
    expect(applyEvent(open, { ...hello, me: people.member }).form).toBeUndefined();
  });

  it("lets nothing wait for an end that a broken connection may have swallowed", () => {
    const form: PendingAction = { key: "b", kind: "form", channelId: "500", label: "" };
    const begun = addPending(addPending(applyEvent(emptyPage, hello), press), form);

    const { waiting } = applyEvent(begun, hello);

    expect(waiting.map(({ key }) => key)).toEqual(["b"]);
    expect(waiting[0]?.failed).toContain("The connection was lost.");
  });

  it("stays in a channel that is still there", () => {
    const other = {
      ...hello,
      channels: [...hello.channels, { id: "501", name: "other", type: 0 }],
    };

    expect(applyEvent({ ...emptyPage, channelId: "501" }, other).channelId).toBe("501");
    expect(applyEvent({ ...emptyPage, channelId: "501" }, hello).channelId).toBe("500");
  });
});

describe("eventStatus", () => {
  it.each([
    [1, 9, 1],
    [1, 10, 2],
    [1, 20, 3],
    [2, 9, 2],
    [2, 20, 3],
    [3, 9, 3],
    [4, 15, 4],
  ])("makes of status %i at %i, between 10 and 20, status %i", (status, now, expected) => {
    expect(eventStatus({ status, startsAt: 10, endsAt: 20 }, now)).toBe(expected);
  });
});

describe("what is under way", () => {
  it.each([
    [
      "after the act's answer",
      (state: PageState) =>
        applyEvent(bindPending(state, "a", "5"), { type: "settled", interactionId: "5" }),
    ],
    [
      "before the act's answer",
      (state: PageState) =>
        bindPending(applyEvent(state, { type: "settled", interactionId: "5" }), "a", "5"),
    ],
  ])("ends when it settles %s", (_, settle) => {
    const state = settle(addPending(applyEvent(emptyPage, hello), press));

    expect(state.waiting).toEqual([]);
  });

  it("keeps a failure until the next press on that message", () => {
    const failed = failPending(addPending(applyEvent(emptyPage, hello), press), "a", "No.");
    const again = addPending(failed, { ...press, key: "b" });

    expect(failed.waiting).toEqual([{ ...press, failed: "No." }]);
    expect(again.waiting.map(({ key }) => key)).toEqual(["b"]);
  });

  it("ends with the reply that names its interaction", () => {
    const begun = bindPending(addPending(applyEvent(emptyPage, hello), press), "a", "5");
    const message = botMessage({ interaction_metadata: { id: "5" } });

    expect(applyEvent(begun, { type: "message", message }).waiting).toEqual([]);
  });
});

describe("somebody who types", () => {
  const typing = { type: "typing", channelId: "500", userId: bot.id } as const;
  const { type: _, ...who } = typing;
  const state = applyEvent(applyEvent(applyEvent(emptyPage, hello), typing), typing);

  it("is there once, until they write in that channel or have not for a while", () => {
    const elsewhere = botMessage({ channel_id: "501" });
    const here = botMessage({ channel_id: "500" });

    expect(state.typing).toEqual([who]);
    expect(applyEvent(state, { type: "message", message: elsewhere }).typing).toEqual([who]);
    expect(applyEvent(state, { type: "message", message: here }).typing).toEqual([]);
    expect(stopTyping(state, who).typing).toEqual([]);
  });

  it("is still there when an older message is edited", () => {
    const old = { ...state, messages: [botMessage({ id: "3", channel_id: "500" })] };
    const message = botMessage({ id: "3", channel_id: "500", content: "changed" });

    expect(applyEvent(old, { type: "message", message }).typing).toEqual([who]);
  });
});
